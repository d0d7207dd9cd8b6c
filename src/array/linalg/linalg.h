/* Linear algebra on square matrices, and on stacks of them over leading axes.
 *
 * Numbers of any type are taken as Floats. NULL and an error for what is not square (ERR_SHAPE:
 * "det: the matrix is 2×3, not square"), singular or not positive definite (ERR_MATH). A matrix is
 * singular when elimination meets a pivot that is exactly 0. 0×0 matrices are ordinary. */
#ifndef ARRAY_LINALG_LINALG_H
#define ARRAY_LINALG_LINALG_H

#include "array/array.h"

/* Whether a is a square matrix or a stack of them; what names the function in the message. */
bool linalg_check_square(const Shape *a, const char *what, Error *err);

/* x with a·x = b, or aᵀ·x = b, by elimination with partial pivoting, or by substitution alone where
 * a is triangular; b is a matrix of columns, leading axes broadcast. Both directions accept the
 * same matrices. */
Array *linalg_solve(Array *a, Array *b, bool transposed, Error *err);
Array *linalg_inv(Array *a, Error *err);
/* The result has the leading axes alone. */
Array *linalg_det(Array *a, Error *err);
/* The lower triangle L with a = L·Lᵀ; reads a's lower triangle. */
Array *linalg_cholesky(Array *a, Error *err);
/* The matrix of cofactors, the gradient of det. */
Array *linalg_cofactor(Array *a, Error *err);
/* Its derivative along all of a stack of matrices: along has one leading axis more than a. */
Array *linalg_cofactor_along(Array *a, Array *along, Error *err);

#endif

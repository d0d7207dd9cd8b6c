/* Cofactors of a square matrix, and their derivatives: what the derivatives of det are made of.
 *
 * Nothing is inverted, so singular matrices are as good as others. A = Pᵀ·L·D·U·Qᵀ with unit
 * triangles L and U, and cofactors multiply: cof A = ± Pᵀ·(L⁻ᵀ · cof D · U⁻ᵀ)·Qᵀ. Pivots are the
 * largest of their rows and columns (rook pivoting), so that no element of L and U exceeds 1 and
 * both are well conditioned, whatever A is; the cofactors of D are products of its other elements.
 * (Stewart, "On the adjugate matrix", 1998; Foster, "The growth factor and efficiency of Gaussian
 * elimination with rook pivoting", 1997.) */
#ifndef ARRAY_LINALG_COFACTOR_H
#define ARRAY_LINALG_COFACTOR_H

#include "base/error.h"

#include <stdint.h>

/* a (n×n, row-major) becomes L (unit, below the diagonal), D, and U (unit, above it). Row i is a's
 * row rows[i], column j its column columns[j]; *odd tells whether these are an odd permutation
 * together. Elements of D from *rank on are exactly 0. spare has room for n elements. */
bool rook_factor(double *a, int64_t n, int64_t *rows, int64_t *columns, bool *odd, int64_t *rank,
                 double *spare, Error *err);

enum { MOST_ALONG = 24 };

/* out (n×n) becomes the k-th derivative of a's cofactors along k matrices, step elements apart: the
 * matrix whose scalar product with any E is the (k+1)-th derivative of det at a along these and E.
 * The cofactors themselves for k = 0. All are n×n and row-major. */
bool cofactor_along(const double *a, const double *along, int64_t step, int k, int64_t n,
                    double *out, Error *err);

#endif

/* The matrix product: our own blocked kernel in compiler vector extensions, with one fixed
 * summation order, so the bits do not depend on strides, SIMD width or threads. Strides are folded
 * into packing: a transposed operand costs no copy. */
#ifndef ARRAY_LINALG_MATMUL_H
#define ARRAY_LINALG_MATMUL_H

#include "array/array.h"

/* NumPy's matmul for ranks 1 and up, batched and broadcast over leading axes. Float with Float; Int
 * with Int (checked); the caller converts mixed ones. ERR_SHAPE: "matrix product of 4×5 and 6×3:
 * inner sizes 5 and 6 differ". */
Array *matmul_run(const Array *a, const Array *b, Error *err);
/* The shape of the product, or the same error. */
bool matmul_shape(const Shape *a, const Shape *b, Shape *out, Error *err);

/* c += a·b, with the bits of adding the finished product, where a and b are matrices of Floats that
 * need no packing and c is a contiguous, writable matrix of their product's shape. False, with
 * nothing done, where they are not. */
bool matmul_add_into(Array *c, const Array *a, const Array *b);

#endif

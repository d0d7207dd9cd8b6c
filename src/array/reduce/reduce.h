/* Reductions. axes is a bit mask of the axes that are reduced (bit 0: axis 0). Sums run in one
 * fixed blocked pairwise order, so the result has the same bits for any strides, SIMD width or
 * number of threads: it depends on the shape alone. */
#ifndef ARRAY_REDUCE_REDUCE_H
#define ARRAY_REDUCE_REDUCE_H

#include "array/array.h"

typedef enum { RD_SUM, RD_PROD, RD_MAX, RD_MIN, RD_ANY, RD_ALL } Reduction;

/* Sum and prod of Ints are Int (checked), of Bools Int; of nothing 0 and 1. max and min keep the
 * type, NaN wins, of nothing ERR_VALUE. any and all take anything (non-zero is true) and give Bool.
 */
Array *reduce_run(Reduction f, Array *a, unsigned axes, bool keepdims, Error *err);
/* Sum of Ints or Floats as Float: for mean. */
Array *reduce_sum_float(Array *a, unsigned axes, bool keepdims, Error *err);
/* Index (Int) of the first maximum (the first NaN if there is one) or minimum along axis; of
 * nothing ERR_VALUE. */
Array *reduce_arg(bool want_max, Array *a, int axis, Error *err);

/* Running sum or product along axis; Int stays Int (checked). */
Array *scan_sum(Array *a, int axis, Error *err);
Array *scan_prod(Array *a, int axis, Error *err);
/* h[k] = b[k] + a[k] * h[k − 1] along axis, h[−1] = 0; Floats of equal shapes; backwards runs from
 * the end (h[k + 1]). zero_product: 0 times non-finite counts as 0. */
Array *scan_linear(const Array *a, const Array *b, int axis, bool backwards, Error *err);

#endif

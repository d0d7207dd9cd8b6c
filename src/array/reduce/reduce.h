/* Reductions. axes is a bit mask of the axes that are reduced (bit 0: axis 0). Sums run in one
 * fixed blocked pairwise order, so the result has the same bits for any strides, SIMD width or
 * number of threads: it depends on the shape alone. */
#ifndef ARRAY_REDUCE_REDUCE_H
#define ARRAY_REDUCE_REDUCE_H

#include "array/array.h"

typedef enum {
    RD_SUM,
    RD_PROD,
    RD_MAX,
    RD_MIN,
    RD_ANY,
    RD_ALL,
    RD_SQUARES, /* their sum; of Floats */
    RD_ARGMAX,  /* these along a single axis */
    RD_ARGMIN,
} Reduction;

/* Sum and prod of Ints are Int (checked), of Bools Int; of nothing 0 and 1. max and min keep the
 * type, NaN wins, −0 < +0, of nothing ERR_VALUE. any and all take anything (non-zero is true) and
 * give Bool. argmax and argmin give the index (Int) of the first extreme, or of the first NaN if there is one;
 * of nothing ERR_VALUE. */
Array *reduce_run(Reduction f, Array *a, unsigned axes, bool keepdims, Error *err);

/* Of Floats: their mean, which lies within them; the root of the sum of their squares; the root of
 * the mean of their squares, and that mean. Only a result that is too large or too small over- or
 * underflows. Means of nothing are NaN. */
typedef enum { MOMENT_MEAN, MOMENT_NORM, MOMENT_RMS, MOMENT_MEAN_SQUARE } Moment;
Array *reduce_moment(Moment f, Array *a, unsigned axes, bool keepdims, Error *err);
/* The powers of two by which the elements behind each result have to be multiplied to be near 1, with
 * the reduced axes kept; 1 for zeros and for what is not finite. */
Array *reduce_scales(Array *a, unsigned axes, Error *err);

/* v where x is best, shared evenly among the ties along the axes, else 0: Floats of x's shape; v and
 * best are of a reduction's shape, with or without the axes. */
Array *reduce_share(Array *v, Array *x, Array *best, unsigned axes, Error *err);
/* e to the x − y, Floats that broadcast; 1 where both are equal, be they infinite. */
Array *reduce_exp_minus(Array *x, Array *y, Error *err);
/* v times e to what rounding has taken off x − y: makes v as exact as if nothing had been. */
Array *reduce_exp_rest(Array *v, Array *x, Array *y, Error *err);

/* Along axis, from its start or its end: running sums or products (of Ints checked Ints), or of Floats
 * of one shape h[k] = term[k] + x[k] h[k − 1], which starts from h[−1] = 0 and takes 0 times
 * non-finite as 0. term is NULL for the others. */
typedef enum { SCAN_SUM, SCAN_PROD, SCAN_LINEAR } Scan;
Array *scan_run(Scan f, Array *x, const Array *term, int axis, bool backwards, Error *err);
/* by times the product of all other elements along axis, without division; of Floats. by has a's
 * shape with one element along axis, or is one number; 0 times non-finite is 0. */
Array *scan_others(Array *a, Array *by, int axis, Error *err);

#endif

/* Sorting: stable, NaN last. */
#ifndef ARRAY_SORT_H
#define ARRAY_SORT_H

#include "array/array.h"

/* ---- elements as Ints in the order of sorting: −0.0 equals 0.0, NaN comes after everything ---- */

static inline int64_t order_key(const Array *a, int64_t offset)
{
    if (a->dtype == DT_INT) return array_ints(a)[offset];
    if (a->dtype == DT_BOOL) return array_bools(a)[offset];
    double x = array_floats(a)[offset] + 0.0; /* −0.0 becomes 0.0 */
    int64_t bits;
    if (x != x) return INT64_MAX;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

/* ---- sorting ---- */

/* The positions (Int, along axis) that sort a along axis. */
Array *sort_positions(Array *a, int axis, Error *err);
/* For each element of v the first position in the sorted rank-1 a at which it could be inserted
 * (right: the last). */
Array *sort_search(Array *a, Array *v, bool right, Error *err);

#endif

/* Elements as Ints in the order of sorting: −0.0 equals 0.0, NaN comes after everything. */
#ifndef ARRAY_ORDER_KEY_H
#define ARRAY_ORDER_KEY_H

#include <stdint.h>
#include <string.h>

#include "array/array.h"

static inline int64_t order_key_float(double x)
{
    int64_t bits;
    if (x != x) return INT64_MAX;
    x += 0.0; /* −0.0 becomes 0.0 */
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

static inline int64_t order_key(const Array *a, int64_t offset)
{
    if (a->dtype == DT_FLOAT) return order_key_float(array_floats(a)[offset]);
    return a->dtype == DT_INT ? array_ints(a)[offset] : array_bools(a)[offset];
}

#endif

/* Sorting: stable, NaN last. */
#ifndef ARRAY_SORT_H
#define ARRAY_SORT_H

#include "array/array.h"

/* The positions (Int, along axis) that sort a along axis. */
Array *sort_positions(Array *a, int axis, Error *err);
/* For each element of v the first position in the sorted rank-1 a at which it could be inserted
 * (right: the last). */
Array *sort_search(Array *a, Array *v, bool right, Error *err);

#endif

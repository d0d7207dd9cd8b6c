/* Walking several operands of one shape in row-major order, a run at a time.
 *
 * Axes that lie one behind the other in every operand are joined first, so that contiguous operands
 * of any rank are a single run and kernels only ever see a length and a step per operand. */
#ifndef ARRAY_WALK_H
#define ARRAY_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"

enum { WALK_OPERANDS = 24 };

typedef struct {
    int rank; /* of the axes around the runs */
    int operands;
    int64_t run;                   /* elements of a run */
    int64_t step[WALK_OPERANDS];   /* along a run, in elements */
    int64_t offset[WALK_OPERANDS]; /* of the current run's first element */
    int64_t dim[MAX_RANK], index[MAX_RANK];
    int64_t stride[WALK_OPERANDS][MAX_RANK];
} Walk;

/* False when there is nothing to walk. stride[o] holds operand o's strides along dim. */
bool walk_start(Walk *w, int rank, const int64_t *dim, int operands, const int64_t *const *stride);
/* To the next run; false at the end. */
bool walk_next(Walk *w);
/* Fills out (of s->rank) with a's strides when broadcast to s, to which it must broadcast. */
void walk_broadcast(const Array *a, const Shape *s, int64_t *out);

/* Rows of elements in memory. */
typedef struct {
    void *data;
    DType type;
    int64_t step, next; /* from one element of a row to the next, and from row to row */
} Grid;

/* Copies rows of n elements, converted to dst's type, to which src's must promote. */
void grid_copy(const Grid *dst, const Grid *src, int64_t rows, int64_t n);

/* The address of the element at offset from a's first; of an empty array, whose data may be NULL,
 * any. */
static inline void *array_element(const Array *a, int64_t offset)
{
    if (a->size == 0) return a->data;
    return (char *)a->data + offset * (int64_t)dtype_size(a->dtype);
}

#endif

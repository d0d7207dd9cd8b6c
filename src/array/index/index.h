/* Indexing: what X[…] selects, worked out once, then read, written and added into.
 *
 * A Selection is bound to the shape of the array it was made for. A basic one (numbers, slices, new
 * axes) describes a strided region; one with index arrays holds row-major flat positions, those of
 * groups and those within a group; a mask over all axes is kept as it is. */
#ifndef ARRAY_INDEX_INDEX_H
#define ARRAY_INDEX_INDEX_H

#include "array/array.h"

typedef enum {
    INDEX_AT,       /* one position; the axis goes away */
    INDEX_SLICE,    /* start : stop : step, each may be absent */
    INDEX_NEW_AXIS, /* none */
    INDEX_REST,     /* ... */
    INDEX_ARRAY,    /* Int array: gather; Bool array: mask over as many axes as it has */
} IndexTermKind;

typedef struct {
    IndexTermKind kind;
    bool has_start, has_stop, has_step;
    int64_t start, stop, step; /* INDEX_AT uses start */
    Array *array;              /* borrowed */
} IndexTerm;

typedef struct Selection {
    Obj head;
    Shape source; /* the shape it was made for */
    Shape shape;  /* of what it selects */
    bool is_gather;
    /* basic: the element at out index (i0, i1, …) is at source index start[a] + Σ over out axes k
     * with axis[k] == a of i_k * step[k] */
    int64_t start[MAX_RANK];
    int8_t axis[MAX_RANK]; /* source axis of each out axis, −1 for a new one */
    int64_t step[MAX_RANK];
    /* gather: the result is groups of `group` elements; element j of group i is at flat position
     * outer[i] + inner[j], without inner at outer[i] + j. outer and inner tell every pair apart. */
    int64_t group;
    Array *outer, *inner;
    Array *
        mask; /* instead of both, or besides them: contiguous, of source's shape; where it is true */
} Selection;

bool index_out_of_range(const Shape *source, int axis, int64_t index, Error *err);
/* index counted from the start of axis, or ERR_INDEX. */
static inline bool index_position(const Shape *source, int axis, int64_t index, int64_t *position,
                                  Error *err)
{
    int64_t dim = source->dim[axis];
    *position = index < 0 ? index + dim : index;
    return (*position >= 0 && *position < dim) || index_out_of_range(source, axis, index, err);
}
/* What a slice takes of dim elements, by Python's rule: what is out of range is clamped. start and
 * step are safe to multiply by strides even when that is nothing. ERR_INDEX when the step is 0. */
bool index_slice(int64_t dim, const IndexTerm *slice, int64_t *start, int64_t *step, int64_t *len,
                 Error *err);
/* Axes that no term names are selected whole. Fails with ERR_INDEX: "index 7 is out of range for axis 0 of a 4×5 array (valid: -4 to 3)", "too
 * many indexes …", "a slice's step must not be 0", shapes of index arrays or mask that do not fit.
 */
Selection *selection_new(const Shape *source, const IndexTerm *term, int n, Error *err);
Selection *selection_retain(Selection *s);
void selection_release(Selection *s);

/* A view for a basic selection, a copy for a gather. Rank 0 results are arrays of rank 0. */
Array *selection_read(Array *a, const Selection *s, Error *err);
/* Writes v (broadcast to s->shape, converted to *a's type, which must be able to hold it) into *a,
 * after array_unshare. With repeated positions the last one wins. On failure *a is unchanged. */
bool selection_write(Array **a, const Selection *s, const Array *v, Error *err);
/* Adds v; repeated positions count every time. */
bool selection_add(Array **a, const Selection *s, const Array *v, Error *err);
/* For a gather with repeated positions: a Bool array of s->shape, true where a write would survive
 * (the last of each position). NULL and no error when all survive. */
Array *selection_winners(const Selection *s, Error *err);

#endif

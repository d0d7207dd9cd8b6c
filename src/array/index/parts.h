/* What the files of indexing share: index.c works out positions and slices, gather.c what
 * index arrays and masks select, flat_indices.c reads that, write.c stores. */
#ifndef ARRAY_INDEX_PARTS_H
#define ARRAY_INDEX_PARTS_H

#include "array/index/index.h"

/* "a 4×5 array", "an array of length 4", "a number"; lives as long as shape_text's result. */
const char *index_source_text(const Shape *source);
/* Python's rule: what is out of range is clamped. start and step are safe to multiply by strides
 * even when the slice is empty. */
bool index_slice(int64_t dim, const IndexTerm *term, int64_t *start, int64_t *step, int64_t *len,
                 Error *err);

/* One that selects nothing yet. */
Selection *selection_start(const Shape *source);

/* Turns a header of s->source's shape into one of the region that the basic selection s describes.
 */
void index_narrow(Array *a, const Selection *s);

/* For terms with at least one INDEX_ARRAY; rest is the number of axes that INDEX_REST (or what
 * follows the last term) stands for. */
Selection *gather_new(const Shape *source, const IndexTerm *term, int n, int rest, Error *err);
Array *gather_read(Array *a, const Selection *s, Error *err);

/* Where a gather's elements are, as plain numbers. */
typedef struct {
    int64_t groups, n; /* of n elements each */
    const int64_t *outer, *inner;
    Array *made; /* of a mask, for as long as the places are open */
} FlatIndices;

/* The true places of a contiguous mask, times stride. */
Array *places_of_mask(const Array *mask, int64_t stride, Error *err);
bool places_open(FlatIndices *p, const Selection *s, Error *err);
void places_close(FlatIndices *p);

static inline int64_t place_in_group(const FlatIndices *p, int64_t i, int64_t j)
{
    return p->outer[i] + (p->inner ? p->inner[j] : j);
}
/* Of element k of the result. */
static inline int64_t place_at(const FlatIndices *p, int64_t k)
{
    return p->groups == 1 ? place_in_group(p, 0, k) : place_in_group(p, k / p->n, k % p->n);
}

#endif

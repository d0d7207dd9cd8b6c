/* What the files of indexing share: index.c works out positions and slices, gather.c what
 * index arrays and masks select, flat_indices.c reads that, write.c stores. */
#ifndef ARRAY_INDEX_PARTS_H
#define ARRAY_INDEX_PARTS_H

#include "array/index/index.h"

/* "a 4×5 array", "an array of length 4", "a number"; lives as long as shape_text's result. */
const char *index_source_text(const Shape *source);
/* Fails when a result would have more axes than there may be. */
bool index_rank_fits(int rank, Error *err);
/* How many axes of the source a term names; rest: those that INDEX_REST stands for. */
static inline int index_axes(const IndexTerm *term, int rest)
{
    switch (term->kind) {
    case INDEX_NEW_AXIS: return 0;
    case INDEX_REST: return rest;
    case INDEX_ARRAY: return term->array->dtype == DT_BOOL ? term->array->rank : 1;
    default: return 1;
    }
}

/* The index arrays of a selection on its way. */
typedef struct {
    int64_t stride[MAX_RANK]; /* of the source in row-major order */
    Array *offsets;           /* flat ones in the source, of all index arrays together; owned */
    int first; /* the axis of the result at which their axes begin; −1: not yet met */
} Gather;

/* Adds the terms to an empty selection; rest as above. g is NULL if there are no index arrays; else
 * their axes are among the result's, as if they were new ones. */
bool selection_add_terms(Selection *s, Gather *g, const IndexTerm *term, int n, int rest,
                         Error *err);
/* Makes s of terms with at least one INDEX_ARRAY; the others keep `kept` axes. */
bool gather_fill(Selection *s, const IndexTerm *term, int n, int rest, int kept, Error *err);
/* The true places of a contiguous mask, times stride. */
Array *places_of_mask(const Array *mask, int64_t stride, Error *err);

/* Makes out, a copy of a's header, one of the region of a that the basic selection s describes. */
void index_narrow(Array *out, const Array *a, const Selection *s);

Array *gather_read(Array *a, const Selection *s, Error *err);

/* Sees to it that a gather has outer and inner: of a mask they are made when they are first wanted. */
bool gather_locate(const Selection *s, Error *err);

/* The flat position of element j of group i. */
static inline int64_t gather_position(const Selection *s, int64_t i, int64_t j)
{
    return array_ints(s->outer)[i] + (s->inner ? array_ints(s->inner)[j] : j);
}

#endif

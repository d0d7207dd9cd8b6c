/* What the files of indexing share: index.c works out positions and slices, gather.c what
 * index arrays and masks select, flat_indices.c reads that, write.c stores. */
#ifndef ARRAY_INDEX_PARTS_H
#define ARRAY_INDEX_PARTS_H

#include "array/index/index.h"

/* "a 4×5 array", "an array of length 4", "a number"; lives as long as shape_text's result. */
const char *index_source_text(const Shape *source);
/* The index arrays of a selection on its way. */
typedef struct {
    int64_t stride[MAX_RANK];     /* of the source in row-major order */
    Array *offsets[MAX_RANK + 1]; /* flat ones in the source, n of them; owned */
    int n;
    Shape shape;  /* theirs, broadcast */
    int first;    /* the axis of the result at which their axes begin */
    bool entered; /* a position or an index array was met */
} Gather;

/* Adds the terms to an empty selection; rest is the number of axes that INDEX_REST stands for. g is
 * NULL if there are no index arrays; else its arrays are added, and s becomes what is kept beside
 * them. */
bool selection_add_terms(Selection *s, Gather *g, const IndexTerm *term, int n, int rest,
                         Error *err);
/* Positions and index arrays must stand together: for both, whether this one does. */
bool gather_enter(Gather *g, const Selection *s, Error *err);
/* Adds an index array or a mask for the source's axes from axis on. */
bool gather_add(Gather *g, const Selection *s, Array *index, int axis, Error *err);
/* Makes s of terms with at least one INDEX_ARRAY. */
bool gather_fill(Selection *s, const IndexTerm *term, int n, int rest, Error *err);

/* Makes out, a copy of a's header, one of the region of a that the basic selection s describes. */
void index_narrow(Array *out, const Array *a, const Selection *s);

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

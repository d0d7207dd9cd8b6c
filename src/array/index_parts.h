/* What the files of indexing share: index.c works out positions and slices, index_gather.c what
 * index arrays and masks select, index_write.c stores. */
#ifndef ARRAY_INDEX_PARTS_H
#define ARRAY_INDEX_PARTS_H

#include "array/index.h"

/* "a 4×5 array", "an array of length 4", "a number"; lives as long as shape_text's result. */
const char *index_source_text(const Shape *source);
/* Python's rule: what is out of range is clamped. start and step are safe to multiply by strides
 * even when the slice is empty. */
bool index_slice(int64_t dim, const IndexTerm *term, int64_t *start, int64_t *step, int64_t *len,
                 Error *err);

/* Turns a header of s->source's shape into one of the region that the basic selection s describes.
 */
void index_narrow(Array *a, const Selection *s);

/* For terms with at least one INDEX_ARRAY; rest is the number of axes that INDEX_REST (or what
 * follows the last term) stands for. */
Selection *gather_new(const Shape *source, const IndexTerm *term, int n, int rest, Error *err);
Array *gather_read(Array *a, const Selection *s, Error *err);

#endif

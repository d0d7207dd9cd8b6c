/* What the files of reductions share. A reduction goes tile by tile over the result: some
 * neighbouring elements of it (columns) are worked out together from the elements of the reduced
 * axes (rows), which come in row-major order. */
#ifndef ARRAY_REDUCE_PARTS_H
#define ARRAY_REDUCE_PARTS_H

#include "array/reduce/reduce.h"
#include "array/simd/simd.h"
#include "array/walk.h"

enum {
    TILE_WIDTH = 512,
    APART_WIDTH = 128,       /* of columns with gaps, whose rows share cache lines */
    FEW_ROWS = 16,           /* columns of fewer are taken together, wherever they lie */
    FEW_OF_A_RUN = 4,        /* the same for extremes of elements side by side */
    ROWS_AT_ONCE = 128,      /* the longest leaf of the summation order */
    POLL_ELEMENTS = 1 << 20, /* work between looks at the interrupt flag */
};

/* The reduced axes, walked again and again. */
typedef struct {
    Walk axes;
    int64_t at; /* within the run */
    int64_t n;  /* rows in all; at least 1 */
} Rows;

typedef struct {
    Reduction f;
    const Array *a;
    Rows rows;
    int64_t first; /* offset of the first column */
    int64_t step;  /* from column to column */
    int width;     /* 1 to TILE_WIDTH columns */
} Tile;

/* The next run of at most n rows: gives their number and the offset of the first (they are
 * rows->axes.step[0] apart). After the last row the first one comes again. */
int64_t rows_take(Rows *rows, int64_t n, int64_t *first);
/* The offsets of the next n rows. */
void rows_next(Rows *rows, int64_t n, int64_t *offset);

/* Copies n ≤ TILE_WIDTH elements of a from offset on, step apart, into room as t: Bools may be wanted as
 * Ints, all as Bools. */
const void *reduce_copy(const Array *a, DType t, int64_t offset, int64_t step, int64_t n,
                        void *room);
/* The same elements where they are, if they are a run of that type (then n may be any), else in room. */
static inline const void *reduce_load(const Array *a, DType t, int64_t offset, int64_t step,
                                      int64_t n, void *room)
{
    bool there = a->dtype == t && step == 1;
    return there ? array_element(a, offset) : reduce_copy(a, t, offset, step, n, room);
}

/* Adds work to *since; from POLL_ELEMENTS on it looks for an interrupt and starts anew. */
bool reduce_poll(int64_t *since, int64_t work, Error *err);

/* The tiles of a reduction into out, from position on. */
bool reduce_ordered_tile(Tile *t, double *out, Error *err); /* of Floats, in the fixed order */
bool reduce_unordered_tile(Tile *t, Array *out, int64_t position, Error *err);
void reduce_arg_tile(const Tile *t, int64_t *out);

#endif

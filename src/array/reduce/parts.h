/* What the files of reductions share. A reduction goes tile by tile over the result: some
 * neighbouring elements of it (columns) are worked out together from the elements of the reduced
 * axes (rows), which come in row-major order. */
#ifndef ARRAY_REDUCE_PARTS_H
#define ARRAY_REDUCE_PARTS_H

#include "array/reduce/reduce.h"
#include "array/walk.h"

enum {
    TILE_WIDTH = 512,
    APART_WIDTH = 128,       /* of columns with gaps, whose rows share cache lines */
    FEW_ROWS = 16,           /* columns of fewer are taken together, wherever they lie */
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
    bool as_float; /* the sum of Ints is wanted as a Float */
} Tile;

/* The next run of at most n rows: gives their number and the offset of the first (they are
 * rows->axes.step[0] apart). After the last row the first one comes again. */
int64_t rows_take(Rows *rows, int64_t n, int64_t *first);
/* The offsets of the next n rows. */
void rows_next(Rows *rows, int64_t n, int64_t *offset);

/* Folds a run of n ≥ 1 in the fixed order. */
double reduce_float_run(Reduction f, const double *x, int64_t n);
/* The parts of that order: a leaf of n ≤ ROWS_AT_ONCE, and where a longer run is split. */
double reduce_float_leaf(Reduction f, const double *x, int64_t n);
int64_t reduce_first_half(int64_t n);
/* RD_MAX or RD_MIN with the bits of the fixed order: of a run; of all elements of a in the order in
 * which they lie, or false when the order decides the bits. */
double reduce_extreme_run(Reduction f, const double *x, int64_t n);
bool reduce_extreme_all(Reduction f, const Array *a, double *out);
/* RD_SUM, RD_PROD, RD_MAX or RD_MIN of Floats into out[0 … width). */
bool reduce_float_tile(Tile *t, double *out, Error *err);
/* RD_ANY or RD_ALL of anything into out[0 … width). */
bool reduce_truth_tile(Tile *t, bool *out, Error *err);
/* Every other reduction, into out from position on. */
bool reduce_int_tile(Tile *t, Array *out, int64_t position, Error *err);

#endif

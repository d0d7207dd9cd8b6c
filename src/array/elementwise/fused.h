/* Elementwise expressions in one pass over arrays: a tile program (array/elementwise/tile.h) over leaves that
 * broadcast. No step's result is ever a whole array, and the bits are those of elementwise_run. */
#ifndef ARRAY_ELEMENTWISE_FUSED_H
#define ARRAY_ELEMENTWISE_FUSED_H

#include "array/elementwise/tile.h"

enum {
    FUSED_LEAVES = 10,
    FUSED_STEPS = 16,
    FUSED_LARGE = 2048, /* elements from which on a pass pays */
};

typedef struct FusedProgram {
    int n_leaves, n_steps;
    TileStep step[FUSED_STEPS]; /* Floats to Floats; the last one's result is the program's */
} FusedProgram;

/* Whether every step meets a Float: Ints alone are checked for overflow, one operation after the
 * other, and are not fused. is_float has room for leaves and steps; the caller fills in the leaves.
 */
bool fused_steps_take_floats(const FusedProgram *p, bool *is_float);
/* Whether the leaves can be run in one pass: Floats (a rank-0 Int too, if it meets a Float in its
 * step) whose elements lie one after the other, or repeat, along the last axis. Fills the result's
 * shape. Leaves that do not broadcast say false too: the unfused steps will report them. */
bool fused_fits(const FusedProgram *p, Array *const *leaf, Shape *shape);
/* Whether n leaves of any type that broadcast to shape are what one pass can read. */
bool fused_lies(Array *const *leaf, int n, const Shape *shape);
/* Runs any tile program over leaves (Floats, or Ints of rank 0) that lie well, into contiguous
 * outputs of that shape. err: fails only when interrupted; NULL: interrupts wait. */
bool fused_pass(const TileProgram *program, Array *const *leaf, const Shape *shape,
                Array *const *out, Error *err);
/* The result for leaves that fit. into may be NULL, or one of the leaves that is writable,
 * contiguous and of that shape: then it is overwritten, and given back retained; an interrupt waits
 * until it is whole. */
Array *fused_run(const FusedProgram *p, Array *const *leaf, const Shape *shape, Array *into,
                 Error *err);

#endif

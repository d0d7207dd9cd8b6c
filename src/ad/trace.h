/* Tracing: the elementwise operations that a piece of the program applies, as one tile program.
 *
 * While a trace is open, operations run as always, on arrays of one element each; those on plain
 * values are noted, with what they read. Whatever differentiates by rules can so be turned into one
 * pass over large arrays, without a second set of rules. Private to this floor. */
#ifndef AD_TRACE_H
#define AD_TRACE_H

#include "ad/ad.h"
#include "array/elementwise/tile.h"

typedef struct Trace {
    int n_inputs, n_constants, n_steps;
    int given_step, given_input; /* a step whose result is that input; input 0: none */
    TileStep step[TILE_STEPS];   /* operands: inputs, constants, steps, numbered as trace.c does */
    double constant[TILE_LEAVES];
    Array *input[TILE_LEAVES]; /* what stands for the inputs; owned */
    Array *made[TILE_STEPS];   /* what the steps gave; owned */
    bool failed;               /* something was done that is no elementwise step */
} Trace;

/* A value that stands for input i; an array of one element of that type. Unset when memory is short. */
Value trace_input(Trace *t, int i, DType type, Error *err);
/* op on plain operands, noted. As op_eval. */
bool trace_op(Trace *t, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out,
              Error *err);
/* Which step (or input) gave an array, as a number for tile_compile with n_inputs + n_constants
 * leaves; −1: none. */
int trace_value(const Trace *t, Value v);
/* The steps with operands numbered that way. */
void trace_number(Trace *t);
void trace_free(Trace *t);

#endif

/* The cotangents of an elementwise program's leaves as a tile program, for one step and for sixteen
 * alike. Private to this floor.
 *
 * It is made by running the rules of the program's steps on arrays of one element each, while the
 * elementwise operations that they apply to plain values are noted, with what they read: a trace.
 * What differentiates by rules is so turned into one pass over large arrays, without a second set
 * of rules. */
#ifndef AD_ELEMENTWISE_GRADIENT_H
#define AD_ELEMENTWISE_GRADIENT_H

#include "ad/ad.h"
#include "array/elementwise/tile.h"

/* It reads the program's leaves, the result's cotangent, the result, what is there already of the
 * cotangents in added, and constants (program->reads tells which of them); it gives the cotangents of the
 * wanted leaves, in their order. */
typedef struct ElementwiseGradient {
    struct ElementwiseGradient *next; /* of the same program */
    unsigned wanted, added;           /* bit i: leaf i */
    bool passes_through;              /* a leaf's cotangent is the result's own */
    int n_constants;
    double constant[TILE_LEAVES];
    TileProgram *program; /* NULL: the rules do more than elementwise steps */
} ElementwiseGradient;

/* Made once and kept with p. NULL where that is not possible, and on failure (err is set). */
const ElementwiseGradient *elementwise_gradient(Ad *ad, TileProgram *p, unsigned wanted,
                                                unsigned added);
/* Frees a program and what is kept with it. Accepts NULL. */
void elementwise_program_free(TileProgram *p);

/* op on plain operands while a trace is open (ad->trace), noted. As op_eval. */
bool trace_op(struct Trace *t, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out,
              Error *err);

#endif

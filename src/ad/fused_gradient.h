/* The cotangents of a fused expression's leaves as a tile program. Private to this floor. */
#ifndef AD_FUSED_GRADIENT_H
#define AD_FUSED_GRADIENT_H

#include "ad/ad.h"
#include "array/elementwise/fused.h"

/* It reads the expression's leaves, the result's cotangent, the result itself, what is there
 * already of the cotangents in added, and constants (program.reads tells which of them); it gives
 * the cotangents of the wanted leaves, in their order. */
typedef struct FusedGradient {
    struct FusedGradient *next;
    FusedProgram of;
    unsigned wanted, added; /* bit i: leaf i */
    bool is_possible;       /* the rules did nothing but elementwise steps */
    bool is_arithmetic;     /* tile_run_few has its steps */
    bool passes_through;    /* a leaf's cotangent is the result's own */
    int n_constants;
    double constant[TILE_LEAVES];
    TileProgram program;
} FusedGradient;

/* Made once by running the expression's rules on single elements; kept by ad. NULL where that is
 * not possible, and on failure (err is set). */
const FusedGradient *fused_gradient(Ad *ad, const FusedProgram *p, unsigned wanted, unsigned added);
/* The same for one operation on x and y (or x alone: n = 1). */
const FusedGradient *operation_gradient(Ad *ad, Elementwise f, int n, unsigned wanted,
                                        unsigned added);
static inline bool fused_reads_result(const FusedGradient *f)
{
    return f->program.reads[f->of.n_leaves + 1];
}
void fused_gradients_free(Ad *ad);
/* The wanted leaves' cotangents (owned; the others stay unset), given the result's: the unfused
 * steps are recorded on a level of their own and swept. Each begins as its initial one, where that
 * is set, so that everything is added up in the order of the unfused steps. */
bool fused_replay(Ad *ad, const FusedProgram *p, const Value *leaf, unsigned wanted,
                  const Value *initial, Value cotangent, Value *given);

#endif

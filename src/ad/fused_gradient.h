/* The cotangents of a fused expression's leaves as a tile program. Private to this floor. */
#ifndef AD_FUSED_GRADIENT_H
#define AD_FUSED_GRADIENT_H

#include "ad/ad.h"
#include "array/fused.h"

/* It reads the expression's leaves, the result's cotangent, the result itself and constants
 * (program.reads tells which of them); it gives the cotangents of the wanted leaves, in their
 * order.
 */
typedef struct FusedGradient {
    struct FusedGradient *next;
    FusedProgram of;
    unsigned wanted;  /* bit i: leaf i */
    bool is_possible; /* the rules did nothing but elementwise steps */
    bool hands_on;    /* a leaf's cotangent is the result's own */
    int n_constants;
    double constant[TILE_LEAVES];
    TileProgram program;
} FusedGradient;

/* Made once by running the expression's rules on single elements; kept by ad. NULL where that is
 * not possible, and on failure (err is set). */
const FusedGradient *fused_gradient(Ad *ad, const FusedProgram *p, unsigned wanted);
static inline bool fused_reads_result(const FusedGradient *f)
{
    return f->program.reads[f->of.n_leaves + 1];
}
void fused_gradients_free(Ad *ad);
/* The leaves' cotangents (owned; unset where not wanted), given the result's: the unfused steps are
 * recorded on a level of their own and swept. */
bool fused_replay(Ad *ad, const FusedProgram *p, const Value *leaf, unsigned wanted,
                  Value cotangent, Value *given);

#endif

/* Elementwise expressions in one pass, plain or tracked. */
#ifndef AD_FUSED_H
#define AD_FUSED_H

#include "ad/ad.h"
#include "array/elementwise/fused.h"

/* Whether op_apply of OP_FUSED serves these leaves: they fit (array/elementwise/fused.h), and what is tracked
 * has the result's own shape, so that its cotangent is not a sum whose order would change, and is
 * tracked by one level alone, so that no other level sees the steps done a second time. */
bool fused_can_apply(const Ad *ad, const FusedProgram *p, const Value *leaf);
/* The same program step by step: any operands, any errors. */
bool fused_run_steps(Ad *ad, const FusedProgram *p, const Value *leaf, Value *out);

#endif

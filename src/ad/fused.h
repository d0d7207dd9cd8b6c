/* Elementwise expressions in one pass (OP_FUSED, whose attr->program says what is computed). Private to
 * ad/ but for fused_can_apply and fused_run_steps. */
#ifndef AD_FUSED_H
#define AD_FUSED_H

#include "ad/ad.h"
#include "array/elementwise/elementwise.h"

enum { FUSED_LEAVES = 10, FUSED_STEPS = 16 };

/* Whether op_apply of OP_FUSED gives what the steps would: the leaves broadcast, every step meets a
 * Float, and what is tracked has the result's own shape, so that its cotangent is not a sum whose order
 * would change, and is tracked by one level alone, so that no other level sees the steps done a second
 * time. */
bool fused_can_apply(const Ad *ad, const TileProgram *p, const Value *leaf);
/* The same program step by step: any operands, any errors. */
bool fused_run_steps(Ad *ad, const TileProgram *p, const Value *leaf, Value *out);
/* What the derivative reads when the leaves in the set tracked are: SAVE_ bits. */
unsigned fused_saves(const TileProgram *p, unsigned tracked);
/* The cotangents of leaves, given the result's: the steps are recorded on a level of their own and
 * swept. *place[i], what is there of leaf i's, is replaced by the whole (owned), added up in the
 * order of the steps done one by one; place[i] is NULL for a leaf that wants none. */
bool fused_replay(Ad *ad, const TileProgram *p, const Value *leaf, Value cotangent,
                  Value *const *place);

#endif

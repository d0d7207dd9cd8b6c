/* Large elementwise expressions run in one pass: recognising them. */
#ifndef EVAL_FUSE_H
#define EVAL_FUSE_H

#include "ad/fused.h"
#include "eval/walk.h"

/* What is known of one expression; in its module's arena. */
struct FusedPlan {
    FusedProgram program;
    const Ast *leaf[FUSED_LEAVES];
    const Ast *step_node[FUSED_STEPS]; /* for messages */
    int misses;                        /* looks that found no large array */
    bool is_idle;                      /* too many of them: it is not asked again */
    int numbers; /* how often the expression may still turn out not to be one of plain Floats */
};

/* Tries e, an operator or a call. Fuses when it has several elementwise steps, one of its variables
 * holds a large array, and the values that its leaves turn out to have allow it; *done tells
 * whether *out (or the error) is the expression's. */
bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done);
/* Runs the steps on numbers, when every leaf is a constant or a variable that holds a plain Float;
 * false, with nothing done, when not. The same operations in the same order: the same bits. */
bool fuse_numbers(const Frame *f, struct FusedPlan *plan, Value *out);

/* Whether it is worth asking. Cheap, for it is asked at every operator. */
static inline bool fuse_may(const Ast *e)
{
    return !e->plan || (e->plan != PLAN_NONE && !e->plan->is_idle);
}

static inline bool fuse_may_be_numbers(const Ast *e)
{
    return e->plan && e->plan != PLAN_NONE && e->plan->numbers > 0;
}

#endif

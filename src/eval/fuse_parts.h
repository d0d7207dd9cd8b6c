/* What the files of fusing share: fuse_plan.c recognises expressions, fuse_numbers.c runs them on
 * numbers, fuse.c on arrays. */
#ifndef EVAL_FUSE_PARTS_H
#define EVAL_FUSE_PARTS_H

#include "eval/fuse.h"

enum {
    FUSE_MAX_MISSES = 256
}; /* fruitless looks, after which an expression is left alone for good */

/* Makes the plan of an expression that has none yet; PLAN_NONE when there is nothing to fuse. */
FusedPlan *fuse_plan(Frame *f, const Ast *e);
/* Notes what running it on numbers needs; false where it can't be run on numbers. */
bool fuse_prepare_numbers(FusedPlan *plan);

static inline bool fuse_is_variable(const Ast *e)
{
    return e->kind == AST_NAME && e->name.scope != SCOPE_BUILTIN;
}

static inline const Value *fuse_variable(const Frame *f, const FusedVariable *v)
{
    return v->is_global ? &f->module->value[v->slot] : &f->slot[v->slot];
}

#endif

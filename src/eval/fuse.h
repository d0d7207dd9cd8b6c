/* Large elementwise expressions run in one pass: recognising them. */
#ifndef EVAL_FUSE_H
#define EVAL_FUSE_H

#include "eval/walk.h"

/* Tries e, an operator or a call. Fuses when it has several elementwise steps, one of its variables
 * holds a large array, and the values that its leaves turn out to have allow it; *done tells
 * whether *out (or the error) is the expression's. */
bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done);

/* Whether it is worth asking: not known to be without use. Cheap, for it is asked at every
 * operator. */
static inline bool fuse_may(const Ast *e)
{
    return e->plan != PLAN_NONE;
}

#endif

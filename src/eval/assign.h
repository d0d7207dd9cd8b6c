/* Assignment (assign.c). */
#ifndef EVAL_ASSIGN_H
#define EVAL_ASSIGN_H

#include "eval/interp.h"

/* Takes v. */
bool assign_take(Interp *in, Frame *f, const Ast *target, Value v);
bool augment(Interp *in, Frame *f, const Ast *e);

#endif

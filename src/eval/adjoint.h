/* Hand-written adjoints at work. */
#ifndef EVAL_ADJOINT_H
#define EVAL_ADJOINT_H

#include "eval/call.h"

/* Whether a call of fn with these arguments goes through its adjoint: it has one, and something is
 * tracked. *use is false too while fn is the one whose generated derivative is asked for. A
 * function among the arguments that captured something tracked is an error: its derivative would be
 * lost. */
bool adjoint_wanted(Interp *in, const Function *fn, const Call *call, const Value *arg, bool *use);
/* The error of an adjoint that does not return a tuple of n cotangents, or the one that there is for n = 1,
 * but what given describes. */
bool adjoint_wrong_count(Interp *in, const char *function, int n, const char *given);
/* The call. */
bool adjoint_call(Interp *in, Function *fn, const Value *arg, Value *out);

#endif

/* Evaluating expressions (expr.c). */
#ifndef EVAL_EXPRESSION_H
#define EVAL_EXPRESSION_H

#include "eval/builtin.h"

/* The value of an expression, owned. A failure has e's span unless something inside knew better. */
bool eval(Interp *in, Frame *f, const Ast *e, Value *out);
/* The value of an expression without counting where it can be avoided: a variable's slot itself
 * (nothing that an expression can do changes a variable), else *temporary, which the caller clears.
 * NULL on failure. */
const Value *eval_borrow(Interp *in, Frame *f, const Ast *e, Value *temporary);
/* A condition's value; must be a Bool. */
bool eval_condition(Interp *in, Frame *f, const Ast *e, bool *truth);
/* The array of n parts that a literal or a comprehension e has made: numbers or arrays of one
 * shape. */
bool array_of_parts(Interp *in, const Ast *e, const Value *v, int n, Value *out);
/* Sets the span and returns false. */
bool fail_at(Interp *in, const Ast *e);
/* Fails for a variable that is read before it has a value; false. */
bool unset_name(Interp *in, const Module *m, const Ast *e);
/* Fails for a node where the grammar has none of its kind; false. */
bool foreign_node(Interp *in, const Ast *e);

#endif

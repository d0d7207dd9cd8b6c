/* Operators on values (operator.c). */
#ifndef EVAL_OPERATOR_H
#define EVAL_OPERATOR_H

#include "eval/interp.h"

bool eval_binary(Interp *in, Frame *f, const Ast *e, Value *out);
/* The same, whatever the operands are. */
bool eval_general(Interp *in, Frame *f, const Ast *e, Value *out);
bool eval_unary(Interp *in, Frame *f, const Ast *e, Value *out);
/* op a on a value; op is not NOT. */
bool apply_unary(Interp *in, Operator op, Value a, Value *out);
/* The operation of an operator on numbers and arrays, NULL of one that is none (in, not). */
const OpRow *operator_row(Operator op);
/* a op b on values. */
bool apply_operator(Interp *in, Operator op, Value a, Value b, Value *out);
/* The same, where the caller drops a: its memory may become the result's if nobody else holds it.
 */
bool apply_operator_overwriting(Interp *in, Operator op, Value a, Value b, Value *out);
/* Adds "a is Arr 4×5, b is …" to the error. */
void note_operands(Interp *in, const Ast *a, Value va, const Ast *b, Value vb);

#endif

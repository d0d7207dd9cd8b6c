/* Calls: binding arguments to parameters, functions, structs, builtins (call.c, construct.c,
 * builtin.c). */
#ifndef EVAL_CALL_H
#define EVAL_CALL_H

#include "eval/builtin.h"

bool eval_call(Interp *in, Frame *f, const Ast *e, Value *out);
bool eval_function(Interp *in, Frame *f, const FunctionDecl *decl, Value *out);

/* Arguments of one call: positional values, then keyword ones; all owned by whoever holds the Call.
 */
typedef struct {
    Value *value;
    int n, n_positional;
    const Symbol *kw_name; /* n − n_positional of them */
    const Ast *site;       /* or NULL */
} Call;

/* Consumes the call's values. */
bool call_take(Interp *in, Value fn, Call *call, Value *out);
bool call_closure_take(Interp *in, Function *fn, Call *call, Value *out);
bool construct_take(Interp *in, StructType *type, Call *call, Value *out);
bool call_builtin_take(Interp *in, const Builtin *b, Call *call, Value *out);
/* Frees what is left of a call's values. */
void call_free(Call *call);
/* Argument i in the text, and the name of keyword argument k; nowhere without a text. */
Span argument_span(const Call *call, int i);
Span keyword_span(const Call *call, int k);
/* The argument that parameter i got, in the text; nowhere for a default, or without a text. */
Span parameter_span(const Call *call, const Param *param, int i);
/* Spreads a call's values over the callee's parameters (unset where not given): counts, keywords
 * and doubles are checked. */
bool bind_arguments(Interp *in, Call *call, const Callee *callee, Value *slot);
/* Spreads a call's values over a builtin's parameters: counts and keywords are checked. */
bool builtin_bind(Interp *in, const Builtin *b, const Call *call, Args *a);
/* The expression whose value a function, which has just ended, gave; NULL when it came to its end.
 */
const Ast *returned_expression(const Interp *in, const FunctionDecl *decl);
void release_values(Value *v, int n);

#endif

/* What the derivative builtins share. */
#ifndef BUILTINS_DERIVATIVE_H
#define BUILTINS_DERIVATIVE_H

#include "eval/builtin.h"

/* grad(f) alone: the function that takes the rest. */
bool bind_function(Interp *in, const Args *a, Value *out);
/* Argument 0 is a function and argument 1 something to differentiate by. */
bool check_input(Interp *in, const Args *a);
/* f(x, rest…, keywords…) with rest the arguments from first_rest on. */
bool call_with(Interp *in, const Args *a, Value x, int first_rest, Value *out);
/* y is one Float. */
bool check_scalar_result(Interp *in, const Args *a, Value y);
/* The gradient of f by x, where f must return one Float; *value may be NULL. */
bool gradient_of(Interp *in, const Args *a, Value *value, Value *gradient);
/* Functions of the table in derivative.c that live in other files. */
BuiltinFunction vjp_builtin, jvp_builtin, hvp_builtin, jacobian_builtin, hessian_builtin,
    check_grad_builtin, check_adjoint_builtin;

#endif

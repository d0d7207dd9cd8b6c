/* Derivatives of functions. What they do is in ad/; here they are opened around a call and closed
 * again, whatever happens. */
#include <string.h>

#include "builtins/derivative.h"
#include "builtins/topics.h"
#include "value/structure.h"

/* grad(f) alone gives the function that takes the rest. */
bool bind_function(Interp *in, const Args *a, Value *out)
{
    if (!arg_function(in, a, 0)) return false;
    *out = value_fn(function_bound(a->builtin, a->pos[0]));
    return true;
}

/* f(x, rest…) with x replaced. */
bool call_with(Interp *in, const Args *a, Value x, int first_rest, Value *out)
{
    enum { FEW = 16 };
    Value few[FEW];
    int n = a->n - first_rest + 1;
    Value *v = n <= FEW ? few : mem_alloc((size_t)n * sizeof *v);
    v[0] = x;
    memcpy(v + 1, a->pos + first_rest, (size_t)(n - 1) * sizeof *v);
    bool ok = call_value(in, a->pos[0], v, n, a->through_name, a->through, a->n_through, out);
    if (v != few) mem_free(v);
    return ok;
}

bool check_input(Interp *in, const Args *a)
{
    if (!arg_function(in, a, 0)) return false;
    Value x = a->pos[1];
    if (x.kind == VAL_INT || (x.kind == VAL_ARR && x.arr->dtype == DT_INT)) {
        arg_error(in, a, 1, ERR_TYPE, "%s needs Floats to differentiate by, not %s",
                  a->builtin->name, x.kind == VAL_INT ? "an Int" : "an array of Ints");
        if (x.kind == VAL_INT) return error_hint(&in->err, "pass %lld.0", (long long)x.i);
        return error_hint(&in->err, "float(x) makes Floats of them");
    }
    if (x.kind == VAL_BOOL || x.kind == VAL_STR || x.kind == VAL_FN || x.kind == VAL_NONE ||
        x.kind == VAL_MODULE || (x.kind == VAL_ARR && x.arr->dtype == DT_BOOL))
        return arg_error(in, a, 1, ERR_TYPE, "%s needs Floats to differentiate by, not %s",
                         a->builtin->name,
                         x.kind == VAL_ARR ? "an array of Bools" : value_type_name(x));
    return true;
}

/* The function's result must be one Float. */
bool check_scalar_result(Interp *in, const Args *a, Value y)
{
    if (y.kind == VAL_FLOAT) return true;
    StrBuf given = {0};
    value_describe(&given, y);
    arg_error(in, a, 0, ERR_TYPE,
              "%s needs a function that returns one Float; this one returned %s", a->builtin->name,
              strbuf_str(&given));
    strbuf_free(&given);
    if (y.kind == VAL_ARR)
        return error_hint(&in->err, "reduce it with sum(…) or mean(…), or index it");
    if (y.kind == VAL_INT)
        return error_hint(&in->err, "an Int has no derivative; compute with Floats");
    if (y.kind == VAL_NONE)
        return error_hint(&in->err, "it returned nothing: write return before its result");
    return false;
}

/* Between opening and closing of the level: the value as seen from below, and the gradient. */
static bool differentiate(Interp *in, const Args *a, Value *value, Value *gradient)
{
    Ad *ad = &in->ad;
    Value tracked, y;
    if (!ad_track(ad, a->pos[1], &tracked)) return false;
    bool ok = call_with(in, a, tracked, 2, &y);
    if (ok) {
        ok = check_scalar_result(in, a, y) && ad_sweep(ad, y, value_float(1.0)) &&
             ad_gradient(ad, tracked, gradient);
        if (ok)
            *value = ad_peel(ad, y);
        else
            value_release(y);
    }
    value_release(tracked);
    return ok;
}

bool gradient_of(Interp *in, const Args *a, Value *value, Value *gradient)
{
    if (!check_input(in, a) || !ad_open_reverse(&in->ad)) return false;
    bool ok = differentiate(in, a, value, gradient);
    ad_close(&in->ad);
    return ok;
}

static bool value_and_grad_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return bind_function(in, a, out);
    Value value, gradient;
    if (!gradient_of(in, a, &value, &gradient)) return false;
    Tuple *pair = tuple_new(2);
    pair->item[0] = value;
    pair->item[1] = gradient;
    *out = value_tuple(pair);
    return true;
}

static bool grad_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return bind_function(in, a, out);
    Value value;
    return gradient_of(in, a, &value, out);
}

static bool plain_leaf(void *context, const Value *leaf, int n, Value *out)
{
    (void)context, (void)n;
    *out = value_retain(ad_plain(leaf[0]));
    return true;
}

static bool stop_gradient_builtin(Interp *in, const Args *a, Value *out)
{
    if (in->ad.depth > 0) return structure_map_captured(a->pos[0], plain_leaf, NULL, out, &in->err);
    *out = value_retain(a->pos[0]);
    return true;
}

const Builtin builtins_derivative[] = {
    {"value_and_grad", "value_and_grad(f, [x], rest…, keywords…)",
     "Calls f(x, rest…), which must return one Float, and gives (value, gradient with respect to x). x is a Float, an array, or a "
     "struct, tuple or map of these, nested; the gradient has its structure, with none for leaves that are not Float and zeros where f does "
     "not depend on one. rest and keyword arguments are held constant. With f alone it gives the function of x.",
     value_and_grad_builtin},
    {"grad", "grad(f, [x], rest…, keywords…)",
     "The gradient of f(x, rest…) with respect to x, in x's structure, as value_and_grad gives "
     "it: f must return one Float, and x must hold Floats. With f alone it gives the gradient "
     "function, so grad(grad(f))(x) works. `grad(def(x) = x ** 3, 2.0)` is `12.0`.",
     grad_builtin},
    {"vjp", "vjp(f, x, ct, rest…, keywords…)",
     "The vector-Jacobian product: the cotangent of x, in x's structure, given ct, the "
     "cotangent of f(x, rest…), in the structure and the shapes of the result. x may be any "
     "structure. `vjp(def(x) = x * x, [1.0, 2.0], [1.0, 10.0])` is `[2.0, 40.0]`.",
     vjp_builtin},
    {"jvp", "jvp(f, x, dx, rest…, keywords…)",
     "The Jacobian-vector product: the tangent of f(x, rest…), given dx, the tangent of x, in "
     "x's structure and shapes; none in it stands for what does not move. The result has the "
     "structure of f's, with none for leaves that are not Float. `jvp(def(x) = x * x, [1.0, "
     "2.0], [1.0, 0.0])` is `[2.0, 0.0]`.",
     jvp_builtin},
    {"hvp", "hvp(f, x, v, rest…, keywords…)",
     "The Hessian of f, which must return one Float, times v, at the cost of a few gradients. x "
     "may be any structure, v has it too. `hvp(def(x) = sum(x ** 3), [1.0, 2.0], [1.0, 0.0])` "
     "is `[6.0, 0.0]`.",
     hvp_builtin},
    {"jacobian", "jacobian(f, [x], rest…, keywords…)",
     "All partial derivatives of f(x, rest…) with respect to x, both a Float or an array: an "
     "array of shape shape(f(x)) + shape(x). With f alone it gives the function of x. "
     "`shape(jacobian(def(x) = x[:2], [1.0, 2.0, 3.0]))` is `(2, 3)`.",
     jacobian_builtin},
    {"hessian", "hessian(f, [x], rest…, keywords…)",
     "The second derivatives of f, which must return one Float, with respect to x, a Float or "
     "an array: an array of shape shape(x) + shape(x). With f alone it gives the function of x. "
     "`hessian(def(x) = x ** 3, 2.0)` is `12.0`.",
     hessian_builtin},
    {"stop_gradient", "stop_gradient(x)",
     "x as a constant: no derivative flows through it. x may be any structure, or a function: then "
     "what it captured is constant. `grad(def(x) = x * stop_gradient(x), 3.0)` is `3.0`.",
     stop_gradient_builtin},
    {"check_grad", "check_grad(f, x, rest…, keywords…)",
     "Compares the gradient of f, which must return one Float, with central differences of step "
     "cbrt(2^-52) max(1, |x|): the largest gap, relative to max(1, |a|, |b|). About 1e-10 is as "
     "small as a right gradient of a smooth function gets, and a wrong one gives far more: "
     "assert_lt(check_grad(f, x), 1e-7).",
     check_grad_builtin},
    {"check_adjoint", "check_adjoint(f, x, rest…, keywords…)",
     "The largest gap between the hand-written adjoint of f and the generated one at f(x, rest…), "
     "for a seeded random cotangent, relative to max(1, |a|, |b|): a few units in the last place "
     "for a right adjoint. Every positional argument is compared, those given by keyword are held "
     "constant. A function without an adjoint is an error.",
     check_adjoint_builtin},
    {0},
};

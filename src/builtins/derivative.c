/* Derivatives of functions. What they do is in ad/; here they are opened around a call and closed
 * again, whatever happens. */
#include <string.h>

#include "builtins/topics.h"

/* grad(f) alone gives the function that takes the rest. */
static bool bind_function(const Args *a, Value *out)
{
    *out = value_fn(function_bound(a->builtin, a->pos[0]));
    return true;
}

/* f(x, rest…) with x replaced. */
static bool call_with(Interp *in, const Args *a, Value x, int first_rest, Value *out)
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

static bool check_input(Interp *in, const Args *a)
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
        return arg_error(in, a, 1, ERR_TYPE, "%s can't differentiate by %s", a->builtin->name,
                         x.kind == VAL_ARR ? "an array of Bools" : value_type_name(x));
    return true;
}

/* The function's result must be one Float. */
static bool check_result(Interp *in, const Args *a, Value y)
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
    if (y.kind == VAL_NONE) return error_hint(&in->err, "the function returned nothing");
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
        ok = check_result(in, a, y) && ad_sweep(ad, y, value_float(1.0)) &&
             ad_gradient(ad, tracked, gradient);
        if (ok) *value = ad_peel(ad, y);
        else value_release(y);
    }
    value_release(tracked);
    return ok;
}

static bool value_and_gradient(Interp *in, const Args *a, Value *value, Value *gradient)
{
    if (!check_input(in, a) || !ad_open_reverse(&in->ad)) return false;
    bool ok = differentiate(in, a, value, gradient);
    ad_close(&in->ad);
    return ok;
}

static bool value_and_grad_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return arg_function(in, a, 0) && bind_function(a, out);
    Value value, gradient;
    if (!value_and_gradient(in, a, &value, &gradient)) return false;
    Tuple *pair = tuple_new(2);
    pair->item[0] = value;
    pair->item[1] = gradient;
    *out = value_tuple(pair);
    return true;
}

static bool grad_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return arg_function(in, a, 0) && bind_function(a, out);
    Value value;
    return value_and_gradient(in, a, &value, out);
}

const Builtin builtins_derivative[] = {
    {"value_and_grad", "value_and_grad(f, [x], rest…, keywords…)",
     "Calls f(x, rest…), which must return one Float, and gives (value, gradient with respect to x). x is a Float, an array, or a "
     "struct, tuple or map of these, nested; the gradient has its structure, with none for leaves that are not Float and zeros where f does "
     "not depend on one. rest and keyword arguments are held constant. With f alone it gives the function of x.",
     value_and_grad_builtin},
    {"grad", "grad(f, [x], rest…, keywords…)",
     "The gradient of f(x, rest…) with respect to x, as value_and_grad gives it. With f alone it gives the gradient function, so "
     "grad(grad(f))(x) works.",
     grad_builtin},
    {0},
};

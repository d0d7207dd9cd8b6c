/* Products with derivatives, and whole Jacobians and Hessians. */
#include <string.h>

#include "builtins/derivative.h"

/* Argument 2 has not the structure or the shapes of what it goes with. */
static bool misfit(Interp *in, const Args *a, const char *what, const char *of)
{
    if (in->err.kind == ERR_TYPE)
        error_note(&in->err, "the %s must be built like the %s", what, of);
    return arg_failed(in, a, 2);
}

/* ---- vjp ---- */

static bool pull_back(Interp *in, const Args *a, Value *out)
{
    Ad *ad = &in->ad;
    Value tracked, y;
    if (!ad_track(ad, a->pos[1], &tracked)) return false;
    bool ok = call_with(in, a, tracked, 3, &y);
    if (ok) {
        ok = (ad_sweep_part(ad, y, a->pos[2]) || misfit(in, a, "cotangent", "result")) &&
             ad_sweep_run(ad) && ad_gradient(ad, tracked, out);
        value_release(y);
    }
    value_release(tracked);
    return ok;
}

bool vjp_builtin(Interp *in, const Args *a, Value *out)
{
    if (!check_input(in, a) || !ad_open_reverse(&in->ad)) return false;
    bool ok = pull_back(in, a, out);
    ad_close(&in->ad);
    return ok;
}

/* ---- jvp ---- */

static bool push_forward(Interp *in, const Args *a, Value *out)
{
    Ad *ad = &in->ad;
    Value tracked, y;
    if (!ad_track_tangent(ad, a->pos[1], a->pos[2], &tracked))
        return misfit(in, a, "tangent", "argument");
    bool ok = call_with(in, a, tracked, 3, &y);
    value_release(tracked);
    if (!ok) return false;
    ok = ad_tangent(ad, y, out);
    value_release(y);
    return ok;
}

bool jvp_builtin(Interp *in, const Args *a, Value *out)
{
    if (!check_input(in, a) || !ad_open_forward(&in->ad)) return false;
    bool ok = push_forward(in, a, out);
    ad_close(&in->ad);
    return ok;
}

/* The arguments with f replaced by its gradient function; release pos[0] afterwards. */
static Value gradient_function(Value f)
{
    return value_fn(function_bound(builtin_at(builtin_index(symbol_of("grad"))), f));
}

/* a with argument 0 replaced. */
static bool with_gradient(Interp *in, const Args *a, BuiltinFunction *f, Value *out)
{
    if (!check_input(in, a)) return false;
    Value *pos = mem_alloc((size_t)a->n * sizeof *pos);
    memcpy(pos, a->pos, (size_t)a->n * sizeof *pos);
    pos[0] = gradient_function(a->pos[0]);
    Args inner = *a;
    inner.pos = pos;
    bool ok = f(in, &inner, out);
    value_release(pos[0]);
    mem_free(pos);
    return ok;
}

/* Forward over reverse. */
bool hvp_builtin(Interp *in, const Args *a, Value *out)
{
    return with_gradient(in, a, jvp_builtin, out);
}

/* ---- jacobian ---- */

static bool check_flat(Interp *in, const Args *a, Value v, int i, const char *what)
{
    if (value_is_float(v)) return true;
    StrBuf given = {0};
    value_describe(&given, v);
    arg_error(in, a, i, ERR_TYPE, "%s: %s must be a Float or an array of Floats, not %s",
              a->builtin->name, what, strbuf_str(&given));
    strbuf_free(&given);
    return error_hint(&in->err, "for structures, vjp and jvp give products with the Jacobian");
}

/* Row k: the gradient of the k-th element of y. */
static bool jacobian_row(Interp *in, Value tracked, Value y, int64_t k, Value *row)
{
    Shape s = value_shape(y);
    Value seed = value_float(1.0);
    if (y.kind == VAL_ARR) {
        Array *one_hot = array_zeros(DT_FLOAT, &s, &in->err);
        if (!one_hot) return false;
        array_floats(one_hot)[k] = 1.0;
        seed = value_arr(one_hot);
    }
    ad_forget_cotangents(&in->ad);
    bool ok = ad_sweep(&in->ad, y, seed) && ad_gradient(&in->ad, tracked, row);
    value_release(seed);
    return ok;
}

static bool shape_join(Interp *in, const Args *a, const Shape *y, const Shape *x, Shape *s)
{
    if (y->rank + x->rank > MAX_RANK)
        return arg_error(in, a, 1, ERR_SHAPE, "%s: the result would have rank %d, more than %d",
                         a->builtin->name, y->rank + x->rank, MAX_RANK);
    *s = *y;
    for (int i = 0; i < x->rank; i++) s->dim[s->rank++] = x->dim[i];
    return true;
}

/* n rows (each of x's shape) as one array; they may be tracked from outside. */
static bool join_rows(Interp *in, Value *row, int64_t n, const Shape *s, Value *out)
{
    if (n == 0) {
        *out = value_from_array_take(array_zeros(DT_FLOAT, s, &in->err));
        return value_is_set(*out);
    }
    Value stacked;
    if (!op_apply(&in->ad, OP_STACK, row, (int)n, NULL, &stacked)) return false;
    bool ok = op_reshape(&in->ad, stacked, s, out);
    value_release(stacked);
    return ok;
}

static bool all_rows(Interp *in, const Args *a, Value tracked, Value y, Value *out)
{
    Shape ys = value_shape(y), xs = value_shape(tracked), s;
    int64_t n, made = 0;
    if (!shape_join(in, a, &ys, &xs, &s) || !shape_size(&ys, &n, &in->err)) return false;
    Value *row = mem_alloc((size_t)n * sizeof *row);
    ad_keep_tape(&in->ad);
    while (made < n && jacobian_row(in, tracked, y, made, &row[made])) made++;
    bool ok = made == n && join_rows(in, row, n, &s, out);
    for (int64_t i = 0; i < made; i++) value_release(row[i]);
    mem_free(row);
    return ok;
}

static bool jacobian_reverse(Interp *in, const Args *a, Value *out)
{
    Value tracked, y;
    if (!ad_track(&in->ad, a->pos[1], &tracked)) return false;
    bool ok = call_with(in, a, tracked, 2, &y);
    if (ok) {
        ok = check_flat(in, a, y, 0, "the function's result") && all_rows(in, a, tracked, y, out);
        value_release(y);
    }
    value_release(tracked);
    return ok;
}

/* Of one number everything comes from one forward call. */
static bool jacobian_forward(Interp *in, const Args *a, Value *out)
{
    Value tracked, y;
    if (!ad_track_tangent(&in->ad, a->pos[1], value_float(1.0), &tracked)) return false;
    if (!call_with(in, a, tracked, 2, &y)) return false;
    bool ok = check_flat(in, a, y, 0, "the function's result") && ad_tangent(&in->ad, y, out);
    value_release(y);
    return ok;
}

bool jacobian_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return bind_function(in, a, out);
    if (!check_input(in, a) || !check_flat(in, a, a->pos[1], 1, "x")) return false;
    bool is_number = a->pos[1].kind == VAL_FLOAT;
    if (!(is_number ? ad_open_forward(&in->ad) : ad_open_reverse(&in->ad))) return false;
    bool ok = is_number ? jacobian_forward(in, a, out) : jacobian_reverse(in, a, out);
    ad_close(&in->ad);
    return ok;
}

bool hessian_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->n == 1) return bind_function(in, a, out);
    if (!check_input(in, a) || !check_flat(in, a, a->pos[1], 1, "x")) return false;
    return with_gradient(in, a, jacobian_builtin, out);
}

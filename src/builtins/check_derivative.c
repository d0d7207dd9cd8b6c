/* Checks of derivatives: against central differences, and of a hand-written adjoint against the
 * generated one. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "builtins/derivative.h"
#include "builtins/files/stream.h"
#include "value/structure.h"

/* ---- what both need ---- */

static bool random_leaf(void *context, const Value *leaf, int n, Value *out)
{
    RandomState *stream = context;
    (void)n;
    *out = value_none();
    if (leaf[0].kind == VAL_FLOAT) *out = value_float(2.0 * stream_uniform(stream) - 1.0);
    if (leaf[0].kind != VAL_ARR || leaf[0].arr->dtype != DT_FLOAT) return true;
    Error ignored = {0};
    Shape s = shape_of(leaf[0].arr);
    Array *made = array_new(DT_FLOAT, &s, &ignored);
    error_clear(&ignored);
    if (!made) return true;
    for (int64_t i = 0; i < made->size; i++)
        array_floats(made)[i] = 2.0 * stream_uniform(stream) - 1.0;
    *out = value_arr(made);
    return true;
}

/* A Float between −1 and 1, or an array of them, for every Float leaf of v, from a stream of its
 * own. */
static bool random_like(Interp *in, Value v, Value *out)
{
    RandomState stream = stream_start(0);
    return structure_map(&v, 1, false, random_leaf, &stream, out, &in->err);
}

static double relative_gap(double a, double b)
{
    if (a == b) return 0.0;
    return fabs(a - b) / fmax(1.0, fmax(fabs(a), fabs(b)));
}

static bool gap_leaf(void *context, const Value *leaf, const Place *at)
{
    double *worst = context;
    Array scratch[2];
    (void)at;
    if (leaf[0].kind == VAL_NONE || leaf[1].kind == VAL_NONE) return true;
    Array *a = value_operand(&leaf[0], &scratch[0]), *b = value_operand(&leaf[1], &scratch[1]);
    for (int64_t i = 0; i < a->size; i++) {
        double gap = relative_gap(array_float_at(a, i), array_float_at(b, i));
        if (!(gap <= *worst)) *worst = gap;
        if (isnan(*worst)) break;
    }
    return true;
}

/* The largest difference of two structures' leaves, relative to max(1, |a|, |b|); nan if any is. */
static bool largest_gap(Interp *in, Value a, Value b, double *gap)
{
    Value pair[2] = {a, b};
    *gap = 0.0;
    return structure_visit(pair, 2, gap_leaf, gap, &in->err);
}

/* ---- check_grad ---- */

/* One element of one leaf moved by a step. */
typedef struct {
    int64_t wanted; /* counted over all Float leaves */
    int64_t seen;
    double step, moved; /* how far it really moved, after rounding */
    bool found;
    Error *err;
} Nudge;

static bool nudge_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Nudge *d = context;
    (void)n;
    *out = value_retain(leaf[0]);
    if (!value_is_float(leaf[0])) return true;
    int64_t size = leaf[0].kind == VAL_FLOAT ? 1 : leaf[0].arr->size, at = d->wanted - d->seen;
    d->seen += size;
    if (at < 0 || at >= size) return true;
    double *place = &out->f;
    if (leaf[0].kind == VAL_ARR) {
        Array *copy = array_copy(leaf[0].arr, d->err);
        value_release(*out);
        *out = value_from_array_take(copy);
        if (!copy) return false;
        place = &array_floats(copy)[at];
    }
    double x = *place;
    *place = x + d->step * fmax(1.0, fabs(x));
    d->moved = *place - x;
    d->found = true;
    return true;
}

static bool value_at(Interp *in, const Args *a, Value x, Nudge *d, double *value)
{
    Value moved, y;
    d->seen = 0;
    d->found = false;
    d->err = &in->err;
    if (!structure_map(&x, 1, false, nudge_leaf, d, &moved, &in->err)) return false;
    bool ok = true;
    if (d->found) {
        bool before = in->reads_symmetric_part;
        in->reads_symmetric_part = true;
        ok = call_with(in, a, moved, 2, &y);
        in->reads_symmetric_part = before;
        if (ok && !(ok = check_scalar_result(in, a, y))) value_release(y);
        if (ok) *value = y.f;
    }
    value_release(moved);
    return ok;
}

/* The gradient's k-th element, counted over its leaves. */
typedef struct {
    int64_t wanted;
    double value;
} Pick;

static bool pick_leaf(void *context, const Value *leaf, const Place *at)
{
    Pick *p = context;
    (void)at;
    if (!value_is_float(leaf[0])) return true;
    int64_t size = leaf[0].kind == VAL_FLOAT ? 1 : leaf[0].arr->size;
    if (p->wanted >= 0 && p->wanted < size)
        p->value = leaf[0].kind == VAL_FLOAT ? leaf[0].f : array_float_at(leaf[0].arr, p->wanted);
    p->wanted -= size;
    return true;
}

static bool element_gap(Interp *in, const Args *a, Value x, Value gradient, int64_t k,
                        double *worst, bool *done)
{
    double up = 0, down = 0, step = cbrt(DBL_EPSILON);
    Nudge forth = {.wanted = k, .step = step}, back = {.wanted = k, .step = -step};
    if (!value_at(in, a, x, &forth, &up) || !value_at(in, a, x, &back, &down)) return false;
    *done = !forth.found;
    if (*done) return true;
    Pick p = {.wanted = k};
    if (!structure_visit(&gradient, 1, pick_leaf, &p, &in->err)) return false;
    double gap = relative_gap((up - down) / (forth.moved - back.moved), p.value);
    if (!(gap <= *worst)) *worst = gap;
    return true;
}

bool check_grad_builtin(Interp *in, const Args *a, Value *out)
{
    Value value, gradient;
    if (!gradient_of(in, a, &value, &gradient)) return false;
    double worst = 0.0;
    bool ok = true, done = false;
    for (int64_t k = 0; ok && !done && !isnan(worst); k++)
        ok = element_gap(in, a, a->pos[1], gradient, k, &worst, &done);
    value_release(gradient);
    *out = value_float(worst);
    return ok;
}

/* ---- check_adjoint ---- */

static bool adjoint_argument(Interp *in, const Args *a)
{
    if (!arg_function(in, a, 0)) return false;
    const Function *f = a->pos[0].fn;
    if (f->variant == FN_CLOSURE && f->closure.adjoint) return true;
    arg_error(in, a, 0, ERR_TYPE, "check_adjoint: %s has no adjoint", function_name(f));
    if (f->variant != FN_CLOSURE || f->closure.decl->target_scope != SCOPE_GLOBAL)
        return error_hint(&in->err, "functions that a file defines can have one");
    return error_hint(&in->err, "write adjoint %s(…, dY) { … } after its def", function_name(f));
}

static bool call_on(Interp *in, const Args *a, const Value *arg, Value *y)
{
    return call_value(in, a->pos[0], arg, a->n - 1, a->through_name, a->through, a->n_through, y);
}

static bool pull_back(Interp *in, const Args *a, Value arguments, Value cotangent, Value *out)
{
    Value tracked, y;
    if (!ad_track(&in->ad, arguments, &tracked)) return false;
    bool ok = call_on(in, a, tracked.tuple->item, &y);
    if (ok) {
        ok = ad_sweep(&in->ad, y, cotangent) && ad_gradient(&in->ad, tracked, out);
        value_release(y);
    }
    value_release(tracked);
    return ok;
}

/* The cotangents of all positional arguments, in a tuple: by the adjoint, or, with it out of the
 * way, the generated ones. */
static bool cotangents(Interp *in, const Args *a, Value cotangent, bool by_hand, Value *out)
{
    Tuple *all = tuple_new(a->n - 1);
    for (int i = 0; i < a->n - 1; i++) all->item[i] = value_retain(a->pos[1 + i]);
    Value arguments = value_tuple(all);
    const Function *before = in->plain_function;
    in->plain_function = by_hand ? NULL : a->pos[0].fn;
    bool ok = ad_open_reverse(&in->ad);
    if (ok) {
        ok = pull_back(in, a, arguments, cotangent, out);
        ad_close(&in->ad);
    }
    in->plain_function = before;
    value_release(arguments);
    return ok;
}

bool check_adjoint_builtin(Interp *in, const Args *a, Value *out)
{
    Value y, cotangent, hand, machine;
    double gap = 0.0;
    if (!adjoint_argument(in, a) || !call_on(in, a, a->pos + 1, &y)) return false;
    bool ok = random_like(in, y, &cotangent);
    value_release(y);
    if (!ok) return false;
    ok = cotangents(in, a, cotangent, true, &hand);
    if (ok) {
        ok = cotangents(in, a, cotangent, false, &machine);
        if (ok) {
            ok = largest_gap(in, hand, machine, &gap);
            value_release(machine);
        }
        value_release(hand);
    }
    value_release(cotangent);
    *out = value_float(gap);
    return ok;
}

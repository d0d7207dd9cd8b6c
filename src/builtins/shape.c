#include <math.h>

#include "base/interrupt.h"
#include "builtins/arrange.h"
#include "builtins/topics.h"
#include "value/map.h"

/* ---- asking ---- */

static bool shape_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    Tuple *t = tuple_new(s.rank);
    for (int i = 0; i < s.rank; i++) t->item[i] = value_int(s.dim[i]);
    *out = value_tuple(t);
    return true;
}

static bool len_builtin(Interp *in, const Args *a, Value *out)
{
    Value v = a->pos[0];
    switch (v.kind) {
    case VAL_ARR: *out = value_int(v.arr->dim[0]); return true;
    case VAL_TUPLE: *out = value_int(v.tuple->len); return true;
    case VAL_MAP: *out = value_int(v.map->len); return true;
    case VAL_STR: *out = value_int((int64_t)v.str->n_chars); return true;
    default: break;
    }
    arg_error(in, a, 0, ERR_TYPE, "len: x must be an array, tuple, map or string, not %s",
              value_type_name(v));
    if (value_is_number(v)) error_hint(&in->err, "a number has no length; size(x) is 1 for it");
    return false;
}

static bool ndim_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    *out = value_int(value_shape(a->pos[0]).rank);
    return true;
}

static bool size_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    *out = value_int(a->pos[0].kind == VAL_ARR ? a->pos[0].arr->size : 1);
    return true;
}

/* ---- making ---- */

static bool sizes(Interp *in, const Args *a, int i, bool allow_minus_one, Shape *s)
{
    if (arg_shape(in, a, i, allow_minus_one, s)) return true;
    if (i < a->n && a->pos[i].kind == VAL_ARR)
        error_hint(&in->err, "a shape is written as sizes, 2, 3, or as a tuple, (2, 3)");
    for (; i < a->n; i++)
        if (a->pos[i].kind == VAL_FLOAT)
            error_hint(&in->err, "round(x), floor(x) or int(x) makes an Int");
    return false;
}

static bool make_zeros(Interp *in, DType t, const Shape *s, Value *out)
{
    return give_array(true, array_zeros(t, s, &in->err), out);
}

static bool make_full(Interp *in, Value number, const Shape *s, Value *out)
{
    Array scratch, *made = array_new(value_dtype(number), s, &in->err);
    bool ok = made && array_assign(made, value_operand(&number, &scratch), &in->err);
    return give_array(ok, made, out);
}

static bool make_ones(Interp *in, DType t, const Shape *s, Value *out)
{
    Value one = t == DT_FLOAT ? value_float(1.0) : t == DT_INT ? value_int(1) : value_bool(true);
    return make_full(in, one, s, out);
}

static bool zeros_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    return sizes(in, a, 0, false, &s) && make_zeros(in, DT_FLOAT, &s, out);
}

static bool ones_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    return sizes(in, a, 0, false, &s) && make_ones(in, DT_FLOAT, &s, out);
}

static bool zeros_like_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    return make_zeros(in, value_dtype(a->pos[0]), &s, out);
}

static bool ones_like_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    return make_ones(in, value_dtype(a->pos[0]), &s, out);
}

/* A number is written out at once; a value with a derivative, or a row, is broadcast. */
static bool full_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    Args shape_only = *a;
    shape_only.n = 1;
    if (!sizes(in, &shape_only, 0, false, &s) || !arg_numeric(in, a, 1)) return false;
    Value v = a->pos[1];
    if (v.kind == VAL_ARR || !value_is_plain(v)) {
        *out = value_retain(v);
        return then_broadcast(in, out, &s);
    }
    return make_full(in, v, &s, out);
}

static bool eye_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s = {.rank = 2};
    for (int i = 0; i < 2; i++) {
        int from = i < a->n ? i : 0;
        if (!arg_int(in, a, from, &s.dim[i])) return false;
        if (s.dim[i] < 0)
            return arg_error(in, a, from, ERR_SHAPE, "eye: size %lld is negative",
                             (long long)s.dim[i]);
    }
    Array *made = array_zeros(DT_FLOAT, &s, &in->err);
    int64_t n = s.dim[0] < s.dim[1] ? s.dim[0] : s.dim[1];
    Stretch part = {0};
    while (made && stretch_rows(&part, n, s.dim[1], &in->err))
        for (int64_t i = part.start; i < part.end; i++) array_floats(made)[i * s.dim[1] + i] = 1.0;
    return give_array(stretch_done(&part, n), made, out);
}

/* How many steps lead from start to below (above, for a negative step) stop. Unsigned, because the
 * distance may need all 64 bits. */
static uint64_t range_count(int64_t start, int64_t stop, int64_t step)
{
    if (step > 0 ? start >= stop : start <= stop) return 0;
    uint64_t distance =
        step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return (distance - 1) / stride + 1;
}

static bool range_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t bound[3] = {0, 0, 1};
    for (int i = 0; i < a->n; i++)
        if (!arg_int(in, a, i, &bound[a->n == 1 ? 1 : i])) return false;
    if (bound[2] == 0) return arg_error(in, a, 2, ERR_VALUE, "range: step must not be 0");
    uint64_t count = range_count(bound[0], bound[1], bound[2]);
    if (count > INT64_MAX / sizeof(int64_t))
        return arg_error(in, a, -1, ERR_MEMORY, "range: %llu elements are too many",
                         (unsigned long long)count);
    Shape s = {.rank = 1, .dim = {(int64_t)count}};
    Array *made = array_new(DT_INT, &s, &in->err);
    uint64_t v = (uint64_t)bound[0]; /* wraps only after the last element */
    Stretch part = {0};
    while (made && stretch_next(&part, s.dim[0], &in->err))
        for (int64_t i = part.start; i < part.end; i++, v += (uint64_t)bound[2])
            array_ints(made)[i] = (int64_t)v;
    return give_array(stretch_done(&part, made ? made->size : 0), made, out);
}

/* (first + i step) / divisor for i = 0 … n - 1. */
static bool counting_floats(Interp *in, int64_t n, double first, double step, double divisor,
                            Value *out)
{
    Shape s = {.rank = 1, .dim = {n}};
    Array *made = array_new(DT_FLOAT, &s, &in->err);
    Stretch part = {0};
    while (made && stretch_next(&part, n, &in->err))
        for (int64_t i = part.start; i < part.end; i++)
            array_floats(made)[i] = (first + (double)i * step) / divisor;
    return give_array(stretch_done(&part, made ? made->size : 0), made, out);
}

/* from + i (to - from) / (n - 1) */
static bool steps_between(Interp *in, Value from, Value to, int64_t n, Value *out)
{
    Value distance = {0}, step = {0}, count = {0}, steps = {0};
    Ad *ad = &in->ad;
    bool ok = op_apply2(ad, OP_SUB, to, from, &distance) &&
              op_apply2(ad, OP_DIV, distance, value_float((double)(n - 1)), &step) &&
              counting_floats(in, n, 0.0, 1.0, 1.0, &count) &&
              op_apply2(ad, OP_MUL, count, step, &steps) && op_apply2(ad, OP_ADD, steps, from, out);
    value_release(count);
    value_release(steps);
    return ok;
}

/* from (n - 1 - i) / (n - 1) + to i / (n - 1), for ends whose distance is no Float. */
static bool means_between(Interp *in, Value from, Value to, int64_t n, Value *out)
{
    Value weight[2] = {0}, part[2] = {0};
    Ad *ad = &in->ad;
    double last = (double)(n - 1);
    bool ok = counting_floats(in, n, last, -1.0, last, &weight[0]) &&
              counting_floats(in, n, 0.0, 1.0, last, &weight[1]) &&
              op_apply2(ad, OP_MUL, weight[0], from, &part[0]) &&
              op_apply2(ad, OP_MUL, weight[1], to, &part[1]) &&
              op_apply2(ad, OP_ADD, part[0], part[1], out);
    for (int i = 0; i < 2; i++) {
        value_release(weight[i]);
        value_release(part[i]);
    }
    return ok;
}

/* The first and the last element are the ends themselves. */
static bool linspace_of(Interp *in, Value from, Value to, int64_t n, Value *out)
{
    bool has_steps = isfinite(to.f - from.f);
    if (!(has_steps ? steps_between : means_between)(in, from, to, n, out)) return false;
    if (op_update_element(&in->ad, OP_SET_INDEX, out, 0, from) &&
        op_update_element(&in->ad, OP_SET_INDEX, out, n - 1, to))
        return true;
    value_clear(out);
    return false;
}

static bool linspace_end(Interp *in, const Args *a, int i, Value *v)
{
    double plain;
    return arg_float(in, a, i, &plain) && op_to_float(&in->ad, a->pos[i], v);
}

static bool linspace_builtin(Interp *in, const Args *a, Value *out)
{
    Value from, to;
    int64_t n;
    if (!linspace_end(in, a, 0, &from) || !linspace_end(in, a, 1, &to) || !arg_int(in, a, 2, &n))
        return false;
    if (n < 0)
        return arg_error(in, a, 2, ERR_VALUE, "linspace: n is %lld, which is negative",
                         (long long)n);
    if (n > 1) return linspace_of(in, from, to, n, out);
    Shape s = {.rank = 1, .dim = {n}};
    *out = from;
    return then_broadcast(in, out, &s);
}

/* ---- the same elements in another shape ---- */

static bool ambiguous(Interp *in, const Args *a, const Shape *s)
{
    return arg_error(in, a, 1, ERR_SHAPE,
                     "reshape: can't infer -1 for an empty array: any size fits shape %s",
                     shape_text(s));
}

/* Replaces the one -1 among the sizes by what is left of size. */
static bool infer_size(Interp *in, const Args *a, int64_t size, Shape *s)
{
    Shape known = *s;
    int at = -1;
    for (int i = 0; i < s->rank; i++) {
        if (s->dim[i] != -1) continue;
        if (at >= 0)
            return arg_error(in, a, 1, ERR_SHAPE,
                             "reshape: only one size may be -1, but the shape is %s",
                             shape_text(s));
        at = i;
        known.dim[i] = 1;
    }
    int64_t rest;
    if (at < 0) return true;
    if (!shape_size(&known, &rest, &in->err)) return false;
    if (rest == 0 && size == 0) return ambiguous(in, a, s);
    if (rest == 0 || size % rest != 0) return true; /* does not fit: said by the caller */
    s->dim[at] = size / rest;
    return true;
}

static bool misfit(Interp *in, const Args *a, const Shape *old, int64_t size, const Shape *s)
{
    int64_t wanted = 0;
    bool inferred = false;
    for (int i = 0; i < s->rank; i++) inferred |= s->dim[i] == -1;
    if (inferred)
        return arg_error(
            in, a, 1, ERR_SHAPE,
            "reshape: %s has %lld elements, and no size for -1 makes as many of shape %s",
            shape_phrase(old), (long long)size, shape_text(s));
    if (!shape_size(s, &wanted, &in->err)) return false;
    arg_error(in, a, 1, ERR_SHAPE, "reshape: %s has %lld element%s, but %s has %lld",
              shape_phrase(old), (long long)size, size == 1 ? "" : "s", shape_phrase(s),
              (long long)wanted);
    return error_hint(&in->err, "one size may be -1: it is worked out from the others");
}

static bool reshape_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    if (!arg_numeric(in, a, 0)) return false;
    if (a->n == 1) {
        error_set(&in->err, ERR_TYPE, "reshape needs the new sizes");
        return error_hint(&in->err, "write reshape(x, 2, 3) or reshape(x, (2, -1))");
    }
    if (!sizes(in, a, 1, true, &s)) return false;
    Shape old = value_shape(a->pos[0]);
    int64_t size = a->pos[0].kind == VAL_ARR ? a->pos[0].arr->size : 1, wanted = -1;
    if (!infer_size(in, a, size, &s)) return false;
    bool complete = true;
    for (int i = 0; i < s.rank; i++) complete &= s.dim[i] != -1;
    if (complete && !shape_size(&s, &wanted, &in->err)) return false;
    if (wanted != size) return misfit(in, a, &old, size, &s);
    *out = value_retain(a->pos[0]);
    return then_reshape(in, out, &s);
}

static bool ravel_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    *out = value_retain(a->pos[0]);
    return then_ravel(in, out);
}

const Builtin builtins_shape[] = {
    {"shape", "shape(x)",
     "The sizes of x along its axes, as a tuple of Ints; () for a number. `shape([[1, 2, 3]])` "
     "is `(1, 3)`.",
     shape_builtin},
    {"len", "len(x)",
     "The size of an array's first axis, or the number of a tuple's elements, a map's keys or a "
     "string's characters. A number has none, which is an error. `len(\"añ\")` is `2`.",
     len_builtin, NULL, true},
    {"ndim", "ndim(x)", "The number of x's axes; 0 for a number. `ndim([[1, 2, 3]])` is `2`.",
     ndim_builtin},
    {"size", "size(x)",
     "The number of x's elements, the product of its shape; 1 for a number. `size([[1, 2, 3]])` "
     "is `3`.",
     size_builtin},
    {"zeros", "zeros(sizes…)",
     "A Float array of zeros. The shape is given as sizes or as one tuple of them; without any it "
     "is the number 0.0. A negative size is an error, and so is a shape that memory can't hold.",
     zeros_builtin},
    {"ones", "ones(sizes…)",
     "A Float array of ones; the shape as for zeros. `ones(3)` is `[1.0, 1.0, 1.0]`.",
     ones_builtin},
    {"full", "full(shape, value)",
     "An array of the given shape (an Int or a tuple) in which every element is value, and of "
     "value's type. An array as value is broadcast to the shape. The derivative by value sums "
     "over what it fills. `full(3, 7)` is `[7, 7, 7]`.",
     full_builtin},
    {"eye", "eye(n, [m])",
     "The n×m Float matrix (n×n without m) with ones on the diagonal and zeros elsewhere; "
     "negative sizes are an error.",
     eye_builtin},
    {"range", "range(start, [stop], [step])",
     "range(stop) is the Int array 0, 1, … below stop; range(start, stop) counts from start; "
     "with step it goes start, start + step, … and ends below stop, or above it when step is "
     "negative. Takes Ints only; a step of 0 is an error. `range(5, 0, -2)` is `[5, 3, 1]`.",
     range_builtin},
    {"linspace", "linspace(start, stop, n)",
     "n Floats at equal distances, from start to stop, both exactly as given; [start] for n = 1. "
     "Differentiable by both ends. `linspace(0.0, 1.0, 3)` is `[0.0, "
     "0.5, 1.0]`.",
     linspace_builtin},
    {"zeros_like", "zeros_like(x)",
     "Zeros of x's shape and element type; of a number the number 0. A constant, with no "
     "derivative by x. `zeros_like([1, 2])` is `[0, 0]`.",
     zeros_like_builtin},
    {"ones_like", "ones_like(x)",
     "Ones of x's shape and element type; of a number the number 1. A constant, with no "
     "derivative by x. `ones_like([0.5, 2.0])` is `[1.0, 1.0]`.",
     ones_like_builtin},
    {"reshape", "reshape(x, sizes…)",
     "x's elements, in row-major order, in another shape of as many elements: sizes, or one tuple "
     "of them. One size may be -1 and is worked out from the others; for an empty array that can "
     "be ambiguous, which is an error. Copies nothing when x lies in order.",
     reshape_builtin},
    {"ravel", "ravel(x)",
     "x's elements in row-major order along a single axis; of a number an array of length 1. "
     "`ravel([[1, 2], [3, 4]])` is `[1, 2, 3, 4]`.",
     ravel_builtin},
    {0},
};

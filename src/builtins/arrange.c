#include "builtins/arrange.h"

#include "base/interrupt.h"
#include "builtins/topics.h"

/* ---- steps ---- */

/* Replaces *v by result when ok, and else by nothing. */
static bool step_to(Value *v, bool ok, Value result)
{
    value_release(*v);
    *v = ok ? result : (Value){0};
    return ok;
}

bool then_reshape(Interp *in, Value *v, const Shape *s)
{
    Shape have = value_shape(*v);
    Value result;
    if (shape_equal(&have, s)) return true;
    bool ok = op_reshape(&in->ad, *v, s, &result);
    return step_to(v, ok, result);
}

bool then_ravel(Interp *in, Value *v)
{
    Shape flat = {.rank = 1, .dim = {v->kind == VAL_ARR ? v->arr->size : 1}};
    return then_reshape(in, v, &flat);
}

bool then_broadcast(Interp *in, Value *v, const Shape *s)
{
    Shape have = value_shape(*v);
    Value result;
    if (shape_equal(&have, s)) return true;
    bool ok = op_broadcast(&in->ad, *v, s, &result);
    return step_to(v, ok, result);
}

bool then_index(Interp *in, Value *v, const IndexTerm *term, int n)
{
    Shape s = value_shape(*v);
    Value result = {0};
    Selection *selection = selection_new(&s, term, n, &in->err);
    bool ok = selection && op_index(&in->ad, *v, selection, &result);
    selection_release(selection);
    return step_to(v, ok, result);
}

bool slice_axis(Interp *in, Value v, int axis, int64_t start, int64_t stop, Value *out)
{
    IndexTerm term[MAX_RANK] = {0};
    for (int i = 0; i < axis; i++) term[i].kind = INDEX_SLICE;
    term[axis] = (IndexTerm){
        .kind = INDEX_SLICE, .has_start = true, .has_stop = true, .start = start, .stop = stop};
    *out = value_retain(v);
    return then_index(in, out, term, axis + 1);
}

/* ---- what arguments say ---- */

Value zero_of(DType t)
{
    return t == DT_FLOAT ? value_float(0.0) : t == DT_INT ? value_int(0) : value_bool(false);
}

const char *shape_phrase(const Shape *s)
{
    enum { TEXTS = 4, ROOM = MAX_RANK * 22 + 8 };
    static char text[TEXTS][ROOM];
    static int next;
    if (s->rank == 0) return "a number";
    char *out = text[next++ % TEXTS];
    snprintf(out, ROOM, "shape %s", shape_text(s));
    return out;
}

bool kw_axis_or_first(Interp *in, const Args *a, int k, const Shape *s, int *axis)
{
    bool given;
    *axis = 0;
    if (a->kw[k].kind == VAL_NONE)
        return arg_error(in, a, a->n + k, ERR_TYPE, "%s: axis must be an Int, not None",
                         a->builtin->name);
    return kw_axis(in, a, k, s, &given, axis);
}

/* ---- moving ---- */

static bool axes_order(Interp *in, const Args *a, const Shape *s, OpAttr *order)
{
    const Value *axis;
    int n;
    unsigned seen = 0;
    if (!arg_parts(in, a, 1, &axis, &n)) return false;
    if (n != s->rank)
        return arg_error(in, a, 1, ERR_SHAPE, "transpose: %d axes named for %s, which has %d", n,
                         shape_phrase(s), s->rank);
    for (int i = 0; i < n; i++) {
        int argument = a->n - 1 == n ? i + 1 : 1;
        if (axis[i].kind != VAL_INT)
            return arg_error(in, a, argument, ERR_TYPE, "transpose: an axis must be an Int, not %s",
                             value_type_name(axis[i]));
        if (axis[i].i < -s->rank || axis[i].i >= s->rank)
            return arg_error(in, a, argument, ERR_INDEX,
                             "transpose: axis %lld is out of range for %s", (long long)axis[i].i,
                             shape_phrase(s));
        int at = (int)(axis[i].i < 0 ? axis[i].i + s->rank : axis[i].i);
        if (seen >> at & 1)
            return arg_error(in, a, argument, ERR_VALUE, "transpose: axis %d is named twice", at);
        seen |= 1u << at;
        order->shape.dim[i] = at;
    }
    return true;
}

static bool transpose_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    OpAttr order = {.shape.rank = s.rank};
    for (int i = 0; i < s.rank; i++) order.shape.dim[i] = s.rank - 1 - i;
    if (a->n > 1 && !axes_order(in, a, &s, &order)) return false;
    if (s.rank < 2) {
        *out = value_retain(a->pos[0]);
        return true;
    }
    return op_apply(&in->ad, OP_TRANSPOSE, a->pos, 1, &order, out);
}

static bool flip_builtin(Interp *in, const Args *a, Value *out)
{
    unsigned axes;
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    if (!kw_axes(in, a, 0, &s, &axes)) return false;
    *out = value_retain(a->pos[0]);
    if (axes == 0) return true;
    IndexTerm term[MAX_RANK] = {0};
    for (int i = 0; i < s.rank; i++) {
        term[i].kind = INDEX_SLICE;
        term[i].has_step = axes >> i & 1;
        term[i].step = -1;
    }
    return then_index(in, out, term, s.rank);
}

/* The last by elements of x along axis, then the others. */
static bool rotate(Interp *in, Value x, int axis, int64_t by, Value *out)
{
    int64_t size = value_shape(x).dim[axis];
    int64_t start = size ? by % size : 0;
    if (start < 0) start += size;
    if (start == 0) {
        *out = value_retain(x);
        return true;
    }
    Value part[2] = {0};
    OpAttr attr = {.axis = axis};
    bool ok = slice_axis(in, x, axis, size - start, size, &part[0]) &&
              slice_axis(in, x, axis, 0, size - start, &part[1]) &&
              op_apply(&in->ad, OP_CONCAT, part, 2, &attr, out);
    value_release(part[0]);
    value_release(part[1]);
    return ok;
}

static bool roll_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t by;
    bool given;
    int axis = 0;
    if (!arg_numeric(in, a, 0) || !arg_int(in, a, 1, &by)) return false;
    Shape s = value_shape(a->pos[0]);
    if (!kw_axis(in, a, 0, &s, &given, &axis)) return false;
    if (given) return rotate(in, a->pos[0], axis, by, out);
    Value flat = value_retain(a->pos[0]);
    if (!then_ravel(in, &flat)) return false;
    bool ok = rotate(in, flat, 0, by, out);
    value_release(flat);
    return ok && then_reshape(in, out, &s);
}

/* ---- repeating ---- */

/* *v read as outer × inner; every inner block is there n times in a row; then of shape s. */
static bool then_repeat(Interp *in, Value *v, int64_t outer, int64_t n, int64_t inner,
                        const Shape *s)
{
    Shape once = {.rank = 3, .dim = {outer, 1, inner}},
          often = {.rank = 3, .dim = {outer, n, inner}};
    return then_reshape(in, v, &once) && then_broadcast(in, v, &often) && then_reshape(in, v, s);
}

/* The sizes of s before axis, and those after it, multiplied. */
static void around(const Shape *s, int axis, int64_t *before, int64_t *after)
{
    *before = *after = 1;
    for (int i = 0; i < axis; i++) *before *= s->dim[i];
    for (int i = axis + 1; i < s->rank; i++) *after *= s->dim[i];
}

static bool too_large(Interp *in, const Args *a)
{
    return arg_error(in, a, 1, ERR_MEMORY, "%s: the result is too large", a->builtin->name);
}

static bool repeat_equally(Interp *in, const Args *a, Value *v, int axis)
{
    int64_t n, before, after;
    if (!arg_int(in, a, 1, &n)) return false;
    if (n < 0)
        return arg_error(in, a, 1, ERR_VALUE, "repeat: n is %lld, which is negative", (long long)n);
    Shape s = value_shape(*v);
    around(&s, axis, &before, &after);
    int64_t outer = before * s.dim[axis];
    if (__builtin_mul_overflow(s.dim[axis], n, &s.dim[axis])) return too_large(in, a);
    return then_repeat(in, v, outer, n, after, &s);
}

/* 0 count[0] times, 1 count[1] times, … */
static Array *repeated_positions(Interp *in, const Args *a, const Array *count)
{
    Shape s = {.rank = 1, .dim = {0}};
    for (int64_t i = 0; i < count->size; i++) {
        int64_t n = array_int_at(count, i);
        if (n < 0)
            arg_error(in, a, 1, ERR_VALUE, "repeat: n[%lld] is %lld, which is negative",
                      (long long)i, (long long)n);
        else if (__builtin_add_overflow(s.dim[0], n, &s.dim[0]))
            too_large(in, a);
        if (error_is_set(&in->err)) return NULL;
    }
    Array *made = array_new(DT_INT, &s, &in->err);
    int64_t *position = made ? array_ints(made) : NULL;
    for (int64_t i = 0; made && i < count->size; i++) {
        if (!interrupt_poll(&in->err)) return array_if(false, made);
        for (int64_t n = array_int_at(count, i); n > 0; n--) *position++ = i;
    }
    return made;
}

static bool repeat_by_counts(Interp *in, const Args *a, Value *v, int axis)
{
    const Array *count = a->pos[1].arr;
    Shape s = value_shape(*v), given = shape_of(count);
    if (count->dtype != DT_INT)
        return arg_error(in, a, 1, ERR_TYPE, "repeat: n must be an Int or an array of Ints");
    if (count->rank != 1 || count->size != s.dim[axis])
        return arg_error(in, a, 1, ERR_SHAPE,
                         "repeat: n has shape %s, but axis %d of x has size %lld: one count for "
                         "each is needed",
                         shape_text(&given), axis, (long long)s.dim[axis]);
    Array *positions = repeated_positions(in, a, count);
    if (!positions) return false;
    IndexTerm term[MAX_RANK] = {0};
    for (int i = 0; i < axis; i++) term[i].kind = INDEX_SLICE;
    term[axis] = (IndexTerm){.kind = INDEX_ARRAY, .array = positions};
    bool ok = then_index(in, v, term, axis + 1);
    array_release(positions);
    return ok;
}

static bool repeat_builtin(Interp *in, const Args *a, Value *out)
{
    bool given;
    int axis = 0;
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    if (!kw_axis(in, a, 0, &s, &given, &axis)) return false;
    Value v = value_retain(a->pos[0]);
    if (!given && !then_ravel(in, &v)) return false;
    bool ok = a->pos[1].kind == VAL_ARR ? repeat_by_counts(in, a, &v, axis)
                                        : repeat_equally(in, a, &v, axis);
    if (ok)
        *out = v;
    else
        value_clear(&v);
    return ok;
}

/* Leading ones, up to rank. */
static void align(Shape *s, int rank)
{
    int lead = rank - s->rank;
    for (int i = rank - 1; i >= 0; i--) s->dim[i] = i < lead ? 1 : s->dim[i - lead];
    s->rank = rank;
}

static bool tile_reps(Interp *in, const Args *a, Shape *reps)
{
    const Value *given;
    int n;
    if (a->n == 1) {
        error_set(&in->err, ERR_TYPE, "tile needs how often to repeat x along each axis");
        return error_hint(&in->err, "write tile(x, 3) or tile(x, 2, 3)");
    }
    if (!arg_parts(in, a, 1, &given, &n)) return false;
    for (int i = 0; i < n; i++) {
        int argument = a->n - 1 == n ? i + 1 : 1;
        if (given[i].kind != VAL_INT)
            return arg_error(in, a, argument, ERR_TYPE, "tile: reps must be Ints, not %s",
                             value_type_name(given[i]));
        if (given[i].i < 0)
            return arg_error(in, a, argument, ERR_VALUE,
                             "tile: one of reps is %lld, which is negative", (long long)given[i].i);
    }
    return arg_shape(in, a, 1, false, reps);
}

static bool tile_fits(Interp *in, const Args *a, const Shape *s, const Shape *reps)
{
    Shape whole = *s;
    int64_t size;
    for (int i = 0; i < s->rank; i++)
        if (__builtin_mul_overflow(s->dim[i], reps->dim[i], &whole.dim[i])) return too_large(in, a);
    return shape_size(&whole, &size, &in->err);
}

/* One axis after the other, the last one first: the blocks to repeat lie together. */
static bool tile_builtin(Interp *in, const Args *a, Value *out)
{
    Shape reps;
    if (!arg_numeric(in, a, 0) || !tile_reps(in, a, &reps)) return false;
    Shape s = value_shape(a->pos[0]);
    int rank = s.rank > reps.rank ? s.rank : reps.rank;
    align(&s, rank);
    align(&reps, rank);
    if (!tile_fits(in, a, &s, &reps)) return false;
    *out = value_retain(a->pos[0]);
    for (int axis = rank - 1; axis >= 0; axis--) {
        int64_t before, after, n = reps.dim[axis];
        around(&s, axis, &before, &after);
        int64_t inner = s.dim[axis] * after;
        s.dim[axis] *= n;
        if (n != 1 && !then_repeat(in, out, before, n, inner, &s)) return false;
    }
    return then_reshape(in, out, &s);
}

const Builtin builtins_arrange[] = {
    {"transpose", "transpose(x, axes…)",
     "x with its axes in the reverse order, or in the order that is given as Ints or as one tuple; "
     "each axis must be named once. A view: nothing is copied.",
     transpose_builtin},
    {"concat", "concat(parts…, axis = 0)",
     "Arrays joined along an axis they have; they must agree in all other sizes. The parts are "
     "arguments, or the elements of one tuple. Types widen to the widest. `concat([1, 2], [3])` "
     "is `[1, 2, 3]`.",
     concat_builtin},
    {"stack", "stack(parts…, axis = 0)",
     "Numbers or arrays of one shape joined along a new axis, which becomes axis number axis of "
     "the result. The parts are arguments, or the elements of one tuple. `stack([1, 2], [3, 4], "
     "axis = 1)[0]` is `[1, 3]`.",
     stack_builtin},
    {"repeat", "repeat(x, n, axis = none)",
     "Every element n times in a row, along axis or in x flattened. An Int array as n gives "
     "each position a count of its own. The derivative adds up over the repetitions. "
     "`repeat([1, 2], 2)` is `[1, 1, 2, 2]`.",
     repeat_builtin},
    {"tile", "tile(x, reps…)",
     "x as a whole, repeated reps times along each axis (Ints or one tuple); the shorter of x's "
     "shape and reps gets leading ones. The derivative adds up over the repetitions. `tile([1, "
     "2], 2)` is `[1, 2, 1, 2]`.",
     tile_builtin},
    {"flip", "flip(x, axis = none)",
     "x in reverse order along axis (an Int or a tuple), or along all of them. A view: nothing "
     "is copied. `flip([1, 2, 3])` is `[3, 2, 1]`.",
     flip_builtin},
    {"roll", "roll(x, shift, axis = none)",
     "x moved by shift places towards higher indexes; what leaves at the end comes in at the "
     "start. Without an axis x is rolled as if flattened, and keeps its shape. `roll([1, 2, 3], "
     "1)` is `[3, 1, 2]`.",
     roll_builtin},
    {"pad", "pad(x, widths, value = 0)",
     "x with value around it. widths is an Int for every side, a pair (before, after) for every "
     "axis, or a tuple with a pair for each axis; negative ones are an error. Without value the "
     "elements are zeros of x's type. Differentiable by x and value. `pad([1, 2], (1, 0))` is "
     "`[0, 1, 2]`.",
     pad_builtin},
    {"diag", "diag(x, k = 0)",
     "Of a vector the square matrix with it on its k-th diagonal and zeros elsewhere; of a "
     "matrix its k-th diagonal, as a vector. k counts upwards from the main diagonal, and "
     "downwards when negative. Other ranks are an error. `diag([[1, 2], [3, 4]])` is `[1, 4]`.",
     diag_builtin},
    {"tril", "tril(x, k = 0)",
     "x with zeros above the k-th diagonal of its last two axes: the lower triangle for k = 0. "
     "x needs two axes or more. The derivative passes where x stayed.",
     tril_builtin},
    {"triu", "triu(x, k = 0)",
     "x with zeros below the k-th diagonal of its last two axes: the upper triangle for k = 0. "
     "x needs two axes or more. The derivative passes where x stayed.",
     triu_builtin},
    {"outer", "outer(a, b)",
     "The matrix of all products a[i] * b[j], of a and b flattened: of shape size(a)×size(b). "
     "`outer([1, 2], [3, 4])[1]` is `[6, 8]`.",
     outer_builtin},
    {"where", "where(c, x, y)",
     "x where the condition c holds and y elsewhere; all three broadcast, and c must be Bool. A "
     "derivative goes to the operand that was chosen alone: what the other one would have "
     "given, even inf or nan, plays no part. `where([true, false], 1, [5, 6])` is `[1, 6]`.",
     where_builtin},
    {"clip", "clip(x, lo, hi)",
     "min(max(x, lo), hi), elementwise; none as a bound leaves that side open. At a bound the "
     "derivative is half of what it is inside, and beyond it 0. `clip([-1.0, 0.5, 2.0], 0.0, "
     "1.0)` is `[0.0, 0.5, 1.0]`.",
     clip_builtin},
    {0},
};

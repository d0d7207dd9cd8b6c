/* Joining and splitting. */
#include <limits.h>

#include "builtins/arrange.h"

/* ---- joining ---- */

/* The parts as they were given: arguments, or the items of one tuple. An array alone is no tuple of
 * its rows: whether one part or several were meant would be a guess. */
static bool given_parts(Interp *in, const Args *a, const Value **part, int *n)
{
    const char *name = a->builtin->name;
    if (a->n == 1 && a->pos[0].kind != VAL_TUPLE) {
        arg_error(in, a, 0, ERR_TYPE, "%s: one argument must be a tuple of parts, not %s", name,
                  value_type_name(a->pos[0]));
        return error_hint(&in->err, "write %s(x, y), %s((x, y)), or %s((x,)) for a single part",
                          name, name, name);
    }
    if (!arg_parts(in, a, 0, part, n)) return false;
    if (*n == 0) return error_set(&in->err, ERR_VALUE, "%s needs at least one part", name);
    return true;
}

/* The argument that holds part i. */
static int argument_of(const Args *a, int i)
{
    return a->n == 1 ? 0 : i;
}

static bool check_part_kind(Interp *in, const Args *a, Value part, int i, bool allow_number)
{
    const char *name = a->builtin->name;
    if (part.kind == VAL_ARR || (allow_number && value_is_number(part))) return true;
    arg_error(in, a, argument_of(a, i), ERR_TYPE, "%s: part %d must be %s, not %s", name, i,
              allow_number ? "a number or an array" : "an array", value_type_name(part));
    if (value_is_number(part)) error_hint(&in->err, "stack joins numbers; [x] makes one an array");
    return false;
}

/* Whether the shapes agree, but for the size along axis when it is not negative. */
static bool check_part_shape(Interp *in, const Args *a, Value first, Value part, int i, int axis)
{
    Shape want = value_shape(first), have = value_shape(part), changed = have;
    if (axis >= 0 && want.rank == have.rank) changed.dim[axis] = want.dim[axis];
    if (shape_equal(&want, &changed)) return true;
    arg_error(in, a, argument_of(a, i), ERR_SHAPE, "%s: part %d is %s, but part 0 is %s",
              a->builtin->name, i, shape_phrase(&have), shape_phrase(&want));
    if (axis >= 0)
        return error_note(&in->err, "parts may differ only along axis %d, where they are joined",
                          axis);
    return error_note(&in->err, "all parts must have the same shape");
}

bool concat_builtin(Interp *in, const Args *a, Value *out)
{
    const Value *part;
    int n;
    OpAttr attr = {0};
    if (!given_parts(in, a, &part, &n) || !check_part_kind(in, a, part[0], 0, false)) return false;
    Shape first = value_shape(part[0]);
    if (!kw_axis_or_first(in, a, 0, &first, &attr.axis)) return false;
    for (int i = 1; i < n; i++)
        if (!check_part_kind(in, a, part[i], i, false) ||
            !check_part_shape(in, a, part[0], part[i], i, attr.axis))
            return false;
    return op_apply(&in->ad, OP_CONCAT, part, n, &attr, out);
}

/* *v with its first axis moved to place axis. */
static bool then_move_first(Interp *in, Value *v, int axis)
{
    OpAttr order = {.shape.rank = v->arr->rank};
    for (int i = 0; i < order.shape.rank; i++)
        order.shape.dim[i] = i < axis ? i + 1 : i == axis ? 0 : i;
    Value moved;
    bool ok = axis == 0 || op_apply(&in->ad, OP_TRANSPOSE, v, 1, &order, &moved);
    if (axis == 0) return true;
    value_release(*v);
    *v = ok ? moved : (Value){0};
    return ok;
}

bool stack_builtin(Interp *in, const Args *a, Value *out)
{
    const Value *part;
    int n, axis;
    if (!given_parts(in, a, &part, &n)) return false;
    for (int i = 0; i < n; i++)
        if (!check_part_kind(in, a, part[i], i, true) ||
            !check_part_shape(in, a, part[0], part[i], i, -1))
            return false;
    Shape s = value_shape(part[0]);
    if (s.rank == MAX_RANK)
        return arg_error(in, a, 0, ERR_SHAPE,
                         "stack: parts of rank %d would give more than the %d axes allowed", s.rank,
                         MAX_RANK);
    for (int i = s.rank++; i > 0; i--) s.dim[i] = s.dim[i - 1];
    s.dim[0] = n; /* the result's shape for axis = 0: axis is one of the result's */
    return kw_axis_or_first(in, a, 0, &s, &axis) &&
           op_apply(&in->ad, OP_STACK, part, n, NULL, out) && then_move_first(in, out, axis);
}

/* ---- splitting ---- */

/* Where x is cut along an axis: part i is place(i) … place(i + 1). */
typedef struct {
    Value x;
    int axis, parts;
    int64_t size;       /* of the axis */
    const Value *place; /* of a tuple; or */
    const Array *array; /* of an Int array; or neither: equal parts */
} Cuts;

static bool equal_parts(Interp *in, const Args *a, Cuts *c)
{
    enum { MOST = 1 << 24 };
    int64_t n = a->pos[1].i;
    if (n < 1 || n > MOST)
        return arg_error(in, a, 1, ERR_VALUE, "split: %s into %lld parts",
                         n < 1 ? "an array can't be split" : "no array is split", (long long)n);
    c->parts = (int)n;
    if (c->size % n == 0) return true;
    arg_error(in, a, 1, ERR_SHAPE,
              "split: axis %d of size %lld does not divide into %lld equal parts", c->axis,
              (long long)c->size, (long long)n);
    return error_hint(&in->err, "a tuple names the places to cut: split(x, (%lld,))",
                      (long long)(c->size / n));
}

/* Place i, counted from the start of the axis. */
static bool cut_place(Interp *in, const Args *a, const Cuts *c, int i, int64_t *place)
{
    if (i == 0 || i == c->parts) {
        *place = i == 0 ? 0 : c->size;
        return true;
    }
    if (!c->place && !c->array) {
        *place = c->size / c->parts * i;
        return true;
    }
    if (c->place && c->place[i - 1].kind != VAL_INT)
        return arg_error(in, a, 1, ERR_TYPE, "split: a place to cut must be an Int, not %s",
                         value_type_name(c->place[i - 1]));
    int64_t given = c->place ? c->place[i - 1].i : array_int_at(c->array, i - 1);
    *place = given < 0 ? given + c->size : given;
    if (*place >= 0 && *place <= c->size) return true;
    return arg_error(in, a, 1, ERR_INDEX,
                     "split: place %lld is out of range for axis %d of size %lld", (long long)given,
                     c->axis, (long long)c->size);
}

static bool start_cuts(Interp *in, const Args *a, Cuts *c)
{
    *c = (Cuts){.x = a->pos[0]};
    if (!arg_array(in, a, 0)) return false;
    Shape s = value_shape(c->x);
    if (!kw_axis_or_first(in, a, 0, &s, &c->axis)) return false;
    c->size = s.dim[c->axis];
    Value by = a->pos[1];
    if (by.kind == VAL_INT) return equal_parts(in, a, c);
    if (by.kind == VAL_TUPLE && by.tuple->len < INT_MAX) {
        c->place = by.tuple->item;
        c->parts = by.tuple->len + 1;
        return true;
    }
    if (by.kind == VAL_ARR && by.arr->rank == 1 && by.arr->dtype == DT_INT &&
        by.arr->size < INT_MAX) {
        c->array = by.arr;
        c->parts = (int)by.arr->size + 1;
        return true;
    }
    return arg_error(in, a, 1, ERR_TYPE,
                     "split: parts must be a number of parts or a tuple of places to cut, not %s",
                     value_type_name(by));
}

bool split_array(Interp *in, const Args *a, Value *out)
{
    Cuts c;
    if (!start_cuts(in, a, &c)) return false;
    Tuple *parts = tuple_new(c.parts);
    int64_t start = 0, stop = 0;
    bool ok = true;
    for (int i = 0; ok && i < c.parts; i++, start = stop) {
        ok = cut_place(in, a, &c, i + 1, &stop);
        if (ok && stop < start)
            ok =
                arg_error(in, a, 1, ERR_VALUE, "split: the places to cut go back from %lld to %lld",
                          (long long)start, (long long)stop);
        ok = ok && slice_axis(in, c.x, c.axis, start, stop, &parts->item[i]);
    }
    *out = value_tuple(parts);
    if (!ok) value_clear(out);
    return ok;
}

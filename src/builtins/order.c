#include <string.h>

#include "array/sort.h"
#include "base/interrupt.h"
#include "builtins/arrange.h"
#include "builtins/topics.h"

/* ---- sorting ---- */

/* *x (owned) and the axis to sort it along: the last one when none is given, and for axis = none
 * the only one of x flattened. */
static bool lanes(Interp *in, const Args *a, Value *x, OpAttr *attr)
{
    bool given;
    if (!arg_array(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    if (!kw_axis(in, a, 0, &s, &given, &attr->axis)) return false;
    if (!given) attr->axis = s.rank - 1;
    *x = value_retain(a->pos[0]);
    if (a->kw[0].kind != VAL_NONE) return true;
    attr->axis = 0;
    return then_ravel(in, x);
}

static bool argsort_builtin(Interp *in, const Args *a, Value *out)
{
    Value x;
    OpAttr attr = {0};
    if (!lanes(in, a, &x, &attr)) return false;
    bool ok = op_apply(&in->ad, OP_ARGSORT, &x, 1, &attr, out);
    value_release(x);
    return ok;
}

/* Positions along axis become positions in the whole array, row by row. */
static void flatten_positions(Array *positions, int axis)
{
    int64_t size = positions->dim[axis], inner = 1, *at = array_ints(positions);
    for (int i = axis + 1; i < positions->rank; i++) inner *= positions->dim[i];
    int64_t outer = positions->size == 0 ? 0 : positions->size / (size * inner);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t k = 0; k < size; k++)
            for (int64_t i = 0; i < inner; i++, at++) *at = (o * size + *at) * inner + i;
}

/* *x at flat positions (any shape, which becomes the result's). */
static bool then_gather(Interp *in, Value *x, Array *positions)
{
    IndexTerm term = {.kind = INDEX_ARRAY, .array = positions};
    return then_ravel(in, x) && then_index(in, x, &term, 1);
}

static bool sort_builtin(Interp *in, const Args *a, Value *out)
{
    Value x, positions;
    OpAttr attr = {0};
    if (!lanes(in, a, &x, &attr)) return false;
    bool ok = op_apply(&in->ad, OP_ARGSORT, &x, 1, &attr, &positions);
    if (!ok) {
        value_release(x);
        return false;
    }
    ok = array_unshare(&positions.arr, &in->err);
    if (ok) {
        if (x.arr->rank > 1) flatten_positions(positions.arr, attr.axis);
        ok = then_gather(in, &x, positions.arr);
    } else {
        value_clear(&x);
    }
    value_release(positions);
    *out = x;
    return ok;
}

/* The first positions of each group of equal elements of a flat array, from those that sort it. */
static Array *first_positions(const Array *flat, const Array *order, Error *err)
{
    const int64_t *at = array_ints(order);
    Shape s = {.rank = 1, .dim = {0}};
    Array *firsts = array_new(DT_INT, &(Shape){1, {order->size}}, err);
    int64_t before = 0;
    Stretch part = {0};
    while (firsts && stretch_next(&part, order->size, err))
        for (int64_t i = part.start; i < part.end; i++) {
            int64_t key = order_key(flat, array_offset(flat, at[i]));
            if (i == 0 || key != before) array_ints(firsts)[s.dim[0]++] = at[i];
            before = key;
        }
    if (!firsts || !stretch_done(&part, order->size)) return array_if(false, firsts);
    firsts->dim[0] = s.dim[0];
    array_update_layout(firsts);
    return firsts;
}

static bool unique_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Value order, x = value_retain(a->pos[0]);
    if (!then_ravel(in, &x)) return false;
    if (!op_apply(&in->ad, OP_ARGSORT, &x, 1, &(OpAttr){.axis = 0}, &order)) {
        value_release(x);
        return false;
    }
    Array *firsts = first_positions(x.arr, order.arr, &in->err);
    bool ok = firsts != NULL;
    if (ok)
        ok = then_gather(in, &x, firsts);
    else
        value_clear(&x);
    array_release(firsts);
    value_release(order);
    *out = x;
    return ok;
}

/* ---- searching ---- */

static bool kw_side(Interp *in, const Args *a, bool *right)
{
    *right = false;
    Value side = a->kw[0];
    if (!value_is_set(side)) return true;
    if (side.kind == VAL_STR) {
        *right = strcmp(side.str->text, "right") == 0;
        if (*right || strcmp(side.str->text, "left") == 0) return true;
    }
    return arg_error(in, a, a->n, ERR_VALUE, "searchsorted: side must be \"left\" or \"right\"");
}

static bool searchsorted_builtin(Interp *in, const Args *a, Value *out)
{
    bool right;
    if (!arg_array(in, a, 0) || !arg_numeric(in, a, 1) || !kw_side(in, a, &right)) return false;
    Array scratch, *sorted = a->pos[0].arr;
    Shape s = shape_of(sorted);
    if (s.rank != 1)
        return arg_error(in, a, 0, ERR_SHAPE, "searchsorted: sorted must be a vector, not %s",
                         shape_phrase(&s));
    *out = value_from_array_take(
        sort_search(sorted, value_operand(&a->pos[1], &scratch), right, &in->err));
    return value_is_set(*out);
}

const Builtin builtins_order[] = {
    {"sort", "sort(x, axis = -1)",
     "x in ascending order along axis, or flattened for axis = none; equal elements keep their "
     "order, and nan comes last. The derivative goes back to where each element came from. "
     "`sort([3, 1, 2])` is `[1, 2, 3]`.",
     sort_builtin},
    {"argsort", "argsort(x, axis = -1)",
     "The positions along axis that sort x, so that x[argsort(x)] is sort(x) for a vector; "
     "Ints, with no derivative. For axis = none the positions are those in x flattened. "
     "`argsort([3, 1, 2])` is `[1, 2, 0]`.",
     argsort_builtin},
    {"unique", "unique(x)",
     "The different elements of x in ascending order, along a single axis; every nan counts as "
     "the same one. The derivative goes to the first of equal elements. `unique([2, 1, 2])` is "
     "`[1, 2]`.",
     unique_builtin},
    {"searchsorted", "searchsorted(sorted, v, side = \"left\")",
     "For each element of v the position at which it would keep the ascending vector sorted in "
     "order: before its equals, or after them for side = \"right\". Ints, with no derivative. "
     "`searchsorted([1, 3, 5], [3, 4])` is `[1, 2]`.",
     searchsorted_builtin},
    {0},
};

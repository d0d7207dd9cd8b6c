#include "ad/rule.h"

#include "array/elementwise/elementwise.h"
#include "array/linalg/matmul.h"

#define reverse_none NULL
#define forward_none NULL

const RuleRow rule_rows[OP_COUNT] = {
#define OP(code, name, arity, kernel, detail, x, y, rev, fwd, doc)                                 \
    [OP_##code] = {reverse_##rev, forward_##fwd},
#include "ops/op_list.h"
#undef OP
};

void rule_finish(Rule *r)
{
    while (r->ad->pool.len > r->n_before) value_release(VEC_POP(&r->ad->pool));
}

Value keep_take(Rule *r, Value v)
{
    if (v.kind >= VAL_STR) VEC_PUSH(&r->ad->pool, v);
    return v;
}

bool wants(const Rule *r, int input)
{
    return r->is_forward ? input == r->wanted : r->parent[input] != NO_PARENT;
}

Shape in_shape(const Rule *r, int input)
{
    if (r->is_forward) return value_shape(r->input[input]);
    const Shape *s = node_shape(r->level, r->parent[input]);
    Shape copy;
    shape_copy(&copy, s->rank, s->dim);
    return copy;
}

/* ---- adding up ---- */

static bool is_plain_array(Value v)
{
    return v.kind == VAL_ARR && v.level == 0 && v.arr->dtype == DT_FLOAT && v.arr->contiguous;
}

bool cotangent_is_own(Value to)
{
    return is_plain_array(to) && array_is_unique(to.arr);
}

bool cotangent_add_take(Ad *ad, Value *place, Value contribution)
{
    if (!value_is_set(*place)) {
        *place = contribution;
        return true;
    }
    if (place->kind == VAL_FLOAT && contribution.kind == VAL_FLOAT && !place->level &&
        !contribution.level) {
        place->f += contribution.f;
        return true;
    }
    if (!ad->trace && cotangent_is_own(*place) && is_plain_array(contribution) &&
        place->arr->size == contribution.arr->size) {
        elementwise_add_into(place->arr, contribution.arr);
        value_release(contribution);
        return true;
    }
    Value sum;
    bool ok = op_apply2(ad, OP_ADD, *place, contribution, &sum);
    value_release(contribution);
    if (!ok) return false;
    value_release(*place);
    *place = sum;
    return true;
}

/* v, which has the result's shape, summed back over the axes along which an input of shape s was
 * broadcast. */
static Value fitted(Rule *r, Value v, const Shape *s)
{
    Shape have = value_shape(v);
    unsigned axes = 0;
    int lead = have.rank - s->rank;
    for (int i = 0; i < have.rank; i++)
        if (i < lead || (s->dim[i - lead] == 1 && have.dim[i] != 1)) axes |= 1u << i;
    if (lead >= 0) v = reshape_to(r, sum_axes(r, v, axes, true), s);
    return broadcast_to(r, v, s);
}

void give(Rule *r, int input, Value v)
{
    Value *place = &r->result;
    if (!r->is_forward && !r->failed) {
        const Shape *s = node_shape(r->level, r->parent[input]);
        if (!value_has_shape(v, s)) v = fitted(r, v, s);
        place = &r->level->cotangent[r->parent[input]];
    }
    if (r->failed) return;
    r->failed = !cotangent_add_take(r->ad, place, value_retain(v));
}

void give_product(Rule *r, int input, Value a, Value b)
{
    Value place = r->level->cotangent[r->parent[input]];
    if (!r->failed && !r->ad->trace && a.kind == VAL_ARR && b.kind == VAL_ARR &&
        values_are_plain(a, b) && cotangent_is_own(place) &&
        matmul_add_into(place.arr, a.arr, b.arr))
        return;
    give(r, input, matrix_product(r, a, b));
}

/* ---- operations ---- */

Value apply_attr(Rule *r, OpCode op, const Value *in, int n, const OpAttr *attr)
{
    Value made;
    if (!r->failed && op_apply(r->ad, op, in, n, attr, &made)) return keep_take(r, made);
    r->failed = true;
    return value_float(0.0);
}

Value select_where(Rule *r, Value condition, Value a, Value b)
{
    Value in[3] = {a, b, condition};
    return apply_attr(r, OP_WHERE, in, 3, NULL);
}

Value sum_axes(Rule *r, Value a, unsigned axes, bool keepdims)
{
    OpAttr attr = {.axes = axes, .keepdims = keepdims};
    return axes ? apply_attr(r, OP_SUM, &a, 1, &attr) : a;
}

static Value shaped(Rule *r, OpCode op, Value a, const Shape *s)
{
    if (value_has_shape(a, s)) return a;
    OpAttr attr = {0};
    shape_copy(&attr.shape, s->rank, s->dim);
    return apply_attr(r, op, &a, 1, &attr);
}

Value reshape_to(Rule *r, Value a, const Shape *s)
{
    return shaped(r, OP_RESHAPE, a, s);
}

Value broadcast_to(Rule *r, Value a, const Shape *s)
{
    return shaped(r, OP_BROADCAST, a, s);
}

Value transposed(Rule *r, Value a)
{
    int rank = value_shape(a).rank;
    if (rank < 2) return a;
    OpAttr attr = {.shape.rank = rank};
    for (int i = 0; i < rank; i++) attr.shape.dim[i] = i;
    attr.shape.dim[rank - 1] = rank - 2;
    attr.shape.dim[rank - 2] = rank - 1;
    return apply_attr(r, OP_TRANSPOSE, &a, 1, &attr);
}

Value with_axes(Rule *r, Value reduced, const Shape *input)
{
    Shape kept = *input;
    if (reduced.kind != VAL_ARR) return reduced;
    for (int i = 0; i < input->rank; i++)
        if (r->attr->axes >> i & 1) kept.dim[i] = 1;
    return reshape_to(r, reduced, &kept);
}

Value expand(Rule *r, Value reduced, const Shape *input)
{
    return broadcast_to(r, with_axes(r, reduced, input), input);
}

Value indexed(Rule *r, Value a, Selection *s)
{
    OpAttr attr = {.selection = s};
    return apply_attr(r, OP_INDEX, &a, 1, &attr);
}

Value indexed_along(Rule *r, Value a, int axis, IndexTerm wanted)
{
    if (r->failed) return a;
    Shape s = value_shape(a);
    IndexTerm term[MAX_RANK] = {0};
    for (int i = 0; i < s.rank; i++) term[i].kind = INDEX_SLICE;
    term[axis] = wanted;
    Selection *selection = selection_new(&s, term, s.rank, r->ad->err);
    if (!selection) {
        r->failed = true;
        return a;
    }
    Value made = indexed(r, a, selection);
    selection_release(selection);
    return made;
}

Value sliced(Rule *r, Value a, int axis, int64_t start, int64_t stop)
{
    IndexTerm term = {
        .kind = INDEX_SLICE, .has_start = true, .has_stop = true, .start = start, .stop = stop};
    return indexed_along(r, a, axis, term);
}

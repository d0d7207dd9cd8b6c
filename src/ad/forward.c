#include "ad/forward.h"

#include "ad/rules.h"

static Value tangent_of(const Level *level, Value v, int depth)
{
    return v.level == depth ? level->node[v.node].tangent : (Value){0};
}

bool forward_stamp_take(Ad *ad, int depth, Value *v, Value tangent)
{
    uint32_t number;
    Node *node = tape_push(ad->level[depth], &number, ad->err);
    if (!node) {
        value_release(tangent);
        return false;
    }
    node->form = FORM_TANGENT;
    node->primal_level = v->level;
    node->primal_node = v->node;
    node->tangent = tangent;
    tape_stamp(v, depth, number);
    return true;
}

/* ---- the two general rules ---- */

void forward_diagonal(Rule *r)
{
    for (int i = 0; i < r->n; i++) {
        if (!value_is_set(r->tangent[i])) continue;
        r->wanted = i;
        r->cotangent = r->tangent[i];
        rule_rows[r->op].reverse(r);
    }
}

static Value tangent_or_zeros(Rule *r, int i)
{
    if (value_is_set(r->tangent[i])) return r->tangent[i];
    Shape s = shape_in(r->input[i]);
    return zeros_of(r, &s);
}

void forward_linear(Rule *r)
{
    Value few[4];
    Value *in = r->n <= 4 ? few : mem_alloc((size_t)r->n * sizeof *in);
    for (int i = 0; i < r->n; i++) in[i] = tangent_or_zeros(r, i);
    if (r->op == OP_SET_INDEX || r->op == OP_ADD_INDEX)
        give(r, X, updated(r, r->op, in[0], r->attr->selection, in[1]));
    else
        give(r, X, apply_attr(r, r->op, in, r->n, r->attr));
    if (in != few) mem_free(in);
}

/* ---- recording ---- */

/* Diagonal rules may leave the tangent in the shape of a smaller operand. */
static bool settle_shape(Ad *ad, Value result, Value *tangent)
{
    Shape want = value_shape(result), have = value_shape(*tangent);
    if (shape_equal(&want, &have)) return true;
    Value wide;
    if (!op_broadcast(ad, *tangent, &want, &wide)) return false;
    value_release(*tangent);
    *tangent = wide;
    return true;
}

static bool run_rule(Ad *ad, Rule *r, Value result, Value *tangent)
{
    for (int i = 0; i < 3 && i < r->n; i++) r->saved[i] = r->input[i];
    r->saved_out = result;
    Shape shape = value_shape(result);
    r->out_shape = &shape;
    r->is_forward = true;
    rule_rows[r->op].forward(r);
    *tangent = r->result;
    rule_finish(r);
    if (!r->failed && (!value_is_set(*tangent) || settle_shape(ad, result, tangent))) return true;
    value_clear(tangent);
    return false;
}

bool forward_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result)
{
    Level *level = ad->level[depth];
    if (!value_is_float(*result)) return true;
    Value few[4];
    Value *tangent = n <= 4 ? few : mem_alloc((size_t)n * sizeof *tangent);
    for (int i = 0; i < n; i++) tangent[i] = tangent_of(level, in[i], depth);
    Rule r;
    rule_start(&r, ad, level, op);
    r.attr = attr;
    r.n = n;
    r.tangent = tangent;
    r.input = low;
    Value made = {0};
    bool ok = run_rule(ad, &r, *result, &made);
    if (tangent != few) mem_free(tangent);
    if (!ok || !value_is_set(made)) return ok;
    return forward_stamp_take(ad, depth, result, made);
}

bool forward_element(Ad *ad, int depth, Value v, int64_t offset, Value *out)
{
    Level *level = ad->level[depth];
    Value tangent;
    if (!op_element(ad, level->node[v.node].tangent, offset, &tangent)) return false;
    if (!op_element(ad, tape_peel(level, depth, v), offset, out)) {
        value_release(tangent);
        return false;
    }
    return forward_stamp_take(ad, depth, out, tangent);
}

/* The tangent that an update starts from, owned. It is taken out of the old node when nobody else
 * can ask for it: nobody does if the updated value is the only owner of its payload. */
static bool start_tangent(Ad *ad, Level *level, int depth, Value old, Value *tangent)
{
    if (old.level != depth) {
        Shape s = value_shape(old);
        Array *zeros = array_zeros(DT_FLOAT, &s, ad->err);
        *tangent = value_from_array_take(zeros);
        return zeros != NULL;
    }
    Value *kept = &level->node[old.node].tangent;
    *tangent = *kept;
    if (old.arr->head.refs == 1)
        *kept = (Value){0};
    else
        value_retain(*tangent);
    return true;
}

bool forward_update(Ad *ad, int depth, OpCode op, Value *target, const Selection *selection,
                    Value v)
{
    Level *level = ad->level[depth];
    Value old = *target, low = tape_peel(level, depth, old), tangent;
    Value tv = v.level == depth ? level->node[v.node].tangent : value_float(0.0);
    bool update_tangent = op == OP_SET_INDEX || v.level == depth;
    if (old.kind != VAL_ARR) return op_update(ad, op, &low, selection, tape_peel(level, depth, v));
    if (!start_tangent(ad, level, depth, old, &tangent)) return false;
    if (!op_update(ad, op, &low, selection, tape_peel(level, depth, v))) {
        /* *target stays valid: put back what may have been taken. */
        if (old.level == depth && !value_is_set(level->node[old.node].tangent))
            level->node[old.node].tangent = tangent;
        else
            value_release(tangent);
        return false;
    }
    *target = low;
    if (update_tangent && !op_update(ad, op, &tangent, selection, tv)) {
        value_release(tangent);
        return false;
    }
    return forward_stamp_take(ad, depth, target, tangent);
}

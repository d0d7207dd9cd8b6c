#include "ad/rule.h"

static Value tangent_of(const Level *level, Value v, int depth)
{
    return v.level == depth ? level->node[v.node].tangent : (Value){0};
}

bool forward_stamp_take(Ad *ad, int depth, Value *v, Value tangent)
{
    Node *node = tape_record(ad, depth, FORM_TANGENT, OP_COUNT, v);
    if (node)
        node->tangent = tangent;
    else
        value_release(tangent);
    return node != NULL;
}

/* ---- the two general rules ---- */

void forward_diagonal(Rule *r)
{
    for (int i = 0; i < r->n; i++) {
        if (!value_is_set(r->tangent[i])) continue;
        r->wanted = i;
        r->g = r->tangent[i];
        rule_rows[r->op].reverse(r);
    }
}

void forward_linear(Rule *r)
{
    Value few[4] = {0};
    Value *in = r->n <= 4 ? few : mem_alloc((size_t)r->n * sizeof *in);
    for (int i = 0; i < r->n; i++) {
        Shape s = value_shape(r->input[i]);
        in[i] = value_is_set(r->tangent[i]) ? r->tangent[i] : broadcast_to(r, num(0), &s);
    }
    give(r, X, apply_attr(r, r->op, in, r->n, r->attr));
    if (in != few) mem_free(in);
}

/* ---- recording ---- */

/* The result's tangent, unset where there is none. Diagonal rules may leave it in the shape of a
 * smaller operand. */
static bool run_rule(Rule *r, Value result, Value *tangent)
{
    Shape shape = value_shape(result);
    for (int i = 0; i < 3 && i < r->n; i++) r->saved[i] = r->input[i];
    r->out = result;
    r->out_shape = &shape;
    r->is_forward = true;
    rule_rows[r->op].forward(r);
    *tangent = (Value){0};
    if (value_is_set(r->result))
        *tangent = value_retain(broadcast_to(r, keep_take(r, r->result), &shape));
    rule_finish(r);
    if (r->failed) value_clear(tangent);
    return !r->failed;
}

bool forward_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result)
{
    if (!value_is_float(*result)) return true;
    Level *level = ad->level[depth];
    Value few[4], made;
    Value *tangent = n <= 4 ? few : mem_alloc((size_t)n * sizeof *tangent);
    for (int i = 0; i < n; i++) tangent[i] = tangent_of(level, in[i], depth);
    Rule r;
    rule_start(&r, ad, level, op);
    r.attr = attr;
    r.n = n;
    r.tangent = tangent;
    r.input = low;
    bool ok = run_rule(&r, *result, &made);
    if (tangent != few) mem_free(tangent);
    return ok && (!value_is_set(made) || forward_stamp_take(ad, depth, result, made));
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

bool forward_update(Ad *ad, int depth, OpCode op, Value *target, const Selection *selection,
                    Value v)
{
    Level *level = ad->level[depth];
    Value old = *target, low = tape_peel(level, depth, old), low_v = tape_peel(level, depth, v);
    if (old.kind != VAL_ARR) return op_update(ad, op, &low, selection, low_v);
    bool is_only = old.arr->head.refs == 1;
    Value tangent, tangent_v = v.level == depth ? tangent_of(level, v, depth) : num(0);
    if (!tangent_leaf(ad, depth, &old, &tangent)) return false;
    if (!op_update(ad, op, &low, selection, low_v)) {
        value_release(tangent);
        return false;
    }
    *target = low;
    /* Nobody can ask for the old tangent any more: it is updated in place, too. */
    if (is_only && old.level == depth) value_clear(&level->node[old.node].tangent);
    if ((op == OP_SET_INDEX || v.level == depth) &&
        !op_update(ad, op, &tangent, selection, tangent_v)) {
        value_release(tangent);
        return false;
    }
    return forward_stamp_take(ad, depth, target, tangent);
}

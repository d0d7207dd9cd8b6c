/* Fused expressions: their steps one by one, and their derivatives. */
#include <string.h>

#include "ad/fused.h"
#include "ad/rule.h"

/* ---- the steps one by one ---- */

bool fused_run_steps(Ad *ad, const TileProgram *p, const Value *leaf, Value *out)
{
    Value made[FUSED_LEAVES + FUSED_STEPS];
    int i = 0;
    memcpy(made, leaf, (size_t)p->n_leaves * sizeof *made);
    for (; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        Value in[3];
        int arity = elementwise_info[s->f].arity;
        for (int k = 0; k < arity; k++) in[k] = made[s->operand[k]];
        OpCode op = op_of_elementwise((Elementwise)s->f);
        if (!op_apply(ad, op, in, arity, NULL, &made[p->n_leaves + i])) break;
    }
    bool ok = i == p->n_steps;
    if (ok) *out = made[p->n_leaves + --i];
    while (i > 0) value_release(made[p->n_leaves + --i]);
    return ok;
}

static bool tracked_once(const Ad *ad, const Value *leaf, int n)
{
    int level = 0;
    for (int i = 0; i < n; i++) {
        if (!leaf[i].level) continue;
        if (level && leaf[i].level != level) return false;
        level = leaf[i].level;
        if (ad->level[level]->node[leaf[i].node].primal_level) return false;
        for (int k = 0; k < i; k++)
            if (leaf[k].level && leaf[k].node == leaf[i].node) return false;
    }
    return true;
}

bool fused_can_apply(const Ad *ad, const TileProgram *p, const Value *leaf)
{
    Array scratch[FUSED_LEAVES], *a[FUSED_LEAVES];
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    Error ignored = {0};
    Shape room;
    for (int i = 0; i < p->n_leaves; i++) {
        if (!value_is_numeric(leaf[i])) return false;
        a[i] = value_operand(&leaf[i], &scratch[i]);
        is_float[i] = a[i]->dtype == DT_FLOAT;
    }
    /* Derivatives open a level of their own. */
    if (ad->depth == MAX_LEVELS || !tracked_once(ad, leaf, p->n_leaves) ||
        !elementwise_meets_floats(p->step, p->n_leaves, p->n_steps, is_float))
        return false;
    const Shape *shape = elementwise_shape(a, p->n_leaves, &room, &ignored);
    error_clear(&ignored);
    for (int i = 0; shape && i < p->n_leaves; i++)
        if (leaf[i].level && !array_has_shape(a[i], shape)) return false;
    return shape != NULL;
}

/* ---- reverse ---- */

/* All leaves, for the steps are done again where one pass can't be; the result where the last step's
 * rule reads it. */
unsigned fused_saves(const TileProgram *p, unsigned tracked)
{
    unsigned saves = 0;
    for (int i = 0; i < p->n_leaves; i++) saves |= save_input(i);
    for (int i = 0; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        const OpRow *row = &op_rows[op_of_elementwise((Elementwise)s->f)];
        bool x = tracked >> s->operand[0] & 1, y = row->arity > 1 && (tracked >> s->operand[1] & 1);
        if (x || y) tracked |= 1u << (p->n_leaves + i);
        if (i == p->n_steps - 1)
            saves |= ((x ? row->saves_for_x : 0u) | (y ? row->saves_for_y : 0u)) & SAVE_OUT;
    }
    return saves;
}

/* Seeds the result and the leaves, sweeps, and takes what has arrived. */
static bool sweep_leaves(Ad *ad, int n, const Value *tracked, Value result, Value cotangent,
                         Value *const *place)
{
    bool ok = ad_sweep_part(ad, result, cotangent);
    for (int i = 0; ok && i < n; i++)
        if (place[i] && value_is_set(*place[i])) ok = sweep_give(ad, tracked[i], *place[i]);
    ok = ok && ad_sweep_run(ad);
    for (int i = 0; ok && i < n; i++) {
        Value made;
        if (!place[i]) continue;
        ok = ad_gradient(ad, tracked[i], &made);
        if (!ok) break;
        value_release(*place[i]);
        *place[i] = made;
    }
    return ok;
}

bool fused_replay(Ad *ad, const TileProgram *p, const Value *leaf, Value cotangent,
                  Value *const *place)
{
    Value tracked[FUSED_LEAVES] = {0}, result;
    int n = p->n_leaves;
    if (!ad_open_reverse(ad)) return false;
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        if (place[i])
            ok = ad_track(ad, leaf[i], &tracked[i]);
        else
            tracked[i] = value_retain(leaf[i]);
    if (ok && (ok = fused_run_steps(ad, p, tracked, &result))) {
        ok = sweep_leaves(ad, n, tracked, result, cotangent, place);
        value_release(result);
    }
    for (int i = 0; i < n; i++) value_release(tracked[i]);
    ad_close(ad);
    return ok;
}

/* Any operands: tracked ones, and those that one pass can't take. */
void reverse_fused(Rule *r)
{
    Value *place[FUSED_LEAVES] = {NULL};
    for (int i = 0; i < r->n; i++)
        if (wants(r, i)) place[i] = &r->level->cotangent[r->parent[i]];
    r->failed = !fused_replay(r->ad, r->attr->program, r->saved, r->g, place);
}

/* Forward levels run the steps with their own rules. */
void forward_fused(Rule *r)
{
    Ad *ad = r->ad;
    Value tracked[FUSED_LEAVES] = {0}, result, tangent;
    bool ok = true;
    r->failed = true;
    if (!ad_open_forward(ad)) return;
    for (int i = 0; ok && i < r->n; i++) {
        Value moved = value_is_set(r->tangent[i]) ? r->tangent[i] : value_none();
        ok = ad_track_tangent(ad, r->input[i], moved, &tracked[i]);
    }
    if (ok && fused_run_steps(ad, r->attr->program, tracked, &result)) {
        r->failed = !ad_tangent(ad, result, &tangent);
        value_release(result);
    }
    for (int i = 0; i < r->n; i++) value_release(tracked[i]);
    ad_close(ad);
    if (!r->failed) give(r, X, keep_take(r, tangent));
}

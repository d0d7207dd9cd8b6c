/* Fused expressions: their steps one by one, and their derivatives. */
#include <string.h>

#include "ad/fused.h"
#include "ad/fused_gradient.h"
#include "ad/rules.h"

/* ---- the steps one by one ---- */

/* The operation of an Elementwise. */
static OpCode fused_op(Elementwise f)
{
    static uint8_t op_of[EW_COUNT];
    static bool made;
    for (int op = 0; !made && op < OP_COUNT; op++)
        if (op_rows[op].kernel == op_rows[OP_ADD].kernel) op_of[op_rows[op].detail] = (uint8_t)op;
    made = true;
    return (OpCode)op_of[f];
}

bool fused_run_steps(Ad *ad, const FusedProgram *p, const Value *leaf, Value *out)
{
    Value made[FUSED_LEAVES + FUSED_STEPS];
    int i = 0;
    memcpy(made, leaf, (size_t)p->n_leaves * sizeof *made);
    for (; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        Value in[2] = {made[s->operand[0]], made[s->operand[1]]};
        int arity = elementwise_info[s->f].arity;
        if (!op_apply(ad, fused_op((Elementwise)s->f), in, arity, NULL, &made[p->n_leaves + i]))
            break;
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
    }
    return true;
}

bool fused_can_apply(const Ad *ad, const FusedProgram *p, const Value *leaf)
{
    Array scratch[FUSED_LEAVES], *a[FUSED_LEAVES];
    Shape shape;
    for (int i = 0; i < p->n_leaves; i++) {
        if (!value_is_numeric(leaf[i])) return false;
        a[i] = value_operand(&leaf[i], &scratch[i]);
    }
    /* Derivatives open a level of their own. */
    if (ad->depth == MAX_LEVELS) return false;
    if (!tracked_once(ad, leaf, p->n_leaves) || !fused_fits(p, a, &shape)) return false;
    for (int i = 0; i < p->n_leaves; i++) {
        if (leaf[i].level && !array_has_shape(a[i], &shape)) return false;
        for (int k = 0; k < i; k++)
            if (leaf[i].level && leaf[k].level == leaf[i].level && leaf[k].node == leaf[i].node)
                return false;
    }
    return true;
}

/* ---- reverse ---- */

/* Any operands: tracked ones, and those that one pass can't take. */
static void replay(Rule *r)
{
    Value given[FUSED_LEAVES] = {0}, initial[FUSED_LEAVES] = {0};
    unsigned wanted = 0;
    for (int i = 0; i < r->n; i++) {
        if (!wants(r, i)) continue;
        wanted |= 1u << i;
        initial[i] = r->level->cotangent[r->parent[i]];
    }
    r->failed =
        !fused_replay(r->ad, r->attr->program, r->record->inputs, wanted, initial, g(r), given);
    for (int i = 0; i < r->n; i++) {
        if (!value_is_set(given[i])) continue;
        Value *place = &r->level->cotangent[r->parent[i]];
        value_release(*place);
        *place = given[i];
    }
}

void reverse_fused(Rule *r)
{
    if (!rule_run_tiled(r) && !r->failed) replay(r);
}

/* Forward levels run the steps with their own rules. */
void forward_fused(Rule *r)
{
    Ad *ad = r->ad;
    Value tracked[FUSED_LEAVES], result, tangent;
    int made = 0;
    if (!ad_open_forward(ad)) {
        r->failed = true;
        return;
    }
    bool ok = true;
    for (; ok && made < r->n; made++) {
        tracked[made] = value_retain(r->input[made]);
        if (!value_is_set(r->tangent[made])) continue;
        value_release(tracked[made]);
        ok = ad_track_tangent(ad, r->input[made], r->tangent[made], &tracked[made]);
        if (!ok) tracked[made] = value_none();
    }
    if (ok && (ok = fused_run_steps(ad, r->attr->program, tracked, &result))) {
        ok = ad_tangent(ad, result, &tangent);
        value_release(result);
    }
    for (int i = 0; i < made; i++) value_release(tracked[i]);
    ad_close(ad);
    if (ok)
        give(r, X, keep_take(r, tangent));
    else
        r->failed = true;
}

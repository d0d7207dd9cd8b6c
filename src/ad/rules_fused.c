/* A fused expression's derivative: its steps' own rules, traced once as a tile program that gives
 * all cotangents in one pass (fused_gradient.h). Elementwise, so the bits are those of the unfused
 * steps. */
#include <string.h>

#include "ad/fused.h"
#include "ad/fused_gradient.h"
#include "ad/rules.h"

/* ---- the steps one by one ---- */

OpCode fused_op(Elementwise f)
{
    static uint8_t op_of[EW_COUNT];
    static bool made;
    for (int op = 0; !made && op < OP_COUNT; op++)
        if (op_rows[op].kernel == op_rows[OP_ADD].kernel) op_of[op_rows[op].detail] = (uint8_t)op;
    made = true;
    return (OpCode)op_of[f];
}

bool fused_unfused(Ad *ad, const FusedProgram *p, const Value *leaf, Value *out, int *failed_step)
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
    if (ok)
        *out = made[p->n_leaves + --i];
    else
        *failed_step = i;
    while (i > 0) value_release(made[p->n_leaves + --i]);
    return ok;
}

bool fused_serves(const FusedProgram *p, const Value *leaf)
{
    Array scratch[FUSED_LEAVES], *a[FUSED_LEAVES];
    Shape shape;
    for (int i = 0; i < p->n_leaves; i++) {
        if (!value_is_numeric(leaf[i])) return false;
        a[i] = value_operand(&leaf[i], &scratch[i]);
    }
    if (!fused_fits(p, a, &shape)) return false;
    for (int i = 0; i < p->n_leaves; i++) {
        Shape own = shape_of(a[i]);
        if (leaf[i].level && !shape_equal(&own, &shape)) return false;
        for (int k = 0; k < i; k++)
            if (leaf[i].level && leaf[k].level == leaf[i].level && leaf[k].node == leaf[i].node)
                return false;
    }
    return true;
}

/* ---- reverse ---- */

static unsigned wanted_leaves(const Rule *r)
{
    unsigned wanted = 0;
    for (int i = 0; i < r->n; i++)
        if (wants(r, i)) wanted |= 1u << i;
    return wanted;
}

/* Any operands: tracked ones, and those that one pass can't take. */
static void replay(Rule *r)
{
    Value given[FUSED_LEAVES] = {0};
    if (!fused_replay(r->ad, r->attr->program, r->record->inputs, wanted_leaves(r), g(r), given))
        r->failed = true;
    for (int i = 0; i < r->n; i++) {
        if (!value_is_set(given[i])) continue;
        keep_take(r, given[i]);
        give(r, i, given[i]);
    }
}

/* What the pass reads: the leaves, the result's cotangent, constants. */
typedef struct {
    Array *leaf[TILE_LEAVES], scratch[TILE_LEAVES];
    Value number[TILE_LEAVES];
    double constant[TILE_LEAVES];
    int n;
} Read;

static bool is_plain(const Rule *r)
{
    if (r->cotangent.level || r->cotangent.kind != VAL_ARR || r->ad->trace) return false;
    for (int i = 0; i < r->n; i++)
        if (r->record->inputs[i].level) return false;
    return true;
}

static void read_constants(Read *read, const FusedGradient *f)
{
    for (int i = 0; i < f->n_constants; i++, read->n++) {
        read->constant[i] = f->constant[i];
        read->scratch[read->n] = array_scalar(DT_FLOAT, &read->constant[i]);
        read->leaf[read->n] = &read->scratch[read->n];
    }
}

/* What was saved of an operand; what was not is nothing that the pass reads. */
static bool read_saved(const Rule *r, const FusedGradient *f, int which, int bit, Read *read)
{
    int at = read->n++;
    bool is_saved = r->record->saves & bit;
    Value v = is_saved ? r->saved[which] : value_float(0.0);
    if (!f->program.reads[at]) v = value_float(0.0);
    if ((f->program.reads[at] && !is_saved) || v.level) return false;
    read->number[at] = v;
    read->leaf[at] = value_operand(&read->number[at], &read->scratch[at]);
    return true;
}

static bool gather(const Rule *r, const FusedGradient *f, Read *read)
{
    for (int i = 0; i < r->n; i++)
        read->leaf[i] = value_operand(&r->record->inputs[i], &read->scratch[i]);
    read->leaf[r->n] = r->cotangent.arr;
    read->n = r->n + 1;
    if (!read_saved(r, f, 3, SAVE_OUT, read)) return false;
    read_constants(read, f);
    return fused_lies(read->leaf, read->n, r->out_shape);
}

static void run_pass(Rule *r, const FusedGradient *f, const Read *read)
{
    Array *out[TILE_OUTPUTS];
    int n = 0;
    for (int i = 0; i < r->n && !r->failed; i++) {
        if (!wants(r, i)) continue;
        out[n] = array_new(DT_FLOAT, r->out_shape, r->ad->err);
        if (out[n])
            keep_take(r, value_arr(out[n++]));
        else
            r->failed = true;
    }
    if (r->failed || !fused_pass(&f->program, read->leaf, r->out_shape, out, r->ad->err)) {
        r->failed = true;
        return;
    }
    n = 0;
    for (int i = 0; i < r->n; i++)
        if (wants(r, i)) give(r, i, value_arr(out[n++]));
}

void reverse_fused(Rule *r)
{
    Read read;
    const FusedGradient *f =
        is_plain(r) ? fused_gradient(r->ad, r->attr->program, wanted_leaves(r)) : NULL;
    if (error_is_set(r->ad->err))
        r->failed = true;
    else if (f && gather(r, f, &read))
        run_pass(r, f, &read);
    else
        replay(r);
}

/* ---- the rules of single operations, on large arrays ---- */

static bool gather_saved(const Rule *r, const FusedGradient *f, Read *read)
{
    read->n = 0;
    if (!read_saved(r, f, 0, SAVE_X, read) || (r->n == 2 && !read_saved(r, f, 1, SAVE_Y, read)))
        return false;
    read->leaf[read->n++] = r->cotangent.arr;
    if (!read_saved(r, f, 3, SAVE_OUT, read)) return false;
    read_constants(read, f);
    return fused_lies(read->leaf, read->n, r->out_shape);
}

bool rule_pass(Rule *r)
{
    enum { LARGE = 2048 };
    if (r->cotangent.kind != VAL_ARR || r->cotangent.level || r->cotangent.arr->size < LARGE ||
        op_rows[r->op].kernel != op_rows[OP_ADD].kernel || !r->record || r->ad->trace)
        return false;
    FusedProgram p = {r->n, 1, {{(uint8_t)op_rows[r->op].detail, {0, (uint8_t)(r->n - 1), 0}}}};
    Read read;
    const FusedGradient *f = fused_gradient(r->ad, &p, wanted_leaves(r));
    if (!f || f->hands_on || f->program.n_steps < 2 || !gather_saved(r, f, &read)) {
        r->failed = error_is_set(r->ad->err);
        return r->failed;
    }
    run_pass(r, f, &read);
    return true;
}

/* Forward levels run the steps with their own rules. */
void forward_fused(Rule *r)
{
    Ad *ad = r->ad;
    Value tracked[FUSED_LEAVES], result, tangent;
    int made = 0, failed;
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
    if (ok && (ok = fused_unfused(ad, r->attr->program, tracked, &result, &failed))) {
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

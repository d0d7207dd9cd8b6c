/* A fused expression's derivative: the unfused steps are recorded and swept again, block by block,
 * so that all their temporaries stay in the cache. The rules are the operations' own; elementwise,
 * so the bits do not depend on the blocks. */
#include <string.h>

#include "ad/fused.h"
#include "ad/rules.h"

enum { BLOCK = 4096 }; /* elements: 32 KiB an array */

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

/* ---- one block ---- */

/* The cotangents (owned; unset where none is wanted) of the leaves, given the result's. */
static bool replay(Rule *r, const Value *leaf, Value cotangent, Value *given)
{
    Ad *ad = r->ad;
    Value tracked[FUSED_LEAVES], result;
    int n = r->n, made = 0, failed;
    if (!ad_open_reverse(ad)) return false;
    bool ok = true;
    for (; ok && made < n; made++) {
        tracked[made] = value_retain(leaf[made]);
        if (!wants(r, made)) continue;
        value_release(tracked[made]);
        ok = ad_track(ad, leaf[made], &tracked[made]);
        if (!ok) tracked[made] = value_none();
    }
    if (ok && (ok = fused_unfused(ad, r->attr->program, tracked, &result, &failed))) {
        ok = ad_sweep(ad, result, cotangent);
        for (int i = 0; ok && i < n; i++)
            if (wants(r, i)) ok = ad_gradient(ad, tracked[i], &given[i]);
        value_release(result);
    }
    for (int i = 0; i < made; i++) value_release(tracked[i]);
    ad_close(ad);
    return ok;
}

/* Everything at once: for operands that an outer derivative tracks, too. */
static void replay_whole(Rule *r)
{
    Value given[FUSED_LEAVES] = {0};
    if (!replay(r, r->record->inputs, g(r), given)) r->failed = true;
    for (int i = 0; i < r->n; i++) {
        if (!value_is_set(given[i])) continue;
        keep_take(r, given[i]);
        give(r, i, given[i]);
    }
}

/* ---- blocks ---- */

/* n elements of a contiguous array from start on, flat; of one that repeats a single element, n
 * times that. */
static Value flat_part(Value v, int64_t start, int64_t n)
{
    if (v.kind != VAL_ARR) return v;
    Array *part = array_view(v.arr);
    part->rank = 1;
    part->dim[0] = n;
    part->stride[0] = v.arr->contiguous;
    if (v.arr->contiguous) part->data = array_floats(v.arr) + start;
    array_settle(part);
    return value_arr(part);
}

static bool repeats(const Array *a)
{
    for (int i = 0; i < a->rank; i++)
        if (a->stride[i] != 0 && a->dim[i] != 1) return false;
    return true;
}

static bool is_plain(const Rule *r)
{
    if (r->cotangent.level || r->cotangent.kind != VAL_ARR) return false;
    if (!r->cotangent.arr->contiguous && !repeats(r->cotangent.arr)) return false;
    for (int i = 0; i < r->n; i++) {
        Value v = r->record->inputs[i];
        if (v.level ||
            (v.kind == VAL_ARR && (!v.arr->contiguous || v.arr->size != r->cotangent.arr->size)))
            return false;
    }
    return true;
}

static bool run_block(Rule *r, int64_t start, int64_t n, double *const *to)
{
    Value leaf[FUSED_LEAVES], given[FUSED_LEAVES] = {0};
    for (int i = 0; i < r->n; i++) leaf[i] = flat_part(r->record->inputs[i], start, n);
    Value cotangent = flat_part(r->cotangent, start, n);
    bool ok = replay(r, leaf, cotangent, given);
    for (int i = 0; ok && i < r->n; i++) {
        if (!to[i]) continue;
        Array *whole = array_contiguous(given[i].arr, r->ad->err);
        ok = whole != NULL;
        if (ok) memcpy(to[i] + start, whole->data, (size_t)n * sizeof(double));
        array_release(whole);
    }
    for (int i = 0; i < r->n; i++) {
        value_release(given[i]);
        value_release(leaf[i]);
    }
    value_release(cotangent);
    return ok;
}

static void replay_blocks(Rule *r)
{
    Value given[FUSED_LEAVES] = {0};
    double *to[FUSED_LEAVES] = {0};
    for (int i = 0; i < r->n && !r->failed; i++) {
        if (!wants(r, i)) continue;
        given[i] = value_from_array_take(array_new(DT_FLOAT, r->out_shape, r->ad->err));
        if (value_is_set(given[i]))
            to[i] = array_floats(keep_take(r, given[i]).arr);
        else
            r->failed = true;
    }
    int64_t size = r->cotangent.arr->size;
    for (int64_t start = 0; start < size && !r->failed; start += BLOCK)
        if (!run_block(r, start, size - start < BLOCK ? size - start : BLOCK, to)) r->failed = true;
    for (int i = 0; i < r->n; i++)
        if (to[i]) give(r, i, given[i]);
}

void reverse_fused(Rule *r)
{
    if (is_plain(r))
        replay_blocks(r);
    else
        replay_whole(r);
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

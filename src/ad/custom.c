#include "ad/custom.h"

#include "ad/custom_node.h"
#include "ad/forward.h"
#include "ad/rule.h"
#include "value/structure.h"

/* ---- looking at structures ---- */

static bool highest_leaf(void *context, const Value *leaf, const Place *at)
{
    int *level = context;
    (void)at;
    if (leaf[0].level > *level) *level = leaf[0].level;
    return true;
}

static bool level_of_all(Ad *ad, const Value *arg, int n, int *level)
{
    *level = 0;
    for (int i = 0; i < n; i++)
        if (!structure_visit(&arg[i], 1, highest_leaf, level, ad->err)) return false;
    return true;
}

typedef struct {
    Ad *ad;
    int depth;
} Depth;

static bool peel_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Depth *d = context;
    (void)n;
    *out = value_retain(tape_peel(d->ad->level[d->depth], d->depth, leaf[0]));
    return true;
}

/* arg as seen from below level depth; owned. */
static bool peel_all(Ad *ad, int depth, const Value *arg, int n, Value *low)
{
    Depth d = {ad, depth};
    for (int i = 0; i < n; i++) {
        if (structure_map(&arg[i], 1, false, peel_leaf, &d, &low[i], ad->err)) continue;
        while (i > 0) value_release(low[--i]);
        return false;
    }
    return true;
}

static void release_all(Value *v, int n)
{
    for (int i = 0; i < n; i++) value_release(v[i]);
}

/* ---- recording, reverse ---- */

static bool output_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Depth *d = context;
    Level *level = d->ad->level[d->depth];
    (void)n;
    *out = value_retain(leaf[0]);
    if (!value_is_float(leaf[0])) return true;
    uint32_t number;
    Node *node = tape_push(level, &number, d->ad->err);
    if (!node) {
        value_clear(out);
        return false;
    }
    node->form = FORM_OUTPUT;
    node->primal_level = leaf[0].level;
    node->primal_node = leaf[0].node;
    node->record = record_new(level, 0, 0, leaf[0]);
    tape_stamp(out, d->depth, number);
    return true;
}

static bool record_call(Ad *ad, int depth, const CustomRule *rule, const Value *arg, int n,
                        Value *result)
{
    Level *level = ad->level[depth];
    Depth d = {ad, depth};
    uint32_t number;
    Node *node = tape_push(level, &number, ad->err);
    if (!node) return false;
    Custom *custom = arena_zeroed(&level->arena, sizeof *custom + (size_t)n * sizeof(Value));
    node->form = FORM_CUSTOM;
    node->custom = custom;
    custom->rule = *rule;
    custom->n = n;
    value_retain(rule->function);
    for (int i = 0; i < n; i++) custom->arg[i] = value_retain(arg[i]);
    Value outputs;
    if (!structure_map(result, 1, false, output_leaf, &d, &outputs, ad->err)) return false;
    custom->result = *result;
    custom->n_outputs = level->len - number - 1;
    *result = outputs;
    return true;
}

/* ---- forward: through the transpose ---- */

static bool zero_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    Shape s = value_shape(leaf[0]);
    (void)n;
    *out = leaf[0].kind != VAL_ARR   ? (value_is_float(leaf[0]) ? value_float(0.0) : value_none())
           : value_is_float(leaf[0]) ? value_from_array_take(array_zeros(DT_FLOAT, &s, ad->err))
                                     : value_none();
    return value_is_set(*out);
}

static bool tangent_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Depth *d = context;
    (void)n;
    if (leaf[0].level != d->depth) return zero_leaf(d->ad, leaf, 1, out);
    *out = value_retain(d->ad->level[d->depth]->node[leaf[0].node].tangent);
    return true;
}

/* Sweeps <pullback(w), tangents> back to w; a level of its own is open. */
static bool transpose_pullback(Ad *ad, const CustomRule *rule, const Value *low,
                               const Value *tangent, int n, Value result, Value *out)
{
    Value zeros, w, *given = mem_calloc((size_t)n, sizeof *given);
    bool ok = structure_map(&result, 1, false, zero_leaf, ad, &zeros, ad->err);
    if (ok) {
        ok = ad_track(ad, zeros, &w);
        value_release(zeros);
    }
    if (ok) {
        ok = rule->pullback(rule->context, rule->function, low, n, w, given);
        for (int i = 0; ok && i < n; i++) {
            ok = rule->misfit(rule->context, rule->function, i, low[i], given[i]);
            if (ok && given[i].kind != VAL_NONE) ok = ad_sweep_part(ad, given[i], tangent[i]);
        }
        ok = ok && ad_sweep_run(ad) && ad_gradient(ad, w, out);
        value_release(w);
    }
    release_all(given, n);
    mem_free(given);
    return ok;
}

static bool stamp_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Depth *s = context;
    (void)n;
    *out = value_retain(leaf[0]);
    if (!value_is_float(leaf[0])) return true;
    if (forward_stamp_take(s->ad, s->depth, out, value_retain(leaf[1]))) return true;
    value_clear(out);
    return false;
}

static bool record_tangent(Ad *ad, int depth, const CustomRule *rule, const Value *arg,
                           const Value *low, int n, Value *result)
{
    Depth d = {ad, depth};
    Value *tangent = mem_calloc((size_t)n, sizeof *tangent), moved = {0};
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = structure_map(&arg[i], 1, false, tangent_leaf, &d, &tangent[i], ad->err);
    if (ok && (ok = ad_open_reverse(ad))) {
        ok = transpose_pullback(ad, rule, low, tangent, n, *result, &moved);
        ad_close(ad);
    }
    if (ok) {
        Depth s = {ad, depth};
        Value pair[2] = {*result, moved}, stamped;
        ok = structure_map(pair, 2, false, stamp_leaf, &s, &stamped, ad->err);
        value_release(moved);
        if (ok) {
            value_release(*result);
            *result = stamped;
        }
    }
    release_all(tangent, n);
    mem_free(tangent);
    return ok;
}

/* ---- the call ---- */

bool ad_custom(Ad *ad, const CustomRule *rule, const Value *arg, int n, Value *out)
{
    int depth;
    if (!level_of_all(ad, arg, n, &depth)) return false;
    if (depth == 0) return rule->primal(rule->context, rule->function, arg, n, out);
    Value *low = mem_alloc((size_t)n * sizeof *low);
    bool ok = peel_all(ad, depth, arg, n, low);
    if (ok) {
        /* Lower levels record the call when the primal comes back here with what is tracked there.
         */
        ok = rule->primal(rule->context, rule->function, low, n, out);
        if (ok) {
            ok = ad->level[depth]->is_forward ? record_tangent(ad, depth, rule, arg, low, n, out)
                                              : record_call(ad, depth, rule, arg, n, out);
            if (!ok) value_clear(out);
        }
        release_all(low, n);
    }
    mem_free(low);
    return ok;
}

/* ---- the sweep ---- */

void custom_drop(Custom *custom)
{
    value_clear(&custom->rule.function);
    value_clear(&custom->result);
    for (int i = 0; i < custom->n; i++) value_clear(&custom->arg[i]);
}

typedef struct {
    Ad *ad;
    Level *level;
    uint32_t next; /* the output whose turn it is */
} Outputs;

static bool output_cotangent(void *context, const Value *leaf, int n, Value *out)
{
    Outputs *o = context;
    (void)n;
    *out = value_none();
    if (!value_is_float(leaf[0])) return true;
    Value *cotangent = &o->level->cotangent[o->next++];
    if (!value_is_set(*cotangent)) return zero_leaf(o->ad, leaf, 1, out);
    *out = *cotangent;
    *cotangent = (Value){0};
    return true;
}

static bool any_output(const Level *level, uint32_t number, const Custom *custom)
{
    for (uint32_t i = 1; i <= custom->n_outputs; i++)
        if (value_is_set(level->cotangent[number + i])) return true;
    return false;
}

static bool give_leaf(void *context, const Value *leaf, const Place *at)
{
    const Depth *d = context;
    (void)at;
    if (leaf[0].level != d->depth || leaf[1].kind == VAL_NONE) return true;
    Value floats;
    if (!op_to_float(d->ad, leaf[1], &floats)) return false;
    return cotangent_add_take(d->ad, &d->ad->level[d->depth]->cotangent[leaf[0].node], floats);
}

static bool give_all(Ad *ad, int depth, const Custom *custom, const Value *low, const Value *given)
{
    Depth d = {ad, depth};
    const CustomRule *rule = &custom->rule;
    for (int i = 0; i < custom->n; i++) {
        if (!rule->misfit(rule->context, rule->function, i, low[i], given[i])) return false;
        Value pair[2] = {custom->arg[i], given[i]};
        if (!structure_visit(pair, 2, give_leaf, &d, ad->err)) return false;
    }
    return true;
}

bool custom_sweep(Ad *ad, int depth, uint32_t number)
{
    Level *level = ad->level[depth];
    Custom *custom = level->node[number].custom;
    if (!any_output(level, number, custom)) return true;
    int n = custom->n;
    Outputs outputs = {ad, level, number + 1};
    Value cotangent, *low = mem_calloc((size_t)n, sizeof *low),
                     *given = mem_calloc((size_t)n, sizeof *given);
    bool ok =
        structure_map(&custom->result, 1, false, output_cotangent, &outputs, &cotangent, ad->err);
    if (ok) {
        ok = peel_all(ad, depth, custom->arg, n, low);
        if (ok) {
            const CustomRule *rule = &custom->rule;
            ok = rule->pullback(rule->context, rule->function, low, n, cotangent, given) &&
                 give_all(ad, depth, custom, low, given);
            release_all(low, n);
        }
        value_release(cotangent);
    }
    release_all(given, n);
    mem_free(low);
    mem_free(given);
    return ok;
}

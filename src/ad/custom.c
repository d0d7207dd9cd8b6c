#include "ad/custom.h"

#include "ad/tape.h"
#include "value/structure.h"

/* Of a FORM_CUSTOM node. */
typedef struct Custom {
    CustomRule rule;
    Value result; /* whose leaves are the outputs, the nodes that follow */
    uint32_t n_outputs;
    int n;
    Value arg[]; /* as given, tracked */
} Custom;

/* ---- looking at arguments ---- */

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

/* n unset values. */
static Value *values_new(int n)
{
    return mem_calloc((size_t)n, sizeof(Value));
}

static void values_free(Value *v, int n)
{
    for (int i = 0; i < n; i++) value_release(v[i]);
    mem_free(v);
}

/* f of every argument, as map_floats. */
static bool map_all(Ad *ad, int depth, const Value *arg, int n, bool keeps_others, FloatLeaf *f,
                    Value *out)
{
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = map_floats(ad, depth, &arg[i], 1, keeps_others, f, &out[i]);
    return ok;
}

/* ---- recording, reverse ---- */

static bool record_call(Ad *ad, int depth, const CustomRule *rule, const Value *arg, int n,
                        Value *result)
{
    Level *level = ad->level[depth];
    uint32_t number;
    Node *node = tape_push(level, &number, ad->err);
    if (!node) return false;
    Custom *custom = arena_zeroed(&level->arena, sizeof *custom + (size_t)n * sizeof(Value));
    node->op = OP_COUNT;
    node->form = FORM_CUSTOM;
    node->custom = custom;
    custom->rule = *rule;
    custom->n = n;
    value_retain(rule->function);
    for (int i = 0; i < n; i++) custom->arg[i] = value_retain(arg[i]);
    Value outputs;
    if (!map_floats(ad, depth, result, 1, true, output_leaf, &outputs)) return false;
    value_release(*result);
    *result = outputs;
    custom->result = value_retain(outputs);
    custom->n_outputs = level->len - number - 1;
    return true;
}

/* ---- forward: through the transpose ---- */

/* The pullback's answers, each of which fits its argument. */
static bool pull_back(const CustomRule *rule, const Value *low, int n, Value cotangent,
                      Value *given)
{
    bool ok = rule->pullback(rule->context, rule->function, low, n, cotangent, given);
    for (int i = 0; ok && i < n; i++)
        ok = rule->misfit(rule->context, rule->function, i, low[i], given[i]);
    return ok;
}

/* Sweeps <pullback(w), tangents> back to w; a level of its own is open. */
static bool transpose_pullback(Ad *ad, const CustomRule *rule, const Value *low,
                               const Value *tangent, int n, Value result, Value *out)
{
    Value zeros, w, *given = values_new(n);
    bool ok = map_floats(ad, ad->depth, &result, 1, false, zeros_leaf, &zeros);
    if (ok) {
        ok = ad_track(ad, zeros, &w);
        value_release(zeros);
    }
    if (ok) {
        ok = pull_back(rule, low, n, w, given);
        for (int i = 0; ok && i < n; i++)
            if (given[i].kind != VAL_NONE) ok = ad_sweep_part(ad, given[i], tangent[i]);
        ok = ok && ad_sweep_run(ad) && ad_gradient(ad, w, out);
        value_release(w);
    }
    values_free(given, n);
    return ok;
}

static bool record_tangent(Ad *ad, int depth, const CustomRule *rule, const Value *arg,
                           const Value *low, int n, Value *result)
{
    Value *tangent = values_new(n), pair[2] = {*result}, stamped;
    bool ok = map_all(ad, depth, arg, n, false, tangent_leaf, tangent);
    if (ok && (ok = ad_open_reverse(ad))) {
        ok = transpose_pullback(ad, rule, low, tangent, n, *result, &pair[1]);
        ad_close(ad);
    }
    if (ok) {
        ok = map_floats(ad, depth, pair, 2, true, track_tangent_leaf, &stamped);
        value_release(pair[1]);
    }
    if (ok) {
        value_release(*result);
        *result = stamped;
    }
    values_free(tangent, n);
    return ok;
}

/* ---- the call ---- */

bool ad_custom(Ad *ad, const CustomRule *rule, const Value *arg, int n, Value *out)
{
    int depth;
    if (!level_of_all(ad, arg, n, &depth)) return false;
    if (depth == 0) return rule->primal(rule->context, rule->function, arg, n, out);
    Value *low = values_new(n);
    /* Lower levels record the call when the primal comes back here with what is tracked there. */
    bool ok = map_all(ad, depth, arg, n, true, peel_leaf, low) &&
              rule->primal(rule->context, rule->function, low, n, out);
    if (ok) {
        ok = ad->level[depth]->is_forward ? record_tangent(ad, depth, rule, arg, low, n, out)
                                          : record_call(ad, depth, rule, arg, n, out);
        if (!ok) value_clear(out);
    }
    values_free(low, n);
    return ok;
}

/* ---- the sweep ---- */

void custom_drop(Custom *custom)
{
    value_clear(&custom->rule.function);
    value_clear(&custom->result);
    for (int i = 0; i < custom->n; i++) value_clear(&custom->arg[i]);
}

/* The result's cotangents, taken from the outputs; unset where none arrived. */
static bool take_cotangent(Ad *ad, const Custom *custom, Value *outputs, Value *cotangent)
{
    bool any = false;
    *cotangent = (Value){0};
    for (uint32_t i = 0; i < custom->n_outputs; i++) any |= value_is_set(outputs[i]);
    if (any && !ad_gradient(ad, custom->result, cotangent)) return false;
    for (uint32_t i = 0; i < custom->n_outputs; i++) value_clear(&outputs[i]);
    return true;
}

bool custom_sweep(Ad *ad, uint32_t number)
{
    Level *level = ad->level[ad->depth];
    Custom *custom = level->node[number].custom;
    int n = custom->n;
    Value cotangent;
    if (!take_cotangent(ad, custom, &level->cotangent[number + 1], &cotangent)) return false;
    if (!value_is_set(cotangent)) return true;
    Value *low = values_new(n), *given = values_new(n);
    bool ok = map_all(ad, ad->depth, custom->arg, n, true, peel_leaf, low) &&
              pull_back(&custom->rule, low, n, cotangent, given);
    for (int i = 0; ok && i < n; i++) ok = sweep_give(ad, custom->arg[i], given[i]);
    value_release(cotangent);
    values_free(low, n);
    values_free(given, n);
    return ok;
}

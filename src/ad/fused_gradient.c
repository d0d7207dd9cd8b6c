#include "ad/fused_gradient.h"

#include <string.h>

#include "ad/fused.h"
#include "ad/rule.h"
#include "ad/trace.h"
#include "base/mem.h"

/* Seeds the result and the leaves, sweeps, and takes what has arrived. */
static bool sweep_leaves(Ad *ad, int n, const Value *tracked, unsigned wanted, const Value *initial,
                         Value result, Value cotangent, Value *given)
{
    Level *level = ad->level[ad->depth];
    if (!ad_sweep_part(ad, result, cotangent)) return false;
    for (int i = 0; i < n; i++)
        if ((wanted >> i & 1) && value_is_set(initial[i]) &&
            !cotangent_add_take(ad, &level->cotangent[tracked[i].node], value_retain(initial[i])))
            return false;
    if (!ad_sweep_run(ad)) return false;
    for (int i = 0; i < n; i++)
        if ((wanted >> i & 1) && !ad_gradient(ad, tracked[i], &given[i])) return false;
    return true;
}

bool fused_replay(Ad *ad, const FusedProgram *p, const Value *leaf, unsigned wanted,
                  const Value *initial, Value cotangent, Value *given)
{
    Value tracked[FUSED_LEAVES], result;
    int n = p->n_leaves, made = 0;
    if (!ad_open_reverse(ad)) return false;
    bool ok = true;
    for (; ok && made < n; made++) {
        tracked[made] = value_retain(leaf[made]);
        if (!(wanted >> made & 1)) continue;
        value_release(tracked[made]);
        ok = ad_track(ad, leaf[made], &tracked[made]);
        if (!ok) tracked[made] = value_none();
    }
    if (ok && (ok = fused_run_steps(ad, p, tracked, &result))) {
        ok = sweep_leaves(ad, n, tracked, wanted, initial, result, cotangent, given);
        value_release(result);
    }
    for (int i = 0; i < made; i++) value_release(tracked[i]);
    ad_close(ad);
    return ok;
}

static bool compile(FusedGradient *g, Trace *t, const Value *given)
{
    uint8_t output[TILE_OUTPUTS];
    int n = 0;
    if (t->failed || t->n_inputs + t->n_constants > TILE_LEAVES) return false;
    for (int i = 0; i < g->of.n_leaves; i++) {
        if (!(g->wanted >> i & 1)) continue;
        int number = trace_value(t, given[i]);
        if (number < 0 || n == TILE_OUTPUTS) return false;
        g->passes_through |= number == g->of.n_leaves;
        output[n++] = (uint8_t)number;
    }
    trace_number(t);
    g->n_constants = t->n_constants;
    memcpy(g->constant, t->constant, sizeof g->constant);
    bool ok = tile_compile(&g->program, simd_level(), t->n_inputs + t->n_constants, t->step,
                           t->n_steps, output, n);
    g->is_arithmetic = ok && tile_is_arithmetic(&g->program);
    return ok;
}

/* False only for errors of the program's own. */
static bool trace_rules(Ad *ad, FusedGradient *g)
{
    Trace t = {0};
    Value in[2 * FUSED_LEAVES + 2] = {0}, initial[FUSED_LEAVES] = {0}, given[FUSED_LEAVES] = {0};
    int n = g->of.n_leaves, n_inputs = n + 2;
    t.given_step = g->of.n_steps - 1; /* the expression's own steps come first */
    t.given_input = n + 1;
    for (int i = 0; i < n; i++) n_inputs += g->added >> i & 1;
    bool ok = n_inputs <= TILE_LEAVES;
    for (int i = 0; ok && i < n_inputs; i++) {
        in[i] = trace_input(&t, i, ad->err);
        ok = value_is_set(in[i]);
    }
    for (int i = 0, at = n + 2; i < n; i++)
        if (g->added >> i & 1) initial[i] = in[at++];
    struct Watch *watch = ad->watch; /* this is no work of the program's */
    ad->watch = NULL;
    ad->trace = &t;
    ok = ok && fused_replay(ad, &g->of, in, g->wanted, initial, in[n], given);
    ad->trace = NULL;
    ad->watch = watch;
    if (ok) g->is_possible = compile(g, &t, given);
    for (int i = 0; i < n_inputs; i++) value_release(in[i]);
    for (int i = 0; i < n; i++) value_release(given[i]);
    trace_free(&t);
    return ok;
}

static bool same_program(const FusedProgram *a, const FusedProgram *b)
{
    return a->n_leaves == b->n_leaves && a->n_steps == b->n_steps &&
           memcmp(a->step, b->step, (size_t)a->n_steps * sizeof *a->step) == 0;
}

const FusedGradient *fused_gradient(Ad *ad, const FusedProgram *p, unsigned wanted, unsigned added)
{
    FusedGradient *g = ad->fused_gradients;
    while (g && (g->wanted != wanted || g->added != added || !same_program(&g->of, p))) g = g->next;
    if (!g) {
        if (ad->trace || ad->depth == MAX_LEVELS) return NULL;
        g = mem_calloc(1, sizeof *g);
        g->of = *p;
        g->wanted = wanted;
        g->added = added;
        if (!trace_rules(ad, g)) {
            mem_free(g);
            return NULL;
        }
        g->next = ad->fused_gradients;
        ad->fused_gradients = g;
    }
    return g->is_possible ? g : NULL;
}

/* Asked at every sweep over every operation, so found at once. */
typedef struct OperationGradients {
    const FusedGradient *of[EW_COUNT][2][4][4]; /* by function, leaves, wanted and added ones */
} OperationGradients;

static FusedProgram operation_program(Elementwise f, int n)
{
    return (FusedProgram){n, 1, {{(uint8_t)f, {0, (uint8_t)(n - 1), 0}}}};
}

const FusedGradient *operation_gradient(Ad *ad, Elementwise f, int n, unsigned wanted,
                                        unsigned added)
{
    if (!ad->operation_gradients)
        ad->operation_gradients = mem_calloc(1, sizeof *ad->operation_gradients);
    const FusedGradient **known = &ad->operation_gradients->of[f][n - 1][wanted][added];
    if (*known) return *known;
    FusedProgram p = operation_program(f, n);
    return *known = fused_gradient(ad, &p, wanted, added);
}

void fused_gradients_free(Ad *ad)
{
    mem_free(ad->operation_gradients);
    ad->operation_gradients = NULL;
    while (ad->fused_gradients) {
        FusedGradient *next = ad->fused_gradients->next;
        mem_free(ad->fused_gradients);
        ad->fused_gradients = next;
    }
}

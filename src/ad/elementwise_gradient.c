#include "ad/elementwise_gradient.h"

#include <string.h>

#include "ad/fused.h"
#include "ad/trace.h"
#include "base/mem.h"

static void compile(ElementwiseGradient *g, const TileProgram *of, Trace *t, const Value *given)
{
    uint8_t output[TILE_OUTPUTS];
    DType leaf_type[TILE_LEAVES];
    int n = 0, n_leaves = t->n_inputs + t->n_constants;
    if (t->failed || n_leaves > TILE_LEAVES) return;
    for (int i = 0; i < of->n_leaves; i++) {
        if (!(g->wanted >> i & 1)) continue;
        int number = trace_value(t, given[i]);
        if (number < 0 || n == TILE_OUTPUTS) return;
        g->passes_through |= number == of->n_leaves;
        output[n++] = (uint8_t)number;
    }
    trace_number(t);
    for (int i = 0; i < n_leaves; i++)
        leaf_type[i] = i < of->n_leaves ? (DType)of->leaf_type[i] : DT_FLOAT;
    g->n_constants = t->n_constants;
    memcpy(g->constant, t->constant, sizeof g->constant);
    TileSource source = {n_leaves, t->n_steps, n, t->step, output, leaf_type, false};
    g->program = tile_compile(simd_level(), &source);
}

/* False only for errors of the program's own. */
static bool trace_rules(Ad *ad, const TileProgram *of, ElementwiseGradient *g)
{
    Trace t = {0};
    Value in[2 * FUSED_LEAVES + 2] = {0}, initial[FUSED_LEAVES] = {0}, given[FUSED_LEAVES] = {0};
    int n = of->n_leaves, n_inputs = n + 2;
    t.given_step = of->n_steps - 1; /* the program's own steps come first */
    t.given_input = n + 1;
    for (int i = 0; i < n; i++) n_inputs += g->added >> i & 1;
    bool ok = n_inputs <= TILE_LEAVES;
    for (int i = 0; ok && i < n_inputs; i++) {
        in[i] = trace_input(&t, i, i < n ? (DType)of->leaf_type[i] : DT_FLOAT, ad->err);
        ok = value_is_set(in[i]);
    }
    for (int i = 0, at = n + 2; i < n; i++)
        if (g->added >> i & 1) initial[i] = in[at++];
    struct Watch *watch = ad->watch; /* this is no work of the program's */
    ad->watch = NULL;
    ad->trace = &t;
    ok = ok && fused_replay(ad, of, in, g->wanted, initial, in[n], given);
    ad->trace = NULL;
    ad->watch = watch;
    if (ok) compile(g, of, &t, given);
    for (int i = 0; i < n_inputs; i++) value_release(in[i]);
    for (int i = 0; i < n; i++) value_release(given[i]);
    trace_free(&t);
    return ok;
}

const ElementwiseGradient *elementwise_gradient(Ad *ad, TileProgram *p, unsigned wanted,
                                                unsigned added)
{
    ElementwiseGradient *g = p->gradients;
    while (g && (g->wanted != wanted || g->added != added)) g = g->next;
    if (!g) {
        if (ad->trace || ad->depth == MAX_LEVELS) return NULL;
        g = mem_calloc(1, sizeof *g);
        g->wanted = wanted;
        g->added = added;
        if (!trace_rules(ad, p, g)) {
            mem_free(g);
            return NULL;
        }
        g->next = p->gradients;
        p->gradients = g;
    }
    return g->program ? g : NULL;
}

void elementwise_program_free(TileProgram *p)
{
    while (p && p->gradients) {
        ElementwiseGradient *g = p->gradients;
        p->gradients = g->next;
        elementwise_program_free(g->program);
        mem_free(g);
    }
    mem_free(p);
}

#include "ad/elementwise_gradient.h"

#include <string.h>

#include "ad/fused.h"
#include "base/mem.h"

/* Where operands of a traced step come from, until all are counted: inputs, constants, steps. */
enum { CONSTANT = TILE_LEAVES, STEP = CONSTANT + TILE_LEAVES };

_Static_assert(STEP + TILE_STEPS < 256, "operands fit into a byte");
_Static_assert(2 * FUSED_LEAVES + 2 <= TILE_LEAVES, "all inputs have room");

typedef struct Trace {
    int n_inputs, n_constants, n_steps;
    int given_step, given_input; /* the step whose result is that input */
    TileStep step[TILE_STEPS];
    double constant[TILE_LEAVES];
    Array *input[TILE_LEAVES]; /* what stands for the inputs; owned */
    Array *made[TILE_STEPS];   /* what the steps gave; owned */
    bool failed;               /* something was done that is no elementwise step */
} Trace;

/* ---- noting operations ---- */

/* -1: made outside of the trace. */
static int source_of(const Trace *t, const Array *a)
{
    for (int i = t->n_steps - 1; i >= 0; i--)
        if (t->made[i] == a) return i == t->given_step ? t->given_input : STEP + i;
    for (int i = 0; i < t->n_inputs; i++)
        if (t->input[i] == a) return i;
    return -1;
}

static int constant(Trace *t, double v)
{
    for (int i = 0; i < t->n_constants; i++)
        if (memcmp(&t->constant[i], &v, sizeof v) == 0) return CONSTANT + i;
    if (t->n_inputs + t->n_constants == TILE_LEAVES) return -1;
    t->constant[t->n_constants] = v;
    return CONSTANT + t->n_constants++;
}

static int operand(Trace *t, Value v)
{
    if (v.kind == VAL_ARR) return source_of(t, v.arr);
    if (v.kind == VAL_FLOAT) return constant(t, v.f);
    return v.kind == VAL_INT ? constant(t, (double)v.i) : -1;
}

static bool note(Trace *t, OpCode op, const Value *in, int n, Value out)
{
    if (out.kind != VAL_ARR || !op_is_elementwise(op) || t->n_steps == TILE_STEPS) return false;
    TileStep s = {(uint8_t)op_rows[op].detail, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        int from = operand(t, in[i]);
        if (from < 0) return false;
        s.operand[i] = (uint8_t)from;
    }
    t->made[t->n_steps] = array_retain(out.arr);
    t->step[t->n_steps++] = s;
    return true;
}

static bool reads_trace(const Trace *t, const Value *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i].kind == VAL_ARR && source_of(t, in[i].arr) >= 0) return true;
    return false;
}

bool trace_op(Trace *t, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out,
              Error *err)
{
    if (!op_eval(op, in, n, attr, out, err)) return false;
    /* A number spread over the one element that there is. */
    bool spreads = op == OP_BROADCAST && in[0].kind == VAL_FLOAT && out->kind == VAL_ARR;
    Value once[2] = {in[0], value_float(1.0)};
    if (spreads)
        t->failed |= !note(t, OP_MUL, once, 2, *out);
    else if (out->kind == VAL_ARR || reads_trace(t, in, n))
        t->failed |= !note(t, op, in, n, *out);
    return true; /* what numbers alone give is a constant */
}

/* ---- the program of what was noted ---- */

/* An operand as tile_compile counts: leaves (inputs, then constants), then steps. */
static uint8_t numbered(const Trace *t, int from)
{
    if (from >= STEP) return (uint8_t)(from - STEP + t->n_inputs + t->n_constants);
    return (uint8_t)(from >= CONSTANT ? from - CONSTANT + t->n_inputs : from);
}

static void compile(ElementwiseGradient *g, const TileProgram *of, Trace *t, const Value *given)
{
    uint8_t output[TILE_OUTPUTS];
    DType leaf_type[TILE_LEAVES];
    int n = 0, n_leaves = t->n_inputs + t->n_constants;
    if (t->failed) return;
    for (int i = 0; i < of->n_leaves; i++) {
        if (!(g->wanted >> i & 1)) continue;
        int from = given[i].kind == VAL_ARR ? source_of(t, given[i].arr) : -1;
        if (from < 0 || n == TILE_OUTPUTS) return;
        g->passes_through |= from == of->n_leaves;
        output[n++] = numbered(t, from);
    }
    for (int i = 0; i < t->n_steps; i++)
        for (int k = 0; k < 3; k++) t->step[i].operand[k] = numbered(t, t->step[i].operand[k]);
    for (int i = 0; i < n_leaves; i++)
        leaf_type[i] = i < of->n_leaves ? (DType)of->leaf_type[i] : DT_FLOAT;
    g->n_constants = t->n_constants;
    memcpy(g->constant, t->constant, sizeof g->constant);
    TileSource source = {n_leaves, t->n_steps, n, t->step, output, leaf_type, false};
    g->program = tile_compile(simd_level(), &source);
}

/* ---- tracing the rules ---- */

/* An array of one element of that type stands for the next input. Unset when memory is short. */
static Value add_input(Trace *t, DType type, Error *err)
{
    Array *a = array_zeros(type, &(Shape){1, {1}}, err);
    if (!a) return (Value){0};
    if (type == DT_FLOAT) array_floats(a)[0] = 0.75; /* inside the domain of most functions */
    return value_arr(t->input[t->n_inputs++] = a);
}

/* The program's leaves, the result's cotangent, the result, and what is there of the cotangents. */
static bool add_inputs(Trace *t, const TileProgram *of, unsigned added, Value *in, Value *there,
                       Error *err)
{
    int n = of->n_leaves;
    for (int i = 0; i < n + 2; i++) {
        in[i] = add_input(t, i < n ? (DType)of->leaf_type[i] : DT_FLOAT, err);
        if (!value_is_set(in[i])) return false;
    }
    for (int i = 0; i < n; i++) {
        if (!(added >> i & 1)) continue;
        there[i] = value_retain(add_input(t, DT_FLOAT, err));
        if (!value_is_set(there[i])) return false;
    }
    return true;
}

/* False only for errors of the program's own. */
static bool trace_rules(Ad *ad, const TileProgram *of, ElementwiseGradient *g)
{
    int n = of->n_leaves;
    /* The program's own steps come first. */
    Trace t = {.given_step = of->n_steps - 1, .given_input = n + 1};
    Value in[FUSED_LEAVES + 2], given[FUSED_LEAVES] = {0}, *place[FUSED_LEAVES] = {NULL};
    for (int i = 0; i < n; i++)
        if (g->wanted >> i & 1) place[i] = &given[i];
    bool ok = add_inputs(&t, of, g->added, in, given, ad->err);
    struct Watch *watch = ad->watch; /* this is no work of the program's */
    ad->watch = NULL;
    ad->trace = &t;
    ok = ok && fused_replay(ad, of, in, in[n], place);
    ad->trace = NULL;
    ad->watch = watch;
    if (ok) compile(g, of, &t, given);
    for (int i = 0; i < n; i++) value_release(given[i]);
    for (int i = 0; i < t.n_inputs; i++) array_release(t.input[i]);
    for (int i = 0; i < t.n_steps; i++) array_release(t.made[i]);
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

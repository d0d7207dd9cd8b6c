#include "array/elementwise/tile.h"

#include <string.h>

/* ---- putting a program together ---- */

typedef struct {
    TileProgram *to;
    const TileMachine *machine;
    const TileStep *step;
    int n_steps, n_code;
    int last_use[TILE_LEAVES + TILE_STEPS];   /* the last step that reads a value; −1: none */
    bool in_memory[TILE_LEAVES + TILE_STEPS]; /* whether a step's result must be stored */
    uint8_t cell[TILE_LEAVES + TILE_STEPS];   /* where values that are in memory stand */
    uint8_t free_cell[TILE_CELLS];
    int n_free;
} Compiler;

static bool gives_truths(int f)
{
    return f >= EW_EQ && f <= EW_GE;
}

static int arithmetic_of(int f)
{
    switch (f) {
    case EW_ADD: return 0;
    case EW_SUB: return 1;
    case EW_MUL: return 2;
    case EW_DIV: return 3;
    case EW_MUL_NO_NAN: return 4;
    case EW_DIV_NO_NAN: return 5;
    default: return -1;
    }
}

/* Whether a step can take an operand from the registers. */
static bool takes_registers(int f)
{
    return arithmetic_of(f) >= 0 || f == EW_NEG;
}

static int value_of(const Compiler *c, int step)
{
    return c->to->n_leaves + step;
}

/* A result that only the next step reads, and can read in the registers, is never stored. */
static void find_uses(Compiler *c, const uint8_t *output, int n_outputs)
{
    for (int i = 0; i < c->to->n_leaves + c->n_steps; i++) c->last_use[i] = -1;
    memset(c->in_memory, 0, sizeof c->in_memory);
    for (int i = 0; i < c->n_steps; i++) {
        const TileStep *s = &c->step[i];
        for (int k = 0; k < elementwise_info[s->f].arity; k++) {
            int v = s->operand[k];
            c->last_use[v] = i;
            if (v != value_of(c, i - 1) || i == 0 || !takes_registers(s->f)) c->in_memory[v] = true;
        }
    }
    for (int i = 0; i < n_outputs; i++) c->last_use[output[i]] = c->n_steps;
    for (int i = 0; i < n_outputs; i++)
        if (output[i] != value_of(c, c->n_steps - 1)) c->in_memory[output[i]] = true;
}

static bool take_cell(Compiler *c, int value)
{
    if (c->n_free > 0) {
        c->cell[value] = c->free_cell[--c->n_free];
        return true;
    }
    if (c->to->n_cells == TILE_CELLS) return false;
    c->cell[value] = (uint8_t)c->to->n_cells++;
    return true;
}

/* Cells of what this step reads for the last time are free for its own result and later ones. */
static void free_cells(Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    for (int k = 0; k < elementwise_info[s->f].arity; k++) {
        int v = s->operand[k];
        bool again = (k > 0 && s->operand[0] == v) || (k > 1 && s->operand[1] == v);
        if (v >= c->to->n_leaves && c->in_memory[v] && c->last_use[v] == i && !again)
            c->free_cell[c->n_free++] = c->cell[v];
    }
}

static void emit(Compiler *c, TileCode code)
{
    c->to->code[c->n_code++] = code;
}

static bool emit_loop(Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    TileCode code = {.loop = simd_loop(c->to->level, (Elementwise)s->f, DT_FLOAT)};
    code.run = gives_truths(s->f) ? c->machine->loop_truths : c->machine->loop;
    code.a = c->cell[s->operand[0]];
    code.b = c->cell[s->operand[1]];
    code.c = c->cell[s->operand[2]];
    /* Elements of another size must not be written over those that are still to be read. */
    bool may_reuse = !gives_truths(s->f) && s->f != EW_WHERE;
    if (may_reuse) free_cells(c, i);
    if (!take_cell(c, value_of(c, i))) return false;
    if (!may_reuse) free_cells(c, i);
    code.out = c->cell[value_of(c, i)];
    emit(c, code);
    if (c->in_memory[value_of(c, i)]) return true;
    c->free_cell[c->n_free++] = code.out; /* the registers have it, too */
    return true;
}

static bool emit_step(Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    if (!takes_registers(s->f)) return emit_loop(c, i);
    int before = i > 0 ? value_of(c, i - 1) : -1, f = arithmetic_of(s->f);
    bool left = s->operand[0] == before && !gives_truths(c->step[i - 1].f),
         right = f >= 0 && s->operand[1] == before && !gives_truths(c->step[i - 1].f);
    TileCode code = {.a = c->cell[s->operand[0]], .b = c->cell[s->operand[1]]};
    if (f < 0)
        code.run = c->machine->negate[left];
    else
        code.run = c->machine->arithmetic[f][left && right ? TILE_RR
                                             : left        ? TILE_RM
                                             : right       ? TILE_MR
                                                           : TILE_MM];
    free_cells(c, i);
    emit(c, code);
    if (!c->in_memory[value_of(c, i)]) return true;
    if (!take_cell(c, value_of(c, i))) return false;
    emit(c, (TileCode){.run = c->machine->store, .out = c->cell[value_of(c, i)]});
    return true;
}

static void emit_outputs(Compiler *c, const uint8_t *output, int n)
{
    int last = value_of(c, c->n_steps - 1);
    for (int pass = 0; pass < 2; pass++) { /* first what the registers hold */
        for (int i = 0; i < n; i++) {
            bool is_last = c->n_steps > 0 && output[i] == last;
            if (is_last != (pass == 0)) continue;
            if (!is_last) emit(c, (TileCode){.run = c->machine->load, .a = c->cell[output[i]]});
            emit(c, (TileCode){.run = c->machine->store, .out = (uint8_t)(c->to->n_leaves + i)});
        }
    }
    emit(c, (TileCode){.run = c->machine->end});
}

static bool is_within_limits(int n_leaves, const TileStep *step, int n_steps, int n_outputs)
{
    if (n_leaves > TILE_LEAVES || n_steps > TILE_STEPS || n_outputs > TILE_OUTPUTS) return false;
    for (int i = 0; i < n_steps; i++)
        if (!simd_loop(SIMD_SCALAR, (Elementwise)step[i].f, DT_FLOAT)) return false;
    return true;
}

/* The steps that some output needs, renumbered. */
static void keep_live(TileProgram *to, bool *live, int n_leaves, const TileStep *step, int n_steps,
                      const uint8_t *output, int n_outputs)
{
    uint8_t number[TILE_LEAVES + TILE_STEPS];
    for (int i = 0; i < n_outputs; i++) live[output[i]] = true;
    for (int i = n_steps - 1; i >= 0; i--)
        for (int k = 0; live[n_leaves + i] && k < elementwise_info[step[i].f].arity; k++)
            live[step[i].operand[k]] = true;
    for (int i = 0; i < n_leaves; i++) number[i] = (uint8_t)i;
    to->n_steps = 0;
    for (int i = 0; i < n_steps; i++) {
        if (!live[n_leaves + i]) continue;
        number[n_leaves + i] = (uint8_t)(n_leaves + to->n_steps);
        TileStep s = {step[i].f, {0, 0, 0}};
        for (int k = 0; k < elementwise_info[s.f].arity; k++)
            s.operand[k] = number[step[i].operand[k]];
        to->step[to->n_steps++] = s;
    }
    for (int i = 0; i < n_outputs; i++) to->output[i] = number[output[i]];
}

bool tile_compile(TileProgram *to, SimdLevel level, int n_leaves, const TileStep *step, int n_steps,
                  const uint8_t *output, int n_outputs)
{
    if (!is_within_limits(n_leaves, step, n_steps, n_outputs)) return false;
    bool is_live[TILE_LEAVES + TILE_STEPS] = {false};
    keep_live(to, is_live, n_leaves, step, n_steps, output, n_outputs);
    step = to->step;
    n_steps = to->n_steps;
    output = to->output;
    memcpy(to->reads, is_live, (size_t)n_leaves * sizeof *is_live);
    to->level = level;
    to->n_leaves = n_leaves;
    to->n_outputs = n_outputs;
    to->n_cells = n_leaves + n_outputs;
    Compiler c = {.to = to, .machine = simd_tile(level), .step = step, .n_steps = n_steps};
    for (int i = 0; i < n_leaves; i++) c.cell[i] = (uint8_t)i;
    find_uses(&c, output, n_outputs);
    for (int i = 0; i < n_steps; i++)
        if (!emit_step(&c, i)) return false;
    emit_outputs(&c, output, n_outputs);
    return true;
}

/* ---- running ---- */

void tile_begin(TileRun *r, const TileProgram *p)
{
    r->program = p;
    r->machine = simd_tile(p->level);
    for (int i = 0; i < p->n_leaves; i++) r->filled_from[i] = NULL;
    for (int i = 0; i < p->n_outputs; i++) r->repeats[p->n_leaves + i] = false;
    for (int i = p->n_leaves + p->n_outputs; i < p->n_cells; i++) r->cell[i] = r->kept[i];
}

/* The elements of the last tile that are there, in cells that hold a whole one. */
static void run_rest(TileRun *r, double *const *out, int64_t n)
{
    const TileProgram *p = r->program;
    for (int i = 0; i < p->n_leaves; i++) {
        if (r->repeats[i]) continue;
        memcpy(r->kept[i], r->cell[i], (size_t)n * sizeof(double));
        for (int64_t k = n; k < r->machine->elements; k++) r->kept[i][k] = r->kept[i][0];
        r->cell[i] = r->kept[i];
    }
    for (int i = p->n_leaves; i < p->n_leaves + p->n_outputs; i++) r->cell[i] = r->kept[i];
    r->machine->start(p->code, r->cell, 0, r->repeats, 1);
    for (int i = 0; i < p->n_outputs; i++)
        memcpy(out[i], r->kept[p->n_leaves + i], (size_t)n * sizeof(double));
}

/* A number that repeats fills a cell of its own, as long as it is the same one. */
static void place_leaf(TileRun *r, int i, TileLeaf leaf)
{
    r->repeats[i] = leaf.repeats;
    if (!leaf.repeats) {
        r->cell[i] = (double *)(uintptr_t)leaf.data;
    } else if (r->filled_from[i] != leaf.data) {
        r->filled_from[i] = leaf.data;
        r->cell[i] = r->kept[i];
        r->machine->fill(r->kept[i], *leaf.data);
    }
}

void tile_run(TileRun *r, const TileLeaf *leaf, double *const *out, int64_t n)
{
    const TileProgram *p = r->program;
    int64_t tiles = n / r->machine->elements, done = tiles * r->machine->elements;
    for (int i = 0; i < p->n_leaves; i++) place_leaf(r, i, leaf[i]);
    for (int i = 0; i < p->n_outputs; i++) r->cell[p->n_leaves + i] = out[i];
    r->machine->start(p->code, r->cell, p->n_leaves + p->n_outputs, r->repeats, tiles);
    if (n == done) return;
    double *rest[TILE_OUTPUTS];
    for (int i = 0; i < p->n_outputs; i++) rest[i] = out[i] + done;
    run_rest(r, rest, n - done);
}

bool tile_is_arithmetic(const TileProgram *p)
{
    bool is_short = p->n_steps <= TILE_FEW_STEPS;
    for (int i = 0; is_short && i < p->n_steps; i++)
        if (!takes_registers(p->step[i].f)) return false;
    return is_short;
}

void tile_run_few(const TileProgram *p, const TileLeaf *leaf, double *const *out, int64_t n)
{
    double made[TILE_FEW_STEPS][TILE_FEW];
    Elements value[TILE_LEAVES + TILE_FEW_STEPS];
    for (int i = 0; i < p->n_leaves; i++) value[i] = (Elements){leaf[i].data, !leaf[i].repeats};
    for (int i = 0; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        elementwise_few((Elementwise)s->f, value[s->operand[0]], value[s->operand[1]], made[i], n);
        value[p->n_leaves + i] = (Elements){made[i], 1};
    }
    for (int i = 0; i < p->n_outputs; i++) {
        Elements v = value[p->output[i]];
        for (int64_t k = 0; k < n; k++) out[i][k] = v.data[k * v.step];
    }
}

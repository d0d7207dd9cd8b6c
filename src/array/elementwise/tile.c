#include "array/elementwise/tile.h"

#include "array/elementwise/limits.h"

#include <string.h>

#include "base/mem.h"

enum { VALUES = TILE_LEAVES + TILE_STEPS };

typedef struct {
    TileProgram *to;
    const TileMachine *machine;
    TileStep step[TILE_STEPS];
    TileCode code[TILE_STEPS * 2 + TILE_OUTPUTS + 1];
    int n_code;
    bool is_live[VALUES];
    uint8_t type[VALUES];
    int last_use[VALUES];   /* the last step that reads a value; −1: none */
    bool in_memory[VALUES]; /* whether a step's result must be stored */
    uint8_t cell[VALUES];   /* where values that are in memory stand */
    uint8_t free_cell[TILE_CELLS];
    int n_free;
} Compiler;

static int arity_of(const TileStep *s)
{
    return elementwise_info[s->f].arity;
}

static int value_of(const Compiler *c, int step)
{
    return c->to->n_leaves + step;
}

static bool by_registers(const Compiler *c, int step)
{
    return c->to->uses_registers && elementwise_info[c->step[step].f].in_registers;
}

/* Whether a value is the last result, and in the registers. */
static bool is_at_hand(const Compiler *c, int value, int step)
{
    return c->to->uses_registers && step > 0 && value == value_of(c, step - 1) &&
           c->type[value] == DT_FLOAT;
}

/* The steps that some output needs, numbered anew. */
static void keep_live(Compiler *c, const TileSource *s)
{
    uint8_t number[VALUES];
    TileProgram *to = c->to;
    memset(c->is_live, 0, (size_t)(s->n_leaves + s->n_steps) * sizeof *c->is_live);
    for (int i = 0; i < s->n_outputs; i++) c->is_live[s->output[i]] = true;
    for (int i = s->n_steps - 1; i >= 0; i--)
        for (int k = 0; c->is_live[s->n_leaves + i] && k < arity_of(&s->step[i]); k++)
            c->is_live[s->step[i].operand[k]] = true;
    for (int i = 0; i < s->n_leaves; i++) number[i] = (uint8_t)i;
    to->n_steps = 0;
    for (int i = 0; i < s->n_steps; i++) {
        if (!c->is_live[s->n_leaves + i]) continue;
        number[s->n_leaves + i] = (uint8_t)(s->n_leaves + to->n_steps);
        TileStep live = {s->step[i].f, {0, 0, 0}};
        for (int k = 0; k < arity_of(&live); k++) live.operand[k] = number[s->step[i].operand[k]];
        c->step[to->n_steps++] = live;
    }
    to->last_output = -1;
    for (int i = 0; i < s->n_outputs; i++) {
        to->output[i] = number[s->output[i]];
        if (to->n_steps > 0 && to->output[i] == to->n_leaves + to->n_steps - 1)
            to->last_output = (int8_t)i;
    }
    memcpy(to->reads, c->is_live, (size_t)s->n_leaves * sizeof *c->is_live);
}

/* Every value's type; false where a step would have to convert an operand. */
static bool find_types(Compiler *c, const DType *leaf_type)
{
    TileProgram *to = c->to;
    to->of_floats = true;
    for (int i = 0; i < to->n_leaves; i++) {
        c->type[i] = to->leaf_type[i] = leaf_type ? (uint8_t)leaf_type[i] : DT_FLOAT;
        to->of_floats &= c->type[i] == DT_FLOAT;
    }
    for (int i = 0; i < to->n_steps; i++) {
        const TileStep *s = &c->step[i];
        Elementwise f = (Elementwise)s->f;
        DType in[3], type;
        for (int k = 0; k < arity_of(s); k++) in[k] = (DType)c->type[s->operand[k]];
        if (!elementwise_operand_type(f, in, &type)) return false;
        for (int k = 0; k < elementwise_promoted(f); k++)
            if (in[k] != type) return false;
        c->type[value_of(c, i)] = (uint8_t)elementwise_result_type(f, type);
    }
    for (int i = 0; i < to->n_outputs; i++) {
        to->output_type[i] = c->type[to->output[i]];
        to->of_floats &= to->output_type[i] == DT_FLOAT;
    }
    return true;
}

/* A result that only the next step reads, and can read in the registers, is never stored. */
static void find_uses(Compiler *c)
{
    TileProgram *to = c->to;
    int n = to->n_leaves + to->n_steps, last = n - 1;
    for (int i = 0; i < n; i++) {
        c->last_use[i] = -1;
        c->in_memory[i] = false;
    }
    for (int i = 0; i < to->n_steps; i++) {
        const TileStep *s = &c->step[i];
        for (int k = 0; k < arity_of(s); k++) {
            int v = s->operand[k];
            c->last_use[v] = i;
            if (!by_registers(c, i) || !is_at_hand(c, v, i)) c->in_memory[v] = true;
        }
    }
    for (int i = 0; i < to->n_outputs; i++) {
        c->last_use[to->output[i]] = to->n_steps;
        if (to->output[i] != last || !is_at_hand(c, last, to->n_steps))
            c->in_memory[to->output[i]] = true;
    }
}

static bool take_cell(Compiler *c, int value)
{
    if (c->n_free > 0) {
        c->cell[value] = c->free_cell[--c->n_free];
        return true;
    }
    if (c->to->n_cells == TILE_CELLS) return false;
    c->to->keeps = true;
    c->cell[value] = (uint8_t)c->to->n_cells++;
    return true;
}

/* Cells of what this step reads for the last time are free for its own result and later ones. */
static void free_cells(Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    for (int k = 0; k < arity_of(s); k++) {
        int v = s->operand[k];
        bool again = (k > 0 && s->operand[0] == v) || (k > 1 && s->operand[1] == v);
        if (v >= c->to->n_leaves && c->in_memory[v] && c->last_use[v] == i && !again)
            c->free_cell[c->n_free++] = c->cell[v];
    }
}

static void emit(Compiler *c, TileCode code)
{
    c->code[c->n_code++] = code;
}

/* Elements of another size must not be written over those that are still to be read. */
static bool may_reuse(const Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    size_t size = dtype_size((DType)c->type[value_of(c, i)]);
    for (int k = 0; k < arity_of(s); k++)
        if (dtype_size((DType)c->type[s->operand[k]]) != size) return false;
    return true;
}

/* The cell of a loop's result. That of the last step can be an output's own: what is still read then
 * is no leaf that the output might be the array of. */
static bool place_result(Compiler *c, int i)
{
    int v = value_of(c, i);
    bool early = may_reuse(c, i);
    if (i == c->to->n_steps - 1 && c->to->last_output >= 0) {
        c->cell[v] = (uint8_t)(c->to->n_leaves + c->to->last_output);
        return true;
    }
    if (early) free_cells(c, i);
    if (!take_cell(c, v)) return false;
    if (!early) free_cells(c, i);
    return true;
}

static bool emit_loop(Compiler *c, int i)
{
    const TileStep *s = &c->step[i];
    int v = value_of(c, i);
    uint8_t cell[3] = {0};
    for (int k = 0; k < arity_of(s); k++) cell[k] = c->cell[s->operand[k]];
    if (!place_result(c, i)) return false;
    bool to_registers = c->to->uses_registers && c->type[v] == DT_FLOAT;
    DType type = (DType)c->type[s->operand[0]];
    emit(c, (TileCode){.run = to_registers ? c->machine->loop : c->machine->loop_to_memory,
                       .loop = simd_loop(c->to->level, (Elementwise)s->f, type),
                       .a = cell[0],
                       .b = cell[1],
                       .c = cell[2],
                       .out = c->cell[v],
                       .step = (uint8_t)i});
    if (!c->in_memory[v] && c->cell[v] >= c->to->n_leaves + c->to->n_outputs)
        c->free_cell[c->n_free++] = c->cell[v]; /* the registers have it, too */
    return true;
}

static bool emit_step(Compiler *c, int i)
{
    if (!by_registers(c, i)) return emit_loop(c, i);
    const TileStep *s = &c->step[i];
    int v = value_of(c, i);
    bool left = is_at_hand(c, s->operand[0], i),
         right = arity_of(s) == 2 && is_at_hand(c, s->operand[1], i);
    TileOperands where = left && right ? TILE_RR : left ? TILE_RM : right ? TILE_MR : TILE_MM;
    TileCode code = {.run = c->machine->step[s->f][where], .step = (uint8_t)i};
    code.a = c->cell[s->operand[0]];
    code.b = c->cell[s->operand[arity_of(s) - 1]];
    free_cells(c, i);
    emit(c, code);
    if (!c->in_memory[v]) return true;
    if (!take_cell(c, v)) return false;
    emit(c, (TileCode){.run = c->machine->store, .out = c->cell[v]});
    return true;
}

static void emit_copy(Compiler *c, int value, uint8_t to)
{
    DType type = (DType)c->type[value];
    if (c->to->uses_registers && type == DT_FLOAT) {
        emit(c, (TileCode){.run = c->machine->load, .a = c->cell[value]});
        emit(c, (TileCode){.run = c->machine->store, .out = to});
        return;
    }
    emit(c, (TileCode){.run = c->machine->loop_to_memory,
                       .loop = simd_loop(c->to->level, type == DT_BOOL ? EW_TO_BOOL : EW_POS, type),
                       .a = c->cell[value],
                       .out = to});
}

/* First what the registers hold. */
static void emit_outputs(Compiler *c)
{
    const TileProgram *to = c->to;
    int last = value_of(c, to->n_steps - 1);
    bool at_hand = is_at_hand(c, last, to->n_steps);
    for (int i = 0; i < to->n_outputs; i++)
        if (at_hand && to->output[i] == last && c->cell[last] != to->n_leaves + i)
            emit(c, (TileCode){.run = c->machine->store, .out = (uint8_t)(to->n_leaves + i)});
    for (int i = 0; i < to->n_outputs; i++) {
        int v = to->output[i];
        if (!(at_hand && v == last) && c->cell[v] != to->n_leaves + i)
            emit_copy(c, v, (uint8_t)(to->n_leaves + i));
    }
    emit(c, (TileCode){.run = c->machine->end});
}

static bool compile(Compiler *c, const TileSource *s)
{
    TileProgram *to = c->to;
    keep_live(c, s);
    if (!find_types(c, s->leaf_type)) return false;
    int register_steps = 0;
    for (int i = 0; i < to->n_steps; i++)
        register_steps +=
            elementwise_info[c->step[i].f].in_registers && c->type[value_of(c, i)] == DT_FLOAT;
    to->uses_registers = !s->in_memory && register_steps * REGISTER_SHARE >= to->n_steps;
    for (int i = 0; i < to->n_leaves; i++) c->cell[i] = (uint8_t)i;
    for (int i = 0; i < to->n_steps; i++) c->cell[to->n_leaves + i] = 0;
    find_uses(c);
    for (int i = 0; i < to->n_steps; i++)
        if (!emit_step(c, i)) return false;
    emit_outputs(c);
    return true;
}

/* In one block. */
static TileProgram *copy_program(const Compiler *c)
{
    size_t code = (size_t)c->n_code * sizeof *c->code,
           step = (size_t)c->to->n_steps * sizeof *c->step;
    TileProgram *p = mem_alloc(sizeof *p + code + step);
    *p = *c->to;
    p->code = memcpy(p + 1, c->code, code);
    p->step = memcpy((char *)(p + 1) + code, c->step, step);
    return p;
}

TileProgram *tile_compile(SimdLevel level, const TileSource *s)
{
    if (s->n_leaves > TILE_LEAVES || s->n_steps > TILE_STEPS || s->n_outputs > TILE_OUTPUTS)
        return NULL;
    TileProgram to = {.level = level,
                      .n_leaves = s->n_leaves,
                      .n_outputs = s->n_outputs,
                      .n_cells = s->n_leaves + s->n_outputs};
    Compiler c;
    c.to = &to;
    c.machine = simd_tile(level);
    c.n_code = c.n_free = 0;
    return compile(&c, s) ? copy_program(&c) : NULL;
}

static TileProgram *made[EW_COUNT][3][2];

TileProgram *tile_program(Elementwise f, DType t, bool is_one)
{
    TileProgram **p = &made[f][t][is_one];
    if (*p) return *p;
    TileStep step = {(uint8_t)f, {0, !is_one, 2}};
    int n = is_one ? 1 : elementwise_info[f].arity;
    DType leaf[3] = {t, t, f == EW_WHERE ? DT_BOOL : t};
    uint8_t output = (uint8_t)n;
    TileSource source = {n, 1, 1, &step, &output, leaf, true};
    return *p = tile_compile(simd_level(), &source);
}

void tile_programs_free(void (*free_program)(TileProgram *p))
{
    TileProgram **p = &made[0][0][0];
    for (size_t i = 0; i < sizeof made / sizeof *p; i++) {
        if (p[i]) free_program(p[i]);
        p[i] = NULL;
    }
}

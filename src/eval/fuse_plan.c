/* Recognising expressions that run in one go. */
#include <string.h>

#include "eval/fuse_parts.h"

enum { FEWEST_STEPS = 2 };

static bool operator_step(const Ast *e, Elementwise *f)
{
    static const int of[OPERATOR_COUNT] = {
        [OPERATOR_ADD] = EW_ADD + 1, [OPERATOR_SUB] = EW_SUB + 1, [OPERATOR_MUL] = EW_MUL + 1,
        [OPERATOR_DIV] = EW_DIV + 1, [OPERATOR_POW] = EW_POW + 1, [OPERATOR_NEG] = EW_NEG + 1,
    };
    if ((e->kind != AST_BINARY && e->kind != AST_UNARY) || !of[e->op]) return false;
    *f = (Elementwise)(of[e->op] - 1);
    return true;
}

/* The name of the builtin that e calls with positions only, or NULL. */
static const char *called_builtin(const Ast *e)
{
    if (e->kind != AST_CALL || e->call.n_args != e->call.n_positional) return NULL;
    const Ast *callee = e->call.callee;
    if (callee->kind != AST_NAME || callee->name.scope != SCOPE_BUILTIN) return NULL;
    return builtin_at((int)callee->name.slot)->name;
}

static bool is_call_of(const Ast *e, const char *name)
{
    const char *called = called_builtin(e);
    return called && strcmp(called, name) == 0;
}

/* exp(x), max(x, y), …: a builtin that is one Float operation of the table. */
static bool call_step(const Ast *e, Elementwise *f)
{
    const char *name = called_builtin(e);
    for (int i = 0; name && i < EW_COUNT; i++) {
        bool is_float = i <= EW_SOFTPLUS || i == EW_ABS || i == EW_MAX || i == EW_MIN;
        if (!is_float || elementwise_info[i].arity != e->call.n_args ||
            strcmp(elementwise_info[i].name, name) != 0)
            continue;
        *f = (Elementwise)i;
        return true;
    }
    return false;
}

static const Ast *part(const Ast *e, int i)
{
    if (e->kind == AST_BINARY) return i ? e->binary.right : e->binary.left;
    return e->kind == AST_UNARY ? e->unary.operand : e->call.arg[i].value;
}

/* A variable that stands in the expression several times is one leaf: read once, and its cotangents
 * meet in the order in which the unfused steps add them up. */
static bool same_variable(const Ast *a, const Ast *b)
{
    return a->kind == AST_NAME && b->kind == AST_NAME && a->name.scope == b->name.scope &&
           a->name.slot == b->name.slot;
}

static bool add_leaf(struct FusedPlan *plan, const Ast *e, int *index)
{
    FusedProgram *p = &plan->program;
    for (*index = 0; *index < p->n_leaves; ++*index)
        if (same_variable(plan->leaf[*index], e)) return true;
    if (p->n_leaves == FUSED_LEAVES) return false;
    plan->before[p->n_leaves] = (uint8_t)p->n_steps;
    plan->leaf[p->n_leaves++] = e;
    return true;
}

static bool is_step(const Ast *e)
{
    Elementwise f;
    return operator_step(e, &f) || call_step(e, &f);
}

static int part_count(const Ast *e)
{
    return e->kind == AST_BINARY ? 2 : e->kind == AST_UNARY ? 1 : e->call.n_args;
}

/* Whether evaluating e's leaves records nothing and does nothing that could be seen. */
static bool is_quiet(const Ast *e, int depth)
{
    if (depth > FUSED_STEPS) return false;
    if (e->kind == AST_FIELD) return is_quiet(e->field.target, depth + 1);
    if (!is_step(e)) return e->kind <= AST_FLOAT || e->kind == AST_NAME;
    for (int i = 0; i < part_count(e); i++)
        if (!is_quiet(part(e, i), depth + 1)) return false;
    return true;
}

/* The leaves are evaluated before the first step is done. So where a part does something, those
 * before it are no steps: what it prints, its errors and its place on a tape would come before
 * theirs. */
static bool must_be_done_first(const Ast *e)
{
    return part_count(e) == 2 && is_step(part(e, 0)) && !is_quiet(part(e, 1), 0);
}

/* Whether e is deep on its left, which eval_chain sees to. */
static bool is_chain(const Ast *e)
{
    int depth = 0;
    while (is_step(e) && depth <= FUSED_STEPS) {
        e = part(e, 0);
        depth++;
    }
    return depth > FUSED_STEPS;
}

/* Whether e gives a number, going by what its variables hold now: then it is computed once, as a
 * leaf, and not for every tile. A guess: as a leaf it may just as well turn out to be an array. */
static bool is_number(const Frame *f, const Ast *e, int depth)
{
    if (depth > FUSED_STEPS) return false;
    if (e->kind == AST_FLOAT || e->kind == AST_INT) return true;
    if (fuse_is_variable(e)) {
        const Value *v = e->name.scope == SCOPE_GLOBAL ? &f->module->value[e->name.slot]
                                                       : &f->slot[e->name.slot];
        return value_is_number(*v);
    }
    if (is_call_of(e, "float") || is_call_of(e, "int") || is_call_of(e, "len")) return true;
    if (!is_step(e)) return false;
    for (int i = 0; i < part_count(e); i++)
        if (!is_number(f, part(e, i), depth + 1)) return false;
    return true;
}

/* Adds e and what is below it; *index is its operand number, leaves as they are met, steps as 128 +
 * step until all leaves are known. */
static bool add_node(const Frame *f, struct FusedPlan *plan, const Ast *e, int depth, int *index)
{
    enum { STEP = 128 };
    FusedProgram *p = &plan->program;
    Elementwise step;
    if (depth > FUSED_STEPS) return false;
    if (depth > 0 && plan->has_arrays && is_number(f, e, depth)) return add_leaf(plan, e, index);
    if (!operator_step(e, &step) && !call_step(e, &step)) return add_leaf(plan, e, index);
    int operand[2] = {0, 0};
    bool apart = must_be_done_first(e);
    if (apart && (is_chain(e) || !add_leaf(plan, part(e, 0), &operand[0]))) return false;
    for (int i = apart; i < elementwise_info[step].arity; i++)
        if (!add_node(f, plan, part(e, i), depth + 1, &operand[i])) return false;
    if (p->n_steps == FUSED_STEPS) return false;
    plan->step_node[p->n_steps] = e;
    p->step[p->n_steps] = (TileStep){(uint8_t)step, {(uint8_t)operand[0], (uint8_t)operand[1], 0}};
    *index = STEP + p->n_steps++;
    return true;
}

static void number_steps(FusedProgram *p)
{
    enum { STEP = 128 };
    for (int i = 0; i < p->n_steps; i++)
        for (int k = 0; k < 2; k++)
            if (p->step[i].operand[k] >= STEP)
                p->step[i].operand[k] = (uint8_t)(p->step[i].operand[k] - STEP + p->n_leaves);
}

/* Those that leaf i is made of, as many as there is room for. */
static FusedVariable *list_in(struct FusedPlan *plan, const Ast *e, int i, int depth,
                              FusedVariable *v)
{
    plan->has_product |= e->kind == AST_BINARY && e->op == OPERATOR_MATMUL;
    if (v == plan->variable + FUSED_LEAVES || depth > FUSED_STEPS) return v;
    if (fuse_is_variable(e))
        *v++ = (FusedVariable){e->name.slot, (uint16_t)(1 << i), (uint8_t)i,
                               e->name.scope == SCOPE_GLOBAL};
    for (int k = 0; is_step(e) && k < part_count(e); k++)
        v = list_in(plan, part(e, k), i, depth + 1, v);
    return v;
}

static void list_variables(struct FusedPlan *plan)
{
    FusedVariable *v = plan->variable;
    for (int i = 0; i < plan->program.n_leaves; i++) v = list_in(plan, plan->leaf[i], i, 0, v);
}

/* The plan is a note that the evaluator makes on the tree; the tree's meaning stays as it is. */
struct FusedPlan *fuse_plan(Frame *f, const Ast *e)
{
    Ast *note = (Ast *)(uintptr_t)e;
    struct FusedPlan draft = {0};
    int index;
    note->plan = PLAN_NONE;
    draft.has_arrays = !is_number(f, e, 0);
    if (!add_node(f, &draft, e, 0, &index) || draft.program.n_steps < FEWEST_STEPS) return NULL;
    number_steps(&draft.program);
    list_variables(&draft);
    draft.node = e;
    draft.numbers = fuse_prepare_numbers(&draft) ? FUSE_MAX_MISSES : 0;
    note->plan = arena_alloc(&f->module->notes, sizeof draft);
    memcpy(note->plan, &draft, sizeof draft);
    return note->plan;
}

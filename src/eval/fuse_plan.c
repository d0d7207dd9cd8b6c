/* Recognising expressions that run in one go. */
#include <string.h>

#include "ad/elementwise_gradient.h"
#include "eval/builtin.h"
#include "eval/fuse_parts.h"
#include "eval/operator.h"

enum { FEWEST_STEPS = 2 };

/* The builtin that e calls with positions only, or NULL. */
static const Builtin *called_builtin(const Ast *e)
{
    if (e->kind != AST_CALL || e->call.n_args != e->call.n_positional) return NULL;
    const Ast *callee = e->call.callee;
    bool is_builtin = callee->kind == AST_NAME && callee->name.scope == SCOPE_BUILTIN;
    return is_builtin ? builtin_at((int)callee->name.slot) : NULL;
}

/* The operation that e is, or NULL. */
static const OpRow *operation_of(const Ast *e)
{
    if (e->kind == AST_BINARY || e->kind == AST_UNARY) return operator_row((Operator)e->op);
    const Builtin *b = called_builtin(e);
    return b && b->operation && b->operation->arity == e->call.n_args ? b->operation : NULL;
}

/* Whether e is one elementwise function from Floats to Floats. */
static bool is_step_of(const Ast *e, Elementwise *f)
{
    const OpRow *row = operation_of(e);
    if (!row || row->kernel != kernel_elementwise) return false;
    *f = (Elementwise)row->detail;
    return elementwise_info[*f].has[DT_FLOAT] && elementwise_info[*f].gives == GIVES_SAME;
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

static bool add_leaf(FusedPlan *plan, const Ast *e, int *index)
{
    for (*index = 0; *index < plan->n_leaves; ++*index)
        if (same_variable(plan->leaf[*index], e)) return true;
    if (plan->n_leaves == FUSED_LEAVES) return false;
    plan->before[plan->n_leaves] = (uint8_t)plan->n_steps;
    plan->leaf[plan->n_leaves++] = e;
    return true;
}

static bool is_step(const Ast *e)
{
    Elementwise f;
    return is_step_of(e, &f);
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
    const Builtin *b = called_builtin(e);
    if (b && b->gives_number && e->call.n_args == 1) return true;
    if (!is_step(e)) return false;
    for (int i = 0; i < part_count(e); i++)
        if (!is_number(f, part(e, i), depth + 1)) return false;
    return true;
}

/* Adds e and what is below it; *index is its operand number, leaves as they are met, steps as 128 +
 * step until all leaves are known. */
static bool add_node(const Frame *f, FusedPlan *plan, const Ast *e, int depth, int *index)
{
    enum { STEP = 128 };
    Elementwise step;
    if (depth > FUSED_STEPS) return false;
    if (depth > 0 && plan->has_arrays && is_number(f, e, depth)) return add_leaf(plan, e, index);
    if (!is_step_of(e, &step)) return add_leaf(plan, e, index);
    int operand[2] = {0, 0};
    bool apart = must_be_done_first(e);
    if (apart && (is_chain(e) || !add_leaf(plan, part(e, 0), &operand[0]))) return false;
    for (int i = apart; i < elementwise_info[step].arity; i++)
        if (!add_node(f, plan, part(e, i), depth + 1, &operand[i])) return false;
    if (plan->n_steps == FUSED_STEPS) return false;
    plan->step_node[plan->n_steps] = e;
    plan->step[plan->n_steps] =
        (TileStep){(uint8_t)step, {(uint8_t)operand[0], (uint8_t)operand[1], 0}};
    *index = STEP + plan->n_steps++;
    return true;
}

static void number_steps(FusedPlan *plan)
{
    enum { STEP = 128 };
    for (int i = 0; i < plan->n_steps; i++)
        for (int k = 0; k < 2; k++) {
            uint8_t *operand = &plan->step[i].operand[k];
            if (*operand >= STEP) *operand = (uint8_t)(*operand - STEP + plan->n_leaves);
        }
}

/* Those that leaf i is made of, as many as there is room for. */
static FusedVariable *list_in(FusedPlan *plan, const Ast *e, int i, int depth, FusedVariable *v)
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

static void list_variables(FusedPlan *plan)
{
    FusedVariable *v = plan->variable;
    for (int i = 0; i < plan->n_leaves; i++) v = list_in(plan, plan->leaf[i], i, 0, v);
}

FusedPlan *fuse_plan(Frame *f, const Ast *e)
{
    FusedPlan **place = fuse_plan_of(f, e), draft = {0};
    int index;
    *place = PLAN_NONE;
    draft.has_arrays = !is_number(f, e, 0);
    if (!add_node(f, &draft, e, 0, &index) || draft.n_steps < FEWEST_STEPS) return PLAN_NONE;
    number_steps(&draft);
    list_variables(&draft);
    draft.node = e;
    draft.numbers = fuse_prepare_numbers(&draft) ? FUSE_MAX_MISSES : 0;
    *place = mem_alloc(sizeof draft);
    memcpy(*place, &draft, sizeof draft);
    return *place;
}

void fuse_plans_grow(Module *m, uint32_t n)
{
    if (n <= m->n_plans) return;
    m->plan = mem_realloc(m->plan, n * sizeof(FusedPlan *));
    memset(m->plan + m->n_plans, 0, (n - m->n_plans) * sizeof(FusedPlan *));
    m->n_plans = n;
}

void fuse_plans_free(Module *m)
{
    for (uint32_t i = 0; i < m->n_plans; i++) {
        if (!m->plan[i] || m->plan[i] == PLAN_NONE) continue;
        elementwise_program_free(m->plan[i]->program);
        mem_free(m->plan[i]);
    }
    mem_free(m->plan);
}

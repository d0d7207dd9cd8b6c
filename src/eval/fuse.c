#include "eval/fuse.h"

#include <string.h>

enum {
    LARGE = 2048,   /* elements from which on fusing pays */
    PATIENCE = 256, /* fruitless looks, after which an expression is left alone for good */
    FEWEST_STEPS = 2,
};

/* ---- recognising ---- */

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

/* exp(x), max(x, y), …: a builtin that is one Float operation of the table. */
static bool call_step(const Ast *e, Elementwise *f)
{
    if (e->kind != AST_CALL || e->call.n_args != e->call.n_positional) return false;
    const Ast *callee = e->call.callee;
    if (callee->kind != AST_NAME || callee->name.scope != SCOPE_BUILTIN) return false;
    const char *name = builtin_at((int)callee->name.slot)->name;
    for (int i = 0; i < EW_COUNT; i++) {
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
    plan->leaf[p->n_leaves++] = e;
    return true;
}

/* Adds e and what is below it; *index is its operand number, leaves as they are met, steps as 128 +
 * step until all leaves are known. */
static bool add_node(struct FusedPlan *plan, const Ast *e, int depth, int *index)
{
    enum { STEP = 128 };
    FusedProgram *p = &plan->program;
    Elementwise f;
    if (depth > FUSED_STEPS) return false;
    if (!operator_step(e, &f) && !call_step(e, &f)) return add_leaf(plan, e, index);
    int operand[2] = {0, 0};
    for (int i = 0; i < elementwise_info[f].arity; i++)
        if (!add_node(plan, part(e, i), depth + 1, &operand[i])) return false;
    if (p->n_steps == FUSED_STEPS) return false;
    plan->step_node[p->n_steps] = e;
    p->step[p->n_steps] = (FusedStep){(uint8_t)f, {(uint8_t)operand[0], (uint8_t)operand[1]}};
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

/* Whether constants and variables alone are combined, and no step takes two Ints, which are not
 * Floats' business. */
static bool could_be_numbers(const struct FusedPlan *plan)
{
    const FusedProgram *p = &plan->program;
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    for (int i = 0; i < p->n_leaves; i++) {
        const Ast *leaf = plan->leaf[i];
        bool is_variable = leaf->kind == AST_NAME && leaf->name.scope != SCOPE_BUILTIN;
        if (!is_variable && leaf->kind != AST_FLOAT && leaf->kind != AST_INT) return false;
        is_float[i] = leaf->kind != AST_INT;
    }
    return fused_steps_take_floats(p, is_float);
}

/* The plan is a note that the evaluator makes on the tree; the tree's meaning stays as it is. */
static struct FusedPlan *make_plan(Frame *f, const Ast *e)
{
    Ast *note = (Ast *)(uintptr_t)e;
    struct FusedPlan draft = {0};
    int index;
    note->plan = PLAN_NONE;
    if (!add_node(&draft, e, 0, &index) || draft.program.n_steps < FEWEST_STEPS) return NULL;
    number_steps(&draft.program);
    draft.numbers = could_be_numbers(&draft) ? PATIENCE : 0;
    note->plan = arena_alloc(&f->module->notes, sizeof draft);
    memcpy(note->plan, &draft, sizeof draft);
    return note->plan;
}

/* ---- numbers ---- */

static inline bool leaf_number(const Frame *f, const Ast *leaf, double *x)
{
    if (leaf->kind == AST_NAME) {
        const Value *v = leaf->name.scope == SCOPE_GLOBAL ? &f->module->value[leaf->name.slot]
                                                          : &f->slot[leaf->name.slot];
        *x = v->f;
        return v->kind == VAL_FLOAT && !v->level;
    }
    *x = leaf->kind == AST_FLOAT ? leaf->number : (double)leaf->integer;
    return true;
}

static inline double step_number(const FusedStep *s, const double *x)
{
    double a = x[s->operand[0]], b = x[s->operand[1]];
    switch (s->f) {
    case EW_ADD: return a + b;
    case EW_SUB: return a - b;
    case EW_MUL: return a * b;
    case EW_DIV: return a / b;
    case EW_NEG: return -a;
    default:
        if (elementwise_info[s->f].arity == 2) return elementwise_float2((Elementwise)s->f, a, b);
        return elementwise_float1((Elementwise)s->f, a);
    }
}

bool fuse_numbers(const Frame *f, struct FusedPlan *plan, Value *out)
{
    double x[FUSED_LEAVES + FUSED_STEPS];
    const FusedProgram *p = &plan->program;
    int n = p->n_leaves;
    for (int i = 0; i < n; i++) {
        if (leaf_number(f, plan->leaf[i], &x[i])) continue;
        plan->numbers--;
        return false;
    }
    for (int i = 0; i < p->n_steps; i++) x[n + i] = step_number(&p->step[i], x);
    *out = value_float(x[n + p->n_steps - 1]);
    return true;
}

/* ---- trying ---- */

/* Asked before anything is evaluated: does one of the variables hold a large array? */
static bool looks_large(const Frame *f, const struct FusedPlan *plan)
{
    for (int i = 0; i < plan->program.n_leaves; i++) {
        const Ast *leaf = plan->leaf[i];
        if (leaf->kind != AST_NAME || leaf->name.scope == SCOPE_BUILTIN) continue;
        const Value *v = leaf->name.scope == SCOPE_GLOBAL ? &f->module->value[leaf->name.slot]
                                                          : &f->slot[leaf->name.slot];
        if (v->kind == VAL_ARR && v->arr->size >= LARGE) return true;
    }
    return false;
}

/* One step on values, with the messages that the unfused expression gives. */
static bool run_step(Interp *in, const Ast *e, const FusedStep *s, const Value *v, Value *out)
{
    Value a = v[s->operand[0]], b = v[s->operand[1]];
    if (e->kind == AST_BINARY) {
        if (apply_operator(in, (Operator)e->op, a, b, out)) return true;
        if (!span_is_set(in->err.span)) note_operands(in, e->binary.left, a, e->binary.right, b);
        return fail_at(in, e);
    }
    if (e->kind == AST_UNARY) return apply_unary(in, (Operator)e->op, a, out) || fail_at(in, e);
    Value given[2] = {value_retain(a), value_retain(b)};
    Call call = {.value = given, .n = e->call.n_args, .n_positional = e->call.n_args, .site = e};
    if (call.n == 1) value_release(b);
    return call_builtin_take(in, builtin_at((int)e->call.callee->name.slot), &call, out) ||
           fail_at(in, e);
}

/* Any operands, any errors: step by step, as if nothing had been fused, on the leaves' values. */
static bool run_steps(Interp *in, const struct FusedPlan *plan, const Value *leaf, Value *out)
{
    Value v[FUSED_LEAVES + FUSED_STEPS];
    const FusedProgram *p = &plan->program;
    int i = 0;
    memcpy(v, leaf, (size_t)p->n_leaves * sizeof *v);
    while (i < p->n_steps && run_step(in, plan->step_node[i], &p->step[i], v, &v[p->n_leaves + i]))
        i++;
    bool ok = i == p->n_steps;
    if (ok) *out = v[p->n_leaves + --i];
    release_values(v + p->n_leaves, i);
    return ok;
}

static bool run(Interp *in, const Ast *e, const struct FusedPlan *plan, const Value *leaf,
                Value *out)
{
    if (fused_serves(&plan->program, leaf)) {
        OpAttr attr = {.program = &plan->program};
        return op_apply(&in->ad, OP_FUSED, leaf, plan->program.n_leaves, &attr, out) ||
               fail_at(in, e);
    }
    return run_steps(in, plan, leaf, out);
}

bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done)
{
    struct FusedPlan *plan = e->plan ? e->plan : make_plan(f, e);
    *done = false;
    if (!plan) return true;
    if (!looks_large(f, plan)) {
        plan->is_idle = ++plan->misses == PATIENCE;
        return true;
    }
    plan->misses = 0;
    *done = true;
    Value leaf[FUSED_LEAVES];
    int n = plan->program.n_leaves, made = 0;
    while (made < n && eval(in, f, plan->leaf[made], &leaf[made])) made++;
    bool ok = made == n && run(in, e, plan, leaf, out);
    release_values(leaf, made);
    return ok;
}

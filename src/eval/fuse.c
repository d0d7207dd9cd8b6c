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

static bool is_variable(const Ast *e)
{
    return e->kind == AST_NAME && e->name.scope != SCOPE_BUILTIN;
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
    if (is_variable(e)) {
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
    if (is_variable(e))
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

static inline const Value *variable_value(const Frame *f, const FusedVariable *v)
{
    return v->is_global ? &f->module->value[v->slot] : &f->slot[v->slot];
}

/* Whether no step takes two Ints, which are not Floats' business; variables in the set ints hold
 * Ints. */
static bool meets_floats(const struct FusedPlan *plan, unsigned ints)
{
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    for (int i = 0; i < plan->program.n_leaves; i++)
        is_float[i] = plan->leaf[i]->kind != AST_INT && !(ints >> i & 1);
    return fused_steps_take_floats(&plan->program, is_float);
}

/* Steps on numbers. Most take the result of the step before, which is still in a register then:
 * reading it back from where it was just stored takes longer than the arithmetic. */
enum { LAST_LEFT = 1, LAST_RIGHT = 2, LAST_BITS = 2 };
typedef enum { NUMBER_ADD, NUMBER_SUB, NUMBER_MUL, NUMBER_DIV, NUMBER_NEG } NumberOp;
#define NUMBER_CODE(op, last) ((op) << LAST_BITS | (last))

static bool number_op(Elementwise f, NumberOp *op)
{
    switch (f) {
    case EW_ADD: *op = NUMBER_ADD; return true;
    case EW_SUB: *op = NUMBER_SUB; return true;
    case EW_MUL: *op = NUMBER_MUL; return true;
    case EW_DIV: *op = NUMBER_DIV; return true;
    case EW_NEG: *op = NUMBER_NEG; return true;
    default: return false;
    }
}

static bool write_codes(struct FusedPlan *plan)
{
    const FusedProgram *p = &plan->program;
    for (int i = 0; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        int before = i ? p->n_leaves + i - 1 : -1, last = 0;
        NumberOp op;
        if (!number_op((Elementwise)s->f, &op)) return false;
        if (s->operand[0] == before) last |= LAST_LEFT;
        if (s->operand[1] == before && op != NUMBER_NEG) last |= LAST_RIGHT;
        plan->code[i] = (NumberStep){(uint8_t)NUMBER_CODE(op, last), s->operand[0], s->operand[1]};
    }
    return true;
}

/* Whether constants and variables alone are combined; notes the constants. */
static bool could_be_numbers(struct FusedPlan *plan)
{
    plan->is_arithmetic = write_codes(plan);
    for (int i = 0; i < plan->program.n_leaves; i++) {
        const Ast *leaf = plan->leaf[i];
        if (leaf->kind == AST_FLOAT)
            plan->x[i] = leaf->number;
        else if (leaf->kind == AST_INT)
            plan->x[i] = (double)leaf->integer;
        else if (!is_variable(leaf))
            return false;
    }
    return meets_floats(plan, 0);
}

/* The plan is a note that the evaluator makes on the tree; the tree's meaning stays as it is. */
static struct FusedPlan *make_plan(Frame *f, const Ast *e)
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
    draft.first_step = draft.program.n_leaves;
    draft.n_steps = draft.program.n_steps;
    draft.numbers = could_be_numbers(&draft) ? PATIENCE : 0;
    note->plan = arena_alloc(&f->module->notes, sizeof draft);
    memcpy(note->plan, &draft, sizeof draft);
    return note->plan;
}

/* ---- numbers ---- */

enum { NO_NUMBERS = 1 << 30 }; /* above every leaf's bit */

/* Reads the variables into x; gives the set of those that hold Ints. */
static inline unsigned read_variables(const Frame *f, struct FusedPlan *plan)
{
    unsigned ints = 0;
    for (const FusedVariable *v = plan->variable; v->bit; v++) {
        const Value *value = variable_value(f, v);
        plan->x[v->leaf] = value->f;
        if (value->kind == VAL_FLOAT && !value->level) continue;
        if (value->kind != VAL_INT) return NO_NUMBERS;
        ints |= v->bit;
        plan->x[v->leaf] = (double)value->i;
    }
    return ints;
}

/* Another set of Ints than the last time, or something else. */
static __attribute__((noinline)) bool other_numbers(Interp *in, Frame *f, struct FusedPlan *plan,
                                                    unsigned ints, Value *out)
{
    if (ints != NO_NUMBERS && meets_floats(plan, ints)) {
        plan->ints = ints;
        return fuse_numbers(in, f, plan->node, out);
    }
    plan->numbers--;
    return eval_general(in, f, plan->node, out);
}

static __attribute__((noinline)) bool run_functions(struct FusedPlan *plan, Value *out)
{
    const FusedProgram *p = &plan->program;
    double *x = plan->x, *to = x + p->n_leaves;
    for (const TileStep *s = p->step, *end = s + p->n_steps; s < end; s++) {
        double a = x[s->operand[0]], b = x[s->operand[1]];
        *to++ = elementwise_info[s->f].arity == 2 ? elementwise_float2((Elementwise)s->f, a, b)
                                                  : elementwise_float1((Elementwise)s->f, a);
    }
    *out = value_float(to[-1]);
    return true;
}

#define NUMBER_CASES(op, operator)                                                                 \
    case NUMBER_CODE(op, 0): last = a operator b; break;                                           \
    case NUMBER_CODE(op, LAST_LEFT): last = last operator b; break;                                \
    case NUMBER_CODE(op, LAST_RIGHT): last = a operator last; break;                               \
    case NUMBER_CODE(op, LAST_LEFT | LAST_RIGHT): last = last operator last; break;

/* Calls nothing but a last function, so that it saves no registers. */
bool fuse_numbers(Interp *in, Frame *f, const Ast *e, Value *out)
{
    struct FusedPlan *plan = e->plan;
    unsigned ints = read_variables(f, plan);
    if (ints != plan->ints) return other_numbers(in, f, plan, ints, out);
    if (!plan->is_arithmetic) return run_functions(plan, out);
    double last = 0, *x = plan->x, *to = x + plan->first_step;
    int left = plan->n_steps;
    for (const NumberStep *s = plan->code; left > 0; s++, left--, *to++ = last) {
        double a = x[s->a], b = x[s->b];
        switch (s->code) {
            NUMBER_CASES(NUMBER_ADD, +)
            NUMBER_CASES(NUMBER_SUB, -)
            NUMBER_CASES(NUMBER_MUL, *)
            NUMBER_CASES(NUMBER_DIV, /)
        case NUMBER_CODE(NUMBER_NEG, 0): last = -a; break;
        case NUMBER_CODE(NUMBER_NEG, LAST_LEFT): last = -last; break;
        default: __builtin_unreachable();
        }
    }
    *out = value_float(last);
    return true;
}

/* ---- trying ---- */

/* Asked before anything is evaluated: does one of the variables hold a large array, or could a leaf
 * turn out to be one? */
static bool looks_large(const Frame *f, const struct FusedPlan *plan)
{
    for (const FusedVariable *at = plan->variable; at->bit; at++) {
        const Value *v = variable_value(f, at);
        if (v->kind == VAL_ARR && v->arr->size >= LARGE) return true;
    }
    return plan->has_product;
}

static bool any_large(const Value *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i].kind == VAL_ARR && v[i].arr->size >= LARGE) return true;
    return false;
}

static void miss(struct FusedPlan *plan)
{
    plan->is_idle = ++plan->misses == PATIENCE;
}

/* One step on values, with the messages that the unfused expression gives. */
static bool run_step(Interp *in, const Ast *e, const TileStep *s, const Value *v, Value *out)
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

/* Any operands, any errors: n steps one by one, as if nothing had been fused, on the leaves'
 * values. */
static bool run_steps(Interp *in, const struct FusedPlan *plan, const Value *leaf, int n,
                      Value *out)
{
    Value v[FUSED_LEAVES + FUSED_STEPS];
    const FusedProgram *p = &plan->program;
    int i = 0;
    memcpy(v, leaf, (size_t)p->n_leaves * sizeof *v);
    while (i < n && run_step(in, plan->step_node[i], &p->step[i], v, &v[p->n_leaves + i])) i++;
    bool ok = i == n;
    if (ok) *out = v[p->n_leaves + --i];
    release_values(v + p->n_leaves, i);
    return ok;
}

/* The leaf after those that were made has no value. If a step before it fails, that is the error.
 */
static bool fail_in_order(Interp *in, const struct FusedPlan *plan, const Value *leaf, int made)
{
    Error of_leaf = {0};
    Value ignored;
    if (!plan->before[made]) return false;
    error_move(&of_leaf, &in->err);
    if (run_steps(in, plan, leaf, plan->before[made], &ignored)) {
        value_release(ignored);
        error_move(&in->err, &of_leaf);
    }
    error_clear(&of_leaf);
    return false;
}

/* Leaves that were computed for this expression alone; none where something is tracked. */
static unsigned dead_leaves(const struct FusedPlan *plan, const Value *leaf)
{
    unsigned dead = 0;
    for (int i = 0; i < plan->program.n_leaves; i++) {
        if (leaf[i].level) return 0;
        if (!is_variable(plan->leaf[i])) dead |= 1u << i;
    }
    return dead;
}

static bool run(Interp *in, const Ast *e, struct FusedPlan *plan, const Value *leaf, Value *out)
{
    bool is_large = any_large(leaf, plan->program.n_leaves);
    if (is_large)
        plan->misses = 0;
    else
        miss(plan);
    if (is_large && fused_serves(&in->ad, &plan->program, leaf)) {
        OpAttr attr = {.program = &plan->program, .dead = dead_leaves(plan, leaf)};
        return op_apply(&in->ad, OP_FUSED, leaf, plan->program.n_leaves, &attr, out) ||
               fail_at(in, e);
    }
    return run_steps(in, plan, leaf, plan->program.n_steps, out);
}

bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done)
{
    struct FusedPlan *plan = e->plan ? e->plan : make_plan(f, e);
    *done = false;
    if (!plan) return true;
    if (!looks_large(f, plan)) {
        miss(plan);
        return true;
    }
    *done = true;
    Value leaf[FUSED_LEAVES] = {0};
    int n = plan->program.n_leaves, made = 0;
    while (made < n && eval(in, f, plan->leaf[made], &leaf[made])) made++;
    bool ok = made == n ? run(in, e, plan, leaf, out) : fail_in_order(in, plan, leaf, made);
    release_values(leaf, made);
    return ok;
}

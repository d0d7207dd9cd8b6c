#include <string.h>

#include "array/elementwise/limits.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/fuse_parts.h"
#include "eval/operator.h"

/* Asked before anything is evaluated: does one of the variables hold a large array, or could a leaf
 * turn out to be one? */
static bool looks_large(const Frame *f, const FusedPlan *plan)
{
    for (const FusedVariable *at = plan->variable; at->bit; at++) {
        const Value *v = fuse_variable(f, at);
        if (v->kind == VAL_ARR && v->arr->size >= FUSED_ELEMENTS) return true;
    }
    return plan->has_product;
}

static bool any_large(const Value *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i].kind == VAL_ARR && v[i].arr->size >= FUSED_ELEMENTS) return true;
    return false;
}

static void miss(FusedPlan *plan)
{
    plan->is_idle = ++plan->misses == FUSE_MAX_MISSES;
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
static bool run_steps(Interp *in, const FusedPlan *plan, const Value *leaf, int n, Value *out)
{
    Value v[FUSED_LEAVES + FUSED_STEPS];
    int i = 0, n_leaves = plan->n_leaves;
    memcpy(v, leaf, (size_t)n_leaves * sizeof *v);
    while (i < n && run_step(in, plan->step_node[i], &plan->step[i], v, &v[n_leaves + i])) i++;
    bool ok = i == n;
    if (ok) *out = v[n_leaves + --i];
    release_values(v + n_leaves, i);
    return ok;
}

/* The leaf after those that were made has no value. If a step before it fails, that is the error.
 */
static bool fail_in_order(Interp *in, const FusedPlan *plan, const Value *leaf, int made)
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
static unsigned overwritable_leaves(const FusedPlan *plan, const Value *leaf)
{
    unsigned may_overwrite = 0;
    for (int i = 0; i < plan->n_leaves; i++) {
        if (!value_is_plain(leaf[i])) return 0;
        if (!fuse_is_variable(plan->leaf[i])) may_overwrite |= 1u << i;
    }
    return may_overwrite;
}

static TileProgram *program_of(FusedPlan *plan)
{
    uint8_t output = (uint8_t)(plan->n_leaves + plan->n_steps - 1);
    TileSource source = {.n_leaves = plan->n_leaves,
                         .n_steps = plan->n_steps,
                         .n_outputs = 1,
                         .step = plan->step,
                         .output = &output};
    if (!plan->program) plan->program = tile_compile(simd_level(), &source);
    return plan->program;
}

static bool run(Interp *in, const Ast *e, FusedPlan *plan, const Value *leaf, Value *out)
{
    bool is_large = any_large(leaf, plan->n_leaves);
    if (is_large)
        plan->misses = 0;
    else
        miss(plan);
    if (is_large && fused_can_apply(&in->ad, program_of(plan), leaf)) {
        OpAttr attr = {.program = plan->program, .may_overwrite = overwritable_leaves(plan, leaf)};
        return op_apply(&in->ad, OP_FUSED, leaf, plan->n_leaves, &attr, out) || fail_at(in, e);
    }
    return run_steps(in, plan, leaf, plan->n_steps, out);
}

bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done)
{
    FusedPlan *plan = *fuse_plan_of(f, e);
    if (!plan) plan = fuse_plan(f, e);
    *done = false;
    if (plan == PLAN_NONE) return true;
    if (!looks_large(f, plan)) {
        miss(plan);
        return true;
    }
    *done = true;
    Value leaf[FUSED_LEAVES] = {0};
    int n = plan->n_leaves, made = 0;
    while (made < n && eval(in, f, plan->leaf[made], &leaf[made])) made++;
    bool ok = made == n ? run(in, e, plan, leaf, out) : fail_in_order(in, plan, leaf, made);
    release_values(leaf, made);
    return ok;
}

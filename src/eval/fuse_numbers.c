/* Expressions of numbers: a compact code instead of the tree. */
#include "array/elementwise/number.h"
#include "eval/fuse_parts.h"
#include "eval/operator.h"

/* Whether no step takes two Ints, which are not Floats' business; variables in the set ints hold
 * Ints. */
static bool meets_floats(const FusedPlan *plan, unsigned ints)
{
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    for (int i = 0; i < plan->n_leaves; i++)
        is_float[i] = plan->leaf[i]->kind != AST_INT && !(ints >> i & 1);
    return elementwise_meets_floats(plan->step, plan->n_leaves, plan->n_steps, is_float);
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

static bool write_codes(FusedPlan *plan)
{
    for (int i = 0; i < plan->n_steps; i++) {
        const TileStep *s = &plan->step[i];
        int before = i ? plan->n_leaves + i - 1 : -1, last = 0;
        NumberOp op;
        if (!number_op((Elementwise)s->f, &op)) return false;
        if (s->operand[0] == before) last |= LAST_LEFT;
        if (s->operand[1] == before && op != NUMBER_NEG) last |= LAST_RIGHT;
        plan->code[i] = (NumberStep){(uint8_t)NUMBER_CODE(op, last), s->operand[0], s->operand[1]};
    }
    return true;
}

/* Whether constants and variables alone are combined; notes the constants. */
bool fuse_prepare_numbers(FusedPlan *plan)
{
    plan->is_arithmetic = write_codes(plan);
    for (int i = 0; i < plan->n_leaves; i++) {
        const Ast *leaf = plan->leaf[i];
        if (leaf->kind == AST_FLOAT)
            plan->x[i] = leaf->number;
        else if (leaf->kind == AST_INT)
            plan->x[i] = (double)leaf->integer;
        else if (!fuse_is_variable(leaf))
            return false;
    }
    return meets_floats(plan, 0);
}

/* ---- running ---- */

enum { NO_NUMBERS = 1 << 30 }; /* above every leaf's bit */

/* Reads the variables into x; gives the set of those that hold Ints. */
static inline unsigned read_variables(const Frame *f, FusedPlan *plan)
{
    unsigned ints = 0;
    for (const FusedVariable *v = plan->variable; v->bit; v++) {
        const Value *value = fuse_variable(f, v);
        plan->x[v->leaf] = value->f;
        if (value_is_plain_float(value)) continue;
        if (value->kind != VAL_INT) return NO_NUMBERS;
        ints |= v->bit;
        plan->x[v->leaf] = (double)value->i;
    }
    return ints;
}

/* Another set of Ints than the last time, or something else. */
static __attribute__((noinline)) bool other_numbers(Interp *in, Frame *f, FusedPlan *plan,
                                                    unsigned ints, Value *out)
{
    if (ints != NO_NUMBERS && meets_floats(plan, ints)) {
        plan->ints = ints;
        return fuse_numbers(in, f, plan, out);
    }
    plan->numbers--;
    return eval_general(in, f, plan->node, out);
}

static __attribute__((noinline)) bool run_functions(FusedPlan *plan, Value *out)
{
    double *x = plan->x, *to = x + plan->n_leaves;
    for (const TileStep *s = plan->step, *end = s + plan->n_steps; s < end; s++)
        *to++ = elementwise_number((Elementwise)s->f, x[s->operand[0]], x[s->operand[1]]);
    *out = value_float(to[-1]);
    return true;
}

#define NUMBER_CASES(op, operator)                                                                 \
    case NUMBER_CODE(op, 0): last = a operator b; break;                                           \
    case NUMBER_CODE(op, LAST_LEFT): last = last operator b; break;                                \
    case NUMBER_CODE(op, LAST_RIGHT): last = a operator last; break;                               \
    case NUMBER_CODE(op, LAST_LEFT | LAST_RIGHT): last = last operator last; break;

/* Calls nothing but a last function, so that it saves no registers. */
bool fuse_numbers(Interp *in, Frame *f, FusedPlan *plan, Value *out)
{
    unsigned ints = read_variables(f, plan);
    if (ints != plan->ints) return other_numbers(in, f, plan, ints, out);
    if (!plan->is_arithmetic) return run_functions(plan, out);
    double last = 0, *x = plan->x, *to = x + plan->n_leaves;
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

/* Trying what an expression does, with samples instead of its operands. */
#include <string.h>

#include "cli/check/lint_walk.h"
#include "eval/expression.h"
#include "eval/fuse.h"
#include "eval/statement.h"
#include "value/map.h"

/* ---- samples ---- */

enum { SAMPLES = 5, OPERANDS = 4 };

static Tuple *tuple_of(Value a, int n)
{
    Tuple *t = tuple_new(n);
    for (int i = 0; i < n; i++) t->item[i] = value_retain(a);
    value_release(a);
    return t;
}

static Value array_of(DType dtype, int rank)
{
    Shape s = {.rank = rank, .dim = {1, 1}};
    Error ignored = {0};
    return value_arr(array_zeros(dtype, &s, &ignored));
}

static Value map_of(Value key, Value v)
{
    Map *m = map_new();
    *map_put(m, key) = v;
    return (Value){.kind = VAL_MAP, .map = m};
}

/* Values of one kind that differ in what a function could ask of it; those that most functions take
 * come first. Owned; none of a struct, for there are as many kinds of them as one likes. */
static int samples(Lint *l, ValueKind kind, Value *out)
{
    switch (kind) {
    case VAL_NONE: out[0] = value_none(); return 1;
    case VAL_BOOL: out[0] = value_bool(true); return 1;
    case VAL_INT: out[0] = value_int(1); return 1;
    case VAL_FLOAT: out[0] = value_float(1.0); return 1;
    case VAL_STR:
        out[0] = value_str(str_of("a"));
        out[1] = value_str(str_of(""));
        return 2;
    case VAL_ARR:
        out[0] = array_of(DT_INT, 1);
        out[1] = array_of(DT_FLOAT, 1);
        out[2] = array_of(DT_BOOL, 1);
        out[3] = array_of(DT_FLOAT, 2);
        return 4;
    case VAL_TUPLE:
        out[0] = value_tuple(tuple_of(value_float(1.0), 2));
        out[1] = value_tuple(tuple_of(value_str(str_of("a")), 2));
        out[2] = value_tuple(tuple_of(array_of(DT_FLOAT, 1), 2));
        out[3] = value_tuple(tuple_of(value_int(1), 1));
        out[4] = value_tuple(tuple_new(0));
        return 5;
    case VAL_MAP:
        out[0] = map_of(value_int(1), value_float(1.0));
        out[1] = (Value){.kind = VAL_MAP, .map = map_new()};
        return 2;
    case VAL_FN: out[0] = value_fn(function_builtin(builtin_at(0))); return 1;
    case VAL_MODULE:
        l->m->head.refs++;
        out[0] = (Value){.kind = VAL_MODULE, .module = l->m};
        return 1;
    default: return 0;
    }
}

/* ---- literals ---- */

bool is_constant(const Ast *e)
{
    switch (e->kind) {
    case AST_NONE:
    case AST_BOOL:
    case AST_INT:
    case AST_FLOAT:
    case AST_STR: return true;
    case AST_UNARY:
        return e->op == OPERATOR_NEG &&
               (e->unary.operand->kind == AST_INT || e->unary.operand->kind == AST_FLOAT);
    case AST_ARRAY:
    case AST_TUPLE:
        for (int i = 0; i < e->list.len; i++)
            if (!is_constant(e->list.item[i])) return false;
        return true;
    default: return false;
    }
}

bool constant_value(Lint *l, const Ast *e, Value *out)
{
    Frame f = {.module = l->m, .plan = l->m->plan, .name = "a literal"};
    return eval(l->in, &f, e, out);
}

/* The shape by the first part of each axis; false where it does not show. */
static bool shown_shape(const Ast *e, Shape *s)
{
    Shape part = {0};
    *s = (Shape){0};
    if (e->kind == AST_INT || e->kind == AST_FLOAT || e->kind == AST_BOOL) return true;
    if (e->kind != AST_ARRAY || e->list.len == 0 || !shown_shape(e->list.item[0], &part))
        return false;
    if (part.rank == MAX_RANK) return false;
    s->rank = part.rank + 1;
    s->dim[0] = e->list.len;
    for (int i = 0; i < part.rank; i++) s->dim[i + 1] = part.dim[i];
    return true;
}

bool shown_array(Lint *l, const Ast *e, Value *out)
{
    Shape s;
    if (e->kind != AST_ARRAY || !shown_shape(e, &s)) return false;
    Array *a = array_zeros(DT_FLOAT, &s, &l->in->err);
    error_clear(&l->in->err);
    *out = value_from_array_take(a);
    return a != NULL;
}

/* ---- attempts ---- */

Ast try_operand(const Ast *e, uint32_t slot)
{
    return (Ast){.kind = AST_NAME, .span = e->span, .name = {.scope = SCOPE_LOCAL, .slot = slot}};
}

bool attempt_expression(Interp *in, Frame *f, const Ast *expression)
{
    Value v;
    if (!eval(in, f, expression, &v)) return false;
    value_release(v);
    return true;
}

bool attempt_condition(Interp *in, Frame *f, const Ast *expression)
{
    bool ignored;
    return eval_condition(in, f, expression, &ignored);
}

bool attempt_statement(Interp *in, Frame *f, const Ast *statement)
{
    return exec(in, f, statement) != FLOW_ERROR;
}

typedef struct {
    Lint *l;
    Attempt *attempt;
    const Ast *what;
    const Kinds *kinds;
    int n;
    const Value *value; /* one of each operand */
} Trial;

/* With these values; the error stays. */
static bool attempt_now(const Trial *t)
{
    Value slot[OPERANDS + 1] = {0};
    for (int i = 0; i < t->n; i++) slot[i] = value_retain(t->value[i]);
    /* What is tried is no expression of the file: there is nothing to fuse, and nothing to keep. */
    FusedPlan *plan = PLAN_NONE;
    Module none = {.plan = &plan, .n_plans = 1};
    Frame f = {.slot = slot, .module = &none, .plan = none.plan, .name = "a trial"};
    bool ok = t->attempt(t->l->in, &f, t->what);
    release_values(slot, t->n + 1);
    return ok;
}

/* Samples of arrays have one element: operators take them together, while a builtin may want more.
 */
static bool is_proof(const Ast *what, ErrorKind kind)
{
    return kind == ERR_TYPE || (kind == ERR_SHAPE && what->kind == AST_BINARY);
}

/* Whether it fails for every sample of the operands from number i on. */
static bool fails_for_all(const Trial *t, int i, Value *value)
{
    if (i == t->n) {
        bool fails = !attempt_now(t) && is_proof(t->what, t->l->in->err.kind);
        error_clear(&t->l->in->err);
        return fails;
    }
    bool fails = true;
    for (int kind = VAL_NONE; fails && kind <= VAL_MODULE; kind++) {
        if (!(t->kinds[i] & KIND(kind))) continue;
        Value sample[SAMPLES];
        int n = samples(t->l, (ValueKind)kind, sample);
        fails = n > 0;
        for (int k = 0; k < n && fails; k++) {
            value[i] = sample[k];
            fails = fails_for_all(t, i + 1, value);
        }
        release_values(sample, n);
    }
    return fails;
}

/* The kind that a message names: of numbers and arrays, arrays. */
static ValueKind shown_kind(Kinds k)
{
    bool is_mixed = (k & KIND(VAL_ARR)) && (k & KINDS_SCALAR & (k - 1));
    int kind = VAL_NONE;
    while (!(k & KIND(kind))) kind++;
    return is_mixed ? VAL_ARR : (ValueKind)kind;
}

Value sample_value(Lint *l, Kinds kinds)
{
    Value sample[SAMPLES] = {0};
    int n = samples(l, shown_kind(kinds), sample);
    if (n) release_values(sample + 1, n - 1);
    return sample[0];
}

/* A literal, but none that asks for much memory; else a sample. */
static bool shown_value(Lint *l, const Ast *e, Kinds kinds, Value *out)
{
    enum { SMALL = 100 };
    bool is_large = e->kind == AST_INT && e->integer > SMALL;
    if (is_constant(e) && !is_large && constant_value(l, e, out)) return true;
    error_clear(&l->in->err);
    *out = sample_value(l, kinds);
    return false;
}

void try_kinds(Lint *l, Attempt *attempt, const Ast *what, const Ast *const *operand,
               const Kinds *kinds, int n)
{
    Value value[OPERANDS + 1];
    if (n > OPERANDS || l->expects_error) return;
    for (int i = 0; i < n; i++)
        if (kinds[i] & KIND(VAL_STRUCT)) return;
    Trial t = {l, attempt, what, kinds, n, value};
    if (!fails_for_all(&t, 0, value)) return;
    bool are_literals = true;
    for (int i = 0; i < n; i++) are_literals &= shown_value(l, operand[i], kinds[i], &value[i]);
    bool fails = !attempt_now(&t);
    release_values(value, n);
    if (!fails) return;
    if (!are_literals) error_drop_notes(&l->in->err);
    lint_take_error(l, operand[0]->span);
}

/* The kinds of value that an expression may have, where its parts' kinds tell. */
#include <string.h>

#include "cli/check/lint_walk.h"

/* ---- annotations ---- */

/* Arr[n, d] has axes; Arr, and Arr[...], may be a number too. */
static Kinds array_kinds(const TypeAlternative *t)
{
    for (int i = 0; i < t->n_dims; i++)
        if (t->dim[i].kind != DIM_REST) return KIND(VAL_ARR);
    return t->n_dims == 0 ? KINDS_SCALAR : KINDS_NUMERIC;
}

static Kinds alternative_kinds(const TypeAlternative *t)
{
    static const uint8_t kind[] = {
        [TYPE_NONE] = VAL_NONE,     [TYPE_BOOL] = VAL_BOOL, [TYPE_INT] = VAL_INT,
        [TYPE_FLOAT] = VAL_FLOAT,   [TYPE_STR] = VAL_STR,   [TYPE_ARR] = VAL_ARR,
        [TYPE_TUPLE] = VAL_TUPLE,   [TYPE_MAP] = VAL_MAP,   [TYPE_FN] = VAL_FN,
        [TYPE_STRUCT] = VAL_STRUCT,
    };
    return t->builtin == TYPE_ARR ? array_kinds(t) : KIND(kind[t->builtin]);
}

Kinds kinds_annotated(const Annotation *a)
{
    Kinds k = a ? 0 : KINDS_ANY;
    for (int i = 0; a && i < a->len; i++) k |= alternative_kinds(&a->item[i]);
    return k;
}

Kinds kinds_accepted(const Annotation *a)
{
    Kinds k = kinds_annotated(a);
    return k & KIND(VAL_FLOAT) ? k | KIND(VAL_INT) : k;
}

/* ---- operators ---- */

/* What can't work has no result, and what is done with that is no further mistake. */
static Kinds after_mistake(Kinds k)
{
    return k ? k : KINDS_ANY;
}

Kinds kinds_of_unary(Operator op, Kinds a)
{
    if (op == OPERATOR_NOT) return KIND(VAL_BOOL);
    if (op != OPERATOR_INVERT && (a & KIND(VAL_BOOL))) a |= KIND(VAL_INT);
    return after_mistake(a &
                         (op == OPERATOR_INVERT ? KINDS_NUMERIC : KINDS_NUMERIC & ~KIND(VAL_BOOL)));
}

static bool is_comparison(Operator op)
{
    return op >= OPERATOR_EQ && op <= OPERATOR_GE;
}

/* Arrays are compared element by element, with arrays and numbers. */
static Kinds kinds_of_comparison(Kinds a, Kinds b)
{
    bool may_be_arrays = (a & KINDS_NUMERIC) && (b & KINDS_NUMERIC) && ((a | b) & KIND(VAL_ARR));
    bool are_numeric = !((a | b) & ~KINDS_NUMERIC);
    bool are_arrays = are_numeric && (a == KIND(VAL_ARR) || b == KIND(VAL_ARR));
    if (are_arrays) return KIND(VAL_ARR);
    return may_be_arrays ? KIND(VAL_BOOL) | KIND(VAL_ARR) : KIND(VAL_BOOL);
}

/* Numbers with numbers: what dtype the result has. */
static Kinds kinds_of_scalars(Operator op, Kinds a, Kinds b)
{
    enum { WHOLE = 1u << VAL_BOOL | 1u << VAL_INT };
    Kinds k = 0;
    if (!(a & KINDS_SCALAR) || !(b & KINDS_SCALAR)) return 0;
    if (op == OPERATOR_BIT_AND || op == OPERATOR_BIT_OR) return (a | b) & WHOLE;
    bool may_be_int = (a & WHOLE) && (b & WHOLE) && op != OPERATOR_DIV;
    bool may_be_float = op == OPERATOR_DIV || op == OPERATOR_POW || ((a | b) & KIND(VAL_FLOAT));
    if (may_be_int) k |= KIND(VAL_INT);
    if (may_be_float) k |= KIND(VAL_FLOAT);
    return k;
}

Kinds kinds_of_binary(Operator op, Kinds a, Kinds b)
{
    if (op == OPERATOR_IN || op == OPERATOR_NOT_IN) return KIND(VAL_BOOL);
    if (is_comparison(op)) return kinds_of_comparison(a, b);
    if (op == OPERATOR_MATMUL) return KINDS_NUMERIC;
    Kinds k = kinds_of_scalars(op, a, b);
    if ((a & KINDS_NUMERIC) && (b & KINDS_NUMERIC)) k |= (a | b) & KIND(VAL_ARR);
    if (op == OPERATOR_ADD) k |= a & b & (KIND(VAL_STR) | KIND(VAL_TUPLE));
    return after_mistake(k);
}

/* ---- parts and results ---- */

Kinds kinds_of_element(Kinds indexed, const Ast *index)
{
    bool is_slice = index->index.items.item[0]->kind == AST_SLICE;
    Kinds k = 0;
    if (indexed & ~(KIND(VAL_ARR) | KIND(VAL_STR) | KIND(VAL_TUPLE))) return KINDS_ANY;
    if (indexed & KIND(VAL_ARR)) k |= KINDS_NUMERIC;
    if (indexed & KIND(VAL_STR)) k |= KIND(VAL_STR);
    if (indexed & KIND(VAL_TUPLE)) k |= is_slice ? KIND(VAL_TUPLE) : KINDS_ANY;
    return k;
}

Kinds kinds_of_builtin(const char *name)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } table[] = {
        {"len", VAL_INT},       {"ndim", VAL_INT},    {"size", VAL_INT},    {"shape", VAL_TUPLE},
        {"str", VAL_STR},       {"type_of", VAL_STR}, {"format", VAL_STR},  {"join", VAL_STR},
        {"upper", VAL_STR},     {"lower", VAL_STR},   {"strip", VAL_STR},   {"replace", VAL_STR},
        {"chr", VAL_STR},       {"ord", VAL_INT},     {"split", VAL_TUPLE}, {"keys", VAL_TUPLE},
        {"values", VAL_TUPLE},  {"items", VAL_TUPLE}, {"range", VAL_ARR},   {"print", VAL_NONE},
        {"read_text", VAL_STR},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].name[0] == name[0] && strcmp(table[i].name, name) == 0)
            return KIND(table[i].kind);
    return KINDS_ANY;
}

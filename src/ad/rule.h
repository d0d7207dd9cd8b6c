/* What derivative rules are written with. Private to this floor.
 *
 * A rule reads like its formula and goes through op_apply, so it can be differentiated itself.
 * Errors are sticky: after the first one every helper does nothing, so no rule checks anything.
 * Values made by helpers belong to the rule's pool. Products and quotients obey "0 times non-finite
 * is 0" (MUL_NO_NAN, DIV_NO_NAN).
 *
 *     void reverse_div(Rule *r)   // out = x / y
 *     {
 *         if (wants(r, X)) give(r, X, div_by(r, r->g, r->y));
 *         if (wants(r, Y)) give(r, Y, neg(r, div_by(r, mul(r, r->g, r->out), r->y)));
 *     }
 *
 * In reverse mode g is the cotangent of the result and give adds to an input's cotangent (summed
 * over the axes it was broadcast along). In forward mode (diagonal rules) g is the tangent of the
 * one input that is wanted and give adds to the result's tangent: for an elementwise operation both
 * are the same product; a rule that has to tell them apart asks is_forward. */
#ifndef AD_RULE_H
#define AD_RULE_H

#include <string.h>

#include "ad/fused.h"
#include "ad/tape.h"

enum { X, Y, Z };

typedef struct Rule {
    Ad *ad;
    Level *level;
    OpCode op;
    const OpAttr *attr;
    const Record *record; /* NULL for FORM_NUMBER */
    int n;                /* inputs */
    const uint32_t *parent;
    const Shape *out_shape; /* NULL for FORM_NUMBER */
    bool failed;
    /* forward mode */
    bool is_forward;
    int wanted;           /* diagonal: the input whose tangent is g */
    const Value *tangent; /* one per input, unset where it has none */
    const Value *input;   /* primals, one per input */
    Value result;         /* what give has added up; owned */
    int n_before;         /* temporaries that others hold */
    Value g;
    Value out; /* the result and the inputs, where they were saved; borrowed */
    union {
        Value saved[FUSED_LEAVES];
        struct {
            Value x, y, z;
        };
    };
} Rule;

/* A rule whose inputs are still to be set; what comes from out on is left as it is. */
static inline void rule_start(Rule *r, Ad *ad, Level *level, OpCode op)
{
    memset(r, 0, offsetof(Rule, out));
    r->ad = ad;
    r->level = level;
    r->op = op;
    r->n_before = ad->pool.len;
}

typedef void RuleFunction(Rule *r);

typedef struct {
    RuleFunction *reverse, *forward; /* NULL: the derivative is zero everywhere */
} RuleRow;

extern const RuleRow rule_rows[OP_COUNT];

/* Every rule that a row of the table names. */
#define OP(code, name, arity, kernel, detail, x, y, rev, fwd, doc)                                 \
    RuleFunction reverse_##rev, forward_##fwd;
#include "ops/op_list.h"
#undef OP

/* The mechanics, in rule.c. */
void rule_finish(Rule *r); /* frees the temporaries */
/* The rule of an elementwise operation on large or very small plain arrays as a tile program
 * (rule_tiled.c); false, with nothing done, where the rule itself is to run. */
bool rule_run_tiled(Rule *r);

bool wants(const Rule *r, int input);
/* Takes part in the sum of the input's cotangent, or of the result's tangent. */
void give(Rule *r, int input, Value v);
Shape in_shape(const Rule *r, int input);

/* Operations; results belong to the rule. */
Value apply_attr(Rule *r, OpCode op, const Value *in, int n, const OpAttr *attr);
static inline Value apply1(Rule *r, OpCode op, Value a)
{
    return apply_attr(r, op, &a, 1, NULL);
}
static inline Value apply2(Rule *r, OpCode op, Value a, Value b)
{
    Value in[2] = {a, b};
    return apply_attr(r, op, in, 2, NULL);
}
static inline Value num(double v)
{
    return value_float(v);
}
static inline Value neg(Rule *r, Value a)
{
    return apply1(r, OP_NEG, a);
}
static inline Value add(Rule *r, Value a, Value b)
{
    return apply2(r, OP_ADD, a, b);
}
static inline Value sub(Rule *r, Value a, Value b)
{
    return apply2(r, OP_SUB, a, b);
}
static inline Value mul(Rule *r, Value a, Value b)
{
    return apply2(r, OP_MUL_NO_NAN, a, b);
}
static inline Value div_by(Rule *r, Value a, Value b)
{
    return apply2(r, OP_DIV_NO_NAN, a, b);
}
static inline Value matrix_product(Rule *r, Value a, Value b)
{
    return apply2(r, OP_MATMUL, a, b);
}
/* where(condition, a, b): selects, never multiplies. */
Value select_where(Rule *r, Value condition, Value a, Value b);
Value sum_axes(Rule *r, Value a, unsigned axes, bool keepdims);
Value reshape_to(Rule *r, Value a, const Shape *s);
Value broadcast_to(Rule *r, Value a, const Shape *s);
/* The last two axes exchanged; a vector as it is. */
Value transposed(Rule *r, Value a);
/* A reduction's result (or its cotangent) given back the reduced axes, with one element each; a
 * number as it is. */
Value with_axes(Rule *r, Value reduced, const Shape *input);
/* Likewise, broadcast to the input's shape. */
Value expand(Rule *r, Value reduced, const Shape *input);
Value indexed(Rule *r, Value a, Selection *s);
/* a[wanted] along one axis. */
Value indexed_along(Rule *r, Value a, int axis, IndexTerm wanted);
/* a[start : stop] along one axis. */
Value sliced(Rule *r, Value a, int axis, int64_t start, int64_t stop);
/* give(r, input, matrix_product(r, a, b)), added to what is there already in one go where that
 * works. */
void give_product(Rule *r, int input, Value a, Value b);
/* Keeps an owned value alive until the rule ends, and returns it. */
Value keep_take(Rule *r, Value v);

/* Whether a cotangent is an array that can be added to in place. */
bool cotangent_is_own(Value to);
/* Adds an owned contribution into a cotangent's place, in place where it can. */
bool cotangent_add_take(Ad *ad, Value *place, Value contribution);

#endif

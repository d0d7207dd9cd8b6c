#include <string.h>

#include "array/elementwise/int_ops.h"
#include "array/elementwise/number.h"
#include "base/interrupt.h"
#include "base/stack.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/fuse.h"
#include "eval/operator.h"
#include "syntax/source.h"
#include "value/map.h"

static const OpCode op_of[OPERATOR_COUNT] = {
    [OPERATOR_ADD] = OP_ADD,
    [OPERATOR_SUB] = OP_SUB,
    [OPERATOR_MUL] = OP_MUL,
    [OPERATOR_DIV] = OP_DIV,
    [OPERATOR_FLOORDIV] = OP_FLOORDIV,
    [OPERATOR_MOD] = OP_MOD,
    [OPERATOR_POW] = OP_POW,
    [OPERATOR_MATMUL] = OP_MATMUL,
    [OPERATOR_BIT_AND] = OP_AND,
    [OPERATOR_BIT_OR] = OP_OR,
    [OPERATOR_EQ] = OP_EQ,
    [OPERATOR_NE] = OP_NE,
    [OPERATOR_LT] = OP_LT,
    [OPERATOR_LE] = OP_LE,
    [OPERATOR_GT] = OP_GT,
    [OPERATOR_GE] = OP_GE,
    [OPERATOR_NEG] = OP_NEG,
    [OPERATOR_POS] = OP_POS,
    [OPERATOR_INVERT] = OP_NOT,
};

const OpRow *operator_row(Operator op)
{
    bool is_other = op == OPERATOR_IN || op == OPERATOR_NOT_IN || op == OPERATOR_NOT;
    return is_other ? NULL : &op_rows[op_of[op]];
}

/* ---- numbers, the fast way ---- */

#define FLOAT_CASE(op)                                                                             \
    case OPERATOR_##op:                                                                            \
        *out = value_float(elementwise_number_inline(EW_##op, a, b));                              \
        return true;
#define COMPARISON_CASE(op)                                                                        \
    case OPERATOR_##op:                                                                            \
        *out = value_bool(COMPARE_##op(a, b));                                                     \
        return true;
#define COMPARISON_CASES                                                                           \
    COMPARISON_CASE(EQ)                                                                            \
    COMPARISON_CASE(NE)                                                                            \
    COMPARISON_CASE(LT)                                                                            \
    COMPARISON_CASE(LE)                                                                            \
    COMPARISON_CASE(GT)                                                                            \
    COMPARISON_CASE(GE)

static inline __attribute__((always_inline)) bool float_operator(Operator op, double a, double b,
                                                                 Value *out)
{
    switch (op) {
        FLOAT_CASE(ADD)
        FLOAT_CASE(SUB)
        FLOAT_CASE(MUL)
        FLOAT_CASE(DIV)
        COMPARISON_CASES
    default: return false;
    }
}

/* False where the general path is needed, also for errors, which it reports. */
static inline __attribute__((always_inline)) bool int_operator(Operator op, int64_t a, int64_t b,
                                                               Value *out)
{
    int64_t v;
    LoopStatus status;
    switch (op) {
    case OPERATOR_ADD: status = int_add(a, b, &v); break;
    case OPERATOR_SUB: status = int_subtract(a, b, &v); break;
    case OPERATOR_MUL: status = int_multiply(a, b, &v); break;
    case OPERATOR_FLOORDIV: status = int_floor_divide(a, b, &v); break;
    case OPERATOR_MOD: status = int_floor_remainder(a, b, &v); break;
    case OPERATOR_DIV:
        *out = value_float(elementwise_number_inline(EW_DIV, (double)a, (double)b));
        return true;
        COMPARISON_CASES
    default: return false;
    }
    if (status != LOOP_OK) return false;
    *out = value_int(v);
    return true;
}

/* ---- the other kinds ---- */

static bool join_tuples(const Tuple *a, const Tuple *b, Value *out, Error *err)
{
    Tuple *t = tuple_new(a->len + b->len);
    Stretch s = {0};
    while (stretch_next(&s, t->len, err))
        for (int64_t i = s.start; i < s.end; i++)
            t->item[i] = value_retain(i < a->len ? a->item[i] : b->item[i - a->len]);
    *out = value_tuple(t);
    if (stretch_done(&s, t->len)) return true;
    value_clear(out);
    return false;
}

static bool compare_strings(Operator op, const Str *a, const Str *b, Value *out)
{
    int order = str_compare(a, b);
    bool holds = op == OPERATOR_LT   ? order < 0
                 : op == OPERATOR_LE ? order <= 0
                 : op == OPERATOR_GT ? order > 0
                                     : order >= 0;
    *out = value_bool(holds);
    return true;
}

static bool find_in_tuple(Interp *in, Value item, const Tuple *t, bool *found)
{
    *found = false;
    for (int i = 0; i < t->len && !*found; i++)
        if (!value_equal(item, t->item[i], found, &in->err)) return false;
    return true;
}

static bool contains(Interp *in, Value item, Value v, bool *found)
{
    switch (v.kind) {
    case VAL_MAP:
        if (!map_key_check(item, &in->err)) return false;
        *found = map_get(v.map, item) != NULL;
        return true;
    case VAL_TUPLE: return find_in_tuple(in, item, v.tuple, found);
    case VAL_STR:
        if (item.kind != VAL_STR)
            return error_set(&in->err, ERR_TYPE, "only a Str can be in a Str, not %s",
                             value_type_name(item));
        *found = memmem(v.str->text, v.str->len, item.str->text, item.str->len) != NULL;
        return true;
    case VAL_ARR:
        error_set(&in->err, ERR_TYPE, "in looks into maps, tuples and strings, not into arrays");
        return error_hint(&in->err, "any(X == v) tells whether v is in the array X");
    default:
        return error_set(&in->err, ERR_TYPE, "in looks into maps, tuples and strings, not into %s",
                         value_type_name(v));
    }
}

static bool wrong_operands(Interp *in, Operator op, Value a, Value b)
{
    error_set(&in->err, ERR_TYPE, "%s does not work on %s and %s", operator_text(op),
              value_type_name(a), value_type_name(b));
    if (op == OPERATOR_ADD && (a.kind == VAL_STR || b.kind == VAL_STR))
        error_hint(&in->err,
                   "str(x) makes text of a value, and f\"… {x} …\" builds text around one");
    if (op == OPERATOR_MOD && a.kind == VAL_STR)
        error_hint(&in->err, "f\"x = {x:.2f}\" puts values into text");
    if (op == OPERATOR_MUL && (a.kind == VAL_STR || b.kind == VAL_STR))
        error_hint(&in->err, "join(tuple, \"\") puts strings together");
    if (a.kind == VAL_NONE || b.kind == VAL_NONE)
        error_hint(&in->err, "a function that returns nothing gives none");
    return false;
}

static bool apply_structural(Interp *in, Operator op, Value a, Value b, Value *out)
{
    bool holds;
    if (op == OPERATOR_IN || op == OPERATOR_NOT_IN) {
        if (!contains(in, a, b, &holds)) return false;
        *out = value_bool(holds == (op == OPERATOR_IN));
        return true;
    }
    if (op == OPERATOR_EQ || op == OPERATOR_NE) {
        if (!value_equal(a, b, &holds, &in->err)) return false;
        *out = value_bool(holds == (op == OPERATOR_EQ));
        return true;
    }
    if (a.kind == VAL_STR && b.kind == VAL_STR) {
        if (op == OPERATOR_ADD) {
            if (!interrupt_poll(&in->err)) return false;
            *out = value_str(str_join(a.str, b.str));
            return true;
        }
        if (op >= OPERATOR_LT && op <= OPERATOR_GE) return compare_strings(op, a.str, b.str, out);
    }
    if (a.kind == VAL_TUPLE && b.kind == VAL_TUPLE && op == OPERATOR_ADD)
        return join_tuples(a.tuple, b.tuple, out, &in->err);
    return wrong_operands(in, op, a, b);
}

/* may_overwrite: which of the two the caller drops, as bits. */
static __attribute__((noinline)) bool apply_general(Interp *in, Operator op, Value a, Value b,
                                                    unsigned may_overwrite, Value *out)
{
    if (op == OPERATOR_IN || op == OPERATOR_NOT_IN || !value_is_numeric(a) || !value_is_numeric(b))
        return apply_structural(in, op, a, b, out);
    if (!may_overwrite || !values_are_plain(a, b)) return op_apply2(&in->ad, op_of[op], a, b, out);
    Value operand[2] = {a, b};
    OpAttr attr = {.may_overwrite = may_overwrite};
    return op_apply(&in->ad, op_of[op], operand, 2, &attr, out);
}

/* Numbers, which need no more than an instruction each; false where the general path is needed. */
static inline __attribute__((always_inline)) bool apply_quick(Interp *in, Operator op, Value a,
                                                              Value b, Value *out)
{
    if (a.kind == VAL_INT && b.kind == VAL_INT) return int_operator(op, a.i, b.i, out);
    if (!value_is_real(a) || !value_is_real(b)) return false;
    if (values_are_plain(a, b)) return float_operator(op, value_double(a), value_double(b), out);
    return op <= OPERATOR_DIV && op_numbers(&in->ad, op_of[op], a, b, out);
}

bool apply_operator(Interp *in, Operator op, Value a, Value b, Value *out)
{
    return apply_quick(in, op, a, b, out) || apply_general(in, op, a, b, 0, out);
}

bool apply_operator_overwriting(Interp *in, Operator op, Value a, Value b, Value *out)
{
    return apply_quick(in, op, a, b, out) || apply_general(in, op, a, b, 1, out);
}

/* ---- messages ---- */

static void note_operand(StrBuf *note, const Ast *e, Value v)
{
    enum { LONGEST = 40 };
    size_t len;
    const char *text = source_text(e->span, &len);
    if (len <= LONGEST && !memchr(text, '\n', len))
        strbuf_printf(note, "%.*s is ", (int)len, text);
    else
        strbuf_text(note, note->len ? "the right side is " : "the left side is ");
    value_describe(note, v);
}

void note_operands(Interp *in, const Ast *a, Value va, const Ast *b, Value vb)
{
    StrBuf note = {0};
    note_operand(&note, a, va);
    strbuf_text(&note, ", ");
    note_operand(&note, b, vb);
    error_note(&in->err, "%s", strbuf_str(&note));
    strbuf_free(&note);
}

/* ---- expressions ---- */

static __attribute__((noinline)) bool fail_binary(Interp *in, const Ast *e, Value left, Value right)
{
    if (span_is_set(in->err.span)) return false;
    note_operands(in, e->binary.left, left, e->binary.right, right);
    return fail_at(in, e);
}

/* An operand without a call where it is a number or a local. */
static inline const Value *operand(Interp *in, Frame *f, const Ast *e, Value *temporary)
{
    if (e->kind == AST_NAME && e->name.scope == SCOPE_LOCAL && value_is_set(f->slot[e->name.slot]))
        return &f->slot[e->name.slot];
    temporary->kind = VAL_UNSET;
    if (e->kind == AST_FLOAT) {
        *temporary = value_float(e->number);
    } else if (e->kind == AST_INT) {
        *temporary = value_int(e->integer);
    } else if (e->kind == AST_BINARY) {
        if (!eval_binary(in, f, e, temporary)) return NULL;
    } else if (e->kind == AST_CALL) {
        if (!eval_call(in, f, e, temporary)) return NULL;
    } else {
        return eval_borrow(in, f, e, temporary);
    }
    return temporary;
}

static inline bool apply_right(Interp *in, Frame *f, const Ast *e, Value left,
                               bool may_overwrite_left, Value *out)
{
    Value temporary;
    const Value *place = operand(in, f, e->binary.right, &temporary);
    if (!place) return false;
    Value right = *place; /* which may be where out is, and a failure leaves anything there */
    unsigned may_overwrite = may_overwrite_left | (unsigned)(place == &temporary) << 1;
    bool ok = apply_quick(in, (Operator)e->op, left, right, out) ||
              apply_general(in, (Operator)e->op, left, right, may_overwrite, out) ||
              fail_binary(in, e, left, right);
    if (place == &temporary) value_release(temporary);
    return ok;
}

enum { CHAIN = 8 };

/* a + b + c + … is deep on its left: walk down that spine in strides, so that long chains cost
 * little stack. */
static __attribute__((noinline)) bool eval_chain(Interp *in, Frame *f, const Ast *e, Value *out)
{
    enum { STRIDE = 64 };
    const Ast *spine[STRIDE];
    int n = 0;
    if (!stack_check(&in->err, "expressions")) return fail_at(in, e);
    while (e->kind == AST_BINARY && n < STRIDE) {
        spine[n++] = e;
        e = e->binary.left;
    }
    Value v, next;
    if (!eval(in, f, e, &v)) return false;
    while (n > 0) {
        bool ok = apply_right(in, f, spine[--n], v, true, &next);
        value_release(v);
        if (!ok) return false;
        v = next;
    }
    *out = v;
    return true;
}

__attribute__((noinline)) bool eval_general(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (fuse_may(f, e)) {
        bool done, ok = fuse_try(in, f, e, out, &done);
        if (done) return ok;
    }
    int depth = 0;
    for (const Ast *p = e->binary.left; p->kind == AST_BINARY; p = p->binary.left)
        if (++depth == CHAIN) return eval_chain(in, f, e, out);
    Value temporary;
    const Value *left = operand(in, f, e->binary.left, &temporary);
    if (!left) return false;
    bool ok = apply_right(in, f, e, *left, left == &temporary, out);
    if (left == &temporary) value_release(temporary);
    return ok;
}

/* A constant, or a local that holds a number. */
static inline bool is_at_hand(const Frame *f, const Ast *e, Value *v)
{
    if (e->kind == AST_NAME) {
        if (e->name.scope != SCOPE_LOCAL) return false;
        *v = f->slot[e->name.slot];
        return value_is_real(*v);
    }
    *v = e->kind == AST_INT ? value_int(e->integer) : value_float(e->number);
    return e->kind == AST_INT || e->kind == AST_FLOAT;
}

static inline __attribute__((always_inline)) bool eval_deep(Interp *in, Frame *f, const Ast *e,
                                                            Value *out)
{
    FusedPlan *plan = fuse_numbers_plan(f, e);
    return plan ? fuse_numbers(in, f, plan, out) : eval_general(in, f, e, out);
}

/* f(x) + g(y), where nothing is to be fused. */
static __attribute__((noinline)) bool eval_calls(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Value a, b;
    if (!eval_call(in, f, e->binary.left, &a)) return false;
    if (!eval_call(in, f, e->binary.right, &b)) {
        value_release(a);
        return false;
    }
    if (a.kind == VAL_INT && b.kind == VAL_INT && int_operator((Operator)e->op, a.i, b.i, out))
        return true;
    bool ok = apply_quick(in, (Operator)e->op, a, b, out) ||
              apply_general(in, (Operator)e->op, a, b, 3, out) || fail_binary(in, e, a, b);
    value_release(a);
    value_release(b);
    return ok;
}

/* Numbers of which one is tracked. */
static __attribute__((noinline)) bool eval_tracked(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Value a, b;
    return (is_at_hand(f, e->binary.left, &a) && is_at_hand(f, e->binary.right, &b) &&
            apply_quick(in, (Operator)e->op, a, b, out)) ||
           eval_deep(in, f, e, out);
}

/* Two operands, each a constant or a variable, as a rule. */
static __attribute__((noinline)) bool eval_flat(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Value a, b;
    if (is_at_hand(f, e->binary.left, &a) && is_at_hand(f, e->binary.right, &b)) {
        if (a.kind == VAL_INT && b.kind == VAL_INT) {
            if (int_operator((Operator)e->op, a.i, b.i, out)) return true;
        } else if (values_are_plain(a, b)) {
            if (float_operator((Operator)e->op, value_double(a), value_double(b), out)) return true;
        } else {
            return eval_tracked(in, f, e, out);
        }
    }
    return eval_deep(in, f, e, out);
}

/* Neither this nor eval_flat and fuse_numbers call anything but a last function, so that numbers
 * are computed without saving registers. */
bool eval_binary(Interp *in, Frame *f, const Ast *e, Value *out)
{
    const Ast *left = e->binary.left, *right = e->binary.right;
    if (left->kind == AST_CALL && right->kind == AST_CALL && *fuse_plan_of(f, e) == PLAN_NONE)
        return eval_calls(in, f, e, out);
    bool is_deep = left->kind > AST_NAME || right->kind > AST_NAME;
    return is_deep ? eval_deep(in, f, e, out) : eval_flat(in, f, e, out);
}

bool apply_unary(Interp *in, Operator op, Value a, Value *out)
{
    if (a.kind == VAL_FLOAT && value_is_plain(a) && op == OPERATOR_NEG) {
        *out = value_float(-a.f);
        return true;
    }
    if (a.kind == VAL_INT && a.i != INT64_MIN && op == OPERATOR_NEG) {
        *out = value_int(-a.i);
        return true;
    }
    if (!value_is_numeric(a))
        return error_set(&in->err, ERR_TYPE, "unary %s does not work on %s", operator_text(op),
                         value_type_name(a));
    return op_apply1(&in->ad, op_of[op], a, out);
}

bool eval_unary(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (e->op == OPERATOR_NOT) {
        bool truth;
        if (!eval_condition(in, f, e->unary.operand, &truth)) return false;
        *out = value_bool(!truth);
        return true;
    }
    if (fuse_may(f, e)) {
        bool done, ok = fuse_try(in, f, e, out, &done);
        if (done) return ok;
    }
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, e->unary.operand, &temporary);
    if (!v) return false;
    bool ok = apply_unary(in, (Operator)e->op, *v, out);
    value_clear(&temporary);
    return ok || fail_at(in, e);
}

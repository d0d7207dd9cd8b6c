#include <string.h>

#include "ad/elementwise_gradient.h"
#include "ad/fused.h"
#include "ad/rule.h"
#include "ad/tape.h"
#include "ad/watch.h"
#include "array/elementwise/number.h"

enum { FEW = 4 };

static int top_level(const Value *in, int n)
{
    int top = 0;
    for (int i = 0; i < n; i++)
        if (in[i].level > top) top = in[i].level;
    return top;
}

Value ad_peel(const Ad *ad, Value v)
{
    return ad->depth ? tape_peel(ad->level[ad->depth], ad->depth, v) : v;
}

/* What the rules of the tracked inputs will read. */
static unsigned saves(OpCode op, const Value *in, int n, const OpAttr *attr, int level)
{
    const OpRow *row = &op_rows[op];
    if (attr && attr->program) {
        unsigned tracked = 0;
        for (int i = 0; i < n; i++) tracked |= (unsigned)(in[i].level == level) << i;
        return fused_saves(attr->program, tracked);
    }
    return (in[0].level == level ? row->saves_for_x : 0u) |
           (n > 1 && in[1].level == level ? row->saves_for_y : 0u);
}

static double as_double(Value v)
{
    return v.kind == VAL_BOOL ? (double)v.b : value_double(v);
}

static bool fits_number_form(const Value *low, int n, const OpAttr *attr, Value result,
                             unsigned needs)
{
    if (n > 2 || attr || result.kind != VAL_FLOAT || result.level || save_count(needs) > 2)
        return false;
    for (int i = 0; i < n; i++)
        if (low[i].level || !value_is_number(low[i])) return false;
    return true;
}

static void fill_number(Node *node, const Value *in, const Value *low, int n, Value result,
                        unsigned needs, int level)
{
    int k = 0;
    node->saved = (uint8_t)needs;
    if (needs & SAVE_X) node->number.saved[k++] = as_double(low[0]);
    if (needs & SAVE_Y) node->number.saved[k++] = as_double(low[1]);
    if (needs & SAVE_OUT) node->number.saved[k++] = result.f;
    node->number.parent[0] = tape_parent(in[0], level);
    node->number.parent[1] = n > 1 ? tape_parent(in[1], level) : NO_PARENT;
}

/* What an operation was told, its selection retained. */
static OpAttr *attr_copy(Level *level, const OpAttr *attr)
{
    if (!attr) return NULL;
    size_t size = offsetof(OpAttr, shape.dim) + (size_t)attr->shape.rank * sizeof(int64_t);
    OpAttr *copy = arena_alloc(&level->arena, size);
    memcpy(copy, attr, size);
    if (copy->selection) selection_retain(copy->selection);
    return copy;
}

static void save_sizes(Level *level, Record *record, const Value *low, int axis)
{
    record->sizes = arena_alloc(&level->arena, (size_t)record->n * sizeof(int64_t));
    for (int i = 0; i < record->n; i++) record->sizes[i] = value_shape(low[i]).dim[axis];
}

static void fill_record(Level *level, Node *node, OpCode op, const Value *in, const Value *low,
                        int n, const OpAttr *attr, Value result, unsigned needs, int depth)
{
    Record *record = record_new(level, n, needs, result);
    node->record = record;
    record->attr = attr_copy(level, attr);
    for (int i = 0; i < n; i++) record->parent[i] = tape_parent(in[i], depth);
    Value *saved = record->saved;
    if (needs & SAVE_OUT) *saved++ = value_retain(result);
    for (int i = 0; needs >> (i + 1); i++)
        if (needs & save_input(i)) *saved++ = value_retain(low[i]);
    if (op == OP_CONCAT) save_sizes(level, record, low, attr->axis);
}

bool reverse_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result)
{
    Value made = *result;
    if (!value_is_float(made)) return true;
    unsigned needs = saves(op, in, n, attr, depth);
    bool is_number = fits_number_form(low, n, attr, made, needs);
    Node *node = tape_record(ad, depth, is_number ? FORM_NUMBER : FORM_RECORD, op, result);
    if (!node) return false;
    if (is_number)
        fill_number(node, in, low, n, made, needs, depth);
    else
        fill_record(ad->level[depth], node, op, in, low, n, attr, made, needs, depth);
    return true;
}

static bool apply_tracked(Ad *ad, int depth, OpCode op, const Value *in, Value *low, int n,
                          const OpAttr *attr, Value *out)
{
    Level *level = ad->level[depth];
    for (int i = 0; i < n; i++) low[i] = tape_peel(level, depth, in[i]);
    if (!op_apply(ad, op, low, n, attr, out)) return false;
    bool ok = level->is_forward ? forward_record(ad, depth, op, in, low, n, attr, out)
                                : reverse_record(ad, depth, op, in, low, n, attr, out);
    if (!ok) value_clear(out);
    return ok;
}

/* Without any tracking. */
static inline bool eval_plain(Ad *ad, OpCode op, const Value *in, int n, const OpAttr *attr,
                              Value *out)
{
    return ad->trace ? trace_op(ad->trace, op, in, n, attr, out, ad->err)
                     : op_eval(op, in, n, attr, out, ad->err);
}

static inline __attribute__((always_inline)) bool apply(Ad *ad, OpCode op, const Value *in, int n,
                                                        const OpAttr *attr, Value *out)
{
    int depth = top_level(in, n);
    if (depth == 0 || !rule_rows[op].reverse) return eval_plain(ad, op, in, n, attr, out);
    Value few[FEW];
    Value *low = n <= FEW ? few : mem_alloc((size_t)n * sizeof *low);
    bool ok = apply_tracked(ad, depth, op, in, low, n, attr, out);
    if (low != few) mem_free(low);
    return ok;
}

static __attribute__((cold, noinline)) bool apply_watched(Ad *ad, OpCode op, const Value *in, int n,
                                                          const OpAttr *attr, Value *out)
{
    WatchedOp o = watch_begin(ad, op, in, n);
    bool ok = apply(ad, op, in, n, attr, out);
    watch_end(ad, &o);
    return ok;
}

bool op_apply(Ad *ad, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out)
{
    return ad->watch ? apply_watched(ad, op, in, n, attr, out) : apply(ad, op, in, n, attr, out);
}

bool op_reduce(Ad *ad, OpCode op, Value v, unsigned axes, bool keepdims, Value *out)
{
    OpAttr attr = {.axes = axes, .keepdims = keepdims};
    return op_apply(ad, op, &v, 1, &attr, out);
}

bool op_reshape(Ad *ad, Value v, const Shape *s, Value *out)
{
    OpAttr attr = {0};
    shape_copy(&attr.shape, s->rank, s->dim);
    return op_apply(ad, OP_RESHAPE, &v, 1, &attr, out);
}

bool op_broadcast(Ad *ad, Value v, const Shape *s, Value *out)
{
    OpAttr attr = {0};
    shape_copy(&attr.shape, s->rank, s->dim);
    return op_apply(ad, OP_BROADCAST, &v, 1, &attr, out);
}

bool op_index(Ad *ad, Value v, Selection *selection, Value *out)
{
    OpAttr attr = {.selection = selection};
    return op_apply(ad, OP_INDEX, &v, 1, &attr, out);
}

/* Peels a number to a plain primal; false when it is none. */
static inline bool plain_number(const Level *level, Value v, int depth, uint32_t *parent)
{
    *parent = NO_PARENT;
    if (v.level == 0) return true;
    if (v.level != depth) return false;
    *parent = v.node;
    return level->node[v.node].primal_level == 0;
}

/* What the rules of + - * / read, in the order of fill_number. */
static inline void save_numbers(Node *node, OpCode op, double x, double y, double result)
{
    bool wants_x = node->number.parent[0] != NO_PARENT,
         wants_y = node->number.parent[1] != NO_PARENT;
    double *saved = node->number.saved;
    if (op == OP_MUL) {
        node->saved = (uint8_t)((wants_x ? SAVE_Y : 0) | (wants_y ? SAVE_X : 0));
        saved[0] = wants_y ? x : y;
        saved[1] = y;
    } else if (op == OP_DIV) {
        node->saved = (uint8_t)(SAVE_Y | (wants_y ? SAVE_OUT : 0));
        saved[0] = y;
        saved[1] = result;
    }
}

static inline __attribute__((always_inline)) bool number_node(Ad *ad, OpCode op, Elementwise f,
                                                              Value x, Value y, Value *out)
{
    int depth = x.level > y.level ? x.level : y.level;
    Level *level = ad->level[depth];
    uint32_t parent_x, parent_y;
    if (level->is_forward || !plain_number(level, x, depth, &parent_x) ||
        !plain_number(level, y, depth, &parent_y))
        return false;
    if (level->len == level->cap && !tape_grow(level, ad->err)) return false;
    uint32_t number = level->len++;
    Node *node = &level->node[number];
    *node = (Node){.op = (uint8_t)op, .form = FORM_NUMBER, .number.parent = {parent_x, parent_y}};
    double a = value_double(x), b = value_double(y), result = elementwise_number_inline(f, a, b);
    save_numbers(node, op, a, b, result);
    *out = (Value){.kind = VAL_FLOAT, .level = (uint8_t)depth, .node = number, .f = result};
    return true;
}

static __attribute__((cold, noinline)) bool numbers_watched(Ad *ad, OpCode op, Value x, Value y,
                                                            Value *out)
{
    bool done = number_node(ad, op, (Elementwise)op_rows[op].detail, x, y, out);
    if (done) watch_count(ad, op, true);
    return done;
}

/* A constant op lets the compiler drop what the others need. */
bool op_numbers(Ad *ad, OpCode op, Value x, Value y, Value *out)
{
    if (ad->watch) return numbers_watched(ad, op, x, y, out);
    switch (op) {
    case OP_ADD: return number_node(ad, OP_ADD, EW_ADD, x, y, out);
    case OP_SUB: return number_node(ad, OP_SUB, EW_SUB, x, y, out);
    case OP_MUL: return number_node(ad, OP_MUL, EW_MUL, x, y, out);
    default: return number_node(ad, OP_DIV, EW_DIV, x, y, out);
    }
}

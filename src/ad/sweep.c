/* The backward sweep: from the last node to the first, each node's cotangent is handed to its
 * parents and dropped. */
#include <string.h>

#include "ad/rule.h"
#include "ad/watch.h"
#include "array/elementwise/float_ops.h"
#include "base/interrupt.h"
#include "value/structure.h"

enum { POLL_EVERY = 1024 };

/* ---- the operations that programs are full of: the arithmetic of their rules, on numbers ---- */

static inline bool takes_number(const Level *level, uint32_t parent)
{
    if (parent == NO_PARENT) return true;
    const Value *place = &level->cotangent[parent];
    return place->kind == VAL_UNSET || (place->kind == VAL_FLOAT && !place->level);
}

static inline void add_number(Level *level, uint32_t parent, double v)
{
    if (parent == NO_PARENT) return;
    Value *place = &level->cotangent[parent];
    if (place->kind == VAL_UNSET)
        *place = value_float(v);
    else
        place->f += v;
}

/* The two local contributions of + - * / (what reverse_add, reverse_sub, reverse_mul and
 * reverse_div give). */
static inline bool local_products(const Node *node, double g, double *to_x, double *to_y)
{
    const double *saved = node->number.saved;
    switch (node->op) {
    case OP_ADD: *to_x = *to_y = g; return true;
    case OP_SUB: *to_x = g, *to_y = -g; return true;
    case OP_MUL: /* one side tracked: the other one is saved; both: x, then y */
        *to_x = float_mul_no_nan(g, node->saved == (SAVE_X | SAVE_Y) ? saved[1] : saved[0]);
        *to_y = float_mul_no_nan(g, saved[0]);
        return true;
    case OP_DIV: /* y, and the result where y is tracked */
        *to_x = float_div_no_nan(g, saved[0]);
        *to_y = -float_div_no_nan(float_mul_no_nan(g, saved[1]), saved[0]);
        return true;
    default: return false;
    }
}

/* A node of numbers whose cotangents are plain numbers, here and at its parents; false, with
 * nothing done, where the rule is needed. */
static inline bool sweep_plain_number(Level *level, const Node *node, Value *cotangent)
{
    double to_x, to_y;
    const uint32_t *parent = node->number.parent;
    if (cotangent->kind != VAL_FLOAT || cotangent->level || !takes_number(level, parent[0]) ||
        !takes_number(level, parent[1]) || !local_products(node, cotangent->f, &to_x, &to_y))
        return false;
    cotangent->kind = VAL_UNSET;
    add_number(level, parent[0], to_x);
    add_number(level, parent[1], to_y);
    return true;
}

/* ---- any node ---- */

/* What a node saved, put where the rule looks for it. */
static void unpack_numbers(Rule *r, const Node *node)
{
    const double *saved = node->number.saved;
    r->n = op_rows[node->op].arity;
    r->parent = node->number.parent;
    for (int i = 0; i < 2; i++)
        if (node->saved & save_input(i)) r->saved[i] = value_float(*saved++);
    if (node->saved & SAVE_OUT) r->out = value_float(*saved);
}

static void unpack_record(Rule *r, const Record *record)
{
    const Value *saved = record->saved;
    r->attr = record->attr;
    r->record = record;
    r->n = record->n;
    r->parent = record->parent;
    r->out_shape = &record->shape;
    if (record->saves & SAVE_OUT) r->out = *saved++;
    for (int i = 0; record->saves >> (i + 1); i++)
        if (record->saves & save_input(i)) r->saved[i] = *saved++;
}

static bool sweep_rule(Ad *ad, Level *level, const Node *node, Value cotangent)
{
    Rule r;
    rule_start(&r, ad, level, (OpCode)node->op);
    r.g = cotangent;
    if (node->form == FORM_NUMBER)
        unpack_numbers(&r, node);
    else
        unpack_record(&r, node->record);
    if (!rule_run_tiled(&r)) rule_rows[r.op].reverse(&r);
    rule_finish(&r);
    value_release(r.g);
    return !r.failed;
}

Value *cotangent_begin(Ad *ad, Level *level, uint32_t number)
{
    Value *place = &level->cotangent[number];
    if (!value_is_set(*place))
        *place = value_from_array_take(array_zeros(DT_FLOAT, node_shape(level, number), ad->err));
    return value_is_set(*place) ? place : NULL;
}

/* x[i, j]: the cotangent is added into one place of x's. */
static bool sweep_element(Ad *ad, Level *level, const Node *node, Value cotangent)
{
    Value *place = cotangent_begin(ad, level, node->element.array);
    bool ok = place && op_update_element(ad, OP_ADD_INDEX, place, node->element.offset, cotangent);
    value_release(cotangent);
    return ok;
}

/* x[i, j] = v and x[i, j] += v: v gets that place of the cotangent, which is handed on to x itself,
 * with the place zeroed where it was replaced. */
static bool sweep_update_element(Ad *ad, Level *level, const Node *node, Value cotangent)
{
    uint32_t value = node->element.value;
    int64_t offset = node->element.offset;
    Value v;
    bool ok = value == NO_PARENT || (op_element(ad, cotangent, offset, &v) &&
                                     cotangent_add_take(ad, &level->cotangent[value], v));
    if (ok && node->op == OP_SET_INDEX)
        ok = op_update_element(ad, OP_SET_INDEX, &cotangent, offset, value_float(0.0));
    if (ok) return cotangent_add_take(ad, &level->cotangent[node->element.array], cotangent);
    value_release(cotangent);
    return false;
}

static bool sweep_node(Ad *ad, Level *level, Node *node, Value cotangent)
{
    switch (node->form) {
    case FORM_ELEMENT: return sweep_element(ad, level, node, cotangent);
    case FORM_UPDATE_ELEMENT: return sweep_update_element(ad, level, node, cotangent);
    default: return sweep_rule(ad, level, node, cotangent);
    }
}

/* ---- the sweep ---- */

static bool give_leaf(void *context, const Value *leaf, const Place *at)
{
    Ad *ad = context;
    Value floats;
    (void)at;
    if (leaf[0].level != ad->depth || leaf[1].kind == VAL_NONE) return true;
    return op_to_float(ad, leaf[1], &floats) &&
           cotangent_add_take(ad, &ad->level[ad->depth]->cotangent[leaf[0].node], floats);
}

bool sweep_give(Ad *ad, Value value, Value cotangent)
{
    Value in[2] = {value, cotangent};
    return structure_visit(in, 2, give_leaf, ad, ad->err);
}

/* A result's leaf and its cotangent. */
static bool seed_leaf(void *context, const Value *leaf, const Place *at)
{
    if (!value_is_float(leaf[0])) return true;
    return ad_fits(context, "cotangent", leaf[1], "result", leaf[0]) &&
           give_leaf(context, leaf, at);
}

static void start_cotangents(Level *level)
{
    if (level->n_cotangents == level->len) return;
    if (level->len > level->cotangent_cap) {
        level->cotangent_cap = level->len;
        level->cotangent = mem_realloc(level->cotangent, level->len * sizeof *level->cotangent);
    }
    memset(level->cotangent + level->n_cotangents, 0,
           (level->len - level->n_cotangents) * sizeof *level->cotangent);
    level->n_cotangents = level->len;
}

bool ad_sweep_part(Ad *ad, Value result, Value seed)
{
    Value in[2] = {result, seed};
    start_cotangents(ad->level[ad->depth]);
    if (ad->watch) ad->watch->busy++;
    bool ok = structure_visit(in, 2, seed_leaf, ad, ad->err);
    if (ad->watch) ad->watch->busy--;
    return ok;
}

/* A custom node has no cotangent of its own, and its outputs keep theirs until it asks for them. */
static bool sweep_one(Ad *ad, Level *level, uint32_t number)
{
    Node *node = &level->node[number];
    Value cotangent = level->cotangent[number];
    bool ok = true;
    if (node->form == FORM_OUTPUT) return true;
    level->cotangent[number] = (Value){0};
    if (node->form == FORM_CUSTOM)
        ok = custom_sweep(ad, number);
    else if (value_is_set(cotangent))
        ok = sweep_node(ad, level, node, cotangent);
    if (!level->keeps && node->form >= FORM_RECORD) node_drop(node);
    return ok;
}

/* ---- the sweep, measured: each node is charged to the place that recorded it ---- */

/* The place that recorded a node; *next counts marks, as the nodes go down. */
static uint32_t place_of(const Level *level, uint32_t number, int *next)
{
    while (*next > 0 && level->marks.item[*next - 1].first > number) --*next;
    return *next > 0 ? level->marks.item[*next - 1].place : 0;
}

static __attribute__((cold, noinline)) bool sweep_one_watched(Ad *ad, Level *level, uint32_t number,
                                                              int *next)
{
    watch_move(ad, place_of(level, number, next));
    const Node *node = &level->node[number];
    OpCode op = value_is_set(level->cotangent[number]) ? (OpCode)node->op : OP_COUNT;
    bool is_timed = node->form == FORM_RECORD;
    if (op != OP_COUNT && !is_timed) watch_count(ad, op, true);
    WatchedOp o = watch_begin_rule(ad, is_timed ? op : OP_COUNT);
    bool ok = sweep_one(ad, level, number);
    watch_end(ad, &o);
    return ok;
}

/* Numbers are done in the loop. */
static inline bool sweep_next(Ad *ad, Level *level, uint32_t number)
{
    const Node *node = &level->node[number];
    if (node->form == FORM_NUMBER) {
        Value *cotangent = &level->cotangent[number];
        if (cotangent->kind == VAL_UNSET || sweep_plain_number(level, node, cotangent)) return true;
    }
    return sweep_one(ad, level, number);
}

bool ad_sweep_run(Ad *ad)
{
    Level *level = ad->level[ad->depth];
    Watch *w = ad->watch;
    uint32_t home = w ? w->at : 0;
    int next = level->marks.len;
    bool ok = true;
    start_cotangents(level);
    if (w) {
        w->sweeping++;
        watch_move(ad, home);
    }
    for (uint32_t i = level->len; ok && i > level->n_leaves; i--) {
        ok = (i % POLL_EVERY || interrupt_poll(ad->err)) &&
             (w ? sweep_one_watched(ad, level, i - 1, &next) : sweep_next(ad, level, i - 1));
    }
    if (ok && !level->keeps) level->dropped = level->len;
    if (w) {
        w->sweeping--;
        watch_move(ad, home);
    }
    return ok;
}

bool ad_sweep(Ad *ad, Value result, Value seed)
{
    return ad_sweep_part(ad, result, seed) && ad_sweep_run(ad);
}

void ad_keep_tape(Ad *ad)
{
    ad->level[ad->depth]->keeps = true;
}

void ad_forget_cotangents(Ad *ad)
{
    Level *level = ad->level[ad->depth];
    for (uint32_t i = 0; i < level->n_cotangents; i++) value_clear(&level->cotangent[i]);
}

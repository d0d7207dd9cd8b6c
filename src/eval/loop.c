/* The heads of loops and comprehensions, and what runs under them. */
#include "base/interrupt.h"
#include "eval/assign.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/statement.h"
#include "value/map.h"

/* What is done for each turn; FLOW_BREAK and FLOW_NEXT as in a loop. */
typedef Flow Turn(Interp *in, Frame *f, void *context);

/* ---- counting ---- */

static bool bound(Interp *in, Frame *f, const Ast *e, const char *what, int64_t otherwise,
                  int64_t *to)
{
    *to = otherwise;
    if (!e) return true;
    Value v;
    if (!eval(in, f, e, &v)) return false;
    if (v.kind == VAL_INT) {
        *to = v.i;
        return true;
    }
    error_set_at(&in->err, ERR_TYPE, e->span, "a loop's %s must be an Int, not %s", what,
                 value_type_name(v));
    if (v.kind == VAL_FLOAT) error_hint(&in->err, "round(x), floor(x) or int(x) makes an Int");
    if (v.kind == VAL_ARR)
        error_hint(&in->err, "len(X) counts the rows; for row in X { } walks them");
    value_release(v);
    return false;
}

static __attribute__((noinline)) Flow interrupted(Interp *in, const LoopHead *head)
{
    interrupt_take(&in->err);
    error_locate(&in->err, head->target->span);
    return FLOW_ERROR;
}

static Flow one_turn(Interp *in, Frame *f, const LoopHead *head, Value v, Turn *turn, void *context)
{
    if (interrupt_flag) {
        value_release(v);
        return interrupted(in, head);
    }
    if (!assign_take(in, f, head->target, v)) return FLOW_ERROR;
    return turn(in, f, context);
}

static inline bool is_over(int64_t i, int64_t to, int64_t by)
{
    return by > 0 ? i >= to : i <= to;
}

/* The turns of a loop that counts in a variable of the frame, one after the other. */
static inline __attribute__((always_inline)) Flow count_in_slot(Interp *in, Frame *f,
                                                                const LoopHead *head, int64_t from,
                                                                int64_t to, int64_t by, Turn *turn,
                                                                void *context)
{
    Value *slot = &f->slot[head->target->name.slot];
    for (int64_t i = from; !is_over(i, to, by);) {
        if (interrupt_flag) return interrupted(in, head);
        Value old = *slot;
        *slot = value_int(i);
        value_release(old);
        Flow result = turn(in, f, context);
        if (result == FLOW_BREAK) break;
        if (result == FLOW_RETURN || result == FLOW_ERROR) return result;
        if (__builtin_add_overflow(i, by, &i)) break;
    }
    return FLOW_NEXT;
}

static Flow count_anywhere(Interp *in, Frame *f, const LoopHead *head, int64_t from, int64_t to,
                           int64_t by, Turn *turn, void *context)
{
    for (int64_t i = from; !is_over(i, to, by);) {
        Flow result = one_turn(in, f, head, value_int(i), turn, context);
        if (result == FLOW_BREAK) break;
        if (result == FLOW_RETURN || result == FLOW_ERROR) return result;
        if (__builtin_add_overflow(i, by, &i)) break;
    }
    return FLOW_NEXT;
}

static inline __attribute__((always_inline)) Flow
count_loop(Interp *in, Frame *f, const LoopHead *head, Turn *turn, void *context)
{
    int64_t from, to, by;
    if (!bound(in, f, head->from, "start", 0, &from) || !bound(in, f, head->to, "bound", 0, &to) ||
        !bound(in, f, head->by, "step", 1, &by))
        return FLOW_ERROR;
    if (by == 0) {
        error_set_at(&in->err, ERR_VALUE, head->by->span, "a loop's step must not be 0");
        return FLOW_ERROR;
    }
    if (head->target->kind == AST_NAME && head->target->name.scope == SCOPE_LOCAL)
        return count_in_slot(in, f, head, from, to, by, turn, context);
    return count_anywhere(in, f, head, from, to, by, turn, context);
}

/* ---- walking ---- */

bool array_row(Interp *in, Value array, int64_t i, Value *row)
{
    if (array.arr->rank == 1) return op_element(&in->ad, array, i, row);
    IndexTerm at = {.kind = INDEX_AT, .start = i};
    Selection *selection = selection_new(&array.arr->shape, &at, 1, &in->err);
    if (!selection) return false;
    bool ok = op_index(&in->ad, array, selection, row);
    selection_release(selection);
    return ok;
}

static bool length_of(Interp *in, const Ast *e, Value v, int64_t *n)
{
    switch (v.kind) {
    case VAL_ARR: *n = v.arr->dim[0]; return true;
    case VAL_TUPLE: *n = v.tuple->len; return true;
    case VAL_STR: *n = (int64_t)v.str->n_chars; return true;
    case VAL_MAP: *n = v.map->len; return true;
    default:
        error_set_at(&in->err, ERR_TYPE, e->span,
                     "a loop walks arrays, tuples, strings and maps, not %s", value_type_name(v));
        if (v.kind == VAL_INT) error_hint(&in->err, "to count, write for i to n { }");
        if (v.kind == VAL_STRUCT) error_hint(&in->err, "items(s) gives its fields");
        return false;
    }
}

static bool part_of(Interp *in, Value v, int64_t i, size_t *at, Value *part)
{
    switch (v.kind) {
    case VAL_ARR: return array_row(in, v, i, part);
    case VAL_TUPLE: *part = value_retain(v.tuple->item[i]); return true;
    case VAL_MAP: *part = value_retain(v.map->entry[i].key); return true;
    default: {
        size_t end = *at + 1;
        while (end < v.str->len && ((unsigned char)v.str->text[end] & 0xC0) == 0x80) end++;
        *part = value_str(str_new(v.str->text + *at, end - *at));
        *at = end;
        return true;
    }
    }
}

static Flow each_loop(Interp *in, Frame *f, const LoopHead *head, Turn *turn, void *context)
{
    Value v;
    int64_t n;
    size_t at = 0;
    if (!eval(in, f, head->each, &v)) return FLOW_ERROR;
    Flow result = length_of(in, head->each, v, &n) ? FLOW_NEXT : FLOW_ERROR;
    for (int64_t i = 0; i < n && result != FLOW_ERROR; i++) {
        Value part;
        if (part_of(in, v, i, &at, &part))
            result = one_turn(in, f, head, part, turn, context);
        else
            result = FLOW_ERROR;
        if (result == FLOW_BREAK || result == FLOW_RETURN) break;
    }
    value_release(v);
    return result == FLOW_RETURN || result == FLOW_ERROR ? result : FLOW_NEXT;
}

static inline __attribute__((always_inline)) Flow
run_loop(Interp *in, Frame *f, const LoopHead *head, Turn *turn, void *context)
{
    return head->kind == LOOP_COUNT ? count_loop(in, f, head, turn, context)
                                    : each_loop(in, f, head, turn, context);
}

/* ---- for ---- */

static Flow body_turn(Interp *in, Frame *f, void *context)
{
    return exec_block(in, f, context);
}

Flow exec_for(Interp *in, Frame *f, const Ast *s)
{
    return run_loop(in, f, &s->loop.head, body_turn, s->loop.body);
}

/* ---- comprehensions ---- */

typedef struct {
    const Ast *e;
    VEC_OF(Value) made;
} Collect;

static Flow collect_turn(Interp *in, Frame *f, void *context)
{
    Collect *c = context;
    const Ast *filter = c->e->comprehension.filter;
    bool wanted = true;
    if (filter && !eval_condition(in, f, filter, &wanted)) return FLOW_ERROR;
    if (!wanted) return FLOW_NEXT;
    Value v;
    if (!eval(in, f, c->e->comprehension.element, &v)) return FLOW_ERROR;
    VEC_PUSH(&c->made, v);
    return FLOW_NEXT;
}

static bool collected_tuple(Collect *c, Value *out)
{
    Tuple *t = tuple_new(c->made.len);
    for (int i = 0; i < c->made.len; i++) t->item[i] = c->made.item[i];
    c->made.len = 0;
    *out = value_tuple(t);
    return true;
}

/* Its variables have slots of their own, so nothing of it is seen outside. */
bool eval_comprehension(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Collect c = {.e = e};
    bool ok = run_loop(in, f, &e->comprehension.head, collect_turn, &c) != FLOW_ERROR;
    if (ok)
        ok = e->comprehension.is_tuple ? collected_tuple(&c, out)
                                       : array_of_parts(in, e, c.made.item, c.made.len, out);
    release_values(c.made.item, c.made.len);
    VEC_FREE(&c.made);
    return ok || fail_at(in, e);
}

#include <string.h>

#include "base/stack.h"
#include "base/suggest.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/operator.h"
#include "eval/statement.h"
#include "eval/subscript.h"
#include "syntax/other_language_hints.h"
#include "syntax/source.h"
#include "value/format.h"
#include "value/map.h"
#include "value/text.h"

bool fail_at(Interp *in, const Ast *e)
{
    error_locate(&in->err, e->span);
    return false;
}

bool foreign_node(Interp *in, const Ast *e)
{
    return error_set_at(&in->err, ERR_SYNTAX, e->span, "this has no meaning here");
}

/* ---- names and literals ---- */

/* A name that a function of a session uses, and that nothing has defined. */
static bool undefined_name(Interp *in, const Module *m, const Ast *e)
{
    error_set_at(&in->err, ERR_NAME, e->span, "unknown name %s", e->name.name->text);
    const char *advice = foreign_name(e->name.name->text);
    if (advice) return error_hint(&in->err, "%s", advice);
    if (module_is_embedded(e->name.name))
        return error_hint(&in->err, "%s is a module: write import %s first", e->name.name->text,
                          e->name.name->text);
    Suggest near = suggest_start(e->name.name->text);
    for (int i = 0; i < m->globals.names.len; i++)
        if (m->globals.names.item[i].is_assigned)
            suggest_offer(&near, m->globals.names.item[i].name->text);
    const char *builtin;
    for (int i = 0; (builtin = builtin_name(i)); i++) suggest_offer(&near, builtin);
    return near.best && error_hint(&in->err, "did you mean %s?", near.best);
}

__attribute__((noinline)) bool unset_name(Interp *in, const Module *m, const Ast *e)
{
    bool is_global = e->name.scope == SCOPE_GLOBAL;
    if (is_global && !m->globals.names.item[e->name.slot].is_assigned)
        return undefined_name(in, m, e);
    const char *name = e->name.name->text;
    error_set_at(&in->err, ERR_NAME, e->span, "%s is read before it has a value", name);
    if (is_global)
        error_hint(&in->err,
                   "%s is assigned further down, or in a part of the file that has not run", name);
    else if (global_find(&m->globals, e->name.name) >= 0)
        error_hint(&in->err, "%s is assigned in this function or test, so it is not the %s outside",
                   name, name);
    else
        error_hint(&in->err, "assign %s on every path that leads here", name);
    return false;
}

/* The slot of a variable; NULL and an error when it is unset. */
static const Value *variable(Interp *in, Frame *f, const Ast *e)
{
    bool is_global = e->name.scope == SCOPE_GLOBAL;
    const Value *slot = is_global ? &f->module->value[e->name.slot] : &f->slot[e->name.slot];
    if (value_is_set(*slot)) return slot;
    unset_name(in, f->module, e);
    return NULL;
}

static __attribute__((noinline)) bool eval_builtin_name(Interp *in, const Ast *e, Value *out)
{
    const Builtin *b = builtin_at((int)e->name.slot);
    if (strchr(b->signature, '(')) {
        *out = value_fn(function_builtin(b));
        return true;
    }
    Args none = {.builtin = b, .site = NULL};
    return b->function(in, &none, out);
}

static __attribute__((noinline)) bool eval_name(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (e->name.scope == SCOPE_BUILTIN) return eval_builtin_name(in, e, out);
    const Value *slot = variable(in, f, e);
    if (!slot) return false;
    *out = value_retain(*slot);
    return true;
}

/* Evaluates the items of a list into v; on failure what was made is released. */
static bool eval_items(Interp *in, Frame *f, const AstList *list, Value *v)
{
    for (int i = 0; i < list->len; i++) {
        if (eval(in, f, list->item[i], &v[i])) continue;
        release_values(v, i);
        return false;
    }
    return true;
}

static __attribute__((noinline)) bool eval_tuple(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Tuple *t = tuple_new(e->list.len);
    *out = value_tuple(t);
    if (eval_items(in, f, &e->list, t->item)) return true;
    memset(t->item, 0, (size_t)t->len * sizeof(Value));
    value_clear(out);
    return false;
}

static const Ast *part_node(const Ast *e, int i)
{
    return e->kind == AST_COMPREHENSION ? e->comprehension.element : e->list.item[i];
}

/* A part that is no number or array, or has another shape than the first. */
static bool check_parts(Interp *in, const Ast *e, const Value *v, int n)
{
    for (int i = 0; i < n; i++) {
        Span at = part_node(e, i)->span;
        if (!value_is_numeric(v[i])) {
            error_set_at(&in->err, ERR_TYPE, at, "an array holds numbers; part %d is %s", i,
                         value_type_name(v[i]));
            return error_hint(&in->err, "a tuple holds values of any kind: %s",
                              e->kind == AST_COMPREHENSION ? "(… for …)" : "(a, b)");
        }
        Shape first = value_shape(v[0]), s = value_shape(v[i]);
        if (shape_equal(&first, &s)) continue;
        error_set_at(&in->err, ERR_SHAPE, at, "the parts of an array must have one shape");
        StrBuf a = {0}, b = {0};
        value_describe(&a, v[0]);
        value_describe(&b, v[i]);
        error_note(&in->err, "part 0 is %s, part %d is %s", strbuf_str(&a), i, strbuf_str(&b));
        strbuf_free(&a);
        strbuf_free(&b);
        return false;
    }
    return true;
}

bool array_of_parts(Interp *in, const Ast *e, const Value *v, int n, Value *out)
{
    if (n > 0) return check_parts(in, e, v, n) && op_apply(&in->ad, OP_STACK, v, n, NULL, out);
    Shape s = {.rank = 1};
    *out = value_from_array_take(array_zeros(DT_FLOAT, &s, &in->err));
    return value_is_set(*out);
}

static __attribute__((noinline)) bool eval_array(Interp *in, Frame *f, const Ast *e, Value *out)
{
    int n = e->list.len;
    if (n == 0) return array_of_parts(in, e, NULL, 0, out);
    size_t bytes = (size_t)n * sizeof(Value);
    Value *v = pool_alloc(bytes);
    bool ok = eval_items(in, f, &e->list, v);
    if (ok) {
        ok = array_of_parts(in, e, v, n, out);
        release_values(v, n);
    }
    pool_free(v, bytes);
    return ok || fail_at(in, e);
}

/* A key that can't be one, or that is in the map already. */
static bool bad_key(Interp *in, const Ast *e, Value key)
{
    if (error_is_set(&in->err)) return fail_at(in, e);
    StrBuf text = {0};
    Error ignored = {0};
    value_write_literal(&text, key, 0, &ignored);
    error_clear(&ignored);
    error_set_at(&in->err, ERR_VALUE, e->span, "key %s is given twice in the map",
                 strbuf_str(&text));
    strbuf_free(&text);
    return false;
}

static bool put_entry(Interp *in, Frame *f, const Ast *key_node, const Ast *value_node, Map *m)
{
    Value key, v;
    if (!eval(in, f, key_node, &key)) return false;
    bool ok = (map_key_check(key, &in->err) && !map_get(m, key)) || bad_key(in, key_node, key);
    ok = ok && eval(in, f, value_node, &v);
    if (ok) *map_put(m, key) = v;
    value_release(key);
    return ok;
}

static __attribute__((noinline)) bool eval_map(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Map *m = map_new();
    *out = (Value){.kind = VAL_MAP, .map = m};
    for (int i = 0; i < e->map.len; i++) {
        if (put_entry(in, f, e->map.key[i], e->map.value[i], m)) continue;
        value_clear(out);
        return false;
    }
    return true;
}

static bool write_part(Interp *in, Frame *f, const FStringPart *part, StrBuf *text)
{
    if (!part->value) {
        strbuf_bytes(text, part->text, part->len);
        return true;
    }
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, part->value, &temporary);
    if (!v) return false;
    bool ok = value_format(text, *v, part->spec, part->spec_len, &in->err);
    if (!ok) error_locate(&in->err, part->spec_len ? part->spec_span : part->value->span);
    value_clear(&temporary);
    return ok;
}

static __attribute__((noinline)) bool eval_fstring(Interp *in, Frame *f, const Ast *e, Value *out)
{
    StrBuf text = {0};
    for (int i = 0; i < e->fstring.len; i++) {
        if (write_part(in, f, &e->fstring.item[i], &text)) continue;
        strbuf_free(&text);
        return fail_at(in, e);
    }
    *out = value_str(str_from_buffer(&text));
    return true;
}

/* ---- conditions ---- */

static __attribute__((noinline)) bool not_a_condition(Interp *in, const Ast *e, Value v)
{
    error_set_at(&in->err, ERR_TYPE, e->span, "a condition must be true or false, not %s",
                 value_type_name(v));
    if (v.kind == VAL_ARR)
        return error_hint(&in->err, "any(x) or all(x) makes one Bool of an array of Bools");
    enum { LONGEST = 30 };
    size_t len;
    const char *source = source_text(e->span, &len);
    if (len > LONGEST || memchr(source, '\n', len)) source = "x", len = 1;
    if (value_is_number(v)) return error_hint(&in->err, "write %.*s != 0", (int)len, source);
    if (v.kind == VAL_STR) return error_hint(&in->err, "write %.*s != \"\"", (int)len, source);
    return error_hint(&in->err, "compare it with something");
}

static __attribute__((noinline)) bool condition_of_any(Interp *in, Frame *f, const Ast *e,
                                                       bool *truth)
{
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, e, &temporary);
    if (!v) return false;
    bool ok = v->kind == VAL_BOOL;
    if (ok)
        *truth = v->b;
    else
        not_a_condition(in, e, *v);
    value_clear(&temporary);
    return ok;
}

static __attribute__((cold, noinline)) bool not_a_condition_take(Interp *in, const Ast *e, Value v)
{
    not_a_condition(in, e, v);
    value_release(v);
    return false;
}

/* A comparison, nearly always. */
static inline bool condition(Interp *in, Frame *f, const Ast *e, bool *truth)
{
    if (e->kind != AST_BINARY) return condition_of_any(in, f, e, truth);
    Value v;
    if (!eval_binary(in, f, e, &v)) return false;
    if (v.kind != VAL_BOOL) return not_a_condition_take(in, e, v);
    *truth = v.b;
    return true;
}

bool eval_condition(Interp *in, Frame *f, const Ast *e, bool *truth)
{
    return condition(in, f, e, truth);
}

/* a and b and c …: a chain of any length is deep on its left, so it is walked in strides. */
static __attribute__((noinline)) bool eval_logic(Interp *in, Frame *f, const Ast *e, Value *out)
{
    enum { STRIDE = 64 };
    const Ast *spine[STRIDE];
    uint8_t kind = e->kind;
    int n = 0;
    bool truth;
    if (!stack_check(&in->err, "expressions")) return fail_at(in, e);
    while (e->kind == kind && n < STRIDE) {
        spine[n++] = e;
        e = e->binary.left;
    }
    if (!eval_condition(in, f, e, &truth)) return false;
    while (n-- > 0 && truth == (kind == AST_AND))
        if (!eval_condition(in, f, spine[n]->binary.right, &truth)) return false;
    *out = value_bool(truth);
    return true;
}

static __attribute__((noinline)) bool eval_choice(Interp *in, Frame *f, const Ast *e, Value *out)
{
    bool truth;
    if (!condition(in, f, e->choice.cond, &truth)) return false;
    const Ast *chosen = truth ? e->choice.then : e->choice.otherwise;
    return chosen->kind == AST_BINARY ? eval_binary(in, f, chosen, out) : eval(in, f, chosen, out);
}

/* ---- the walk ---- */

static __attribute__((noinline)) bool eval_str(const Ast *e, Value *out)
{
    *out = value_str(str_new(e->text.ptr, e->text.len));
    return true;
}

bool eval(Interp *in, Frame *f, const Ast *e, Value *out)
{
    switch (e->kind) {
    case AST_NONE: *out = value_none(); return true;
    case AST_BOOL: *out = value_bool(e->truth); return true;
    case AST_INT: *out = value_int(e->integer); return true;
    case AST_FLOAT: *out = value_float(e->number); return true;
    case AST_STR: return eval_str(e, out);
    case AST_FSTRING: return eval_fstring(in, f, e, out);
    case AST_NAME:
        if (e->name.scope != SCOPE_LOCAL || f->slot[e->name.slot].kind - 1u >= VAL_FLOAT)
            return eval_name(in, f, e, out);
        value_move(out, &f->slot[e->name.slot]);
        return true;
    case AST_ARRAY: return eval_array(in, f, e, out);
    case AST_TUPLE: return eval_tuple(in, f, e, out);
    case AST_MAP: return eval_map(in, f, e, out);
    case AST_UNARY: return eval_unary(in, f, e, out);
    case AST_BINARY: return eval_binary(in, f, e, out);
    case AST_AND:
    case AST_OR: return eval_logic(in, f, e, out);
    case AST_CHOICE: return eval_choice(in, f, e, out);
    case AST_CALL: return eval_call(in, f, e, out);
    case AST_INDEX: return eval_index(in, f, e, out);
    case AST_FIELD: return eval_field(in, f, e, out);
    case AST_COMPREHENSION: return eval_comprehension(in, f, e, out);
    case AST_LAMBDA: return eval_function(in, f, e->function, out);
    default: return foreign_node(in, e);
    }
}

const Value *eval_borrow(Interp *in, Frame *f, const Ast *e, Value *temporary)
{
    if (e->kind == AST_NAME && e->name.scope != SCOPE_BUILTIN) return variable(in, f, e);
    return eval(in, f, e, temporary) ? temporary : NULL;
}

#include "value/structure.h"

#include "base/interrupt.h"
#include "base/stack.h"
#include "value/function.h"
#include "value/map.h"
#include "value/text.h"

enum { MOST = 8 }; /* structures walked together */

typedef struct {
    int n;
    bool none_keeps;
    bool enters_functions;
    StructureLeaf *make;   /* or */
    StructureVisit *visit; /* then nothing is made, and every out is NULL */
    void *context;
    const Place *at;
    Error *err;
} Walk;

static bool walk(Walk *w, const Value *in, Value *out);

const Place *place_capture(const Place *at)
{
    while (at && !at->function) at = at->outer;
    return at;
}

void place_write(StrBuf *out, const Place *at)
{
    Error ignored = {0};
    if (!at) return;
    if (at->function) {
        strbuf_text(out, at->name ? at->name->text : "the function");
        return;
    }
    place_write(out, at->outer);
    if (at->name) {
        strbuf_printf(out, ".%s", at->name->text);
        return;
    }
    strbuf_char(out, '[');
    value_write_literal(out, value_is_set(at->key) ? at->key : value_int(at->index), 0, &ignored);
    strbuf_char(out, ']');
    error_clear(&ignored);
}

static bool differ(Walk *w, Value a, Value b)
{
    StrBuf path = {0}, da = {0}, db = {0};
    place_write(&path, w->at);
    value_describe(&da, a);
    value_describe(&db, b);
    error_set(w->err, ERR_TYPE, "the structures differ%s%s: %s and %s", path.len ? " at " : "",
              strbuf_str(&path), strbuf_str(&da), strbuf_str(&db));
    strbuf_free(&path);
    strbuf_free(&da);
    strbuf_free(&db);
    return false;
}

static bool lacks(Walk *w, Value key)
{
    StrBuf path = {0};
    place_write(&path, &(Place){.outer = w->at, .key = key});
    error_set(w->err, ERR_TYPE, "the structures differ at %s: one of the maps has no such key",
              strbuf_str(&path));
    strbuf_free(&path);
    return false;
}

static bool same_form(Value a, Value b)
{
    if (a.kind != b.kind) return false;
    if (a.kind == VAL_TUPLE) return a.tuple->len == b.tuple->len;
    if (a.kind == VAL_STRUCT) return a.strukt->type == b.strukt->type;
    return a.map->len == b.map->len;
}

/* Visits the parts at one place of every structure. */
static bool visit(Walk *w, const Value *part, Place at, Value *out)
{
    at.outer = w->at;
    w->at = &at;
    bool ok = walk(w, part, out);
    w->at = at.outer;
    return ok;
}

static bool walk_items(Walk *w, const Value *in, int len, const Value *(*items)(Value), Value *to)
{
    for (int i = 0; i < len; i++) {
        Value part[MOST];
        for (int k = 0; k < w->n; k++) part[k] = in[k].kind == VAL_NONE ? in[k] : items(in[k])[i];
        Place at = {.index = i,
                    .name =
                        in[0].kind == VAL_STRUCT ? struct_field_name(in[0].strukt->type, i) : NULL};
        if (!visit(w, part, at, to ? &to[i] : NULL)) return false;
    }
    return true;
}

static const Value *tuple_items(Value v)
{
    return v.tuple->item;
}

static const Value *struct_items(Value v)
{
    return v.strukt->field;
}

static bool walk_map(Walk *w, const Value *in, Map *to)
{
    for (int i = 0; i < in[0].map->len; i++) {
        Value key = in[0].map->entry[i].key, part[MOST], made;
        for (int k = 0; k < w->n; k++) {
            Value *found = in[k].kind == VAL_NONE ? NULL : map_get(in[k].map, key);
            if (!found && in[k].kind != VAL_NONE) return lacks(w, key);
            part[k] = found ? *found : in[k];
        }
        if (!visit(w, part, (Place){.key = key}, to ? &made : NULL)) return false;
        if (to) *map_put(to, key) = made;
    }
    return true;
}

static bool walk_captured(Walk *w, const Function *f, Function *to)
{
    for (int i = 0; i < f->n_captured; i++) {
        Place at = {.function = f,
                    .name = f->variant == FN_CLOSURE ? f->closure.decl->capture[i].name : NULL};
        if (!visit(w, &f->captured[i], at, to ? &to->captured[i] : NULL)) return false;
    }
    return true;
}

static bool walk_parts(Walk *w, const Value *in, Value *to)
{
    switch (in[0].kind) {
    case VAL_TUPLE:
        return walk_items(w, in, in[0].tuple->len, tuple_items, to ? to->tuple->item : NULL);
    case VAL_STRUCT:
        return walk_items(w, in, in[0].strukt->type->n_fields, struct_items,
                          to ? to->strukt->field : NULL);
    case VAL_MAP: return walk_map(w, in, to ? to->map : NULL);
    default: return walk_captured(w, in[0].fn, to ? to->fn : NULL);
    }
}

/* Something like v, still without its parts. */
static Value empty_like(Value v)
{
    switch (v.kind) {
    case VAL_TUPLE: return value_tuple(tuple_new(v.tuple->len));
    case VAL_STRUCT: return (Value){.kind = VAL_STRUCT, .strukt = struct_new(v.strukt->type)};
    case VAL_MAP: return (Value){.kind = VAL_MAP, .map = map_new()};
    default: return value_fn(function_like(v.fn));
    }
}

static bool walk_structure(Walk *w, const Value *in, Value *out)
{
    if (w->visit) return walk_parts(w, in, NULL);
    *out = empty_like(in[0]);
    if (walk_parts(w, in, out)) return true;
    value_clear(out);
    return false;
}

static bool has_captures(Value v)
{
    return v.kind == VAL_FN && v.fn->n_captured > 0;
}

static bool walk(Walk *w, const Value *in, Value *out)
{
    if (!stack_check(w->err, "nesting") || !interrupt_poll(w->err)) return false;
    for (int k = 1; k < w->n; k++) {
        if (w->none_keeps && in[k].kind == VAL_NONE) {
            *out = value_retain(in[0]);
            return true;
        }
        bool fits =
            in[k].kind == VAL_NONE || value_is_structure(in[0]) == value_is_structure(in[k]);
        if (!fits ||
            (value_is_structure(in[0]) && in[k].kind != VAL_NONE && !same_form(in[0], in[k])))
            return differ(w, in[0], in[k]);
    }
    if (value_is_structure(in[0]) || (w->enters_functions && has_captures(in[0])))
        return walk_structure(w, in, out);
    return w->visit ? w->visit(w->context, in, w->at) : w->make(w->context, in, w->n, out);
}

static bool walk_all(Walk w, const Value *in, Value *out)
{
    if (w.n > MOST)
        return error_set(w.err, ERR_VALUE, "at most %d structures can be walked together", MOST);
    return walk(&w, in, out);
}

bool structure_map(const Value *in, int n, bool none_keeps, StructureLeaf *f, void *context,
                   Value *out, Error *err)
{
    Walk w = {.n = n, .none_keeps = none_keeps, .make = f, .context = context, .err = err};
    return walk_all(w, in, out);
}

bool structure_map_captured(Value v, StructureLeaf *f, void *context, Value *out, Error *err)
{
    Walk w = {.n = 1, .enters_functions = true, .make = f, .context = context, .err = err};
    return walk_all(w, &v, out);
}

bool structure_visit(const Value *in, int n, StructureVisit *f, void *context, Error *err)
{
    return walk_all((Walk){.n = n, .visit = f, .context = context, .err = err}, in, NULL);
}

bool structure_visit_captured(Value v, const Place *top, StructureVisit *f, void *context,
                              Error *err)
{
    Walk w = {
        .n = 1, .enters_functions = true, .visit = f, .context = context, .at = top, .err = err};
    return walk_all(w, &v, NULL);
}

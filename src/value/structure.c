#include "value/structure.h"

#include "base/stack.h"
#include "value/map.h"
#include "value/text.h"

enum { MOST = 8 }; /* structures walked together */

/* One step of the way from the top to the place being visited, for messages; on the stack, from the
 * inside out. */
typedef struct Step {
    const struct Step *outer;
    Symbol field; /* of a struct, or */
    Value key;    /* of a map, or */
    int index;    /* of a tuple */
} Step;

typedef struct {
    int n;
    bool none_keeps;
    StructureLeaf *f;
    void *context;
    const Step *at; /* NULL at the top */
    Error *err;
} Walk;

static bool walk(Walk *w, const Value *in, Value *out);

static void write_path(StrBuf *out, const Step *step)
{
    Error ignored = {0};
    if (!step) return;
    write_path(out, step->outer);
    if (step->field) {
        strbuf_printf(out, ".%s", step->field->text);
        return;
    }
    strbuf_char(out, '[');
    value_write_literal(out, value_is_set(step->key) ? step->key : value_int(step->index), 0,
                        &ignored);
    strbuf_char(out, ']');
    error_clear(&ignored);
}

static bool differ(Walk *w, Value a, Value b)
{
    StrBuf path = {0}, da = {0}, db = {0};
    write_path(&path, w->at);
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
    write_path(&path, &(Step){.outer = w->at, .key = key});
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
static bool visit(Walk *w, const Value *part, Step step, Value *out)
{
    step.outer = w->at;
    w->at = &step;
    bool ok = walk(w, part, out);
    w->at = step.outer;
    return ok;
}

static bool walk_items(Walk *w, const Value *in, int len, const Value *(*items)(Value), Value *to)
{
    for (int i = 0; i < len; i++) {
        Value part[MOST];
        for (int k = 0; k < w->n; k++) part[k] = in[k].kind == VAL_NONE ? in[k] : items(in[k])[i];
        Step step = {.index = i,
                     .field = in[0].kind == VAL_STRUCT ? struct_field_name(in[0].strukt->type, i)
                                                       : NULL};
        if (!visit(w, part, step, &to[i])) return false;
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
        if (!visit(w, part, (Step){.key = key}, &made)) return false;
        *map_put(to, key) = made;
    }
    return true;
}

static bool walk_structure(Walk *w, const Value *in, Value *out)
{
    bool ok;
    if (in[0].kind == VAL_TUPLE) {
        *out = value_tuple(tuple_new(in[0].tuple->len));
        ok = walk_items(w, in, in[0].tuple->len, tuple_items, out->tuple->item);
    } else if (in[0].kind == VAL_STRUCT) {
        *out = (Value){.kind = VAL_STRUCT, .strukt = struct_new(in[0].strukt->type)};
        ok = walk_items(w, in, in[0].strukt->type->n_fields, struct_items, out->strukt->field);
    } else {
        *out = (Value){.kind = VAL_MAP, .map = map_new()};
        ok = walk_map(w, in, out->map);
    }
    if (!ok) value_clear(out);
    return ok;
}

static bool walk(Walk *w, const Value *in, Value *out)
{
    if (!stack_check(w->err, "nesting")) return false;
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
    if (value_is_structure(in[0])) return walk_structure(w, in, out);
    return w->f(w->context, in, w->n, out);
}

bool structure_map(const Value *in, int n, bool none_keeps, StructureLeaf *f, void *context,
                   Value *out, Error *err)
{
    if (n > MOST)
        return error_set(err, ERR_VALUE, "at most %d structures can be walked together", MOST);
    Walk w = {.n = n, .none_keeps = none_keeps, .f = f, .context = context, .err = err};
    return walk(&w, in, out);
}

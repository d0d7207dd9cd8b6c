#include "value/structure.h"

#include "builtins/topics.h"
#include "value/map.h"

/* ---- keys, values, items ---- */

/* Of a map or a struct: how many entries, and each one's key (owned) and value (borrowed). */
static int entry_count(Value v)
{
    return v.kind == VAL_MAP ? v.map->len : v.strukt->type->n_fields;
}

static Value entry_key(Value v, int i)
{
    if (v.kind == VAL_MAP) return value_retain(v.map->entry[i].key);
    return value_str(str_of(struct_field_name(v.strukt->type, i)->text));
}

static Value entry_value(Value v, int i)
{
    return v.kind == VAL_MAP ? v.map->entry[i].value : v.strukt->field[i];
}

static Value entry_pair(Value v, int i)
{
    Tuple *pair = tuple_new(2);
    pair->item[0] = entry_key(v, i);
    pair->item[1] = value_retain(entry_value(v, i));
    return value_tuple(pair);
}

static Value entry_value_owned(Value v, int i)
{
    return value_retain(entry_value(v, i));
}

static bool entries(Interp *in, const Args *a, Value (*entry)(Value, int), Value *out)
{
    Value v = a->pos[0];
    if (v.kind != VAL_MAP && v.kind != VAL_STRUCT) {
        arg_error(in, a, 0, ERR_TYPE, "%s: m must be a map or a struct, not %s", a->builtin->name,
                  value_type_name(v));
        if (v.kind == VAL_TUPLE || v.kind == VAL_ARR)
            error_hint(&in->err,
                       "`for i to len(x)` walks the indexes of x, `for e in x` what is in it");
        return false;
    }
    Tuple *all = tuple_new(entry_count(v));
    for (int i = 0; i < all->len; i++) all->item[i] = entry(v, i);
    *out = value_tuple(all);
    return true;
}

static bool keys_builtin(Interp *in, const Args *a, Value *out)
{
    return entries(in, a, entry_key, out);
}

static bool values_builtin(Interp *in, const Args *a, Value *out)
{
    return entries(in, a, entry_value_owned, out);
}

static bool items_builtin(Interp *in, const Args *a, Value *out)
{
    return entries(in, a, entry_pair, out);
}

/* ---- leaves ---- */

typedef struct {
    Interp *in;
    Value f;
    bool failed_inside; /* in f, not between the structures */
} TreeMap;

static bool map_leaf(void *context, const Value *leaf, int n, Value *out)
{
    TreeMap *t = context;
    t->failed_inside = !call_value(t->in, t->f, leaf, n, NULL, NULL, 0, out);
    return !t->failed_inside;
}

static bool tree_map_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_function(in, a, 0)) return false;
    TreeMap t = {in, a->pos[0], false};
    if (structure_map(a->pos + 1, a->n - 1, true, map_leaf, &t, out, &in->err)) return true;
    if (t.failed_inside || in->err.kind == ERR_DEPTH) return false;
    Error found = {0};
    error_move(&found, &in->err);
    error_set(&in->err, found.kind, "tree_map: %s", found.message);
    error_clear(&found);
    if (in->err.kind != ERR_TYPE) return false;
    return error_hint(&in->err, "where a structure has none, the first one's part stays as it is");
}

typedef VEC_OF(Value) Leaves;

static bool collect_leaf(void *context, const Value *leaf, const Place *at)
{
    Leaves *leaves = context;
    (void)at;
    VEC_PUSH(leaves, value_retain(leaf[0]));
    return true;
}

static bool leaves_builtin(Interp *in, const Args *a, Value *out)
{
    Leaves leaves = {0};
    bool ok = structure_visit(a->pos, 1, collect_leaf, &leaves, &in->err);
    if (ok) {
        Tuple *t = tuple_new(leaves.len);
        for (int i = 0; i < leaves.len; i++) t->item[i] = leaves.item[i];
        *out = value_tuple(t);
    } else {
        for (int i = 0; i < leaves.len; i++) value_release(leaves.item[i]);
    }
    VEC_FREE(&leaves);
    return ok;
}

const Builtin builtins_structure[] = {
    {"keys", "keys(m)",
     "The keys of a map in the order they were put in, or the field names of a struct: a tuple. "
     "`keys({\"a\": 1})` is `(\"a\",)`.",
     keys_builtin},
    {"values", "values(m)",
     "The values of a map, or of a struct's fields, in order: a tuple. `values({\"a\": 1})` is "
     "`(1,)`.",
     values_builtin},
    {"items", "items(m)",
     "A tuple of pairs (key, value) of a map, or (name, value) of a struct: `for k, v in "
     "items(m)`. `items({\"a\": 1})` is `((\"a\", 1),)`.",
     items_builtin},
    {"tree_map", "tree_map(f, x, others…)",
     "The structure of x (tuples, maps and structs, nested) with each leaf replaced by f(leaf, others' leaves at the same place…). "
     "The others must have the form of x; where one of them has none instead, x's part stays as it is. "
     "tree_map(def(p, g) = p - lr * g, params, grads) is a step of gradient descent.",
     tree_map_builtin},
    {"leaves", "leaves(x)",
     "Every leaf of a structure, in order, as a tuple: numbers, arrays, strings, none and "
     "functions alike. What is no structure is its own leaf. `leaves((1, {\"a\": [2]}))` is "
     "`(1, [2])`.",
     leaves_builtin},
    {0},
};

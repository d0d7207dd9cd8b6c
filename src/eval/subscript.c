#include "eval/subscript.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/stack.h"
#include "base/suggest.h"
#include "eval/builtin.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/import.h"
#include "syntax/other_language_hints.h"
#include "syntax/source.h"
#include "value/map.h"

/* ---- subscripts ---- */

void subscript_free(Subscript *s)
{
    release_values(s->value, s->n);
    s->n = 0;
}

static bool bad_index(Interp *in, const Ast *e, Value v)
{
    if (v.kind == VAL_ARR && v.arr->dtype == DT_FLOAT) {
        error_set_at(&in->err, ERR_TYPE, e->span,
                     "an array of indexes must hold Ints or Bools, not Floats");
        return error_hint(&in->err, "round(x), floor(x) or int(x) makes Ints of them");
    }
    error_set_at(&in->err, ERR_TYPE, e->span, "an index must be an Int, not %s",
                 value_type_name(v));
    return v.kind == VAL_FLOAT && error_hint(&in->err, "round(x), floor(x) or int(x) makes an Int");
}

static bool slice_part(Interp *in, Frame *f, const Ast *e, bool *has, int64_t *to)
{
    *has = e != NULL && e->kind != AST_NONE;
    if (!*has) return true;
    Value v;
    if (!eval(in, f, e, &v)) return false;
    bool ok = v.kind == VAL_INT || bad_index(in, e, v);
    if (ok) *to = v.i;
    value_release(v);
    return ok;
}

static bool slice_term(Interp *in, Frame *f, const Ast *e, IndexTerm *t)
{
    t->kind = INDEX_SLICE;
    return slice_part(in, f, e->slice.start, &t->has_start, &t->start) &&
           slice_part(in, f, e->slice.stop, &t->has_stop, &t->stop) &&
           slice_part(in, f, e->slice.step, &t->has_step, &t->step);
}

/* [] holds Floats, but as an index there is nothing in it that could be one: it takes nothing. */
static bool empty_index(Interp *in, Value *v)
{
    if (v->kind != VAL_ARR || v->arr->dtype != DT_FLOAT || v->arr->size) return true;
    Array *ints = array_new(DT_INT, &v->arr->shape, &in->err);
    if (!ints) return false;
    array_release(v->arr);
    v->arr = ints;
    return true;
}

static bool value_term(Interp *in, const Ast *e, Value v, IndexTerm *t)
{
    if (v.kind == VAL_INT) {
        t->kind = INDEX_AT;
        t->start = v.i;
        return true;
    }
    if (v.kind == VAL_NONE) {
        t->kind = INDEX_NEW_AXIS;
        return true;
    }
    if (v.kind != VAL_ARR || v.arr->dtype == DT_FLOAT) return bad_index(in, e, v);
    t->kind = INDEX_ARRAY;
    t->array = v.arr;
    return true;
}

static bool subscript_item(Interp *in, Frame *f, const Ast *e, Subscript *s)
{
    IndexTerm *t = &s->term[s->n];
    Value *v = &s->value[s->n];
    *t = (IndexTerm){.kind = INDEX_NEW_AXIS};
    *v = (Value){0};
    s->n++;
    switch (e->kind) {
    case AST_SLICE: s->all_ints = false; return slice_term(in, f, e, t);
    case AST_ELLIPSIS:
        s->all_ints = false;
        t->kind = INDEX_REST;
        return true;
    default:
        if (!eval(in, f, e, v)) return false;
        if (v->kind != VAL_INT) s->all_ints = false;
        return true;
    }
}

bool subscript_eval(Interp *in, Frame *f, const Ast *e, Subscript *s)
{
    s->n = 0;
    s->all_ints = true;
    const AstList *items = &e->index.items;
    if (items->len > (int)(sizeof s->term / sizeof s->term[0]))
        return error_set_at(&in->err, ERR_INDEX, e->span, "too many indexes");
    for (int i = 0; i < items->len; i++) {
        if (subscript_item(in, f, items->item[i], s)) continue;
        subscript_free(s);
        return false;
    }
    return true;
}

/* Subscripts of arrays must be Ints, slices, index arrays, masks, none or …; the others are keys of
 * maps. */
static bool array_terms(Interp *in, const Ast *e, Subscript *s)
{
    for (int i = 0; i < s->n; i++) {
        const Ast *item = e->index.items.item[i];
        if (item->kind == AST_SLICE || item->kind == AST_ELLIPSIS) continue;
        if (!empty_index(in, &s->value[i]) || !value_term(in, item, s->value[i], &s->term[i]))
            return false;
    }
    return true;
}

bool subscript_offset(Interp *in, const Array *a, const Subscript *s, int64_t *offset)
{
    *offset = 0;
    for (int i = 0; i < s->n; i++) {
        int64_t at;
        if (!index_position(&a->shape, i, s->value[i].i, &at, &in->err)) return false;
        *offset = *offset * a->dim[i] + at;
    }
    return true;
}

Selection *subscript_select(Interp *in, const Ast *e, const Array *a, Subscript *s)
{
    return array_terms(in, e, s) ? selection_new(&a->shape, s->term, s->n, &in->err) : NULL;
}

bool position_in(Interp *in, Value index, int64_t len, const char *what, int64_t *at)
{
    if (index.kind != VAL_INT) {
        error_set(&in->err, ERR_TYPE, "an index into a %s must be an Int, not %s", what,
                  value_type_name(index));
        if (index.kind == VAL_FLOAT)
            error_hint(&in->err, "round(x), floor(x) or int(x) makes an Int");
        return false;
    }
    if (index.i < -len || index.i >= len)
        return error_set(&in->err, ERR_INDEX, "index %lld is out of range for a %s of length %lld",
                         (long long)index.i, what, (long long)len);
    *at = index.i < 0 ? index.i + len : index.i;
    return true;
}

/* ---- reading ---- */

static bool read_array(Interp *in, const Ast *e, Value v, Subscript *s, Value *out)
{
    if (s->all_ints && s->n == v.arr->rank) {
        int64_t offset;
        return subscript_offset(in, v.arr, s, &offset) && op_element(&in->ad, v, offset, out);
    }
    Selection *selection = subscript_select(in, e, v.arr, s);
    if (!selection) return false;
    bool ok = op_index(&in->ad, v, selection, out);
    selection_release(selection);
    return ok;
}

static bool slice_string(Interp *in, const Str *s, const IndexTerm *t, Value *out)
{
    int64_t start, step, count;
    if (!index_slice((int64_t)s->n_chars, t, &start, &step, &count, &in->err)) return false;
    StrBuf text = {0};
    size_t at = count ? str_offset(s, (size_t)start) : 0;
    Stretch part = {0};
    while (stretch_next(&part, count, &in->err))
        for (int64_t i = part.start; i < part.end; i++) {
            strbuf_bytes(&text, s->text + at, str_move(s, at, 1) - at);
            at = str_move(s, at, step);
        }
    *out = value_str(str_from_buffer(&text));
    if (stretch_done(&part, count)) return true;
    value_clear(out);
    return false;
}

static bool slice_tuple(Interp *in, const Tuple *t, const IndexTerm *term, Value *out)
{
    int64_t start, step, count;
    if (!index_slice(t->len, term, &start, &step, &count, &in->err)) return false;
    Tuple *part = tuple_new((int)count);
    for (int64_t i = 0; i < count; i++) part->item[i] = value_retain(t->item[start + i * step]);
    *out = value_tuple(part);
    return true;
}

static bool read_string(Interp *in, const Str *s, const Subscript *sub, Value *out)
{
    if (!value_is_set(sub->value[0])) return slice_string(in, s, &sub->term[0], out);
    int64_t at = 0;
    if (!position_in(in, sub->value[0], (int64_t)s->n_chars, "Str", &at)) return false;
    IndexTerm one = {.has_start = true, .has_stop = true, .start = at, .stop = at + 1};
    return slice_string(in, s, &one, out);
}

static bool read_tuple(Interp *in, const Tuple *t, const Subscript *sub, Value *out)
{
    if (!value_is_set(sub->value[0])) return slice_tuple(in, t, &sub->term[0], out);
    int64_t at = 0;
    if (!position_in(in, sub->value[0], t->len, "Tuple", &at)) return false;
    *out = value_retain(t->item[at]);
    return true;
}

bool missing_key(Interp *in, const Map *m, Value key)
{
    StrBuf text = {0};
    value_describe(&text, key);
    error_set(&in->err, ERR_INDEX, "the map has no key %s",
              strbuf_str(&text) + (key.kind == VAL_STR || key.kind == VAL_INT ? 4 : 5));
    strbuf_free(&text);
    if (key.kind != VAL_STR) return false;
    Suggest near = suggest_start(key.str->text);
    for (int i = 0; i < m->len; i++)
        if (m->entry[i].key.kind == VAL_STR) suggest_offer(&near, m->entry[i].key.str->text);
    if (near.best) error_hint(&in->err, "did you mean \"%s\"?", near.best);
    return false;
}

static bool read_map(Interp *in, const Map *m, const Subscript *sub, Value *out)
{
    if (!value_is_set(sub->value[0])) return error_set(&in->err, ERR_TYPE, "a map can't be sliced");
    if (!map_key_check(sub->value[0], &in->err)) return false;
    Value *found = map_get(m, sub->value[0]);
    if (!found) return missing_key(in, m, sub->value[0]);
    *out = value_retain(*found);
    return true;
}

bool not_one_index(Interp *in, const Ast *e, Value v)
{
    char count[16];
    const AstList *items = &e->index.items;
    snprintf(count, sizeof count, "%d", items->len);
    return error_set_at(&in->err, ERR_INDEX, e->span, "%s takes one index, not %s",
                        value_type_name(v),
                        items->len != 1                        ? count
                        : items->item[0]->kind == AST_ELLIPSIS ? "..."
                                                               : "a slice");
}

static bool read_subscript(Interp *in, const Ast *e, Value v, Subscript *s, Value *out)
{
    if (v.kind == VAL_ARR) return read_array(in, e, v, s, out);
    if (v.kind != VAL_STR && v.kind != VAL_TUPLE && v.kind != VAL_MAP)
        return error_set(&in->err, ERR_TYPE, "%s can't be indexed", value_type_name(v));
    if (s->n != 1 || e->index.items.item[0]->kind == AST_ELLIPSIS) return not_one_index(in, e, v);
    if (v.kind == VAL_STR) return read_string(in, v.str, s, out);
    return v.kind == VAL_TUPLE ? read_tuple(in, v.tuple, s, out) : read_map(in, v.map, s, out);
}

bool eval_index(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (!stack_check(&in->err, "expressions")) return fail_at(in, e);
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, e->index.target, &temporary);
    if (!v) return false;
    Subscript s;
    bool ok = subscript_eval(in, f, e, &s);
    if (ok) {
        ok = read_subscript(in, e, *v, &s, out);
        subscript_free(&s);
    }
    value_clear(&temporary);
    return ok || fail_at(in, e);
}

/* ---- fields ---- */

static bool no_field(Interp *in, const Ast *e, const StructType *type)
{
    error_set_at(&in->err, ERR_NAME, e->field.name_span, "%s has no field %s", type->name->text,
                 e->field.name->text);
    StrBuf names = {0};
    Suggest near = suggest_start(e->field.name->text);
    for (int i = 0; i < type->n_fields; i++) {
        strbuf_printf(&names, "%s%s", i ? ", " : "", struct_field_name(type, i)->text);
        suggest_offer(&near, struct_field_name(type, i)->text);
    }
    error_note(&in->err, "its fields are %s", strbuf_str(&names));
    if (near.best) error_hint(&in->err, "did you mean %s?", near.best);
    strbuf_free(&names);
    return false;
}

bool no_such_field(Interp *in, const Ast *e, Value v)
{
    if (v.kind == VAL_STRUCT) return no_field(in, e, v.strukt->type);
    if (v.kind == VAL_MODULE) return no_such_name(in, v.module, e->field.name, e->field.name_span);
    error_set_at(&in->err, ERR_TYPE, e->field.name_span, "%s has no fields", value_type_name(v));
    const char *name = e->field.name->text, *advice = foreign_field(name);
    bool is_builtin = builtin_index(e->field.name) >= 0;
    if (v.kind == VAL_MAP && is_builtin)
        return error_hint(&in->err, "write %s(m); an entry is m[\"%s\"]", name, name);
    if (v.kind == VAL_MAP) return error_hint(&in->err, "write m[\"%s\"]", name);
    if (advice) return error_hint(&in->err, "%s", advice);
    return is_builtin && error_hint(&in->err, "builtins are functions: write %s(x)", name);
}

static const Value *find_field(const Ast *e, Value v)
{
    if (v.kind == VAL_MODULE) return module_find(v.module, e->field.name);
    int i = v.kind == VAL_STRUCT ? struct_field_index(v.strukt->type, e->field.name) : -1;
    return i < 0 ? NULL : &v.strukt->field[i];
}

bool eval_field(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (!stack_check(&in->err, "expressions")) return fail_at(in, e);
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, e->field.target, &temporary);
    if (!v) return false;
    const Value *found = find_field(e, *v);
    if (found)
        *out = value_retain(*found);
    else
        no_such_field(in, e, *v);
    value_clear(&temporary);
    return found != NULL;
}

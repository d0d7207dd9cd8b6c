#include "value/value.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/number_text.h"
#include "base/stack.h"
#include "value/function.h"
#include "value/map.h"
#include "value/text.h"

/* ---- lifetimes ---- */

static void function_children(Function *f, void (*drop)(Value))
{
    for (int i = 0; i < f->n_captured; i++) drop(f->captured[i]);
    if (f->variant == FN_STRUCT) struct_type_release(f->type);
    if (f->variant == FN_CLOSURE && f->closure.adjoint) drop(value_fn(f->closure.adjoint));
    pool_free(f, sizeof *f + (size_t)f->n_captured * sizeof(Value));
}

static void destroy_children(Value v)
{
    switch (v.kind) {
    case VAL_TUPLE:
        for (int i = 0; i < v.tuple->len; i++) value_release(v.tuple->item[i]);
        pool_free(v.tuple, sizeof *v.tuple + (size_t)v.tuple->len * sizeof(Value));
        break;
    case VAL_MAP: map_free(v.map); break;
    case VAL_STRUCT: {
        StructType *type = v.strukt->type;
        int n = type->n_fields;
        for (int i = 0; i < n; i++) value_release(v.strukt->field[i]);
        pool_free(v.strukt, sizeof *v.strukt + (size_t)n * sizeof(Value));
        struct_type_release(type);
        break;
    }
    case VAL_FN: function_children(v.fn, value_release); break;
    default: break; /* modules belong to the interpreter */
    }
}

void value_destroy(Value v)
{
    enum { DEEPEST = 200 };
    static VEC_OF(Value) doomed; /* what is nested more deeply than that */
    static int depth;
    if (v.kind == VAL_ARR) {
        v.arr->head.refs = 1;
        array_release(v.arr);
        return;
    }
    if (v.kind == VAL_STR) {
        pool_free(v.str, sizeof *v.str + v.str->len + 1);
        return;
    }
    if (depth == DEEPEST) {
        VEC_PUSH(&doomed, v);
        return;
    }
    depth++;
    destroy_children(v);
    if (depth == 1 && doomed.len) {
        while (doomed.len) destroy_children(VEC_POP(&doomed));
        VEC_FREE(&doomed);
    }
    depth--;
}

Tuple *tuple_new(int n)
{
    Tuple *t = pool_alloc(sizeof *t + (size_t)n * sizeof(Value));
    t->head.refs = 1;
    t->len = n;
    memset(t->item, 0, (size_t)n * sizeof(Value));
    return t;
}

Struct *struct_new(StructType *type)
{
    size_t fields = (size_t)type->n_fields * sizeof(Value);
    Struct *s = pool_alloc(sizeof *s + fields);
    s->head.refs = 1;
    s->type = type;
    type->head.refs++;
    memset(s->field, 0, fields);
    return s;
}

int struct_field_index(const StructType *type, Symbol name)
{
    for (int i = 0; i < type->n_fields; i++)
        if (type->decl->field[i].name == name) return i;
    return -1;
}

Symbol struct_field_name(const StructType *type, int i)
{
    return type->decl->field[i].name;
}

void struct_type_release(StructType *type)
{
    if (--type->head.refs == 0) pool_free(type, sizeof *type);
}

static void retain_all(Value *to, const Value *from, int n)
{
    for (int i = 0; i < n; i++) to[i] = value_retain(from[i]);
}

void value_unshare(Value *v)
{
    if (v->obj->refs == 1) return;
    Value copy = *v;
    if (v->kind == VAL_TUPLE) {
        copy.tuple = tuple_new(v->tuple->len);
        retain_all(copy.tuple->item, v->tuple->item, v->tuple->len);
    } else if (v->kind == VAL_STRUCT) {
        copy.strukt = struct_new(v->strukt->type);
        retain_all(copy.strukt->field, v->strukt->field, v->strukt->type->n_fields);
    } else if (v->kind == VAL_MAP) {
        copy.map = map_copy(v->map);
    } else {
        return;
    }
    value_release(*v);
    *v = copy;
}

/* ---- numbers and arrays ---- */

Array *value_operand(const Value *v, Array *scratch)
{
    if (v->kind == VAL_ARR) return v->arr;
    DType t = v->kind == VAL_FLOAT ? DT_FLOAT : v->kind == VAL_INT ? DT_INT : DT_BOOL;
    array_scalar_at(scratch, t, (void *)(uintptr_t)&v->f);
    return scratch;
}

DType value_dtype(Value v)
{
    if (v.kind == VAL_ARR) return v.arr->dtype;
    return v.kind == VAL_FLOAT ? DT_FLOAT : v.kind == VAL_INT ? DT_INT : DT_BOOL;
}

Shape value_shape(Value v)
{
    return v.kind == VAL_ARR ? shape_of(v.arr) : (Shape){.rank = 0};
}

bool value_is_float(Value v)
{
    return v.kind == VAL_FLOAT || (v.kind == VAL_ARR && v.arr->dtype == DT_FLOAT);
}

Value value_from_array_take(Array *a)
{
    if (!a) return (Value){0};
    if (a->rank > 0) return value_arr(a);
    Value v = a->dtype == DT_FLOAT ? value_float(*array_floats(a))
              : a->dtype == DT_INT ? value_int(*array_ints(a))
                                   : value_bool(*array_bools(a));
    array_release(a);
    return v;
}

/* ---- what every kind can do ---- */

const char *value_type_name(Value v)
{
    static const char *const name[] = {"nothing", "None",  "Bool", "Int",    "Float", "Str",
                                       "Arr",     "Tuple", "Map",  "struct", "Fn",    "Module"};
    return v.kind == VAL_STRUCT ? v.strukt->type->name->text : name[v.kind];
}

void value_describe(StrBuf *out, Value v)
{
    enum { LONGEST = 40 };
    strbuf_text(out, value_type_name(v));
    if (v.kind == VAL_ARR) {
        Shape s = shape_of(v.arr);
        strbuf_printf(out, " %s%s", s.rank == 0 ? "()" : shape_text(&s),
                      v.arr->dtype == DT_FLOAT ? ""
                      : v.arr->dtype == DT_INT ? " of Ints"
                                               : " of Bools");
    } else if (value_is_number(v) || v.kind == VAL_STR) {
        StrBuf text = {0};
        Error ignored = {0};
        value_write_literal(&text, v, 0, &ignored);
        strbuf_char(out, ' ');
        size_t len = text.len;
        if (len > LONGEST) {
            for (len = LONGEST; len > 0 && ((unsigned char)text.data[len] & 0xC0) == 0x80;) len--;
        }
        strbuf_bytes(out, strbuf_str(&text), len);
        if (len < text.len) strbuf_text(out, "…");
        strbuf_free(&text);
    } else if (v.kind == VAL_TUPLE || v.kind == VAL_MAP) {
        strbuf_printf(out, " of %d", v.kind == VAL_TUPLE ? v.tuple->len : v.map->len);
    } else if (v.kind == VAL_FN) {
        strbuf_printf(out, " %s", function_name(v.fn));
    }
}

static bool equal_items(const Value *a, const Value *b, int n, bool *equal, Error *err)
{
    *equal = true;
    for (int i = 0; i < n && *equal; i++)
        if (!value_equal(a[i], b[i], equal, err)) return false;
    return true;
}

static bool equal_maps(const Map *a, const Map *b, bool *equal, Error *err)
{
    *equal = a->len == b->len;
    for (int i = 0; i < a->len && *equal; i++) {
        Value *other = map_get(b, a->entry[i].key);
        *equal = other != NULL;
        if (other && !value_equal(a->entry[i].value, *other, equal, err)) return false;
    }
    return true;
}

static bool same_number(const Array *a, const Array *b, int64_t i)
{
    if (a->dtype != DT_FLOAT && b->dtype != DT_FLOAT)
        return array_int_at(a, i) == array_int_at(b, i);
    return array_float_at(a, i) == array_float_at(b, i);
}

static bool equal_numeric(Value a, Value b, bool *equal, Error *err)
{
    Array sa, sb;
    Array *x = value_operand(&a, &sa), *y = value_operand(&b, &sb);
    Shape shape_x = shape_of(x), shape_y = shape_of(y);
    if (!shape_equal(&shape_x, &shape_y)) return true;
    *equal = true;
    Stretch s = {0};
    while (*equal && stretch_next(&s, x->size, err))
        for (int64_t i = s.start; *equal && i < s.end; i++) *equal = same_number(x, y, i);
    return !*equal || stretch_done(&s, x->size);
}

static bool equal_functions(const Function *a, const Function *b)
{
    if (a == b) return true;
    if (a->variant != b->variant) return false;
    if (a->variant == FN_STRUCT) return a->type == b->type;
    return a->variant == FN_BUILTIN && a->builtin == b->builtin;
}

bool value_equal(Value a, Value b, bool *equal, Error *err)
{
    *equal = false;
    if (value_is_numeric(a) && value_is_numeric(b)) return equal_numeric(a, b, equal, err);
    if (a.kind != b.kind) return true;
    if (!stack_check(err, "nesting") || !interrupt_poll(err)) return false;
    switch (a.kind) {
    case VAL_STR: *equal = str_equal(a.str, b.str); return true;
    case VAL_TUPLE:
        if (a.tuple->len != b.tuple->len) return true;
        return equal_items(a.tuple->item, b.tuple->item, a.tuple->len, equal, err);
    case VAL_STRUCT:
        if (a.strukt->type != b.strukt->type) return true;
        return equal_items(a.strukt->field, b.strukt->field, a.strukt->type->n_fields, equal, err);
    case VAL_MAP: return equal_maps(a.map, b.map, equal, err);
    case VAL_FN: *equal = equal_functions(a.fn, b.fn); return true;
    case VAL_MODULE: *equal = a.module == b.module; return true;
    default: *equal = true; return true; /* none, unset */
    }
}

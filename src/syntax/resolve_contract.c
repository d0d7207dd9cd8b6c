/* Annotations: what their types are, and where the sizes that they name live. */
#include <string.h>

#include "base/suggest.h"
#include "syntax/resolver.h"

static const char *const type_names[] = {
    [TYPE_NONE] = "None", [TYPE_BOOL] = "Bool", [TYPE_INT] = "Int",     [TYPE_FLOAT] = "Float",
    [TYPE_STR] = "Str",   [TYPE_ARR] = "Arr",   [TYPE_TUPLE] = "Tuple", [TYPE_MAP] = "Map",
    [TYPE_FN] = "Fn",     [TYPE_STRUCT] = NULL,
};

static int builtin_type(Symbol name)
{
    for (int i = 0; i < TYPE_STRUCT; i++) {
        if (strcmp(type_names[i], name->text) == 0) return i;
    }
    return TYPE_STRUCT;
}

static bool unknown_type(Resolver *r, const TypeAlternative *type)
{
    const char *name = type->type.name->text;
    error_set_at(r->err, ERR_NAME, type->span, "unknown type %s", name);
    Suggest s = suggest_start(name);
    for (int i = 0; i < TYPE_STRUCT; i++) suggest_offer(&s, type_names[i]);
    const GlobalTable *globals = r->context->globals;
    for (int i = 0; i < globals->names.len; i++)
        suggest_offer(&s, globals->names.item[i].name->text);
    return s.best ? error_hint(r->err, "did you mean %s?", s.best) : false;
}

/* A struct of the file may be named like a built-in type. */
static bool resolve_type(Resolver *r, TypeAlternative *type)
{
    int slot = global_bound(r, type->type.name);
    bool is_definition = slot >= 0 && r->context->globals->names.item[slot].is_definition;
    type->builtin = (uint8_t)builtin_type(type->type.name);
    if (type->builtin != TYPE_STRUCT && !is_definition) return true;
    if (slot < 0) return unknown_type(r, type);
    type->builtin = TYPE_STRUCT;
    type->type.scope = SCOPE_GLOBAL;
    type->type.slot = (uint32_t)slot;
    return true;
}

bool resolve_types(Resolver *r, Annotation *annotation)
{
    for (int i = 0; annotation && i < annotation->len; i++) {
        if (!resolve_type(r, &annotation->item[i])) return false;
    }
    return true;
}

/* ---- sizes of functions ---- */

static bool is_int(const Annotation *type)
{
    return type && type->len == 1 && strcmp(type->item[0].type.name->text, "Int") == 0;
}

static bool resolve_size(Resolver *r, FunctionDecl *f, Dim *dim)
{
    f->has_size_names = true;
    dim->slot = scope_local(r->scope, dim->name);
    if (dim->slot >= (uint32_t)f->n_params || is_int(f->param[dim->slot].type)) return true;
    error_set_at(r->err, ERR_NAME, dim->span,
                 "%s is a parameter, and only an Int parameter can name a size", dim->name->text);
    if (!f->param[dim->slot].type) error_hint(r->err, "annotate it: %s: Int", dim->name->text);
    return false;
}

static bool resolve_sizes_of(Resolver *r, FunctionDecl *f, Annotation *annotation)
{
    for (int i = 0; annotation && i < annotation->len; i++) {
        TypeAlternative *type = &annotation->item[i];
        for (int d = 0; d < type->n_dims; d++) {
            bool is_name = type->dim[d].kind == DIM_NAME;
            if (is_name && !resolve_size(r, f, &type->dim[d])) return false;
        }
    }
    return true;
}

bool resolve_sizes(Resolver *r, FunctionDecl *f)
{
    for (int i = 0; i < f->n_params; i++) {
        if (!resolve_sizes_of(r, f, f->param[i].type)) return false;
    }
    return resolve_sizes_of(r, f, f->result);
}

/* ---- sizes of structs: indexes into a list of their own ---- */

typedef struct {
    SymbolMap index;
    VEC_OF(Symbol) names;
} SizeNames;

static void add_sizes(SizeNames *sizes, Annotation *annotation)
{
    for (int i = 0; annotation && i < annotation->len; i++) {
        TypeAlternative *type = &annotation->item[i];
        for (int d = 0; d < type->n_dims; d++) {
            Dim *dim = &type->dim[d];
            if (dim->kind != DIM_NAME) continue;
            if (symbol_map_get(&sizes->index, dim->name) < 0) {
                symbol_map_put(&sizes->index, dim->name, sizes->names.len);
                VEC_PUSH(&sizes->names, dim->name);
            }
            dim->slot = (uint32_t)symbol_map_get(&sizes->index, dim->name);
        }
    }
}

bool resolve_struct_sizes(Resolver *r, StructDecl *s)
{
    SizeNames sizes = {0};
    for (int i = 0; i < s->n_fields; i++) add_sizes(&sizes, s->field[i].type);
    s->n_size_names = sizes.names.len;
    size_t size = (size_t)sizes.names.len * sizeof *s->size_name;
    s->size_name = arena_alloc(&r->file->arena, size);
    if (size) memcpy(s->size_name, sizes.names.item, size);
    symbol_map_free(&sizes.index);
    VEC_FREE(&sizes.names);
    return true;
}

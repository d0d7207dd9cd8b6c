#include <string.h>

#include "base/suggest.h"
#include "syntax/other_language_hints.h"
#include "syntax/resolver.h"

void scope_enter(Resolver *r, FrameScope *scope, ScopeKind kind, const char *owner)
{
    *scope = (FrameScope){.outer = r->scope, .kind = kind, .owner = owner, .self_slot = -1};
    r->scope = scope;
}

void scope_leave(Resolver *r)
{
    FrameScope *scope = r->scope;
    symbol_map_free(&scope->locals);
    symbol_map_free(&scope->captured);
    VEC_FREE(&scope->slot_names);
    VEC_FREE(&scope->bindings);
    VEC_FREE(&scope->captures);
    VEC_FREE(&scope->hidden);
    r->scope = scope->outer;
}

uint32_t scope_slot(FrameScope *scope, Symbol name)
{
    VEC_PUSH(&scope->slot_names, name);
    VEC_PUSH(&scope->bindings, 0);
    return (uint32_t)scope->slot_names.len - 1;
}

uint32_t scope_local(FrameScope *scope, Symbol name)
{
    int slot = symbol_map_get(&scope->locals, name);
    if (slot < 0) {
        slot = (int)scope_slot(scope, name);
        symbol_map_put(&scope->locals, name, slot);
    }
    uint8_t *bindings = &scope->bindings.item[slot];
    if (*bindings < 2) ++*bindings;
    return (uint32_t)slot;
}

Symbol *scope_slot_names(Resolver *r, const FrameScope *scope)
{
    size_t size = (size_t)scope->slot_names.len * sizeof(Symbol);
    Symbol *names = arena_alloc(&r->file->arena, size);
    if (size) memcpy(names, scope->slot_names.item, size);
    return names;
}

/* ---- finding ---- */

static int find_own(FrameScope *scope, Symbol name)
{
    for (int i = scope->hidden.len - 1; i >= 0; i--) {
        if (scope->hidden.item[i].name == name) return (int)scope->hidden.item[i].slot;
    }
    return scope->in_defaults ? -1 : symbol_map_get(&scope->locals, name);
}

static int capture(FrameScope *scope, Symbol name, int outer_slot)
{
    Capture c = {(uint32_t)outer_slot, scope_slot(scope, name), name};
    VEC_PUSH(&scope->captures, c);
    symbol_map_put(&scope->captured, name, (int)c.inner_slot);
    return (int)c.inner_slot;
}

int scope_find(FrameScope *scope, Symbol name)
{
    int slot = find_own(scope, name);
    if (slot >= 0) return slot;
    if (scope->self == name) {
        if (scope->self_slot < 0) scope->self_slot = (int32_t)scope_slot(scope, name);
        return scope->self_slot;
    }
    slot = symbol_map_get(&scope->captured, name);
    if (slot >= 0 || !scope->outer) return slot;
    int outer_slot = scope_find(scope->outer, name);
    return outer_slot < 0 ? -1 : capture(scope, name, outer_slot);
}

/* ---- names that are not there ---- */

static void offer_map(Suggest *s, const SymbolMap *map, const FrameScope *scope)
{
    for (int i = 0; i < scope->slot_names.len; i++) {
        Symbol name = scope->slot_names.item[i];
        if (name && symbol_map_get(map, name) >= 0) suggest_offer(s, name->text);
    }
}

static const char *nearest(const Resolver *r, Symbol name)
{
    Suggest s = suggest_start(name->text);
    for (const FrameScope *scope = r->scope; scope; scope = scope->outer) {
        if (!scope->in_defaults) offer_map(&s, &scope->locals, scope);
        for (int i = 0; i < scope->hidden.len; i++)
            suggest_offer(&s, scope->hidden.item[i].name->text);
    }
    const GlobalTable *globals = r->context->globals;
    for (int i = 0; i < globals->names.len; i++) {
        if (globals->names.item[i].is_assigned)
            suggest_offer(&s, globals->names.item[i].name->text);
    }
    const char *builtin;
    for (int i = 0; (builtin = r->context->builtin_name(i)); i++) suggest_offer(&s, builtin);
    return s.best;
}

static bool unknown_name(Resolver *r, Symbol name, Span span)
{
    error_set_at(r->err, ERR_NAME, span, "unknown name %s", name->text);
    const char *advice = foreign_name(name->text);
    if (advice) return error_hint(r->err, "%s", advice);
    if (r->context->is_library_module(name))
        return error_hint(r->err, "%s is a module: write import %s first", name->text, name->text);
    const char *near = nearest(r, name);
    return near ? error_hint(r->err, "did you mean %s?", near) : false;
}

/* ---- reading and changing ---- */

static bool is_inside_function(const Resolver *r)
{
    return r->scope->kind == SCOPE_FUNCTION;
}

static const char *file_owner(const Resolver *r)
{
    return r->context->is_repl ? "the session" : "the file";
}

/* Who else has a variable of that name: a function around, or the file; NULL for nobody. */
static const char *outer_owner(const Resolver *r, Symbol name)
{
    for (FrameScope *s = r->scope->outer; s; s = s->outer) {
        bool is_own = s->kind != SCOPE_FILE && (find_own(s, name) >= 0 || s->self == name);
        if (is_own) return s->owner;
    }
    return global_bound(r, name) >= 0 ? file_owner(r) : NULL;
}

static void say_owner(Resolver *r, Symbol name, Span span, const char *owner)
{
    error_set_at(r->err, ERR_NAME, span, "%s belongs to %s, and %s can't change it", name->text,
                 owner, r->scope->kind == SCOPE_TEST ? "a test" : "a function");
}

static bool belongs_to(Resolver *r, Symbol name, Span span, const char *owner)
{
    const char *other = strcmp(name->text, "B") == 0 ? "C" : "B";
    say_owner(r, name, span, owner);
    return error_hint(r->err, "%s = %s makes a copy that may be changed", other, name->text);
}

static bool is_target(const Ast *target, Symbol name)
{
    if (target->kind == AST_NAME) return target->name.name == name;
    for (int i = 0; target->kind == AST_TUPLE && i < target->list.len; i++)
        if (is_target(target->list.item[i], name)) return true;
    return false;
}

/* x = x * y, and no other place gives x a value: what is meant is the x around the function. */
static const char *meant_owner(const Resolver *r, int slot, Symbol name)
{
    FrameScope *scope = r->scope;
    bool is_own = slot >= 0 && symbol_map_get(&scope->locals, name) == slot;
    if (!scope->assigned || !is_own || scope->bindings.item[slot] > 1) return NULL;
    return is_target(scope->assigned, name) && !r->expects_error ? outer_owner(r, name) : NULL;
}

bool resolve_name(Resolver *r, NameRef *name, Span span)
{
    int slot = scope_find(r->scope, name->name);
    const char *meant = meant_owner(r, slot, name->name);
    if (meant) {
        say_owner(r, name->name, span, meant);
        return error_hint(r->err, "give the result a name of its own, and return it");
    }
    name->scope = SCOPE_LOCAL;
    if (slot < 0) {
        slot = global_bound(r, name->name);
        name->scope = SCOPE_GLOBAL;
    }
    if (slot < 0) {
        slot = r->context->builtin_index(name->name);
        name->scope = SCOPE_BUILTIN;
    }
    if (slot < 0 && r->context->is_repl && is_inside_function(r)) {
        slot = (int)global_declare(r, (GlobalName){.name = name->name, .defined_at = span});
        name->scope = SCOPE_GLOBAL;
    }
    if (slot < 0) return unknown_name(r, name->name, span);
    name->slot = (uint32_t)slot;
    return true;
}

static bool is_module(const Resolver *r, Symbol name)
{
    AstList body = r->file->body->list;
    for (int i = 0; i < body.len; i++) {
        if (body.item[i]->kind == AST_IMPORT && body.item[i]->import->as == name) return true;
    }
    return false;
}

bool check_owned(Resolver *r, Symbol name, Span span, bool is_path)
{
    FrameScope *scope = r->scope;
    bool at_top = scope->kind == SCOPE_FILE;
    if (at_top ? global_bound(r, name) >= 0 : symbol_map_get(&scope->locals, name) >= 0)
        return true;
    const char *owner = outer_owner(r, name);
    bool is_global = global_bound(r, name) >= 0;
    if (is_global && is_path && is_module(r, name) && owner == file_owner(r))
        return error_set_at(r->err, ERR_NAME, span, "the names of module %s can't be assigned",
                            name->text);
    if (owner) return belongs_to(r, name, span, owner);
    if (scope->self == name) return belongs_to(r, name, span, "the enclosing function");
    if (r->context->builtin_index(name) >= 0)
        return error_set_at(r->err, ERR_NAME, span, "%s is a builtin and can't be changed",
                            name->text);
    unknown_name(r, name, span);
    if (is_path) return false;
    return error_hint(r->err, "give it a value first: %s = …", name->text);
}

#include <string.h>

#include "base/strbuf.h"
#include "syntax/resolver.h"
#include "syntax/source.h"

/* ---- functions ---- */

static bool resolve_params(Resolver *r, Param *param, int len)
{
    r->scope->in_defaults = true;
    bool ok = true;
    for (int i = 0; ok && i < len; i++) {
        ok = resolve_types(r, param[i].type) &&
             (!param[i].default_value || resolve_expression(r, param[i].default_value));
    }
    r->scope->in_defaults = false;
    return ok;
}

static bool resolve_body(Resolver *r, FunctionDecl *f)
{
    for (int i = 0; i < f->n_params; i++) scope_local(r->scope, f->param[i].name);
    bool is_block = f->body->kind == AST_BLOCK;
    return resolve_sizes(r, f) && (!is_block || collect_names(r, f->body)) &&
           resolve_params(r, f->param, f->n_params) && resolve_types(r, f->result) &&
           (is_block ? resolve_block(r, f->body) : resolve_expression(r, f->body));
}

static void keep_frame(Resolver *r, FunctionDecl *f)
{
    const FrameScope *scope = r->scope;
    f->n_slots = (uint32_t)scope->slot_names.len;
    f->slot_name = scope_slot_names(r, scope);
    f->self_slot = scope->self_slot;
    f->n_captures = scope->captures.len;
    size_t size = (size_t)f->n_captures * sizeof *f->capture;
    f->capture = arena_alloc(&r->file->arena, size);
    if (size) memcpy(f->capture, scope->captures.item, size);
}

bool resolve_function(Resolver *r, FunctionDecl *f, Symbol self)
{
    FrameScope scope;
    scope_enter(r, &scope, SCOPE_FUNCTION, f->name ? f->name->text : "the enclosing function");
    scope.self = self;
    bool ok = resolve_body(r, f);
    if (ok) keep_frame(r, f);
    scope_leave(r);
    return ok;
}

/* ---- adjoints ---- */

static const FunctionDecl *function_before(const Resolver *r, const FunctionDecl *adjoint)
{
    AstList body = r->file->body->list;
    for (int i = 0; i < body.len; i++) {
        const Ast *node = body.item[i];
        if (node->kind == AST_ADJOINT && node->function == adjoint) return NULL;
        if (node->kind == AST_DEF && node->function->name == adjoint->name) return node->function;
    }
    return NULL;
}

static bool wrong_params(const FunctionDecl *adjoint, const FunctionDecl *f, Error *err)
{
    error_set_at(err, ERR_NAME, adjoint->head_span,
                 "the adjoint of %s must take the parameters of %s and the result's cotangent",
                 f->name->text, f->name->text);
    StrBuf params = {0};
    for (int i = 0; i < f->n_params; i++) strbuf_printf(&params, "%s, ", f->param[i].name->text);
    error_hint(err, "write adjoint %s(%sdY)", f->name->text, strbuf_str(&params));
    strbuf_free(&params);
    return false;
}

bool adjoint_check_params(const FunctionDecl *adjoint, const FunctionDecl *f, Error *err)
{
    if (adjoint->n_params != f->n_params + 1) return wrong_params(adjoint, f, err);
    for (int i = 0; i < f->n_params; i++) {
        if (adjoint->param[i].name != f->param[i].name) return wrong_params(adjoint, f, err);
    }
    return true;
}

bool resolve_adjoint(Resolver *r, FunctionDecl *adjoint)
{
    Symbol name = adjoint->name;
    const FunctionDecl *f = function_before(r, adjoint);
    int slot = global_find(r->context->globals, name);
    bool from_before =
        r->context->is_repl && slot >= 0 && r->context->globals->names.item[slot].is_definition;
    if (!f && !from_before)
        return error_set_at(r->err, ERR_NAME, adjoint->name_span,
                            "an adjoint must come after its function, but there is no def %s above",
                            name->text);
    if (f && !adjoint_check_params(adjoint, f, r->err)) return false;
    if (symbol_map_get(&r->adjoints, name) >= 0)
        return error_set_at(r->err, ERR_NAME, adjoint->name_span, "%s has two adjoints",
                            name->text);
    symbol_map_put(&r->adjoints, name, 1);
    adjoint->target_scope = SCOPE_GLOBAL;
    adjoint->target_slot = (uint32_t)slot;
    return resolve_function(r, adjoint, NULL);
}

/* ---- structs and tests ---- */

bool resolve_struct(Resolver *r, StructDecl *s)
{
    FrameScope scope;
    scope_enter(r, &scope, SCOPE_STRUCT, s->name->text);
    s->target_slot = (uint32_t)global_find(r->context->globals, s->name);
    bool ok = resolve_params(r, s->field, s->n_fields) && resolve_struct_sizes(r, s);
    s->n_slots = (uint32_t)scope.slot_names.len;
    scope_leave(r);
    return ok;
}

bool resolve_test(Resolver *r, TestDecl *test)
{
    FrameScope scope;
    scope_enter(r, &scope, SCOPE_TEST, "the test");
    bool ok = collect_names(r, test->body) && resolve_block(r, test->body);
    test->n_slots = (uint32_t)scope.slot_names.len;
    test->slot_name = scope_slot_names(r, &scope);
    scope_leave(r);
    return ok;
}

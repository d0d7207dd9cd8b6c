/* Which names a body binds: by assignment, by a loop, by a definition, by an import. */
#include "syntax/resolver.h"
#include "syntax/source.h"

/* ---- binding one name ---- */

static void bind(Resolver *r, Symbol name, Span span, const char *doc)
{
    if (r->scope->kind != SCOPE_FILE) {
        scope_local(r->scope, name);
        return;
    }
    GlobalName global = {.name = name, .defined_at = span, .is_assigned = true, .doc = doc};
    global_declare(r, global);
}

static void bind_target(Resolver *r, const Ast *target, const char *doc)
{
    if (target->kind == AST_NAME) bind(r, target->name.name, target->span, doc);
    if (target->kind != AST_TUPLE) return;
    for (int i = 0; i < target->list.len; i++) bind_target(r, target->list.item[i], doc);
}

/* ---- definitions of the file ---- */

static Span definition_span(const Ast *node)
{
    if (node->kind == AST_DEF) return node->function->name_span;
    return node->kind == AST_STRUCT ? node->structure->name_span : (Span){0, 0};
}

static Symbol definition_name(const Ast *node)
{
    if (node->kind == AST_DEF) return node->function->name;
    return node->kind == AST_STRUCT ? node->structure->name : NULL;
}

static bool defined_twice(Resolver *r, const Ast *node)
{
    Symbol name = definition_name(node);
    const Ast *first = r->file->body->list.item[0];
    for (int i = 0; definition_name(first) != name; i++) first = r->file->body->list.item[i];
    Location a = source_locate(definition_span(first).start);
    Location b = source_locate(definition_span(node).start);
    return error_set_at(r->err, ERR_NAME, definition_span(node),
                        "%s is defined twice, at line %u and at line %u", name->text, a.line,
                        b.line);
}

static bool define(Resolver *r, const Ast *node)
{
    Symbol name = definition_name(node);
    const GlobalTable *globals = r->context->globals;
    int slot = global_find(globals, name);
    if (!r->context->is_repl && slot >= 0 && globals->names.item[slot].is_definition)
        return defined_twice(r, node);
    const char *doc = node->kind == AST_DEF ? node->function->doc : node->structure->doc;
    GlobalName global = {.name = name,
                         .defined_at = definition_span(node),
                         .is_definition = true,
                         .is_assigned = true,
                         .doc = doc};
    global_declare(r, global);
    return true;
}

static void bind_imports(Resolver *r, const Ast *node)
{
    const ImportDecl *import = node->import;
    if (node->kind == AST_IMPORT) bind(r, import->as, import->path_span, NULL);
    for (int i = 0; i < import->n_items; i++)
        bind(r, import->item[i].as, import->item[i].span, NULL);
}

static bool at_file_level_only(Resolver *r, const Ast *node)
{
    const char *what = node->kind == AST_STRUCT    ? "a struct"
                       : node->kind == AST_TEST    ? "a test"
                       : node->kind == AST_ADJOINT ? "an adjoint"
                                                   : "an import";
    return error_set_at(r->err, ERR_NAME, node->span,
                        "%s must be at file level, not inside a block", what);
}

/* ---- statements ---- */

static bool collect_block(Resolver *r, const Ast *block, bool is_file);

static bool collect_if(Resolver *r, const Ast *node)
{
    for (; node && node->kind == AST_IF; node = node->branch.otherwise) {
        if (!collect_block(r, node->branch.then, false)) return false;
    }
    return !node || collect_block(r, node, false);
}

static bool collect_special(Resolver *r, const Ast *node, bool is_file)
{
    if (!is_file) return at_file_level_only(r, node);
    if (node->kind == AST_STRUCT) return define(r, node);
    if (node->kind == AST_IMPORT || node->kind == AST_FROM_IMPORT) bind_imports(r, node);
    return true;
}

static bool collect_statement(Resolver *r, const Ast *node, bool is_file)
{
    switch (node->kind) {
    case AST_ASSIGN:
        bind_target(r, node->assign.target, is_file ? global_doc(r, node->span) : NULL);
        return true;
    case AST_DEF:
        if (is_file) return define(r, node);
        bind(r, node->function->name, node->function->name_span, node->function->doc);
        return true;
    case AST_FOR:
        bind_target(r, node->loop.head.target, NULL);
        return collect_block(r, node->loop.body, false);
    case AST_WHILE: return collect_block(r, node->branch.then, false);
    case AST_IF: return collect_if(r, node);
    case AST_STRUCT:
    case AST_TEST:
    case AST_ADJOINT:
    case AST_IMPORT:
    case AST_FROM_IMPORT: return collect_special(r, node, is_file);
    default: return true;
    }
}

static bool collect_block(Resolver *r, const Ast *block, bool is_file)
{
    for (int i = 0; i < block->list.len; i++) {
        if (!collect_statement(r, block->list.item[i], is_file)) return false;
    }
    return true;
}

bool collect_names(Resolver *r, const Ast *block)
{
    return collect_block(r, block, r->scope->kind == SCOPE_FILE);
}

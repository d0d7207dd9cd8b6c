#include "syntax/resolver.h"

/* ---- assignment ---- */

static bool bound_name(Resolver *r, Ast *target)
{
    NameRef *name = &target->name;
    bool at_top = r->scope->kind == SCOPE_FILE;
    name->scope = at_top ? SCOPE_GLOBAL : SCOPE_LOCAL;
    name->slot = (uint32_t)(at_top ? global_find(r->context->globals, name->name)
                                   : symbol_map_get(&r->scope->locals, name->name));
    return true;
}

static bool resolve_path(Resolver *r, Ast *path)
{
    const Ast *root = ast_path_root(path);
    return check_owned(r, root->name.name, root->span, true) && resolve_expression(r, path);
}

static bool resolve_target(Resolver *r, Ast *target)
{
    if (target->kind == AST_NAME) return bound_name(r, target);
    if (target->kind != AST_TUPLE) return resolve_path(r, target);
    for (int i = 0; i < target->list.len; i++) {
        if (!resolve_target(r, target->list.item[i])) return false;
    }
    return true;
}

static bool resolve_assign(Resolver *r, Ast *node)
{
    FrameScope *scope = r->scope;
    scope->assigned = node->assign.target;
    bool ok = resolve_expression(r, node->assign.value);
    scope->assigned = NULL;
    return ok && resolve_target(r, node->assign.target);
}

static bool resolve_augment(Resolver *r, Ast *node)
{
    Ast *target = node->assign.target;
    if (!resolve_expression(r, node->assign.value)) return false;
    if (target->kind != AST_NAME) return resolve_path(r, target);
    return check_owned(r, target->name.name, target->span, false) && bound_name(r, target);
}

/* ---- loops and branches ---- */

static bool resolve_body(Resolver *r, Ast *body)
{
    r->scope->loops++;
    bool ok = resolve_block(r, body);
    r->scope->loops--;
    return ok;
}

static bool resolve_for(Resolver *r, Ast *node)
{
    LoopHead *head = &node->loop.head;
    return resolve_bounds(r, head) && resolve_target(r, head->target) &&
           resolve_body(r, node->loop.body);
}

static bool resolve_while(Resolver *r, Ast *node)
{
    return resolve_expression(r, node->branch.cond) && resolve_body(r, node->branch.then);
}

static bool resolve_if(Resolver *r, Ast *node)
{
    for (; node && node->kind == AST_IF; node = node->branch.otherwise) {
        if (!resolve_expression(r, node->branch.cond)) return false;
        if (!resolve_block(r, node->branch.then)) return false;
    }
    return !node || resolve_block(r, node);
}

static bool resolve_jump(Resolver *r, const Ast *node)
{
    if (r->scope->loops) return true;
    return error_set_at(r->err, ERR_SYNTAX, node->span, "%s must be inside a loop",
                        node->kind == AST_BREAK ? "break" : "continue");
}

static bool resolve_return(Resolver *r, Ast *node)
{
    if (r->scope->kind == SCOPE_FILE)
        return error_set_at(r->err, ERR_SYNTAX, node->span,
                            "return must be inside a function or a test");
    return !node->unary.operand || resolve_expression(r, node->unary.operand);
}

/* ---- definitions and imports ---- */

static bool resolve_def(Resolver *r, FunctionDecl *f)
{
    bool at_top = r->scope->kind == SCOPE_FILE;
    f->target_scope = at_top ? SCOPE_GLOBAL : SCOPE_LOCAL;
    f->target_slot = (uint32_t)(at_top ? global_find(r->context->globals, f->name)
                                       : symbol_map_get(&r->scope->locals, f->name));
    return resolve_function(r, f, at_top ? NULL : f->name);
}

static bool resolve_import(Resolver *r, Ast *node)
{
    ImportDecl *import = node->import;
    if (node->kind == AST_IMPORT)
        import->slot = (uint32_t)global_find(r->context->globals, import->as);
    for (int i = 0; i < import->n_items; i++) {
        ImportedName *item = &import->item[i];
        if (item->name->text[0] == '_')
            return error_set_at(r->err, ERR_NAME, item->span, "%s is private to %s",
                                item->name->text, import->path);
        item->slot = (uint32_t)global_find(r->context->globals, item->as);
        r->context->globals->names.item[item->slot].is_hidden |=
            module_path_is_private(import->path);
    }
    return true;
}

static bool resolve_statement(Resolver *r, Ast *node)
{
    switch (node->kind) {
    case AST_EXPRESSION: return resolve_expression(r, node->unary.operand);
    case AST_ASSIGN: return resolve_assign(r, node);
    case AST_AUGMENT: return resolve_augment(r, node);
    case AST_DEF: return resolve_def(r, node->function);
    case AST_ADJOINT: return resolve_adjoint(r, node->function);
    case AST_STRUCT: return resolve_struct(r, node->structure);
    case AST_TEST: return resolve_test(r, node->test);
    case AST_FOR: return resolve_for(r, node);
    case AST_WHILE: return resolve_while(r, node);
    case AST_IF: return resolve_if(r, node);
    case AST_RETURN: return resolve_return(r, node);
    case AST_BREAK:
    case AST_CONTINUE: return resolve_jump(r, node);
    case AST_IMPORT:
    case AST_FROM_IMPORT: return resolve_import(r, node);
    default: return true;
    }
}

bool resolve_block(Resolver *r, Ast *block)
{
    for (int i = 0; i < block->list.len; i++) {
        if (!resolve_statement(r, block->list.item[i])) return false;
    }
    return true;
}

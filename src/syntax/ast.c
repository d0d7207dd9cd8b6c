#include "syntax/ast.h"

#include <string.h>

const char *operator_text(Operator op)
{
    static const char *const text[OPERATOR_COUNT] = {
        [OPERATOR_ADD] = "+",    [OPERATOR_SUB] = "-",       [OPERATOR_MUL] = "*",
        [OPERATOR_DIV] = "/",    [OPERATOR_FLOORDIV] = "//", [OPERATOR_MOD] = "%",
        [OPERATOR_POW] = "**",   [OPERATOR_MATMUL] = "@",    [OPERATOR_BIT_AND] = "&",
        [OPERATOR_BIT_OR] = "|", [OPERATOR_EQ] = "==",       [OPERATOR_NE] = "!=",
        [OPERATOR_LT] = "<",     [OPERATOR_LE] = "<=",       [OPERATOR_GT] = ">",
        [OPERATOR_GE] = ">=",    [OPERATOR_IN] = "in",       [OPERATOR_NOT_IN] = "not in",
        [OPERATOR_NEG] = "-",    [OPERATOR_POS] = "+",       [OPERATOR_INVERT] = "~",
        [OPERATOR_NOT] = "not",
    };
    return text[op];
}

Ast *ast_left(const Ast *node)
{
    switch (node->kind) {
    case AST_BINARY:
    case AST_AND:
    case AST_OR: return node->binary.left;
    case AST_CALL: return node->call.callee;
    case AST_INDEX: return node->index.target;
    case AST_FIELD: return node->field.target;
    default: return NULL;
    }
}

const Ast *ast_path_root(const Ast *path)
{
    while (path->kind == AST_INDEX || path->kind == AST_FIELD) path = ast_left(path);
    return path;
}

bool ast_expects_error(const Ast *call)
{
    const Ast *callee = call->call.callee;
    return callee->kind == AST_NAME && callee->name.scope == SCOPE_BUILTIN &&
           strcmp(callee->name.name->text, "assert_error") == 0;
}

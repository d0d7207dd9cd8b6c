#include "syntax/ast_build.h"

Ast *ast_block(ParseContext *cx, Span span, List *statements)
{
    Ast *node = build_node(cx, AST_BLOCK, span, build_list_depth(statements));
    node->list = build_list(statements);
    return node;
}

Ast *ast_expression(ParseContext *cx, Expr e)
{
    Ast *node = build_node(cx, AST_EXPRESSION, e.span, e.node->depth);
    node->unary.operand = e.node;
    return node;
}

/* ---- assignment ---- */

/* What an expression is called when it cannot be assigned to. */
static const char *kind_text(const Ast *node)
{
    switch (node->kind) {
    case AST_CALL: return "a call";
    case AST_NONE:
    case AST_BOOL:
    case AST_INT:
    case AST_FLOAT:
    case AST_STR:
    case AST_FSTRING:
    case AST_MAP: return "a literal";
    case AST_ARRAY: return "an array literal";
    case AST_COMPREHENSION: return "a comprehension";
    case AST_LAMBDA: return "a function";
    case AST_CHOICE: return "a conditional expression";
    case AST_TUPLE: return "a tuple";
    case AST_BINARY:
        if (node->op >= OPERATOR_EQ && node->op <= OPERATOR_NOT_IN) return "a comparison";
        return "the result of an operator";
    default: return "the result of an operator";
    }
}

static bool check_path(ParseContext *cx, const Ast *target)
{
    const Ast *root = ast_path_root(target);
    if (root->kind == AST_NAME || error_is_set(cx->err)) return true;
    build_fail(cx, root->span, "can't assign to %s%s", root == target ? "" : "a part of ",
               kind_text(root));
    if (root == target && target->kind == AST_ARRAY)
        error_hint(cx->err, "several names stand without brackets: a, b = pair");
    return false;
}

static bool check_target(ParseContext *cx, const Ast *target)
{
    if (target->kind != AST_TUPLE) return check_path(cx, target);
    if (target->list.len == 0) return build_fail(cx, target->span, "can't assign to nothing");
    for (int i = 0; i < target->list.len; i++) {
        if (!check_target(cx, target->list.item[i])) return false;
    }
    return true;
}

static Ast *assignment(ParseContext *cx, AstKind kind, Expr target, Expr value)
{
    Span span = span_join(target.span, value.span);
    Ast *node = build_node(cx, kind, span, build_deeper(target.node, value.node));
    node->assign.target = target.node;
    node->assign.value = value.node;
    return node;
}

Ast *ast_assign(ParseContext *cx, Expr target, Expr value)
{
    check_target(cx, target.node);
    return assignment(cx, AST_ASSIGN, target, value);
}

Ast *ast_augment(ParseContext *cx, Expr target, int code, Expr value)
{
    Operator op = operator_of(code);
    if (target.node->kind == AST_TUPLE)
        build_fail(cx, target.span, "%s= changes one target, not a tuple", operator_text(op));
    else
        check_path(cx, target.node);
    Ast *node = assignment(cx, AST_AUGMENT, target, value);
    node->op = (uint8_t)op;
    return node;
}

/* ---- the flow of control ---- */

Ast *ast_return(ParseContext *cx, Token start, const Expr *value)
{
    Span span = value ? span_join(start.span, value->span) : start.span;
    Ast *node = build_node(cx, AST_RETURN, span, value ? value->node->depth : 0);
    if (value) node->unary.operand = value->node;
    return node;
}

Ast *ast_jump(ParseContext *cx, AstKind kind, Token token)
{
    return build_node(cx, kind, token.span, 0);
}

Ast *ast_for(ParseContext *cx, Token start, LoopHead *head, Ast *body)
{
    int depth = build_deeper(head->target, body);
    int bounds = build_deeper(head->from, head->to), others = build_deeper(head->by, head->each);
    if (bounds > depth) depth = bounds;
    if (others > depth) depth = others;
    Ast *node = build_node(cx, AST_FOR, span_join(start.span, body->span), depth);
    node->loop.head = *head;
    node->loop.body = body;
    return node;
}

Ast *ast_while(ParseContext *cx, Token start, Expr cond, Ast *body)
{
    Span span = span_join(start.span, body->span);
    Ast *node = build_node(cx, AST_WHILE, span, build_deeper(cond.node, body));
    node->branch.cond = cond.node;
    node->branch.then = body;
    return node;
}

/* A chain of else-if is flat: walkers follow it in a loop. */
Ast *ast_if(ParseContext *cx, Token start, Expr cond, Ast *then, Ast *otherwise)
{
    Span span = span_join(start.span, otherwise ? otherwise->span : then->span);
    int depth = build_deeper(cond.node, then);
    bool is_chain = otherwise && otherwise->kind == AST_IF;
    if (otherwise && !is_chain && otherwise->depth > depth) depth = otherwise->depth;
    Ast *node = build_node(cx, AST_IF, span, depth);
    if (is_chain && otherwise->depth > node->depth) node->depth = otherwise->depth;
    node->branch.cond = cond.node;
    node->branch.then = then;
    node->branch.otherwise = otherwise;
    return node;
}

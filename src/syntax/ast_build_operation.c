#include "syntax/ast_build.h"
#include "syntax/symbol_map.h"
#include "viv_grammar.h"

/* A node whose left operand walkers follow in a loop: only what stands right of it counts as
 * nesting. */
static Ast *left_node(ParseContext *cx, AstKind kind, Span span, const Ast *left, int right_depth)
{
    Ast *node = build_node(cx, kind, span, right_depth);
    if (left->depth > node->depth) node->depth = left->depth;
    return node;
}

/* ---- operators ---- */

Operator operator_of(int code)
{
    switch (code) {
    case TOK_PLUS:
    case TOK_PLUS_ASSIGN: return OPERATOR_ADD;
    case TOK_MINUS:
    case TOK_MINUS_ASSIGN: return OPERATOR_SUB;
    case TOK_STAR:
    case TOK_STAR_ASSIGN: return OPERATOR_MUL;
    case TOK_SLASH:
    case TOK_SLASH_ASSIGN: return OPERATOR_DIV;
    case TOK_FLOORDIV:
    case TOK_FLOORDIV_ASSIGN: return OPERATOR_FLOORDIV;
    case TOK_PERCENT:
    case TOK_PERCENT_ASSIGN: return OPERATOR_MOD;
    case TOK_POW:
    case TOK_POW_ASSIGN: return OPERATOR_POW;
    case TOK_AT:
    case TOK_AT_ASSIGN: return OPERATOR_MATMUL;
    case TOK_AMP:
    case TOK_AMP_ASSIGN: return OPERATOR_BIT_AND;
    case TOK_BAR:
    case TOK_BAR_ASSIGN: return OPERATOR_BIT_OR;
    case TOK_EQ: return OPERATOR_EQ;
    case TOK_NE: return OPERATOR_NE;
    case TOK_LT: return OPERATOR_LT;
    case TOK_LE: return OPERATOR_LE;
    case TOK_GT: return OPERATOR_GT;
    case TOK_GE: return OPERATOR_GE;
    default: return OPERATOR_IN;
    }
}

static void refuse_not(ParseContext *cx, const Ast *operand)
{
    if (operand->kind == AST_UNARY && operand->op == OPERATOR_NOT && !operand->in_parens)
        build_fail(cx, operand->span, "'not' inside this expression needs parentheses");
}

Expr ast_unary(ParseContext *cx, Operator op, Token token, Expr operand)
{
    Span span = span_join(token.span, operand.span);
    Ast *node = build_node(cx, AST_UNARY, span, operand.node->depth);
    if (op != OPERATOR_NOT) refuse_not(cx, operand.node);
    node->op = (uint8_t)op;
    node->unary.operand = operand.node;
    return build_expr(node);
}

static Expr binary(ParseContext *cx, AstKind kind, Expr left, Operator op, Expr right)
{
    Span span = span_join(left.span, right.span);
    Ast *node = left_node(cx, kind, span, left.node, right.node->depth);
    node->op = (uint8_t)op;
    node->binary.left = left.node;
    node->binary.right = right.node;
    if (kind == AST_BINARY) refuse_not(cx, right.node);
    return build_expr(node);
}

Expr ast_binary(ParseContext *cx, Expr left, Operator op, Expr right)
{
    return binary(cx, AST_BINARY, left, op, right);
}

Expr ast_logic(ParseContext *cx, AstKind kind, Expr left, Expr right)
{
    return binary(cx, kind, left, OPERATOR_COUNT, right);
}

static bool is_comparison(const Ast *node)
{
    return node->kind == AST_BINARY && node->op >= OPERATOR_EQ && node->op <= OPERATOR_NOT_IN;
}

/* a < b & c < d, which reads as a < (b & c) < d. */
static bool joins_bits(const Ast *middle)
{
    return middle->kind == AST_BINARY && !middle->in_parens &&
           (middle->op == OPERATOR_BIT_AND || middle->op == OPERATOR_BIT_OR);
}

static void complain_about_chain(ParseContext *cx, Expr left, Operator op, Expr right)
{
    if (error_is_set(cx->err)) return;
    build_fail(cx, span_join(left.span, right.span), "comparisons do not chain");
    Operator bits = left.node->binary.right->op;
    if (joins_bits(left.node->binary.right)) {
        error_hint(cx->err, "%s binds tighter: write (a < b) %s (c < d)", operator_text(bits),
                   operator_text(bits));
        return;
    }
    size_t first, middle, last;
    const char *a = source_text(left.span, &first);
    const char *b = source_text(left.node->binary.right->span, &middle);
    const char *c = source_text(right.span, &last);
    if (first + middle + last > 100)
        error_hint(cx->err, "join two comparisons with and");
    else
        error_hint(cx->err, "write %.*s and %.*s %s %.*s", (int)first, a, (int)middle, b,
                   operator_text(op), (int)last, c);
}

Expr ast_compare(ParseContext *cx, Expr left, Operator op, Expr right)
{
    if (is_comparison(left.node) && !left.node->in_parens)
        complain_about_chain(cx, left, op, right);
    return binary(cx, AST_BINARY, left, op, right);
}

Expr ast_choice(ParseContext *cx, Expr then, Expr cond, Expr otherwise)
{
    int depth = build_deeper(then.node, cond.node);
    if (otherwise.node->depth > depth) depth = otherwise.node->depth;
    Ast *node = build_node(cx, AST_CHOICE, span_join(then.span, otherwise.span), depth);
    node->choice.then = then.node;
    node->choice.cond = cond.node;
    node->choice.otherwise = otherwise.node;
    return build_expr(node);
}

/* ---- calls, indexes, fields ---- */

Argument ast_argument(const Token *name, Expr value)
{
    Argument arg = {.value = value.node};
    if (name) {
        arg.name = name->name;
        arg.name_span = name->span;
    }
    return arg;
}

/* Positional arguments first, no keyword twice. Returns how many are positional. */
static int check_arguments(ParseContext *cx, const Argument *arg, int len)
{
    int positional = 0;
    SymbolMap seen = {0};
    for (int i = 0; i < len; i++) {
        if (!arg[i].name) {
            if (positional < i)
                build_fail(cx, arg[i].value->span,
                           "a positional argument follows a keyword argument");
            positional++;
            continue;
        }
        if (symbol_map_get(&seen, arg[i].name) >= 0)
            build_fail(cx, arg[i].name_span, "the argument %s is given twice", arg[i].name->text);
        symbol_map_put(&seen, arg[i].name, i);
    }
    symbol_map_free(&seen);
    return positional;
}

Expr ast_call(ParseContext *cx, Expr callee, List *args, Token close)
{
    int depth = 0, len = args ? args->len : 0;
    Argument *arg = args ? args->item : NULL;
    for (int i = 0; i < len; i++) {
        if (arg[i].value->depth > depth) depth = arg[i].value->depth;
    }
    Span span = span_join(callee.span, close.span);
    Ast *node = left_node(cx, AST_CALL, span, callee.node, depth);
    node->call.callee = callee.node;
    node->call.arg = arg;
    node->call.n_args = len;
    node->call.n_positional = check_arguments(cx, arg, len);
    return build_expr(node);
}

Expr ast_index(ParseContext *cx, Expr target, List *items, Token close)
{
    Span span = span_join(target.span, close.span);
    Ast *node = left_node(cx, AST_INDEX, span, target.node, build_list_depth(items));
    node->index.target = target.node;
    node->index.items = build_list(items);
    return build_expr(node);
}

Ast *ast_slice(ParseContext *cx, Ast *start, Token colon, Ast *stop, const Token *second, Ast *step)
{
    Span span = start ? span_join(start->span, colon.span) : colon.span;
    if (stop) span.end = stop->span.end;
    if (second) span.end = second->span.end;
    if (step) span.end = step->span.end;
    int depth = build_deeper(start, stop);
    if (build_depth(step) > depth) depth = build_depth(step);
    Ast *node = build_node(cx, AST_SLICE, span, depth);
    node->slice.start = start;
    node->slice.stop = stop;
    node->slice.step = step;
    return node;
}

Expr ast_field(ParseContext *cx, Expr target, Token name)
{
    Ast *node = left_node(cx, AST_FIELD, span_join(target.span, name.span), target.node, 0);
    node->field.target = target.node;
    node->field.name = name.name;
    node->field.name_span = name.span;
    return build_expr(node);
}

/* ---- loops inside expressions, and heads of any loop ---- */

static int head_depth(const LoopHead *head)
{
    int depth = build_deeper(head->target, head->each);
    int bounds = build_deeper(head->from, head->to);
    if (bounds > depth) depth = bounds;
    return build_depth(head->by) > depth ? build_depth(head->by) : depth;
}

Expr ast_comprehension(ParseContext *cx, Token open, Expr element, LoopHead *head, Ast *filter,
                       Token close)
{
    int depth = build_deeper(element.node, filter);
    if (head_depth(head) > depth) depth = head_depth(head);
    Ast *node = build_node(cx, AST_COMPREHENSION, span_join(open.span, close.span), depth);
    size_t len;
    node->comprehension.is_tuple = *source_text(open.span, &len) == '(';
    node->comprehension.head = *head;
    node->comprehension.element = element.node;
    node->comprehension.filter = filter;
    return build_expr(node);
}

Ast *ast_targets(ParseContext *cx, List *targets, Span span)
{
    Ast *first = *(Ast **)targets->item;
    if (targets->len == 1) return first;
    Ast *node = build_node(cx, AST_TUPLE, span, build_list_depth(targets));
    node->list = build_list(targets);
    return node;
}

static Ast *head_target(ParseContext *cx, List *targets)
{
    AstList list = build_list(targets);
    return ast_targets(cx, targets, span_join(list.item[0]->span, list.item[list.len - 1]->span));
}

LoopHead *ast_head_count(ParseContext *cx, List *targets, Ast *from, Ast *to, Ast *by)
{
    LoopHead *head = build_alloc(cx, sizeof *head);
    *head = (LoopHead){LOOP_COUNT, head_target(cx, targets), from, to, by, NULL};
    if (head->target->kind != AST_NAME)
        build_fail(cx, head->target->span, "a counting loop has one variable");
    return head;
}

LoopHead *ast_head_each(ParseContext *cx, List *targets, Ast *each)
{
    LoopHead *head = build_alloc(cx, sizeof *head);
    *head = (LoopHead){LOOP_EACH, head_target(cx, targets), NULL, NULL, NULL, each};
    return head;
}

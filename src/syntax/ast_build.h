/* The builders that the grammar's actions call: one call a rule.
 *
 * They make nodes, give them their spans and check what the grammar cannot say: what may be
 * assigned to, doubled names, the order of arguments, chained comparisons, nesting. The first
 * complaint is kept in the context's error, and the driver stops after the token that led to it;
 * until then builders go on, with nodes that are complete enough to build on. Everything lives in
 * the file's arena. */
#ifndef SYNTAX_AST_BUILD_H
#define SYNTAX_AST_BUILD_H

#include "syntax/lexer.h"

typedef struct ParseContext {
    SyntaxFile *file;
    Error *err;
    Lexer lexer;
    bool does_not_fit; /* the parser met a token that it could not take */
} ParseContext;

/* An expression with its extent: the node's own span leaves out the parentheses around it, but they
 * count in the span of what it is an operand of. */
typedef struct {
    Ast *node;
    Span span;
} Expr;

/* A list under construction, of any element type; NULL is the empty one. */
typedef struct {
    void *item;
    int len, cap;
} List;

/* Expressions between commas. */
typedef struct {
    List *list;
    Span span;
} Group;

typedef struct {
    Ast *key, *value;
} MapPair;

/* Parameters and result of a function, from the opening parenthesis on. */
typedef struct {
    List *params;
    Annotation *result;
    Span span;
} Signature;

/* ---- ast_build.c: the means, atoms and sequences ---- */

List *list_push(ParseContext *cx, List *list, const void *item, size_t size);
/* Zeroed memory of the file; NULL for nothing. */
void *build_alloc(ParseContext *cx, size_t size);
/* Fails at a span, unless something failed before; false. */
bool build_fail(ParseContext *cx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A node; depth is what its children need below it. */
Ast *build_node(ParseContext *cx, AstKind kind, Span span, int depth);
/* 0 for NULL. */
int build_depth(const Ast *node);
/* The larger of two. */
int build_deeper(const Ast *a, const Ast *b);
/* Of a list of nodes. */
int build_list_depth(const List *list);
AstList build_list(const List *list);
/* With the node's own span as its extent. */
Expr build_expr(Ast *node);

Expr ast_constant(ParseContext *cx, AstKind kind, Token token);
Expr ast_truth(ParseContext *cx, Token token, bool truth);
Expr ast_integer(ParseContext *cx, Span span, int64_t value);
Expr ast_float(ParseContext *cx, Token token);
Expr ast_string(ParseContext *cx, Token token);
Expr ast_name(ParseContext *cx, Token token);
Expr ast_fstring(ParseContext *cx, Token start, List *parts, Token end);
List *ast_fstring_text(ParseContext *cx, List *parts, Token text);
/* spec may be NULL. */
List *ast_fstring_value(ParseContext *cx, List *parts, Expr value, const Token *spec);
Expr ast_parens(Token open, Expr inner, Token close);
/* AST_ARRAY or AST_TUPLE between brackets. */
Expr ast_sequence(ParseContext *cx, AstKind kind, Token open, List *items, Token close);
Group ast_pair(ParseContext *cx, Expr first, Expr second);
Group ast_more(ParseContext *cx, Group group, Expr next);
/* `a, b` without parentheses. */
Expr ast_bare_tuple(ParseContext *cx, Group group);
Expr ast_map(ParseContext *cx, Token open, List *pairs, Token close);

/* ---- ast_build_operation.c: operators, calls, indexes, comprehensions ---- */

/* The binary operator that a token stands for, alone or before `=`. */
Operator operator_of(int code);
Expr ast_unary(ParseContext *cx, Operator op, Token token, Expr operand);
Expr ast_binary(ParseContext *cx, Expr left, Operator op, Expr right);
Expr ast_compare(ParseContext *cx, Expr left, Operator op, Expr right);
Expr ast_logic(ParseContext *cx, AstKind kind, Expr left, Expr right);
Expr ast_choice(ParseContext *cx, Expr then, Expr cond, Expr otherwise);
/* name: NULL for a positional one. */
Argument ast_argument(const Token *name, Expr value);
Expr ast_call(ParseContext *cx, Expr callee, List *args, Token close);
Expr ast_index(ParseContext *cx, Expr target, List *items, Token close);
/* second: the second colon, or NULL. */
Ast *ast_slice(ParseContext *cx, Ast *start, Token colon, Ast *stop, const Token *second,
               Ast *step);
Expr ast_field(ParseContext *cx, Expr target, Token name);
/* An array's or a tuple's, as the brackets say. */
Expr ast_comprehension(ParseContext *cx, Token open, Expr element, LoopHead *head, Ast *filter,
                       Token close);
LoopHead *ast_head_count(ParseContext *cx, List *targets, Ast *from, Ast *to, Ast *by);
LoopHead *ast_head_each(ParseContext *cx, List *targets, Ast *each);
/* A group of targets in parentheses. */
Ast *ast_targets(ParseContext *cx, List *targets, Span span);

/* ---- ast_build_definition.c: functions, structs, tests, annotations, imports ---- */

Signature ast_signature(Token open, List *params, Token close, Annotation *result);
Param *ast_parameter(ParseContext *cx, Token name, Annotation *type, Ast *default_value);
Ast *ast_def(ParseContext *cx, AstKind kind, Token start, Token name, Signature signature,
             Expr body);
Expr ast_lambda(ParseContext *cx, Token start, Signature signature, Expr body);
Ast *ast_struct(ParseContext *cx, Token start, Token name, List *fields, Token close);
Ast *ast_test(ParseContext *cx, Token start, Token name, Ast *body);
Annotation *ast_annotation(ParseContext *cx, List *alternatives);
/* dims NULL: no brackets; last ends the alternative. */
TypeAlternative *ast_type(ParseContext *cx, Token name, List *dims, Token last);
Dim *ast_dim(ParseContext *cx, DimKind kind, Token token);
/* as: NULL for the path's last part. */
Ast *ast_import(ParseContext *cx, Token start, List *path, const Token *as);
/* close: the closing parenthesis or NULL. */
Ast *ast_from_import(ParseContext *cx, Token start, List *path, List *items, const Token *close);
ImportedName *ast_imported(ParseContext *cx, Token name, Token as);

/* ---- ast_build_statement.c ---- */

Ast *ast_block(ParseContext *cx, Span span, List *statements);
Ast *ast_expression(ParseContext *cx, Expr e);
Ast *ast_assign(ParseContext *cx, Expr target, Expr value);
Ast *ast_augment(ParseContext *cx, Expr target, int code, Expr value);
Ast *ast_return(ParseContext *cx, Token start, const Expr *value);
Ast *ast_jump(ParseContext *cx, AstKind kind, Token token);
Ast *ast_for(ParseContext *cx, Token start, LoopHead *head, Ast *body);
Ast *ast_while(ParseContext *cx, Token start, Expr cond, Ast *body);
/* otherwise: AST_BLOCK, AST_IF or NULL. */
Ast *ast_if(ParseContext *cx, Token start, Expr cond, Ast *then, Ast *otherwise);

#endif

/* The grammar of Viv. Actions are one call to a builder of src/syntax/ast_build.h. */
%name viv_parse
%token_prefix TOK_
%token_type {Token}
%extra_context {ParseContext *cx}
%stack_size 0
%start_symbol program

%include {
/* Leaves the template's trace out: it costs a tenth of the parse even when it is off. */
#undef NDEBUG
#define NDEBUG
#include <assert.h>

#include "base/mem.h"
#include "syntax/ast_build.h"
#include "syntax/parser.h"

/* The template's stack comes from where everything else does. */
#define malloc mem_alloc
#define realloc mem_realloc
#define free mem_free

#define PUSH(list, value) list_push(cx, list, &(value), sizeof(value))
}

/* Words that are keywords only where a rule below names them. */
%fallback NAME TO FROM BY AS ADJOINT.

/* Loosest first. */
%left OR.
%left AND.
%right NOT.
%left EQ NE LT LE GT GE IN.
%left BAR.
%left AMP.
%left PLUS MINUS.
%left STAR SLASH FLOORDIV PERCENT AT.
%right UNARY.
%right POW.

%type expressions {Expr}
%type expression {Expr}
%type test {Expr}
%type postfix {Expr}
%type body {Expr}
%type expression_list {Group}
%type statements {List *}
%type arguments {List *}
%type argument_list {List *}
%type items {List *}
%type pairs {List *}
%type parts {List *}
%type targets {List *}
%type parameters {List *}
%type parameter_list {List *}
%type fields {List *}
%type field_list {List *}
%type alternatives {List *}
%type dims {List *}
%type path {List *}
%type imports {List *}
%type argument {Argument}
%type pair {MapPair}
%type parameter {Param *}
%type alternative {TypeAlternative *}
%type dim {Dim *}
%type import_item {ImportedName *}
%type item {Ast *}
%type optional {Ast *}
%type filter {Ast *}
%type default {Ast *}
%type target {Ast *}
%type statement {Ast *}
%type if_statement {Ast *}
%type block {Ast *}
%type head {LoopHead *}
%type loop_head {LoopHead *}
%type signature {Signature}
%type result {Annotation *}
%type annotated {Annotation *}
%type annotation {Annotation *}

/* ---- the file ---- */

program ::= statements(S).               { cx->file->body = ast_block(cx, cx->file->span, S); }
program ::= statements(S) statement(X).  { cx->file->body = ast_block(cx, cx->file->span, PUSH(S, X)); }

statements(A) ::= .                                   { A = NULL; }
statements(A) ::= statements(A) NEWLINE.
statements(A) ::= statements(A) statement(X) NEWLINE. { A = PUSH(A, X); }

block(A) ::= LBRACE(L) statements(S) RBRACE(R).              { A = ast_block(cx, span_join(L.span, R.span), S); }
block(A) ::= LBRACE(L) statements(S) statement(X) RBRACE(R). { A = ast_block(cx, span_join(L.span, R.span), PUSH(S, X)); }

/* ---- statements ---- */

statement(A) ::= expressions(E).                       { A = ast_expression(cx, E); }
statement(A) ::= expressions(T) ASSIGN expressions(V). { A = ast_assign(cx, T, V); }
statement(A) ::= expressions(T)
    PLUS_ASSIGN|MINUS_ASSIGN|STAR_ASSIGN|SLASH_ASSIGN|FLOORDIV_ASSIGN|PERCENT_ASSIGN|POW_ASSIGN
    |AT_ASSIGN|AMP_ASSIGN|BAR_ASSIGN(OP) expressions(V). { A = ast_augment(cx, T, @OP, V); }
statement(A) ::= RETURN(K).                            { A = ast_return(cx, K, NULL); }
statement(A) ::= RETURN(K) expressions(E).             { A = ast_return(cx, K, &E); }
statement(A) ::= BREAK(K).                             { A = ast_jump(cx, AST_BREAK, K); }
statement(A) ::= CONTINUE(K).                          { A = ast_jump(cx, AST_CONTINUE, K); }

statement(A) ::= FOR(K) loop_head(H) block(B).         { A = ast_for(cx, K, H, B); }
statement(A) ::= WHILE(K) expression(C) block(B).      { A = ast_while(cx, K, C, B); }
statement(A) ::= if_statement(A).
if_statement(A) ::= IF(K) expression(C) block(B).                      { A = ast_if(cx, K, C, B, NULL); }
if_statement(A) ::= IF(K) expression(C) block(B) ELSE block(E).        { A = ast_if(cx, K, C, B, E); }
if_statement(A) ::= IF(K) expression(C) block(B) ELSE if_statement(E). { A = ast_if(cx, K, C, B, E); }

/* ---- definitions ---- */

statement(A) ::= DEF(K) NAME(N) signature(S) body(B).             { A = ast_def(cx, AST_DEF, K, N, S, B); }
statement(A) ::= ADJOINT(K) NAME(N) signature(S) body(B).         { A = ast_def(cx, AST_ADJOINT, K, N, S, B); }
statement(A) ::= STRUCT(K) NAME(N) LBRACE fields(F) RBRACE(R).    { A = ast_struct(cx, K, N, F, R); }
statement(A) ::= TEST(K) STRING(N) block(B).                      { A = ast_test(cx, K, N, B); }

signature(A) ::= LPAREN(L) parameters(P) RPAREN(R) result(T). { A = ast_signature(L, P, R, T); }
body(A) ::= block(B).                                { A = (Expr){B, B->span}; }
body(A) ::= ASSIGN expression(E).                    { A = E; }
result(A) ::= .                                      { A = NULL; }
result(A) ::= ARROW annotation(T).                   { A = T; }

parameters(A) ::= .                                  { A = NULL; }
parameters(A) ::= parameter_list(A).
parameters(A) ::= parameter_list(A) COMMA.
parameter_list(A) ::= parameter(P).                          { A = PUSH(NULL, *P); }
parameter_list(A) ::= parameter_list(A) COMMA parameter(P).  { A = PUSH(A, *P); }
parameter(A) ::= NAME(N) annotated(T) default(D).    { A = ast_parameter(cx, N, T, D); }
annotated(A) ::= .                                   { A = NULL; }
annotated(A) ::= COLON annotation(T).                { A = T; }
default(A) ::= .                                     { A = NULL; }
default(A) ::= ASSIGN expression(E).                 { A = E.node; }

fields(A) ::= .                                      { A = NULL; }
fields(A) ::= field_list(A).
fields(A) ::= field_list(A) field_end.
field_list(A) ::= parameter(P).                              { A = PUSH(NULL, *P); }
field_list(A) ::= field_list(A) field_end parameter(P).      { A = PUSH(A, *P); }
field_end ::= COMMA.
field_end ::= NEWLINE.

annotation(A) ::= alternatives(L).                           { A = ast_annotation(cx, L); }
alternatives(A) ::= alternative(T).                          { A = PUSH(NULL, *T); }
alternatives(A) ::= alternatives(A) BAR alternative(T).      { A = PUSH(A, *T); }
alternative(A) ::= NAME(N).                                  { A = ast_type(cx, N, NULL, N); }
alternative(A) ::= NAME(N) LSQUARE dims(D) RSQUARE(R).       { A = ast_type(cx, N, D, R); }
alternative(A) ::= NAME(N) LSQUARE dims(D) COMMA RSQUARE(R). { A = ast_type(cx, N, D, R); }
dims(A) ::= dim(D).                                          { A = PUSH(NULL, *D); }
dims(A) ::= dims(A) COMMA dim(D).                            { A = PUSH(A, *D); }
dim(A) ::= INT(T).                                           { A = ast_dim(cx, DIM_SIZE, T); }
dim(A) ::= NAME(T).                                          { A = ast_dim(cx, DIM_NAME, T); }
dim(A) ::= ELLIPSIS(T).                                      { A = ast_dim(cx, DIM_REST, T); }

/* ---- imports ---- */

statement(A) ::= IMPORT(K) path(P).                          { A = ast_import(cx, K, P, NULL); }
statement(A) ::= IMPORT(K) path(P) AS NAME(N).               { A = ast_import(cx, K, P, &N); }
statement(A) ::= FROM(K) path(P) IMPORT imports(L).          { A = ast_from_import(cx, K, P, L, NULL); }
statement(A) ::= FROM(K) path(P) IMPORT LPAREN imports(L) RPAREN(R).       { A = ast_from_import(cx, K, P, L, &R); }
statement(A) ::= FROM(K) path(P) IMPORT LPAREN imports(L) COMMA RPAREN(R). { A = ast_from_import(cx, K, P, L, &R); }
path(A) ::= NAME(N).                                 { A = PUSH(NULL, N); }
path(A) ::= path(A) DOT NAME(N).                     { A = PUSH(A, N); }
imports(A) ::= import_item(I).                       { A = PUSH(NULL, *I); }
imports(A) ::= imports(A) COMMA import_item(I).      { A = PUSH(A, *I); }
import_item(A) ::= NAME(N).                          { A = ast_imported(cx, N, N); }
import_item(A) ::= NAME(N) AS NAME(M).               { A = ast_imported(cx, N, M); }

/* ---- heads of loops; a comprehension's reads up to the `or` level, so that `if` can follow ---- */

loop_head(A) ::= targets(T) TO expression(E).                        { A = ast_head_count(cx, T, NULL, E.node, NULL); }
loop_head(A) ::= targets(T) TO expression(E) BY expression(S).       { A = ast_head_count(cx, T, NULL, E.node, S.node); }
loop_head(A) ::= targets(T) FROM expression(F) TO expression(E).     { A = ast_head_count(cx, T, F.node, E.node, NULL); }
loop_head(A) ::= targets(T) FROM expression(F) TO expression(E) BY expression(S). { A = ast_head_count(cx, T, F.node, E.node, S.node); }
loop_head(A) ::= targets(T) IN expression(E).                        { A = ast_head_each(cx, T, E.node); }
head(A) ::= FOR targets(T) TO test(E).                               { A = ast_head_count(cx, T, NULL, E.node, NULL); }
head(A) ::= FOR targets(T) TO test(E) BY test(S).                    { A = ast_head_count(cx, T, NULL, E.node, S.node); }
head(A) ::= FOR targets(T) FROM test(F) TO test(E).                  { A = ast_head_count(cx, T, F.node, E.node, NULL); }
head(A) ::= FOR targets(T) FROM test(F) TO test(E) BY test(S).       { A = ast_head_count(cx, T, F.node, E.node, S.node); }
head(A) ::= FOR targets(T) IN test(E).                               { A = ast_head_each(cx, T, E.node); }
filter(A) ::= .                                      { A = NULL; }
filter(A) ::= IF test(E).                            { A = E.node; }
targets(A) ::= target(T).                            { A = PUSH(NULL, T); }
targets(A) ::= targets(A) COMMA target(T).           { A = PUSH(A, T); }
target(A) ::= NAME(N).                               { A = ast_name(cx, N).node; }
target(A) ::= LPAREN(L) targets(T) RPAREN(R).        { A = ast_targets(cx, T, span_join(L.span, R.span)); }

/* ---- expressions, loosest first ---- */

expressions(A) ::= expression(A).
expressions(A) ::= expression_list(L).               { A = ast_bare_tuple(cx, L); }
expression_list(A) ::= expression(E) COMMA expression(F).      { A = ast_pair(cx, E, F); }
expression_list(A) ::= expression_list(L) COMMA expression(E). { A = ast_more(cx, L, E); }

expression(A) ::= test(A).
expression(A) ::= test(T) IF test(C) ELSE expression(E). { A = ast_choice(cx, T, C, E); }
expression(A) ::= DEF(K) signature(S) body(B).       { A = ast_lambda(cx, K, S, B); }

/* One level for all operators, told apart by precedence: a level each would cost a reduction per
 * level for every atom. What that lets through (`a + not b`) the builders refuse. */
test(A) ::= postfix(A).
test(A) ::= test(L) OR test(R).                      { A = ast_logic(cx, AST_OR, L, R); }
test(A) ::= test(L) AND test(R).                     { A = ast_logic(cx, AST_AND, L, R); }
test(A) ::= NOT(K) test(E).                          { A = ast_unary(cx, OPERATOR_NOT, K, E); }
test(A) ::= test(L) EQ|NE|LT|LE|GT|GE|IN(OP) test(R). { A = ast_compare(cx, L, operator_of(@OP), R); }
test(A) ::= test(L) NOT IN test(R). [IN]             { A = ast_compare(cx, L, OPERATOR_NOT_IN, R); }
test(A) ::= test(L) BAR(OP) test(R).                 { A = ast_binary(cx, L, operator_of(@OP), R); }
test(A) ::= test(L) AMP(OP) test(R).                 { A = ast_binary(cx, L, operator_of(@OP), R); }
test(A) ::= test(L) PLUS|MINUS(OP) test(R).          { A = ast_binary(cx, L, operator_of(@OP), R); }
test(A) ::= test(L) STAR|SLASH|FLOORDIV|PERCENT|AT(OP) test(R). { A = ast_binary(cx, L, operator_of(@OP), R); }
test(A) ::= MINUS(K) test(E). [UNARY]                { A = ast_unary(cx, OPERATOR_NEG, K, E); }
test(A) ::= PLUS(K) test(E). [UNARY]                 { A = ast_unary(cx, OPERATOR_POS, K, E); }
test(A) ::= TILDE(K) test(E). [UNARY]                { A = ast_unary(cx, OPERATOR_INVERT, K, E); }
test(A) ::= MINUS(K) LEAST_INT(T). [UNARY]           { A = ast_integer(cx, span_join(K.span, T.span), T.integer); }
test(A) ::= test(L) POW test(R).                     { A = ast_binary(cx, L, OPERATOR_POW, R); }

postfix(A) ::= postfix(F) LPAREN arguments(L) RPAREN(R).      { A = ast_call(cx, F, L, R); }
postfix(A) ::= postfix(X) LSQUARE items(L) RSQUARE(R).        { A = ast_index(cx, X, L, R); }
postfix(A) ::= postfix(X) LSQUARE items(L) COMMA RSQUARE(R).  { A = ast_index(cx, X, L, R); }
postfix(A) ::= postfix(X) DOT NAME(N).               { A = ast_field(cx, X, N); }

arguments(A) ::= .                                   { A = NULL; }
arguments(A) ::= argument_list(A).
arguments(A) ::= argument_list(A) COMMA.
argument_list(A) ::= argument(X).                            { A = PUSH(NULL, X); }
argument_list(A) ::= argument_list(A) COMMA argument(X).     { A = PUSH(A, X); }
argument(A) ::= expression(E).                       { A = ast_argument(NULL, E); }
argument(A) ::= NAME(N) ASSIGN expression(E).        { A = ast_argument(&N, E); }

items(A) ::= item(I).                                { A = PUSH(NULL, I); }
items(A) ::= items(A) COMMA item(I).                 { A = PUSH(A, I); }
item(A) ::= expression(E).                           { A = E.node; }
item(A) ::= ELLIPSIS(T).                             { A = ast_constant(cx, AST_ELLIPSIS, T).node; }
item(A) ::= optional(B) COLON(C) optional(E).        { A = ast_slice(cx, B, C, E, NULL, NULL); }
item(A) ::= optional(B) COLON(C) optional(E) COLON(D) optional(S). { A = ast_slice(cx, B, C, E, &D, S); }
optional(A) ::= .                                    { A = NULL; }
optional(A) ::= expression(E).                       { A = E.node; }

/* ---- atoms ---- */

postfix(A) ::= NAME(T).                              { A = ast_name(cx, T); }
postfix(A) ::= NONE(T).                              { A = ast_constant(cx, AST_NONE, T); }
postfix(A) ::= TRUE(T).                              { A = ast_truth(cx, T, true); }
postfix(A) ::= FALSE(T).                             { A = ast_truth(cx, T, false); }
postfix(A) ::= INT(T).                               { A = ast_integer(cx, T.span, T.integer); }
postfix(A) ::= FLOAT(T).                             { A = ast_float(cx, T); }
postfix(A) ::= STRING(T).                            { A = ast_string(cx, T); }
postfix(A) ::= FSTRING_START(S) parts(P) FSTRING_END(E). { A = ast_fstring(cx, S, P, E); }

parts(A) ::= .                                       { A = NULL; }
parts(A) ::= parts(L) FSTRING_TEXT(T).               { A = ast_fstring_text(cx, L, T); }
parts(A) ::= parts(L) FSTRING_OPEN expression(E) FSTRING_CLOSE.                { A = ast_fstring_value(cx, L, E, NULL); }
parts(A) ::= parts(L) FSTRING_OPEN expression(E) FSTRING_SPEC(S) FSTRING_CLOSE. { A = ast_fstring_value(cx, L, E, &S); }

postfix(A) ::= LPAREN(L) expression(E) RPAREN(R).                { A = ast_parens(L, E, R); }
postfix(A) ::= LPAREN(L) RPAREN(R).                              { A = ast_sequence(cx, AST_TUPLE, L, NULL, R); }
postfix(A) ::= LPAREN(L) expression(E) COMMA RPAREN(R).          { A = ast_sequence(cx, AST_TUPLE, L, PUSH(NULL, E.node), R); }
postfix(A) ::= LPAREN(L) expression_list(X) RPAREN(R).           { A = ast_sequence(cx, AST_TUPLE, L, X.list, R); }
postfix(A) ::= LPAREN(L) expression_list(X) COMMA RPAREN(R).     { A = ast_sequence(cx, AST_TUPLE, L, X.list, R); }
postfix(A) ::= LPAREN(L) expression(E) head(H) filter(F) RPAREN(R). { A = ast_comprehension(cx, L, E, H, F, R); }

postfix(A) ::= LSQUARE(L) RSQUARE(R).                            { A = ast_sequence(cx, AST_ARRAY, L, NULL, R); }
postfix(A) ::= LSQUARE(L) expression(E) RSQUARE(R).              { A = ast_sequence(cx, AST_ARRAY, L, PUSH(NULL, E.node), R); }
postfix(A) ::= LSQUARE(L) expression(E) COMMA RSQUARE(R).        { A = ast_sequence(cx, AST_ARRAY, L, PUSH(NULL, E.node), R); }
postfix(A) ::= LSQUARE(L) expression_list(X) RSQUARE(R).         { A = ast_sequence(cx, AST_ARRAY, L, X.list, R); }
postfix(A) ::= LSQUARE(L) expression_list(X) COMMA RSQUARE(R).   { A = ast_sequence(cx, AST_ARRAY, L, X.list, R); }
postfix(A) ::= LSQUARE(L) expression(E) head(H) filter(F) RSQUARE(R). { A = ast_comprehension(cx, L, E, H, F, R); }

/* The brace that opens a map is a token of its own: the parser tells it from a block's by which of
 * the two it could take, and it can never take both, for a map begins an expression and a block
 * only follows one (or a word or a bracket that no expression can follow). */
postfix(A) ::= LMAP(L) RBRACE(R).                                { A = ast_map(cx, L, NULL, R); }
postfix(A) ::= LMAP(L) pairs(P) RBRACE(R).                       { A = ast_map(cx, L, P, R); }
postfix(A) ::= LMAP(L) pairs(P) COMMA RBRACE(R).                 { A = ast_map(cx, L, P, R); }
pairs(A) ::= pair(P).                                            { A = PUSH(NULL, P); }
pairs(A) ::= pairs(A) COMMA pair(P).                             { A = PUSH(A, P); }
pair(A) ::= expression(K) COLON expression(V).                   { A = (MapPair){K.node, V.node}; }

%syntax_error { cx->does_not_fit = true; }

%code {
/* What the automaton would do with a token, without doing it. The walk follows the reductions that
 * the token sets off on an overlay of states, for they have not happened yet when a syntax error
 * has to name what could have stood here. */
bool parser_can_shift(const void *parser, int token)
{
    enum { OVERLAY = 64 };
    YYACTIONTYPE overlay[OVERLAY];
    int len = 0;
    const yyStackEntry *base = ((const yyParser *)parser)->yytos;
    YYACTIONTYPE state = base->stateno;
    for (;;) {
        YYACTIONTYPE action = yy_find_shift_action((YYCODETYPE)token, state);
        if (action == YY_ACCEPT_ACTION || action <= YY_MAX_SHIFTREDUCE) return true;
        if (action < YY_MIN_REDUCE) return false;
        unsigned rule = (unsigned)action - YY_MIN_REDUCE;
        int popped = -yyRuleInfoNRhs[rule];
        int from_overlay = popped < len ? popped : len;
        len -= from_overlay;
        base -= popped - from_overlay;
        state = yy_find_reduce_action(len ? overlay[len - 1] : base->stateno, yyRuleInfoLhs[rule]);
        if (state == YY_ACCEPT_ACTION) return token == 0;
        if (len == OVERLAY) return true;
        overlay[len++] = state;
    }
}
}

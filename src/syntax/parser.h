/* The generated parser, as parse.c and syntax_error.c use it. */
#ifndef SYNTAX_PARSER_H
#define SYNTAX_PARSER_H

#include "syntax/ast_build.h"

/* lemon's interface. */
void *viv_parseAlloc(void *(*allocate)(size_t), ParseContext *cx);
void viv_parse(void *parser, int code, Token token);
void viv_parseFree(void *parser, void (*release)(void *));

/* Whether the parser could take a token of this kind now; exact (grammar/viv.y). */
bool parser_can_shift(const void *parser, int token);

/* What led to a syntax error. */
typedef struct {
    const ParseContext *cx;
    const void *parser;
    int code; /* the token that could not be taken */
    Token token;
    int previous; /* and the one before it */
    Token previous_token;
} SyntaxErrorSite;

/* Fills the context's error: ERR_INCOMPLETE at the end of the text, else ERR_SYNTAX. */
void syntax_error(const SyntaxErrorSite *site);

#endif

/* Text to syntax tree: the driver around the re2c lexer (grammar/viv.re) and the lemon parser
 * (grammar/viv.y). */
#ifndef SYNTAX_PARSE_H
#define SYNTAX_PARSE_H

#include "base/error.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/lexer.h"
#include "syntax/source.h"

/* Parses a whole source into file (zero-initialised by the caller; free with syntax_file_free, also
 * after a failure). Fails with ERR_SYNTAX, or with ERR_INCOMPLETE where the text is a proper
 * beginning of a program. */
bool parse_source(const Source *source, SyntaxFile *file, Error *err);
/* The tokens of a program, in order, newlines that count included. */
typedef struct {
    int code; /* of viv_grammar.h; a map's opening brace is told from a block's */
    Span span;
} TokenMark;

typedef VEC_OF(TokenMark) TokenList;

/* parse_source that keeps the tokens as well. */
bool parse_source_tokens(const Source *source, SyntaxFile *file, TokenList *tokens, Error *err);
void syntax_file_free(SyntaxFile *file);
/* Whether a text is no program, but the proper beginning of one. Leaves nothing behind. */
bool parse_is_incomplete(const char *text, size_t len);

/* The brackets that the lines of an input have opened. Zero-initialise it; free its frames. */
typedef struct {
    VEC_OF(OpenBracket) frames;
    bool is_unknown;
} OpenBrackets;

/* Takes one more line. Whether brackets are open after it, so that the input can't be whole; false,
 * too, where only the parser can tell: inside a text that goes over lines. */
bool parse_leaves_open(OpenBrackets *b, const char *line, size_t len);

#endif

/* Text to tokens. grammar/viv.re holds the patterns; lexer.c and literal.c what they mean: which
 * newlines count, which bracket closes which, what a number or an escape stands for.
 *
 * Tokens carry lemon's own codes, so nothing translates between two lists. The lexer answers one
 * token at a time and stops at the first error. It knows no grammar but for one question that it
 * hands to the parser: whether a brace opens a map or a block (lexer_brace). */
#ifndef SYNTAX_LEXER_H
#define SYNTAX_LEXER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "syntax/ast.h"
#include "syntax/source.h"

/* Brackets, blocks, and every chain that a tree walker can only follow by recursion. Walking a tree
 * this deep takes a few hundred kilobytes of stack, a few megabytes under AddressSanitizer. */
enum { NESTING_LIMIT = 1000 };

enum { TOKEN_END = 0, TOKEN_ERROR = -1 };

typedef struct {
    Span span;
    union {
        Symbol name;
        int64_t integer;
        double number;
        struct {
            const char *ptr; /* unescaped, NUL-terminated, in the arena */
            size_t len;
        } text;
    };
} Token;

typedef enum {
    FRAME_PAREN,
    FRAME_SQUARE,
    FRAME_MAP,
    FRAME_BLOCK, /* newlines count in here */
    FRAME_HOLE,  /* the braces of an f-string */
} FrameKind;

typedef struct {
    FrameKind kind;
    Span at; /* the opening bracket */
} OpenBracket;

typedef const unsigned char *Cursor;

typedef struct Lexer {
    const Source *source;
    Cursor cursor, limit;
    Arena *arena;
    Error *err;
    VEC_OF(OpenBracket) frames;
    int previous;      /* code of the last token; TOK_NEWLINE at the beginning */
    uint32_t last_end; /* where it ended */
    bool line_is_blank;
    uint32_t line;
    struct {
        bool is_open, is_triple, in_text;
        Span at;
    } fstring; /* there is only one: f-strings do not nest */
    StrBuf scratch;
    StrBuf doc; /* the `##` lines that end on doc_line */
    uint32_t doc_line;
    VEC_OF(DocComment) docs; /* those that stand above a token */
} Lexer;

void lexer_start(Lexer *lx, const Source *source, Arena *arena, Error *err);
void lexer_free(Lexer *lx);
/* The next token's code, TOKEN_END at the end, TOKEN_ERROR with err filled. A brace comes as
 * TOK_LBRACE; call lexer_brace before asking for the next token. */
int lexer_next(Lexer *lx, Token *token);
/* Says what the brace just read opens. */
void lexer_brace(Lexer *lx, FrameKind kind);
/* The `##` lines directly above the token at a position, or NULL. */
const char *lexer_doc(const Lexer *lx, uint32_t position);

/* ---- between grammar/viv.re and lexer.c ---- */

/* The patterns outside of text, and a piece of text up to what ends it (lexer_piece). */
int lexer_scan(Lexer *lx, Token *token);

typedef enum { TEXT_PLAIN, TEXT_FSTRING, TEXT_SPEC } TextMode;
typedef enum { PIECE_ERROR, PIECE_QUOTE, PIECE_OPEN, PIECE_CLOSE } PieceEnd;

/* Appends unescaped text to scratch until the closing quote, or in an f-string a brace; the cursor
 * stops in front of it. */
PieceEnd lexer_piece(Lexer *lx, TextMode mode, bool is_triple, Span opening);

int lexer_emit(Lexer *lx, Token *token, int code, Cursor start);
/* 0 when the newline does not count. */
int lexer_newline(Lexer *lx, Token *token, Cursor start);
int lexer_name(Lexer *lx, Token *token, Cursor start);
/* `from` and `adjoint` are keywords only where a statement begins and a name follows. */
int lexer_opening_word(Lexer *lx, Token *token, int code, Cursor start);
int lexer_open(Lexer *lx, Token *token, int code, FrameKind kind, Cursor start);
int lexer_close(Lexer *lx, Token *token, int code, Cursor start);
int lexer_colon(Lexer *lx, Token *token, Cursor start);
int lexer_string(Lexer *lx, Token *token, bool is_triple, Cursor start);
int lexer_fstring(Lexer *lx, Token *token, bool is_triple, Cursor start);
int lexer_end(Lexer *lx, Token *token);
void lexer_comment(Lexer *lx, Cursor start);
Span lexer_span(const Lexer *lx, Cursor start, Cursor end);
/* Fails at start … cursor; returns TOKEN_ERROR. */
int lexer_fail(Lexer *lx, Cursor start, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What no pattern knows: a character, a control character, a byte that is no UTF-8. */
int lexer_unknown(Lexer *lx, Cursor start);
int lexer_bad_byte(Lexer *lx, Cursor start);

/* ---- literal.c ---- */

int lexer_integer(Lexer *lx, Token *token, int base, Cursor start);
int lexer_float(Lexer *lx, Token *token, Cursor start);
/* Says what is wrong with something that begins like a number. */
int lexer_bad_number(Lexer *lx, Cursor start);
/* Appends the character of \u{…}; false with err filled when there is none. */
bool lexer_code_point(Lexer *lx, Cursor start);
/* NULL, or what is wrong with an f-string's format specification. */
const char *format_spec_complaint(const char *spec, size_t len);

#endif

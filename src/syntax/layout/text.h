/* A program as the layout sees it: tokens and comments, with the spaces between them settled, and
 * what the author's line breaks decide. */
#ifndef SYNTAX_LAYOUT_TEXT_H
#define SYNTAX_LAYOUT_TEXT_H

#include "base/error.h"
#include "base/vec.h"
#include "syntax/source.h"

/* How loosely a token binds after which a line may be broken; the loosest is broken first. */
typedef enum {
    BREAK_NEVER,
    BREAK_CLAUSE, /* before the `for` and the `if` of a comprehension */
    BREAK_COMMA,
    BREAK_CHOICE, /* after the `else` of a conditional expression */
    BREAK_OR,
    BREAK_AND,
    BREAK_COMPARISON,
    BREAK_BAR,
    BREAK_AMP,
    BREAK_SUM,
    BREAK_PRODUCT,
} BreakRank;

typedef struct {
    const char *text; /* without blanks at its end */
    size_t len;
    bool has_break, has_blank; /* a line break, an empty line before it */
} LayoutComment;

typedef struct {
    const char *text; /* an f-string is one token, from its start to its end */
    size_t len;
    int code;
    int width;                 /* columns, up to the first line break of a literal */
    int last_width;            /* of a literal's last line; -1: it stands on one */
    int at;                    /* the column it would have if all stood on one line */
    int partner;               /* of a bracket: the other one; else -1 */
    int comment, n_comments;   /* those before it */
    bool has_break, has_blank; /* a line break, an empty line before it, below the comments */
    bool has_space;            /* before it, on one line */
    bool is_unary;             /* a sign */
    bool is_operand;  /* a bracket that begins an operand, not a call's, an index's or a block's */
    bool is_index;    /* a bracket of indexes, or of an annotation's dimensions */
    bool begins;      /* a statement, or a field of a struct */
    bool is_broken;   /* an opening bracket whose contents stand on lines of their own */
    BreakRank breaks; /* how a line may be broken after it */
} LayoutItem;

typedef struct {
    VEC_OF(LayoutItem) items; /* the last one is the text's end */
    VEC_OF(LayoutComment) comments;
} LayoutText;

/* Reads a program; text points into the source. Fails as parse_source does. Free it in any case. */
bool layout_text_read(LayoutText *text, const Source *source, Error *err);
/* Whether two texts have the same tokens, statements and comments: the number of the first token
 * that differs, or -1. */
int layout_text_difference(const LayoutText *a, const LayoutText *b);
void layout_text_free(LayoutText *text);

bool layout_opens(int code);
bool layout_closes(int code);
/* Whether a comment lacks the blank after its `#` or `##`; *marks is how many of them it has. */
bool layout_comment_lacks_blank(const LayoutComment *c, size_t *marks);

#endif

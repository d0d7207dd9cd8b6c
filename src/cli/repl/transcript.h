/* What a session has run, statement by statement, so that :save can write a file that does the
 * same. */
#ifndef CLI_REPL_TRANSCRIPT_H
#define CLI_REPL_TRANSCRIPT_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "syntax/ast.h"

/* Numbers of statements. */
typedef VEC_OF(int) StatementList;

typedef struct {
    char *text;
    uint8_t kind;   /* AstKind of the statement */
    Symbol defines; /* by def, struct or adjoint, or a test's name; else NULL */
    Symbol assigns; /* the only variable that it makes, or NULL */
    bool sets_last; /* an expression whose value became _ */
    int file;       /* which loaded file it came from; 0: it was typed */
} TranscriptEntry;

typedef struct {
    VEC_OF(TranscriptEntry) entries;
} Transcript;

/* Adds the statements of an input that succeeded, but for the tests that failed. A definition takes
 * the place of the one before it; a file's statements take the place of what it gave when it was
 * loaded before. */
void transcript_add(Transcript *t, const SyntaxFile *input, const StatementList *failed, int file,
                    bool sets_last);
/* Appends what made a name what it is: a def and its adjoint, a struct, or the last assignment;
 * false when there is nothing. */
bool transcript_find(StrBuf *out, const Transcript *t, Symbol name);
void transcript_write(StrBuf *out, const Transcript *t);
void transcript_free(Transcript *t);

#endif

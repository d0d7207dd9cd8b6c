/* What went wrong, in words a user can act on.
 *
 * Functions that can fail return bool and fill the Error they are given; values are counted, so an
 * error is an ordinary return and not a longjmp. Whoever fails first writes kind and message;
 * callers on the way out add what only they know: the span, notes (operands' types and shapes), a
 * hint, the call trace. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

#include "base/span.h"
#include "base/vec.h"

typedef enum {
    ERR_NONE,
    ERR_SYNTAX,     /* lexer and parser */
    ERR_INCOMPLETE, /* the text ended where more was expected */
    ERR_NAME,       /* resolver, and reading an unset variable */
    ERR_TYPE,
    ERR_SHAPE,
    ERR_INDEX,
    ERR_VALUE,
    ERR_MATH, /* overflow, division by zero of Ints, a singular matrix */
    ERR_ASSERT,
    ERR_USER, /* error(message) */
    ERR_IO,
    ERR_MEMORY,
    ERR_DEPTH,
    ERR_INTERRUPT,
    ERR_INTERNAL, /* a mistake of Viv's own */
    ERR_EXIT,     /* exit(code): not an error, but it unwinds like one */
} ErrorKind;

typedef struct {
    char *function; /* the function that was called */
    Span at;        /* where */
} TraceEntry;

typedef struct Error {
    ErrorKind kind;
    Span span;
    bool is_warning; /* of viv check */
    int exit_code;   /* of ERR_EXIT */
    char *message;   /* one line */
    char *hint;      /* the way out, or NULL */
    VEC_OF(char *) notes;
    VEC_OF(TraceEntry) trace; /* innermost call first */
    int trace_left_out;
} Error;

typedef VEC_OF(Error) ErrorList;

/* Fills err, which must be empty; returns false, so that a failing function can end in `return
 * error_set(…)`. */
bool error_set(Error *err, ErrorKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a span. */
bool error_set_at(Error *err, ErrorKind kind, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* These return false as well. A second hint is ignored. */
bool error_note(Error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_hint(Error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the notes away. */
void error_drop_notes(Error *err);
/* Sets the span unless one is set already. */
void error_locate(Error *err, Span span);
/* Adds a call to the trace; keeps the innermost and the outermost ones of a long one. */
void error_trace(Error *err, const char *function, Span at);
bool error_is_set(const Error *err);
/* Frees everything and makes err empty again. */
void error_clear(Error *err);
/* Moves src into dst (which must be empty), leaving src empty. */
void error_move(Error *dst, Error *src);

#endif

/* The texts that were loaded, laid end to end in one position space, so that a Span needs no file
 * in it. */
#ifndef SYNTAX_SOURCE_H
#define SYNTAX_SOURCE_H

#include <stddef.h>

#include "base/span.h"
#include "base/vec.h"

typedef struct Source {
    char *name;                   /* as messages name it: a path, "<stdin>", "<text>", "<repl 3>" */
    char *text;                   /* followed by a NUL that is not part of it */
    uint32_t len;                 /* bytes */
    uint32_t base;                /* position of its first byte */
    uint32_t first_line;          /* 1, or more for a part of a longer text */
    VEC_OF(uint32_t) line_starts; /* offsets; none until a line is asked for */
} Source;

typedef struct {
    const Source *source;          /* NULL for a span that is nowhere */
    uint32_t line;                 /* from the source's first_line */
    uint32_t column;               /* from 1, in code points */
    uint32_t line_start, line_end; /* offsets in source->text, without the line ending */
} Location;

/* Adds a text (both are copied). The Source lives until sources_free. NULL when the position space
 * (4 GiB) is full. */
const Source *source_add(const char *name, const char *text, size_t len);
/* The same for a part of a longer text, such as one input of a session. */
const Source *source_add_part(const char *name, const char *text, size_t len, uint32_t first_line);
/* Takes away the text that was added last; nothing may refer to it any more. */
void source_drop(const Source *last);
/* Where a position is. */
Location source_locate(uint32_t position);
/* The text under a span; len receives its length. */
const char *source_text(Span span, size_t *len);
/* At exit. */
void sources_free(void);

#endif

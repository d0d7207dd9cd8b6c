/* An Error as text: place, message, the source line with carets, notes, hint, call trace. */
#ifndef SYNTAX_DIAGNOSTIC_H
#define SYNTAX_DIAGNOSTIC_H

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the whole diagnostic, ending in a newline. colour adds ANSI sequences. */
void diagnostic_write(StrBuf *out, const Error *err, bool colour);
/* "file:line:col", or "" for a span that is nowhere. */
void location_write(StrBuf *out, Span span);

#endif

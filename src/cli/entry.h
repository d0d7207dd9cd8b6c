/* Entries of the documentation as text for the terminal. */
#ifndef CLI_ENTRY_H
#define CLI_ENTRY_H

#include "base/span.h"
#include "base/strbuf.h"

/* Appends source text on one line: blanks and line ends are one blank, and none inside of
 * parentheses; without comments, and with commas between the fields of a struct. */
void entry_write_source(StrBuf *out, Span span);
/* Appends words in lines; the first one begins with lead, the others with as many blanks. A line of
 * text that is empty, or begins with a blank, begins a new one. */
void entry_write_wrapped(StrBuf *out, const char *lead, int indent, const char *text);
/* Appends documentation, indented, under its name; nothing for NULL. */
void entry_write_doc(StrBuf *out, const char *doc);
/* Appends a name and the first sentence of its documentation, as a row of a list. */
void entry_write_row(StrBuf *out, const char *name, const char *doc);
/* Appends the comment that a file begins with; span is that of its text. */
void entry_write_head(StrBuf *out, Span span);

#endif

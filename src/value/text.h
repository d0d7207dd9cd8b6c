/* Values as text. */
#ifndef VALUE_TEXT_H
#define VALUE_TEXT_H

#include "value/value.h"

/* For a reader rather than for a program. Zeros: in full, rows as long as they are. */
typedef struct {
    int digits; /* significant ones of Floats */
    int width;  /* columns that the rows of arrays may take */
} TextStyle;

/* As str gives it: strings bare at the top, quoted inside structures. Fails only when nested too
 * deeply. */
bool value_write(StrBuf *out, Value v, Error *err);
/* As it can be pasted back: strings quoted. indent: columns already taken. */
bool value_write_literal(StrBuf *out, Value v, int indent, Error *err);
/* The same two in a style. */
bool value_show(StrBuf *out, Value v, const TextStyle *style, Error *err);
bool value_show_literal(StrBuf *out, Value v, const TextStyle *style, Error *err);
/* Columns since the last line break in out, or since its start plus indent. */
int text_column(const StrBuf *out, int indent);

#endif

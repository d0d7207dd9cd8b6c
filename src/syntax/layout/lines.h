/* Tokens to lines. */
#ifndef SYNTAX_LAYOUT_LINES_H
#define SYNTAX_LAYOUT_LINES_H

#include "base/strbuf.h"
#include "syntax/layout/text.h"

/* Writes a program in lines into out, which must be empty. Brackets that had to be broken are marked in the text. */
void layout_write_lines(LayoutText *text, StrBuf *out);

#endif

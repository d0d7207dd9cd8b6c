/* The one layout of a Viv program: what `viv fmt` writes.
 *
 * text.h reads tokens and comments; lines.h breaks them into lines. Where tokens stand in the
 * original counts in five places only: an empty line between statements or items, a block on one
 * line, the rows of a list that stays broken, an `else` on a line of its own, and a sign behind `to`
 * or `by`. Laying out a second time changes nothing. */
#ifndef SYNTAX_LAYOUT_LAYOUT_H
#define SYNTAX_LAYOUT_LAYOUT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "syntax/source.h"

/* Writes the laid-out text into out, which must be empty. Fails as parse_source does: what does not parse is not laid out; with
 * ERR_INTERNAL when what was written does not say the same. */
bool layout_source(const Source *source, StrBuf *out, Error *err);
/* Whether a text has the tokens and comments of the original; else ERR_INTERNAL, at the first token
 * that differs. */
bool layout_check(const Source *original, const char *text, size_t len, Error *err);

#endif

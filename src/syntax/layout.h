/* The one layout of a Viv program: what `viv fmt` writes.
 *
 * The text is laid out token by token, so comments stay where they are and what it means can't
 * change. Lines break where the author broke them; indentation, spaces, blank lines and line
 * endings are settled here. Laying out a second time changes nothing. */
#ifndef SYNTAX_LAYOUT_H
#define SYNTAX_LAYOUT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "syntax/source.h"

/* Appends the laid-out text. Fails as parse_source does: what does not parse is not laid out. */
bool layout_source(const Source *source, StrBuf *out, Error *err);

#endif

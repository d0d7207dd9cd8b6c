/* A text in the user's editor. */
#ifndef CLI_REPL_EDIT_H
#define CLI_REPL_EDIT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Runs $VISUAL, $EDITOR or vi on a temporary file with a text, and appends what it has become.
 * False when that did not work. */
bool edit_text(const char *text, StrBuf *out);

#endif

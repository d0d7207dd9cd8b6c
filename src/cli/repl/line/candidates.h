/* What a word may become when Tab is pressed. */
#ifndef CLI_REPL_LINE_CANDIDATES_H
#define CLI_REPL_LINE_CANDIDATES_H

#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"

typedef struct {
    const char *text; /* what is being edited */
    size_t cursor;
    size_t word;         /* where the word that ends at the cursor begins */
    const char *ending;  /* goes after the only candidate; NULL: nothing */
    VEC_OF(char *) item; /* each begins with the word */
} Completions;

/* Adds a candidate if it begins with the word. */
void completions_add(Completions *c, const char *candidate);
/* Sorts the candidates, each once, and appends to more what all of them have in common after the
 * word. There must be one at least. */
void completions_settle(Completions *c, StrBuf *more);
/* Appends a list of them, as wide as the screen. */
void completions_write(StrBuf *out, const Completions *c);
void completions_free(Completions *c);

#endif

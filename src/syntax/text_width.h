/* UTF-8 text as a terminal shows it: characters and the columns they take. The C library's wcwidth
 * depends on the locale, and messages must not. */
#ifndef SYNTAX_TEXT_WIDTH_H
#define SYNTAX_TEXT_WIDTH_H

#include <stddef.h>

/* The code point at *at, which moves behind it; U+FFFD for a byte that is no UTF-8. */
unsigned text_next(const char **at, const char *end);
/* 2 for a wide character, 0 for a combining one, else 1. */
int code_point_width(unsigned code);
/* How many terminal columns the text takes; a tab counts as one here. */
int display_width(const char *text, size_t len);

#endif

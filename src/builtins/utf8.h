/* Code points of UTF-8 text. */
#ifndef BUILTINS_UTF8_H
#define BUILTINS_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The code point at *at, which moves behind it; the text must be valid. */
unsigned utf8_next(const char **at);
/* How many of the bytes are valid UTF-8: len when all are. */
size_t utf8_valid(const char *text, size_t len);
/* White space as Unicode defines it. */
bool is_white_space(unsigned code);
/* The one character that is code's other case, whatever the user's locale; code itself when there
 * is none. Where the system knows no UTF-8 locale, only Latin letters up to U+00FF change. */
unsigned upper_case(unsigned code);
unsigned lower_case(unsigned code);

#endif

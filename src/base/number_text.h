/* Numbers as text, independent of the locale. */
#ifndef BASE_NUMBER_TEXT_H
#define BASE_NUMBER_TEXT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Shortest digits that read back as x: plainly for 1e-4 ≤ |x| < 1e16 (with ".0" where there is no
 * fraction), else as 1e-15 or 1.5e22; inf, nan, -0.0. */
void float_write(StrBuf *out, double x);
/* The same with at most so many significant digits (0: as many as it takes), with an exponent where
 * the last of them stands before the point's place. */
void float_write_rounded(StrBuf *out, double x, int digits);
/* Reads a number as Viv writes them (also inf, nan, a sign); false unless all of text is one. */
bool float_read(const char *text, size_t len, double *x);

#endif

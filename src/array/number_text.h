/* Numbers as text, independent of the locale. */
#ifndef ARRAY_NUMBER_TEXT_H
#define ARRAY_NUMBER_TEXT_H

#include "array/array.h"

/* Shortest digits that read back as x: plainly for 1e-4 ≤ |x| < 1e16 (with ".0" where there is no
 * fraction), else as 1e-15 or 1.5e22; inf, nan, -0.0. */
void float_write(StrBuf *out, double x);
/* An array as a literal, a row on a line, aligned, abbreviated with … over 1000 elements to 3 + 3
 * an axis; zeros(0, 3) when empty (zeros(0) prints as []). indent: columns already taken on the
 * line. */
void array_write(StrBuf *out, const Array *a, int indent);
/* Reads a number as Viv writes them (also inf, nan, a sign); false unless all of text is one. */
bool float_read(const char *text, size_t len, double *x);

#endif

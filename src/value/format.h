/* Formatting with Python's mini-language: [[fill]align][sign][0][width][,][.precision][type], for
 * numbers, arrays of them, and strings. */
#ifndef VALUE_FORMAT_H
#define VALUE_FORMAT_H

#include "value/value.h"

/* Appends v formatted by spec (len bytes; empty: as print shows it). Types d e f g x b % for
 * numbers, s for anything. ERR_VALUE names the specification, or the type it does not fit. Of an
 * array each element is formatted, but for the type s; other structures take fill, align and width
 * only. */
bool value_format(StrBuf *out, Value v, const char *spec, size_t len, Error *err);

#endif

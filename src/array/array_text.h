/* Arrays as text. */
#ifndef ARRAY_ARRAY_TEXT_H
#define ARRAY_ARRAY_TEXT_H

#include "array/array.h"
#include "base/strbuf.h"

/* Appends the element at an offset of an array's data; false when that fails. */
typedef bool ElementWriter(StrBuf *out, const Array *a, int64_t offset, void *context);

/* What an array's text depends on. Zeros: elements in full, rows as long as they are. */
typedef struct {
    ElementWriter *element;
    void *context;
    int digits; /* of Floats, as float_write_rounded has it, where there is no element writer */
    int width;  /* columns; what is longer goes on below */
} ArrayStyle;

/* An array as a literal, a row on a line, aligned, abbreviated with … over 1000 elements to 3 + 3
 * an axis; zeros(0, 3) when empty (zeros(0) prints as []). indent: columns already taken on the
 * line. False when an element could not be written. */
bool array_write(StrBuf *out, const Array *a, int indent, const ArrayStyle *style);

#endif

/* The head of a .npy file: magic, version and a dictionary as Python writes it. */
#ifndef BUILTINS_FILES_NPY_HEADER_H
#define BUILTINS_FILES_NPY_HEADER_H

#include "array/array.h"

typedef struct {
    char kind; /* f i u b, as in NumPy's dtypes */
    int size;  /* bytes of an element: 1 2 4 8 */
    bool is_big_endian;
    bool is_fortran; /* the first axis is the fastest */
    Shape shape;     /* no negative sizes; their product is not checked */
    size_t data;     /* where the elements start */
} NpyHeader;

/* Whether len bytes start as a .npy file. */
bool npy_is_one(const char *bytes, size_t len);
/* Reads the head of len bytes. ERR_IO says what is wrong with it; an element type that Viv has no
 * values for is refused by its name. */
bool npy_header_read(const char *bytes, size_t len, NpyHeader *h, Error *err);
/* Appends the head that NumPy writes: version 1.0, little-endian, C order, padded to 64 bytes. */
void npy_header_write(StrBuf *out, const Array *a);

#endif

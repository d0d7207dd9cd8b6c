/* Arrays as the bytes of a .npy file. */
#ifndef BUILTINS_FILES_NPY_H
#define BUILTINS_FILES_NPY_H

#include "array/array.h"

/* The array that len bytes hold: f4 f8 as Floats, i1 to i8 and u1 to u8 as Ints, b1 as Bools, in C
 * or Fortran order, of either byte order. NULL and ERR_IO (or ERR_SHAPE, ERR_MEMORY) when the bytes
 * are anything else: too few, too many, or not what their header says. */
Array *npy_read(const char *bytes, size_t len, Error *err);
/* Appends what numpy.save would write. */
bool npy_write(StrBuf *out, const Array *a, Error *err);

#endif

/* Whole files as text. */
#ifndef EVAL_READ_FILE_H
#define EVAL_READ_FILE_H

#include "base/error.h"
#include "base/strbuf.h"

/* Appends a file's bytes; path "-" is standard input. ERR_IO names path and reason (a folder
 * included). */
bool read_file(const char *path, StrBuf *out, Error *err);

#endif

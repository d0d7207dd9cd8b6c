/* Whole files as text. */
#ifndef EVAL_READ_FILE_H
#define EVAL_READ_FILE_H

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the text of a program, of at most 512 MiB; path "-" is standard input. What fails frees out. ERR_IO names path
 * and reason (a folder included), ERR_MEMORY what is too large; Ctrl-C is answered while it waits. */
bool read_file(const char *path, StrBuf *out, Error *err);
/* Likewise data, of at most half of the machine's memory. Where it does not begin with magic (NULL:
 * anything will do) what follows need not be there: reading stops. */
bool read_data(const char *path, const char *magic, StrBuf *out, Error *err);

#endif

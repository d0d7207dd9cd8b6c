/* What the builtins that read and write files share: the argument path, and errors about it. */
#ifndef BUILTINS_FILES_FILE_ARGUMENT_H
#define BUILTINS_FILES_FILE_ARGUMENT_H

#include "eval/builtin.h"

/* Argument 0 as a path; "-" is standard input to those that read. */
bool arg_path(Interp *in, const Args *a, const char **path);
/* The error of the file system, as this builtin's about its path; returns false. */
bool path_error(Interp *in, const Args *a);
/* The error about what a file holds, as this builtin's about its path; returns false. Only lack of
 * memory and Ctrl-C keep their kind, everything else is ERR_IO. */
bool content_error(Interp *in, const Args *a, const char *path);
/* Whether the file's text is UTF-8; the error has line and offset. */
bool check_utf8(Interp *in, const Args *a, const char *path, const StrBuf *text);

#endif

/* The documentation of a program, out of its text. */
#ifndef CLI_DOC_FILE_H
#define CLI_DOC_FILE_H

#include "cli/describe.h"

/* Whether a word of the command line is the path of a program, and no name. */
bool doc_is_file(const char *word);
/* Appends the entries of a program's functions, structs and documented variables, but for private
 * ones, or of one name. Runs nothing. Errors: ERR_IO, ERR_SYNTAX, and ERR_NAME for a name that the
 * file does not have, with the nearest that it has. */
bool doc_file_write(StrBuf *out, const char *path, const char *name, Error *err);
/* Calls each with every name that the file defines; none of a file that can't be read. */
void doc_file_each_name(const char *path, NameSink *each, void *context);

#endif

/* JSON for editors and other programs. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "base/error.h"
#include "base/strbuf.h"

/* Appends a string, quoted and escaped (RFC 8259), with U+FFFD for bytes that are no UTF-8; NULL as
 * null. */
void json_write_text(StrBuf *out, const char *text);
/* Appends an error as an object: file, line, column, end_line, end_column (null where it is nowhere;
 * file stands in for the file then), severity, kind, message, notes, hint, trace. */
void json_write_error(StrBuf *out, const Error *err, const char *file);
/* The name of an error's kind: "type", "shape", "assert", …; of a warning, "lint". */
const char *json_error_kind(const Error *err);

#endif

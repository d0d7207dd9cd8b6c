#include "eval/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool read_file(const char *path, StrBuf *out, Error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "<stdin>" : path;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (!f) return error_set(err, ERR_IO, "%s: %s", name, strerror(errno));
    char chunk[1 << 16];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) strbuf_bytes(out, chunk, n);
    bool ok = !ferror(f);
    if (!ok) error_set(err, ERR_IO, "%s: %s", name, strerror(errno));
    if (!is_stdin) fclose(f);
    return ok;
}

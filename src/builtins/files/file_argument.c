#include "builtins/files/file_argument.h"

#include <string.h>

#include "builtins/utf8.h"

bool arg_path(Interp *in, const Args *a, const char **path)
{
    const Str *s;
    if (!arg_str(in, a, 0, &s)) return false;
    *path = s->text;
    if (s->len > 0 && strlen(s->text) == s->len) return true;
    return arg_error(in, a, 0, ERR_VALUE, "%s: %s is not a path", a->builtin->name,
                     s->len ? "a text with \\0 in it" : "an empty text");
}

bool path_error(Interp *in, const Args *a)
{
    Error found = {0};
    error_move(&found, &in->err);
    arg_error(in, a, 0, found.kind, "%s: %s", a->builtin->name, found.message);
    error_clear(&found);
    return false;
}

bool content_error(Interp *in, const Args *a, const char *path)
{
    Error found = {0};
    if (in->err.kind == ERR_INTERRUPT) return false;
    error_move(&found, &in->err);
    arg_error(in, a, 0, found.kind == ERR_MEMORY ? ERR_MEMORY : ERR_IO, "%s: %s: %s",
              a->builtin->name, path, found.message);
    for (int i = 0; i < found.notes.len; i++) error_note(&in->err, "%s", found.notes.item[i]);
    if (found.hint) error_hint(&in->err, "%s", found.hint);
    error_clear(&found);
    return false;
}

bool check_utf8(Interp *in, const Args *a, const char *path, const StrBuf *text)
{
    size_t valid = utf8_valid(strbuf_str(text), text->len);
    if (valid == text->len) return true;
    size_t line = 1;
    for (size_t i = 0; i < valid; i++) line += text->data[i] == '\n';
    arg_error(in, a, 0, ERR_IO, "%s: %s is not UTF-8", a->builtin->name, path);
    return error_note(&in->err, "line %zu has the byte 0x%02x, at offset %zu", line,
                      (unsigned char)text->data[valid], valid);
}

#include <string.h>
#include <time.h>

#include "builtins/file.h"
#include "builtins/topics.h"
#include "builtins/utf8.h"
#include "eval/read_file.h"
#include "value/text.h"

static bool print_builtin(Interp *in, const Args *a, Value *out)
{
    StrBuf line = {0};
    bool ok = true;
    for (int i = 0; i < a->n && ok; i++) {
        if (i) strbuf_char(&line, ' ');
        ok = value_write(&line, a->pos[i], &in->err);
    }
    if (ok) {
        strbuf_char(&line, '\n');
        interp_print(in, line.data, line.len);
        *out = value_none();
    }
    strbuf_free(&line);
    return ok;
}

static bool clock_builtin(Interp *in, const Args *a, Value *out)
{
    struct timespec now;
    (void)in, (void)a;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *out = value_float((double)now.tv_sec + (double)now.tv_nsec * 1e-9);
    return true;
}

static bool exit_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t code = 0;
    (void)out;
    if (a->n == 1 && !arg_int(in, a, 0, &code)) return false;
    if (code < 0 || code > 255)
        return arg_error(in, a, 0, ERR_VALUE, "exit: the code must be 0 to 255, not %lld",
                         (long long)code);
    error_set(&in->err, ERR_EXIT, "exit(%d) was called", (int)code);
    in->err.exit_code = (int)code;
    return false;
}

static bool error_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *message;
    (void)out;
    if (!arg_str(in, a, 0, &message))
        return error_hint(&in->err, "str(x) or an f-string makes a Str");
    return error_set(&in->err, ERR_USER, "%s", message->text);
}

/* ---- text files ---- */

/* Argument 0 as a path. */
static bool arg_path(Interp *in, const Args *a, const char **path)
{
    const Str *s;
    if (!arg_str(in, a, 0, &s)) return false;
    *path = s->text;
    if (s->len > 0 && strlen(s->text) == s->len) return true;
    return arg_error(in, a, 0, ERR_VALUE, "%s: %s is no path", a->builtin->name,
                     s->len ? "a text with \\0 in it" : "an empty text");
}

/* The error of the file system, as this builtin's about its path. */
static bool path_error(Interp *in, const Args *a)
{
    Error found = {0};
    error_move(&found, &in->err);
    arg_error(in, a, 0, found.kind, "%s: %s", a->builtin->name, found.message);
    error_clear(&found);
    return false;
}

static bool check_utf8(Interp *in, const Args *a, const char *path, const StrBuf *text)
{
    size_t valid = utf8_valid(strbuf_str(text), text->len);
    if (valid == text->len) return true;
    size_t line = 1;
    for (size_t i = 0; i < valid; i++) line += text->data[i] == '\n';
    arg_error(in, a, 0, ERR_IO, "read_text: %s is not UTF-8", path);
    return error_note(&in->err, "line %zu has the byte 0x%02x, at offset %zu", line,
                      (unsigned char)text->data[valid], valid);
}

static bool read_text_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    StrBuf text = {0};
    if (!arg_path(in, a, &path)) return false;
    bool ok =
        (read_file(path, &text, &in->err) || path_error(in, a)) && check_utf8(in, a, path, &text);
    if (ok) *out = value_str(str_from_buffer(&text));
    strbuf_free(&text);
    return ok;
}

static bool write_text_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    const Str *text;
    if (!arg_path(in, a, &path) || !arg_str(in, a, 1, &text)) return false;
    *out = value_none();
    return file_write(path, text->text, text->len, &in->err) || path_error(in, a);
}

const Builtin builtins_output[] = {
    {"print", "print(values…)",
     "Writes the values on one line, with blanks between them: a Str without quotes, everything "
     "else as its literal. Of a value under differentiation it writes the number, and the "
     "derivative goes on.",
     print_builtin},
    {"read_text", "read_text(path)",
     "The contents of a file as a Str; \"-\" is standard input. The file must be UTF-8; line endings stay as they are.",
     read_text_builtin},
    {"write_text", "write_text(path, text)",
     "Makes the file hold text, in UTF-8. Its old contents stay until all of the new ones are written.",
     write_text_builtin},
    {"clock", "clock()",
     "Seconds since some fixed moment, a Float that never goes backwards: the difference of two tells how long something took.",
     clock_builtin},
    {"error", "error(message)",
     "Stops the program with that message, and the place and the calls that led there.",
     error_builtin},
    {"exit", "exit([code])",
     "Ends the program with that exit status, 0 to 255; 0 when there is none. In a test it is a failure.",
     exit_builtin},
    {0},
};

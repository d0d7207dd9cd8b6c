#include "base/error.h"

#include <stdarg.h>

#include "base/strbuf.h"

enum { TRACE_MAX = 64 };

static char *format_text(const char *format, va_list args)
{
    StrBuf b = {0}, text = {0};
    strbuf_vprintf(&b, format, args);
    strbuf_visible(&text, b.data, b.len);
    strbuf_free(&b);
    return strbuf_take(&text);
}

bool error_is_set(const Error *err)
{
    return err->kind != ERR_NONE;
}

static void start(Error *err, ErrorKind kind, char *message)
{
    error_clear(err);
    err->kind = kind;
    err->message = message;
}

bool error_set(Error *err, ErrorKind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    start(err, kind, format_text(format, args));
    va_end(args);
    return false;
}

bool error_set_at(Error *err, ErrorKind kind, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    start(err, kind, format_text(format, args));
    va_end(args);
    err->span = span;
    return false;
}

bool error_note(Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    VEC_PUSH(&err->notes, format_text(format, args));
    va_end(args);
    return false;
}

bool error_hint(Error *err, const char *format, ...)
{
    if (err->hint) return false;
    va_list args;
    va_start(args, format);
    err->hint = format_text(format, args);
    va_end(args);
    return false;
}

void error_locate(Error *err, Span span)
{
    if (!span_is_set(err->span)) err->span = span;
}

void error_trace(Error *err, const char *function, Span at)
{
    TraceEntry entry = {mem_strndup(function, __builtin_strlen(function)), at};
    if (err->trace.len == TRACE_MAX) {
        /* Keep the first half, let the second half slide, so that both ends of a deep recursion
         * stay. */
        int middle = TRACE_MAX / 2;
        mem_free(err->trace.item[middle].function);
        for (int i = middle; i + 1 < TRACE_MAX; i++) err->trace.item[i] = err->trace.item[i + 1];
        err->trace.len--;
        err->trace_left_out++;
    }
    VEC_PUSH(&err->trace, entry);
}

void error_drop_notes(Error *err)
{
    for (int i = 0; i < err->notes.len; i++) mem_free(err->notes.item[i]);
    VEC_FREE(&err->notes);
}

void error_clear(Error *err)
{
    mem_free(err->message);
    mem_free(err->hint);
    error_drop_notes(err);
    for (int i = 0; i < err->trace.len; i++) mem_free(err->trace.item[i].function);
    VEC_FREE(&err->trace);
    *err = (Error){0};
}

void error_move(Error *dst, Error *src)
{
    error_clear(dst);
    *dst = *src;
    *src = (Error){0};
}

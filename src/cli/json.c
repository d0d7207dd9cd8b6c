#include "cli/json.h"

#include <string.h>

#include "syntax/source.h"
#include "syntax/text_width.h"

void json_write_text(StrBuf *out, const char *text)
{
    if (!text) {
        strbuf_text(out, "null");
        return;
    }
    strbuf_char(out, '"');
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        unsigned code = text_next(&p, end);
        if (code == '"' || code == '\\')
            strbuf_printf(out, "\\%c", (char)code);
        else if (code == '\n')
            strbuf_text(out, "\\n");
        else if (code == '\t')
            strbuf_text(out, "\\t");
        else if (code < 0x20)
            strbuf_printf(out, "\\u%04x", code);
        else
            strbuf_code_point(out, code);
    }
    strbuf_char(out, '"');
}

const char *json_error_kind(const Error *err)
{
    static const char *const name[] = {
        [ERR_NONE] = "none",     [ERR_SYNTAX] = "syntax", [ERR_INCOMPLETE] = "syntax",
        [ERR_NAME] = "name",     [ERR_TYPE] = "type",     [ERR_SHAPE] = "shape",
        [ERR_INDEX] = "index",   [ERR_VALUE] = "value",   [ERR_MATH] = "math",
        [ERR_ASSERT] = "assert", [ERR_USER] = "error",    [ERR_IO] = "io",
        [ERR_MEMORY] = "memory", [ERR_DEPTH] = "depth",   [ERR_INTERRUPT] = "interrupt",
        [ERR_EXIT] = "exit",
    };
    return err->is_warning ? "lint" : name[err->kind];
}

static void write_number(StrBuf *out, const char *key, unsigned number)
{
    strbuf_printf(out, "\"%s\": ", key);
    if (number)
        strbuf_printf(out, "%u, ", number);
    else
        strbuf_text(out, "null, ");
}

/* From the start of a span, and to its end when end_line is wanted. */
static void write_place(StrBuf *out, Span span, bool with_end, const char *file)
{
    Location from = {0}, to = {0};
    if (span_is_set(span)) from = source_locate(span.start), to = source_locate(span.end);
    strbuf_text(out, "\"file\": ");
    json_write_text(out, from.source ? from.source->name : file);
    strbuf_text(out, ", ");
    write_number(out, "line", from.line);
    write_number(out, "column", from.column);
    if (!with_end) return;
    write_number(out, "end_line", to.line);
    write_number(out, "end_column", to.column);
}

static void write_trace(StrBuf *out, const Error *err)
{
    strbuf_text(out, ", \"trace\": [");
    for (int i = 0; i < err->trace.len; i++) {
        strbuf_text(out, i ? ", {" : "{");
        write_place(out, err->trace.item[i].at, false, NULL);
        strbuf_text(out, "\"function\": ");
        json_write_text(out, err->trace.item[i].function);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

void json_write_error(StrBuf *out, const Error *err, const char *file)
{
    strbuf_char(out, '{');
    write_place(out, err->span, true, file);
    strbuf_printf(out, "\"severity\": \"%s\", \"kind\": \"%s\", \"message\": ",
                  err->is_warning ? "warning" : "error", json_error_kind(err));
    json_write_text(out, err->message ? err->message : "");
    strbuf_text(out, ", \"notes\": [");
    for (int i = 0; i < err->notes.len; i++) {
        if (i) strbuf_text(out, ", ");
        json_write_text(out, err->notes.item[i]);
    }
    strbuf_text(out, "], \"hint\": ");
    json_write_text(out, err->hint);
    write_trace(out, err);
    strbuf_char(out, '}');
}

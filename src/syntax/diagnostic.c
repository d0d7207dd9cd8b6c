#include "syntax/diagnostic.h"

#include <string.h>

#include "syntax/source.h"
#include "syntax/text_width.h"

enum {
    WIDEST_LINE = 160, /* a longer one is shown around the span only */
    SHOWN_BEFORE = 60,
    SHOWN_WIDTH = 140,
    TRACE_HALF = 32, /* where error_trace leaves calls out */
};

typedef struct {
    StrBuf *out;
    bool colour;
    int gutter; /* width of the line number */
} Writer;

static void paint(Writer *w, const char *sequence)
{
    if (w->colour) strbuf_printf(w->out, "\033[%sm", sequence);
}

void location_write(StrBuf *out, Span span)
{
    Location at = source_locate(span.start);
    if (!span_is_set(span) || !at.source) return;
    strbuf_printf(out, "%s:%u:%u", at.source->name, at.line, at.column);
}

/* ---- the source line ---- */

/* The part of a line that is shown, and the part of that which is marked. */
typedef struct {
    const char *from, *to;
    const char *mark, *mark_end;
    bool cut_before, cut_after;
} Excerpt;

static Excerpt excerpt_of(Location at, Span span)
{
    const char *text = at.source->text;
    Excerpt e = {.from = text + at.line_start, .to = text + at.line_end};
    e.mark = text + (span.start - at.source->base);
    e.mark_end = text + (span.end - at.source->base);
    if (e.mark < e.from) e.mark = e.from;
    if (e.mark > e.to) e.mark = e.to;
    if (e.mark_end > e.to) e.mark_end = e.to;
    return e;
}

/* Moves the ends of a long line towards the mark. */
static void narrow(Excerpt *e)
{
    if (display_width(e->from, (size_t)(e->to - e->from)) <= WIDEST_LINE) return;
    while (display_width(e->from, (size_t)(e->mark - e->from)) > SHOWN_BEFORE) {
        /* Long prefixes are cut in steps that grow with what is left. */
        size_t far = (size_t)(e->mark - e->from) / 8;
        const char *goal = e->from + far;
        do text_next(&e->from, e->mark);
        while (e->from < goal);
        e->cut_before = true;
    }
    const char *end = e->from;
    for (int width = 0; end < e->to && width < SHOWN_WIDTH;)
        width += code_point_width(text_next(&end, e->to));
    e->cut_after = end < e->to;
    e->to = end;
    if (e->mark_end > end) e->mark_end = end;
}

static bool is_control(unsigned code)
{
    return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0);
}

static void write_text(StrBuf *out, const char *from, const char *to)
{
    while (from < to) {
        unsigned code = text_next(&from, to);
        strbuf_code_point(out, is_control(code) ? 0xFFFD : code);
    }
}

/* Blanks as wide as the text above them; a tab stays one. */
static void write_under(StrBuf *out, const char *from, const char *to, char with)
{
    while (from < to) {
        unsigned code = text_next(&from, to);
        if (code == '\t')
            strbuf_char(out, '\t');
        else
            strbuf_repeat(out, with, (size_t)code_point_width(code));
    }
}

static void write_carets(Writer *w, const Excerpt *e)
{
    StrBuf marks = {0};
    write_under(&marks, e->mark, e->mark_end, '^');
    if (!strchr(strbuf_str(&marks), '^')) {
        marks.len = 0;
        strbuf_char(&marks, '^');
    }
    strbuf_printf(w->out, "%*s |", w->gutter, "");
    strbuf_text(w->out, e->cut_before ? "  " : " ");
    write_under(w->out, e->from, e->mark, ' ');
    paint(w, "1;31");
    strbuf_bytes(w->out, marks.data, marks.len);
    paint(w, "0");
    strbuf_char(w->out, '\n');
    strbuf_free(&marks);
}

static void write_line(Writer *w, Location at, Span span)
{
    Excerpt e = excerpt_of(at, span);
    narrow(&e);
    strbuf_printf(w->out, "%*s |\n%*u | ", w->gutter, "", w->gutter, at.line);
    if (e.cut_before) strbuf_text(w->out, "…");
    write_text(w->out, e.from, e.to);
    if (e.cut_after) strbuf_text(w->out, "…");
    strbuf_char(w->out, '\n');
    write_carets(w, &e);
}

/* ---- what stands around it ---- */

static void write_headline(Writer *w, const Error *err)
{
    size_t before = w->out->len;
    paint(w, "1");
    location_write(w->out, err->span);
    if (w->out->len > before + (w->colour ? 4 : 0)) strbuf_text(w->out, ": ");
    paint(w, "1;31");
    strbuf_text(w->out, err->is_warning ? "warning:" : "error:");
    paint(w, "0");
    strbuf_printf(w->out, " %s\n", err->message ? err->message : "");
}

static void write_call(Writer *w, const TraceEntry *entry, int times)
{
    strbuf_printf(w->out, "%*s called by %s", w->gutter, "", entry->function);
    if (span_is_set(entry->at)) strbuf_text(w->out, " at ");
    location_write(w->out, entry->at);
    if (times > 1) strbuf_printf(w->out, " (%d times)", times);
    strbuf_char(w->out, '\n');
}

static bool is_same_call(const TraceEntry *a, const TraceEntry *b)
{
    return a->at.start == b->at.start && a->at.end == b->at.end &&
           strcmp(a->function, b->function) == 0;
}

/* A call that repeats, as in a recursion, is one line. */
static void write_trace(Writer *w, const Error *err)
{
    const TraceEntry *entry = err->trace.item;
    int times;
    for (int i = 0; i < err->trace.len; i += times) {
        bool in_first_half = err->trace_left_out && i < TRACE_HALF;
        if (err->trace_left_out && i == TRACE_HALF)
            strbuf_printf(w->out, "%*s … %d calls left out\n", w->gutter, "", err->trace_left_out);
        int end = in_first_half ? TRACE_HALF : err->trace.len;
        times = 1;
        while (i + times < end && is_same_call(&entry[i], &entry[i + times])) times++;
        write_call(w, &entry[i], times);
    }
}

static int digits(uint32_t number)
{
    int count = 1;
    while (number /= 10) count++;
    return count;
}

void diagnostic_write(StrBuf *out, const Error *err, bool colour)
{
    if (err->kind == ERR_INTERRUPT) {
        strbuf_text(out, "interrupted\n");
        return;
    }
    Location at = span_is_set(err->span) ? source_locate(err->span.start) : (Location){0};
    Writer w = {out, colour, digits(at.line) < 2 ? 2 : digits(at.line)};
    write_headline(&w, err);
    if (at.source) write_line(&w, at, err->span);
    for (int i = 0; i < err->notes.len; i++)
        strbuf_printf(out, "%*s = %s\n", w.gutter, "", err->notes.item[i]);
    if (err->hint) strbuf_printf(out, "%*s hint: %s\n", w.gutter, "", err->hint);
    write_trace(&w, err);
}

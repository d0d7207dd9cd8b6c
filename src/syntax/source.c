#include "syntax/source.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

static struct {
    Source **item; /* in order of base */
    int len, cap;
} sources;

/* Sources lie one position apart, so that the end of a text belongs to it and not to the next. */
static uint32_t next_base(void)
{
    if (sources.len == 0) return 1;
    const Source *last = sources.item[sources.len - 1];
    return last->base + last->len + 1;
}

const Source *source_add(const char *name, const char *text, size_t len)
{
    return source_add_part(name, text, len, 1);
}

const Source *source_add_part(const char *name, const char *text, size_t len, uint32_t first_line)
{
    uint32_t base = next_base();
    if (len >= UINT32_MAX - base) return NULL;
    Source *s = mem_calloc(1, sizeof *s);
    s->name = mem_strndup(name, strlen(name));
    s->text = mem_strndup(text, len);
    s->len = (uint32_t)len;
    s->base = base;
    s->first_line = first_line;
    VEC_PUSH(&sources, s);
    return s;
}

static void free_source(Source *s)
{
    mem_free(s->name);
    mem_free(s->text);
    VEC_FREE(&s->line_starts);
    mem_free(s);
}

void source_drop(const Source *last)
{
    Source *s = VEC_POP(&sources);
    assert(s == last);
    (void)last;
    free_source(s);
}

static Source *source_at(uint32_t position)
{
    int low = 0, high = sources.len;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sources.item[middle]->base <= position)
            low = middle + 1;
        else
            high = middle;
    }
    if (position == 0 || low == 0) return NULL;
    Source *s = sources.item[low - 1];
    return position <= s->base + s->len ? s : NULL;
}

static uint32_t byte_order_mark(const Source *s)
{
    return s->len >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Made when a line is first asked for. */
static void find_lines(Source *s)
{
    const char *end = s->text + s->len;
    VEC_PUSH(&s->line_starts, byte_order_mark(s));
    for (const char *nl = s->text; (nl = memchr(nl, '\n', (size_t)(end - nl)));)
        VEC_PUSH(&s->line_starts, (uint32_t)(++nl - s->text));
}

/* The number of the line, from 0, that an offset is in. */
static int line_at(const Source *s, uint32_t offset)
{
    int low = 0, high = s->line_starts.len;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->line_starts.item[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void find_line(Location *at, Source *s, uint32_t offset)
{
    if (s->line_starts.len == 0) find_lines(s);
    int line = line_at(s, offset);
    bool is_last = line + 1 == s->line_starts.len;
    uint32_t stop = is_last ? s->len : s->line_starts.item[line + 1] - 1;
    at->line = s->first_line + (uint32_t)line;
    at->line_start = s->line_starts.item[line];
    if (!is_last && stop > at->line_start && s->text[stop - 1] == '\r') stop--;
    at->line_end = stop;
}

Location source_locate(uint32_t position)
{
    Source *s = source_at(position);
    Location at = {.source = s};
    if (!s) return at;
    uint32_t offset = position - s->base;
    find_line(&at, s, offset);
    at.column = 1;
    for (uint32_t i = at.line_start; i < offset; i++) {
        /* Everything but a continuation byte begins a character. */
        if (((unsigned char)s->text[i] & 0xC0) != 0x80) at.column++;
    }
    return at;
}

const char *source_text(Span span, size_t *len)
{
    const Source *s = source_at(span.start);
    *len = 0;
    if (!s) return "";
    uint32_t end = span.end < s->base + s->len ? span.end : s->base + s->len;
    if (end > span.start) *len = end - span.start;
    return s->text + (span.start - s->base);
}

void sources_free(void)
{
    for (int i = 0; i < sources.len; i++) free_source(sources.item[i]);
    VEC_FREE(&sources);
}

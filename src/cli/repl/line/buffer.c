#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "cli/repl/line/parts.h"
#include "syntax/text_width.h"

size_t buffer_len(EditLine *el)
{
    const LineInfoW *line = el_wline(el);
    return (size_t)(line->lastchar - line->buffer);
}

size_t buffer_cursor(EditLine *el)
{
    const LineInfoW *line = el_wline(el);
    return (size_t)(line->cursor - line->buffer);
}

size_t buffer_line_start(EditLine *el, size_t at)
{
    const wchar_t *text = el_wline(el)->buffer;
    while (at && text[at - 1] != L'\n') at--;
    return at ? at + PROMPT_WIDTH : 0;
}

size_t buffer_line_end(EditLine *el, size_t at)
{
    const wchar_t *text = el_wline(el)->buffer;
    size_t len = buffer_len(el);
    while (at < len && text[at] != L'\n') at++;
    return at;
}

void buffer_go(EditLine *el, size_t at)
{
    el_cursor(el, (int)at - (int)buffer_cursor(el));
}

void buffer_remove(EditLine *el, size_t from, size_t to)
{
    buffer_go(el, to);
    if (to > from) el_deletestr(el, (int)(to - from));
}

bool buffer_insert(EditLine *el, const char *text)
{
    StrBuf lines = {0};
    for (; *text; text++) {
        strbuf_char(&lines, *text);
        if (*text == '\n') strbuf_text(&lines, MORE_PROMPT);
    }
    bool ok = lines.len == 0 || el_insertstr(el, lines.data) == 0;
    strbuf_free(&lines);
    return ok;
}

void buffer_set(EditLine *el, const char *text)
{
    buffer_remove(el, 0, buffer_len(el));
    buffer_insert(el, text);
}

void line_strip_prompts(StrBuf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        strbuf_char(out, text[i]);
        bool has_prompt = text[i] == '\n' && i + PROMPT_WIDTH < len &&
                          strncmp(text + i + 1, MORE_PROMPT, PROMPT_WIDTH) == 0;
        if (has_prompt) i += PROMPT_WIDTH;
    }
}

size_t buffer_text(EditLine *el, StrBuf *text)
{
    const LineInfo *line = el_line(el);
    line_strip_prompts(text, line->buffer, (size_t)(line->cursor - line->buffer));
    size_t cursor = text->len;
    line_strip_prompts(text, line->cursor, (size_t)(line->lastchar - line->cursor));
    return cursor;
}

/* How far below the prompt's row the cursor stands. */
static int rows_above(LineEditor *e)
{
    const LineInfoW *line = el_wline(e->el);
    int columns = 80, rows = 0, column = e->prompt_width;
    el_get(e->el, EL_GETTC, "co", &columns);
    for (const wchar_t *c = line->buffer; c < line->cursor; c++) {
        int width = *c == L'\n' ? 0 : code_point_width((unsigned)*c);
        bool goes_on = *c != L'\n' && column + width <= columns;
        rows += !goes_on;
        column = goes_on ? column + width : width;
    }
    return rows;
}

void buffer_erase(LineEditor *e)
{
    int rows = rows_above(e);
    fputc('\r', stdout);
    if (e->has_escapes && rows) printf("\033[%dA", rows);
    if (e->has_escapes) fputs("\033[J", stdout);
    fflush(stdout);
}

void buffer_draw(LineEditor *e)
{
    el_set(e->el, EL_REFRESH);
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "cli/repl/line/parts.h"

enum { INDENT = 4 };

/* ---- moving ---- */

static unsigned char go_to(EditLine *el, size_t at)
{
    buffer_go(el, at);
    return CC_CURSOR;
}

static unsigned char left_key(EditLine *el, int key)
{
    (void)key;
    size_t at = buffer_cursor(el), start = buffer_line_start(el, at);
    if (at > start) return go_to(el, at - 1);
    return start ? go_to(el, start - PROMPT_WIDTH - 1) : CC_ERROR;
}

static unsigned char right_key(EditLine *el, int key)
{
    (void)key;
    size_t at = buffer_cursor(el), end = buffer_line_end(el, at);
    if (at < end) return go_to(el, at + 1);
    return end < buffer_len(el) ? go_to(el, end + 1 + PROMPT_WIDTH) : CC_ERROR;
}

static unsigned char home_key(EditLine *el, int key)
{
    (void)key;
    return go_to(el, buffer_line_start(el, buffer_cursor(el)));
}

static unsigned char end_key(EditLine *el, int key)
{
    (void)key;
    return go_to(el, buffer_line_end(el, buffer_cursor(el)));
}

/* To the same place of a line that begins at start. */
static unsigned char go_to_line(EditLine *el, size_t start)
{
    size_t at = buffer_cursor(el), column = at - buffer_line_start(el, at);
    size_t end = buffer_line_end(el, start);
    return go_to(el, column < end - start ? start + column : end);
}

static unsigned char recall(EditLine *el, int step)
{
    return history_recall(line_editor_of(el), step) ? CC_REFRESH : CC_ERROR;
}

static unsigned char up_key(EditLine *el, int key)
{
    (void)key;
    size_t start = buffer_line_start(el, buffer_cursor(el));
    if (start == 0) return recall(el, 1);
    return go_to_line(el, buffer_line_start(el, start - PROMPT_WIDTH - 1));
}

static unsigned char down_key(EditLine *el, int key)
{
    (void)key;
    size_t end = buffer_line_end(el, buffer_cursor(el));
    if (end == buffer_len(el)) return recall(el, -1);
    return go_to_line(el, end + 1 + PROMPT_WIDTH);
}

/* ---- removing ---- */

static unsigned char backspace_key(EditLine *el, int key)
{
    (void)key;
    size_t at = buffer_cursor(el), start = buffer_line_start(el, at);
    if (at == 0) return CC_ERROR;
    buffer_remove(el, at > start ? at - 1 : start - PROMPT_WIDTH - 1, at);
    return CC_REFRESH;
}

/* The character at the cursor; a line's end goes with the next prompt. */
static unsigned char delete_key(EditLine *el, int key)
{
    (void)key;
    size_t at = buffer_cursor(el), end = buffer_line_end(el, at);
    if (at == buffer_len(el)) return CC_ERROR;
    buffer_remove(el, at, at < end ? at + 1 : at + 1 + PROMPT_WIDTH);
    return CC_REFRESH;
}

static unsigned char kill_key(EditLine *el, int key)
{
    size_t at = buffer_cursor(el), end = buffer_line_end(el, at);
    if (at == end) return delete_key(el, key);
    buffer_remove(el, at, end);
    return CC_REFRESH;
}

/* ---- below the entry ---- */

/* Shows what is in e->below. The cursor goes to the entry's end first, which is on the screen only
 * when another key comes. */
static unsigned char show_below(LineEditor *e)
{
    e->back = buffer_cursor(e->el);
    buffer_go(e->el, buffer_len(e->el));
    el_push(e->el, KEY_SHOW);
    return CC_REFRESH;
}

static unsigned char show_key(EditLine *el, int key)
{
    (void)key;
    LineEditor *e = line_editor_of(el);
    printf("\n%s\n", strbuf_str(&e->below));
    fflush(stdout);
    e->below.len = 0;
    buffer_go(el, e->back);
    buffer_draw(e);
    return CC_NORM;
}

static unsigned char remark(LineEditor *e, const char *text)
{
    e->below.len = 0;
    strbuf_text(&e->below, text);
    return show_below(e);
}

/* ---- ending ---- */

/* Ends the entry below its last line. */
static unsigned char accept(EditLine *el)
{
    buffer_go(el, buffer_len(el));
    el_push(el, KEY_ACCEPT);
    return CC_REFRESH;
}

static unsigned char cancel_key(EditLine *el, int key)
{
    (void)key;
    buffer_go(el, buffer_len(el));
    el_insertstr(el, "^C");
    line_editor_of(el)->was_interrupted = true;
    return accept(el);
}

/* Deletes before the end; at the end of an entry of several lines a second one abandons it. */
static unsigned char end_of_input_key(EditLine *el, int key)
{
    LineEditor *e = line_editor_of(el);
    size_t len = buffer_len(el);
    if (len == 0) return CC_EOF;
    if (buffer_cursor(el) < len) return delete_key(el, key);
    if (buffer_line_end(el, 0) == len) return CC_ERROR;
    if (e->key_before == CTRL_D) return cancel_key(el, key);
    return remark(e, "(this input is not complete yet; Ctrl-D again or Ctrl-C abandons it)");
}

/* ---- new lines ---- */

static size_t blanks_at(EditLine *el, size_t start)
{
    const wchar_t *text = el_wline(el)->buffer;
    size_t n = 0, end = buffer_line_end(el, start);
    while (start + n < end && text[start + n] == L' ') n++;
    return n;
}

/* Indented as the line before, and a step further behind an opening bracket. */
static void insert_line(EditLine *el)
{
    size_t at = buffer_cursor(el), start = buffer_line_start(el, at), last = at;
    const wchar_t *text = el_wline(el)->buffer;
    size_t blanks = blanks_at(el, start);
    if (blanks > at - start) blanks = at - start;
    while (last > start && text[last - 1] == L' ') last--;
    if (last > start && wcschr(L"({[", text[last - 1])) blanks += INDENT;
    StrBuf line = {0};
    strbuf_char(&line, '\n');
    if (line_editor_of(el)->has_escapes) strbuf_repeat(&line, ' ', blanks);
    buffer_insert(el, line.data);
    strbuf_free(&line);
}

static bool ends_in_empty_lines(const StrBuf *text)
{
    size_t end = text->len, newlines = 0;
    for (; end && strchr(" \n", text->data[end - 1]); end--)
        newlines += text->data[end - 1] == '\n';
    return newlines > 1;
}

static unsigned char enter_key(EditLine *el, int key)
{
    (void)key;
    LineEditor *e = line_editor_of(el);
    StrBuf text = {0};
    buffer_text(el, &text);
    bool is_whole = e->owner.is_whole(e->owner.context, strbuf_str(&text));
    bool is_lost = !is_whole && ends_in_empty_lines(&text);
    strbuf_free(&text);
    if (is_whole) return accept(el);
    insert_line(el);
    return is_lost ? remark(e, "(this input is not complete yet; Ctrl-C abandons it)") : CC_REFRESH;
}

static unsigned char new_line_key(EditLine *el, int key)
{
    (void)key;
    insert_line(el);
    return CC_REFRESH;
}

/* Where the bracket stands that a closing one at the cursor would close; strings and comments are
 * read as anything else. */
static size_t find_opening(EditLine *el)
{
    const wchar_t *text = el_wline(el)->buffer;
    int depth = 0;
    for (size_t i = buffer_cursor(el); i > 0; i--) {
        if (wcschr(L")}]", text[i - 1])) depth++;
        if (wcschr(L"({[", text[i - 1]) && depth-- == 0) return i - 1;
    }
    return 0;
}

/* The first character of a line goes under the beginning of the line that it closes. */
static unsigned char closing_key(EditLine *el, int key)
{
    size_t at = buffer_cursor(el), start = buffer_line_start(el, at);
    const char bracket[] = {(char)key, '\0'};
    if (start && at - start <= blanks_at(el, start) && line_editor_of(el)->has_escapes) {
        size_t blanks = blanks_at(el, buffer_line_start(el, find_opening(el)));
        if (blanks < at - start) buffer_remove(el, start + blanks, at);
    }
    return buffer_insert(el, bracket) ? CC_REFRESH : CC_ERROR;
}

/* ---- pasting ---- */

static bool ends_with(const StrBuf *b, const char *end)
{
    size_t len = strlen(end);
    return b->len >= len && memcmp(b->data + b->len - len, end, len) == 0;
}

/* Without the sequence at the end, escapes and last newlines: Enter is the user's to press. */
static void tidy_paste(StrBuf *text, size_t at_end)
{
    size_t n = 0;
    for (size_t i = 0; i + at_end < text->len; i++)
        if (text->data[i] != 033) text->data[n++] = text->data[i];
    while (n && text->data[n - 1] == '\n') n--;
    text->len = n;
    if (text->data) text->data[n] = '\0';
}

/* What the terminal sends between ESC[200~ and ESC[201~ is text, whatever is in it. */
static unsigned char paste_key(EditLine *el, int key)
{
    static const char end[] = "\033[201~";
    StrBuf text = {0};
    wchar_t c = (wchar_t)key;
    while (!ends_with(&text, end) && el_wgetc(el, &c) == 1 && c != CTRL_C) {
        if (c == L'\r') c = L'\n';
        if (c >= 0x20 || c == L'\n' || c == L'\t' || c == 033)
            strbuf_code_point(&text, (unsigned)c);
    }
    if (c == CTRL_C) {
        strbuf_free(&text);
        return cancel_key(el, key);
    }
    tidy_paste(&text, ends_with(&text, end) ? strlen(end) : 0);
    bool ok = buffer_insert(el, strbuf_str(&text));
    strbuf_free(&text);
    return ok ? CC_REFRESH : CC_ERROR;
}

/* ---- completion ---- */

static unsigned char insert_completion(LineEditor *e, Completions *c)
{
    if (c->item.len == 0) return CC_ERROR;
    StrBuf more = {0};
    completions_settle(c, &more);
    bool has_more = more.len && buffer_insert(e->el, more.data);
    strbuf_free(&more);
    if (has_more) return CC_REFRESH;
    if (c->item.len == 1) return CC_NORM;
    e->below.len = 0;
    completions_write(&e->below, c);
    return show_below(e);
}

static unsigned char complete_key(EditLine *el, int key)
{
    (void)key;
    LineEditor *e = line_editor_of(el);
    size_t at = buffer_cursor(el), start = buffer_line_start(el, at);
    if (at - start <= blanks_at(el, start))
        return buffer_insert(el, "    ") ? CC_REFRESH : CC_ERROR;
    StrBuf text = {0};
    size_t cursor = buffer_text(el, &text);
    Completions c = {.text = text.data, .cursor = cursor, .word = cursor};
    e->owner.complete(e->owner.context, &c);
    unsigned char result = insert_completion(e, &c);
    completions_free(&c);
    strbuf_free(&text);
    return result;
}

/* ---- the table ---- */

typedef unsigned char KeyFunction(EditLine *el, int key);

/* The wide form keeps the names it is given; the narrow one keeps copies that nobody frees. */
static const struct {
    const wchar_t *name, *help;
    KeyFunction *run;
    const char *keys[6];
} functions[] = {
    {L"viv-left", L"Go left", left_key, {"^B", "\\e[D", "\\eOD"}},
    {L"viv-right", L"Go right", right_key, {"^F", "\\e[C", "\\eOC"}},
    {L"viv-up", L"Go up, or to the entry before", up_key, {"^P", "\\e[A", "\\eOA", "\\ep"}},
    {L"viv-down", L"Go down, or to the entry after", down_key, {"^N", "\\e[B", "\\eOB", "\\en"}},
    {L"viv-home", L"Go to the line's start", home_key, {"^A", "\\e[H", "\\eOH", "\\e[1~"}},
    {L"viv-end", L"Go to the line's end", end_key, {"^E", "\\e[F", "\\eOF", "\\e[4~"}},
    {L"viv-backspace", L"Delete the character before", backspace_key, {"^H", "^?"}},
    {L"viv-delete", L"Delete the character at the cursor", delete_key, {"\\e[3~"}},
    {L"viv-kill", L"Delete to the line's end", kill_key, {"^K"}},
    {L"viv-cancel", L"Abandon the entry", cancel_key, {"^C"}},
    {L"viv-end-of-input", L"Delete, or end", end_of_input_key, {"^D"}},
    {L"viv-enter", L"End the entry, or begin its next line", enter_key, {"^M", "^J"}},
    {L"viv-new-line", L"Begin a new line", new_line_key, {"\\e^M", "\\e^J"}},
    {L"viv-closing", L"Insert a closing bracket", closing_key, {")", "]", "}"}},
    {L"viv-paste", L"Insert pasted text", paste_key, {"\\e[200~"}},
    {L"viv-complete", L"Complete a name", complete_key, {"^I"}},
    {L"viv-search", L"Search the history", history_search_key, {"^R", "^S"}},
    {L"viv-show", L"Show what is below", show_key, {KEY_SHOW}},
};

void line_bind_keys(EditLine *el)
{
    static const char *const others[][2] = {{KEY_ACCEPT, "ed-newline"},
                                            {"^W", "ed-delete-prev-word"},
                                            {"\\e[1;5C", "em-next-word"},
                                            {"\\e[1;5D", "ed-prev-word"}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        el_wset(el, EL_ADDFN, functions[i].name, functions[i].help, functions[i].run);
        char name[32];
        wcstombs(name, functions[i].name, sizeof name);
        for (const char *const *key = functions[i].keys; *key; key++)
            el_set(el, EL_BIND, *key, name, NULL);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        el_set(el, EL_BIND, others[i][0], others[i][1], NULL);
}

#include "cli/repl/line/candidates.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"

void completions_add(Completions *c, const char *candidate)
{
    size_t len = c->cursor - c->word;
    if (strncmp(candidate, c->text + c->word, len) != 0) return;
    VEC_PUSH(&c->item, mem_strndup(candidate, strlen(candidate)));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_candidates(Completions *c)
{
    int n = 0;
    if (c->item.len) qsort(c->item.item, (size_t)c->item.len, sizeof *c->item.item, by_text);
    for (int i = 0; i < c->item.len; i++) {
        if (n && strcmp(c->item.item[n - 1], c->item.item[i]) == 0)
            mem_free(c->item.item[i]);
        else
            c->item.item[n++] = c->item.item[i];
    }
    c->item.len = n;
}

/* How far all candidates agree, in whole characters. */
static size_t common_length(const Completions *c)
{
    const char *first = c->item.item[0], *last = c->item.item[c->item.len - 1];
    size_t n = 0;
    while (first[n] && first[n] == last[n]) n++;
    while (n && ((unsigned char)first[n] & 0xC0) == 0x80) n--;
    return n;
}

static int characters(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

/* In columns that are read downwards. */
void completions_write(StrBuf *out, const Completions *c)
{
    int widest = 1;
    for (int i = 0; i < c->item.len; i++) {
        int width = characters(c->item.item[i]);
        if (width > widest) widest = width;
    }
    int screen = terminal_width(STDOUT_FILENO), columns = (screen ? screen : 80) / (widest + 2);
    if (columns < 1) columns = 1;
    int rows = (c->item.len + columns - 1) / columns;
    for (int row = 0; row < rows; row++) {
        if (row) strbuf_char(out, '\n');
        for (int i = row; i < c->item.len; i += rows)
            strbuf_printf(out, "%s%*s", c->item.item[i], widest + 2 - characters(c->item.item[i]),
                          "");
    }
}

void completions_settle(Completions *c, StrBuf *more)
{
    sort_candidates(c);
    size_t typed = c->cursor - c->word, common = common_length(c);
    strbuf_bytes(more, c->item.item[0] + typed, common - typed);
    if (c->item.len == 1 && c->ending) strbuf_text(more, c->ending);
}

void completions_free(Completions *c)
{
    for (int i = 0; i < c->item.len; i++) mem_free(c->item.item[i]);
    VEC_FREE(&c->item);
}

#include "cli/entry.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "syntax/source.h"

enum { TEXT_WIDTH = 78, ENTRY_INDENT = 4, NAME_COLUMN = 22 };

/* ---- source text ---- */

/* How much of a source is passed over: a comment's text, or nothing. */
static size_t comment_length(const char *text, size_t len)
{
    const char *end = text[0] == '#' ? memchr(text, '\n', len) : text;
    return end ? (size_t)(end - text) : len;
}

/* The length of a string with its quotes; 0 where none begins. */
static size_t string_length(const char *text, size_t len)
{
    if (text[0] != '"') return 0;
    for (size_t i = 1; i < len; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '"')
            return i + 1;
    }
    return len;
}

/* What stands between two parts of a source: nothing, a blank, or a comma where the line was the
 * end of a field. */
static void write_gap(StrBuf *out, bool is_blank, bool ends_field, char next)
{
    char last = out->len ? out->data[out->len - 1] : '(';
    bool closes = next == ')' || next == '}';
    if (!is_blank) return;
    if (closes && last == ',') out->len--;
    if (ends_field && !closes && last != '{' && last != ',') strbuf_char(out, ',');
    if (next != ')' && last != '(') strbuf_char(out, ' ');
}

void entry_write_source(StrBuf *out, Span span)
{
    size_t len;
    const char *text = source_text(span, &len);
    bool is_blank = false, ends_field = false;
    int depth = 0, braces = 0;
    for (size_t i = 0; i < len;) {
        size_t comment = comment_length(text + i, len - i),
               string = string_length(text + i, len - i);
        if (comment || strchr(" \t\r\n", text[i])) {
            is_blank = true;
            ends_field |= text[i] == '\n' && depth == 1 && braces == 1;
            i += comment ? comment : 1;
            continue;
        }
        write_gap(out, is_blank, ends_field, text[i]);
        depth += (strchr("([{", text[i]) != NULL) - (strchr(")]}", text[i]) != NULL);
        braces += (text[i] == '{') - (text[i] == '}');
        strbuf_bytes(out, text + i, string ? string : 1);
        is_blank = ends_field = false;
        i += string ? string : 1;
    }
}

/* ---- layout ---- */

static int characters(const char *text, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* What stands between two ` is one word. */
static size_t word_length(const char *word)
{
    size_t len = 0;
    bool is_code = false;
    for (; word[len] && word[len] != '\n' && (is_code || word[len] != ' '); len++)
        is_code ^= word[len] == '`';
    return len;
}

void entry_write_wrapped(StrBuf *out, const char *lead, int indent, const char *text)
{
    int column = indent;
    if ((int)strlen(lead) >= indent && indent > 0)
        strbuf_printf(out, "%s\n%*s", lead, indent, "");
    else
        strbuf_printf(out, "%-*s", indent, lead);
    for (const char *word = text; *word;) {
        size_t len = word_length(word);
        int width = characters(word, len);
        if (column > indent && column + 1 + width > TEXT_WIDTH) {
            strbuf_printf(out, "\n%*s", indent, "");
            column = indent;
        }
        if (column > indent && len) strbuf_char(out, ' ');
        strbuf_bytes(out, word, len);
        column += width + (column > indent);
        word += len;
        bool breaks = word[0] == '\n' && (word[1] == '\n' || word[1] == ' ');
        if (breaks) strbuf_printf(out, "\n%*s", indent, "");
        if (breaks) column = indent;
        word += strspn(word, " \n");
    }
    strbuf_char(out, '\n');
}

void entry_write_doc(StrBuf *out, const char *doc)
{
    if (doc) entry_write_wrapped(out, "", ENTRY_INDENT, doc);
}

void entry_write_row(StrBuf *out, const char *name, const char *doc)
{
    StrBuf lead = {0}, sentence = {0};
    strbuf_printf(&lead, "%*s%s", ENTRY_INDENT, "", name);
    const char *end = doc;
    while (*end && !(end[0] == '.' && strchr(" \n", end[1]))) end++;
    strbuf_bytes(&sentence, doc, (size_t)(end - doc) + (*end == '.'));
    entry_write_wrapped(out, strbuf_str(&lead), NAME_COLUMN, strbuf_str(&sentence));
    strbuf_free(&lead);
    strbuf_free(&sentence);
}

void entry_write_head(StrBuf *out, Span span)
{
    StrBuf head = {0};
    size_t len;
    const char *line = source_text(span, &len), *end = line + len;
    if (len > 1 && line[0] == '#' && line[1] == '!') line += strcspn(line, "\n") + 1;
    while (line < end && line[0] == '#' && line[1] != '#') {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        line += strspn(line, "# ");
        if (line < stop) strbuf_bytes(&head, line, (size_t)(stop - line) + (stop < end));
        line = stop + (stop < end);
    }
    if (head.len) entry_write_doc(out, strbuf_str(&head));
    strbuf_free(&head);
}

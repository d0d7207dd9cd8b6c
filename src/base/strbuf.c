#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void strbuf_reserve(StrBuf *b, size_t extra)
{
    size_t need = b->len + extra + 1;
    if (need <= b->cap) return;
    size_t cap = b->cap ? b->cap : 32;
    while (cap < need) cap *= 2;
    b->data = mem_realloc(b->data, cap);
    b->cap = cap;
}

void strbuf_bytes(StrBuf *b, const char *text, size_t len)
{
    strbuf_reserve(b, len);
    if (len) memcpy(b->data + b->len, text, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void strbuf_char(StrBuf *b, char c)
{
    strbuf_bytes(b, &c, 1);
}

void strbuf_text(StrBuf *b, const char *text)
{
    strbuf_bytes(b, text, strlen(text));
}

void strbuf_code_point(StrBuf *b, unsigned code)
{
    char out[4];
    size_t len;
    if (code < 0x80) {
        out[0] = (char)code;
        len = 1;
    } else if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        len = 2;
    } else if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        len = 3;
    } else {
        out[0] = (char)(0xF0 | code >> 18);
        out[1] = (char)(0x80 | (code >> 12 & 0x3F));
        out[2] = (char)(0x80 | (code >> 6 & 0x3F));
        out[3] = (char)(0x80 | (code & 0x3F));
        len = 4;
    }
    strbuf_bytes(b, out, len);
}

void strbuf_visible(StrBuf *b, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        unsigned char next = i + 1 < len ? (unsigned char)text[i + 1] : 0;
        if (c == 0xC2 && next >= 0x80 && next < 0xA0) { /* U+0080 to U+009F */
            strbuf_printf(b, "\\u{%x}", (unsigned)next);
            i++;
        } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
            strbuf_printf(b, "\\x%02x", (unsigned)c);
        } else {
            strbuf_char(b, (char)c);
        }
    }
}

void strbuf_repeat(StrBuf *b, char c, size_t count)
{
    strbuf_reserve(b, count);
    memset(b->data + b->len, c, count);
    b->len += count;
    b->data[b->len] = '\0';
}

void strbuf_vprintf(StrBuf *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0) return;
    strbuf_reserve(b, (size_t)len);
    vsnprintf(b->data + b->len, (size_t)len + 1, format, args);
    b->len += (size_t)len;
}

void strbuf_printf(StrBuf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vprintf(b, format, args);
    va_end(args);
}

char *strbuf_take(StrBuf *b)
{
    strbuf_reserve(b, 0);
    b->data[b->len] = '\0';
    char *text = b->data;
    *b = (StrBuf){0};
    return text;
}

const char *strbuf_str(const StrBuf *b)
{
    return b->data ? b->data : "";
}

void strbuf_free(StrBuf *b)
{
    mem_free(b->data);
    *b = (StrBuf){0};
}

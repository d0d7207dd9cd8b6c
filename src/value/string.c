#include <string.h>

#include "value/value.h"

static size_t count_chars(const char *text, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* FNV-1a, 32 bits, as in base/symbol.c. */
static uint32_t hash_of(const char *text, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

Str *str_new(const char *text, size_t len)
{
    Str *s = pool_alloc(sizeof *s + len + 1);
    s->head.refs = 1;
    s->len = len;
    if (len) memcpy(s->text, text, len);
    s->text[len] = '\0';
    s->hash = hash_of(s->text, len);
    s->n_chars = count_chars(s->text, len);
    return s;
}

Str *str_of(const char *text)
{
    return str_new(text, strlen(text));
}

Str *str_from_buffer(StrBuf *b)
{
    Str *s = str_new(strbuf_str(b), b->len);
    strbuf_free(b);
    return s;
}

bool str_equal(const Str *a, const Str *b)
{
    return a == b ||
           (a->hash == b->hash && a->len == b->len && memcmp(a->text, b->text, a->len) == 0);
}

/* UTF-8 sorts by bytes as it does by code points. */
int str_compare(const Str *a, const Str *b)
{
    size_t n = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->text, b->text, n);
    if (order) return order;
    return (a->len > b->len) - (a->len < b->len);
}

size_t str_offset(const Str *s, size_t i)
{
    if (s->n_chars == s->len) return i;
    size_t at = 0;
    while (i > 0 && at < s->len) {
        at++;
        while (at < s->len && ((unsigned char)s->text[at] & 0xC0) == 0x80) at++;
        i--;
    }
    return at;
}

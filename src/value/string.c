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

static Str *str_room(size_t len)
{
    Str *s = pool_alloc(sizeof *s + len + 1);
    s->head.refs = 1;
    s->len = len;
    s->hash = 0;
    s->text[len] = '\0';
    return s;
}

uint32_t str_hash(Str *s)
{
    if (!s->hash) s->hash = hash_of(s->text, s->len);
    return s->hash;
}

Str *str_join(const Str *a, const Str *b)
{
    Str *s = str_room(a->len + b->len);
    memcpy(s->text, a->text, a->len);
    memcpy(s->text + a->len, b->text, b->len);
    s->n_chars = a->n_chars + b->n_chars;
    return s;
}

Str *str_new(const char *text, size_t len)
{
    Str *s = str_room(len);
    if (len) memcpy(s->text, text, len);
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
    return a == b || (a->len == b->len && memcmp(a->text, b->text, a->len) == 0);
}

/* UTF-8 sorts by bytes as it does by code points. */
int str_compare(const Str *a, const Str *b)
{
    size_t n = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->text, b->text, n);
    if (order) return order;
    return (a->len > b->len) - (a->len < b->len);
}

static bool is_inside(const Str *s, size_t at)
{
    return ((unsigned char)s->text[at] & 0xC0) == 0x80;
}

size_t str_move(const Str *s, size_t at, int64_t by)
{
    if (s->n_chars == s->len && by >= 0) return s->len - at > (size_t)by ? at + (size_t)by : s->len;
    for (; by > 0 && at < s->len; by--) do
            at++;
        while (at < s->len && is_inside(s, at));
    for (; by < 0 && at > 0; by++) do
            at--;
        while (at > 0 && is_inside(s, at));
    return at;
}

size_t str_offset(const Str *s, size_t i)
{
    return str_move(s, 0, (int64_t)i);
}

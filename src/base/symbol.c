#include "base/symbol.h"

#include <string.h>

#include "base/mem.h"

static struct {
    struct SymbolText **slot; /* open addressing, linear probing */
    uint32_t cap, len;
} table;

/* FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t hash_of(const char *text, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static void grow(void)
{
    uint32_t cap = table.cap ? table.cap * 2 : 512;
    struct SymbolText **slot = mem_calloc(cap, sizeof *slot);
    for (uint32_t i = 0; i < table.cap; i++) {
        struct SymbolText *s = table.slot[i];
        if (!s) continue;
        uint32_t at = s->hash & (cap - 1);
        while (slot[at]) at = (at + 1) & (cap - 1);
        slot[at] = s;
    }
    mem_free(table.slot);
    table.slot = slot;
    table.cap = cap;
}

Symbol symbol_intern(const char *text, size_t len)
{
    if (table.len * 2 >= table.cap) grow();
    uint32_t hash = hash_of(text, len);
    uint32_t at = hash & (table.cap - 1);
    for (; table.slot[at]; at = (at + 1) & (table.cap - 1)) {
        struct SymbolText *s = table.slot[at];
        if (s->hash == hash && s->len == len && memcmp(s->text, text, len) == 0) return s;
    }
    struct SymbolText *s = mem_alloc(sizeof *s + len + 1);
    s->hash = hash;
    s->len = (uint32_t)len;
    memcpy(s->text, text, len);
    s->text[len] = '\0';
    table.slot[at] = s;
    table.len++;
    return s;
}

Symbol symbol_of(const char *text)
{
    return symbol_intern(text, strlen(text));
}

void symbols_free(void)
{
    for (uint32_t i = 0; i < table.cap; i++) mem_free(table.slot[i]);
    mem_free(table.slot);
    table.slot = NULL;
    table.cap = table.len = 0;
}

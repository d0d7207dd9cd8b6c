#include "syntax/symbol_map.h"

#include <stddef.h>

#include "base/mem.h"

typedef struct SymbolMapEntry {
    Symbol name; /* NULL: free */
    int value;
} SymbolMapEntry;

enum { FIRST_CAP = 16 };

static SymbolMapEntry *place(const SymbolMap *map, Symbol name)
{
    uint32_t at = name->hash & (map->cap - 1);
    while (map->entry[at].name && map->entry[at].name != name) at = (at + 1) & (map->cap - 1);
    return &map->entry[at];
}

int symbol_map_get(const SymbolMap *map, Symbol name)
{
    if (map->len == 0) return -1;
    const SymbolMapEntry *e = place(map, name);
    return e->name ? e->value : -1;
}

static void grow(SymbolMap *map)
{
    SymbolMap bigger = {.cap = map->cap ? map->cap * 2 : FIRST_CAP, .len = map->len};
    bigger.entry = mem_calloc(bigger.cap, sizeof *bigger.entry);
    for (uint32_t i = 0; i < map->cap; i++) {
        if (map->entry[i].name) *place(&bigger, map->entry[i].name) = map->entry[i];
    }
    mem_free(map->entry);
    *map = bigger;
}

void symbol_map_put(SymbolMap *map, Symbol name, int value)
{
    if (map->len * 2 >= map->cap) grow(map);
    SymbolMapEntry *e = place(map, name);
    if (!e->name) map->len++;
    *e = (SymbolMapEntry){name, value};
}

void symbol_map_free(SymbolMap *map)
{
    mem_free(map->entry);
    *map = (SymbolMap){0};
}

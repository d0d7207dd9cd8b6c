/* Symbol to int, by open addressing: the one table behind scopes, globals and duplicate checks.
 * Symbols are interned, so a lookup compares pointers. Zero-initialise it. */
#ifndef SYNTAX_SYMBOL_MAP_H
#define SYNTAX_SYMBOL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/symbol.h"

typedef struct {
    struct SymbolMapEntry *entry;
    uint32_t cap, len;
} SymbolMap;

/* The value of a name, or -1. */
int symbol_map_get(const SymbolMap *map, Symbol name);
/* Sets the value (0 or more) of a name, new or not. */
void symbol_map_put(SymbolMap *map, Symbol name, int value);
void symbol_map_free(SymbolMap *map);

#endif

/* Interned names: two symbols are the same name exactly when they are the same pointer. They live
 * until symbols_free. */
#ifndef BASE_SYMBOL_H
#define BASE_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

typedef const struct SymbolText {
    uint32_t hash, len;
    char text[];
} * Symbol;

Symbol symbol_intern(const char *text, size_t len);
Symbol symbol_of(const char *text);
/* At exit. */
void symbols_free(void);

#endif

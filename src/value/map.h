/* Maps: insertion-ordered, keys Str, Int or Bool. */
#ifndef VALUE_MAP_H
#define VALUE_MAP_H

#include "value/value.h"

typedef struct {
    Value key, value;
} MapEntry;

typedef struct Map {
    Obj head;
    int len, cap;
    MapEntry *entry; /* in order of insertion */
    int32_t *index;  /* open addressing over entries, −1 empty; n_index slots, a power of two */
    int n_index;
} Map;

Map *map_new(void);
Map *map_copy(const Map *m);
void map_free(Map *m);
/* Str, Int or Bool; else ERR_TYPE. */
bool map_key_check(Value key, Error *err);
/* The value's place, or NULL. The place is valid until the next map_put. */
Value *map_get(const Map *m, Value key);
/* The place of key's value, made (unset) when new; key is retained. m must not be shared. */
Value *map_put(Map *m, Value key);

#endif

/* An arena: many small allocations, freed together. Used for syntax trees and tape records. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct Arena {
    struct ArenaChunk *chunk; /* newest first */
    char *next, *end;
} Arena;

/* size bytes aligned to 8, uninitialised. */
void *arena_alloc(Arena *a, size_t size);
/* The same, zeroed. */
void *arena_zeroed(Arena *a, size_t size);
void arena_free(Arena *a);

#endif

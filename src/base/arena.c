#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

typedef struct ArenaChunk {
    struct ArenaChunk *older;
    size_t size;
} ArenaChunk;

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

static ArenaChunk *new_chunk(Arena *a, size_t size)
{
    size_t bytes = a->chunk ? a->chunk->size * 2 : FIRST_CHUNK;
    if (bytes > LARGEST_CHUNK) bytes = LARGEST_CHUNK;
    if (bytes < size) bytes = size;
    ArenaChunk *c = mem_alloc(sizeof *c + bytes);
    c->size = bytes;
    return c;
}

void *arena_alloc(Arena *a, size_t size)
{
    size = size ? (size + 7) & ~(size_t)7 : 8;
    if (!a->chunk || (size_t)(a->end - a->next) < size) {
        ArenaChunk *c = new_chunk(a, size);
        c->older = a->chunk;
        a->chunk = c;
        a->next = (char *)(c + 1);
        a->end = a->next + c->size;
    }
    void *ptr = a->next;
    a->next += size;
    return ptr;
}

void *arena_zeroed(Arena *a, size_t size)
{
    return memset(arena_alloc(a, size), 0, size);
}

void arena_free(Arena *a)
{
    while (a->chunk) {
        ArenaChunk *older = a->chunk->older;
        mem_free(a->chunk);
        a->chunk = older;
    }
    *a = (Arena){0};
}

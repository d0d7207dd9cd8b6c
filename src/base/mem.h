/* Memory: every allocation of the program goes through here.
 *
 * Three kinds, by what they are for:
 *   mem_*    general blocks (strings, growable arrays); never fail, the process ends with a message
 *            instead
 *   pool_*   small objects of known size, from size-class free lists; never fail
 *   block_*  the data of arrays: may be huge, so they can fail, and large ones are recycled, because
 *            a fresh page costs more than the arithmetic done on it
 *
 * Sanitizer and stress builds bypass the free lists, so that a use after free is seen, unless
 * VIV_POOLS asks for them. A stress build also counts what is alive (mem_live) and fills freed blocks, and VIV_FAIL_ALLOC=N in its
 * environment makes the N-th block_try fail. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* size bytes, uninitialised; free with mem_free. */
void *mem_alloc(size_t size);
/* count * size zeroed bytes; the product is checked. */
void *mem_calloc(size_t count, size_t size);
/* Resizes a mem_alloc block (NULL allowed). */
void *mem_realloc(void *ptr, size_t size);
/* Accepts NULL. */
void mem_free(void *ptr);
/* A NUL-terminated copy of len bytes. */
char *mem_strndup(const char *text, size_t len);

/* A small object; give the same size back to pool_free. */
void *pool_alloc(size_t size);
void pool_free(void *ptr, size_t size);

/* Array data, aligned to 64 bytes; NULL when memory is short. zeroed asks for zeros. */
void *block_try(size_t size, bool zeroed);
void block_free(void *ptr, size_t size);
/* Counts array data that lives elsewhere. */
void block_note(size_t size);
/* Bytes of array data handed out so far, recycled or not. */
uint64_t mem_block_bytes(void);

/* Allocations alive, in stress builds; 0 elsewhere. */
int64_t mem_live(void);
/* Gives every recycled block back to the system. */
void mem_trim(void);

#endif

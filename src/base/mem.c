#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#if defined(VIV_POOLS) || !(defined(VIV_STRESS) || defined(__SANITIZE_ADDRESS__))
#define RECYCLE 1
#else
#define RECYCLE 0
#endif

enum {
    POOL_STEP = 16,
    POOL_CLASSES = 32,    /* up to 512 bytes */
    POOL_CHUNK = 1 << 16, /* carved into objects of one class */
    BLOCK_ALIGN = 64,
    BLOCK_CLASSES = 48,         /* powers of two */
    BLOCK_RECYCLED_FROM = 10,   /* 1 KiB */
    BLOCK_KEPT = 2,             /* blocks kept a class in any case, … */
    BLOCK_KEPT_BYTES = 1 << 28, /* … and while those of all classes take no more */
};

static int64_t live;

int64_t mem_live(void)
{
    return live;
}

static void count(int by)
{
#ifdef VIV_STRESS
    live += by;
#else
    (void)by;
#endif
}

static void *or_die(void *ptr)
{
    if (!ptr) {
        fputs("viv: out of memory\n", stderr);
        exit(1);
    }
    return ptr;
}

void *mem_alloc(size_t size)
{
    count(1);
    return or_die(malloc(size ? size : 1));
}

void *mem_calloc(size_t n, size_t size)
{
    count(1);
    return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *mem_realloc(void *ptr, size_t size)
{
    if (!ptr) count(1);
    return or_die(realloc(ptr, size ? size : 1));
}

void mem_free(void *ptr)
{
    if (ptr) count(-1);
    free(ptr);
}

char *mem_strndup(const char *text, size_t len)
{
    char *copy = mem_alloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

typedef struct Free {
    struct Free *next;
} Free;

/* Onto a free list and back. What lies there is filled in a stress build, and out of bounds under
 * AddressSanitizer, but for the link. */
static void put(Free **list, void *ptr, size_t size)
{
    Free *f = ptr;
    if (size > sizeof *f) {
#ifdef VIV_STRESS
        memset(f + 1, 0xff, size - sizeof *f); /* all-ones is a NaN */
#endif
        ASAN_POISON_MEMORY_REGION(f + 1, size - sizeof *f);
    }
    f->next = *list;
    *list = f;
}

static void *take(Free **list, size_t size)
{
    Free *f = *list;
    *list = f->next;
    ASAN_UNPOISON_MEMORY_REGION(f, size);
    return f;
}

#if RECYCLE

static Free *pool[POOL_CLASSES + 1];

static void pool_refill(size_t class)
{
    size_t size = class * POOL_STEP;
    char *chunk = or_die(malloc(POOL_CHUNK));
    for (size_t i = POOL_CHUNK / size; i > 0; i--) put(&pool[class], chunk + (i - 1) * size, size);
}

void *pool_alloc(size_t size)
{
    size_t class = (size + POOL_STEP - 1) / POOL_STEP;
    if (class > POOL_CLASSES || class == 0) return mem_alloc(size);
    if (!pool[class]) pool_refill(class);
    count(1);
    return take(&pool[class], size);
}

void pool_free(void *ptr, size_t size)
{
    size_t class = (size + POOL_STEP - 1) / POOL_STEP;
    if (class > POOL_CLASSES || class == 0) {
        mem_free(ptr);
        return;
    }
    count(-1);
    put(&pool[class], ptr, size);
}

#else

void *pool_alloc(size_t size)
{
    return mem_alloc(size);
}

void pool_free(void *ptr, size_t size)
{
    memset(ptr, 0xff, size);
    mem_free(ptr);
}

#endif

static bool fails_on_request(void)
{
#ifdef VIV_STRESS
    static int64_t countdown = -2;
    if (countdown == -2) {
        const char *text = getenv("VIV_FAIL_ALLOC");
        countdown = text ? strtoll(text, NULL, 10) : -1;
    }
    return countdown > 0 && --countdown == 0;
#else
    return false;
#endif
}

/* A block's class is the power of two that holds it; quarter steps would waste less, but reuse
 * less. */
static int block_class(size_t size)
{
    int class = 6;
    while (((size_t)1 << class) < size) class ++;
    return class;
}

static struct {
    Free *first;
    int len;
} kept[BLOCK_CLASSES];

static size_t kept_bytes;

static uint64_t block_bytes;

uint64_t mem_block_bytes(void)
{
    return block_bytes;
}

void block_note(size_t size)
{
    block_bytes += size;
}

/* Random access to a few arrays of 8 MB meets more small pages than the processor remembers. Not
 * for zeroed blocks: of those a program may touch few pages. */
static void ask_for_large_pages(char *raw, size_t bytes)
{
    enum { PAGE = 4096, LARGE = 1 << 22 };
#ifdef MADV_HUGEPAGE
    if (bytes < LARGE) return;
    size_t skip = PAGE - (size_t)((uintptr_t)raw % PAGE);
    madvise(raw + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE); /* only a wish */
#else
    (void)raw, (void)bytes;
#endif
}

void *block_try(size_t size, bool zeroed)
{
    if (fails_on_request() || size > ((size_t)1 << 46)) return NULL;
    block_bytes += size;
    int class = block_class(size);
    void *ptr;
    if (RECYCLE && kept[class].first) {
        ptr = take(&kept[class].first, size);
        kept[class].len--;
        kept_bytes -= (size_t)1 << class;
        if (zeroed) memset(ptr, 0, size);
    } else if (zeroed && size >= (1u << 20)) {
        /* Fresh pages from the system are zero already; calloc knows, memset would touch them all.
         */
        char *raw = calloc(1, ((size_t)1 << class) + 2 * BLOCK_ALIGN);
        if (!raw) return NULL;
        size_t shift = BLOCK_ALIGN - (size_t)((uintptr_t)raw % BLOCK_ALIGN);
        raw[shift - 1] = (char)shift;
        count(1);
        return raw + shift;
    } else {
        size_t bytes = RECYCLE ? (size_t)1 << class : size;
        char *raw = malloc(bytes + BLOCK_ALIGN);
        if (!raw) return NULL;
        ask_for_large_pages(raw, bytes);
        size_t shift = BLOCK_ALIGN - (size_t)((uintptr_t)raw % BLOCK_ALIGN);
        raw[shift - 1] = (char)shift;
        ptr = raw + shift;
        if (zeroed) memset(ptr, 0, size);
    }
    count(1);
    return ptr;
}

/* The byte before a block says how far the system's own block begins before it (1 to 64). */
static void block_to_system(void *ptr)
{
    char *p = ptr;
    free(p - (unsigned char)p[-1]);
}

void block_free(void *ptr, size_t size)
{
    count(-1);
    int class = block_class(size);
    size_t bytes = (size_t)1 << class;
    bool fits = kept[class].len < BLOCK_KEPT || kept_bytes + bytes <= BLOCK_KEPT_BYTES;
    if (RECYCLE && fits && class < 31) {
        put(&kept[class].first, ptr, size);
        kept[class].len++;
        kept_bytes += bytes;
        return;
    }
#ifdef VIV_STRESS
    memset(ptr, 0xff, size); /* all-ones is a NaN */
#endif
    block_to_system(ptr);
}

void mem_trim(void)
{
    for (int class = 0; class < BLOCK_CLASSES; class ++) {
        while (kept[class].first) {
            block_to_system(take(&kept[class].first, (size_t)1 << class));
        }
        kept[class].len = 0;
    }
    kept_bytes = 0;
}

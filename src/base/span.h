/* A place in the source text: half-open byte range in the one position space of all loaded files
 * (syntax/source.h maps it back to file, line and column). Position 0 belongs to no file, so {0, 0}
 * means "nowhere". */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t start, end;
} Span;

static inline bool span_is_set(Span s)
{
    return s.end != 0;
}

/* From the start of a to the end of b. */
static inline Span span_join(Span a, Span b)
{
    return (Span){a.start, b.end};
}

#endif

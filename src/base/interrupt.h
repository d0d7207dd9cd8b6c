/* The flag that Ctrl-C sets. Loops, calls and long kernels poll it. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <signal.h>
#include <stdint.h>

#include "base/error.h"

extern volatile sig_atomic_t interrupt_flag;
/* 0, or the signal (SIGTERM, SIGHUP) that ends the process in the same way: then the flag stays up. */
extern volatile sig_atomic_t interrupt_ends;

/* Fails with ERR_INTERRUPT when the flag is up, and takes it down. */
bool interrupt_take(Error *err);

static inline bool interrupt_poll(Error *err)
{
    return interrupt_flag == 0 || interrupt_take(err);
}

/* Long work is done in stretches, between which the flag is polled:
 *
 *     Stretch s = {0};
 *     while (stretch_next(&s, n, err))
 *         for (int64_t i = s.start; i < s.end; i++) …
 *     return stretch_done(&s, n);
 *
 * Of n units, none of which takes as long as a microsecond. */
typedef struct {
    int64_t start, end;
} Stretch;

enum { STRETCH_UNITS = 1 << 14 };

/* Of n rows of so many units. */
static inline bool stretch_rows(Stretch *s, int64_t n, int64_t units, Error *err)
{
    if (s->end >= n || (s->end > 0 && !interrupt_poll(err))) return false;
    int64_t rows = units < STRETCH_UNITS ? STRETCH_UNITS / (units > 0 ? units : 1) : 1;
    s->start = s->end;
    s->end = n - s->start > rows ? s->start + rows : n;
    return true;
}

static inline bool stretch_next(Stretch *s, int64_t n, Error *err)
{
    return stretch_rows(s, n, 1, err);
}

/* Whether nothing came in between. */
static inline bool stretch_done(const Stretch *s, int64_t n)
{
    return s->end >= n;
}

#endif

/* any and all: of what is not zero. */
#include <string.h>

#include "array/reduce/parts.h"
#include "array/simd/simd.h"
#include "base/interrupt.h"

/* Whether n elements from offset on, step apart, are not zero. */
static const bool *load(const Array *a, int64_t offset, int64_t step, int64_t n, bool *room)
{
    if (step == 1) {
        const bool *at = (const bool *)a->data + offset * (int64_t)dtype_size(a->dtype);
        if (a->dtype == DT_BOOL) return at;
        simd_loop(simd_level(), EW_TO_BOOL, a->dtype)(at, NULL, NULL, room, n);
        return room;
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t at = offset + i * step;
        room[i] = a->dtype == DT_FLOAT ? array_floats(a)[at] != 0
                  : a->dtype == DT_INT ? array_ints(a)[at] != 0
                                       : array_bools(a)[at];
    }
    return room;
}

/* Looks for the element that decides: a true one for any, a false one for all. */
static bool column(Tile *t, bool *out, Error *err)
{
    enum { ROOM = 1024 };
    bool room[ROOM], decides = t->f == RD_ANY;
    Rows rows = t->rows;
    int64_t step = rows.axes.step[0], first;
    *out = !decides;
    for (int64_t done = 0, n; done < rows.n; done += n) {
        n = rows_take(&rows, ROOM, &first);
        if (memchr(load(t->a, t->first + first, step, n, room), decides, (size_t)n)) {
            *out = decides;
            return true;
        }
        if (done % POLL_ELEMENTS + n >= POLL_ELEMENTS && !interrupt_poll(err)) return false;
    }
    return true;
}

static void fold_row(Reduction f, bool *restrict to, const bool *restrict x, int width)
{
    unsigned char *out = (unsigned char *)to;
    const unsigned char *in = (const unsigned char *)x;
    if (f == RD_ANY) {
        for (int j = 0; j < width; j++) out[j] |= in[j];
    } else {
        for (int j = 0; j < width; j++) out[j] &= in[j];
    }
}

static bool columns(Tile *t, bool *out, Error *err)
{
    int64_t since_poll = 0, offset;
    bool room[TILE_WIDTH];
    memset(out, t->f == RD_ALL, (size_t)t->width);
    for (int64_t i = 0; i < t->rows.n; i++) {
        rows_next(&t->rows, 1, &offset);
        fold_row(t->f, out, load(t->a, t->first + offset, t->step, t->width, room), t->width);
        since_poll += t->width;
        if (since_poll < POLL_ELEMENTS) continue;
        since_poll = 0;
        if (!interrupt_poll(err)) return false;
    }
    return true;
}

bool reduce_truth_tile(Tile *t, bool *out, Error *err)
{
    const Walk *axes = &t->rows.axes;
    bool is_run = t->width == 1 && axes->rank == 0 && axes->step[0] == 1;
    if (is_run && t->a->dtype == DT_BOOL) {
        const bool *x = array_bools(t->a) + t->first;
        bool decides = t->f == RD_ANY;
        *out = memchr(x, decides, (size_t)t->rows.n) ? decides : !decides;
        return true;
    }
    return t->width == 1 ? column(t, out, err) : columns(t, out, err);
}

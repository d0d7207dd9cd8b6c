/* Where the extremes are. */
#include <string.h>

#include "array/reduce/parts.h"
#include "array/simd/simd.h"
#include "base/interrupt.h"

typedef struct {
    const ReduceKernel *kernel;
    bool want_max;
    const Array *a;
    int64_t stride, dim; /* of the axis */
} Search;

/* Elements of either kind; Bools are searched as Ints. */
typedef union {
    double floats[TILE_WIDTH];
    int64_t ints[TILE_WIDTH];
} Room;

/* n elements from offset on, step apart. */
static const void *load(const Array *a, int64_t offset, int64_t step, int64_t n, Room *room)
{
    if (a->dtype == DT_FLOAT) {
        const double *x = array_floats(a) + offset;
        if (step == 1) return x;
        for (int64_t i = 0; i < n; i++) room->floats[i] = x[i * step];
    } else if (a->dtype == DT_INT) {
        const int64_t *x = array_ints(a) + offset;
        if (step == 1) return x;
        for (int64_t i = 0; i < n; i++) room->ints[i] = x[i * step];
    } else {
        const bool *x = array_bools(a) + offset;
        for (int64_t i = 0; i < n; i++) room->ints[i] = x[i * step];
    }
    return room;
}

/* ---- along the axis ---- */

/* The best so far, and where the block with its first occurrence begins. */
typedef struct {
    double best;
    int64_t int_best, where;
    bool is_nan;
} Found;

static void look_at_floats(const Search *s, Found *f, const double *x, int64_t n, int64_t where)
{
    bool has_nan;
    double best = s->kernel->extreme[s->want_max](x, n, &has_nan);
    bool better = s->want_max ? best > f->best : best < f->best;
    if (!has_nan && f->where >= 0 && !better) return;
    *f = (Found){.best = best, .where = where, .is_nan = has_nan};
}

static void look_at_ints(const Search *s, Found *f, const int64_t *x, int64_t n, int64_t where)
{
    int64_t best = s->kernel->int_extreme[s->want_max](x, n);
    bool better = s->want_max ? best > f->int_best : best < f->int_best;
    if (f->where < 0 || better) *f = (Found){.int_best = best, .where = where};
}

static int64_t place_in_block(const Search *s, const Found *f, const void *block, int64_t n)
{
    if (s->a->dtype != DT_FLOAT) return f->where + s->kernel->int_find(block, n, f->int_best);
    if (!f->is_nan) return f->where + s->kernel->find(block, n, f->best);
    const double *x = block;
    int64_t i = 0;
    while (x[i] == x[i]) i++;
    return f->where + i;
}

static int64_t search_column(const Search *s, int64_t first)
{
    Room room;
    Found found = {.where = -1};
    bool floats = s->a->dtype == DT_FLOAT;
    for (int64_t done = 0; done < s->dim && !found.is_nan; done += TILE_WIDTH) {
        int64_t n = s->dim - done < TILE_WIDTH ? s->dim - done : TILE_WIDTH;
        const void *x = load(s->a, first + done * s->stride, s->stride, n, &room);
        if (floats) {
            look_at_floats(s, &found, x, n, done);
        } else {
            look_at_ints(s, &found, x, n, done);
        }
    }
    int64_t n = s->dim - found.where < TILE_WIDTH ? s->dim - found.where : TILE_WIDTH;
    first += found.where * s->stride;
    return place_in_block(s, &found, load(s->a, first, s->stride, n, &room), n);
}

/* ---- across it ---- */

static void search_columns(const Search *s, int64_t first, int64_t step, int64_t width,
                           int64_t *where)
{
    Room room, best;
    const void *row = load(s->a, first, step, width, &room);
    memcpy(&best, row, (size_t)width * sizeof best.ints[0]);
    for (int64_t j = 0; j < width; j++) where[j] = 0;
    for (int64_t k = 1; k < s->dim; k++) {
        row = load(s->a, first + k * s->stride, step, width, &room);
        if (s->a->dtype == DT_FLOAT) {
            s->kernel->arg_fold[s->want_max](best.floats, where, row, k, width);
        } else {
            s->kernel->int_arg_fold[s->want_max](best.ints, where, row, k, width);
        }
    }
}

static bool search_run(const Search *s, const Walk *kept, int64_t *where, Error *err)
{
    int64_t step = kept->step[0], since_poll = 0;
    bool closer = (step < 0 ? -step : step) < (s->stride < 0 ? -s->stride : s->stride);
    bool together = closer || s->dim < FEW_ROWS;
    int64_t width = !together ? 1 : step == 1 ? TILE_WIDTH : APART_WIDTH;
    for (int64_t j = 0; j < kept->run; j += width) {
        int64_t n = kept->run - j < width ? kept->run - j : width;
        int64_t first = kept->offset[0] + j * step;
        if (n == 1) {
            where[j] = search_column(s, first);
        } else {
            search_columns(s, first, step, n, where + j);
        }
        since_poll += n * s->dim;
        if (since_poll < POLL_ELEMENTS) continue;
        since_poll = 0;
        if (!interrupt_poll(err)) return false;
    }
    return true;
}

static bool search_all(const Search *s, const Shape *shape, const int64_t *stride, Array *out,
                       Error *err)
{
    const int64_t *const strides[] = {stride};
    int64_t *where = array_ints(out);
    Walk kept;
    if (!walk_start(&kept, shape->rank, shape->dim, 1, strides)) return true;
    do {
        if (!search_run(s, &kept, where, err)) return false;
        where += kept.run;
    } while (walk_next(&kept));
    return true;
}

Array *reduce_arg(bool want_max, Array *a, int axis, Error *err)
{
    Shape whole = shape_of(a), shape = {.rank = 0};
    if (!shape_axis(&whole, axis, &axis, err)) return NULL;
    int64_t stride[MAX_RANK];
    for (int k = 0; k < a->rank; k++) {
        if (k == axis) continue;
        stride[shape.rank] = a->stride[k];
        shape.dim[shape.rank++] = a->dim[k];
    }
    Array *out = array_new(DT_INT, &shape, err);
    if (!out) return NULL;
    Search s = {simd_reduce(simd_level()), want_max, a, a->stride[axis], a->dim[axis]};
    bool ok = true;
    if (s.dim == 0 && out->size > 0) {
        ok = error_set(err, ERR_VALUE, "%s of nothing: the shape is %s",
                       want_max ? "argmax" : "argmin", shape_text(&whole));
    }
    if (ok && search_all(&s, &shape, stride, out, err)) return out;
    array_release(out);
    return NULL;
}

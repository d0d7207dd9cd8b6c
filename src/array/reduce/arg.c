/* Where the extremes are. Bools are searched as Ints. */
#include "array/reduce/parts.h"

/* Elements of either kind. */
typedef union {
    double floats[TILE_WIDTH];
    int64_t ints[TILE_WIDTH];
} Room;

static bool is_max(const Tile *t)
{
    return t->f == RD_ARGMAX;
}

static bool of_floats(const Tile *t)
{
    return t->a->dtype == DT_FLOAT;
}

static const void *load(const Tile *t, int64_t offset, int64_t step, int64_t n, Room *room)
{
    return reduce_load(t->a, of_floats(t) ? DT_FLOAT : DT_INT, t->first + offset, step, n, room);
}

/* ---- along the axis ---- */

/* The best so far, and where the block with its first occurrence begins. */
typedef struct {
    double best;
    int64_t int_best, where;
    bool is_nan;
} Found;

static void look_at(const Tile *t, Found *f, const void *x, int64_t n, int64_t where)
{
    const ReduceKernel *kernel = simd_reduce(simd_level());
    bool max = is_max(t), better;
    Found new = {.where = where};
    if (of_floats(t)) {
        new.best = kernel->extreme[max](x, n);
        new.is_nan = new.best != new.best;
        better = new.is_nan || (max ? new.best > f->best : new.best < f->best);
    } else {
        new.int_best = kernel->int_extreme[max](x, n);
        better = max ? new.int_best > f->int_best : new.int_best < f->int_best;
    }
    if (f->where < 0 || better) *f = new;
}

static int64_t place_in_block(const Tile *t, const Found *f, const void *block, int64_t n)
{
    const ReduceKernel *kernel = simd_reduce(simd_level());
    const double *x = block;
    int64_t i = 0;
    if (!of_floats(t)) return kernel->int_find(block, n, f->int_best);
    if (!f->is_nan) return kernel->find(x, n, f->best);
    while (x[i] == x[i]) i++;
    return i;
}

static int64_t search_column(const Tile *t)
{
    Room room;
    Found found = {.where = -1};
    int64_t step = t->rows.axes.step[0], dim = t->rows.n, n = TILE_WIDTH;
    for (int64_t done = 0; done < dim && !found.is_nan; done += n) {
        n = dim - done < TILE_WIDTH ? dim - done : TILE_WIDTH;
        look_at(t, &found, load(t, done * step, step, n, &room), n, done);
    }
    n = dim - found.where < TILE_WIDTH ? dim - found.where : TILE_WIDTH;
    const void *block = load(t, found.where * step, step, n, &room);
    return found.where + place_in_block(t, &found, block, n);
}

/* ---- across it ---- */

static void search_columns(const Tile *t, int64_t *where)
{
    const ReduceKernel *kernel = simd_reduce(simd_level());
    Room room, best;
    const void *row = load(t, 0, t->step, t->width, &room);
    memcpy(&best, row, (size_t)t->width * sizeof best.ints[0]);
    memset(where, 0, (size_t)t->width * sizeof *where);
    for (int64_t k = 1; k < t->rows.n; k++) {
        row = load(t, k * t->rows.axes.step[0], t->step, t->width, &room);
        if (of_floats(t)) {
            kernel->arg_fold[is_max(t)](best.floats, where, row, k, t->width);
        } else {
            kernel->int_arg_fold[is_max(t)](best.ints, where, row, k, t->width);
        }
    }
}

void reduce_arg_tile(const Tile *t, int64_t *where)
{
    if (t->width > 1) {
        search_columns(t, where);
    } else {
        *where = search_column(t);
    }
}

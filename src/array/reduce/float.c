/* Sums, products and extremes of Floats, all in one order.
 *
 * n elements are split in halves (the first a multiple of 8) until at most 128 are left; of those,
 * 8 lanes fold elements j, j + 8, j + 16 …, the lanes are folded pairwise, and what is left over is
 * folded in last. Fewer than 8 are folded from left to right. This is the order of NumPy's
 * contiguous sums; here it holds for every layout, so that the sum along an axis has the bits of
 * the sum of the slice. */
#include <string.h>

#include "array/reduce/parts.h"
#include "array/simd/simd.h"
#include "base/interrupt.h"
#include "base/parallel.h"

#define INLINE static inline __attribute__((always_inline))

/* A power of two from lane to lane would let them push one another out of the cache. */
enum { LANES = 8, NARROW = 8, LANE_STEP = TILE_WIDTH + 8 };

/* Two lanes: the widest vector that every machine has. More would not help, the additions of a lane
 * wait for one another. */
typedef double Pair __attribute__((vector_size(16)));
typedef long long PairMask __attribute__((vector_size(16)));

INLINE Pair pair_at(const double *x)
{
    Pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

INLINE Pair pair_choose(PairMask b_wins, Pair a, Pair b)
{
    return (Pair)((b_wins & (PairMask)b) | (~b_wins & (PairMask)a));
}

INLINE Pair fold_pair(Reduction f, Pair a, Pair b)
{
    if (f == RD_SUM) return a + b;
    if (f == RD_PROD) return a * b;
    if (f == RD_MAX) return pair_choose((b > a) | (b != b), a, b);
    return pair_choose((b < a) | (b != b), a, b);
}

/* A NaN in a stays, because it compares false; of equal elements (and zeros) a stays. */
INLINE double fold(Reduction f, double a, double b)
{
    if (f == RD_SUM) return a + b;
    if (f == RD_PROD) return a * b;
    if (f == RD_MAX) return b > a || b != b ? b : a;
    return b < a || b != b ? b : a;
}

/* ---- runs ---- */

INLINE double leaf_of(Reduction f, const double *x, int64_t n)
{
    double result = x[0];
    int64_t i = 1;
    if (n >= LANES) {
        Pair a = pair_at(x), b = pair_at(x + 2), c = pair_at(x + 4), d = pair_at(x + 6);
        for (i = LANES; i + LANES <= n; i += LANES) {
            a = fold_pair(f, a, pair_at(x + i));
            b = fold_pair(f, b, pair_at(x + i + 2));
            c = fold_pair(f, c, pair_at(x + i + 4));
            d = fold_pair(f, d, pair_at(x + i + 6));
        }
        result = fold(f, fold(f, fold(f, a[0], a[1]), fold(f, b[0], b[1])),
                      fold(f, fold(f, c[0], c[1]), fold(f, d[0], d[1])));
    }
    for (; i < n; i++) result = fold(f, result, x[i]);
    return result;
}

double reduce_float_leaf(Reduction f, const double *x, int64_t n)
{
    switch (f) {
    case RD_SUM: return leaf_of(RD_SUM, x, n);
    case RD_PROD: return leaf_of(RD_PROD, x, n);
    case RD_MAX: return leaf_of(RD_MAX, x, n);
    default: return leaf_of(RD_MIN, x, n);
    }
}

static bool is_extreme(Reduction f)
{
    return f == RD_MAX || f == RD_MIN;
}

/* An extreme that is neither NaN nor a zero has the same bits in every order. */
static double leaf(Reduction f, const double *x, int64_t n)
{
    return is_extreme(f) && n >= 2 * LANES ? reduce_extreme_run(f, x, n)
                                           : reduce_float_leaf(f, x, n);
}

static double fold_two(Reduction f, double a, double b)
{
    switch (f) {
    case RD_SUM: return fold(RD_SUM, a, b);
    case RD_PROD: return fold(RD_PROD, a, b);
    case RD_MAX: return fold(RD_MAX, a, b);
    default: return fold(RD_MIN, a, b);
    }
}

int64_t reduce_first_half(int64_t n)
{
    return n / 2 - n / 2 % LANES;
}

static double reduce_halves(Reduction f, const double *x, int64_t n)
{
    if (n <= ROWS_AT_ONCE) return leaf(f, x, n);
    if (is_extreme(f)) return reduce_extreme_run(f, x, n);
    int64_t half = reduce_first_half(n);
    double left = reduce_halves(f, x, half);
    return fold_two(f, left, reduce_halves(f, x + half, n - half));
}

/* The upper levels of the tree of halves, for several threads: the lower trees are worked out in
 * any order, and put together in the one order that there is. */
enum { LEVELS = 4, TREES = 1 << LEVELS, LONG_ENOUGH = 1 << 19 };

typedef struct {
    Reduction f;
    const double *x[TREES];
    int64_t n[TREES];
    double result[TREES];
    int len;
} Trees;

static void plant(Trees *t, const double *x, int64_t n, int level)
{
    if (level == LEVELS) {
        t->x[t->len] = x;
        t->n[t->len++] = n;
        return;
    }
    int64_t half = reduce_first_half(n);
    plant(t, x, half, level + 1);
    plant(t, x + half, n - half, level + 1);
}

static void work_out(void *context, int i)
{
    Trees *t = context;
    t->result[i] = reduce_halves(t->f, t->x[i], t->n[i]);
}

double reduce_float_run(Reduction f, const double *x, int64_t n)
{
    if (n < LONG_ENOUGH || parallel_threads() == 1) return reduce_halves(f, x, n);
    Trees t = {.f = f};
    plant(&t, x, n, 0);
    parallel_run(TREES, work_out, &t);
    for (int step = 1; step < TREES; step *= 2)
        for (int i = 0; i < TREES; i += 2 * step)
            t.result[i] = fold_two(f, t.result[i], t.result[i + step]);
    return t.result[0];
}

/* ---- one column ---- */

/* The next n rows of the only column: in place where they are a run, else gathered. */
static const double *column_rows(Tile *t, int64_t n, double *room)
{
    const double *x = array_floats(t->a) + t->first;
    int64_t step = t->rows.axes.step[0], first;
    for (int64_t done = 0; done < n;) {
        int64_t taken = rows_take(&t->rows, n - done, &first);
        if (step == 1 && taken == n) return x + first;
        for (int64_t i = 0; i < taken; i++) room[done + i] = x[first + i * step];
        done += taken;
    }
    return room;
}

static bool column_fold(Tile *t, int64_t n, double *out, Error *err)
{
    if (n <= ROWS_AT_ONCE) {
        double room[ROWS_AT_ONCE];
        *out = leaf(t->f, column_rows(t, n, room), n);
        return true;
    }
    const Walk *axes = &t->rows.axes;
    if (axes->rank == 0 && axes->step[0] == 1 && n < POLL_ELEMENTS) {
        int64_t first;
        rows_take(&t->rows, n, &first);
        *out = reduce_float_run(t->f, array_floats(t->a) + t->first + first, n);
        return true;
    }
    if (n >= POLL_ELEMENTS && !interrupt_poll(err)) return false;
    int64_t half = reduce_first_half(n);
    double right;
    if (!column_fold(t, half, out, err) || !column_fold(t, n - half, &right, err)) return false;
    *out = fold_two(t->f, *out, right);
    return true;
}

/* ---- many columns, a row at a time ---- */

static void fold_rows(Reduction f, double *lane, const double *const *row, int64_t n, int width)
{
    simd_reduce(simd_level())->fold_rows[f](lane, LANE_STEP, row, n, width);
}

static void fold_row(Reduction f, double *to, const double *x, int width)
{
    fold_rows(f, to, &x, 1, width);
}

/* A row of the tile where it is, or copied into room. */
static const double *tile_row(const Tile *t, int64_t offset, double *room)
{
    const double *x = array_floats(t->a) + t->first + offset;
    if (t->step == 1) return x;
    for (int j = 0; j < t->width; j++) room[j] = x[j * t->step];
    return room;
}

/* Rows from the one that belongs to lane 0 on. */
static void fold_lanes(const Tile *t, double *lane, const int64_t *offset, int64_t n)
{
    const double *row[ROWS_AT_ONCE];
    double room[LANES][LANE_STEP];
    int64_t most = t->step == 1 ? ROWS_AT_ONCE : LANES;
    for (int64_t done = 0; done < n; done += most) {
        int64_t rows = n - done < most ? n - done : most;
        for (int64_t i = 0; i < rows; i++) {
            row[i] = tile_row(t, offset[done + i], room[i % LANES]);
        }
        fold_rows(t->f, lane, row, rows, t->width);
    }
}

static void leaf_by_rows(const Tile *t, const int64_t *offset, int64_t n, double *out)
{
    double lane[LANES][LANE_STEP], room[TILE_WIDTH];
    size_t bytes = (size_t)t->width * sizeof *out;
    int64_t whole = n < LANES ? 1 : n - n % LANES, lanes = n < LANES ? 1 : LANES;
    for (int64_t j = 0; j < lanes; j++) memcpy(lane[j], tile_row(t, offset[j], room), bytes);
    fold_lanes(t, lane[0], offset + lanes, whole - lanes);
    for (int apart = 1; apart < lanes; apart *= 2) {
        for (int j = 0; j < LANES; j += 2 * apart) {
            fold_row(t->f, lane[j], lane[j + apart], t->width);
        }
    }
    memcpy(out, lane[0], bytes);
    for (int64_t i = whole; i < n; i++) {
        fold_row(t->f, out, tile_row(t, offset[i], room), t->width);
    }
}

/* With few columns a row is too short to be worth a loop. */
static void leaf_by_columns(Tile *t, const int64_t *offset, int64_t n, double *out)
{
    double room[ROWS_AT_ONCE];
    for (int j = 0; j < t->width; j++) {
        const double *x = array_floats(t->a) + t->first + j * t->step;
        for (int64_t i = 0; i < n; i++) room[i] = x[offset[i]];
        out[j] = leaf(t->f, room, n);
    }
}

static bool rows_fold(Tile *t, int64_t n, double *out, Error *err)
{
    if (n <= ROWS_AT_ONCE) {
        int64_t offset[ROWS_AT_ONCE];
        rows_next(&t->rows, n, offset);
        if (t->width < NARROW) {
            leaf_by_columns(t, offset, n, out);
        } else {
            leaf_by_rows(t, offset, n, out);
        }
        return true;
    }
    if (n >= POLL_ELEMENTS / TILE_WIDTH && !interrupt_poll(err)) return false;
    int64_t half = reduce_first_half(n);
    double right[TILE_WIDTH];
    if (!rows_fold(t, half, out, err) || !rows_fold(t, n - half, right, err)) return false;
    fold_row(t->f, out, right, t->width);
    return true;
}

bool reduce_float_tile(Tile *t, double *out, Error *err)
{
    if (t->width > 1) return rows_fold(t, t->rows.n, out, err);
    return column_fold(t, t->rows.n, out, err);
}

/* Sums, products and sums of squares of Floats, all in one order.
 *
 * n elements are split in halves (the first a multiple of 8) until at most 128 are left; of those,
 * 8 lanes fold elements j, j + 8, j + 16 …, the lanes are folded pairwise, and what is left over is
 * folded in last. Fewer than 8 are folded from left to right. This is the order of NumPy's
 * contiguous sums; here it holds for every layout, so that the sum along an axis has the bits of
 * the sum of the slice. */
#include "array/reduce/parts.h"
#include "base/interrupt.h"
#include "base/parallel.h"

#define INLINE static inline __attribute__((always_inline))

/* A power of two from lane to lane would let them push one another out of the cache. */
enum { LANES = 8, NARROW = 8, LANE_STEP = TILE_WIDTH + 8 };

/* Two lanes: the widest vector that every machine has. More would not help, the additions of a lane
 * wait for one another. */
typedef double Pair __attribute__((vector_size(16)));

INLINE Pair pair_at(const double *x)
{
    Pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

/* An element folded into what the ones before it gave, of numbers as of pairs; the first element; and
 * two results. */
#define FOLD(f, a, x) ((f) == RD_SUM ? (a) + (x) : (f) == RD_PROD ? (a) * (x) : (a) + (x) * (x))
#define FIRST(f, x) ((f) == RD_SQUARES ? (x) * (x) : (x))
#define FOLD_TWO(f, a, b) ((f) == RD_PROD ? (a) * (b) : (a) + (b))

/* ---- runs ---- */

INLINE double leaf_of(Reduction f, const double *x, int64_t n)
{
    double result = FIRST(f, x[0]);
    int64_t i = 1;
    if (n >= LANES) {
        Pair a = FIRST(f, pair_at(x)), b = FIRST(f, pair_at(x + 2));
        Pair c = FIRST(f, pair_at(x + 4)), d = FIRST(f, pair_at(x + 6));
        for (i = LANES; i + LANES <= n; i += LANES) {
            a = FOLD(f, a, pair_at(x + i));
            b = FOLD(f, b, pair_at(x + i + 2));
            c = FOLD(f, c, pair_at(x + i + 4));
            d = FOLD(f, d, pair_at(x + i + 6));
        }
        result = FOLD_TWO(f, FOLD_TWO(f, FOLD_TWO(f, a[0], a[1]), FOLD_TWO(f, b[0], b[1])),
                          FOLD_TWO(f, FOLD_TWO(f, c[0], c[1]), FOLD_TWO(f, d[0], d[1])));
    }
    for (; i < n; i++) result = FOLD(f, result, x[i]);
    return result;
}

static double leaf(Reduction f, const double *x, int64_t n)
{
    switch (f) {
    case RD_SUM: return leaf_of(RD_SUM, x, n);
    case RD_PROD: return leaf_of(RD_PROD, x, n);
    default: return leaf_of(RD_SQUARES, x, n);
    }
}

static int64_t first_half(int64_t n)
{
    return n / 2 - n / 2 % LANES;
}

static double reduce_halves(Reduction f, const double *x, int64_t n)
{
    if (n <= ROWS_AT_ONCE) return leaf(f, x, n);
    int64_t half = first_half(n);
    double left = reduce_halves(f, x, half), right = reduce_halves(f, x + half, n - half);
    return FOLD_TWO(f, left, right);
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
    int64_t half = first_half(n);
    plant(t, x, half, level + 1);
    plant(t, x + half, n - half, level + 1);
}

static void work_out(void *context, int i)
{
    Trees *t = context;
    t->result[i] = reduce_halves(t->f, t->x[i], t->n[i]);
}

static double reduce_run_of(Reduction f, const double *x, int64_t n)
{
    if (n < LONG_ENOUGH || parallel_threads() == 1) return reduce_halves(f, x, n);
    Trees t = {.f = f};
    plant(&t, x, n, 0);
    parallel_run(TREES, work_out, &t);
    for (int step = 1; step < TREES; step *= 2)
        for (int i = 0; i < TREES; i += 2 * step)
            t.result[i] = FOLD_TWO(f, t.result[i], t.result[i + step]);
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
    double room[ROWS_AT_ONCE], right;
    bool is_run = t->rows.axes.rank == 0 && t->rows.axes.step[0] == 1;
    if (n <= ROWS_AT_ONCE || (is_run && n < POLL_ELEMENTS)) {
        *out = reduce_run_of(t->f, column_rows(t, n, room), n);
        return true;
    }
    if (n >= POLL_ELEMENTS && !interrupt_poll(err)) return false;
    int64_t half = first_half(n);
    if (!column_fold(t, half, out, err) || !column_fold(t, n - half, &right, err)) return false;
    *out = FOLD_TWO(t->f, *out, right);
    return true;
}

/* ---- many columns, a row at a time ---- */

static void fold_rows(Reduction f, double *to, int64_t lane_step, const double *const *row,
                      int64_t n, int width, bool fresh)
{
    simd_reduce(simd_level())->fold_rows[f](to, lane_step, row, n, width, fresh);
}

/* The result of other columns folded in. */
static void fold_in(Reduction f, double *to, const double *other, int width)
{
    fold_rows(f == RD_SQUARES ? RD_SUM : f, to, 0, &other, 1, width, false);
}

/* n rows: into lanes, or (lane_step is 0) into one row. */
static void fold_tile_rows(const Tile *t, double *to, int64_t lane_step, const int64_t *offset,
                           int64_t n, bool fresh)
{
    const double *row[ROWS_AT_ONCE];
    double room[LANES][LANE_STEP];
    int64_t most = t->step == 1 ? ROWS_AT_ONCE : LANES;
    for (int64_t done = 0; done < n; done += most) {
        int64_t rows = n - done < most ? n - done : most;
        for (int64_t i = 0; i < rows; i++)
            row[i] = reduce_load(t->a, DT_FLOAT, t->first + offset[done + i], t->step, t->width,
                                 room[i % LANES]);
        fold_rows(t->f, to, lane_step, row, rows, t->width, fresh && done == 0);
    }
}

static void leaf_by_rows(const Tile *t, const int64_t *offset, int64_t n, double *out)
{
    double lane[LANES][LANE_STEP];
    int64_t whole = n < LANES ? 0 : n - n % LANES;
    if (whole) {
        fold_tile_rows(t, lane[0], LANE_STEP, offset, whole, true);
        for (int apart = 1; apart < LANES; apart *= 2)
            for (int j = 0; j < LANES; j += 2 * apart)
                fold_in(t->f, lane[j], lane[j + apart], t->width);
        memcpy(out, lane[0], (size_t)t->width * sizeof *out);
    }
    fold_tile_rows(t, out, 0, offset + whole, n - whole, whole == 0);
}

/* With few columns a row is too short to be worth a loop. */
static void leaf_by_columns(const Tile *t, const int64_t *offset, int64_t n, double *out)
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
    int64_t half = first_half(n);
    double right[TILE_WIDTH];
    if (!rows_fold(t, half, out, err) || !rows_fold(t, n - half, right, err)) return false;
    fold_in(t->f, out, right, t->width);
    return true;
}

bool reduce_ordered_tile(Tile *t, double *out, Error *err)
{
    return t->width > 1 ? rows_fold(t, t->rows.n, out, err) : column_fold(t, t->rows.n, out, err);
}

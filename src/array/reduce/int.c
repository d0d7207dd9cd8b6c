/* Sums, products and extremes of Ints and Bools. */
#include "array/reduce/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "base/interrupt.h"

/* Wide enough for the sum of any array, so that only a result that fits no Int is an error,
 * whatever the order. */
__extension__ typedef __int128 Wide;

typedef struct {
    const ReduceKernel *kernel;
    Wide sum[TILE_WIDTH];
    int64_t value[TILE_WIDTH];   /* of prod, max and min */
    bool overflowed[TILE_WIDTH]; /* a product */
    bool met_zero[TILE_WIDTH];   /* which makes up for an overflow */
} Columns;

/* n elements from offset on, step apart, as Ints. */
static const int64_t *load(const Array *a, int64_t offset, int64_t step, int64_t n, int64_t *room)
{
    if (a->dtype == DT_BOOL) {
        const bool *x = array_bools(a) + offset;
        for (int64_t i = 0; i < n; i++) room[i] = x[i * step];
    } else {
        const int64_t *x = array_ints(a) + offset;
        if (step == 1) return x;
        for (int64_t i = 0; i < n; i++) room[i] = x[i * step];
    }
    return room;
}

static void multiply(Columns *c, int column, int64_t x)
{
    c->met_zero[column] |= x == 0;
    c->overflowed[column] |= __builtin_mul_overflow(c->value[column], x, &c->value[column]);
}

/* What the kernels have added up of n elements, each of them 2⁶³ too large. */
static Wide halves_sum(uint64_t high, uint64_t low, int64_t n)
{
    return ((Wide)high << 32) + (Wide)low - ((Wide)n << 63);
}

/* Folds n elements into one column. */
static void fold_down(Reduction f, Columns *c, const int64_t *x, int64_t n)
{
    if (f == RD_SUM) {
        uint64_t high = 0, low = 0;
        c->kernel->int_sum(&high, &low, x, n);
        c->sum[0] += halves_sum(high, low, n);
    } else if (f == RD_PROD) {
        for (int64_t i = 0; i < n; i++) multiply(c, 0, x[i]);
    } else {
        int64_t found = c->kernel->int_extreme[f == RD_MAX](x, n);
        bool better = f == RD_MAX ? found > c->value[0] : found < c->value[0];
        if (better) c->value[0] = found;
    }
}

static void columns_start(Columns *c, Reduction f, int width)
{
    int64_t value = f == RD_PROD ? 1 : f == RD_MAX ? INT64_MIN : INT64_MAX;
    c->kernel = simd_reduce(simd_level());
    for (int j = 0; j < width; j++) {
        c->sum[j] = 0;
        c->value[j] = value;
        c->overflowed[j] = c->met_zero[j] = false;
    }
}

/* The longest piece of the only column that can be taken at once. */
static int64_t piece_length(const Tile *t)
{
    const Walk *axes = &t->rows.axes;
    bool in_place = t->width == 1 && axes->rank == 0 && axes->step[0] == 1;
    return in_place && t->f != RD_PROD ? POLL_ELEMENTS : ROWS_AT_ONCE;
}

/* n elements of the only column, which are a run. */
static void fold_run(Tile *t, Columns *c, int64_t n)
{
    int64_t room[ROWS_AT_ONCE], step = t->rows.axes.step[0], first;
    rows_take(&t->rows, n, &first);
    first += t->first;
    if (n > ROWS_AT_ONCE && t->f == RD_SUM && t->a->dtype == DT_BOOL) {
        c->sum[0] += truth_count(array_bools(t->a) + first, n);
        return;
    }
    for (int64_t done = 0, most = t->a->dtype == DT_INT ? n : ROWS_AT_ONCE; done < n;
         done += most) {
        int64_t len = n - done < most ? n - done : most;
        fold_down(t->f, c, load(t->a, first + done * step, step, len, room), len);
    }
}

static void fold_across(Reduction f, Columns *c, const int64_t *const *row, int64_t n, int width)
{
    if (f == RD_SUM) {
        uint64_t high[TILE_WIDTH] = {0}, low[TILE_WIDTH] = {0};
        c->kernel->int_sum_rows(high, low, row, n, width);
        for (int j = 0; j < width; j++) c->sum[j] += halves_sum(high[j], low[j], n);
    } else if (f == RD_PROD) {
        for (int64_t i = 0; i < n; i++) {
            for (int j = 0; j < width; j++) multiply(c, j, row[i][j]);
        }
    } else {
        c->kernel->int_rows[f == RD_MAX](c->value, row, n, width);
    }
}

/* Rows that have to be copied come a few at a time. */
static void fold_rows(Tile *t, Columns *c, int64_t n)
{
    enum { COPIES = 8 };
    int64_t room[COPIES][TILE_WIDTH], offset[ROWS_AT_ONCE];
    const int64_t *row[ROWS_AT_ONCE];
    int64_t most = t->step == 1 && t->a->dtype == DT_INT ? ROWS_AT_ONCE : COPIES;
    rows_next(&t->rows, n, offset);
    for (int64_t done = 0; done < n; done += most) {
        int64_t rows = n - done < most ? n - done : most;
        for (int64_t i = 0; i < rows; i++) {
            row[i] = load(t->a, t->first + offset[done + i], t->step, t->width, room[i % COPIES]);
        }
        fold_across(t->f, c, row, rows, t->width);
    }
}

static bool store(const Tile *t, const Columns *c, int j, Array *out, int64_t position, Error *err)
{
    int64_t value = c->value[j];
    if (t->f == RD_SUM) {
        if (t->as_float) {
            array_floats(out)[position] = (double)c->sum[j];
            return true;
        }
        if (c->sum[j] > INT64_MAX || c->sum[j] < INT64_MIN) {
            return error_set(err, ERR_MATH, "Int overflow in sum");
        }
        value = (int64_t)c->sum[j];
    } else if (t->f == RD_PROD) {
        if (c->met_zero[j]) value = 0;
        if (c->overflowed[j] && !c->met_zero[j]) {
            return error_set(err, ERR_MATH, "Int overflow in prod");
        }
    }
    if (out->dtype == DT_BOOL) {
        array_bools(out)[position] = value != 0;
    } else {
        array_ints(out)[position] = value;
    }
    return true;
}

bool reduce_int_tile(Tile *t, Array *out, int64_t position, Error *err)
{
    Columns c;
    columns_start(&c, t->f, t->width);
    int64_t since_poll = 0, most = piece_length(t);
    for (int64_t done = 0; done < t->rows.n; done += most) {
        int64_t n = t->rows.n - done < most ? t->rows.n - done : most;
        if (t->width == 1 && t->rows.axes.rank == 0) {
            fold_run(t, &c, n);
        } else {
            fold_rows(t, &c, n);
        }
        since_poll += n * t->width;
        if (since_poll < POLL_ELEMENTS) continue;
        since_poll = 0;
        if (!interrupt_poll(err)) return false;
    }
    for (int j = 0; j < t->width; j++) {
        if (!store(t, &c, j, out, position + j, err)) return false;
    }
    return true;
}

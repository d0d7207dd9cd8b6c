/* Reductions that are the same in every order: all of Ints and Bools, the extremes of Floats, and any and
 * all of what is not zero. */
#include "array/elementwise/float_ops.h"
#include "array/reduce/parts.h"
#include "array/truth.h"

/* Wide enough for the sum of any array, so that only a result that fits no Int is an error,
 * whatever the order. */
__extension__ typedef __int128 Wide;

typedef struct {
    const ReduceKernel *kernel;
    Reduction f;
    DType type; /* as which elements are taken */
    union {
        Wide sum[TILE_WIDTH];
        double extreme[TILE_WIDTH];
        bool truth[TILE_WIDTH];
        struct {
            int64_t value[TILE_WIDTH];   /* of Ints: prod, max and min */
            bool overflowed[TILE_WIDTH]; /* a product */
            bool met_zero[TILE_WIDTH];   /* which makes up for an overflow */
        };
    };
} Columns;

/* Rows of a tile, by what they are made of. */
typedef union {
    const void *any[ROWS_AT_ONCE];
    const double *floats[ROWS_AT_ONCE];
    const int64_t *ints[ROWS_AT_ONCE];
    const bool *bools[ROWS_AT_ONCE];
} RowList;

static void columns_start(Columns *c, const Tile *t)
{
    bool is_max = t->f == RD_MAX, is_truth = t->f == RD_ANY || t->f == RD_ALL;
    c->kernel = simd_reduce(simd_level());
    c->f = t->f;
    c->type = is_truth ? DT_BOOL : t->a->dtype == DT_FLOAT ? DT_FLOAT : DT_INT;
    for (int j = 0; j < t->width; j++) {
        if (is_truth) {
            c->truth[j] = t->f == RD_ALL;
        } else if (c->type == DT_FLOAT) {
            c->extreme[j] = is_max ? -INFINITY : INFINITY;
        } else if (t->f == RD_SUM) {
            c->sum[j] = 0;
        } else {
            c->value[j] = t->f == RD_PROD ? 1 : is_max ? INT64_MIN : INT64_MAX;
            c->overflowed[j] = c->met_zero[j] = false;
        }
    }
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

/* n elements into the only column. */
static void fold_down(Columns *c, const void *x, int64_t n)
{
    bool is_max = c->f == RD_MAX;
    if (c->type == DT_BOOL) {
        bool decides = c->f == RD_ANY;
        if (memchr(x, decides, (size_t)n)) c->truth[0] = decides;
    } else if (c->type == DT_FLOAT) {
        double found = c->kernel->extreme[is_max](x, n);
        c->extreme[0] = (is_max ? float_max : float_min)(c->extreme[0], found);
    } else if (c->f == RD_SUM) {
        uint64_t high = 0, low = 0;
        c->kernel->int_sum(&high, &low, x, n);
        c->sum[0] += halves_sum(high, low, n);
    } else if (c->f == RD_PROD) {
        for (int64_t i = 0; i < n; i++) multiply(c, 0, ((const int64_t *)x)[i]);
    } else {
        int64_t found = c->kernel->int_extreme[is_max](x, n);
        if (is_max ? found > c->value[0] : found < c->value[0]) c->value[0] = found;
    }
}

static void fold_truths(Columns *c, const bool *x, int width)
{
    unsigned char *out = (unsigned char *)c->truth;
    const unsigned char *in = (const unsigned char *)x;
    if (c->f == RD_ANY) {
        for (int j = 0; j < width; j++) out[j] |= in[j];
    } else {
        for (int j = 0; j < width; j++) out[j] &= in[j];
    }
}

/* n rows, each element into its column. */
static void fold_across(Columns *c, const RowList *row, int64_t n, int width)
{
    if (c->type == DT_BOOL) {
        for (int64_t i = 0; i < n; i++) fold_truths(c, row->bools[i], width);
    } else if (c->type == DT_FLOAT) {
        c->kernel->fold_rows[c->f](c->extreme, 0, row->floats, n, width, false);
    } else if (c->f == RD_SUM) {
        uint64_t high[TILE_WIDTH] = {0}, low[TILE_WIDTH] = {0};
        c->kernel->int_sum_rows(high, low, row->ints, n, width);
        for (int j = 0; j < width; j++) c->sum[j] += halves_sum(high[j], low[j], n);
    } else if (c->f == RD_PROD) {
        for (int64_t i = 0; i < n; i++)
            for (int j = 0; j < width; j++) multiply(c, j, row->ints[i][j]);
    } else {
        c->kernel->int_rows[c->f == RD_MAX](c->value, row->ints, n, width);
    }
}

/* Whether no other element of the only column matters any more. */
static bool is_decided(const Columns *c)
{
    return c->type == DT_BOOL && c->truth[0] == (c->f == RD_ANY);
}

/* At most n rows of the only column, which are a run. */
static int64_t take_run(Tile *t, Columns *c, int64_t n)
{
    int64_t room[TILE_WIDTH], step = t->rows.axes.step[0], first;
    n = rows_take(&t->rows, n < POLL_ELEMENTS ? n : POLL_ELEMENTS, &first);
    first += t->first;
    if (t->f == RD_SUM && t->a->dtype == DT_BOOL && step == 1) {
        c->sum[0] += truth_count(array_bools(t->a) + first, n);
        return n;
    }
    int64_t most = t->a->dtype == c->type && step == 1 ? n : TILE_WIDTH;
    for (int64_t done = 0; done < n && !is_decided(c); done += most) {
        int64_t len = n - done < most ? n - done : most;
        fold_down(c, reduce_load(t->a, c->type, first + done * step, step, len, room), len);
    }
    return n;
}

/* Rows that have to be copied come a few at a time. */
static int64_t take_rows(Tile *t, Columns *c, int64_t n)
{
    enum { COPIES = 8 };
    int64_t room[COPIES][TILE_WIDTH], offset[ROWS_AT_ONCE];
    RowList row;
    int64_t most = t->step == 1 && t->a->dtype == c->type ? ROWS_AT_ONCE : COPIES;
    n = n < most ? n : most;
    rows_next(&t->rows, n, offset);
    for (int64_t i = 0; i < n; i++)
        row.any[i] =
            reduce_load(t->a, c->type, t->first + offset[i], t->step, t->width, room[i % COPIES]);
    fold_across(c, &row, n, t->width);
    return n;
}

static bool store(const Columns *c, int j, Array *out, int64_t position, Error *err)
{
    if (c->type == DT_FLOAT) {
        array_floats(out)[position] = c->extreme[j] == c->extreme[j] ? c->extreme[j] : NAN;
        return true;
    }
    if (c->type == DT_BOOL) {
        array_bools(out)[position] = c->truth[j];
        return true;
    }
    bool is_sum = c->f == RD_SUM, makes_zero = c->f == RD_PROD && c->met_zero[j];
    bool overflowed = is_sum ? c->sum[j] > INT64_MAX || c->sum[j] < INT64_MIN
                             : c->f == RD_PROD && c->overflowed[j] && !makes_zero;
    if (overflowed) return error_set(err, ERR_MATH, "Int overflow in %s", is_sum ? "sum" : "prod");
    int64_t value = is_sum ? (int64_t)c->sum[j] : makes_zero ? 0 : c->value[j];
    if (out->dtype == DT_BOOL) {
        array_bools(out)[position] = value != 0;
    } else {
        array_ints(out)[position] = value;
    }
    return true;
}

/* A run of Floats, which needs no columns. */
static bool take_at_once(const Tile *t, Array *out, int64_t position)
{
    const Walk *axes = &t->rows.axes;
    bool is_run =
        t->width == 1 && axes->rank == 0 && axes->step[0] == 1 && axes->run < POLL_ELEMENTS;
    if (!is_run || t->a->dtype != DT_FLOAT || out->dtype != DT_FLOAT) return false;
    array_floats(out)[position] =
        simd_reduce(simd_level())
            ->extreme[t->f == RD_MAX](array_floats(t->a) + t->first, axes->run);
    return true;
}

static __attribute__((noinline)) bool take_in_pieces(Tile *t, Array *out, int64_t position,
                                                     Error *err)
{
    Columns c;
    Rows rows;
    columns_start(&c, t);
    if (c.type == DT_BOOL) rows = t->rows;
    int64_t since_poll = 0, all = t->rows.n;
    for (int64_t done = 0, n; done < all; done += n) {
        n = t->width == 1 ? take_run(t, &c, all - done) : take_rows(t, &c, all - done);
        if (!reduce_poll(&since_poll, n * t->width, err)) return false;
        if (t->width > 1 || !is_decided(&c)) continue;
        t->rows = rows; /* the next tile starts from the first row again */
        break;
    }
    for (int j = 0; j < t->width; j++)
        if (!store(&c, j, out, position + j, err)) return false;
    return true;
}

bool reduce_unordered_tile(Tile *t, Array *out, int64_t position, Error *err)
{
    return take_at_once(t, out, position) || take_in_pieces(t, out, position, err);
}

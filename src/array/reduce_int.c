/* Reductions of Ints and Bools, and any and all of everything. */
#include "array/reduce_parts.h"
#include "base/interrupt.h"

/* Wide enough for the sum of any array, so that only a result that fits no Int is an error,
 * whatever the order. */
__extension__ typedef __int128 Wide;

typedef struct {
    Wide sum[TILE_WIDTH];
    int64_t value[TILE_WIDTH];   /* of prod, max and min */
    bool overflowed[TILE_WIDTH]; /* a product */
    bool met_zero[TILE_WIDTH];   /* which makes up for an overflow */
} Columns;

static bool is_truth(Reduction f)
{
    return f == RD_ANY || f == RD_ALL;
}

/* n elements from x on, step apart, as Ints. */
static const int64_t *load(const Tile *t, int64_t offset, int64_t step, int64_t n, int64_t *room)
{
    const Array *a = t->a;
    if (a->dtype == DT_BOOL) {
        const bool *x = array_bools(a) + offset;
        for (int64_t i = 0; i < n; i++) room[i] = x[i * step];
    } else if (a->dtype == DT_FLOAT) {
        const double *x = array_floats(a) + offset;
        for (int64_t i = 0; i < n; i++) room[i] = x[i * step] != 0.0;
    } else if (is_truth(t->f)) {
        const int64_t *x = array_ints(a) + offset;
        for (int64_t i = 0; i < n; i++) room[i] = x[i * step] != 0;
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

/* Folds n elements into one column. */
static void fold_down(Reduction f, Columns *c, const int64_t *x, int64_t n)
{
    int64_t value = c->value[0];
    Wide sum = c->sum[0];
    switch (f) {
    case RD_SUM:
        for (int64_t i = 0; i < n; i++) sum += x[i];
        c->sum[0] = sum;
        break;
    case RD_PROD:
        for (int64_t i = 0; i < n; i++) multiply(c, 0, x[i]);
        break;
    case RD_MAX:
    case RD_ANY:
        for (int64_t i = 0; i < n; i++) value = x[i] > value ? x[i] : value;
        c->value[0] = value;
        break;
    case RD_MIN:
    case RD_ALL:
        for (int64_t i = 0; i < n; i++) value = x[i] < value ? x[i] : value;
        c->value[0] = value;
        break;
    }
}

/* Folds one element into each column. */
static void fold_across(Reduction f, Columns *c, const int64_t *x, int width)
{
    int64_t *value = c->value;
    switch (f) {
    case RD_SUM:
        for (int j = 0; j < width; j++) c->sum[j] += x[j];
        break;
    case RD_PROD:
        for (int j = 0; j < width; j++) multiply(c, j, x[j]);
        break;
    case RD_MAX:
    case RD_ANY:
        for (int j = 0; j < width; j++) value[j] = x[j] > value[j] ? x[j] : value[j];
        break;
    case RD_MIN:
    case RD_ALL:
        for (int j = 0; j < width; j++) value[j] = x[j] < value[j] ? x[j] : value[j];
        break;
    }
}

static void columns_start(Columns *c, Reduction f, int width)
{
    int64_t value = f == RD_PROD ? 1 : f == RD_MAX || f == RD_ANY ? INT64_MIN : INT64_MAX;
    for (int j = 0; j < width; j++) {
        c->sum[j] = 0;
        c->value[j] = value;
        c->overflowed[j] = c->met_zero[j] = false;
    }
}

static void fold_rows(Tile *t, Columns *c, int64_t n)
{
    int64_t room[ROWS_AT_ONCE], offset[ROWS_AT_ONCE];
    const Walk *axes = &t->rows.axes;
    if (t->width == 1 && axes->rank == 0) {
        int64_t first = t->first + t->rows.at * axes->step[0];
        fold_down(t->f, c, load(t, first, axes->step[0], n, room), n);
        t->rows.at = (t->rows.at + n) % axes->run;
        return;
    }
    rows_next(&t->rows, n, offset);
    for (int64_t i = 0; i < n; i++) {
        const int64_t *row = load(t, t->first + offset[i], t->step, t->width, room);
        fold_across(t->f, c, row, t->width);
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
    int64_t since_poll = 0;
    for (int64_t done = 0; done < t->rows.n; done += ROWS_AT_ONCE) {
        int64_t n = t->rows.n - done < ROWS_AT_ONCE ? t->rows.n - done : ROWS_AT_ONCE;
        fold_rows(t, &c, n);
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

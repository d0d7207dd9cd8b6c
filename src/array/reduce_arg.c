/* Where the extremes are. */
#include "array/order_key.h"
#include "array/reduce_parts.h"
#include "base/interrupt.h"

/* n keys of elements step apart, such that the wanted element has the largest key: a NaN has it
 * either way. */
static void load_keys(bool want_max, const Array *a, int64_t offset, int64_t step, int64_t n,
                      int64_t *key)
{
    if (a->dtype == DT_FLOAT) {
        const double *x = array_floats(a) + offset;
        double sign = want_max ? 1.0 : -1.0;
        for (int64_t i = 0; i < n; i++) key[i] = order_key_float(sign * x[i * step]);
        return;
    }
    int64_t flip = want_max ? 0 : -1;
    for (int64_t i = 0; i < n; i++) key[i] = order_key(a, offset + i * step) ^ flip;
}

typedef struct {
    bool want_max;
    const Array *a;
    int64_t stride, dim; /* of the axis */
} Search;

static int64_t search_column(const Search *s, int64_t first)
{
    int64_t key[ROWS_AT_ONCE], best = 0, where = -1;
    for (int64_t done = 0; done < s->dim; done += ROWS_AT_ONCE) {
        int64_t n = s->dim - done < ROWS_AT_ONCE ? s->dim - done : ROWS_AT_ONCE;
        load_keys(s->want_max, s->a, first + done * s->stride, s->stride, n, key);
        for (int64_t i = 0; i < n; i++) {
            if (key[i] <= best && where >= 0) continue;
            best = key[i];
            where = done + i;
        }
    }
    return where;
}

static void search_columns(const Search *s, int64_t first, int64_t step, int64_t width,
                           int64_t *where)
{
    int64_t key[TILE_WIDTH], best[TILE_WIDTH];
    load_keys(s->want_max, s->a, first, step, width, best);
    for (int64_t j = 0; j < width; j++) where[j] = 0;
    for (int64_t k = 1; k < s->dim; k++) {
        load_keys(s->want_max, s->a, first + k * s->stride, step, width, key);
        for (int64_t j = 0; j < width; j++) {
            bool better = key[j] > best[j];
            best[j] = better ? key[j] : best[j];
            where[j] = better ? k : where[j];
        }
    }
}

static bool search_run(const Search *s, const Walk *kept, int64_t *where, Error *err)
{
    int64_t step = kept->step[0], since_poll = 0;
    bool together = (step < 0 ? -step : step) < (s->stride < 0 ? -s->stride : s->stride);
    int64_t width = together ? TILE_WIDTH : 1;
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
    Search s = {want_max, a, a->stride[axis], a->dim[axis]};
    bool ok = true;
    if (s.dim == 0 && out->size > 0) {
        ok = error_set(err, ERR_VALUE, "%s of nothing: the shape is %s",
                       want_max ? "argmax" : "argmin", shape_text(&whole));
    }
    if (ok && search_all(&s, &shape, stride, out, err)) return out;
    array_release(out);
    return NULL;
}

#include "array/reduce/reduce.h"

#include "array/reduce/parts.h"
#include "base/interrupt.h"

static const char *const reduction_name[] = {"sum", "prod", "max", "min", "any", "all"};

int64_t rows_take(Rows *rows, int64_t n, int64_t *first)
{
    Walk *axes = &rows->axes;
    int64_t left = axes->run - rows->at;
    *first = axes->offset[0] + rows->at * axes->step[0];
    if (n < left) {
        rows->at += n;
        return n;
    }
    rows->at = 0;
    walk_next(axes); /* after the last run it is back at the first */
    return left;
}

void rows_next(Rows *rows, int64_t n, int64_t *offset)
{
    int64_t step = rows->axes.step[0], first;
    while (n > 0) {
        int64_t taken = rows_take(rows, n, &first);
        for (int64_t i = 0; i < taken; i++) offset[i] = first + i * step;
        offset += taken;
        n -= taken;
    }
}

/* Some axes of an array with their strides. */
typedef struct {
    Shape shape;
    int64_t stride[MAX_RANK];
} Axes;

static Axes pick_axes(const Array *a, unsigned axes)
{
    Axes picked;
    int n = 0;
    for (int k = 0; k < a->rank; k++) {
        if (!(axes >> k & 1)) continue;
        picked.shape.dim[n] = a->dim[k];
        picked.stride[n++] = a->stride[k];
    }
    picked.shape.rank = n;
    return picked;
}

static bool axes_walk(Walk *w, const Axes *axes)
{
    const int64_t *const stride[] = {axes->stride};
    return walk_start(w, axes->shape.rank, axes->shape.dim, 1, stride);
}

static int64_t count_elements(const Shape *s)
{
    int64_t n = 1;
    for (int k = 0; k < s->rank; k++) n *= s->dim[k];
    return n;
}

static Shape result_shape(const Array *a, unsigned axes, bool keepdims)
{
    Shape s = {.rank = 0};
    for (int k = 0; k < a->rank; k++) {
        bool reduced = axes >> k & 1;
        if (!reduced || keepdims) s.dim[s.rank++] = reduced ? 1 : a->dim[k];
    }
    return s;
}

static DType result_type(Reduction f, const Array *a, bool as_float)
{
    if (f == RD_ANY || f == RD_ALL) return DT_BOOL;
    if (as_float) return DT_FLOAT;
    if (f == RD_MAX || f == RD_MIN) return a->dtype;
    return a->dtype == DT_FLOAT ? DT_FLOAT : DT_INT;
}

/* ---- nothing to reduce ---- */

static bool fill_identity(Reduction f, const Array *a, Array *out, Error *err)
{
    if (out->size == 0) return true;
    if (f == RD_MAX || f == RD_MIN) {
        Shape s = shape_of(a);
        return error_set(err, ERR_VALUE, "%s of nothing: the shape is %s", reduction_name[f],
                         shape_text(&s));
    }
    int64_t one = f == RD_PROD || f == RD_ALL;
    Array identity = array_scalar(DT_INT, &one);
    return array_assign(out, &identity, err);
}

/* ---- tiles ---- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Columns are taken together when they lie closer than rows, or when rows are so few that starting
 * anew for every column would cost more than the work. */
static int tile_width(const Walk *kept, const Rows *rows)
{
    bool closer = magnitude(kept->step[0]) < magnitude(rows->axes.step[0]);
    if (!closer && rows->n >= FEW_ROWS) return 1;
    return kept->step[0] == 1 ? TILE_WIDTH : APART_WIDTH;
}

static bool reduce_tile(Tile *t, Array *out, int64_t position, Error *err)
{
    if (t->f == RD_ANY || t->f == RD_ALL) {
        return reduce_truth_tile(t, array_bools(out) + position, err);
    }
    if (t->a->dtype == DT_FLOAT) return reduce_float_tile(t, array_floats(out) + position, err);
    return reduce_int_tile(t, out, position, err);
}

static bool reduce_tiles(Tile *t, Walk *kept, Array *out, Error *err)
{
    int width = tile_width(kept, &t->rows);
    int64_t position = 0, since_poll = 0;
    t->step = kept->step[0];
    do {
        for (int64_t j = 0; j < kept->run; j += t->width) {
            t->width = kept->run - j < width ? (int)(kept->run - j) : width;
            t->first = kept->offset[0] + j * t->step;
            if (!reduce_tile(t, out, position + j, err)) return false;
            since_poll += t->width * t->rows.n;
            if (since_poll < POLL_ELEMENTS) continue;
            since_poll = 0;
            if (!interrupt_poll(err)) return false;
        }
        position += kept->run;
    } while (walk_next(kept));
    return true;
}

static bool reduce_into(Reduction f, const Array *a, unsigned axes, Array *out, Error *err)
{
    Axes reduced = pick_axes(a, axes), kept = pick_axes(a, ~axes);
    Tile t = {.f = f, .a = a, .as_float = out->dtype == DT_FLOAT};
    Walk columns;
    t.rows.n = count_elements(&reduced.shape);
    if (t.rows.n == 0) return fill_identity(f, a, out, err);
    axes_walk(&t.rows.axes, &reduced);
    if (!axes_walk(&columns, &kept)) return true;
    return reduce_tiles(&t, &columns, out, err);
}

static Array *reduce(Reduction f, Array *a, unsigned axes, bool keepdims, bool as_float, Error *err)
{
    axes &= (1u << a->rank) - 1;
    Shape shape = result_shape(a, axes, keepdims);
    Array *out = array_new(result_type(f, a, as_float), &shape, err);
    if (!out) return NULL;
    bool all = axes == (1u << a->rank) - 1 && a->contiguous && a->size > 0;
    if (all && a->dtype == DT_FLOAT && f <= RD_MIN && a->size < POLL_ELEMENTS) {
        array_floats(out)[0] = reduce_float_run(f, array_floats(a), a->size);
        return out;
    }
    bool extreme = a->dtype == DT_FLOAT && (f == RD_MAX || f == RD_MIN);
    if (extreme && out->size == 1 && reduce_extreme_all(f, a, array_floats(out))) return out;
    if (reduce_into(f, a, axes, out, err)) return out;
    array_release(out);
    return NULL;
}

Array *reduce_run(Reduction f, Array *a, unsigned axes, bool keepdims, Error *err)
{
    return reduce(f, a, axes, keepdims, false, err);
}

Array *reduce_sum_float(Array *a, unsigned axes, bool keepdims, Error *err)
{
    return reduce(RD_SUM, a, axes, keepdims, true, err);
}

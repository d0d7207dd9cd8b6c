#include "array/reduce/reduce.h"

#include "array/reduce/parts.h"
#include "base/interrupt.h"

bool reduce_poll(int64_t *since, int64_t work, Error *err)
{
    *since += work;
    if (*since < POLL_ELEMENTS) return true;
    *since = 0;
    return interrupt_poll(err);
}

/* ---- axes ---- */

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

/* Some axes of an array with their strides; offset is that of the first element. */
typedef struct {
    Shape shape;
    int64_t stride[MAX_RANK], offset;
} Axes;

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* Whether the order in which elements are folded makes no difference. */
static bool is_unordered(Reduction f, const Array *a)
{
    return (a->dtype != DT_FLOAT && f <= RD_ALL) || (f >= RD_MAX && f <= RD_ALL);
}

/* Axes along which one element repeats come before all others. */
static bool is_closer(int64_t stride, int64_t other)
{
    return stride != 0 && (other == 0 || stride < other);
}

/* The axes in the mask; in any order: those with the closest elements last, and forwards. */
static Axes axes_pick(const Array *a, unsigned axes, bool any_order)
{
    Axes to = {.shape.rank = 0};
    for (int k = 0; k < a->rank; k++) {
        if (!(axes >> k & 1)) continue;
        int64_t stride = a->stride[k];
        int i = to.shape.rank++;
        if (any_order) {
            if (stride < 0) to.offset += (a->dim[k] - 1) * stride;
            stride = magnitude(stride);
            for (; i > 0 && is_closer(to.stride[i - 1], stride); i--) {
                to.shape.dim[i] = to.shape.dim[i - 1];
                to.stride[i] = to.stride[i - 1];
            }
        }
        to.shape.dim[i] = a->dim[k];
        to.stride[i] = stride;
    }
    return to;
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

static DType result_type(Reduction f, const Array *a)
{
    if (f == RD_ANY || f == RD_ALL) return DT_BOOL;
    if (f == RD_ARGMAX || f == RD_ARGMIN) return DT_INT;
    return a->dtype == DT_BOOL && (f == RD_SUM || f == RD_PROD) ? DT_INT : (DType)a->dtype;
}

/* ---- elements ---- */

const void *reduce_copy(const Array *a, DType t, int64_t offset, int64_t step, int64_t n,
                        void *room)
{
    enum { WORD = 8 };
    const char *x = array_element(a, offset);
    char words[TILE_WIDTH * WORD], *to = t == DT_BOOL ? words : room;
    if (a->dtype == DT_BOOL) {
        for (int64_t i = 0; t == DT_BOOL && i < n; i++) ((bool *)room)[i] = x[i * step];
        for (int64_t i = 0; t != DT_BOOL && i < n; i++) ((int64_t *)room)[i] = x[i * step];
        return room;
    }
    for (int64_t i = 0; step != 1 && i < n; i++)
        memcpy(to + i * WORD, x + i * step * WORD, WORD); /* Floats or Ints */
    if (t == DT_BOOL)
        simd_loop(simd_level(), EW_TO_BOOL, a->dtype)(step == 1 ? x : words, NULL, NULL, room, n);
    return room;
}

/* ---- nothing to reduce ---- */

static bool fill_identity(Reduction f, const Array *a, Array *out, Error *err)
{
    if (out->size == 0) return true;
    static const char *const name[RD_ARGMIN + 1] = {
        [RD_MAX] = "max", [RD_MIN] = "min", [RD_ARGMAX] = "argmax", [RD_ARGMIN] = "argmin"};
    Shape s = shape_of(a);
    if (name[f])
        return error_set(err, ERR_VALUE, "%s of nothing: the shape is %s", name[f], shape_text(&s));
    bool identity = f == RD_PROD || f == RD_ALL;
    Array number = array_scalar(DT_BOOL, &identity);
    return array_assign(out, &number, err);
}

/* ---- tiles ---- */

/* Columns are taken together when they lie closer than rows, or when rows are so few that starting
 * anew for every column would cost more than the work. */
static int tile_width(const Tile *t, const Walk *kept)
{
    const Walk *axes = &t->rows.axes;
    bool closer = magnitude(kept->step[0]) < magnitude(axes->step[0]);
    bool runs = (t->f == RD_MAX || t->f == RD_MIN) && axes->step[0] == 1; /* start quickly */
    if (!closer && t->rows.n >= (runs ? FEW_OF_A_RUN : FEW_ROWS)) return 1;
    return kept->step[0] == 1 ? TILE_WIDTH : APART_WIDTH;
}

static bool reduce_tile(Tile *t, Array *out, int64_t position, Error *err)
{
    if (is_unordered(t->f, t->a)) return reduce_unordered_tile(t, out, position, err);
    if (t->f < RD_ARGMAX) return reduce_ordered_tile(t, array_floats(out) + position, err);
    reduce_arg_tile(t, array_ints(out) + position);
    return true;
}

static bool reduce_tiles(Tile *t, Walk *kept, int64_t offset, Array *out, Error *err)
{
    int width = tile_width(t, kept);
    int64_t position = 0, since_poll = 0;
    t->step = kept->step[0];
    do {
        for (int64_t j = 0; j < kept->run; j += t->width) {
            t->width = kept->run - j < width ? (int)(kept->run - j) : width;
            t->first = offset + kept->offset[0] + j * t->step;
            if (!reduce_tile(t, out, position + j, err)) return false;
            if (!reduce_poll(&since_poll, t->width * t->rows.n, err)) return false;
        }
        position += kept->run;
    } while (walk_next(kept));
    return true;
}

static bool reduce_into(Reduction f, const Array *a, unsigned axes, Array *out, Error *err)
{
    Tile t;
    t.f = f;
    t.a = a;
    t.rows.at = 0;
    if (axes == (1u << a->rank) - 1 && a->contiguous && a->size > 0) { /* no need to look further */
        t.first = t.rows.axes.rank = t.rows.axes.offset[0] = 0;
        t.width = t.step = t.rows.axes.step[0] = 1;
        t.rows.n = t.rows.axes.run = a->size;
        return reduce_tile(&t, out, 0, err);
    }
    Axes reduced = axes_pick(a, axes, is_unordered(f, a)), kept = axes_pick(a, ~axes, false);
    Walk columns;
    t.rows.n = count_elements(&reduced.shape);
    if (t.rows.n == 0) return fill_identity(f, a, out, err);
    axes_walk(&t.rows.axes, &reduced);
    if (!axes_walk(&columns, &kept)) return true;
    return reduce_tiles(&t, &columns, reduced.offset, out, err);
}

Array *reduce_run(Reduction f, Array *a, unsigned axes, bool keepdims, Error *err)
{
    axes &= (1u << a->rank) - 1;
    Shape shape = result_shape(a, axes, keepdims);
    Array *out = array_new(result_type(f, a), &shape, err);
    if (!out || reduce_into(f, a, axes, out, err)) return out;
    array_release(out);
    return NULL;
}

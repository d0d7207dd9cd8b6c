#include "array/index/index.h"

#include <assert.h>
#include <stdio.h>

#include "array/index/parts.h"
#include "array/walk.h"
#include "base/mem.h"

/* ---- positions and slices ---- */

const char *index_source_text(const Shape *source)
{
    static char text[MAX_RANK * 22 + 32];
    if (source->rank == 0) return "a number";
    snprintf(text, sizeof text, source->rank == 1 ? "an array of length %s" : "a %s array",
             shape_text(source));
    return text;
}

bool index_out_of_range(const Shape *source, int axis, int64_t index, Error *err)
{
    int64_t dim = source->dim[axis];
    if (dim == 0) {
        return error_set(err, ERR_INDEX,
                         "index %lld is out of range for axis %d of %s (it is empty)",
                         (long long)index, axis, index_source_text(source));
    }
    return error_set(
        err, ERR_INDEX, "index %lld is out of range for axis %d of %s (valid: %lld to %lld)",
        (long long)index, axis, index_source_text(source), (long long)-dim, (long long)dim - 1);
}

static int64_t clamp(int64_t index, int64_t dim, int64_t low, int64_t high)
{
    if (index < 0) index += dim;
    return index < low ? low : index > high ? high : index;
}

bool index_slice(int64_t dim, const IndexTerm *term, int64_t *start, int64_t *step, int64_t *len,
                 Error *err)
{
    int64_t by = term->has_step ? term->step : 1;
    if (by == 0) return error_set(err, ERR_INDEX, "a slice's step must not be 0");
    if (by < -INT64_MAX) by = -INT64_MAX;
    int64_t low = by < 0 ? -1 : 0, high = by < 0 ? dim - 1 : dim;
    int64_t from = by < 0 ? high : low, to = by < 0 ? low : high;
    if (term->has_start) from = clamp(term->start, dim, low, high);
    if (term->has_stop) to = clamp(term->stop, dim, low, high);
    int64_t distance = by < 0 ? from - to : to - from;
    *len = distance > 0 ? (distance - 1) / (by < 0 ? -by : by) + 1 : 0;
    *start = *len > 0 ? from : 0;
    *step = *len > 1 ? by : 1;
    return true;
}

/* ---- making selections ---- */

typedef struct {
    int taken;   /* axes of the source that the terms name */
    int kept;    /* axes that slices, new axes and the rest give to the result */
    int rests;   /* how often ... is written */
    bool gather; /* there are index arrays */
} TermCount;

static TermCount count_terms(const IndexTerm *term, int n)
{
    TermCount c = {0};
    for (int i = 0; i < n; i++) {
        IndexTermKind kind = term[i].kind;
        c.taken += index_axes(&term[i], 0);
        c.kept += kind == INDEX_SLICE || kind == INDEX_NEW_AXIS;
        c.rests += kind == INDEX_REST;
        c.gather |= kind == INDEX_ARRAY;
    }
    return c;
}

bool index_rank_fits(int rank, Error *err)
{
    return rank <= MAX_RANK ||
           error_set(err, ERR_INDEX, "the result would have %d axes, more than %d", rank, MAX_RANK);
}

static bool terms_fit(const Shape *source, const TermCount *c, Error *err)
{
    if (c->rests > 1) return error_set(err, ERR_INDEX, "an index may have only one ...");
    if (c->taken > source->rank)
        return error_set(err, ERR_INDEX, "too many indexes for %s: %d for %d %s",
                         index_source_text(source), c->taken, source->rank,
                         source->rank == 1 ? "axis" : "axes");
    return index_rank_fits(c->kept + source->rank - c->taken, err);
}

static void keep_axis(Selection *s, int axis, int64_t dim, int64_t step)
{
    int k = s->shape.rank++;
    assert(k < MAX_RANK); /* index_rank_fits has seen to it */
    s->shape.dim[k] = dim;
    s->axis[k] = (int8_t)axis;
    s->step[k] = step;
}

static void keep_whole_axis(Selection *s, int axis)
{
    s->start[axis] = 0;
    keep_axis(s, axis, s->source.dim[axis], 1);
}

static bool add_slice(Selection *s, int axis, const IndexTerm *term, Error *err)
{
    int64_t step, len;
    if (!term->has_start && !term->has_stop && !term->has_step) {
        keep_whole_axis(s, axis);
        return true;
    }
    if (!index_slice(s->source.dim[axis], term, &s->start[axis], &step, &len, err)) return false;
    keep_axis(s, axis, len, step);
    return true;
}

/* A position or an index array: they must stand together. The first one brings all their axes. */
static bool enter_arrays(Selection *s, Gather *g, Error *err)
{
    const Array *offsets = g->offsets;
    if (g->first < 0) {
        g->first = s->shape.rank;
        for (int k = 0; k < offsets->rank; k++) keep_axis(s, -1, offsets->dim[k], 0);
    }
    if (s->shape.rank == g->first + offsets->rank) return true;
    error_set(err, ERR_INDEX,
              "index arrays separated by a slice: where their axes should go is unclear");
    return error_hint(err, "index in two steps, the slice first");
}

bool selection_add_terms(Selection *s, Gather *g, const IndexTerm *term, int n, int rest,
                         Error *err)
{
    int axis = 0;
    for (int i = 0; i < n; i++) {
        bool ok = true;
        switch (term[i].kind) {
        case INDEX_AT:
            ok = (!g || enter_arrays(s, g, err)) &&
                 index_position(&s->source, axis, term[i].start, &s->start[axis], err);
            axis++;
            break;
        case INDEX_SLICE: ok = add_slice(s, axis++, &term[i], err); break;
        case INDEX_NEW_AXIS: keep_axis(s, -1, 1, 0); break;
        case INDEX_REST:
            for (int k = 0; k < rest; k++) keep_whole_axis(s, axis++);
            break;
        case INDEX_ARRAY:
            ok = enter_arrays(s, g, err);
            for (int k = index_axes(&term[i], rest); k > 0; k--) s->start[axis++] = 0;
            break;
        }
        if (!ok) return false;
    }
    while (axis < s->source.rank) keep_whole_axis(s, axis++);
    return true;
}

Selection *selection_new(const Shape *source, const IndexTerm *term, int n, Error *err)
{
    TermCount count = count_terms(term, n);
    int rest = source->rank - count.taken;
    if (!terms_fit(source, &count, err)) return NULL;
    Selection *s = pool_alloc(sizeof *s);
    s->head.refs = 1;
    shape_copy(&s->source, source->rank, source->dim);
    s->shape.rank = 0;
    s->is_gather = false;
    s->outer = s->inner = s->mask = NULL;
    if (count.gather ? gather_fill(s, term, n, rest, count.kept + rest, err)
                     : selection_add_terms(s, NULL, term, n, rest, err))
        return s;
    selection_release(s);
    return NULL;
}

Selection *selection_retain(Selection *s)
{
    s->head.refs++;
    return s;
}

void selection_release(Selection *s)
{
    if (!s || --s->head.refs > 0) return;
    array_release(s->outer);
    array_release(s->inner);
    array_release(s->mask);
    pool_free(s, sizeof *s);
}

/* ---- reading ---- */

void index_narrow(Array *out, const Array *a, const Selection *s)
{
    int64_t offset = 0;
    for (int axis = 0; axis < a->rank; axis++) offset += s->start[axis] * a->stride[axis];
    out->data = array_element(a, offset);
    out->rank = s->shape.rank;
    for (int k = 0; k < s->shape.rank; k++) {
        out->dim[k] = s->shape.dim[k];
        out->stride[k] = s->axis[k] < 0 ? 0 : s->step[k] * a->stride[s->axis[k]];
    }
    array_update_layout(out);
}

Array *selection_read(Array *a, const Selection *s, Error *err)
{
    assert(a->rank == s->source.rank);
    if (s->is_gather) return gather_read(a, s, err);
    Array *v = array_view(a);
    index_narrow(v, a, s);
    return v;
}

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

static int array_axes(const Array *index)
{
    return index->dtype == DT_BOOL ? index->rank : 1;
}

static TermCount count_terms(const IndexTerm *term, int n)
{
    TermCount c = {0};
    for (int i = 0; i < n; i++) {
        switch (term[i].kind) {
        case INDEX_SLICE: c.kept++; /* fall through */
        case INDEX_AT: c.taken++; break;
        case INDEX_NEW_AXIS: c.kept++; break;
        case INDEX_REST: c.rests++; break;
        case INDEX_ARRAY:
            c.taken += array_axes(term[i].array);
            c.gather = true;
            break;
        }
    }
    return c;
}

static bool misfit(const Shape *source, const TermCount *c, int rank, Error *err)
{
    if (c->rests > 1) return error_set(err, ERR_INDEX, "an index may have only one ...");
    if (c->taken > source->rank)
        return error_set(err, ERR_INDEX, "too many indexes for %s: %d for %d %s",
                         index_source_text(source), c->taken, source->rank,
                         source->rank == 1 ? "axis" : "axes");
    return error_set(err, ERR_INDEX, "the result would have %d axes, more than %d", rank, MAX_RANK);
}

static void keep_axis(Selection *s, int axis, int64_t dim, int64_t step)
{
    int k = s->shape.rank++;
    assert(k < MAX_RANK); /* selection_new has seen to it */
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
    if (!term->has_start && !term->has_stop && !term->has_step) {
        keep_whole_axis(s, axis);
        return true;
    }
    int64_t step = 1, len = 0;
    if (!index_slice(s->source.dim[axis], term, &s->start[axis], &step, &len, err)) return false;
    keep_axis(s, axis, len, step);
    return true;
}

bool selection_add_terms(Selection *s, Gather *g, const IndexTerm *term, int n, int rest,
                         Error *err)
{
    int axis = 0;
    for (int i = 0; i < n; i++) {
        bool ok = true;
        switch (term[i].kind) {
        case INDEX_AT:
            ok = (!g || gather_enter(g, s, err)) &&
                 index_position(&s->source, axis, term[i].start, &s->start[axis], err);
            axis++;
            break;
        case INDEX_SLICE: ok = add_slice(s, axis++, &term[i], err); break;
        case INDEX_NEW_AXIS: keep_axis(s, -1, 1, 0); break;
        case INDEX_REST:
            for (int k = 0; k < rest; k++) keep_whole_axis(s, axis++);
            break;
        case INDEX_ARRAY:
            ok = gather_add(g, s, term[i].array, axis, err);
            for (int k = array_axes(term[i].array); k > 0; k--) s->start[axis++] = 0;
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
    int rest = source->rank - count.taken, rank = count.kept + rest;
    if (count.rests > 1 || rest < 0 || rank > MAX_RANK) {
        misfit(source, &count, rank, err);
        return NULL;
    }
    Selection *s = pool_alloc(sizeof *s);
    s->head.refs = 1;
    shape_copy(&s->source, source->rank, source->dim);
    s->shape.rank = 0;
    s->is_gather = false;
    s->outer = s->inner = s->mask = NULL;
    if (count.gather ? gather_fill(s, term, n, rest, err)
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

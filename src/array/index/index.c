#include "array/index/index.h"

#include <assert.h>
#include <stdio.h>

#include "array/index/parts.h"
#include "array/walk.h"
#include "base/mem.h"

/* ---- positions and slices ---- */

const char *index_source_text(const Shape *source)
{
    static char text[2][MAX_RANK * 22 + 32];
    static int next;
    char *out = text[next++ % 2];
    if (source->rank == 0) return "a number";
    snprintf(out, sizeof text[0], source->rank == 1 ? "an array of length %s" : "a %s array",
             shape_text(source));
    return out;
}

static bool out_of_range(const Shape *source, int axis, int64_t index, Error *err)
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

bool index_position(const Shape *source, int axis, int64_t index, int64_t *position, Error *err)
{
    int64_t dim = source->dim[axis];
    if (index < -dim || index >= dim) return out_of_range(source, axis, index, err);
    *position = index < 0 ? index + dim : index;
    return true;
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
    int64_t low = by < 0 ? -1 : 0;
    int64_t high = by < 0 ? dim - 1 : dim;
    int64_t from = by < 0 ? high : low;
    int64_t to = by < 0 ? low : high;
    if (term->has_start) from = clamp(term->start, dim, low, high);
    if (term->has_stop) to = clamp(term->stop, dim, low, high);
    int64_t distance = by < 0 ? from - to : to - from;
    *len = distance > 0 ? (distance - 1) / (by < 0 ? -by : by) + 1 : 0;
    *start = *len > 0 ? from : 0;
    *step = *len > 1 ? by : 1;
    return true;
}

/* ---- making selections ---- */

static int axes_taken(const IndexTerm *term)
{
    switch (term->kind) {
    case INDEX_AT:
    case INDEX_SLICE: return 1;
    case INDEX_ARRAY: return term->array->dtype == DT_BOOL ? term->array->rank : 1;
    case INDEX_NEW_AXIS:
    case INDEX_REST: break;
    }
    return 0;
}

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
        c.taken += axes_taken(&term[i]);
        c.kept += term[i].kind == INDEX_SLICE || term[i].kind == INDEX_NEW_AXIS;
        c.rests += term[i].kind == INDEX_REST;
        c.gather |= term[i].kind == INDEX_ARRAY;
    }
    return c;
}

static bool terms_fit(const Shape *source, const TermCount *c, Error *err)
{
    if (c->rests > 1) return error_set(err, ERR_INDEX, "an index may have only one ...");
    if (c->taken > source->rank) {
        return error_set(err, ERR_INDEX, "too many indexes for %s: %d for %d %s",
                         index_source_text(source), c->taken, source->rank,
                         source->rank == 1 ? "axis" : "axes");
    }
    if (c->kept + source->rank - c->taken > MAX_RANK) {
        return error_set(err, ERR_INDEX, "the result would have %d axes, more than %d",
                         c->kept + source->rank - c->taken, MAX_RANK);
    }
    return true;
}

static void keep_axis(Selection *s, int axis, int64_t dim, int64_t step)
{
    int k = s->shape.rank++;
    assert(k < MAX_RANK); /* terms_fit has seen to it */
    s->shape.dim[k] = dim;
    s->axis[k] = (int8_t)axis;
    s->step[k] = step;
}

static void keep_whole_axes(Selection *s, int first, int n)
{
    for (int axis = first; axis < first + n; axis++) {
        s->start[axis] = 0;
        keep_axis(s, axis, s->source.dim[axis], 1);
    }
}

static bool add_slice(Selection *s, int axis, const IndexTerm *term, Error *err)
{
    int64_t step, len;
    if (!index_slice(s->source.dim[axis], term, &s->start[axis], &step, &len, err)) return false;
    keep_axis(s, axis, len, step);
    return true;
}

static bool add_terms(Selection *s, const IndexTerm *term, int n, int rest, Error *err)
{
    int axis = 0;
    for (int i = 0; i < n; i++) {
        bool ok = true;
        switch (term[i].kind) {
        case INDEX_AT:
            ok = index_position(&s->source, axis, term[i].start, &s->start[axis], err);
            axis++;
            break;
        case INDEX_SLICE: ok = add_slice(s, axis++, &term[i], err); break;
        case INDEX_NEW_AXIS: keep_axis(s, -1, 1, 0); break;
        case INDEX_REST:
            keep_whole_axes(s, axis, rest);
            axis += rest;
            break;
        case INDEX_ARRAY: break; /* gather_new's */
        }
        if (!ok) return false;
    }
    keep_whole_axes(s, axis, s->source.rank - axis);
    return true;
}

Selection *selection_start(const Shape *source)
{
    Selection *s = pool_alloc(sizeof *s);
    s->head.refs = 1;
    s->source = *source;
    s->shape.rank = 0;
    s->is_gather = false;
    s->outer = s->inner = s->mask = NULL;
    return s;
}

/* X[i, :] and its like, one position or all of an axis each, are what row-by-row programs are full
 * of. */
static bool is_plain(const Shape *source, const IndexTerm *term, int n)
{
    if (n != source->rank) return false;
    for (int i = 0; i < n; i++) {
        bool is_whole = term[i].kind == INDEX_SLICE && !term[i].has_start && !term[i].has_stop &&
                        !term[i].has_step;
        if (term[i].kind != INDEX_AT && !is_whole) return false;
    }
    return true;
}

static Selection *selection_plain(const Shape *source, const IndexTerm *term, Error *err)
{
    Selection *s = selection_start(source);
    for (int i = 0; i < source->rank; i++) {
        s->start[i] = 0;
        if (term[i].kind == INDEX_SLICE) {
            keep_axis(s, i, source->dim[i], 1);
        } else if (!index_position(source, i, term[i].start, &s->start[i], err)) {
            selection_release(s);
            return NULL;
        }
    }
    return s;
}

Selection *selection_new(const Shape *source, const IndexTerm *term, int n, Error *err)
{
    if (is_plain(source, term, n)) return selection_plain(source, term, err);
    TermCount count = count_terms(term, n);
    if (!terms_fit(source, &count, err)) return NULL;
    int rest = source->rank - count.taken;
    if (count.gather) return gather_new(source, term, n, rest, err);
    Selection *s = selection_start(source);
    if (add_terms(s, term, n, rest, err)) return s;
    selection_release(s);
    return NULL;
}

Selection *selection_all(const Shape *source)
{
    Selection *s = selection_start(source);
    keep_whole_axes(s, 0, source->rank);
    return s;
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

void index_narrow(Array *a, const Selection *s)
{
    int64_t offset = 0, stride[MAX_RANK];
    for (int axis = 0; axis < s->source.rank; axis++) {
        stride[axis] = a->stride[axis];
        offset += s->start[axis] * stride[axis];
    }
    a->data = array_element(a, offset);
    a->rank = (uint8_t)s->shape.rank;
    for (int k = 0; k < s->shape.rank; k++) {
        a->dim[k] = s->shape.dim[k];
        a->stride[k] = s->axis[k] < 0 ? 0 : s->step[k] * stride[s->axis[k]];
    }
    array_update_layout(a);
}

Array *selection_read(Array *a, const Selection *s, Error *err)
{
    assert(a->rank == s->source.rank);
    if (s->is_gather) return gather_read(a, s, err);
    Array *v = array_view(a);
    index_narrow(v, s);
    return v;
}

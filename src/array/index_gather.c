/* Index arrays and masks: the flat position of every selected element. */
#include "array/index_parts.h"
#include "array/walk.h"
#include "base/mem.h"

/* Every part of the index contributes offsets along some axes of the result; a position is the sum
 * of its parts' offsets. Index arrays share the axes of their broadcast shape, which stand between
 * the axes that come from what is written before and after them. */
typedef enum { BEFORE, ARRAYS, AFTER, PLACES } Place;

typedef struct {
    Array *offsets;
    Place place;
    int axis; /* within the place; index arrays align to its right end */
} Part;

typedef struct {
    const Shape *source;
    int64_t stride[MAX_RANK]; /* of the source in row-major order */
    int axis;                 /* the next of the source */
    int64_t base;             /* what single positions add */
    bool in_arrays;           /* the last term was an index array or a position */
    bool done_arrays;         /* there were such terms, and then others */
    Shape shape[PLACES];
    Part part[MAX_RANK + 1];
    int n_parts;
} Gather;

static void gather_start(Gather *g, const Shape *source)
{
    g->source = source;
    g->axis = g->n_parts = 0;
    g->base = 0;
    g->in_arrays = g->done_arrays = false;
    for (int p = 0; p < PLACES; p++) g->shape[p] = shape_scalar();
    int64_t stride = 1;
    for (int k = source->rank - 1; k >= 0; k--) {
        g->stride[k] = stride;
        if (source->dim[k] > 0) stride *= source->dim[k];
    }
}

static void add_part(Gather *g, Array *offsets, Place place, int axis)
{
    g->part[g->n_parts++] = (Part){offsets, place, axis};
}

/* ---- terms that keep an axis ---- */

static bool add_kept(Gather *g, int64_t dim)
{
    Place place = g->in_arrays || g->done_arrays ? AFTER : BEFORE;
    if (g->in_arrays) g->done_arrays = true;
    g->in_arrays = false;
    Shape *s = &g->shape[place];
    s->dim[s->rank++] = dim;
    return place == AFTER;
}

static bool add_slice(Gather *g, const IndexTerm *term, Error *err)
{
    int axis = g->axis++;
    int64_t start, step, len;
    if (!index_slice(g->source->dim[axis], term, &start, &step, &len, err)) return false;
    Array *offsets = array_new(DT_INT, &(Shape){1, {len}}, err);
    if (!offsets) return false;
    int64_t *out = array_ints(offsets);
    for (int64_t i = 0; i < len; i++) out[i] = (start + i * step) * g->stride[axis];
    Place place = add_kept(g, len) ? AFTER : BEFORE;
    add_part(g, offsets, place, g->shape[place].rank - 1);
    return true;
}

static bool add_rest(Gather *g, int rest, Error *err)
{
    IndexTerm whole = {.kind = INDEX_SLICE};
    for (int k = 0; k < rest; k++) {
        if (!add_slice(g, &whole, err)) return false;
    }
    return true;
}

/* ---- index arrays and masks ---- */

static bool enter_arrays(Gather *g, Error *err)
{
    g->in_arrays = true;
    if (!g->done_arrays) return true;
    error_set(err, ERR_INDEX,
              "index arrays separated by a slice: where their axes should go is unclear");
    return error_hint(err, "index in two steps, the slice first");
}

static bool add_position(Gather *g, int64_t index, Error *err)
{
    int axis = g->axis++;
    int64_t position;
    if (!enter_arrays(g, err) || !index_position(g->source, axis, index, &position, err)) {
        return false;
    }
    g->base += position * g->stride[axis];
    return true;
}

static Array *index_offsets(const Gather *g, const Array *index, int axis, Error *err)
{
    Shape shape = shape_of(index);
    Array *offsets = array_new(DT_INT, &shape, err);
    if (!offsets || !array_assign(offsets, index, err)) return offsets;
    int64_t dim = g->source->dim[axis], stride = g->stride[axis];
    int64_t *out = array_ints(offsets);
    for (int64_t i = 0; i < offsets->size; i++) {
        int64_t position = out[i] < 0 ? out[i] + dim : out[i];
        if (position < 0 || position >= dim) {
            index_position(g->source, axis, out[i], &position, err);
            array_release(offsets);
            return NULL;
        }
        out[i] = position * stride;
    }
    return offsets;
}

static bool mask_fits(const Gather *g, const Array *mask, int axis, Error *err)
{
    Shape shape = shape_of(mask);
    if (mask->rank == 0) return error_set(err, ERR_INDEX, "a single Bool is not an index");
    for (int k = 0; k < mask->rank; k++) {
        if (mask->dim[k] == g->source->dim[axis + k]) continue;
        return error_set(err, ERR_INDEX,
                         "a mask of shape %s does not fit %s (axis %d has size %lld)",
                         shape_text(&shape), index_source_text(g->source), axis + k,
                         (long long)g->source->dim[axis + k]);
    }
    return true;
}

static Array *mask_offsets(const Gather *g, Array *mask, int axis, Error *err)
{
    if (!mask_fits(g, mask, axis, err)) return NULL;
    Array *flat = array_contiguous(mask, err);
    if (!flat) return NULL;
    const bool *on = array_bools(flat);
    int64_t count = 0;
    for (int64_t i = 0; i < flat->size; i++) count += on[i];
    Array *offsets = array_new(DT_INT, &(Shape){1, {count}}, err);
    if (offsets) {
        int64_t stride = g->stride[axis + mask->rank - 1], n = 0;
        int64_t *out = array_ints(offsets);
        /* Without a branch, which would be guessed wrong all the time. */
        for (int64_t i = 0; n < count; i++) {
            out[n] = i * stride;
            n += on[i];
        }
    }
    array_release(flat);
    return offsets;
}

static bool add_array(Gather *g, Array *index, Error *err)
{
    int axis = g->axis;
    if (!enter_arrays(g, err)) return false;
    bool is_mask = index->dtype == DT_BOOL;
    if (index->dtype == DT_FLOAT) return error_set(err, ERR_INDEX, "an index must be Int or Bool");
    Array *offsets =
        is_mask ? mask_offsets(g, index, axis, err) : index_offsets(g, index, axis, err);
    if (!offsets) return false;
    g->axis += is_mask ? index->rank : 1;
    add_part(g, offsets, ARRAYS, 0);
    Shape shape = shape_of(offsets), *all = &g->shape[ARRAYS], both;
    if (!shape_broadcast(all, &shape, &both, err)) {
        error_clear(err);
        return error_set(err, ERR_INDEX, "index arrays of shapes %s and %s do not fit together",
                         shape_text(all), shape_text(&shape));
    }
    *all = both;
    return true;
}

static bool add_terms(Gather *g, const IndexTerm *term, int n, int rest, Error *err)
{
    bool rest_done = false;
    for (int i = 0; i < n; i++) {
        bool ok = true;
        switch (term[i].kind) {
        case INDEX_AT: ok = add_position(g, term[i].start, err); break;
        case INDEX_SLICE: ok = add_slice(g, &term[i], err); break;
        case INDEX_NEW_AXIS: add_kept(g, 1); break;
        case INDEX_REST:
            ok = add_rest(g, rest, err);
            rest_done = true;
            break;
        case INDEX_ARRAY: ok = add_array(g, term[i].array, err); break;
        }
        if (!ok) return false;
    }
    return rest_done || add_rest(g, rest, err);
}

/* ---- adding the parts up ---- */

static bool result_shape(const Gather *g, Shape *out, Error *err)
{
    int rank = g->shape[BEFORE].rank + g->shape[ARRAYS].rank + g->shape[AFTER].rank;
    if (rank > MAX_RANK) {
        return error_set(err, ERR_INDEX, "the result would have %d axes, more than %d", rank,
                         MAX_RANK);
    }
    out->rank = 0;
    for (int p = 0; p < PLACES; p++) {
        for (int k = 0; k < g->shape[p].rank; k++) out->dim[out->rank++] = g->shape[p].dim[k];
    }
    return true;
}

/* The strides of a part's offsets along the axes of the result. */
static void part_strides(const Gather *g, const Part *part, int rank, int64_t *stride)
{
    const Array *offsets = part->offsets;
    int first = part->axis;
    if (part->place != BEFORE) first += g->shape[BEFORE].rank;
    if (part->place == AFTER) first += g->shape[ARRAYS].rank;
    if (part->place == ARRAYS) first += g->shape[ARRAYS].rank - offsets->rank;
    for (int k = 0; k < rank; k++) stride[k] = 0;
    for (int k = 0; k < offsets->rank; k++) {
        stride[first + k] = offsets->dim[k] == 1 ? 0 : offsets->stride[k];
    }
}

static void add_run(int64_t *out, const int64_t *offset, int64_t step, int64_t n)
{
    if (step == 0) {
        int64_t same = *offset;
        for (int64_t i = 0; i < n; i++) out[i] += same;
    } else {
        for (int64_t i = 0; i < n; i++) out[i] += offset[i * step];
    }
}

static void start_run(int64_t *out, const int64_t *offset, int64_t step, int64_t n, int64_t base)
{
    for (int64_t i = 0; i < n; i++) out[i] = base + offset[i * step];
}

static Array *add_up(const Gather *g, Error *err)
{
    Shape shape;
    if (!result_shape(g, &shape, err)) return NULL;
    Array *positions = array_new(DT_INT, &shape, err);
    for (int p = 0; positions && p < g->n_parts; p++) {
        const int64_t *offset = array_ints(g->part[p].offsets);
        int64_t stride[MAX_RANK];
        const int64_t *const strides[] = {positions->stride, stride};
        part_strides(g, &g->part[p], shape.rank, stride);
        Walk w;
        if (!walk_start(&w, shape.rank, shape.dim, 2, strides)) break;
        do {
            int64_t *out = array_ints(positions) + w.offset[0];
            if (p == 0) {
                start_run(out, offset + w.offset[1], w.step[1], w.run, g->base);
            } else {
                add_run(out, offset + w.offset[1], w.step[1], w.run);
            }
        } while (walk_next(&w));
    }
    return positions;
}

Selection *gather_new(const Shape *source, const IndexTerm *term, int n, int rest, Error *err)
{
    Gather g;
    gather_start(&g, source);
    Array *positions = add_terms(&g, term, n, rest, err) ? add_up(&g, err) : NULL;
    for (int p = 0; p < g.n_parts; p++) array_release(g.part[p].offsets);
    if (!positions) return NULL;
    Selection *s = pool_alloc(sizeof *s);
    s->head.refs = 1;
    s->source = *source;
    s->shape = shape_of(positions);
    s->is_gather = true;
    s->positions = positions;
    return s;
}

/* ---- reading ---- */

static void gather_elements(Array *out, const Array *a, const int64_t *position)
{
    int64_t n = out->size;
    if (a->dtype == DT_BOOL) {
        for (int64_t i = 0; i < n; i++) array_bools(out)[i] = array_bools(a)[position[i]];
    } else if (a->dtype == DT_INT) {
        for (int64_t i = 0; i < n; i++) array_ints(out)[i] = array_ints(a)[position[i]];
    } else {
        for (int64_t i = 0; i < n; i++) array_floats(out)[i] = array_floats(a)[position[i]];
    }
}

/* A few elements of a large strided array: not worth laying it out. */
static void gather_strided(Array *out, const Array *a, const int64_t *position)
{
    size_t size = dtype_size(a->dtype);
    const char *from = a->data;
    char *to = out->data;
    for (int64_t i = 0; i < out->size; i++) {
        __builtin_memcpy(to + i * (int64_t)size,
                         from + array_offset(a, position[i]) * (int64_t)size, size);
    }
}

Array *gather_read(Array *a, const Selection *s, Error *err)
{
    const int64_t *position = array_ints(s->positions);
    Array *out = array_new(a->dtype, &s->shape, err);
    if (!out) return NULL;
    if (!a->contiguous && out->size < a->size) {
        gather_strided(out, a, position);
        return out;
    }
    Array *flat = array_contiguous(a, err);
    if (flat) {
        gather_elements(out, flat, position);
        array_release(flat);
        return out;
    }
    array_release(out);
    return NULL;
}

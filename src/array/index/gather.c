/* Index arrays and masks: the flat positions of what is selected. */
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "array/walk.h"

/* Every part of the index contributes offsets along some axes of the result; a position is the sum
 * of its parts' offsets. Index arrays share the axes of their broadcast shape, which stand between
 * the axes that come from what is written before and after them. */
typedef enum { BEFORE, ARRAYS, AFTER, PLACES } Place;

typedef struct {
    Array *offsets; /* NULL for a slice, whose offsets are start + i * step */
    int64_t start, step;
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
    for (int p = 0; p < PLACES; p++) g->shape[p] = (Shape){.rank = 0};
    int64_t stride = 1;
    for (int k = source->rank - 1; k >= 0; k--) {
        g->stride[k] = stride;
        if (source->dim[k] > 0) stride *= source->dim[k];
    }
}

/* ---- terms that keep an axis ---- */

static Place add_kept(Gather *g, int64_t dim)
{
    Place place = g->in_arrays || g->done_arrays ? AFTER : BEFORE;
    if (g->in_arrays) g->done_arrays = true;
    g->in_arrays = false;
    Shape *s = &g->shape[place];
    s->dim[s->rank++] = dim;
    return place;
}

static bool add_slice(Gather *g, const IndexTerm *term, Error *err)
{
    int axis = g->axis++;
    int64_t start, step, len;
    if (!index_slice(g->source->dim[axis], term, &start, &step, &len, err)) return false;
    Place place = add_kept(g, len);
    g->part[g->n_parts++] = (Part){.start = start * g->stride[axis],
                                   .step = step * g->stride[axis],
                                   .place = place,
                                   .axis = g->shape[place].rank - 1};
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

static void first_outside(const Gather *g, const Array *index, int axis, Error *err)
{
    const int64_t *at = array_ints(index);
    for (int64_t position; index_position(g->source, axis, *at, &position, err);) at++;
}

/* An index array that counts in the source's own elements serves as it is. */
static Array *index_offsets(const Gather *g, Array *index, int axis, Error *err)
{
    const MoveKernel *kernel = simd_move(simd_level());
    int64_t dim = g->source->dim[axis], stride = g->stride[axis];
    Array *flat = index->buffer ? array_contiguous(index, err) : array_copy(index, err);
    if (!flat) return NULL;
    PlaceCheck check = kernel->check_places(array_ints(flat), flat->size, dim);
    if (check == PLACES_FINE && stride == 1) return flat;
    Array *offsets = NULL;
    if (check == PLACES_OUTSIDE) {
        first_outside(g, flat, axis, err);
    } else if ((offsets = array_new(DT_INT, &flat->shape, err))) {
        kernel->scale_places(array_ints(offsets), array_ints(flat), flat->size, dim, stride);
    }
    array_release(flat);
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
    Array *offsets = places_of_mask(flat, g->stride[axis + mask->rank - 1], err);
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
    g->part[g->n_parts++] = (Part){.offsets = offsets, .place = ARRAYS};
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

/* The shape of the places from first to last. */
static Shape joint_shape(const Gather *g, Place first, Place last)
{
    Shape s = {.rank = 0};
    for (int p = first; p <= (int)last; p++) {
        for (int k = 0; k < g->shape[p].rank; k++) s.dim[s.rank++] = g->shape[p].dim[k];
    }
    return s;
}

static bool result_shape(const Gather *g, Shape *out, int64_t *size, Error *err)
{
    int rank = g->shape[BEFORE].rank + g->shape[ARRAYS].rank + g->shape[AFTER].rank;
    if (rank > MAX_RANK) {
        return error_set(err, ERR_INDEX, "the result would have %d axes, more than %d", rank,
                         MAX_RANK);
    }
    *out = joint_shape(g, BEFORE, AFTER);
    return shape_size(out, size, err);
}

/* The strides of a part's offsets along the axes of the places from first on. */
static void part_strides(const Gather *g, const Part *part, Place first, int rank, int64_t *stride)
{
    int at = part->axis;
    for (int p = first; p < (int)part->place; p++) at += g->shape[p].rank;
    for (int k = 0; k < rank; k++) stride[k] = 0;
    const Array *offsets = part->offsets;
    if (!offsets) {
        stride[at] = part->step;
        return;
    }
    at += g->shape[ARRAYS].rank - offsets->rank;
    for (int k = 0; k < offsets->rank; k++) {
        stride[at + k] = offsets->dim[k] == 1 ? 0 : offsets->stride[k];
    }
}

static void add_run(int64_t *out, const int64_t *offset, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < n; i++) out[i] += offset[i * step];
}

static void add_line(int64_t *out, int64_t start, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < n; i++) out[i] += start + i * step;
}

static void add_part(const Gather *g, const Part *part, Place first, Array *to)
{
    int64_t stride[MAX_RANK];
    const int64_t *const strides[] = {to->stride, stride};
    part_strides(g, part, first, to->rank, stride);
    Walk w;
    if (!walk_start(&w, to->rank, to->dim, 2, strides)) return;
    do {
        int64_t *out = array_ints(to) + w.offset[0];
        if (part->offsets) {
            add_run(out, array_ints(part->offsets) + w.offset[1], w.step[1], w.run);
        } else {
            add_line(out, part->start + w.offset[1], w.step[1], w.run);
        }
    } while (walk_next(&w));
}

/* base and the parts in the places from first to last, added up; the only part itself where
 * nothing has to be added. */
static Array *add_up(const Gather *g, Place first, Place last, int64_t base, Error *err)
{
    Shape shape = joint_shape(g, first, last);
    const Part *only = NULL;
    int parts = 0;
    for (int p = 0; p < g->n_parts; p++) {
        if (g->part[p].place < first || g->part[p].place > last) continue;
        only = &g->part[p];
        parts++;
    }
    Shape own = parts == 1 && only->offsets ? shape_of(only->offsets) : (Shape){.rank = 0};
    if (base == 0 && own.rank > 0 && shape_equal(&own, &shape)) return array_retain(only->offsets);
    Array *sum = array_new(DT_INT, &shape, err);
    for (int64_t i = 0; sum && i < sum->size; i++) array_ints(sum)[i] = base;
    for (int p = 0; sum && p < g->n_parts; p++) {
        const Part *part = &g->part[p];
        if (part->place >= first && part->place <= last) add_part(g, part, first, sum);
    }
    return sum;
}

/* Whether what is kept after the arrays lies in one row: *start is then where it begins. */
static bool after_is_run(const Gather *g, int64_t *start)
{
    int64_t next = 1;
    *start = 0;
    for (int p = g->n_parts - 1; p >= 0; p--) {
        const Part *part = &g->part[p];
        if (part->place != AFTER) continue;
        int64_t len = g->shape[AFTER].dim[part->axis];
        *start += part->start;
        if (len != 1 && part->step != next) return false;
        next *= len;
    }
    return true;
}

/* Groups are what is kept after the arrays, or the arrays themselves when that is one element. */
static bool add_groups(const Gather *g, Selection *s, int64_t size, Error *err)
{
    Shape after = g->shape[AFTER];
    int64_t start;
    bool run = after_is_run(g, &start);
    shape_size(&after, &s->group, err);
    if (size == 0) return (s->outer = array_new(DT_INT, &(Shape){1, {0}}, err)) != NULL;
    if (s->group != 1) {
        s->outer = add_up(g, BEFORE, ARRAYS, g->base + (run ? start : 0), err);
        if (!run) s->inner = add_up(g, AFTER, AFTER, 0, err);
        return s->outer && (run || s->inner);
    }
    s->outer = add_up(g, BEFORE, BEFORE, g->base + start, err);
    s->inner = add_up(g, ARRAYS, ARRAYS, 0, err);
    if (s->inner) s->group = s->inner->size;
    return s->outer && s->inner;
}

/* A mask over everything is not turned into positions before they are wanted. */
static bool keep_mask(Selection *s, Array *mask, Error *err)
{
    Gather g;
    gather_start(&g, &s->source);
    if (!mask_fits(&g, mask, 0, err)) return false;
    if (!(s->mask = array_contiguous(mask, err))) return false;
    s->shape = (Shape){1, {truth_count(array_bools(s->mask), s->mask->size)}};
    return true;
}

static bool gather_fill(Selection *s, const IndexTerm *term, int n, int rest, Error *err)
{
    const Array *mask = term[0].kind == INDEX_ARRAY ? term[0].array : NULL;
    if (n == 1 && mask && mask->dtype == DT_BOOL && mask->rank == s->source.rank) {
        return keep_mask(s, term[0].array, err);
    }
    Gather g;
    int64_t size;
    gather_start(&g, &s->source);
    bool ok = add_terms(&g, term, n, rest, err) && result_shape(&g, &s->shape, &size, err) &&
              add_groups(&g, s, size, err);
    for (int p = 0; p < g.n_parts; p++) array_release(g.part[p].offsets);
    return ok;
}

Selection *gather_new(const Shape *source, const IndexTerm *term, int n, int rest, Error *err)
{
    Selection *s = selection_start(source);
    s->is_gather = true;
    if (gather_fill(s, term, n, rest, err)) return s;
    selection_release(s);
    return NULL;
}

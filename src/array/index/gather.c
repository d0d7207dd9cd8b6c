/* Index arrays and masks: the flat positions of what is selected. */
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "array/walk.h"

/* A position is the sum of what each axis of the result and each index array contributes. Index
 * arrays share the axes of their broadcast shape, which stand where the first of them is written. */

/* ---- index arrays and masks ---- */

bool gather_enter(Gather *g, const Selection *s, Error *err)
{
    if (!g->entered) g->first = s->shape.rank;
    g->entered = true;
    if (g->first == s->shape.rank) return true;
    error_set(err, ERR_INDEX,
              "index arrays separated by a slice: where their axes should go is unclear");
    return error_hint(err, "index in two steps, the slice first");
}

static void first_outside(const Shape *source, const Array *index, int axis, Error *err)
{
    const int64_t *at = array_ints(index);
    for (int64_t position; index_position(source, axis, *at, &position, err);) at++;
}

/* An index array that counts in the source's own elements serves as it is. */
static Array *index_offsets(const Gather *g, const Shape *source, Array *index, int axis,
                            Error *err)
{
    const MoveKernel *kernel = simd_move(simd_level());
    int64_t dim = source->dim[axis], stride = g->stride[axis];
    Array *flat = index->buffer ? array_contiguous(index, err) : array_copy(index, err);
    if (!flat) return NULL;
    PlaceCheck check = kernel->check_places(array_ints(flat), flat->size, dim);
    if (check == PLACES_FINE && stride == 1) return flat;
    Array *offsets = NULL;
    if (check == PLACES_OUTSIDE) {
        first_outside(source, flat, axis, err);
    } else if ((offsets = array_new(DT_INT, &flat->shape, err))) {
        kernel->scale_places(array_ints(offsets), array_ints(flat), flat->size, dim, stride);
    }
    array_release(flat);
    return offsets;
}

static bool mask_fits(const Shape *source, const Array *mask, int axis, Error *err)
{
    if (mask->rank == 0) return error_set(err, ERR_INDEX, "a single Bool is not an index");
    for (int k = 0; k < mask->rank; k++) {
        if (mask->dim[k] == source->dim[axis + k]) continue;
        return error_set(err, ERR_INDEX,
                         "a mask of shape %s does not fit %s (axis %d has size %lld)",
                         shape_text(&mask->shape), index_source_text(source), axis + k,
                         (long long)source->dim[axis + k]);
    }
    return true;
}

static Array *mask_offsets(const Gather *g, const Shape *source, Array *mask, int axis, Error *err)
{
    if (!mask_fits(source, mask, axis, err)) return NULL;
    Array *flat = array_contiguous(mask, err);
    if (!flat) return NULL;
    Array *offsets = places_of_mask(flat, g->stride[axis + mask->rank - 1], err);
    array_release(flat);
    return offsets;
}

bool gather_add(Gather *g, const Selection *s, Array *index, int axis, Error *err)
{
    if (!gather_enter(g, s, err)) return false;
    if (index->dtype == DT_FLOAT) return error_set(err, ERR_INDEX, "an index must be Int or Bool");
    Array *offsets = index->dtype == DT_BOOL ? mask_offsets(g, &s->source, index, axis, err)
                                             : index_offsets(g, &s->source, index, axis, err);
    if (!offsets) return false;
    g->offsets[g->n++] = offsets;
    Shape both;
    if (!shape_broadcast(&g->shape, &offsets->shape, &both, err)) {
        error_clear(err);
        return error_set(err, ERR_INDEX, "index arrays of shapes %s and %s do not fit together",
                         shape_text(&g->shape), shape_text(&offsets->shape));
    }
    g->shape = both;
    return true;
}

/* ---- adding up ---- */

/* Makes room among the axes that slices give for those of the index arrays: *step becomes the
 * distance of neighbours along each axis of the result, 0 along these. */
static bool place_axes(const Gather *g, Selection *s, int64_t *step, int64_t *size, Error *err)
{
    Shape kept = s->shape;
    int added = g->shape.rank;
    if (kept.rank + added > MAX_RANK)
        return error_set(err, ERR_INDEX, "the result would have %d axes, more than %d",
                         kept.rank + added, MAX_RANK);
    for (int k = 0; k < added; k++) {
        s->shape.dim[g->first + k] = g->shape.dim[k];
        step[g->first + k] = 0;
    }
    for (int k = 0; k < kept.rank; k++) {
        int to = k < g->first ? k : k + added;
        s->shape.dim[to] = kept.dim[k];
        step[to] = s->axis[k] < 0 ? 0 : s->step[k] * g->stride[s->axis[k]];
    }
    s->shape.rank += added;
    return shape_size(&s->shape, size, err);
}

static void add_offsets(Array *sum, const Array *offsets)
{
    int64_t stride[MAX_RANK];
    const int64_t *const strides[] = {sum->stride, stride};
    walk_broadcast(offsets, &sum->shape, stride);
    Walk w;
    if (!walk_start(&w, sum->rank, sum->dim, 2, strides)) return;
    do {
        int64_t *out = array_ints(sum) + w.offset[0];
        const int64_t *offset = array_ints(offsets) + w.offset[1];
        for (int64_t i = 0; i < w.run; i++) out[i] += offset[i * w.step[1]];
    } while (walk_next(&w));
}

/* base + i·step[0] + j·step[1] + …, i, j, … < the sizes of shape */
static Array *lattice(const Shape *shape, int64_t base, const int64_t *step, Error *err)
{
    Array *sum = array_new(DT_INT, shape, err);
    Walk w;
    if (!sum || !walk_start(&w, sum->rank, sum->dim, 2, (const int64_t *[]){sum->stride, step}))
        return sum;
    do {
        int64_t *out = array_ints(sum) + w.offset[0];
        for (int64_t i = 0; i < w.run; i++) out[i] = base + w.offset[1] + i * w.step[1];
    } while (walk_next(&w));
    return sum;
}

/* The flat positions along n axes of the result from first on; with the index arrays, whose axes
 * are then the last of these. A single index array itself where nothing has to be added. */
static Array *positions(const Gather *g, const Selection *s, int first, int n, bool arrays,
                        int64_t base, const int64_t *step, Error *err)
{
    if (arrays && g->n == 1 && n == g->shape.rank && base == 0) return array_retain(g->offsets[0]);
    Shape shape;
    shape_copy(&shape, n, s->shape.dim + first);
    Array *sum = lattice(&shape, base, step + first, err);
    for (int i = 0; sum && arrays && i < g->n; i++) add_offsets(sum, g->offsets[i]);
    return sum;
}

/* The flat position of where the slices after the index arrays begin. */
static int64_t start_after(const Gather *g, const Selection *s)
{
    int64_t start = 0;
    for (int k = g->first; k < s->shape.rank - g->shape.rank; k++) {
        int axis = s->axis[k];
        if (axis >= 0) start += s->start[axis] * g->stride[axis];
    }
    return start;
}

/* Groups are what is kept after the arrays, or the arrays themselves when that is one element. */
static bool make_groups(const Gather *g, Selection *s, Error *err)
{
    int64_t step[MAX_RANK], size, base = 0;
    if (!place_axes(g, s, step, &size, err)) return false;
    for (int k = 0; k < s->source.rank; k++) base += s->start[k] * g->stride[k];
    int after = g->first + g->shape.rank;
    bool run = true; /* what is kept after the arrays lies in one row */
    s->group = 1;
    for (int k = s->shape.rank - 1; k >= after; k--) {
        run &= s->shape.dim[k] == 1 || step[k] == s->group;
        s->group *= s->shape.dim[k];
    }
    if (size == 0) return (s->outer = array_new(DT_INT, &(Shape){1, {0}}, err)) != NULL;
    if (s->group == 1) {
        s->outer = positions(g, s, 0, g->first, false, base, step, err);
        s->inner = positions(g, s, g->first, g->shape.rank, true, 0, step, err);
        if (s->inner) s->group = s->inner->size;
        return s->outer && s->inner;
    }
    int64_t within = run ? 0 : start_after(g, s);
    s->outer = positions(g, s, 0, after, true, base - within, step, err);
    if (!run) s->inner = positions(g, s, after, s->shape.rank - after, false, within, step, err);
    return s->outer && (run || s->inner);
}

/* A mask over everything is not turned into positions before they are wanted. */
static bool keep_mask(Selection *s, Array *mask, Error *err)
{
    if (!mask_fits(&s->source, mask, 0, err)) return false;
    if (!(s->mask = array_contiguous(mask, err))) return false;
    s->shape = (Shape){1, {truth_count(array_bools(s->mask), s->mask->size)}};
    return true;
}

bool gather_fill(Selection *s, const IndexTerm *term, int n, int rest, Error *err)
{
    s->is_gather = true;
    Array *mask = term[0].kind == INDEX_ARRAY ? term[0].array : NULL;
    if (n == 1 && mask && mask->dtype == DT_BOOL && mask->rank == s->source.rank)
        return keep_mask(s, mask, err);
    Gather g = {0};
    shape_strides(&s->source, 1, g.stride);
    bool ok = selection_add_terms(s, &g, term, n, rest, err) && make_groups(&g, s, err);
    for (int i = 0; i < g.n; i++) array_release(g.offsets[i]);
    return ok;
}

/* Index arrays and masks: the flat positions of what is selected. */
#include "array/elementwise/elementwise.h"
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "array/walk.h"
#include "base/interrupt.h"

/* A position is the sum of what each axis of the result and each index array contributes. Index
 * arrays share the axes of their broadcast shape, which stand where the first of them is written. */

/* ---- index arrays and masks ---- */

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
    if (!interrupt_poll(err)) return array_if(false, flat);
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

Array *places_of_mask(const Array *mask, int64_t stride, Error *err)
{
    const bool *on = array_bools(mask);
    int64_t count = truth_count(on, mask->size), n = 0;
    Array *places = array_new(DT_INT, &(Shape){1, {count}}, err);
    if (!places) return NULL;
    int64_t *out = array_ints(places);
    Stretch s = {0};
    /* Without a branch, which would be guessed wrong all the time. */
    while (n < count && stretch_next(&s, mask->size, err))
        for (int64_t i = s.start; n < count && i < s.end; i++) {
            out[n] = i * stride;
            n += on[i];
        }
    return array_if(n == count, places);
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

static Array *add_up(Array *const *offsets, Error *err)
{
    Shape both;
    const Shape *a = &offsets[0]->shape, *b = &offsets[1]->shape;
    if (shape_broadcast(a, b, &both, err)) return elementwise_run(EW_ADD, offsets, err);
    error_clear(err);
    error_set(err, ERR_INDEX, "index arrays of shapes %s and %s do not fit together", shape_text(a),
              shape_text(b));
    return NULL;
}

/* Adds an index array or a mask for the source's axes from axis on. */
static bool add_array(Gather *g, const Shape *source, Array *index, int axis, Error *err)
{
    if (index->dtype == DT_FLOAT) return error_set(err, ERR_INDEX, "an index must be Int or Bool");
    Array *offsets = index->dtype == DT_BOOL ? mask_offsets(g, source, index, axis, err)
                                             : index_offsets(g, source, index, axis, err);
    Array *before = g->offsets;
    g->offsets = before && offsets ? add_up((Array *[]){before, offsets}, err) : offsets;
    if (before) {
        array_release(before);
        array_release(offsets);
    }
    return g->offsets != NULL;
}

static bool add_arrays(Gather *g, const Shape *source, const IndexTerm *term, int n, int rest,
                       Error *err)
{
    for (int i = 0, axis = 0; i < n; axis += index_axes(&term[i++], rest))
        if (term[i].kind == INDEX_ARRAY && !add_array(g, source, term[i].array, axis, err))
            return false;
    return true;
}

/* ---- groups ---- */

/* From one flat position to the next along an axis of the result. */
static int64_t flat_step(const Gather *g, const Selection *s, int k)
{
    return s->axis[k] < 0 ? 0 : s->step[k] * g->stride[s->axis[k]];
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
        if (!interrupt_poll(err)) return array_if(false, sum);
    } while (walk_next(&w));
    return sum;
}

/* The flat positions along axes first … end − 1 of the result, from base on; with the index arrays,
 * whose axes are then the last of these. The index arrays' own where nothing has to be added. */
static Array *positions(const Gather *g, const Selection *s, int first, int end, bool arrays,
                        int64_t base, Error *err)
{
    if (arrays && end - first == g->offsets->rank && base == 0) return array_retain(g->offsets);
    Shape shape;
    int64_t step[MAX_RANK];
    shape_copy(&shape, end - first, s->shape.dim + first);
    for (int k = first; k < end; k++) step[k - first] = flat_step(g, s, k);
    Array *sum = lattice(&shape, base, step, err);
    if (!sum || !arrays) return sum;
    Array *all = elementwise_run(EW_ADD, (Array *[]){sum, g->offsets}, err);
    array_release(sum);
    return all;
}

/* Groups are what is kept after the arrays, or the arrays themselves when that is one element. */
static bool make_groups(const Gather *g, Selection *s, Error *err)
{
    int after = g->first + g->offsets->rank;
    int64_t size, base = 0;
    if (!shape_size(&s->shape, &size, err)) return false;
    for (int k = 0; k < s->source.rank; k++) base += s->start[k] * g->stride[k];
    bool run = true; /* what is kept after the arrays lies in one row */
    s->group = 1;
    for (int k = s->shape.rank - 1; k >= after; k--) {
        run &= s->shape.dim[k] == 1 || flat_step(g, s, k) == s->group;
        s->group *= s->shape.dim[k];
    }
    if (s->group == 1) {
        s->outer = positions(g, s, 0, g->first, false, base, err);
        s->inner = positions(g, s, g->first, after, true, 0, err);
        if (s->inner) s->group = s->inner->size;
        return s->outer && s->inner;
    }
    s->outer = positions(g, s, 0, after, true, base, err);
    if (!run) s->inner = positions(g, s, after, s->shape.rank, false, 0, err);
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

bool gather_fill(Selection *s, const IndexTerm *term, int n, int rest, int kept, Error *err)
{
    s->is_gather = true;
    Array *mask = term[0].kind == INDEX_ARRAY ? term[0].array : NULL;
    if (n == 1 && mask && mask->dtype == DT_BOOL && mask->rank == s->source.rank)
        return keep_mask(s, mask, err);
    Gather g = {.first = -1};
    shape_strides(&s->source, 1, g.stride);
    bool ok = add_arrays(&g, &s->source, term, n, rest, err) &&
              index_rank_fits(kept + g.offsets->rank, err) &&
              selection_add_terms(s, &g, term, n, rest, err) && make_groups(&g, s, err);
    array_release(g.offsets);
    return ok;
}

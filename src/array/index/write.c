/* Storing into a selection, and adding to it. */
#include "array/elementwise/elementwise.h"
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "array/walk.h"
#include "base/interrupt.h"

static DType wider(DType a, DType b)
{
    return a > b ? a : b;
}

static bool value_fits(const Array *v, const Selection *s, Error *err)
{
    if (shape_reaches(&v->shape, &s->shape)) return true;
    if (s->shape.rank == 0)
        return error_set(err, ERR_SHAPE, "an array of shape %s does not fit in a single element",
                         shape_text(&v->shape));
    return error_set(err, ERR_SHAPE, "shape %s does not fit in a selection of shape %s",
                     shape_text(&v->shape), shape_text(&s->shape));
}

/* What is to be written into: *a itself, made writable, or a copy of it in the wider type t, or
 * without the gaps that flat positions know nothing of. The copy takes its place only when all went
 * well. */
static Array *open_target(Array **a, const Selection *s, DType t, Error *err)
{
    bool serves = (*a)->dtype == t && ((*a)->contiguous || !s->is_gather);
    if (!serves) return array_convert(*a, t, err);
    return array_unshare(a, err) ? *a : NULL;
}

static void close_target(Array **a, Array *target, bool ok)
{
    if (target == *a) return;
    array_release(ok ? *a : target);
    if (ok) *a = target;
}

/* v in type t, contiguous, and of the selection's shape unless it is a single element. */
static Array *flat_value(Array *v, const Selection *s, DType t, Error *err)
{
    if (v->size == 1 || shape_equal(&v->shape, &s->shape)) return array_convert(v, t, err);
    Array *flat = array_new(t, &s->shape, err);
    return flat ? array_if(array_assign(flat, v, err), flat) : NULL;
}

/* ---- to chosen places ---- */

/* Elements `part` of a group; words are Floats or Ints, which are only moved. */
static void store_words(double *group, const int64_t *inner, const double *v, int64_t step,
                        const Stretch *part)
{
    size_t n = (size_t)(part->end - part->start);
    if (inner)
        for (int64_t j = part->start; j < part->end; j++) group[inner[j]] = v[j * step];
    else if (step)
        memcpy(group + part->start, v + part->start, n * sizeof *group);
    else
        for (int64_t j = part->start; j < part->end; j++) group[j] = *v;
}

static void add_floats(double *group, const int64_t *inner, const double *v, int64_t step,
                       const Stretch *part)
{
    if (inner)
        for (int64_t j = part->start; j < part->end; j++) group[inner[j]] += v[j * step];
    else
        for (int64_t j = part->start; j < part->end; j++) group[j] += v[j * step];
}

static void store_bools(bool *group, const int64_t *inner, const bool *v, int64_t step,
                        const Stretch *part)
{
    for (int64_t j = part->start; j < part->end; j++) group[inner ? inner[j] : j] = v[j * step];
}

/* An interrupt leaves what is done by then. */
static bool write_groups(Array *a, const Selection *s, const Array *v, bool adds, Error *err)
{
    int64_t step = v->size == 1 ? 0 : 1, n = s->group;
    const int64_t *inner = s->inner ? array_ints(s->inner) : NULL;
    for (int64_t i = 0; i < s->outer->size; i++) {
        Stretch part = {0};
        void *group = array_element(a, array_ints(s->outer)[i]);
        const void *from = array_element(v, i * n * step);
        while (stretch_next(&part, n, err)) {
            if (adds)
                add_floats(group, inner, from, step, &part);
            else if (a->dtype == DT_BOOL)
                store_bools(group, inner, from, step, &part);
            else
                store_words(group, inner, from, step, &part);
        }
        if (!stretch_done(&part, n) || !interrupt_poll(err)) return false;
    }
    return true;
}

/* Takes back what was added when a sum overflows. */
static bool add_ints(int64_t *to, const Selection *s, const int64_t *v, int64_t step, Error *err)
{
    int64_t n = s->group;
    for (int64_t k = 0; k < s->outer->size * n; k++) {
        if (k % STRETCH_UNITS == 0 && !interrupt_poll(err)) return false;
        int64_t *at = to + gather_position(s, k / n, k % n), x = v[k * step], sum;
        if (!__builtin_add_overflow(*at, x, &sum)) {
            *at = sum;
            continue;
        }
        error_set(err, ERR_MATH, "Int overflow in %lld + %lld", (long long)*at, (long long)x);
        while (k-- > 0) to[gather_position(s, k / n, k % n)] -= v[k * step];
        return false;
    }
    return true;
}

/* v at the true places of a mask, block by block. */
static bool write_masked(Array *a, const Selection *s, const Array *v, Error *err)
{
    const MoveKernel *kernel = simd_move(simd_level());
    const bool *on = array_bools(s->mask);
    const double *from = (const double *)v->data;
    Stretch part = {0};
    while (stretch_next(&part, a->size, err)) {
        double *to = (double *)a->data + part.start;
        if (v->size == 1) {
            kernel->fill(to, *from, on + part.start, part.end - part.start);
            continue;
        }
        int64_t count = truth_count(on + part.start, part.end - part.start);
        kernel->expand(to, from, on + part.start, count);
        from += count;
    }
    return stretch_done(&part, a->size);
}

static bool to_places(Array *a, const Selection *s, const Array *v, bool adds, Error *err)
{
    if (s->mask && !adds && a->dtype != DT_BOOL) return write_masked(a, s, v, err);
    if (!gather_locate(s, err)) return false;
    if (adds && a->dtype == DT_INT) return add_ints(a->data, s, v->data, v->size != 1, err);
    return write_groups(a, s, v, adds, err);
}

/* ---- to a region ---- */

static bool add_to_region(Array *region, const Array *v, Error *err)
{
    int64_t stride[MAX_RANK];
    const int64_t *const strides[] = {region->stride, stride};
    walk_broadcast(v, &region->shape, stride);
    Walk w;
    if (!walk_start(&w, region->rank, region->dim, 2, strides)) return true;
    do {
        double *to = array_floats(region) + w.offset[0];
        const double *from = array_floats(v) + w.offset[1];
        Stretch s = {0};
        while (stretch_next(&s, w.run, err))
            for (int64_t i = s.start; i < s.end; i++) to[i * w.step[0]] += from[i * w.step[1]];
        if (!stretch_done(&s, w.run) || !interrupt_poll(err)) return false;
    } while (walk_next(&w));
    return true;
}

static bool to_region(Array *a, const Selection *s, Array *v, bool adds, Error *err)
{
    Array region = *a;
    index_narrow(&region, a, s);
    if (adds && a->dtype == DT_FLOAT && v->dtype == DT_FLOAT) return add_to_region(&region, v, err);
    if (!adds && region.size == 1 && v->dtype == a->dtype) {
        array_copy_element(&region, 0, v, 0);
        return true;
    }
    Array *value = adds ? elementwise_run(EW_ADD, (Array *[]){&region, v}, err) : array_retain(v);
    bool ok = value && array_assign(&region, value, err);
    array_release(value);
    return ok;
}

static bool store(Array **a, const Selection *s, const Array *v, bool adds, Error *err)
{
    if (!value_fits(v, s, err)) return false;
    DType t = wider(wider((*a)->dtype, v->dtype), adds ? DT_INT : DT_BOOL);
    /* Another reference, so that an array stored into itself is copied before it is written. */
    Array *given = (Array *)(uintptr_t)v;
    Array *value = s->is_gather ? flat_value(given, s, t, err) : array_retain(given);
    Array *target = value ? open_target(a, s, t, err) : NULL;
    bool ok = target && (s->is_gather ? to_places(target, s, value, adds, err)
                                      : to_region(target, s, value, adds, err));
    if (target) close_target(a, target, ok);
    array_release(value);
    return ok;
}

bool selection_write(Array **a, const Selection *s, const Array *v, Error *err)
{
    return store(a, s, v, false, err);
}

bool selection_add(Array **a, const Selection *s, const Array *v, Error *err)
{
    return store(a, s, v, true, err);
}

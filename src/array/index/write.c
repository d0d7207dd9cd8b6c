/* Storing into a selection, and adding to it. */
#include "array/elementwise/elementwise.h"
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/walk.h"

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

static bool close_target(Array **a, Array *target, bool ok)
{
    if (target == *a) return ok;
    array_release(ok ? *a : target);
    if (ok) *a = target;
    return ok;
}

/* v in type t, contiguous, and of the selection's shape unless it is a single element. */
static Array *flat_value(Array *v, const Selection *s, DType t, Error *err)
{
    if (v->size == 1 || shape_equal(&v->shape, &s->shape)) return array_convert(v, t, err);
    Array *wide = array_broadcast(v, &s->shape, err);
    if (!wide) return NULL;
    Array *flat = array_convert(wide, t, err);
    array_release(wide);
    return flat;
}

/* ---- writing ---- */

/* Words: Floats or Ints, which are only moved. */
static void scatter_words(double *to, const FlatIndices *p, const double *v, int64_t step)
{
    for (int64_t i = 0; i < p->groups; i++, v += p->n * step) {
        double *group = to + p->outer[i];
        if (p->inner) {
            for (int64_t j = 0; j < p->n; j++) group[p->inner[j]] = v[j * step];
        } else if (step == 1) {
            memcpy(group, v, (size_t)p->n * sizeof *to);
        } else {
            for (int64_t j = 0; j < p->n; j++) group[j] = *v;
        }
    }
}

/* v at the true places of a mask. */
static void write_masked(Array *a, const Selection *s, const Array *v)
{
    const MoveKernel *kernel = simd_move(simd_level());
    const bool *on = array_bools(s->mask);
    if (v->size == 1) {
        kernel->fill(a->data, *(const double *)v->data, on, a->size);
    } else {
        kernel->expand(a->data, v->data, on, v->size);
    }
}

static bool write_gather(Array *a, const Selection *s, const Array *v, Error *err)
{
    if (s->mask && a->dtype != DT_BOOL) {
        write_masked(a, s, v);
        return true;
    }
    int64_t step = v->size == 1 ? 0 : 1;
    FlatIndices p;
    if (!places_open(&p, s, err)) return false;
    if (a->dtype != DT_BOOL) {
        scatter_words(a->data, &p, v->data, step);
    } else {
        for (int64_t k = 0; k < p.groups * p.n; k++)
            array_bools(a)[place_at(&p, k)] = array_bools(v)[k * step];
    }
    places_close(&p);
    return true;
}

static bool write_region(Array *a, const Selection *s, const Array *v, Error *err)
{
    Array region = *a;
    index_narrow(&region, a, s);
    if (region.size != 1 || v->dtype != a->dtype) return array_assign(&region, v, err);
    array_copy_element(&region, 0, v, 0);
    return true;
}

bool selection_write(Array **a, const Selection *s, const Array *v, Error *err)
{
    if (!value_fits(v, s, err)) return false;
    DType t = wider((*a)->dtype, v->dtype);
    /* Another reference, so that an array stored into itself is copied before it is written. */
    Array *given = (Array *)(uintptr_t)v;
    Array *value = s->is_gather ? flat_value(given, s, t, err) : array_retain(given);
    Array *target = value ? open_target(a, s, t, err) : NULL;
    bool ok = target && (s->is_gather ? write_gather(target, s, value, err)
                                      : write_region(target, s, value, err));
    if (target) close_target(a, target, ok);
    array_release(value);
    return ok;
}

/* ---- adding ---- */

static void add_float_region(Array *region, const Array *v)
{
    int64_t stride[MAX_RANK];
    const int64_t *const strides[] = {region->stride, stride};
    walk_broadcast(v, &region->shape, stride);
    Walk w;
    if (!walk_start(&w, region->rank, region->dim, 2, strides)) return;
    do {
        double *to = array_floats(region) + w.offset[0];
        const double *from = array_floats(v) + w.offset[1];
        if (w.step[0] == 1 && w.step[1] == 1) {
            for (int64_t i = 0; i < w.run; i++) to[i] += from[i];
        } else {
            for (int64_t i = 0; i < w.run; i++) to[i * w.step[0]] += from[i * w.step[1]];
        }
    } while (walk_next(&w));
}

static bool add_region(Array *a, const Selection *s, Array *v, Error *err)
{
    Array region = *a;
    index_narrow(&region, a, s);
    if (a->dtype == DT_FLOAT) {
        add_float_region(&region, v);
        return true;
    }
    Array *sum = elementwise_run(EW_ADD, (Array *[]){&region, v}, err);
    bool ok = sum && array_assign(&region, sum, err);
    array_release(sum);
    return ok;
}

static void add_group(double *to, const int64_t *inner, const double *v, int64_t step, int64_t n)
{
    if (inner) {
        for (int64_t j = 0; j < n; j++) to[inner[j]] += v[j * step];
    } else {
        for (int64_t j = 0; j < n; j++) to[j] += v[j * step];
    }
}

/* Takes back what was added when a sum overflows. */
static bool add_ints(int64_t *to, const FlatIndices *p, const int64_t *v, int64_t step, Error *err)
{
    for (int64_t k = 0; k < p->groups * p->n; k++) {
        int64_t *at = to + place_at(p, k), x = v[k * step], sum;
        if (!__builtin_add_overflow(*at, x, &sum)) {
            *at = sum;
            continue;
        }
        error_set(err, ERR_MATH, "Int overflow in %lld + %lld", (long long)*at, (long long)x);
        while (k-- > 0) to[place_at(p, k)] -= v[k * step];
        return false;
    }
    return true;
}

static bool add_gathered(Array *a, const Selection *s, const Array *v, Error *err)
{
    int64_t step = v->size == 1 ? 0 : 1;
    FlatIndices p;
    bool ok = true;
    if (!places_open(&p, s, err)) return false;
    if (a->dtype == DT_INT) {
        ok = add_ints(array_ints(a), &p, array_ints(v), step, err);
    } else {
        for (int64_t i = 0; i < p.groups; i++)
            add_group(array_floats(a) + p.outer[i], p.inner, array_floats(v) + i * p.n * step, step,
                      p.n);
    }
    places_close(&p);
    return ok;
}

bool selection_add(Array **a, const Selection *s, const Array *v, Error *err)
{
    if (!value_fits(v, s, err)) return false;
    DType t = wider(wider((*a)->dtype, v->dtype), DT_INT);
    Array *given = (Array *)(uintptr_t)v;
    bool as_it_is = t == DT_FLOAT && v->dtype == DT_FLOAT && !s->is_gather;
    Array *value = as_it_is ? array_retain(given) : flat_value(given, s, t, err);
    Array *target = value ? open_target(a, s, t, err) : NULL;
    bool ok = target && (s->is_gather ? add_gathered(target, s, value, err)
                                      : add_region(target, s, value, err));
    if (target) close_target(a, target, ok);
    array_release(value);
    return ok;
}

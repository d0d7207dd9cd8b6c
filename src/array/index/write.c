/* Storing into a selection, and adding to it. */
#include <string.h>

#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/walk.h"

static DType wider(DType a, DType b)
{
    return a > b ? a : b;
}

static bool value_fits(const Array *v, const Selection *s, Error *err)
{
    Shape value = shape_of(v);
    bool fits = v->rank <= s->shape.rank;
    for (int k = 1; fits && k <= v->rank; k++) {
        int64_t dim = v->dim[v->rank - k];
        fits = dim == 1 || dim == s->shape.dim[s->shape.rank - k];
    }
    if (fits) return true;
    if (s->shape.rank == 0) {
        return error_set(err, ERR_SHAPE, "an array of shape %s does not fit in a single element",
                         shape_text(&value));
    }
    return error_set(err, ERR_SHAPE, "shape %s does not fit in a selection of shape %s",
                     shape_text(&value), shape_text(&s->shape));
}

/* What is to be written into: *a itself, made writable, or a copy of it in the wider type t, which
 * takes its place only when all went well. */
static Array *open_target(Array **a, DType t, Error *err)
{
    if ((*a)->dtype != t) return array_convert(*a, t, err);
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
    Shape shape = shape_of(v);
    if (v->size == 1 || shape_equal(&shape, &s->shape)) return array_convert(v, t, err);
    Array *wide = array_broadcast(v, &s->shape, err);
    if (!wide) return NULL;
    Array *flat = array_convert(wide, t, err);
    array_release(wide);
    return flat;
}

/* ---- writing ---- */

static void write_element(Array *a, int64_t offset, const Array *v, int64_t i)
{
    if (a->dtype == DT_FLOAT) {
        array_floats(a)[offset] = array_floats(v)[i];
    } else if (a->dtype == DT_INT) {
        array_ints(a)[offset] = array_ints(v)[i];
    } else {
        array_bools(a)[offset] = array_bools(v)[i];
    }
}

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

static bool scatter(Array *a, const Selection *s, const Array *v, Error *err)
{
    int64_t step = v->size == 1 ? 0 : 1;
    FlatIndices p;
    if (!places_open(&p, s, err)) return false;
    if (a->contiguous && a->dtype != DT_BOOL) {
        scatter_words(a->data, &p, v->data, step);
    } else {
        for (int64_t k = 0; k < p.groups * p.n; k++) {
            write_element(a, array_offset(a, place_at(&p, k)), v, k * step);
        }
    }
    places_close(&p);
    return true;
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

static bool write_gather(Array **a, const Selection *s, Array *v, DType t, Error *err)
{
    Array *flat = flat_value(v, s, t, err);
    if (!flat) return false;
    Array *target = open_target(a, t, err);
    bool masked = target && s->mask && target->contiguous && t != DT_BOOL, ok = target != NULL;
    if (masked) {
        write_masked(target, s, flat);
    } else if (target) {
        ok = scatter(target, s, flat, err);
    }
    if (target) ok = close_target(a, target, ok);
    array_release(flat);
    return ok;
}

static bool write_region(Array **a, const Selection *s, Array *v, DType t, Error *err)
{
    Array *target = open_target(a, t, err);
    if (!target) return false;
    Array region = *target;
    index_narrow(&region, s);
    if (region.size == 1 && v->dtype == t) {
        write_element(&region, 0, v, 0);
        return close_target(a, target, true);
    }
    return close_target(a, target, array_assign(&region, v, err));
}

bool selection_write(Array **a, const Selection *s, const Array *v, Error *err)
{
    if (!value_fits(v, s, err)) return false;
    /* Another reference, so that an array stored into itself is copied before it is written. */
    Array *value = array_retain((Array *)v);
    DType t = wider((*a)->dtype, v->dtype);
    bool ok = s->is_gather ? write_gather(a, s, value, t, err) : write_region(a, s, value, t, err);
    array_release(value);
    return ok;
}

/* ---- adding ---- */

static void add_float_region(Array *region, const Array *v)
{
    Shape shape = shape_of(region);
    int64_t stride[MAX_RANK];
    const int64_t *const strides[] = {region->stride, stride};
    walk_broadcast(v, &shape, stride);
    Walk w;
    if (!walk_start(&w, shape.rank, shape.dim, 2, strides)) return;
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

static void add_group(double *to, const int64_t *inner, const double *v, int64_t step, int64_t n)
{
    if (inner) {
        for (int64_t j = 0; j < n; j++) to[inner[j]] += v[j * step];
    } else {
        for (int64_t j = 0; j < n; j++) to[j] += v[j * step];
    }
}

static void add_floats(const Array *a, const FlatIndices *p, const Array *v)
{
    int64_t step = v->size == 1 ? 0 : 1;
    double *to = array_floats(a);
    const double *from = array_floats(v);
    if (a->contiguous) {
        for (int64_t i = 0; i < p->groups; i++) {
            add_group(to + p->outer[i], p->inner, from + i * p->n * step, step, p->n);
        }
        return;
    }
    for (int64_t k = 0; k < p->groups * p->n; k++) {
        to[array_offset(a, place_at(p, k))] += from[k * step];
    }
}

/* where: the region, or with p the whole array. */
static int64_t *int_target(const Array *where, const FlatIndices *p, int64_t i)
{
    return array_ints(where) + array_offset(where, p ? place_at(p, i) : i);
}

/* Takes back what was added when a sum overflows. */
static bool add_ints(Array *where, const FlatIndices *p, const Array *v, int64_t n, Error *err)
{
    int64_t step = v->size == 1 ? 0 : 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t *to = int_target(where, p, i), x = array_ints(v)[i * step], sum;
        if (!__builtin_add_overflow(*to, x, &sum)) {
            *to = sum;
            continue;
        }
        error_set(err, ERR_MATH, "Int overflow in %lld + %lld", (long long)*to, (long long)x);
        while (i-- > 0) *int_target(where, p, i) -= array_ints(v)[i * step];
        return false;
    }
    return true;
}

static bool add_gathered(Array *target, const Selection *s, const Array *v, Error *err)
{
    FlatIndices p;
    bool ok = true;
    if (!places_open(&p, s, err)) return false;
    if (target->dtype == DT_INT) {
        ok = add_ints(target, &p, v, p.groups * p.n, err);
    } else {
        add_floats(target, &p, v);
    }
    places_close(&p);
    return ok;
}

static bool add_value(Array *target, const Selection *s, const Array *v, Error *err)
{
    if (s->is_gather) return add_gathered(target, s, v, err);
    Array where = *target;
    index_narrow(&where, s);
    if (target->dtype == DT_INT) return add_ints(&where, NULL, v, where.size, err);
    add_float_region(&where, v);
    return true;
}

bool selection_add(Array **a, const Selection *s, const Array *v, Error *err)
{
    if (!value_fits(v, s, err)) return false;
    DType t = wider(wider((*a)->dtype, v->dtype), DT_INT);
    bool as_it_is = t == DT_FLOAT && v->dtype == DT_FLOAT && !s->is_gather;
    Array *value = as_it_is ? array_retain((Array *)v) : flat_value((Array *)v, s, t, err);
    if (!value) return false;
    Array *target = open_target(a, t, err);
    bool ok = target && add_value(target, s, value, err);
    if (target) close_target(a, target, ok);
    array_release(value);
    return ok;
}

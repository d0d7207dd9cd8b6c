/* Storing into a selection, and adding to it. */
#include "array/index_parts.h"
#include "array/walk.h"
#include "base/mem.h"

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

static void scatter(Array *a, const Selection *s, const Array *v)
{
    const int64_t *position = array_ints(s->positions);
    int64_t n = s->positions->size, step = v->size == 1 ? 0 : 1;
    if (a->contiguous && a->dtype == DT_FLOAT) {
        for (int64_t i = 0; i < n; i++) array_floats(a)[position[i]] = array_floats(v)[i * step];
        return;
    }
    for (int64_t i = 0; i < n; i++) write_element(a, array_offset(a, position[i]), v, i * step);
}

static bool write_gather(Array **a, const Selection *s, Array *v, DType t, Error *err)
{
    Array *flat = flat_value(v, s, t, err);
    if (!flat) return false;
    Array *target = open_target(a, t, err);
    if (target) {
        scatter(target, s, flat);
        close_target(a, target, true);
    }
    array_release(flat);
    return target != NULL;
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

static void add_float_gather(Array *a, const Selection *s, const Array *v)
{
    const int64_t *position = array_ints(s->positions);
    int64_t n = s->positions->size, step = v->size == 1 ? 0 : 1;
    double *to = array_floats(a);
    if (a->contiguous) {
        for (int64_t i = 0; i < n; i++) to[position[i]] += array_floats(v)[i * step];
        return;
    }
    for (int64_t i = 0; i < n; i++) to[array_offset(a, position[i])] += array_floats(v)[i * step];
}

/* where: the region, or the whole array for a gather. */
static int64_t *int_target(const Array *where, const Selection *s, int64_t i)
{
    if (s->is_gather) i = array_ints(s->positions)[i];
    return array_ints(where) + array_offset(where, i);
}

/* Takes back what was added when a sum overflows. */
static bool add_ints(Array *where, const Selection *s, const Array *v, int64_t n, Error *err)
{
    int64_t step = v->size == 1 ? 0 : 1;
    for (int64_t i = 0; i < n; i++) {
        int64_t *to = int_target(where, s, i), x = array_ints(v)[i * step], sum;
        if (!__builtin_add_overflow(*to, x, &sum)) {
            *to = sum;
            continue;
        }
        error_set(err, ERR_MATH, "Int overflow in %lld + %lld", (long long)*to, (long long)x);
        while (i-- > 0) *int_target(where, s, i) -= array_ints(v)[i * step];
        return false;
    }
    return true;
}

static bool add_value(Array *target, const Selection *s, const Array *v, Error *err)
{
    Array where = *target;
    if (!s->is_gather) index_narrow(&where, s);
    int64_t n = s->is_gather ? s->positions->size : where.size;
    if (target->dtype == DT_INT) return add_ints(&where, s, v, n, err);
    if (s->is_gather) {
        add_float_gather(&where, s, v);
    } else {
        add_float_region(&where, v);
    }
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

/* ---- which writes survive ---- */

static bool is_increasing(const int64_t *position, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        if (position[i] <= position[i - 1]) return false;
    }
    return true;
}

/* Whether x was put into the table before; puts it. Free slots are 0. */
static bool put(int64_t *table, uint64_t mask, int64_t x)
{
    uint64_t slot = ((uint64_t)x * 0x9E3779B97F4A7C15u >> 20) & mask;
    for (;; slot = (slot + 1) & mask) {
        if (table[slot] == x + 1) return true;
        if (table[slot] == 0) break;
    }
    table[slot] = x + 1;
    return false;
}

/* Goes backwards, so that the last write of each position is met first. */
static bool mark_winners(bool *wins, const int64_t *position, int64_t n, Error *err, bool *repeats)
{
    uint64_t slots = 16;
    while (slots < (uint64_t)n * 2) slots *= 2;
    int64_t *table = block_try(slots * sizeof *table, true);
    if (!table)
        return error_set(err, ERR_MEMORY, "out of memory: storing at %lld positions", (long long)n);
    for (int64_t i = n - 1; i >= 0; i--) {
        wins[i] = !put(table, slots - 1, position[i]);
        *repeats |= !wins[i];
    }
    block_free(table, slots * sizeof *table);
    return true;
}

Array *selection_winners(const Selection *s, Error *err)
{
    if (!s->is_gather) return NULL;
    const int64_t *position = array_ints(s->positions);
    int64_t n = s->positions->size;
    if (is_increasing(position, n)) return NULL;
    Array *wins = array_new(DT_BOOL, &s->shape, err);
    bool repeats = false;
    if (wins && mark_winners(array_bools(wins), position, n, err, &repeats) && repeats) return wins;
    array_release(wins);
    return NULL;
}

/* Where a gather's elements are; reading them, and which of them a write would leave. */
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "array/walk.h"
#include "base/interrupt.h"

bool gather_locate(const Selection *s, Error *err)
{
    Selection *found = (Selection *)(uintptr_t)s;
    if (!s->inner && s->mask) found->inner = places_of_mask(s->mask, 1, err);
    if (!s->outer && s->inner) {
        found->outer = array_zeros(DT_INT, &(Shape){1, {1}}, err);
        found->group = s->inner->size;
    }
    return s->outer != NULL;
}

/* ---- reading ---- */

/* Elements `part` of group i. */
static void gather_part(Array *out, const Array *a, const Selection *s, int64_t i,
                        const Stretch *part)
{
    int64_t size = (int64_t)dtype_size((DType)a->dtype), n = part->end - part->start;
    char *to = array_element(out, i * s->group + part->start);
    const char *from = (char *)a->data + array_ints(s->outer)[i] * size;
    const int64_t *inner = s->inner ? array_ints(s->inner) + part->start : NULL;
    if (!a->contiguous)
        for (int64_t j = part->start; j < part->end; j++)
            array_copy_element(out, i * s->group + j, a, array_offset(a, gather_position(s, i, j)));
    else if (!inner)
        memcpy(to, from + part->start * size, (size_t)(n * size));
    else if (a->dtype == DT_BOOL)
        for (int64_t j = 0; j < n; j++) to[j] = from[inner[j]];
    else
        simd_move(simd_level())
            ->gather((double *)(void *)to, (const double *)(const void *)from, inner, n);
}

static bool gather(Array *out, const Array *a, const Selection *s, Error *err)
{
    for (int64_t i = 0; i < s->outer->size; i++) {
        Stretch part = {0};
        while (stretch_next(&part, s->group, err)) gather_part(out, a, s, i, &part);
        if (!stretch_done(&part, s->group) || !interrupt_poll(err)) return false;
    }
    return true;
}

/* Block by block of the mask. */
static bool compress(Array *out, const Array *a, const bool *on, Error *err)
{
    double *to = (double *)out->data;
    Stretch s = {0};
    while (stretch_next(&s, a->size, err)) {
        int64_t count = truth_count(on + s.start, s.end - s.start);
        simd_move(simd_level())->compress(to, (double *)a->data + s.start, on + s.start, count);
        to += count;
    }
    return stretch_done(&s, a->size);
}

Array *gather_read(Array *a, const Selection *s, Error *err)
{
    enum { LAYING_OUT = 4 }; /* times cheaper than to look for an element */
    bool compresses = s->mask && a->dtype != DT_BOOL;
    if (!compresses && !gather_locate(s, err)) return NULL;
    Array *out = array_new(a->dtype, &s->shape, err);
    if (!out) return NULL;
    /* A few elements of a large strided array are not worth laying it out. */
    bool lays_out = compresses || out->size >= a->size / LAYING_OUT;
    Array *from = lays_out ? array_contiguous(a, err) : array_retain(a);
    bool ok = from && (compresses ? compress(out, from, array_bools(s->mask), err)
                                  : gather(out, from, s, err));
    array_release(from);
    return array_if(ok, out);
}

/* ---- which writes survive ---- */

static bool is_increasing(const Array *position)
{
    const int64_t *at = array_ints(position);
    for (int64_t i = 1; i < position->size; i++)
        if (at[i] <= at[i - 1]) return false;
    return true;
}

/* Whether x was put into the table before; puts it. Free slots are 0, which no x gives. */
static bool put(int64_t *table, uint64_t mask, int64_t x)
{
    uint64_t slot = ((uint64_t)x * 0x9E3779B97F4A7C15u >> 20) & mask;
    x ^= INT64_MIN;
    for (;; slot = (slot + 1) & mask) {
        if (table[slot] == x) return true;
        if (table[slot] == 0) break;
    }
    table[slot] = x;
    return false;
}

/* One true each where nothing repeats. Goes backwards, so that the last write of each position is met
 * first. */
static Array *winners_among(const Array *position, bool *repeats, Error *err)
{
    int64_t slots = 16, n = position->size;
    while (slots < n * 2) slots *= 2;
    Array *table = array_zeros(DT_INT, &(Shape){1, {slots}}, err);
    Array *wins = table ? array_new(DT_BOOL, &(Shape){1, {n}}, err) : NULL;
    Stretch s = {0};
    while (wins && stretch_next(&s, n, err))
        for (int64_t i = n - 1 - s.start; i >= n - s.end; i--) {
            bool wins_here = !put(array_ints(table), (uint64_t)slots - 1, array_ints(position)[i]);
            array_bools(wins)[i] = wins_here;
            *repeats |= !wins_here;
        }
    array_release(table);
    return array_if(stretch_done(&s, n), wins);
}

Array *selection_winners(const Selection *s, Error *err)
{
    if (!s->is_gather || s->mask || s->outer->size * s->group == 0) return NULL;
    if (is_increasing(s->outer) && (!s->inner || is_increasing(s->inner))) return NULL;
    bool repeats = false;
    Array *outer = winners_among(s->outer, &repeats, err);
    Array *inner = outer && s->inner ? winners_among(s->inner, &repeats, err) : NULL;
    bool ok = outer && (inner || !s->inner);
    Array *wins = ok && repeats ? array_new(DT_BOOL, &s->shape, err) : NULL;
    for (int64_t i = 0; wins && i < s->outer->size; i++) {
        bool *to = array_bools(wins) + i * s->group;
        for (int64_t j = 0; j < s->group; j++)
            to[j] = array_bools(outer)[i] && (!inner || array_bools(inner)[j]);
    }
    array_release(outer);
    array_release(inner);
    return wins;
}

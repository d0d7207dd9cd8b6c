/* Where a gather's elements are; reading them, and which of them a write would leave. */
#include "array/index/parts.h"
#include "array/simd/simd.h"
#include "array/truth.h"
#include "base/mem.h"

Array *places_of_mask(const Array *mask, int64_t stride, Error *err)
{
    const bool *on = array_bools(mask);
    int64_t count = truth_count(on, mask->size), n = 0;
    Array *places = array_new(DT_INT, &(Shape){1, {count}}, err);
    if (!places) return NULL;
    int64_t *out = array_ints(places);
    /* Without a branch, which would be guessed wrong all the time. */
    for (int64_t i = 0; n < count; i++) {
        out[n] = i * stride;
        n += on[i];
    }
    return places;
}

bool places_open(FlatIndices *p, const Selection *s, Error *err)
{
    static const int64_t start = 0;
    if (!s->mask) {
        *p = (FlatIndices){s->outer->size, s->group, array_ints(s->outer), NULL, NULL};
        if (s->inner) p->inner = array_ints(s->inner);
        return true;
    }
    Array *places = places_of_mask(s->mask, 1, err);
    if (!places) return false;
    *p = (FlatIndices){places->size > 0, places->size, &start, array_ints(places), places};
    return true;
}

void places_close(FlatIndices *p)
{
    array_release(p->made);
}

/* ---- reading ---- */

static void gather_words(Array *out, const Array *a, const FlatIndices *p)
{
    const MoveKernel *kernel = simd_move(simd_level());
    double *to = out->data;
    for (int64_t i = 0; i < p->groups; i++, to += p->n) {
        const double *from = (const double *)a->data + p->outer[i];
        if (p->inner) {
            kernel->gather(to, from, p->inner, p->n);
        } else {
            memcpy(to, from, (size_t)p->n * sizeof *to);
        }
    }
}

static void gather_bools(Array *out, const Array *a, const FlatIndices *p)
{
    bool *to = array_bools(out);
    for (int64_t i = 0; i < p->groups; i++, to += p->n) {
        const bool *from = array_bools(a) + p->outer[i];
        if (p->inner) {
            for (int64_t j = 0; j < p->n; j++) to[j] = from[p->inner[j]];
        } else {
            memcpy(to, from, (size_t)p->n);
        }
    }
}

/* A few elements of a large strided array: not worth laying it out. */
static void gather_strided(Array *out, const Array *a, const FlatIndices *p)
{
    size_t size = dtype_size(a->dtype);
    const char *from = a->data;
    char *to = out->data;
    for (int64_t k = 0; k < out->size; k++, to += size) {
        memcpy(to, from + array_offset(a, place_at(p, k)) * (int64_t)size, size);
    }
}

static bool gather_into(Array *out, Array *a, const Selection *s, Error *err)
{
    enum { LAYING_OUT = 4 }; /* times cheaper than to look for an element */
    FlatIndices p;
    if (!places_open(&p, s, err)) return false;
    bool in_place = a->contiguous || out->size >= a->size / LAYING_OUT;
    Array *flat = in_place ? array_contiguous(a, err) : NULL;
    if (flat && a->dtype == DT_BOOL) {
        gather_bools(out, flat, &p);
    } else if (flat) {
        gather_words(out, flat, &p);
    } else if (!in_place) {
        gather_strided(out, a, &p);
    }
    array_release(flat);
    places_close(&p);
    return flat || !in_place;
}

static bool read_masked(Array *out, Array *a, const Selection *s, Error *err)
{
    if (a->dtype == DT_BOOL) return gather_into(out, a, s, err);
    Array *flat = array_contiguous(a, err);
    if (!flat) return false;
    simd_move(simd_level())->compress(out->data, flat->data, array_bools(s->mask), out->size);
    array_release(flat);
    return true;
}

Array *gather_read(Array *a, const Selection *s, Error *err)
{
    Array *out = array_new(a->dtype, &s->shape, err);
    if (!out) return NULL;
    if (s->mask ? read_masked(out, a, s, err) : gather_into(out, a, s, err)) return out;
    array_release(out);
    return NULL;
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
static bool mark_winners(bool *wins, const int64_t *position, int64_t n, bool *repeats, Error *err)
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

/* One true each where nothing repeats. */
static Array *winners_among(const int64_t *position, int64_t n, bool *repeats, Error *err)
{
    Array *wins = array_new(DT_BOOL, &(Shape){1, {n}}, err);
    if (!wins) return NULL;
    if (!position || is_increasing(position, n)) {
        memset(wins->data, 1, (size_t)n);
    } else if (!mark_winners(array_bools(wins), position, n, repeats, err)) {
        array_release(wins);
        return NULL;
    }
    return wins;
}

Array *selection_winners(const Selection *s, Error *err)
{
    if (!s->is_gather || s->mask || s->outer->size * s->group == 0) return NULL;
    FlatIndices p;
    bool repeats = false;
    places_open(&p, s, err);
    if (is_increasing(p.outer, p.groups) && (!p.inner || is_increasing(p.inner, p.n))) return NULL;
    Array *outer = winners_among(p.outer, p.groups, &repeats, err);
    Array *inner = outer ? winners_among(p.inner, p.n, &repeats, err) : NULL;
    Array *wins = inner && repeats ? array_new(DT_BOOL, &s->shape, err) : NULL;
    for (int64_t i = 0; wins && i < p.groups; i++) {
        bool *to = array_bools(wins) + i * p.n;
        for (int64_t j = 0; j < p.n; j++) to[j] = array_bools(outer)[i] && array_bools(inner)[j];
    }
    array_release(outer);
    array_release(inner);
    return wins;
}

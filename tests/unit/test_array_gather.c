/* Index arrays and masks against their definition: where each element of the result comes from, one
 * by one; and the loops that move elements, at every instruction set. */
#include <criterion/criterion.h>
#include <string.h>

#include "array/index/index.h"
#include "array/simd/simd.h"
#include "array_support.h"
#include "base/mem.h"

TestSuite(array_gather, .fini = expect_nothing_alive);

#define EACH_LEVEL(level)                                                                          \
    for (SimdLevel level = SIMD_SCALAR; level < SIMD_LEVELS; level++)                              \
        if (simd_supported(level))

enum { MOST = 70 };

/* ---- loops ---- */

static PlaceCheck check_at(const MoveKernel *k, int64_t n, int64_t at, int64_t value)
{
    int64_t place[MOST];
    for (int64_t i = 0; i < n; i++) place[i] = i % 5;
    place[at] = value;
    return k->check_places(place, n, 5);
}

Test(array_gather, places_are_checked_wherever_they_stand)
{
    static const int64_t outside[] = {5, -6, 6, INT64_MAX, INT64_MIN, INT64_MIN + 5, 1LL << 40};
    EACH_LEVEL(level)
    for (int64_t n = 1; n < MOST; n++) {
        const MoveKernel *k = simd_move(level);
        for (int64_t at = 0; at < n; at++) {
            cr_assert_eq(check_at(k, n, at, 4), PLACES_FINE);
            cr_assert_eq(check_at(k, n, at, -1), PLACES_NEGATIVE);
            cr_assert_eq(check_at(k, n, at, -5), PLACES_NEGATIVE);
            for (int i = 0; i < 7; i++) cr_assert(check_at(k, n, at, outside[i]) == PLACES_OUTSIDE);
        }
        cr_assert(k->check_places(NULL, 0, 0) == PLACES_FINE);
        cr_assert(k->check_places((int64_t[]){0}, 1, 0) == PLACES_OUTSIDE);
    }
}

Test(array_gather, words_by_place)
{
    int64_t place[MOST], scaled[MOST];
    double from[3 * MOST], to[MOST + 1];
    for (int i = 0; i < 3 * MOST; i++) from[i] = i;
    EACH_LEVEL(level)
    for (int64_t n = 0; n < MOST; n++) {
        for (int64_t i = 0; i < n; i++) place[i] = (i * 37 + n) % MOST - (i % 3 == 0 ? MOST : 0);
        simd_move(level)->scale_places(scaled, place, n, MOST, 3);
        to[n] = -1;
        simd_move(level)->gather(to, from, scaled, n);
        for (int64_t i = 0; i < n; i++) cr_assert_eq(to[i], 3 * ((i * 37 + n) % MOST));
        cr_assert_eq(to[n], -1);
    }
}

/* count of n are on, in a pattern that differs from call to call. */
static int64_t make_mask(bool *on, int64_t n, int64_t rare)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += on[i] = random_below(rare) == 0;
    return count;
}

static void check_masked(const MoveKernel *k, int64_t n, int64_t rare)
{
    bool on[MOST];
    double x[MOST], packed[MOST], to[MOST + 1], back[MOST + 1];
    int64_t count = make_mask(on, n, rare), taken = 0;
    for (int64_t i = 0; i < n; i++) x[i] = (double)i + 1;
    for (int64_t i = 0; i <= n; i++) to[i] = back[i] = -1;
    double *exact = mem_alloc((size_t)(count + 1) * sizeof *exact);
    exact[count] = -2;
    k->compress(exact, x, on, count);
    k->expand(back, exact, on, count);
    memcpy(packed, exact, (size_t)count * sizeof *exact);
    k->fill(to, 7, on, n);
    for (int64_t i = 0; i < n; i++) {
        if (on[i]) cr_assert_eq(packed[taken++], x[i]);
        cr_assert(back[i] == (on[i] ? x[i] : -1) && to[i] == (on[i] ? 7 : -1));
    }
    cr_assert(exact[count] == -2 && back[n] == -1 && to[n] == -1);
    mem_free(exact);
}

Test(array_gather, words_by_mask)
{
    random_start(41);
    EACH_LEVEL(level)
    for (int64_t n = 0; n < MOST; n++) {
        for (int64_t rare = 1; rare < 40; rare = rare * 2 + 1) {
            check_masked(simd_move(level), n, rare);
        }
    }
}

/* ---- selections, from their definition ---- */

/* Terms over every axis: slices, and index arrays that follow one another. */
typedef struct {
    Shape source, arrays, result;
    int first, end; /* the axes with index arrays */
    int64_t start[MAX_RANK], step[MAX_RANK];
    Array *index[MAX_RANK];
    IndexTerm term[MAX_RANK];
} Terms;

static void add_random_slice(Terms *t, int axis)
{
    static const int64_t steps[] = {1, 1, 1, 2, -1, -2};
    int64_t dim = t->source.dim[axis], step = steps[random_below(6)], from = random_below(dim);
    if (random_below(2)) from = step > 0 ? 0 : dim - 1;
    t->term[axis] = (IndexTerm){INDEX_SLICE, true, false, true, from, 0, step, NULL};
    t->start[axis] = from;
    t->step[axis] = step;
    int64_t left = step > 0 ? dim - from : from + 1;
    t->result.dim[t->result.rank++] = (left - 1) / (step > 0 ? step : -step) + 1;
}

static void add_random_index(Terms *t, int axis)
{
    Shape s = t->arrays;
    if (random_below(3) == 0) s.dim[random_below(s.rank)] = 1;
    if (axis > t->first && s.rank == 2 && random_below(2)) s = (Shape){1, {s.dim[1]}};
    t->index[axis] = counting_make(&s);
    int64_t dim = t->source.dim[axis];
    bool negative = random_below(2);
    for (int64_t i = 0; i < t->index[axis]->size; i++) {
        array_ints(t->index[axis])[i] = random_below(dim * (1 + negative)) - dim * negative;
    }
    t->term[axis] = (IndexTerm){.kind = INDEX_ARRAY, .array = t->index[axis]};
}

static Terms random_terms(void)
{
    Terms t = {.source = random_shape(4, 5)};
    if (t.source.rank == 0) t.source = shape_make(1, 3);
    for (int k = 0; k < t.source.rank; k++) t.source.dim[k] += t.source.dim[k] == 0;
    t.arrays = random_below(2) ? shape_make(1, (int)random_below(6))
                               : shape_make(2, (int)random_below(4), (int)random_below(4));
    t.first = (int)random_below(t.source.rank);
    t.end = t.first + 1 + (int)random_below(t.source.rank - t.first);
    for (int k = 0; k < t.source.rank; k++) {
        if (k < t.first || k >= t.end) add_random_slice(&t, k);
        if (k >= t.first && k < t.end) add_random_index(&t, k);
    }
    return t;
}

static void terms_free(Terms *t)
{
    for (int k = 0; k < t->source.rank; k++) array_release(t->index[k]);
}

/* The coordinate along axis of the source, where the result's index is at. */
static int64_t coordinate(const Terms *t, int axis, const int64_t *at, int array_rank)
{
    if (axis < t->first) return t->start[axis] + at[axis] * t->step[axis];
    if (axis >= t->end) {
        return t->start[axis] + at[axis - (t->end - t->first) + array_rank] * t->step[axis];
    }
    const Array *index = t->index[axis];
    int64_t flat = 0;
    for (int k = 0; k < index->rank; k++) {
        int64_t i = at[t->first + array_rank - index->rank + k];
        flat = flat * index->dim[k] + (index->dim[k] == 1 ? 0 : i);
    }
    int64_t x = array_ints(index)[flat];
    return x < 0 ? x + t->source.dim[axis] : x;
}

static int64_t flat_place(const Terms *t, const int64_t *at, int array_rank)
{
    int64_t place = 0;
    for (int k = 0; k < t->source.rank; k++) {
        place = place * t->source.dim[k] + coordinate(t, k, at, array_rank);
    }
    return place;
}

/* The flat place of every element that the selection must have. */
static int64_t *wanted_places(const Terms *t, const Selection *s, int64_t *n)
{
    int array_rank = s->shape.rank - (t->source.rank - (t->end - t->first));
    int64_t at[MAX_RANK] = {0};
    cr_assert(shape_size(&s->shape, n, NULL));
    int64_t *place = mem_alloc((size_t)(*n + 1) * sizeof *place);
    for (int64_t i = 0; i < *n; i++, index_next(at, &s->shape)) {
        place[i] = flat_place(t, at, array_rank);
    }
    return place;
}

static void check_read(Array *a, const Selection *s, const int64_t *place, int64_t n)
{
    Error err = {0};
    Array *got = selection_read(a, s, &err);
    cr_assert(got && got->size == n && got->dtype == a->dtype);
    for (int64_t i = 0; i < n; i++) {
        double x = array_float_at(got, i), y = array_float_at(a, place[i]);
        cr_assert(x == y || (x != x && y != y));
    }
    array_release(got);
}

static void check_write(Array *a, const Selection *s, const int64_t *place, int64_t n, bool add)
{
    Error err = {0};
    Shape shape = n > 1 && random_below(3) ? s->shape : shape_make(1, 1);
    if (shape.rank > s->shape.rank) shape.rank = s->shape.rank;
    Array *v = counting_make(&shape), *to = array_retain(a), *wanted = array_copy(a, &err);
    for (int64_t i = 0; i < n; i++) {
        double x = (double)array_ints(v)[v->size == 1 ? 0 : i],
               *at = &array_floats(wanted)[place[i]];
        *at = add ? *at + x : x;
    }
    cr_assert(add ? selection_add(&to, s, v, &err) : selection_write(&to, s, v, &err));
    cr_assert(arrays_same(to, wanted));
    array_release(to);
    array_release(v);
    array_release(wanted);
}

static void check_winners(const Selection *s, const int64_t *place, int64_t n)
{
    Error err = {0};
    Array *wins = selection_winners(s, &err);
    bool repeats = false;
    for (int64_t i = 0; i < n; i++) {
        bool last = true;
        for (int64_t j = i + 1; j < n; j++) last &= place[j] != place[i];
        repeats |= !last;
        if (wins) cr_assert_eq(array_bools(wins)[i], last);
        if (!last) cr_assert_not_null(wins);
    }
    cr_assert(repeats == (wins != NULL) && !error_is_set(&err));
    array_release(wins);
}

static void check_terms(const Terms *t)
{
    Error err = {0};
    Selection *s = selection_new(&t->source, t->term, t->source.rank, &err);
    cr_assert_not_null(s, "%s", err.message);
    int64_t n, *place = wanted_places(t, s, &n);
    for (int type = DT_BOOL; type <= DT_FLOAT; type++) {
        Array *a = random_array((DType)type, &t->source);
        check_read(a, s, place, n);
        if (type == DT_FLOAT) check_write(a, s, place, n, false);
        if (type == DT_FLOAT) check_write(a, s, place, n, true);
        array_release(a);
    }
    check_winners(s, place, n);
    mem_free(place);
    selection_release(s);
}

Test(array_gather, slices_around_index_arrays)
{
    random_start(42);
    for (int round = 0; round < 5000; round++) {
        Terms t = random_terms();
        check_terms(&t);
        terms_free(&t);
    }
}

Test(array_gather, masks_of_everything)
{
    random_start(43);
    Error err = {0};
    for (int round = 0; round < 1500; round++) {
        Shape s = random_below(2) ? shape_make(1, (int)random_below(60)) : random_shape(3, 6);
        if (s.rank == 0) continue;
        Array *mask = random_array(DT_BOOL, &s);
        IndexTerm term = {.kind = INDEX_ARRAY, .array = mask};
        Selection *sel = selection_new(&s, &term, 1, &err);
        int64_t n = 0, *place = mem_alloc((size_t)(mask->size + 1) * sizeof *place);
        for (int64_t i = 0; i < mask->size; i++) {
            place[n] = i;
            n += array_int_at(mask, i);
        }
        cr_assert(sel && sel->shape.rank == 1 && sel->shape.dim[0] == n);
        for (int type = DT_BOOL; type <= DT_FLOAT; type++) {
            Array *a = random_array((DType)type, &s);
            check_read(a, sel, place, n);
            if (type == DT_FLOAT) check_write(a, sel, place, n, random_below(2));
            array_release(a);
        }
        cr_assert_null(selection_winners(sel, &err));
        mem_free(place);
        selection_release(sel);
        array_release(mask);
    }
}

/* The selection keeps the index array itself; writing to it later must not move what is selected.
 */
Test(array_gather, an_index_written_to_later)
{
    Error err = {0};
    Shape s = shape_make(1, 4);
    Array *a = counting_make(&s), *index = ints_make(&s, (int64_t[]){3, 1, 1, 0});
    IndexTerm term = {.kind = INDEX_ARRAY, .array = index};
    Selection *sel = selection_new(&s, &term, 1, &err);
    cr_assert(array_unshare(&index, &err));
    for (int i = 0; i < 4; i++) array_ints(index)[i] = 2;
    Array *got = selection_read(a, sel, &err), *wanted = ints_make(&s, (int64_t[]){3, 1, 1, 0});
    cr_assert(arrays_same(got, wanted));
    Array *itself = ints_make(&s, (int64_t[]){1, 2, 3, 0});
    term.array = itself;
    Selection *own = selection_new(&s, &term, 1, &err);
    cr_assert(selection_write(&itself, own, wanted, &err));
    Array *turned = ints_make(&s, (int64_t[]){0, 3, 1, 1});
    cr_assert(arrays_same(itself, turned));
    selection_release(sel);
    selection_release(own);
    Array *release[] = {a, index, got, wanted, itself, turned};
    for (int i = 0; i < 6; i++) array_release(release[i]);
}

static void expect_outside(int64_t n, int64_t at, int64_t value, const char *message)
{
    Error err = {0};
    Shape s = shape_make(1, (int)n), source = shape_make(2, 3, 50);
    Array *index = array_zeros(DT_INT, &s, &err);
    array_ints(index)[at] = value;
    if (at + 1 < n) array_ints(index)[at + 1] = 77; /* the first is reported */
    IndexTerm term[] = {{.kind = INDEX_SLICE}, {.kind = INDEX_ARRAY, .array = index}};
    cr_assert_null(selection_new(&source, term, 2, &err));
    expect_error(&err, ERR_INDEX, message);
    array_release(index);
}

Test(array_gather, the_first_index_out_of_range_is_told)
{
    for (int64_t n = 1; n < 40; n++) {
        expect_outside(n, 0, 50, "index 50 is out of range for axis 1");
        expect_outside(n, n - 1, -51, "index -51 is out of range for axis 1");
        expect_outside(n, n / 2, INT64_MIN, "index -9223372036854775808 is out of range");
        expect_outside(n, n / 3, INT64_MAX, "index 9223372036854775807 is out of range");
    }
}

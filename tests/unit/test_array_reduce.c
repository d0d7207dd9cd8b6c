#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "array/index/index.h"
#include "array/reduce/reduce.h"
#include "array_support.h"
#include "base/mem.h"

TestSuite(array_reduce, .fini = expect_nothing_alive);

/* ---- the order, written out once more ---- */

static double fold(Reduction f, double a, double b)
{
    switch (f) {
    case RD_SUM:
    case RD_PROD:
    case RD_SQUARES:
    case RD_MAX:
    case RD_MIN: return fold_one(f, a, b);
    case RD_ANY: return a != 0 || b != 0;
    default: return a != 0 && b != 0;
    }
}

static double fold_all(Reduction f, const double *x, int64_t n)
{
    if (n > 128) {
        int64_t half = n / 2 - n / 2 % 8;
        return fold(f == RD_SQUARES ? RD_SUM : f, fold_all(f, x, half),
                    fold_all(f, x + half, n - half));
    }
    int64_t whole = n < 8 ? 1 : n - n % 8;
    Reduction of_results = f == RD_SQUARES ? RD_SUM : f;
    double lane[8], result = f == RD_SQUARES ? x[0] * x[0] : x[0];
    if (n >= 8) {
        for (int64_t i = 0; i < whole; i++)
            lane[i % 8] = i >= 8            ? fold(f, lane[i % 8], x[i])
                          : f == RD_SQUARES ? x[i] * x[i]
                                            : x[i];
        for (int step = 1; step < 8; step *= 2) {
            for (int j = 0; j < 8; j += 2 * step)
                lane[j] = fold(of_results, lane[j], lane[j + step]);
        }
        result = lane[0];
    }
    for (int64_t i = whole; i < n; i++) result = fold(f, result, x[i]);
    return f == RD_ANY || f == RD_ALL ? result != 0 : result;
}

/* What reduce_run must give, from the definition; NULL for the extremes of nothing. */
static Array *reference(Reduction f, const Array *a, unsigned axes, bool keepdims)
{
    Error err = {0};
    Shape s = shape_of(a), out_shape = {.rank = 0}, inner = s;
    int64_t n = 1;
    for (int k = 0; k < s.rank; k++) {
        bool reduced = axes >> k & 1;
        if (!reduced || keepdims) out_shape.dim[out_shape.rank++] = reduced ? 1 : s.dim[k];
        inner.dim[k] = reduced ? s.dim[k] : 1;
        n *= inner.dim[k];
        if (reduced) s.dim[k] = 1;
    }
    DType t = f == RD_ANY || f == RD_ALL ? DT_BOOL
              : f >= RD_MAX              ? (DType)a->dtype
              : a->dtype == DT_FLOAT     ? DT_FLOAT
                                         : DT_INT;
    Array *out = array_new(t, &out_shape, &err);
    double *x = mem_alloc((size_t)(n + 1) * sizeof *x);
    int64_t outer[MAX_RANK] = {0};
    for (int64_t i = 0; i < out->size; i++, index_next(outer, &s)) {
        int64_t at[MAX_RANK] = {0}, j = 0;
        do {
            int64_t both[MAX_RANK];
            for (int k = 0; k < s.rank; k++) both[k] = outer[k] + at[k];
            if (n > 0) x[j++] = float_at_index(a, both);
        } while (index_next(at, &inner));
        double r = n > 0 ? fold_all(f, x, n) : f == RD_PROD || f == RD_ALL;
        if (t == DT_FLOAT) array_floats(out)[i] = r;
        if (t == DT_INT) array_ints(out)[i] = (int64_t)r;
        if (t == DT_BOOL) array_bools(out)[i] = r != 0;
    }
    mem_free(x);
    return out;
}

static int64_t rows_reduced(const Array *a, unsigned axes)
{
    int64_t n = 1;
    for (int k = 0; k < a->rank; k++) n *= axes >> k & 1 ? a->dim[k] : 1;
    return n;
}

static void check(Reduction f, Array *a, unsigned axes, bool keepdims)
{
    Error err = {0};
    Array *wanted = reference(f, a, axes, keepdims), *got = reduce_run(f, a, axes, keepdims, &err);
    if ((f == RD_MAX || f == RD_MIN) && rows_reduced(a, axes) == 0 && wanted->size > 0) {
        cr_assert_null(got);
        expect_error(&err, ERR_VALUE, "of nothing: the shape is");
    } else {
        Shape s = shape_of(a);
        cr_assert_not_null(got, "%s", err.message);
        cr_assert(arrays_same(got, wanted), "reduction %d of %s over %x", f, shape_text(&s), axes);
    }
    array_release(got);
    array_release(wanted);
}

Test(array_reduce, every_layout_and_axis)
{
    random_start(8);
    for (int round = 0; round < 6000; round++) {
        Shape s = random_shape(4, 7);
        Array *a = random_array((DType)random_below(3), &s);
        Reduction f = (Reduction)random_below(a->dtype == DT_FLOAT ? RD_SQUARES + 1 : RD_SQUARES);
        if (f == RD_PROD && a->dtype != DT_BOOL && a->size > 20) f = RD_SUM;
        check(f, a, (unsigned)random_below(1 << s.rank), random_below(2));
        array_release(a);
    }
}

Test(array_reduce, long_axes)
{
    random_start(9);
    static const int length[] = {7,   8,   9,   15,  16,  127,  128, 129,
                                 136, 137, 255, 256, 257, 1000, 4099};
    for (int i = 0; i < 15; i++) {
        for (int width = 1; width < 200; width = width * 3 + 1) {
            Shape shapes[] = {shape_make(2, length[i], width), shape_make(2, width, length[i]),
                              shape_make(3, 3, length[i], width % 8 + 1)};
            for (int k = 0; k < 3; k++) {
                Array *a = random_uniform(&shapes[k]), *b = random_array(DT_FLOAT, &shapes[k]);
                unsigned axes = (unsigned)random_below(8);
                check(RD_SUM, a, 1, false);
                check(RD_SUM, a, 2, false);
                check(RD_SQUARES, a, 1 + (unsigned)random_below(2), false);
                check((Reduction)random_below(4), b, axes, false);
                check((Reduction)(RD_MAX + random_below(4)), b, axes, true);
                array_release(a);
                array_release(b);
            }
        }
    }
}

/* sum(X, axis = 0)[j] and sum(X[:, j]) are one number. */
Test(array_reduce, an_axis_has_the_bits_of_its_slices)
{
    random_start(10);
    Error err = {0};
    Shape s = shape_make(2, 1013, 37);
    Array *a = random_uniform(&s), *along = reduce_run(RD_SUM, a, 1, false, &err);
    for (int64_t j = 0; j < 37; j++) {
        IndexTerm term[] = {{.kind = INDEX_SLICE}, {.kind = INDEX_AT, .start = j}};
        Selection *column = selection_new(&s, term, 2, &err);
        Array *v = selection_read(a, column, &err), *sum = reduce_run(RD_SUM, v, 1, false, &err);
        double x = array_float_at(along, j), y = array_float_at(sum, 0);
        cr_assert(memcmp(&x, &y, sizeof x) == 0);
        array_release(sum);
        array_release(v);
        selection_release(column);
    }
    array_release(along);
    array_release(a);
}

Test(array_reduce, a_million_tenths)
{
    Error err = {0};
    Shape s = shape_make(1, 1000000);
    Array *a = array_new(DT_FLOAT, &s, &err);
    for (int64_t i = 0; i < a->size; i++) array_floats(a)[i] = 0.1;
    Array *sum = reduce_run(RD_SUM, a, 1, false, &err);
    cr_assert_float_eq(array_float_at(sum, 0), 1e5, 1e-9);
    array_release(sum);
    Shape square = shape_make(2, 1000, 1000);
    Array *b = array_reshape(a, &square, &err), *turned = array_transpose(b, (int[]){1, 0});
    Array *x = reduce_run(RD_SUM, b, 3, false, &err),
          *y = reduce_run(RD_SUM, turned, 3, false, &err);
    cr_assert(arrays_same(x, y));
    Array *release[] = {a, b, turned, x, y};
    for (int i = 0; i < 5; i++) array_release(release[i]);
}

Test(array_reduce, zeros_keep_their_sign)
{
    Error err = {0};
    Shape s = shape_make(1, 1);
    Array *a = floats_make(&s, (double[]){-0.0}), *sum = reduce_run(RD_SUM, a, 1, false, &err);
    cr_assert(signbit(array_float_at(sum, 0)));
    array_release(a);
    array_release(sum);
}

static void expect_int(Reduction f, int n, const int64_t *value, int64_t wanted)
{
    Error err = {0};
    Shape s = {1, {n}}, pairs = {2, {n, 2}};
    Array *a = ints_make(&s, value), *r = reduce_run(f, a, 1, false, &err);
    cr_assert_not_null(r, "%s", err.message);
    cr_assert_eq(array_int_at(r, 0), wanted);
    Shape column = {2, {n, 1}};
    Array *c = array_reshape(a, &column, &err), *wide = array_broadcast(c, &pairs, &err);
    Array *both = reduce_run(f, wide, 1, false, &err);
    cr_assert(array_int_at(both, 0) == wanted && array_int_at(both, 1) == wanted);
    Array *release[] = {a, r, c, wide, both};
    for (int i = 0; i < 5; i++) array_release(release[i]);
}

static void expect_overflow(Reduction f, int n, const int64_t *value, const char *message)
{
    Error err = {0};
    Shape s = {1, {n}};
    Array *a = ints_make(&s, value);
    cr_assert_null(reduce_run(f, a, 1, false, &err));
    expect_error(&err, ERR_MATH, message);
    array_release(a);
}

Test(array_reduce, ints_are_checked)
{
    expect_int(RD_SUM, 3, (int64_t[]){INT64_MAX, 1, -1}, INT64_MAX);
    expect_int(RD_SUM, 2, (int64_t[]){INT64_MIN, 0}, INT64_MIN);
    expect_int(RD_PROD, 3, (int64_t[]){INT64_MAX, 4, 0}, 0);
    expect_int(RD_PROD, 3, (int64_t[]){-3, 4, 5}, -60);
    expect_int(RD_MAX, 3, (int64_t[]){INT64_MIN, INT64_MIN, INT64_MIN}, INT64_MIN);
    expect_int(RD_MIN, 2, (int64_t[]){INT64_MAX, INT64_MAX - 1}, INT64_MAX - 1);
    expect_overflow(RD_SUM, 2, (int64_t[]){INT64_MAX, 1}, "Int overflow in sum");
    expect_overflow(RD_PROD, 2, (int64_t[]){INT64_MAX, 2}, "Int overflow in prod");
}

/* ---- argmax ---- */

static int64_t arg_reference(bool want_max, const double *x, int64_t n)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n && !isnan(x[best]); i++) {
        if (isnan(x[i]) || (want_max ? x[i] > x[best] : x[i] < x[best])) best = i;
    }
    return best;
}

Test(array_reduce, where_the_extremes_are)
{
    random_start(11);
    Error err = {0};
    for (int round = 0; round < 3000; round++) {
        Shape s = random_shape(3, round % 100 == 0 ? 150 : 9), outer = s;
        if (s.rank == 0) continue;
        Array *a = random_array((DType)random_below(3), &s);
        int axis = (int)random_below(s.rank);
        int64_t n = s.dim[axis], at[MAX_RANK] = {0};
        bool want_max = random_below(2);
        Array *got = reduce_run(want_max ? RD_ARGMAX : RD_ARGMIN, a, 1u << axis, false, &err);
        outer.dim[axis] = 1;
        int64_t size = 1;
        for (int k = 0; k < s.rank; k++) size *= outer.dim[k];
        if (n == 0 && size > 0) {
            cr_assert_null(got);
            expect_error(&err, ERR_VALUE, "of nothing");
        }
        for (int64_t i = 0; got && i < size; i++, index_next(at, &outer)) {
            double x[256];
            for (at[axis] = 0; at[axis] < n; at[axis]++) x[at[axis]] = float_at_index(a, at);
            at[axis] = 0;
            cr_assert_eq(array_int_at(got, i), arg_reference(want_max, x, n));
        }
        array_release(got);
        array_release(a);
    }
}

/* Reductions that are taken in pieces, and the extremes of zeros and NaN. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "array/reduce/reduce.h"
#include "array/truth.h"
#include "array_support.h"

TestSuite(array_extremes, .fini = expect_nothing_alive);

static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static double nan_number(int64_t payload)
{
    uint64_t bits = UINT64_C(0x7ff8000000000000) | (uint64_t)payload;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- the same in every order ---- */

static double reduced(Reduction f, Array *a)
{
    Error err = {0};
    Array *r = reduce_run(f, a, ~0u, false, &err);
    cr_assert_not_null(r, "%s", err.message);
    double x = array_float_at(r, 0);
    array_release(r);
    return x;
}

/* rare of the elements are a zero of either sign, or a NaN, each with a payload of its own. Whichever comes
 * first, −0 < +0, and the NaN is the one that NAN is. */
static void check_order(Reduction f, int64_t n, int64_t rare, bool nans)
{
    Error err = {0};
    Shape s = {1, {n}}, wide = {1, {2 * n}};
    Array *a = array_new(DT_FLOAT, &s, &err), *gaps = array_zeros(DT_FLOAT, &wide, &err);
    double *x = array_floats(a), away = f == RD_MAX ? -1 : 1, wanted = away;
    for (int64_t i = 0; i < n; i++) {
        bool chosen = random_below(rare) == 0;
        x[i] = !chosen ? away : nans ? nan_number(i + 1) : random_below(2) ? -0.0 : 0.0;
        array_floats(gaps)[2 * i] = x[i];
        wanted = fold_one(f, wanted, x[i]);
    }
    Array *every_other = array_view(gaps);
    every_other->dim[0] = n;
    every_other->stride[0] = 2;
    array_update_layout(every_other);
    if (isnan(wanted)) wanted = NAN;
    cr_assert(same_bits(reduced(f, a), wanted), "%d elements", (int)n);
    cr_assert(same_bits(reduced(f, every_other), wanted));
    array_release(every_other);
    array_release(gaps);
    array_release(a);
}

Test(array_extremes, zeros_are_ordered_and_a_nan_wins)
{
    random_start(34);
    static const int64_t length[] = {1,   7,   8,   15,  16,  17,   31,   100, 128,
                                     129, 255, 256, 300, 999, 2047, 5000, 9001};
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < sizeof length / sizeof length[0]; i++) {
            for (int nans = 0; nans < 2; nans++) {
                check_order(RD_MAX, length[i], 1 + random_below(2 * length[i]), nans);
                check_order(RD_MIN, length[i], 1 + random_below(2 * length[i]), nans);
            }
        }
    }
}

/* However the axes lie, and with a step that is no neighbour's. */
Test(array_extremes, all_of_a_turned_array)
{
    random_start(35);
    Error err = {0};
    Shape s = shape_make(3, 37, 20, 41);
    Array *a = random_uniform(&s), *turned = array_transpose(a, (int[]){2, 0, 1});
    for (int axis = 0; axis < 3; axis++) {
        Array *back = array_view(turned);
        back->data = array_floats(back) + (back->dim[axis] - 1) * back->stride[axis];
        back->stride[axis] *= -1;
        array_update_layout(back);
        cr_assert(reduced(RD_MAX, back) == reduced(RD_MAX, a));
        cr_assert(reduced(RD_MIN, back) == reduced(RD_MIN, a));
        array_release(back);
    }
    array_floats(a)[20000] = NAN;
    cr_assert(isnan(reduced(RD_MAX, turned)));
    Array *zeros = array_zeros(DT_FLOAT, &s, &err), *zeros_turned;
    array_floats(zeros)[12345] = -0.0;
    array_floats(zeros)[0] = -0.0;
    zeros_turned = array_transpose(zeros, (int[]){2, 1, 0});
    Array *flat = array_copy(zeros_turned, &err);
    cr_assert(same_bits(reduced(RD_MAX, zeros_turned), reduced(RD_MAX, flat)));
    Array *release[] = {a, turned, zeros, zeros_turned, flat};
    for (int i = 0; i < 5; i++) array_release(release[i]);
}

/* ---- long runs, which are taken in pieces ---- */

/* The order of array/reduce/float.c, written out. */
static double in_order(Reduction f, const double *x, int64_t n)
{
    if (n > 128) {
        int64_t half = n / 2 - n / 2 % 8;
        return fold_one(f, in_order(f, x, half), in_order(f, x + half, n - half));
    }
    int64_t whole = n < 8 ? 1 : n - n % 8;
    double lane[8] = {x[0]};
    for (int64_t i = 0; i < whole && n >= 8; i++) {
        lane[i % 8] = i < 8 ? x[i] : fold_one(f, lane[i % 8], x[i]);
    }
    for (int step = 1; step < 8 && n >= 8; step *= 2) {
        for (int j = 0; j < 8; j += 2 * step) lane[j] = fold_one(f, lane[j], lane[j + step]);
    }
    for (int64_t i = whole; i < n; i++) lane[0] = fold_one(f, lane[0], x[i]);
    return lane[0];
}

Test(array_extremes, the_last_of_many)
{
    Error err = {0};
    Shape s = shape_make(1, (2 << 20) + 77), half = shape_make(1, (1 << 20) + 38);
    int64_t n = s.dim[0];
    for (int t = DT_BOOL; t <= DT_FLOAT; t++) {
        Array *a = array_zeros((DType)t, &s, &err), *gaps = array_view(a);
        cr_assert(reduced(RD_ANY, a) == 0 && reduced(RD_MAX, a) == 0);
        int64_t last = 2 * (half.dim[0] - 1);
        if (t == DT_BOOL) array_bools(a)[last] = true;
        if (t == DT_INT) array_ints(a)[last] = 5;
        if (t == DT_FLOAT) array_floats(a)[last] = 5;
        gaps->dim[0] = half.dim[0];
        gaps->stride[0] = 2;
        array_update_layout(gaps);
        Array *view[] = {a, gaps};
        for (int i = 0; i < 2; i++) {
            cr_assert(reduced(RD_ANY, view[i]) == 1 && reduced(RD_ALL, view[i]) == 0);
            cr_assert(reduced(RD_MAX, view[i]) == (t == DT_BOOL ? 1 : 5));
            cr_assert(reduced(RD_SUM, view[i]) == (t == DT_BOOL ? 1 : 5));
            Array *at = reduce_run(RD_ARGMAX, view[i], 1, false, &err);
            cr_assert_eq(array_int_at(at, 0), last >> i);
            array_release(at);
        }
        if (t == DT_FLOAT) {
            for (int64_t i = 0; i < n; i++) array_floats(a)[i] = 1.0 / (double)(i + 1);
            cr_assert(same_bits(reduced(RD_SUM, a), in_order(RD_SUM, array_floats(a), n)));
        }
        array_release(gaps);
        array_release(a);
    }
}

Test(array_extremes, counting_truths)
{
    enum { LONGEST = 3 * 255 * 32 + 40 };
    static bool x[LONGEST];
    int64_t count = 0;
    for (int64_t n = 0; n < LONGEST; n++) {
        if (n < 600 || n % 97 == 0) cr_assert_eq(truth_count(x, n), count);
        count += x[n] = n % 50 != 3;
    }
    memset(x, 1, sizeof x);
    cr_assert_eq(truth_count(x, LONGEST), LONGEST);
}

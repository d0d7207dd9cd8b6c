#include <criterion/criterion.h>

#include "array/reduce/reduce.h"
#include "array_support.h"

TestSuite(array_scan, .fini = expect_nothing_alive);

Test(array_scan, running_sums_and_products)
{
    random_start(12);
    Error err = {0};
    for (int round = 0; round < 2000; round++) {
        Shape s = random_shape(3, 6), outer = s;
        if (s.rank == 0) continue;
        Array *a = random_array((DType)random_below(3), &s);
        int axis = (int)random_below(s.rank);
        bool product = random_below(2), backwards = random_below(2);
        Array *got = scan_run(product ? SCAN_PROD : SCAN_SUM, a, NULL, axis, backwards, &err);
        cr_assert_not_null(got);
        cr_assert_eq(got->dtype, a->dtype == DT_FLOAT ? DT_FLOAT : DT_INT);
        outer.dim[axis] = 1;
        int64_t at[MAX_RANK] = {0};
        if (got->size > 0) {
            do {
                double running = product;
                for (int64_t k = 0; k < s.dim[axis]; k++) {
                    at[axis] = backwards ? s.dim[axis] - 1 - k : k;
                    double x = float_at_index(a, at), y = float_at_index(got, at);
                    running = product ? running * x : running + x;
                    cr_assert(running == y || (running != running && y != y));
                }
                at[axis] = 0;
            } while (index_next(at, &outer));
        }
        array_release(got);
        array_release(a);
    }
}

Test(array_scan, ints_are_checked)
{
    Error err = {0};
    Shape s = shape_make(1, 2);
    Array *a = ints_make(&s, (int64_t[]){INT64_MAX, 2});
    cr_assert_null(scan_run(SCAN_SUM, a, NULL, 0, false, &err));
    expect_error(&err, ERR_MATH, "Int overflow in cumsum");
    cr_assert_null(scan_run(SCAN_PROD, a, NULL, 0, false, &err));
    expect_error(&err, ERR_MATH, "Int overflow in cumprod");
    cr_assert_null(scan_run(SCAN_SUM, a, NULL, 1, false, &err));
    expect_error(&err, ERR_INDEX, "axis 1 is out of range");
    array_release(a);
}

static double product_no_nan(double x, double y)
{
    return x == 0 || y == 0 ? 0 : x * y;
}

Test(array_scan, products_of_all_others)
{
    random_start(14);
    Error err = {0};
    for (int round = 0; round < 2000; round++) {
        Shape s = round % 50 ? random_shape(3, 6) : shape_make(2, 3, 300), outer = s;
        if (s.rank == 0) continue;
        Array *a = random_array(DT_FLOAT, &s);
        int axis = round % 50 ? (int)random_below(s.rank) : 0;
        outer.dim[axis] = 1;
        Array *by = random_array(DT_FLOAT, &outer), *got = scan_others(a, by, axis, &err);
        int64_t at[MAX_RANK] = {0};
        if (got->size > 0) {
            do {
                for (int64_t k = 0; k < s.dim[axis]; k++) {
                    double before = 1;
                    for (at[axis] = 0; at[axis] < k; at[axis]++) before *= float_at_index(a, at);
                    at[axis] = 0;
                    double after = float_at_index(by, at);
                    for (at[axis] = s.dim[axis] - 1; at[axis] > k; at[axis]--)
                        after = product_no_nan(after, float_at_index(a, at));
                    double wanted = product_no_nan(before, after);
                    at[axis] = k;
                    double y = float_at_index(got, at);
                    cr_assert(wanted == y || (wanted != wanted && y != y));
                }
                at[axis] = 0;
            } while (index_next(at, &outer));
        }
        array_release(got);
        array_release(by);
        array_release(a);
    }
}

Test(array_scan, linear_recurrence)
{
    random_start(13);
    Error err = {0};
    for (int round = 0; round < 2000; round++) {
        Shape s = random_shape(3, 6), outer = s;
        if (s.rank == 0) continue;
        Array *a = random_array(DT_FLOAT, &s), *b = random_array(DT_FLOAT, &s);
        int axis = (int)random_below(s.rank);
        bool backwards = random_below(2);
        Array *h = scan_run(SCAN_LINEAR, a, b, axis, backwards, &err);
        outer.dim[axis] = 1;
        int64_t at[MAX_RANK] = {0};
        if (h->size > 0) {
            do {
                double before = 0;
                for (int64_t k = 0; k < s.dim[axis]; k++) {
                    at[axis] = backwards ? s.dim[axis] - 1 - k : k;
                    double factor = float_at_index(a, at), y = float_at_index(h, at);
                    double step = product_no_nan(factor, before);
                    double wanted = float_at_index(b, at) + step;
                    cr_assert(wanted == y || (wanted != wanted && y != y));
                    before = y;
                }
                at[axis] = 0;
            } while (index_next(at, &outer));
        }
        array_release(a);
        array_release(b);
        array_release(h);
    }
}

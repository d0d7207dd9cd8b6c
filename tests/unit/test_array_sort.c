#include <criterion/criterion.h>
#include <math.h>

#include "array/index/index.h"
#include "array/sort.h"
#include "array_support.h"

TestSuite(array_sort, .fini = expect_nothing_alive);

static bool before(double x, double y)
{
    return x < y || (isnan(y) && !isnan(x));
}

/* Along axis: a permutation, in order, and stable. */
static void check_lane(const Array *a, const Array *order, int axis, int64_t *at)
{
    int64_t n = a->dim[axis], sum = 0, last = 0;
    double previous = 0;
    for (int64_t i = 0; i < n; i++) {
        at[axis] = i;
        int64_t position = (int64_t)float_at_index(order, at);
        at[axis] = position;
        double x = float_at_index(a, at);
        sum += position;
        if (i > 0) {
            cr_assert_not(before(x, previous));
            if (!before(previous, x)) cr_assert_gt(position, last, "stable");
        }
        previous = x;
        last = position;
    }
    at[axis] = 0;
    cr_assert_eq(sum, n * (n - 1) / 2);
}

static void check_sort(Array *a, int axis)
{
    Error err = {0};
    Shape outer = shape_of(a);
    Array *order = sort_positions(a, axis, &err);
    cr_assert_not_null(order);
    outer.dim[axis] = 1;
    int64_t at[MAX_RANK] = {0};
    if (a->size > 0) {
        do {
            check_lane(a, order, axis, at);
        } while (index_next(at, &outer));
    }
    array_release(order);
}

Test(array_sort, every_layout_and_axis)
{
    random_start(14);
    for (int round = 0; round < 2000; round++) {
        Shape s = random_shape(3, 40);
        if (s.rank == 0) continue;
        Array *a = random_array((DType)random_below(3), &s);
        check_sort(a, (int)random_below(s.rank));
        array_release(a);
    }
}

Test(array_sort, long_lanes)
{
    random_start(15);
    static const int length[] = {15, 16, 17, 31, 33, 255, 256, 257, 1000, 5000, 100000};
    for (int i = 0; i < 11; i++) {
        Shape s = shape_make(1, length[i]);
        Array *u = random_uniform(&s);
        check_sort(u, 0);
        for (int64_t k = 0; k < u->size; k++)
            array_floats(u)[k] = ldexp(0.5 - array_floats(u)[k], (int)(k % 99));
        check_sort(u, 0);
        array_release(u);
        for (int t = DT_BOOL; t <= DT_FLOAT; t++) {
            Array *a = random_array((DType)t, &s);
            check_sort(a, 0);
            array_release(a);
        }
    }
}

Test(array_sort, extremes)
{
    Shape s = shape_make(1, 8);
    Array *a = floats_make(
        &s, (double[]){INFINITY, NAN, -0.0, 0.0, -INFINITY, -NAN, 0x1p-1074, -0x1p-1074});
    Array *b =
        ints_make(&s, (int64_t[]){INT64_MAX, INT64_MIN, 0, -1, 1, INT64_MIN + 1, 5, INT64_MAX});
    check_sort(a, 0);
    check_sort(b, 0);
    array_release(a);
    array_release(b);
}

Test(array_sort, searching)
{
    random_start(16);
    Error err = {0};
    for (int round = 0; round < 500; round++) {
        Shape s = shape_make(1, (int)random_below(20)), wanted_shape = random_shape(2, 5);
        Array *a = random_array((DType)random_below(3), &s), *order = sort_positions(a, 0, &err);
        IndexTerm term = {.kind = INDEX_ARRAY, .array = order};
        Selection *by = selection_new(&s, &term, 1, &err);
        Array *sorted = selection_read(a, by, &err);
        Array *v = random_array((DType)random_below(3), &wanted_shape);
        bool right = random_below(2);
        Array *found = sort_search(sorted, v, right, &err);
        for (int64_t i = 0; i < v->size; i++) {
            double x = array_float_at(v, i);
            int64_t n = 0;
            for (int64_t k = 0; k < sorted->size; k++) {
                double y = array_float_at(sorted, k);
                n += right ? !before(x, y) : before(y, x);
            }
            cr_assert_eq(array_int_at(found, i), n);
        }
        Array *release[] = {a, order, sorted, v, found};
        for (int k = 0; k < 5; k++) array_release(release[k]);
        selection_release(by);
    }
}

/* The inner loops of reductions at every instruction set. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "array/reduce/reduce.h"
#include "array/simd/simd.h"
#include "array_support.h"

TestSuite(reduce_loops, .fini = expect_nothing_alive);

#define EACH_LEVEL(level)                                                                          \
    for (SimdLevel level = SIMD_SCALAR; level < SIMD_LEVELS; level++)                              \
        if (simd_supported(level))

enum { MOST = 150 };

static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* ---- runs ---- */

Test(reduce_loops, a_run_with_its_extreme_or_a_nan_anywhere)
{
    double x[MOST];
    EACH_LEVEL(level)
    for (int64_t n = 1; n < MOST; n++) {
        const ReduceKernel *k = simd_reduce(level);
        for (int64_t at = 0; at < n; at++) {
            for (int64_t i = 0; i < n; i++) x[i] = (double)(i % 7) - 3;
            x[at] = 9;
            cr_assert(k->extreme[1](x, n) == 9 && k->find(x, n, 9) == at);
            x[at] = -9;
            cr_assert_eq(k->extreme[0](x, n), -9);
            x[at] = -NAN;
            cr_assert(same_bits(k->extreme[1](x, n), NAN), "level %d, %d of %d", level, (int)at,
                      (int)n);
            cr_assert(same_bits(k->extreme[0](x, n), NAN));
            for (int64_t i = 0; i < n; i++) x[i] = i == at ? 0.0 : -0.0;
            cr_assert(same_bits(k->extreme[1](x, n), 0.0));
            for (int64_t i = 0; i < n; i++) x[i] = -x[i];
            cr_assert(same_bits(k->extreme[0](x, n), -0.0));
        }
    }
}

Test(reduce_loops, runs_of_infinities)
{
    double x[MOST];
    for (int i = 0; i < MOST; i++) x[i] = -INFINITY;
    EACH_LEVEL(level)
    for (int64_t n = 1; n < MOST; n++) {
        cr_assert_eq(simd_reduce(level)->extreme[1](x, n), -INFINITY);
    }
}

Test(reduce_loops, a_run_of_ints)
{
    int64_t x[MOST];
    EACH_LEVEL(level)
    for (int64_t n = 1; n < MOST; n++) {
        const ReduceKernel *k = simd_reduce(level);
        for (int64_t at = 0; at < n; at++) {
            for (int64_t i = 0; i < n; i++) x[i] = i % 2 ? INT64_MAX - 1 : INT64_MIN + 1;
            x[at] = INT64_MAX;
            cr_assert(k->int_extreme[1](x, n) == INT64_MAX && k->int_find(x, n, INT64_MAX) == at);
            x[at] = INT64_MIN;
            cr_assert_eq(k->int_extreme[0](x, n), INT64_MIN);
        }
    }
}

__extension__ typedef __int128 Wide;

Test(reduce_loops, sums_of_ints)
{
    static const int64_t value[] = {INT64_MIN, INT64_MAX, -1, 0, 1, 1LL << 32, -(1LL << 31)};
    int64_t x[MOST];
    EACH_LEVEL(level)
    for (int64_t n = 0; n < MOST; n++) {
        uint64_t high = 0, low = 0;
        Wide sum = 0;
        for (int64_t i = 0; i < n; i++) sum += x[i] = value[(i * i + n) % 7];
        simd_reduce(level)->int_sum(&high, &low, x, n);
        cr_assert(((Wide)high << 32) + low - ((Wide)n << 63) == sum);
    }
}

/* ---- rows ---- */

static double special(int64_t i)
{
    const double value[] = {-0.0, 0.0, 1.5, -2.25, NAN, 0.0, -0.0, INFINITY};
    return value[i & 7];
}

static void check_rows(SimdLevel level, Reduction f, int64_t n, int width, bool fresh)
{
    enum { ROWS = 70, WIDTH = 40, LANES = 8 };
    double x[ROWS][WIDTH], lane[LANES][WIDTH], wanted[LANES][WIDTH];
    const double *row[ROWS];
    for (int64_t i = 0; i < n; i++) {
        row[i] = x[i];
        for (int j = 0; j < width; j++) x[i][j] = special(random_below(8));
    }
    for (int i = 0; i < LANES; i++) {
        for (int j = 0; j < WIDTH; j++) lane[i][j] = wanted[i][j] = special(random_below(8));
    }
    simd_reduce(level)->fold_rows[f](lane[0], WIDTH, row, n, width, fresh);
    for (int64_t i = 0; i < n; i++) {
        for (int j = 0; j < width; j++) {
            double *to = &wanted[i % LANES][j],
                   first = f == RD_SQUARES ? x[i][j] * x[i][j] : x[i][j];
            *to = fresh && i < LANES ? first : fold_one(f, *to, x[i][j]);
        }
    }
    for (int i = 0; i < LANES; i++) {
        for (int j = 0; j < WIDTH; j++) {
            bool both_nan = isnan(lane[i][j]) && isnan(wanted[i][j]);
            cr_assert(both_nan || same_bits(lane[i][j], wanted[i][j]),
                      "level %d, fold %d, %d rows of %d: lane %d, column %d", level, f, (int)n,
                      width, i, j);
        }
    }
}

Test(reduce_loops, rows_of_floats)
{
    random_start(31);
    EACH_LEVEL(level)
    for (int f = RD_SUM; f <= RD_SQUARES; f++) {
        if (f == RD_ANY || f == RD_ALL) continue;
        for (int width = 1; width < 40; width++) {
            check_rows(level, (Reduction)f, random_below(70), width, width % 2);
            check_rows(level, (Reduction)f, 1, width, false);
        }
    }
}

static int64_t int_special(void)
{
    static const int64_t value[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
    return value[random_below(5)];
}

static void check_int_rows(SimdLevel level, int64_t n, int width)
{
    enum { ROWS = 10, WIDTH = 40 };
    const ReduceKernel *k = simd_reduce(level);
    int64_t x[ROWS][WIDTH], largest[WIDTH] = {0}, smallest[WIDTH] = {0};
    uint64_t high[WIDTH] = {0}, low[WIDTH] = {0};
    const int64_t *row[ROWS];
    for (int64_t i = 0; i < n; i++) {
        row[i] = x[i];
        for (int j = 0; j < width; j++) x[i][j] = int_special();
    }
    k->int_rows[1](largest, row, n, width);
    k->int_rows[0](smallest, row, n, width);
    k->int_sum_rows(high, low, row, n, width);
    for (int j = 0; j < width; j++) {
        int64_t large = 0, small = 0;
        Wide sum = 0;
        for (int64_t i = 0; i < n; i++) {
            large = x[i][j] > large ? x[i][j] : large;
            small = x[i][j] < small ? x[i][j] : small;
            sum += x[i][j];
        }
        cr_assert(largest[j] == large && smallest[j] == small);
        cr_assert(((Wide)high[j] << 32) + low[j] - ((Wide)n << 63) == sum);
    }
}

Test(reduce_loops, rows_of_ints)
{
    random_start(32);
    EACH_LEVEL(level)
    for (int64_t n = 0; n < 10; n++) {
        for (int width = 1; width < 40; width++) check_int_rows(level, n, width);
    }
}

Test(reduce_loops, places_across_rows)
{
    random_start(33);
    enum { WIDTH = 40, ROWS = 6 };
    EACH_LEVEL(level)
    for (int want_max = 0; want_max < 2; want_max++) {
        double best[WIDTH], wanted[WIDTH], x[WIDTH];
        int64_t place[WIDTH] = {0}, wanted_place[WIDTH] = {0};
        for (int j = 0; j < WIDTH; j++) best[j] = wanted[j] = special(random_below(8));
        for (int64_t k = 1; k < ROWS; k++) {
            for (int j = 0; j < WIDTH; j++) x[j] = special(random_below(8));
            simd_reduce(level)->arg_fold[want_max](best, place, x, k, WIDTH - k);
            for (int j = 0; j < WIDTH - k; j++) {
                bool beats = want_max ? x[j] > wanted[j] : x[j] < wanted[j];
                if (!beats && !(isnan(x[j]) && !isnan(wanted[j]))) continue;
                wanted[j] = x[j];
                wanted_place[j] = k;
            }
            for (int j = 0; j < WIDTH; j++) cr_assert_eq(place[j], wanted_place[j]);
        }
    }
}

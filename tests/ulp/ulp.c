/* How far the elementary functions are from the exact value, in units in the last place, against
 * MPFR over the whole domain of each: ulp [POINTS]. Fails above 1. Half a unit is perfect. */
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/elementwise/elementwise.h"
#include "array/elementwise/number.h"

enum { EXACT_BITS = 200 };

typedef int (*Exact1)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*Exact2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/* ---- points ---- */

typedef enum { EVEN, MAGNITUDES, BOTH_SIGNS } Spread;

typedef struct {
    double low, high;
    Spread spread; /* evenly, or evenly in the exponent */
} Range;

static uint64_t state = 88172645463325252u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static double draw(const Range *r)
{
    double u = uniform();
    if (r->spread == EVEN) return r->low + (r->high - r->low) * u;
    double x = exp(log(r->low) + (log(r->high) - log(r->low)) * u);
    return r->spread == BOTH_SIGNS && uniform() < 0.5 ? -x : x;
}

/* ---- distance ---- */

static double distance(double got, const mpfr_t exact)
{
    double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (isnan(nearest) || isnan(got)) return isnan(nearest) && isnan(got) ? 0 : INFINITY;
    if (isinf(nearest) || isinf(got) || nearest == 0) return got == nearest ? 0 : INFINITY;
    int exponent;
    frexp(nearest, &exponent);
    mpfr_t d;
    mpfr_init2(d, EXACT_BITS);
    mpfr_d_sub(d, got, exact, MPFR_RNDN);
    mpfr_div_2si(d, d, exponent - 53 < -1074 ? -1074 : exponent - 53, MPFR_RNDN);
    double units = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return units;
}

/* ---- functions MPFR has not ---- */

static int exact_sigmoid(mpfr_t r, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_neg(r, x, round);
    mpfr_exp(r, r, round);
    mpfr_add_ui(r, r, 1, round);
    return mpfr_ui_div(r, 1, r, round);
}

static int exact_softplus(mpfr_t r, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_exp(r, x, round);
    return mpfr_log1p(r, r, round);
}

/* ---- what is measured ---- */

typedef struct {
    Elementwise f;
    Exact1 exact;
    Range range[4]; /* up to one with low = high */
} Row1;

static const Row1 row1[] = {
    {EW_EXP, mpfr_exp, {{-746, 709.79, EVEN}, {-3, 3, EVEN}, {1e-320, 1, BOTH_SIGNS}}},
    {EW_EXPM1, mpfr_expm1, {{-40, 709.7, EVEN}, {-3, 3, EVEN}, {1e-320, 1, BOTH_SIGNS}}},
    {EW_LOG, mpfr_log, {{5e-324, 1.7e308, MAGNITUDES}, {0.4, 3, EVEN}}},
    {EW_LOG1P,
     mpfr_log1p,
     {{5e-324, 1.7e308, MAGNITUDES}, {-0.999999, 3, EVEN}, {1e-320, 0.99, BOTH_SIGNS}}},
    {EW_LOG2, mpfr_log2, {{5e-324, 1.7e308, MAGNITUDES}, {0.4, 3, EVEN}}},
    {EW_LOG10, mpfr_log10, {{5e-324, 1.7e308, MAGNITUDES}, {0.4, 3, EVEN}}},
    {EW_SIN, mpfr_sin, {{-10, 10, EVEN}, {-1e6, 1e6, EVEN}, {1e-320, 1e308, BOTH_SIGNS}}},
    {EW_COS, mpfr_cos, {{-10, 10, EVEN}, {-1e6, 1e6, EVEN}, {1e-320, 1e308, BOTH_SIGNS}}},
    {EW_TAN, mpfr_tan, {{-10, 10, EVEN}, {-1e6, 1e6, EVEN}, {1e-320, 1e308, BOTH_SIGNS}}},
    {EW_ASIN, mpfr_asin, {{-1, 1, EVEN}, {1e-320, 1, BOTH_SIGNS}}},
    {EW_ACOS, mpfr_acos, {{-1, 1, EVEN}, {1e-320, 1, BOTH_SIGNS}}},
    {EW_ATAN, mpfr_atan, {{-10, 10, EVEN}, {1e-320, 1e308, BOTH_SIGNS}}},
    {EW_SINH, mpfr_sinh, {{-710.5, 710.5, EVEN}, {709, 710.5, EVEN}, {1e-320, 20, BOTH_SIGNS}}},
    {EW_COSH, mpfr_cosh, {{-710.5, 710.5, EVEN}, {709, 710.5, EVEN}, {1e-320, 20, BOTH_SIGNS}}},
    {EW_TANH, mpfr_tanh, {{-20, 20, EVEN}, {-1, 1, EVEN}, {1e-320, 1e308, BOTH_SIGNS}}},
    {EW_ERF, mpfr_erf, {{-6.5, 6.5, EVEN}, {-1, 1, EVEN}, {1e-320, 10, BOTH_SIGNS}}},
    {EW_SIGMOID, exact_sigmoid, {{-746, 50, EVEN}, {-5, 5, EVEN}, {1e-320, 10, BOTH_SIGNS}}},
    {EW_SOFTPLUS, exact_softplus, {{-746, 750, EVEN}, {-5, 5, EVEN}, {1e-320, 10, BOTH_SIGNS}}},
};

typedef struct {
    Elementwise f;
    Exact2 exact;
    Range x, y;
} Row2;

static const Row2 row2[] = {
    {EW_POW, mpfr_pow, {1e-3, 1e3, MAGNITUDES}, {-100, 100, EVEN}},
    {EW_POW, mpfr_pow, {0.9, 1.1, EVEN}, {-7000, 7000, EVEN}},
    {EW_POW, mpfr_pow, {5e-324, 1.7e308, MAGNITUDES}, {-1, 1, EVEN}},
    {EW_POW, mpfr_pow, {1e-10, 1e-9, MAGNITUDES}, {32, 35.6, EVEN}},
    {EW_POW, mpfr_pow, {1e10, 1.0001e10, EVEN}, {30.8, 30.83, EVEN}},
    {EW_POW, mpfr_pow, {1e-100, 1e100, BOTH_SIGNS}, {3, 3, EVEN}},
    {EW_POW, mpfr_pow, {1e-100, 1e100, BOTH_SIGNS}, {-3, -3, EVEN}},
    {EW_POW, mpfr_pow, {1e-5, 1e5, BOTH_SIGNS}, {63, 63, EVEN}},
    {EW_POW, mpfr_pow, {1e-30, 1e30, MAGNITUDES}, {-10, -10, EVEN}},
    {EW_ATAN2, mpfr_atan2, {-10, 10, EVEN}, {-10, 10, EVEN}},
    {EW_ATAN2, mpfr_atan2, {5e-324, 1e308, BOTH_SIGNS}, {5e-324, 1e308, BOTH_SIGNS}},
    {EW_ATAN2, mpfr_atan2, {5e-324, 1e-300, BOTH_SIGNS}, {1, 1e10, BOTH_SIGNS}},
};

typedef struct {
    double units, x, y;
} Worst;

static void consider(Worst *worst, double units, double x, double y)
{
    if (units > worst->units) *worst = (Worst){units, x, y};
}

static double measure1(const Row1 *row, const Range *range, long points)
{
    mpfr_t x, exact;
    mpfr_init2(x, 53);
    mpfr_init2(exact, EXACT_BITS);
    Worst worst = {0, 0, 0};
    for (long i = 0; i < points; i++) {
        double at = draw(range);
        mpfr_set_d(x, at, MPFR_RNDN);
        row->exact(exact, x, MPFR_RNDN);
        consider(&worst, distance(elementwise_number(row->f, at, 0), exact), at, 0);
    }
    printf("%-9s [%g, %g]: %.3f at %a\n", elementwise_info[row->f].name, range->low, range->high,
           worst.units, worst.x);
    mpfr_clears(x, exact, (mpfr_ptr)NULL);
    return worst.units;
}

static double measure2(const Row2 *row, long points)
{
    mpfr_t x, y, exact;
    mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
    mpfr_init2(exact, EXACT_BITS);
    Worst worst = {0, 0, 0};
    for (long i = 0; i < points; i++) {
        double first = draw(&row->x), second = draw(&row->y);
        mpfr_set_d(x, first, MPFR_RNDN);
        mpfr_set_d(y, second, MPFR_RNDN);
        row->exact(exact, x, y, MPFR_RNDN);
        consider(&worst, distance(elementwise_number(row->f, first, second), exact), first, second);
    }
    printf("%-9s [%g, %g], [%g, %g]: %.3f at %a, %a\n", elementwise_info[row->f].name, row->x.low,
           row->x.high, row->y.low, row->y.high, worst.units, worst.x, worst.y);
    mpfr_clears(x, y, exact, (mpfr_ptr)NULL);
    return worst.units;
}

int main(int argc, char **argv)
{
    long points = argc > 1 ? atol(argv[1]) : 20000;
    double worst = 0;
    printf("%s, %ld points a range\n", simd_name(), points);
    for (size_t i = 0; i < sizeof row1 / sizeof *row1; i++) {
        const Range *r = row1[i].range;
        for (; r < row1[i].range + 4 && r->low != r->high; r++) {
            worst = fmax(worst, measure1(&row1[i], r, points));
        }
    }
    for (size_t i = 0; i < sizeof row2 / sizeof *row2; i++) {
        worst = fmax(worst, measure2(&row2[i], points));
    }
    printf("worst: %.3f\n", worst);
    return worst > 1 ? 1 : 0;
}

/* What is measured, and where. */
#include <math.h>

#include "ulp.h"

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

/* x - y floor(x / y) */
static int exact_mod(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round)
{
    mpfr_div(r, x, y, round);
    mpfr_floor(r, r);
    mpfr_mul(r, r, y, round);
    return mpfr_sub(r, x, r, round);
}

/* The angle of (y, x), but for a multiple of π/2. */
static int exact_angle(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round)
{
    bool is_steep = mpfr_cmpabs(x, y) > 0;
    mpfr_div(r, is_steep ? y : x, is_steep ? x : y, round);
    mpfr_atan(r, r, round);
    return is_steep ? mpfr_neg(r, r, round) : 0;
}

/* ---- mixed derivatives that pass through 0 ---- */

/* x ** (y - 1) (1 + y log x), which is near 0 where the second term is near -1. */
static void first_of_power(mpfr_t r, const mpfr_t fx, const mpfr_t fy, const mpfr_t y)
{
    (void)fy;
    mpfr_div(r, fx, y, MPFR_RNDN);
    mpfr_abs(r, r, MPFR_RNDN);
}

/* fy² - fx² */
static void larger_square(mpfr_t r, const mpfr_t fx, const mpfr_t fy, const mpfr_t y)
{
    (void)y;
    mpfr_sqr(r, mpfr_cmpabs(fx, fy) < 0 ? fy : fx, MPFR_RNDN);
}

/* clang-format off */
#define ONE(f, exact, length, ...) {EW_##f, exact, NULL, __VA_ARGS__, {0}, length, NULL, NULL},
#define TWO(f, exact, length, ...) {EW_##f, NULL, exact, __VA_ARGS__, length, NULL, NULL},
#define POWER_OF(...) {EW_POW, NULL, mpfr_pow, __VA_ARGS__, POWER, NULL, first_of_power},
#define ANGLE_OF(...) {EW_ATAN2, NULL, mpfr_atan2, __VA_ARGS__, ANGLE, exact_angle, larger_square},
#define OVER(low, high, spread) {low, high, spread}

const Row rows[] = {
    ONE(ABS, mpfr_abs, SCALED, OVER(1e-320, 1e308, BOTH_SIGNS))
    ONE(SQRT, mpfr_sqrt, SCALED, OVER(5e-324, 1.7e308, MAGNITUDES))
    ONE(SQRT, mpfr_sqrt, SCALED, OVER(0.2, 5, EVEN))
    ONE(EXP, mpfr_exp, SMOOTH, OVER(-746, 709.79, EVEN))
    ONE(EXP, mpfr_exp, SMOOTH, OVER(-3, 3, EVEN))
    ONE(EXP, mpfr_exp, SMOOTH, OVER(1e-320, 1, BOTH_SIGNS))
    ONE(EXPM1, mpfr_expm1, SMOOTH, OVER(-746, 709.7, EVEN))
    ONE(EXPM1, mpfr_expm1, SMOOTH, OVER(-3, 3, EVEN))
    ONE(EXPM1, mpfr_expm1, SMOOTH, OVER(1e-320, 1, BOTH_SIGNS))
    ONE(LOG, mpfr_log, SCALED, OVER(5e-324, 1.7e308, MAGNITUDES))
    ONE(LOG, mpfr_log, SCALED, OVER(0.4, 3, EVEN))
    ONE(LOG1P, mpfr_log1p, SMOOTH, OVER(5e-324, 1.7e308, MAGNITUDES))
    ONE(LOG1P, mpfr_log1p, SMOOTH, OVER(-0.999999, 3, EVEN))
    ONE(LOG1P, mpfr_log1p, SMOOTH, OVER(-1, -0.999999999, EVEN))
    ONE(LOG1P, mpfr_log1p, SMOOTH, OVER(1e-320, 0.99, BOTH_SIGNS))
    ONE(LOG2, mpfr_log2, SCALED, OVER(5e-324, 1.7e308, MAGNITUDES))
    ONE(LOG2, mpfr_log2, SCALED, OVER(0.4, 3, EVEN))
    ONE(LOG10, mpfr_log10, SCALED, OVER(5e-324, 1.7e308, MAGNITUDES))
    ONE(LOG10, mpfr_log10, SCALED, OVER(0.4, 3, EVEN))
    ONE(SIN, mpfr_sin, WAVE, OVER(-10, 10, EVEN))
    ONE(SIN, mpfr_sin, WAVE, OVER(-1e6, 1e6, EVEN))
    ONE(SIN, mpfr_sin, WAVE, OVER(1e-320, 1e308, BOTH_SIGNS))
    ONE(COS, mpfr_cos, WAVE, OVER(-10, 10, EVEN))
    ONE(COS, mpfr_cos, WAVE, OVER(-1e6, 1e6, EVEN))
    ONE(COS, mpfr_cos, WAVE, OVER(1e-320, 1e308, BOTH_SIGNS))
    ONE(TAN, mpfr_tan, WAVE, OVER(-10, 10, EVEN))
    ONE(TAN, mpfr_tan, WAVE, OVER(-1e6, 1e6, EVEN))
    ONE(TAN, mpfr_tan, WAVE, OVER(1.57079, 1.5708, EVEN))
    ONE(TAN, mpfr_tan, WAVE, OVER(1e-320, 1e308, BOTH_SIGNS))
    ONE(ASIN, mpfr_asin, SMOOTH, OVER(-1, 1, EVEN))
    ONE(ASIN, mpfr_asin, SMOOTH, OVER(0.99999999, 1, EVEN))
    ONE(ASIN, mpfr_asin, SMOOTH, OVER(1e-320, 1, BOTH_SIGNS))
    ONE(ACOS, mpfr_acos, SMOOTH, OVER(-1, 1, EVEN))
    ONE(ACOS, mpfr_acos, SMOOTH, OVER(-1, -0.99999999, EVEN))
    ONE(ACOS, mpfr_acos, SMOOTH, OVER(1e-320, 1, BOTH_SIGNS))
    ONE(ATAN, mpfr_atan, SMOOTH, OVER(-10, 10, EVEN))
    ONE(ATAN, mpfr_atan, SMOOTH, OVER(1e-320, 1e308, BOTH_SIGNS))
    ONE(SINH, mpfr_sinh, SMOOTH, OVER(-710.5, 710.5, EVEN))
    ONE(SINH, mpfr_sinh, SMOOTH, OVER(709, 710.5, EVEN))
    ONE(SINH, mpfr_sinh, SMOOTH, OVER(1e-320, 20, BOTH_SIGNS))
    ONE(COSH, mpfr_cosh, SMOOTH, OVER(-710.5, 710.5, EVEN))
    ONE(COSH, mpfr_cosh, SMOOTH, OVER(709, 710.5, EVEN))
    ONE(COSH, mpfr_cosh, SMOOTH, OVER(1e-320, 20, BOTH_SIGNS))
    ONE(TANH, mpfr_tanh, SMOOTH, OVER(-380, 380, EVEN))
    ONE(TANH, mpfr_tanh, SMOOTH, OVER(-20, 20, EVEN))
    ONE(TANH, mpfr_tanh, SMOOTH, OVER(-1, 1, EVEN))
    ONE(TANH, mpfr_tanh, SMOOTH, OVER(1e-320, 300, BOTH_SIGNS))
    ONE(ERF, mpfr_erf, SMOOTH, OVER(-6.5, 6.5, EVEN))
    ONE(ERF, mpfr_erf, SMOOTH, OVER(-27.5, 27.5, EVEN))
    ONE(ERF, mpfr_erf, SMOOTH, OVER(-1, 1, EVEN))
    ONE(ERF, mpfr_erf, SMOOTH, OVER(1e-320, 10, BOTH_SIGNS))
    ONE(SIGMOID, exact_sigmoid, SMOOTH, OVER(-746, 746, EVEN))
    ONE(SIGMOID, exact_sigmoid, SMOOTH, OVER(-5, 5, EVEN))
    ONE(SIGMOID, exact_sigmoid, SMOOTH, OVER(1e-320, 100, BOTH_SIGNS))
    ONE(SOFTPLUS, exact_softplus, SMOOTH, OVER(-746, 750, EVEN))
    ONE(SOFTPLUS, exact_softplus, SMOOTH, OVER(-5, 5, EVEN))
    ONE(SOFTPLUS, exact_softplus, SMOOTH, OVER(1e-320, 10, BOTH_SIGNS))
    TWO(ADD, mpfr_add, SCALED, OVER(-9, 9, EVEN), OVER(-9, 9, EVEN))
    TWO(SUB, mpfr_sub, SCALED, OVER(-9, 9, EVEN), OVER(-9, 9, EVEN))
    TWO(MUL, mpfr_mul, SCALED, OVER(1e-150, 1e150, BOTH_SIGNS), OVER(1e-150, 1e150, BOTH_SIGNS))
    TWO(DIV, mpfr_div, SCALED, OVER(-9, 9, EVEN), OVER(-9, 9, EVEN))
    TWO(DIV, mpfr_div, SCALED, OVER(1e-300, 1e300, BOTH_SIGNS), OVER(1e-300, 1e300, BOTH_SIGNS))
    TWO(MAX, mpfr_max, SCALED, OVER(-9, 9, EVEN), OVER(-9, 9, EVEN))
    TWO(MIN, mpfr_min, SCALED, OVER(-9, 9, EVEN), OVER(-9, 9, EVEN))
    TWO(MOD, exact_mod, SCALED, OVER(-9, 9, EVEN), OVER(-2, 2, EVEN))
    TWO(MOD, exact_mod, SCALED, OVER(1e-10, 1e10, BOTH_SIGNS), OVER(1e-10, 1e10, BOTH_SIGNS))
    POWER_OF(OVER(1e-3, 1e3, MAGNITUDES), OVER(-100, 100, EVEN))
    POWER_OF(OVER(1e-3, 1e3, MAGNITUDES), OVER(-3, 3, EVEN))
    POWER_OF(OVER(0.9, 1.1, EVEN), OVER(-7000, 7000, EVEN))
    POWER_OF(OVER(0.9999999999999, 1.0000000000001, EVEN), OVER(1e10, 1e18, BOTH_SIGNS))
    POWER_OF(OVER(5e-324, 1.7e308, MAGNITUDES), OVER(-1, 1, EVEN))
    POWER_OF(OVER(1e-150, 1e150, MAGNITUDES), OVER(1e-300, 2, BOTH_SIGNS))
    POWER_OF(OVER(1e-10, 1e-9, MAGNITUDES), OVER(32, 35.6, EVEN))
    POWER_OF(OVER(1e10, 1.0001e10, EVEN), OVER(30.8, 30.83, EVEN))
    POWER_OF(OVER(1e-100, 1e100, BOTH_SIGNS), OVER(3, 3, EVEN))
    POWER_OF(OVER(1e-300, 1e300, BOTH_SIGNS), OVER(2, 2, EVEN))
    POWER_OF(OVER(1e-100, 1e100, BOTH_SIGNS), OVER(-3, -3, EVEN))
    POWER_OF(OVER(1e-5, 1e5, BOTH_SIGNS), OVER(63, 63, EVEN))
    POWER_OF(OVER(1e-30, 1e30, MAGNITUDES), OVER(-10, -10, EVEN))
    ANGLE_OF(OVER(-10, 10, EVEN), OVER(-10, 10, EVEN))
    ANGLE_OF(OVER(5e-324, 1e308, BOTH_SIGNS), OVER(5e-324, 1e308, BOTH_SIGNS))
    ANGLE_OF(OVER(5e-324, 1e-300, BOTH_SIGNS), OVER(1, 1e10, BOTH_SIGNS))
    ANGLE_OF(OVER(1e-172, 1e-168, BOTH_SIGNS), OVER(1e-172, 1e-168, BOTH_SIGNS))
    ANGLE_OF(OVER(1e150, 1e172, BOTH_SIGNS), OVER(1e150, 1e172, BOTH_SIGNS))
};
/* clang-format on */

const int n_rows = sizeof rows / sizeof *rows;

void exact_value(const Row *row, mpfr_t r, const mpfr_t x, const mpfr_t y)
{
    if (row->one)
        row->one(r, x, MPFR_RNDN);
    else
        row->two(r, x, y, MPFR_RNDN);
}

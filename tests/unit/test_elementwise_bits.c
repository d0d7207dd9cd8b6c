/* Elementwise kernels to the bit: the same at every instruction set, in every place of an array and
 * for a number; near the C library; right at the edges. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/elementwise/elementwise.h"
#include "array/elementwise/number.h"
#include "array/simd/simd.h"
#include "array_support.h"

enum { POINTS = 1 << 15 };

static const double edge[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    4.0,
    NAN,
    INFINITY,
    -INFINITY,
    5e-324,
    -5e-324,
    0x1p-1022,
    -0x1p-1022,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    709.782712893384,
    -745.1332191019411,
    710.4758600739439,
    709.0,
    1e-300,
    1e300,
    -1e300,
    1e22,
    0x1p53,
    0x1p52,
    0x1p-27,
    0x1p-54,
    36.7,
    -36.7,
    0.1,
    1e15,
    2147483648.5,
    0x1p63,
    1e-8,
    -1e-8,
};
enum { EDGES = sizeof edge / sizeof *edge };

static double random_bits(void)
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) bits = bits << 16 | (uint64_t)random_below(1 << 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Edges, all magnitudes and ordinary numbers, mixed. */
static double random_point(void)
{
    switch (random_below(8)) {
    case 0: return edge[random_below(EDGES)];
    case 1:
    case 2: return random_bits();
    case 3: return (double)(random_below(41) - 20);
    default: return ((double)random_below(1 << 30) / (1 << 29) - 1) * (double)random_below(800);
    }
}

static double *random_points(int64_t n)
{
    double *x = malloc((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++) x[i] = random_point();
    return x;
}

static bool same_bits(double x, double y)
{
    return (x != x && y != y) || memcmp(&x, &y, sizeof x) == 0;
}

/* ---- one result at every level ---- */

static int64_t width_of(Elementwise f, DType t)
{
    DType in[3] = {t, t, t};
    return (int64_t)dtype_size(elementwise_type(f, in));
}

static void fill_operand(void *to, DType t, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (t == DT_FLOAT) ((double *)to)[i] = random_point();
        if (t == DT_INT) ((int64_t *)to)[i] = random_below(2000) - 1000;
        if (t == DT_BOOL) ((bool *)to)[i] = random_below(2);
    }
}

static bool same_results(const void *x, const void *y, int64_t n, bool floats, int64_t width)
{
    if (!floats) return memcmp(x, y, (size_t)(n * width)) == 0;
    for (int64_t i = 0; i < n; i++) {
        if (!same_bits(((const double *)x)[i], ((const double *)y)[i])) return false;
    }
    return true;
}

static void compare_levels(Elementwise f, DType t, int64_t n)
{
    Loop plain = simd_loop(SIMD_SCALAR, f, t);
    void *in[3], *want = calloc((size_t)n, 8), *got = calloc((size_t)n, 8);
    for (int k = 0; k < 3; k++) {
        in[k] = malloc((size_t)n * 8);
        fill_operand(in[k], f == EW_WHERE && k == 2 ? DT_BOOL : t, n);
    }
    DType types[3] = {t, t, t};
    bool floats = elementwise_type(f, types) == DT_FLOAT;
    LoopStatus status = plain(in[0], in[1], in[2], want, n);
    for (int level = SIMD_AVX2; level < SIMD_LEVELS; level++) {
        if (!simd_supported((SimdLevel)level)) continue;
        Loop wide = simd_loop((SimdLevel)level, f, t);
        cr_expect_eq(wide(in[0], in[1], in[2], got, n), status);
        bool same = status != LOOP_OK || same_results(want, got, n, floats, width_of(f, t));
        cr_expect(same, "%s at level %d", elementwise_info[f].name, level);
    }
    for (int k = 0; k < 3; k++) free(in[k]);
    free(want);
    free(got);
}

Test(elementwise_bits, every_level_gives_the_same)
{
    random_start(21);
    simd_level();
    for (int f = 0; f < EW_COUNT; f++) {
        for (int t = DT_BOOL; t <= DT_FLOAT; t++) {
            if (!simd_loop(SIMD_SCALAR, (Elementwise)f, (DType)t)) continue;
            compare_levels((Elementwise)f, (DType)t, POINTS);
            for (int n = 1; n < 20; n++) compare_levels((Elementwise)f, (DType)t, n);
        }
    }
}

/* ---- comparisons ---- */

#define COMPARE_PAIRS(test, T, type, ...)                                                          \
    static void test(SimdLevel level)                                                              \
    {                                                                                              \
        static const T value[] = {__VA_ARGS__};                                                    \
        enum { N = sizeof value / sizeof *value, PAIRS = N * N };                                  \
        T x[PAIRS], y[PAIRS];                                                                      \
        for (int i = 0; i < PAIRS; i++) x[i] = value[i / N], y[i] = value[i % N];                  \
        for (int f = EW_EQ; f <= EW_GE; f++) {                                                     \
            bool out[PAIRS];                                                                       \
            simd_loop(level, (Elementwise)f, type)(x, y, NULL, out, PAIRS);                        \
            for (int i = 0; i < PAIRS; i++) {                                                      \
                const bool wanted[] = {x[i] == y[i], x[i] != y[i],                                 \
                                       x[i]<y[i], x[i] <= y[i], x[i]> y[i], x[i] >= y[i]};         \
                cr_expect(out[i] == wanted[f - EW_EQ], "%s at level %d, pair %d",                  \
                          elementwise_info[f].name, level, i);                                     \
            }                                                                                      \
        }                                                                                          \
    }

COMPARE_PAIRS(compare_floats, double, DT_FLOAT, NAN, -0.0, 0.0, 1, -1, INFINITY, -INFINITY)
COMPARE_PAIRS(compare_ints, int64_t, DT_INT, INT64_MIN, INT64_MAX, 0, -1, 1, 1LL << 32, 7)

Test(elementwise_bits, comparisons_of_every_pair)
{
    for (SimdLevel level = SIMD_SCALAR; level < SIMD_LEVELS; level++) {
        if (!simd_supported(level)) continue;
        compare_floats(level);
        compare_ints(level);
    }
}

/* ---- a number and an element of an array ---- */

static bool is_float_function(Elementwise f)
{
    DType floats[3] = {DT_FLOAT, DT_FLOAT, DT_FLOAT};
    bool has_loop = simd_loop(SIMD_SCALAR, f, DT_FLOAT) != NULL;
    return has_loop && elementwise_type(f, floats) == DT_FLOAT;
}

static void compare_number(Elementwise f, const double *x, const double *y)
{
    double *out = malloc(POINTS * sizeof *out);
    simd_loop(simd_level(), f, DT_FLOAT)(x, y, NULL, out, POINTS);
    for (int64_t i = 0; i < POINTS; i++) {
        double one = elementwise_number(f, x[i], y[i]);
        if (same_bits(one, out[i])) continue;
        cr_expect_fail("%s(%a, %a) is %a alone, %a in an array", elementwise_info[f].name, x[i],
                       y[i], one, out[i]);
        break;
    }
    free(out);
}

Test(elementwise_bits, a_number_is_an_element)
{
    random_start(22);
    double *x = random_points(POINTS), *y = random_points(POINTS);
    for (int f = 0; f < EW_WHERE; f++) {
        if (is_float_function((Elementwise)f)) compare_number((Elementwise)f, x, y);
    }
    free(x);
    free(y);
}

Test(elementwise_bits, a_constant_exponent_is_like_any_other)
{
    random_start(23);
    double *x = random_points(POINTS), *y = malloc(POINTS * sizeof *y);
    const double exponents[] = {0.0, -0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.5, 1.5, NAN};
    for (int k = 0; k < 10; k++) {
        for (int64_t i = 0; i < POINTS; i++) y[i] = exponents[k];
        compare_number(EW_POW, x, y);
    }
    free(x);
    free(y);
}

/* ---- against the C library ---- */

typedef struct {
    Elementwise f;
    double (*reference)(double);
} Pair;

static const Pair pair[] = {
    {EW_SQRT, sqrt}, {EW_EXP, exp},     {EW_EXPM1, expm1}, {EW_LOG, log},   {EW_LOG1P, log1p},
    {EW_LOG2, log2}, {EW_LOG10, log10}, {EW_SIN, sin},     {EW_COS, cos},   {EW_TAN, tan},
    {EW_ASIN, asin}, {EW_ACOS, acos},   {EW_ATAN, atan},   {EW_SINH, sinh}, {EW_COSH, cosh},
    {EW_TANH, tanh}, {EW_ERF, erf},
};

/* The C library itself is off by up to two or three units for the hyperbolic ones. */
static bool near(double x, double y)
{
    if (same_bits(x, y)) return true;
    if (!(fabs(x) < INFINITY && fabs(y) < INFINITY)) return false;
    return fabs(x - y) <= 4 * 0x1p-53 * fabs(y) + 0x1p-1074;
}

Test(elementwise_bits, near_the_c_library)
{
    random_start(24);
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        for (int i = 0; i < POINTS + EDGES; i++) {
            double x = i < EDGES ? edge[i] : random_point();
            double got = elementwise_number(pair[k].f, x, 0), want = pair[k].reference(x);
            cr_expect(near(got, want), "%s(%a) is %a, want %a", elementwise_info[pair[k].f].name, x,
                      got, want);
        }
    }
}

Test(elementwise_bits, powers_and_angles_near_the_c_library)
{
    for (int i = 0; i < EDGES; i++) {
        for (int j = 0; j < EDGES; j++) {
            double x = edge[i], y = edge[j];
            double got = elementwise_number(EW_POW, x, y), want = pow(x, y);
            cr_expect(near(got, want), "%a ** %a is %a, want %a", x, y, got, want);
            got = elementwise_number(EW_ATAN2, x, y);
            want = atan2(x, y);
            cr_expect(near(got, want), "atan2(%a, %a) is %a, want %a", x, y, got, want);
        }
    }
}

/* ---- exact values ---- */

static void expect1(Elementwise f, double x, double want)
{
    double got = elementwise_number(f, x, 0);
    cr_expect(same_bits(got, want), "%s(%a) is %a, want %a", elementwise_info[f].name, x, got,
              want);
}

static void expect2(Elementwise f, double x, double y, double want)
{
    double got = elementwise_number(f, x, y);
    cr_expect(same_bits(got, want), "%a %s %a is %a, want %a", x, elementwise_info[f].name, y, got,
              want);
}

Test(elementwise_bits, edges_of_the_functions)
{
    expect1(EW_EXP, 709.782712893384, 0x1.fffffffffff2ap1023);
    expect1(EW_EXP, 709.782712893385, INFINITY);
    expect1(EW_EXP, -745.2, 0.0);
    expect1(EW_EXPM1, -0.0, -0.0);
    expect1(EW_LOG, 0.0, -INFINITY);
    expect1(EW_LOG, -1.0, NAN);
    expect1(EW_LOG2, 0x1p-1074, -1074);
    expect1(EW_LOG1P, -1.0, -INFINITY);
    expect1(EW_LOG1P, 5e-324, 5e-324);
    expect1(EW_SIN, -0.0, -0.0);
    expect1(EW_TAN, 5e-324, 5e-324);
    expect1(EW_COS, INFINITY, NAN);
    expect1(EW_TANH, 1e300, 1.0);
    expect1(EW_ERF, -INFINITY, -1.0);
    expect1(EW_SIGMOID, 0.0, 0.5);
    expect1(EW_SIGMOID, 1000.0, 1.0);
    expect1(EW_SIGMOID, -1000.0, 0.0);
    expect1(EW_SOFTPLUS, 1000.0, 1000.0);
    expect1(EW_SOFTPLUS, -1000.0, 0.0);
    expect1(EW_SOFTPLUS, -INFINITY, 0.0);
    expect1(EW_SIGN, -0.0, -0.0);
    expect1(EW_SIGN, -3.0, -1.0);
}

Test(elementwise_bits, powers)
{
    expect2(EW_POW, NAN, 0.0, 1.0);
    expect2(EW_POW, -2.0, 3.0, -8.0);
    expect2(EW_POW, -2.0, 0.5, NAN);
    expect2(EW_POW, -0.0, 0.5, 0.0);
    expect2(EW_POW, -INFINITY, 0.5, INFINITY);
    expect2(EW_POW, 0.0, -1.0, INFINITY);
    expect2(EW_POW, -0.0, -1.0, -INFINITY);
    expect2(EW_POW, 1.0, NAN, 1.0);
    expect2(EW_POW, -1.0, INFINITY, 1.0);
    expect2(EW_POW, 0x1.fffffffffffffp1023, 1.0, 0x1.fffffffffffffp1023);
    expect2(EW_POW, 1e200, 3.0, INFINITY);
    expect2(EW_POW, 1e-200, 3.0, 0.0);
    expect2(EW_POW, 10.0, 2.0, 100.0);
}

Test(elementwise_bits, largest_smallest_and_zero)
{
    expect2(EW_MAX, 1.0, NAN, NAN);
    expect2(EW_MIN, NAN, 1.0, NAN);
    expect2(EW_MAX, -0.0, 0.0, 0.0);
    expect2(EW_MAX, 0.0, -0.0, 0.0);
    expect2(EW_MIN, -0.0, 0.0, -0.0);
    expect2(EW_MIN, 0.0, -0.0, -0.0);
    expect2(EW_MAX, -0.0, -0.0, -0.0);
    expect2(EW_MAX, INFINITY, INFINITY, INFINITY);
    expect2(EW_MUL_NO_NAN, 0.0, INFINITY, 0.0);
    expect2(EW_MUL_NO_NAN, NAN, -0.0, 0.0);
    expect2(EW_MUL_NO_NAN, NAN, 1.0, NAN);
    expect2(EW_MUL_NO_NAN, -2.0, 0.0, -0.0);
    expect2(EW_DIV_NO_NAN, 0.0, 0.0, 0.0);
    expect2(EW_DIV_NO_NAN, INFINITY, INFINITY, 0.0);
    expect2(EW_DIV_NO_NAN, NAN, INFINITY, 0.0);
    expect2(EW_DIV_NO_NAN, 1.0, 0.0, INFINITY);
}

/* As Python's // and %. */
Test(elementwise_bits, float_division_floors)
{
    expect2(EW_FLOORDIV, -7.0, 2.0, -4.0);
    expect2(EW_MOD, -7.0, 3.0, 2.0);
    expect2(EW_MOD, 7.0, -3.0, -2.0);
    expect2(EW_FLOORDIV, 0.0, 1.0, 0.0);
    expect2(EW_FLOORDIV, -0.0, 1.0, -0.0);
    expect2(EW_MOD, -0.0, 5.0, 0.0);
    expect2(EW_MOD, 6.0, -3.0, -0.0);
    expect2(EW_MOD, 1.0, 0.1, 0x1.9999999999996p-4);
    expect2(EW_FLOORDIV, 1.0, 0.1, 9.0);
    expect2(EW_FLOORDIV, -1.0, INFINITY, -1.0);
    expect2(EW_MOD, -1.0, INFINITY, INFINITY);
    expect2(EW_MOD, 1.0, INFINITY, 1.0);
    expect2(EW_FLOORDIV, 1.0, 0.0, INFINITY);
    expect2(EW_MOD, 1.0, 0.0, NAN);
    expect2(EW_MOD, 1e300, 7.0, 1.0);
    expect2(EW_MOD, 5e-324, -1e300, -1e300);
}

Test(elementwise_bits, remainder_is_exact)
{
    random_start(25);
    for (int i = 0; i < POINTS; i++) {
        double x = random_point(), y = random_point();
        double want = fmod(x, y), got = elementwise_number(EW_MOD, x, y);
        if (want == 0) {
            want = copysign(0, y);
        } else if ((want < 0) != (y < 0)) {
            want += y;
        }
        cr_expect(same_bits(got, want), "%a %% %a is %a, want %a", x, y, got, want);
    }
}

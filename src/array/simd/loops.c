/* Loops over contiguous runs whose bodies the compiler vectorises: arithmetic, comparisons,
 * conversions. Each LOOP row gives the loop's name, its types and its formula for one element. */
#include "array/simd/simd.h"

#include "array/elementwise/float_ops.h"
#include "array/simd/vec.h"

/* out may be an operand, element by element, so iterations never depend on one another. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitized loops stay scalar */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define LOOP_HEAD(name)                                                                            \
    static LoopStatus name(const void *px, const void *py, const void *pz, void *pout, int64_t n)

#define LOOP1(name, TX, TOUT, formula)                                                             \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const TX *xs = px;                                                                         \
        TOUT *out = pout;                                                                          \
        (void)py;                                                                                  \
        (void)pz;                                                                                  \
        INDEPENDENT for (int64_t i = 0; i < n; i++)                                                \
        {                                                                                          \
            TX x = xs[i];                                                                          \
            out[i] = formula;                                                                      \
        }                                                                                          \
        return LOOP_OK;                                                                            \
    }

#define LOOP2(name, T, TOUT, formula)                                                              \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const T *xs = px, *ys = py;                                                                \
        TOUT *out = pout;                                                                          \
        (void)pz;                                                                                  \
        INDEPENDENT for (int64_t i = 0; i < n; i++)                                                \
        {                                                                                          \
            T x = xs[i], y = ys[i];                                                                \
            out[i] = formula;                                                                      \
        }                                                                                          \
        return LOOP_OK;                                                                            \
    }

/* out = formula, while `bad`, an expression whose sign bit is set on overflow, is gathered over
 * the loop: no branch inside. */
#define LOOP2_SIGN_CHECKED(name, formula, bad)                                                     \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const int64_t *xs = px, *ys = py;                                                          \
        int64_t *out = pout, any = 0;                                                              \
        (void)pz;                                                                                  \
        INDEPENDENT for (int64_t i = 0; i < n; i++)                                                \
        {                                                                                          \
            int64_t x = xs[i], y = ys[i], r = (int64_t)(formula);                                  \
            any |= bad;                                                                            \
            out[i] = r;                                                                            \
        }                                                                                          \
        return any < 0 ? LOOP_OVERFLOW : LOOP_OK;                                                  \
    }

/* Stops at the first element for which status, which sets r, is not LOOP_OK. */
#define LOOP2_CHECKED(name, status)                                                                \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const int64_t *xs = px, *ys = py;                                                          \
        int64_t *out = pout;                                                                       \
        (void)pz;                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                          \
            LoopStatus s = status(xs[i], ys[i], out + i);                                          \
            if (s != LOOP_OK) return s;                                                            \
        }                                                                                          \
        return LOOP_OK;                                                                            \
    }

/* Floats rounded by `rounded` and turned into Ints. The range test is false for NaN; 2⁶³ is the
 * first Float that no longer fits. */
#define LOOP1_TO_INT(name, rounded)                                                                \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const double *xs = px;                                                                     \
        int64_t *out = pout;                                                                       \
        bool all = true;                                                                           \
        (void)py;                                                                                  \
        (void)pz;                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                          \
            double r = rounded(xs[i]);                                                             \
            bool fits = r >= -0x1p63 && r < 0x1p63;                                                \
            all &= fits;                                                                           \
            out[i] = fits ? (int64_t)r : 0;                                                        \
        }                                                                                          \
        return all ? LOOP_OK : LOOP_NO_INT;                                                        \
    }

#if defined(__AVX512F__)

/* Lane i of the masks as out[i]. */
VEC_INLINE void store_masks(bool *out, __mmask8 first, __mmask8 second)
{
    __m512i words = _mm512_maskz_set1_epi32(_mm512_kunpackb(second, first), 1);
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_cvtepi32_epi8(words));
}

/* With masks, which are made into bytes sixteen at a time; the compiler narrows words in steps. */
#define COMPARE_BY_MASKS(name, T, op, mask_of)                                                     \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const T *x = px, *y = py;                                                                  \
        bool *out = pout;                                                                          \
        int64_t i = 0;                                                                             \
        (void)pz;                                                                                  \
        for (; i + 16 <= n; i += 16) {                                                             \
            store_masks(out + i, mask_of(x + i, y + i), mask_of(x + i + 8, y + i + 8));            \
        }                                                                                          \
        for (; i < n; i++) out[i] = x[i] op y[i];                                                  \
        return LOOP_OK;                                                                            \
    }

#define COMPARE(name, op, float_predicate, int_predicate)                                          \
    VEC_INLINE __mmask8 name##_float_mask(const double *x, const double *y)                        \
    {                                                                                              \
        return _mm512_cmp_pd_mask(vec_load(x), vec_load(y), _CMP_##float_predicate);               \
    }                                                                                              \
    VEC_INLINE __mmask8 name##_int_mask(const int64_t *x, const int64_t *y)                        \
    {                                                                                              \
        __m512i a = _mm512_loadu_si512(x), b = _mm512_loadu_si512(y);                              \
        return _mm512_cmp_epi64_mask(a, b, _MM_CMPINT_##int_predicate);                            \
    }                                                                                              \
    COMPARE_BY_MASKS(name##_float, double, op, name##_float_mask)                                  \
    COMPARE_BY_MASKS(name##_int, int64_t, op, name##_int_mask)

#else

#define COMPARE(name, op, float_predicate, int_predicate)                                          \
    LOOP2(name##_float, double, bool, x op y)                                                      \
    LOOP2(name##_int, int64_t, bool, x op y)

#endif

static LoopStatus multiply(int64_t x, int64_t y, int64_t *r)
{
    return __builtin_mul_overflow(x, y, r) ? LOOP_OVERFLOW : LOOP_OK;
}

static LoopStatus floor_divide(int64_t x, int64_t y, int64_t *r)
{
    if (y == 0) return LOOP_ZERO_DIVISION;
    if (y == -1) return __builtin_sub_overflow(0, x, r) ? LOOP_OVERFLOW : LOOP_OK;
    int64_t q = x / y;
    *r = q - ((x % y != 0) & ((x ^ y) < 0));
    return LOOP_OK;
}

static LoopStatus floor_remainder(int64_t x, int64_t y, int64_t *r)
{
    if (y == 0) return LOOP_ZERO_DIVISION;
    int64_t rest = y == -1 ? 0 : x % y; /* INT64_MIN % −1 traps on x86 */
    *r = rest != 0 && (rest ^ y) < 0 ? rest + y : rest;
    return LOOP_OK;
}

/* By squaring; y ≥ 0. The last square is left out, since it may overflow without being used. */
static LoopStatus power(int64_t x, int64_t y, int64_t *r)
{
    int64_t product = 1;
    bool over = false;
    while (y > 0) {
        if (y & 1) over |= __builtin_mul_overflow(product, x, &product);
        y >>= 1;
        if (y > 0) over |= __builtin_mul_overflow(x, x, &x);
        if (over) return LOOP_OVERFLOW;
    }
    *r = product;
    return LOOP_OK;
}

static LoopStatus negate(int64_t x, int64_t unused, int64_t *r)
{
    (void)unused;
    return __builtin_sub_overflow(0, x, r) ? LOOP_OVERFLOW : LOOP_OK;
}

static LoopStatus magnitude(int64_t x, int64_t unused, int64_t *r)
{
    return x < 0 ? negate(x, unused, r) : (*r = x, LOOP_OK);
}

/* One operand, through the two-operand form. */
#define LOOP1_CHECKED(name, status)                                                                \
    LOOP2_CHECKED(name##_pair, status)                                                             \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        (void)py;                                                                                  \
        return name##_pair(px, px, pz, pout, n);                                                   \
    }

LOOP1(sqrt_float, double, double, sqrt(x))
LOOP1(neg_float, double, double, -x)
LOOP1(abs_float, double, double, fabs(x))
LOOP1(sign_float, double, double, float_sign(x))
LOOP1(copy_float, double, double, x)
LOOP1_CHECKED(neg_int, negate)
LOOP1_CHECKED(abs_int, magnitude)
LOOP1(sign_int, int64_t, int64_t, (x > 0) - (x < 0))
LOOP1(copy_int, int64_t, int64_t, x)

LOOP1_TO_INT(floor_float, floor)
LOOP1_TO_INT(ceil_float, ceil)
LOOP1_TO_INT(round_float, nearbyint)
LOOP1_TO_INT(trunc_float, trunc)

LOOP1(isnan_float, double, bool, x != x)
LOOP1(isinf_float, double, bool, fabs(x) == INFINITY)
LOOP1(isfinite_float, double, bool, fabs(x) < INFINITY)
LOOP1(not_bool, uint8_t, uint8_t, x ^ 1)
LOOP1(not_int, int64_t, int64_t, ~x)

LOOP1(bool_to_float, bool, double, x)
LOOP1(int_to_float, int64_t, double, (double)x)
LOOP1(bool_to_int, bool, int64_t, x)
LOOP1(copy_bool, bool, bool, x)
LOOP1(int_to_bool, int64_t, bool, x != 0)
LOOP1(float_to_bool, double, bool, x != 0)

LOOP2(add_float, double, double, x + y)
LOOP2(sub_float, double, double, x - y)
LOOP2(mul_float, double, double, x *y)
LOOP2(div_float, double, double, x / y)
LOOP2(floordiv_float, double, double, float_floordiv(x, y))
LOOP2(mod_float, double, double, float_mod(x, y))
LOOP2(max_float, double, double, float_max(x, y))
LOOP2(min_float, double, double, float_min(x, y))
LOOP2(mul_no_nan_float, double, double, float_mul_no_nan(x, y))
LOOP2(div_no_nan_float, double, double, float_div_no_nan(x, y))

LOOP2_SIGN_CHECKED(add_int, (uint64_t)x + (uint64_t)y, (x ^ r) & (y ^ r))
LOOP2_SIGN_CHECKED(sub_int, (uint64_t)x - (uint64_t)y, (x ^ y) & (x ^ r))
LOOP2_CHECKED(mul_int, multiply)
LOOP2_CHECKED(floordiv_int, floor_divide)
LOOP2_CHECKED(mod_int, floor_remainder)
LOOP2_CHECKED(pow_int, power)
LOOP2(max_int, int64_t, int64_t, x > y ? x : y)
LOOP2(min_int, int64_t, int64_t, x < y ? x : y)

COMPARE(eq, ==, EQ_OQ, EQ)
COMPARE(ne, !=, NEQ_UQ, NE)
COMPARE(lt, <, LT_OQ, LT)
COMPARE(le, <=, LE_OQ, LE)
COMPARE(gt, >, GT_OQ, NLE)
COMPARE(ge, >=, GE_OQ, NLT)

LOOP2(and_bool, bool, bool, x &y)
LOOP2(or_bool, bool, bool, x | y)
LOOP2(and_int, int64_t, int64_t, x &y)
LOOP2(or_int, int64_t, int64_t, x | y)

LOOP_HEAD(where_bool)
{
    const bool *condition = px, *xs = py, *ys = pz;
    bool *out = pout;
    INDEPENDENT for (int64_t i = 0; i < n; i++)
    {
        out[i] = (condition[i] & xs[i]) | (!condition[i] & ys[i]);
    }
    return LOOP_OK;
}

/* Elements of eight bytes, whether Int or Float, are only moved. */
LOOP_HEAD(where_word)
{
    const bool *condition = px;
    const double *xs = py, *ys = pz;
    double *out = pout;
    int64_t i = 0;
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH) {
        Vec x = vec_load(xs + i), y = vec_load(ys + i);
        vec_store(out + i, vec_select(vec_truth(condition + i), x, y));
    }
    for (; i < n; i++) memcpy(out + i, condition[i] ? xs + i : ys + i, sizeof *out);
    return LOOP_OK;
}

/* By the operands' common type; a type without a loop is promoted to the next one. */
const Loop SIMD_NAME(simd_loops)[EW_COUNT][3] = {
    [EW_SQRT] = {NULL, NULL, sqrt_float},
    [EW_NEG] = {NULL, neg_int, neg_float},
    [EW_ABS] = {NULL, abs_int, abs_float},
    [EW_SIGN] = {NULL, sign_int, sign_float},
    [EW_POS] = {NULL, copy_int, copy_float},
    [EW_FLOOR] = {NULL, copy_int, floor_float},
    [EW_CEIL] = {NULL, copy_int, ceil_float},
    [EW_ROUND] = {NULL, copy_int, round_float},
    [EW_TRUNC] = {NULL, copy_int, trunc_float},
    [EW_ISNAN] = {NULL, NULL, isnan_float},
    [EW_ISINF] = {NULL, NULL, isinf_float},
    [EW_ISFINITE] = {NULL, NULL, isfinite_float},
    [EW_NOT] = {not_bool, not_int, NULL},
    [EW_TO_FLOAT] = {bool_to_float, int_to_float, copy_float},
    [EW_TO_INT] = {bool_to_int, copy_int, trunc_float},
    [EW_TO_BOOL] = {copy_bool, int_to_bool, float_to_bool},
    [EW_ADD] = {NULL, add_int, add_float},
    [EW_SUB] = {NULL, sub_int, sub_float},
    [EW_MUL] = {NULL, mul_int, mul_float},
    [EW_FLOORDIV] = {NULL, floordiv_int, floordiv_float},
    [EW_MOD] = {NULL, mod_int, mod_float},
    [EW_MAX] = {or_bool, max_int, max_float},
    [EW_MIN] = {and_bool, min_int, min_float},
    [EW_DIV] = {NULL, NULL, div_float},
    [EW_POW] = {NULL, pow_int, NULL},
    [EW_MUL_NO_NAN] = {NULL, NULL, mul_no_nan_float},
    [EW_DIV_NO_NAN] = {NULL, NULL, div_no_nan_float},
    [EW_EQ] = {NULL, eq_int, eq_float},
    [EW_NE] = {NULL, ne_int, ne_float},
    [EW_LT] = {NULL, lt_int, lt_float},
    [EW_LE] = {NULL, le_int, le_float},
    [EW_GT] = {NULL, gt_int, gt_float},
    [EW_GE] = {NULL, ge_int, ge_float},
    [EW_AND] = {and_bool, and_int, NULL},
    [EW_OR] = {or_bool, or_int, NULL},
    [EW_WHERE] = {where_bool, where_word, where_word},
};

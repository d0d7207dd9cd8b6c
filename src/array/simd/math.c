/* Elementary functions, a vector at a time, tails padded to a full vector; a number is the first
 * lane of a vector. The functions are SLEEF's deterministic ones of at most 1 unit in the last
 * place, which give the same bits at every width, with the lanes near their edges put right. */
#include "array/simd/slopes.h"

/* r with the lanes in `bits` replaced by f of x's and y's. */
static Vec replace_lanes(Vec r, unsigned bits, double (*f)(double, double), Vec x, Vec y)
{
    double lane[VEC_WIDTH], first[VEC_WIDTH], second[VEC_WIDTH];
    vec_store(lane, r);
    vec_store(first, x);
    vec_store(second, y);
    for (int i = 0; i < VEC_WIDTH; i++) {
        if (bits >> i & 1) lane[i] = f(first[i], second[i]);
    }
    return vec_load(lane);
}

#if defined(VIV_HAVE_SLEEF)
#if !defined(FP_FAST_FMA)
#define FP_FAST_FMA /* asks the header for the scalar functions with fused multiply-add */
#endif
#include <sleef.h>
#if defined(__AVX512F__)
#define SLEEF1(f, x) Sleef_finz_##f##d8_u10avx512f(x)
#define SLEEF2(f, x, y) Sleef_finz_##f##d8_u10avx512f(x, y)
#elif defined(__AVX2__)
#define SLEEF1(f, x) Sleef_finz_##f##d4_u10avx2(x)
#define SLEEF2(f, x, y) Sleef_finz_##f##d4_u10avx2(x, y)
#else
#define SLEEF1(f, x)                                                                               \
    (simd_has_fma ? Sleef_finz_##f##d1_u10purecfma(x) : Sleef_cinz_##f##d1_u10purec(x))
#define SLEEF2(f, x, y)                                                                            \
    (simd_has_fma ? Sleef_finz_##f##d1_u10purecfma(x, y) : Sleef_cinz_##f##d1_u10purec(x, y))
#endif
#else
/* The C library, lane by lane. */
VEC_INLINE Vec each_lane1(double (*f)(double), Vec x)
{
    double lane[VEC_WIDTH];
    vec_store(lane, x);
    for (int i = 0; i < VEC_WIDTH; i++) lane[i] = f(lane[i]);
    return vec_load(lane);
}
#define SLEEF1(f, x) each_lane1(f, x)
#define SLEEF2(f, x, y) replace_lanes(x, VEC_ALL, f, x, y)
#endif

/* Whether the mask has any lane, which it hardly ever has. */
#define RARE(mask) __builtin_expect(vec_bits(mask) != 0, 0)

/* ---- the functions on a vector ---- */

VEC_INLINE Vec exp_vec(Vec x)
{
    Vec k;
    Pair e = exp_pair(x, &k);
    return scale(e.high, k);
}

/* e^−|x|, which never overflows. */
VEC_INLINE Pair exp_below(Vec x)
{
    Vec k;
    Pair e = exp_pair(-vec_abs(x), &k);
    return (Pair){scale(e.high, k), scale(e.low, k)};
}

/* 1 + e for |e| ≤ 1. */
VEC_INLINE Pair one_plus(Pair e)
{
    Pair sum = pair_fast_sum(vec_of(1), e.high);
    return (Pair){sum.high, sum.low + e.low};
}

/* 1/(1 + e^−x), for negative x as e^x/(1 + e^x). */
VEC_INLINE Vec sigmoid_vec(Vec x)
{
    Pair e = exp_below(x), one = {vec_of(1), vec_of(0)};
    Pair top = pair_select(vec_less(x, vec_of(0)), e, one);
    return pair_quotient(top, one_plus(e)).high;
}

/* log(1 + e^x) as max(x, 0) + log(1 + e^−|x|). */
VEC_INLINE Vec softplus_vec(Vec x)
{
    Vec positive = vec_select(vec_less(x, vec_of(0)), vec_of(0), x);
    Pair e = exp_below(x), log = log_pair(one_plus(e));
    Pair sum = pair_sum(positive, log.high);
    Vec r = sum.high + (sum.low + log.low);
    r = vec_select(vec_less(x, vec_of(-40)), e.high, r); /* e^x may have no low part there */
    return vec_select(vec_equal(x, vec_of(INFINITY)), x, r);
}

VEC_INLINE Vec log_vec(Vec x)
{
    return SLEEF1(log, x);
}

VEC_INLINE Vec log1p_vec(Vec x)
{
    Vec r = vec_select(vec_less(vec_abs(x), vec_of(1e-300)), x, SLEEF1(log1p, x));
    VecMask large = vec_less(vec_of(1e300), x);
    return RARE(large) ? vec_select(large, log_vec(x), r) : r;
}

/* r, but x itself where f(x) = x + O(x³) rounds to it. */
VEC_INLINE Vec or_tiny(Vec r, Vec x)
{
    return vec_select(vec_less(vec_abs(x), vec_of(0x1p-28)), x, r);
}

VEC_INLINE Vec tan_vec(Vec x)
{
    return or_tiny(SLEEF1(tan, x), x);
}

VEC_INLINE Vec tanh_vec(Vec x)
{
    return or_tiny(SLEEF1(tanh, x), x);
}

/* r, but e^|x|/2 with x's sign if f is odd where x is large: there the hyperbolic functions are
 * that. */
VEC_INLINE Vec or_large(Vec r, Vec x, bool is_odd)
{
    Vec k, size = vec_abs(x);
    VecMask large = vec_less(vec_of(709), size);
    if (!RARE(large)) return r;
    Pair e = exp_pair(size, &k);
    Vec half = scale(e.high, k - vec_of(1));
    if (is_odd) half = vec_select(vec_less(x, vec_of(0)), -half, half);
    return vec_select(large, half, r);
}

VEC_INLINE Vec sinh_vec(Vec x)
{
    return or_large(or_tiny(SLEEF1(sinh, x), x), x, true);
}

VEC_INLINE Vec cosh_vec(Vec x)
{
    return or_large(SLEEF1(cosh, x), x, false);
}

#define PLAIN(f)                                                                                   \
    VEC_INLINE Vec f##_vec(Vec x)                                                                  \
    {                                                                                              \
        return SLEEF1(f, x);                                                                       \
    }
PLAIN(expm1)
PLAIN(log2)
PLAIN(log10)
PLAIN(sin)
PLAIN(cos)
PLAIN(asin)
PLAIN(acos)
PLAIN(atan)
PLAIN(erf)

VEC_INLINE Vec atan2_vec(Vec y, Vec x)
{
    return SLEEF2(atan2, y, x);
}

/* ---- powers ---- */

enum { MOST_EXPONENT = 64 };

VEC_INLINE Vec or_by_number(Vec r, VecMask m, double (*f)(double, double), Vec x, Vec y)
{
    return RARE(m) ? replace_lanes(r, vec_bits(m), f, x, y) : r;
}

VEC_INLINE Vec general_power(Vec x, Vec y)
{
    Vec r = SLEEF2(pow, x, y), infinity = vec_of(INFINITY), size = vec_abs(x);
    VecMask finite = vec_less(size, infinity) & vec_less(vec_abs(y), infinity);
    VecMask early = finite & vec_equal(vec_abs(r), infinity) & vec_less(vec_of(0), size);
    return or_by_number(r, early, pow, x, y); /* SLEEF overflows a little early */
}

/* x to the integer |y| ≤ MOST_EXPONENT by squaring pairs, so that it is rounded once: within 0.51
 * units in the last place. Where 10 ** −5 is not the nearest Float to 1e-5, programs that print it
 * look wrong. */
VEC_INLINE Vec integer_power(Vec x, Vec y)
{
    Vec zero = vec_of(0), half = vec_of(0.5), one = vec_of(1);
    Pair base = {x, zero}, r = {one, zero};
    Vec left = vec_abs(y);
    while (vec_bits(vec_less(zero, left))) {
        Vec rest = vec_round(left * half - vec_of(0.25)); /* ⌊left/2⌋ */
        r = pair_select(vec_less(rest * vec_of(2), left), pair_product(r, base), r);
        if (vec_bits(vec_less(zero, rest))) base = pair_product(base, base);
        left = rest;
    }
    VecMask negative = vec_less(y, zero);
    if (!vec_bits(negative)) return r.high;
    return vec_select(negative, pair_quotient((Pair){one, zero}, r).high, r.high);
}

VEC_INLINE VecMask integer_lanes(Vec y)
{
    return vec_equal(vec_round(y), y) & vec_less(vec_abs(y), vec_of(MOST_EXPONENT + 1));
}

/* Lanes where no power has come near the ends of the range, where the low parts vanish. */
VEC_INLINE VecMask safe_lanes(Vec r)
{
    Vec size = vec_abs(r);
    return vec_less(vec_of(1e-280), size) & vec_less(size, vec_of(1e280));
}

/* √x by pow's rules: pow(−0, ½) is 0 and pow(−∞, ½) is ∞. */
static double root(double x)
{
    return x == -INFINITY ? INFINITY : sqrt(x + 0.0);
}

/* Exponents of one operation. A number whose exponent is one of these takes this way wherever it
 * stands, so that the bits do not depend on its neighbours. */
static bool is_simple(double y)
{
    return y == 0 || y == 1 || y == 2 || y == -1 || y == 0.5;
}

static double simple_power(double x, double y)
{
    if (y == 0) return 1;
    if (y == 1) return x;
    if (y == 2) return x * x;
    return y == -1 ? 1 / x : root(x);
}

VEC_INLINE Vec pow_vec(Vec x, Vec y)
{
    VecMask done = integer_lanes(y);
    Vec r = x;
    if (vec_bits(done)) {
        r = integer_power(x, vec_select(done, y, vec_of(0)));
        done = done & safe_lanes(r);
    }
    if (vec_bits(done) != VEC_ALL) r = vec_select(done, r, general_power(x, y));
    VecMask simple = vec_equal(y, vec_of(0)) | vec_equal(y, vec_of(0.5)) |
                     vec_equal(vec_abs(y), vec_of(1)) | vec_equal(y, vec_of(2));
    return or_by_number(r, simple, simple_power, x, y);
}

/* x^(y − less) for a small integer, for derivative rules: y − less is rounded, and what is lost is made
 * good by x^lost = 1 + lost log|x|. Where an odd integer is lost, x's sign is, too. */
VEC_INLINE Vec pow_less(Vec x, Pair exponent)
{
    Vec r = pow_vec(x, exponent.high), size = vec_abs(x), zero = vec_of(0), most = vec_of(INFINITY);
    VecMask lost = vec_less(zero, vec_abs(exponent.low)) & vec_less(zero, size) &
                   vec_less(size, most) & vec_less(vec_abs(r), most);
    if (!vec_bits(lost)) return r;
    Vec better = vec_fma(r, exponent.low * log_vec(size), r);
    VecMask odd = vec_less(x, zero) & vec_equal(vec_abs(exponent.low), vec_of(1));
    return vec_select(lost, vec_select(odd, -better, better), r);
}

/* Whether y − less is rounded. */
static inline bool is_lost(double y, double less)
{
    double difference = y - less, part = difference - y;
    return (y - (difference - part)) - (less + part) != 0;
}

VEC_INLINE Vec pow_less_1_vec(Vec x, Vec y)
{
    return pow_less(x, pair_sum(y, vec_of(-1)));
}

VEC_INLINE Vec pow_less_2_vec(Vec x, Vec y)
{
    return pow_less(x, pair_sum(y, vec_of(-2)));
}

/* ---- loops and numbers ---- */

/* f's second operand may be y or, where it has one operand, anything. */
VEC_INLINE LoopStatus run(Vec (*f)(Vec, Vec), const double *x, const double *y, double *out,
                          int64_t n)
{
    int64_t i = 0;
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH) {
        vec_store(out + i, f(vec_load(x + i), vec_load(y + i)));
    }
    int left = (int)(n - i);
    if (left > 0)
        vec_store_part(out + i, f(vec_load_part(x + i, left), vec_load_part(y + i, left)), left);
    return LOOP_OK;
}

static bool all_equal(const double *y, int64_t n)
{
    int different = 0;
    for (int64_t i = 0; i < n; i++) different |= y[i] != y[0];
    return !different;
}

/* x to the simple power y, n times. */
static void simple_power_loop(const double *x, double y, double *out, int64_t n)
{
    if (y == 2) {
        for (int64_t i = 0; i < n; i++) out[i] = x[i] * x[i];
    } else if (y == 0.5) {
        for (int64_t i = 0; i < n; i++) out[i] = root(x[i]);
    } else if (y == -1) {
        for (int64_t i = 0; i < n; i++) out[i] = 1 / x[i];
    } else {
        for (int64_t i = 0; i < n; i++) out[i] = y == 0 ? 1 : x[i];
    }
}

enum { POW_BLOCK = 256 };

/* x^(y − less): of one block, whose exponents are often the same simple one. */
VEC_INLINE void power_block(Vec (*f)(Vec, Vec), double less, const double *x, const double *y,
                            double *out, int64_t n)
{
    double lower[POW_BLOCK];
    int lost = is_lost(y[0], less);
    bool alike = all_equal(y, n);
    if (alike && !lost && is_simple(y[0] - less)) {
        simple_power_loop(x, y[0] - less, out, n);
        return;
    }
    for (int64_t i = 0; i < n && !alike; i++) lost |= is_lost(y[i], less);
    if (lost || less == 0) {
        run(f, x, y, out, n);
        return;
    }
    for (int64_t i = 0; i < n; i++) lower[i] = y[i] - less;
    run(pow_vec, x, lower, out, n);
}

#define POWER(f, less)                                                                             \
    static LoopStatus f##_loop(const void *px, const void *py, const void *pz, void *out,          \
                               int64_t n)                                                          \
    {                                                                                              \
        (void)pz;                                                                                  \
        for (int64_t i = 0; i < n; i += POW_BLOCK) {                                               \
            const double *x = (const double *)px + i, *y = (const double *)py + i;                 \
            power_block(f##_vec, less, x, y, (double *)out + i,                                    \
                        n - i < POW_BLOCK ? n - i : POW_BLOCK);                                    \
        }                                                                                          \
        return LOOP_OK;                                                                            \
    }                                                                                              \
    static double f##_number(double x, double y)                                                   \
    {                                                                                              \
        bool simple = !is_lost(y, less) && is_simple(y - less);                                    \
        return simple ? simple_power(x, y - less) : vec_first(f##_vec(vec_of(x), vec_of(y)));      \
    }

POWER(pow, 0)
POWER(pow_less_1, 1)
POWER(pow_less_2, 2)

#define APPLY1(f, x, y) ((void)(y), f##_vec(x))
#define APPLY2(f, x, y) f##_vec(x, y)

#define MAKE_NONE(f, arity)
#define MAKE_FORMULA(f, arity)
#define MAKE_WHOLE(f, arity)
#define MAKE_COMPARED(f, arity)
#define MAKE_CHOSEN(f, arity)
#define MAKE_LOOPED(f, arity)
#define MAKE_LIBRARY(f, arity)                                                                     \
    VEC_INLINE Vec f##_of(Vec x, Vec y)                                                            \
    {                                                                                              \
        return APPLY##arity(f, x, y);                                                              \
    }                                                                                              \
    static LoopStatus f##_loop(const void *x, const void *y, const void *z, void *out, int64_t n)  \
    {                                                                                              \
        (void)z;                                                                                   \
        return run(f##_of, x, y ? y : x, out, n);                                                  \
    }                                                                                              \
    static double f##_number(double x, double y)                                                   \
    {                                                                                              \
        return vec_first(f##_of(vec_of(x), vec_of(y)));                                            \
    }

#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    MAKE_##FLOAT(f, arity)
#include "array/elementwise/functions.h"
#undef FUNCTION

#define ENTRY_NONE(id, f, what)
#define ENTRY_FORMULA(id, f, what)
#define ENTRY_WHOLE(id, f, what)
#define ENTRY_COMPARED(id, f, what)
#define ENTRY_CHOSEN(id, f, what)
#define ENTRY_LIBRARY(id, f, what) [EW_##id] = f##what,
#define ENTRY_LOOPED ENTRY_LIBRARY

#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    ENTRY_##FLOAT(id, f, _loop)
const Loop SIMD_NAME(simd_math_loops)[EW_COUNT] = {
#include "array/elementwise/functions.h"
};
#undef FUNCTION

#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    ENTRY_##FLOAT(id, f, _number)
const SimdNumbers SIMD_NAME(simd_math_numbers) = {{
#include "array/elementwise/functions.h"
}};
#undef FUNCTION

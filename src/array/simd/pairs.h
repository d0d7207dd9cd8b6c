/* Unevaluated sums of two Floats, vector-wide: what an elementary function needs inside to be
 * rounded only once, at its end. After Dekker (1971), Knuth and Shewchuk; the argument reductions
 * are those of fdlibm's e_exp.c and e_log.c (Sun Microsystems 1993). */
#ifndef ARRAY_SIMD_PAIRS_H
#define ARRAY_SIMD_PAIRS_H

#include "array/simd/vec.h"

typedef struct {
    Vec high, low;
} Pair;

/* x + y exactly, for |x| ≥ |y| or x = 0. */
VEC_INLINE Pair pair_fast_sum(Vec x, Vec y)
{
    Vec sum = x + y;
    return (Pair){sum, y - (sum - x)};
}

/* x + y exactly. */
VEC_INLINE Pair pair_sum(Vec x, Vec y)
{
    Vec sum = x + y, part = sum - x;
    return (Pair){sum, (x - (sum - part)) + (y - part)};
}

VEC_INLINE Pair pair_product(Pair x, Pair y)
{
    Vec high = x.high * y.high;
    Vec low = vec_fma(x.high, y.high, -high) + vec_fma(x.high, y.low, x.low * y.high);
    return pair_fast_sum(high, low);
}

/* By the reciprocal, whose error the remainder makes good: one division. */
VEC_INLINE Pair pair_quotient(Pair x, Pair y)
{
    Vec reciprocal = vec_of(1) / y.high, high = x.high * reciprocal;
    Vec rest = vec_fma(-high, y.high, x.high) + vec_fma(-high, y.low, x.low);
    return pair_fast_sum(high, rest * reciprocal);
}

VEC_INLINE Pair pair_select(VecMask m, Pair yes, Pair no)
{
    return (Pair){vec_select(m, yes.high, no.high), vec_select(m, yes.low, no.low)};
}

/* Σ c[k] xᵏ, k < n: even and odd powers apart, which halves the chain. */
VEC_INLINE Vec polynomial(const double *c, int n, Vec x)
{
    Vec square = x * x, part[2];
    for (int k = n - 1; k >= 0; k--)
        part[k % 2] = k < n - 2 ? vec_fma(part[k % 2], square, vec_of(c[k])) : vec_of(c[k]);
    return vec_fma(part[1], x, part[0]);
}

/* ---- exp ---- */

/* Σ rⁿ/(n+3)!, n = 0 … 11. */
VEC_INLINE Vec exp_tail(Vec r)
{
    static const double one_over_factorial[] = {
        1 / 6.0,        1 / 24.0,        1 / 120.0,        1 / 720.0,
        1 / 5040.0,     1 / 40320.0,     1 / 362880.0,     1 / 3628800.0,
        1 / 39916800.0, 1 / 479001600.0, 1 / 6227020800.0, 1 / 87178291200.0,
    };
    return polynomial(one_over_factorial, 12, r);
}

/* e^x = pair · 2^*k. x is cut to −746 … 711, where e^x is 0 and infinite. */
VEC_INLINE Pair exp_pair(Vec x, Vec *k)
{
    x = vec_select(vec_less(vec_of(711), x), vec_of(711), x);
    x = vec_select(vec_less(x, vec_of(-746)), vec_of(-746), x);
    *k = vec_round(x * vec_of(0x1.71547652b82fep0)); /* 1/ln 2 */
    Vec ln2_low = vec_of(0x1.a39ef35793c76p-33);
    Vec near = vec_fma(-*k, vec_of(0x1.62e42feep-1), x); /* exact: ln 2 in 32 bits */
    Vec r = vec_fma(-*k, ln2_low, near);
    Vec r_low = vec_fma(-*k, ln2_low, near - r);
    Vec square = r * r, square_low = vec_fma(r, r, -square);
    Vec half = vec_of(0.5);
    Vec low = vec_fma(r_low, r, r_low);
    low = vec_fma(square_low, half, low);
    low = vec_fma(square * r, exp_tail(r), low);
    Pair one = pair_fast_sum(vec_of(1), r), two = pair_fast_sum(one.high, square * half);
    return pair_fast_sum(two.high, (one.low + two.low) + low);
}

/* x · 2^k, rounded once: the first factor leaves x normal. */
VEC_INLINE Vec scale(Vec x, Vec k)
{
    Vec half = vec_round(k * vec_of(0.5));
    return x * vec_power_of_two(half) * vec_power_of_two(k - half);
}

/* ---- log ---- */

/* Σ zⁿ/(2n+3), n = 0 … 10. */
VEC_INLINE Vec log_tail(Vec z)
{
    static const double one_over_odd[] = {
        1 / 3.0,  1 / 5.0,  1 / 7.0,  1 / 9.0,  1 / 11.0, 1 / 13.0,
        1 / 15.0, 1 / 17.0, 1 / 19.0, 1 / 21.0, 1 / 23.0,
    };
    return polynomial(one_over_odd, 11, z);
}

/* log d for 1 ≤ d ≤ 2, as log m or log m + ln 2 with m near 1; log m = 2 artanh((m − 1)/(m + 1)).
 */
VEC_INLINE Pair log_pair(Pair d)
{
    VecMask large = vec_less(vec_of(1.4142135623730951), d.high);
    Vec by = vec_select(large, vec_of(0.5), vec_of(1));
    Vec zero = vec_of(0);
    Pair f = {d.high * by - vec_of(1), d.low * by};
    Pair below = pair_fast_sum(vec_of(2), f.high);
    below.low = below.low + f.low;
    Pair s = pair_quotient(f, below);
    Vec z = s.high * s.high;
    Vec low = vec_select(large, vec_of(0x1.abc9e3b39803fp-56), zero);
    low = vec_fma(s.low, vec_of(2), low);
    low = vec_fma(s.high * z * vec_of(2), log_tail(z), low);
    Vec ln2 = vec_select(large, vec_of(0x1.62e42fefa39efp-1), zero);
    Pair sum = pair_fast_sum(ln2, s.high * vec_of(2));
    return pair_fast_sum(sum.high, sum.low + low);
}

#endif

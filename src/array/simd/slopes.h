/* Functions that derivative rules need because no product of others keeps their digits: within 0.6
 * units in the last place, and such that their own derivatives are products of them. */
#ifndef ARRAY_SIMD_SLOPES_H
#define ARRAY_SIMD_SLOPES_H

#include "array/simd/pairs.h"

/* 1/cosh² x = 4 e/(1 + e)² with e = e^−2|x|. */
VEC_INLINE Vec sech_squared_vec(Vec x)
{
    Vec k, two = vec_of(2), quarter = vec_of(0.25);
    Pair e = exp_pair(vec_abs(x) * vec_of(-2), &k);
    Pair top = {scale(e.high, k + two), scale(e.low, k + two)};
    Pair below = pair_fast_sum(vec_of(1), top.high * quarter);
    below.low = below.low + top.low * quarter;
    Vec r = pair_quotient(top, pair_product(below, below)).high;
    return vec_select(vec_less(vec_of(373.256), vec_abs(x)), vec_of(0), r); /* exp_pair's end */
}

/* e^−x², which is 0 from 28 on. */
VEC_INLINE Vec bell_vec(Vec x)
{
    Vec k, most = vec_of(28);
    x = vec_select(vec_less(most, vec_abs(x)), most, x);
    Vec square = x * x;
    Pair e = exp_pair(-square, &k);
    return scale(e.high + vec_fma(vec_fma(x, x, -square), -e.high, e.low), k);
}

/* x/(x² + y²), with what is lost of the squares and their sum; *norm is that sum. */
VEC_INLINE Vec over_norm(Vec x, Vec y, Vec *norm)
{
    Vec xx = x * x, yy = y * y;
    Pair sum = pair_sum(xx, yy);
    sum.low = sum.low + (vec_fma(x, x, -xx) + vec_fma(y, y, -yy));
    Vec reciprocal = vec_of(1) / sum.high, r = x * reciprocal;
    *norm = sum.high;
    return vec_fma(vec_fma(-r, sum.low, vec_fma(-r, sum.high, x)), reciprocal, r);
}

/* With operands scaled such that their squares stay within the range. */
VEC_INLINE Vec inversion_scaled(Vec x, Vec y)
{
    Vec half = vec_of(0.5), size = half * vec_abs(x) + half * vec_abs(y), norm;
    Vec by = vec_select(vec_less(size, vec_of(1)), vec_of(0x1p600), vec_of(0x1p-600));
    Vec r = over_norm(x * by, y * by, &norm) * by;
    Vec zero = vec_from_bits(vec_to_bits(x) & UINT64_C(1) << 63);
    return vec_select(vec_equal(x, zero) | vec_equal(size, vec_of(INFINITY)), zero, r);
}

/* The real part of 1/(x + iy): 0 at (0, 0) and at infinity. */
VEC_INLINE Vec inversion_vec(Vec x, Vec y)
{
    Vec norm, r = over_norm(x, y, &norm);
    VecMask inside = vec_less(vec_of(0x1p-1000), norm) & vec_less(norm, vec_of(0x1p1000));
    if (__builtin_expect(vec_bits(inside) == VEC_ALL, 1)) return r;
    return vec_select(inside, r, inversion_scaled(x, y));
}

#endif

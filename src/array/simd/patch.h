/* Putting rare lanes right, one by one. */
#ifndef ARRAY_SIMD_PATCH_H
#define ARRAY_SIMD_PATCH_H

#include "array/simd/vec.h"

static Vec patch_lanes1(Vec r, unsigned bits, double (*f)(double), Vec x)
{
    double lane[VEC_WIDTH], in[VEC_WIDTH];
    vec_store(lane, r);
    vec_store(in, x);
    for (int i = 0; i < VEC_WIDTH; i++) {
        if (bits >> i & 1) lane[i] = f(in[i]);
    }
    return vec_load(lane);
}

static Vec patch_lanes2(Vec r, unsigned bits, double (*f)(double, double), Vec x, Vec y)
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

/* r with the lanes in `bits`, rarely any, replaced by f of x's (and y's). */
VEC_INLINE Vec patch1(Vec r, unsigned bits, double (*f)(double), Vec x)
{
    return __builtin_expect(bits != 0, 0) ? patch_lanes1(r, bits, f, x) : r;
}

VEC_INLINE Vec patch2(Vec r, unsigned bits, double (*f)(double, double), Vec x, Vec y)
{
    return __builtin_expect(bits != 0, 0) ? patch_lanes2(r, bits, f, x, y) : r;
}

#endif

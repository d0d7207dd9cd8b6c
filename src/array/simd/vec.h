/* One vector of Floats in the instruction set that the file is compiled for. Arithmetic operators
 * work on it; the rest has names here, so that math.c is one text for every width. */
#ifndef ARRAY_SIMD_VEC_H
#define ARRAY_SIMD_VEC_H

#include <math.h>
#include <string.h>

#include "array/simd/simd.h"

#define VEC_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#include <immintrin.h>
enum { VEC_WIDTH = 8 };
typedef __m512d Vec;
typedef __mmask8 VecMask;

VEC_INLINE Vec vec_of(double x)
{
    return _mm512_set1_pd(x);
}
VEC_INLINE Vec vec_load(const double *p)
{
    return _mm512_loadu_pd(p);
}
/* Lane i: from[place[i]]. */
VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return _mm512_i64gather_pd(_mm512_loadu_si512(place), from, 8);
}
VEC_INLINE void vec_store(double *p, Vec x)
{
    _mm512_storeu_pd(p, x);
}
/* The first count lanes, of which there is at least one; the others are 0. */
VEC_INLINE Vec vec_load_part(const double *p, int count)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1u << count) - 1), p);
}
VEC_INLINE void vec_store_part(double *p, Vec x, int count)
{
    _mm512_mask_storeu_pd(p, (__mmask8)((1u << count) - 1), x);
}
VEC_INLINE double vec_first(Vec x)
{
    return _mm512_cvtsd_f64(x);
}
/* x y + z, rounded once. */
VEC_INLINE Vec vec_fma(Vec x, Vec y, Vec z)
{
    return _mm512_fmadd_pd(x, y, z);
}
VEC_INLINE Vec vec_abs(Vec x)
{
    return _mm512_abs_pd(x);
}
/* Lane i: whether truth[i]. */
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)truth);
    return _mm512_test_epi64_mask(_mm512_cvtepu8_epi64(bytes), _mm512_set1_epi64(1));
}
/* The low bits of x moved up to the exponent's place. */
VEC_INLINE Vec vec_to_exponent(Vec x)
{
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(x), 52));
}
VEC_INLINE VecMask vec_less(Vec x, Vec y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ);
}
VEC_INLINE VecMask vec_equal(Vec x, Vec y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
}
/* x where x > y, else y: so y where either is NaN. */
VEC_INLINE Vec vec_larger(Vec x, Vec y)
{
    return _mm512_max_pd(x, y);
}
VEC_INLINE Vec vec_smaller(Vec x, Vec y)
{
    return _mm512_min_pd(x, y);
}
/* Whether either is NaN. */
VEC_INLINE VecMask vec_unordered(Vec x, Vec y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_UNORD_Q);
}
VEC_INLINE VecMask vec_either(VecMask a, VecMask b)
{
    return a | b;
}
VEC_INLINE Vec vec_select(VecMask m, Vec yes, Vec no)
{
    return _mm512_mask_blend_pd(m, no, yes);
}
/* Bit i: lane i. */
VEC_INLINE unsigned vec_bits(VecMask m)
{
    return m;
}
VEC_INLINE VecMask vec_mask(unsigned bits)
{
    return (VecMask)bits;
}
/* Lane j of vector i becomes lane i of vector j: pairs, then quarters, then halves. */
VEC_INLINE void vec_transpose(Vec v[VEC_WIDTH])
{
    Vec t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
    }
    for (int h = 0; h < 2; h++) {
        for (int i = 0; i < 2; i++) {
            u[4 * h + i] = _mm512_shuffle_f64x2(t[4 * h + i], t[4 * h + 2 + i], 0x88);
            u[4 * h + 2 + i] = _mm512_shuffle_f64x2(t[4 * h + i], t[4 * h + 2 + i], 0xdd);
        }
    }
    for (int i = 0; i < 4; i++) {
        v[i] = _mm512_shuffle_f64x2(u[i], u[4 + i], 0x88);
        v[4 + i] = _mm512_shuffle_f64x2(u[i], u[4 + i], 0xdd);
    }
}

#elif defined(__AVX2__)
#include <immintrin.h>
enum { VEC_WIDTH = 4 };
typedef __m256d Vec;
typedef __m256d VecMask;

VEC_INLINE Vec vec_of(double x)
{
    return _mm256_set1_pd(x);
}
VEC_INLINE Vec vec_load(const double *p)
{
    return _mm256_loadu_pd(p);
}
VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return _mm256_i64gather_pd(from, _mm256_loadu_si256((const __m256i *)(const void *)place), 8);
}
VEC_INLINE void vec_store(double *p, Vec x)
{
    _mm256_storeu_pd(p, x);
}
VEC_INLINE __m256i vec_part(int count)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}
VEC_INLINE Vec vec_load_part(const double *p, int count)
{
    return _mm256_maskload_pd(p, vec_part(count));
}
VEC_INLINE void vec_store_part(double *p, Vec x, int count)
{
    _mm256_maskstore_pd(p, vec_part(count), x);
}
VEC_INLINE double vec_first(Vec x)
{
    return _mm256_cvtsd_f64(x);
}
VEC_INLINE Vec vec_fma(Vec x, Vec y, Vec z)
{
    return _mm256_fmadd_pd(x, y, z);
}
VEC_INLINE Vec vec_abs(Vec x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    int32_t bytes;
    memcpy(&bytes, truth, sizeof bytes);
    __m256i lanes = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
    return _mm256_castsi256_pd(_mm256_slli_epi64(lanes, 63)); /* the sign bit chooses */
}
VEC_INLINE Vec vec_to_exponent(Vec x)
{
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(x), 52));
}
VEC_INLINE VecMask vec_less(Vec x, Vec y)
{
    return _mm256_cmp_pd(x, y, _CMP_LT_OQ);
}
VEC_INLINE VecMask vec_equal(Vec x, Vec y)
{
    return _mm256_cmp_pd(x, y, _CMP_EQ_OQ);
}
VEC_INLINE Vec vec_larger(Vec x, Vec y)
{
    return _mm256_max_pd(x, y);
}
VEC_INLINE Vec vec_smaller(Vec x, Vec y)
{
    return _mm256_min_pd(x, y);
}
VEC_INLINE VecMask vec_unordered(Vec x, Vec y)
{
    return _mm256_cmp_pd(x, y, _CMP_UNORD_Q);
}
VEC_INLINE VecMask vec_either(VecMask a, VecMask b)
{
    return _mm256_or_pd(a, b);
}
VEC_INLINE Vec vec_select(VecMask m, Vec yes, Vec no)
{
    return _mm256_blendv_pd(no, yes, m);
}
VEC_INLINE unsigned vec_bits(VecMask m)
{
    return (unsigned)_mm256_movemask_pd(m);
}
VEC_INLINE VecMask vec_mask(unsigned bits)
{
    __m256i lane = _mm256_setr_epi64x(1, 2, 4, 8), all = _mm256_set1_epi64x((long long)bits);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(all, lane), lane));
}
VEC_INLINE void vec_transpose(Vec v[VEC_WIDTH])
{
    Vec a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
    Vec c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(a, c, 0x20);
    v[1] = _mm256_permute2f128_pd(b, d, 0x20);
    v[2] = _mm256_permute2f128_pd(a, c, 0x31);
    v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

#else
enum { VEC_WIDTH = 1 };
typedef double Vec;
typedef unsigned VecMask;

VEC_INLINE Vec vec_of(double x)
{
    return x;
}
VEC_INLINE Vec vec_load(const double *p)
{
    return *p;
}
VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return from[*place];
}
VEC_INLINE void vec_store(double *p, Vec x)
{
    *p = x;
}
VEC_INLINE Vec vec_load_part(const double *p, int count)
{
    (void)count;
    return *p;
}
VEC_INLINE void vec_store_part(double *p, Vec x, int count)
{
    (void)count;
    *p = x;
}
VEC_INLINE double vec_first(Vec x)
{
    return x;
}
VEC_INLINE Vec vec_fma(Vec x, Vec y, Vec z)
{
    return fma(x, y, z);
}
VEC_INLINE Vec vec_abs(Vec x)
{
    return fabs(x);
}
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    return *truth;
}
VEC_INLINE Vec vec_to_exponent(Vec x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits <<= 52;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
VEC_INLINE VecMask vec_less(Vec x, Vec y)
{
    return x < y;
}
VEC_INLINE VecMask vec_equal(Vec x, Vec y)
{
    return x == y;
}
VEC_INLINE Vec vec_larger(Vec x, Vec y)
{
    return x > y ? x : y;
}
VEC_INLINE Vec vec_smaller(Vec x, Vec y)
{
    return x < y ? x : y;
}
VEC_INLINE VecMask vec_unordered(Vec x, Vec y)
{
    return (unsigned)(x != x) | (unsigned)(y != y);
}
VEC_INLINE VecMask vec_either(VecMask a, VecMask b)
{
    return a | b;
}
VEC_INLINE Vec vec_select(VecMask m, Vec yes, Vec no)
{
    return m ? yes : no;
}
VEC_INLINE unsigned vec_bits(VecMask m)
{
    return m;
}
VEC_INLINE VecMask vec_mask(unsigned bits)
{
    return bits;
}
VEC_INLINE void vec_transpose(Vec v[VEC_WIDTH])
{
    (void)v;
}
#endif

/* To the nearest integer, for |x| < 2⁵¹: adding 1.5 · 2⁵² leaves no bits for a fraction. */
VEC_INLINE Vec vec_round(Vec x)
{
    Vec large = vec_of(0x1.8p52);
    return (x + large) - large;
}

/* 2^k for an integer −1022 ≤ k ≤ 1023: the sum holds k + 1023 in its low bits. */
VEC_INLINE Vec vec_power_of_two(Vec k)
{
    return vec_to_exponent(k + vec_of(0x1.8p52 + 1023));
}

#endif

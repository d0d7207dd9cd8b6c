/* One vector of Floats in the instruction set that the file is compiled for. Arithmetic operators
 * work on it; the rest has names here, so that what is written with them is one text for every
 * width. */
#ifndef ARRAY_SIMD_VEC_H
#define ARRAY_SIMD_VEC_H

#include <math.h>
#include <string.h>

#include "array/elementwise/float_ops.h"
#include "array/simd/simd.h"

#define VEC_INLINE static inline __attribute__((always_inline))

/* Vec, VecBits (its lanes' bits as integers) and VecMask (a truth per lane, which & and | work on);
 * VEC_ALL is vec_bits of a mask of all lanes. */
#if defined(__AVX512F__)
#include <immintrin.h>
#define VEC_X86(name) _mm512_##name
typedef __m512d Vec;
typedef uint64_t VecBits __attribute__((vector_size(64)));
typedef __mmask8 VecMask;
#define VEC_COMPARE(x, y, how) _mm512_cmp_pd_mask(x, y, how)
#elif defined(__AVX2__)
#include <immintrin.h>
#define VEC_X86(name) _mm256_##name
typedef __m256d Vec;
typedef uint64_t VecBits __attribute__((vector_size(32)));
typedef VecBits VecMask;
#define VEC_COMPARE(x, y, how) (VecMask) _mm256_cmp_pd(x, y, how)
#else
typedef double Vec;
typedef uint64_t VecBits;
typedef unsigned VecMask;
#endif

enum { VEC_WIDTH = sizeof(Vec) / sizeof(double), VEC_ALL = (1 << VEC_WIDTH) - 1 };

/* ---- one text for all ---- */

typedef Vec VecInMemory __attribute__((aligned(sizeof(double))));

VEC_INLINE Vec vec_load(const double *p)
{
    return *(const VecInMemory *)p;
}
VEC_INLINE void vec_store(double *p, Vec x)
{
    *(VecInMemory *)p = x;
}
/* x in every lane. */
VEC_INLINE Vec vec_of(double x)
{
    return x - (Vec){0}; /* of a sum −0 would become 0 */
}
VEC_INLINE double vec_first(Vec x)
{
    double first;
    memcpy(&first, &x, sizeof first);
    return first;
}
VEC_INLINE VecBits vec_to_bits(Vec x)
{
    VecBits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
VEC_INLINE Vec vec_from_bits(VecBits bits)
{
    Vec x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* To the nearest integer, for |x| < 2⁵¹: adding 1.5 · 2⁵² leaves no bits for a fraction. */
VEC_INLINE Vec vec_round(Vec x)
{
    Vec large = vec_of(0x1.8p52);
    return (x + large) - large;
}
/* 2^k for an integer −1022 ≤ k ≤ 1023: the sum holds k + 1023 in its low bits, which go up to the
 * exponent's place. */
VEC_INLINE Vec vec_power_of_two(Vec k)
{
    return vec_from_bits(vec_to_bits(k + vec_of(0x1.8p52 + 1023)) << 52);
}

/* ---- one text for AVX2 and AVX-512, and a scalar one ---- */

#if defined(VEC_X86)

/* x y + z, rounded once. */
VEC_INLINE Vec vec_fma(Vec x, Vec y, Vec z)
{
    return VEC_X86(fmadd_pd)(x, y, z);
}
VEC_INLINE Vec vec_abs(Vec x)
{
    return (Vec)((VecBits)x & (UINT64_MAX >> 1));
}
/* The larger and the smaller, with −0 < +0; anything where either is NaN. Each way round gives its second operand
 * where both are equal: the same bits twice, or zeros. */
VEC_INLINE Vec vec_larger(Vec x, Vec y)
{
#if defined(__AVX512F__)
    return _mm512_range_pd(x, y, 5);
#else
    return _mm256_and_pd(_mm256_max_pd(x, y), _mm256_max_pd(y, x));
#endif
}
VEC_INLINE Vec vec_smaller(Vec x, Vec y)
{
#if defined(__AVX512F__)
    return _mm512_range_pd(x, y, 4);
#else
    return _mm256_or_pd(_mm256_min_pd(x, y), _mm256_min_pd(y, x));
#endif
}
VEC_INLINE VecMask vec_less(Vec x, Vec y)
{
    return VEC_COMPARE(x, y, _CMP_LT_OQ);
}
VEC_INLINE VecMask vec_equal(Vec x, Vec y)
{
    return VEC_COMPARE(x, y, _CMP_EQ_OQ);
}
/* Whether either is NaN. */
VEC_INLINE VecMask vec_unordered(Vec x, Vec y)
{
    return VEC_COMPARE(x, y, _CMP_UNORD_Q);
}

#else

VEC_INLINE Vec vec_fma(Vec x, Vec y, Vec z)
{
    return fma(x, y, z);
}
VEC_INLINE Vec vec_abs(Vec x)
{
    return fabs(x);
}
VEC_INLINE Vec vec_larger(Vec x, Vec y)
{
    return float_max(x, y);
}
VEC_INLINE Vec vec_smaller(Vec x, Vec y)
{
    return float_min(x, y);
}
VEC_INLINE VecMask vec_less(Vec x, Vec y)
{
    return x < y;
}
VEC_INLINE VecMask vec_equal(Vec x, Vec y)
{
    return x == y;
}
VEC_INLINE VecMask vec_unordered(Vec x, Vec y)
{
    return (VecMask)(x != x) | (VecMask)(y != y);
}

#endif

/* ---- a text for each ---- */

#if defined(__AVX512F__)

/* Lane i: from[place[i]]. */
VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return _mm512_i64gather_pd(_mm512_loadu_si512(place), from, 8);
}
/* The first count lanes, from 1 on and not all. */
VEC_INLINE Vec vec_load_few(const double *p, int count)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1u << count) - 1), p);
}
VEC_INLINE void vec_store_few(double *p, Vec x, int count)
{
    _mm512_mask_storeu_pd(p, (__mmask8)((1u << count) - 1), x);
}
/* Lane i: whether truth[i]. */
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)truth);
    return _mm512_test_epi64_mask(_mm512_cvtepu8_epi64(bytes), _mm512_set1_epi64(1));
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

VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return _mm256_i64gather_pd(from, _mm256_loadu_si256((const __m256i *)(const void *)place), 8);
}
VEC_INLINE __m256i vec_part(int count)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}
VEC_INLINE Vec vec_load_few(const double *p, int count)
{
    return _mm256_maskload_pd(p, vec_part(count));
}
VEC_INLINE void vec_store_few(double *p, Vec x, int count)
{
    _mm256_maskstore_pd(p, vec_part(count), x);
}
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    int32_t bytes;
    memcpy(&bytes, truth, sizeof bytes);
    return (VecMask)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes)) << 63; /* the sign chooses */
}
VEC_INLINE Vec vec_select(VecMask m, Vec yes, Vec no)
{
    return _mm256_blendv_pd(no, yes, (Vec)m);
}
VEC_INLINE unsigned vec_bits(VecMask m)
{
    return (unsigned)_mm256_movemask_pd((Vec)m);
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

VEC_INLINE Vec vec_gather(const double *from, const int64_t *place)
{
    return from[*place];
}
VEC_INLINE Vec vec_load_few(const double *p, int count)
{
    (void)count;
    return *p;
}
VEC_INLINE void vec_store_few(double *p, Vec x, int count)
{
    (void)count;
    *p = x;
}
VEC_INLINE VecMask vec_truth(const bool *truth)
{
    return *truth;
}
VEC_INLINE Vec vec_select(VecMask m, Vec yes, Vec no)
{
    return m ? yes : no;
}
VEC_INLINE unsigned vec_bits(VecMask m)
{
    return m;
}
VEC_INLINE void vec_transpose(Vec v[VEC_WIDTH])
{
    (void)v;
}

#endif

/* ---- tails ---- */

/* The first count lanes, of which there is at least one; the others are 0. */
VEC_INLINE Vec vec_load_part(const double *p, int count)
{
    return count == VEC_WIDTH ? vec_load(p) : vec_load_few(p, count);
}
VEC_INLINE void vec_store_part(double *p, Vec x, int count)
{
    if (count == VEC_WIDTH) {
        vec_store(p, x);
    } else {
        vec_store_few(p, x, count);
    }
}

#endif

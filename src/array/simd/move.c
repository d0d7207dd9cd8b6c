/* Moving elements of eight bytes, Floats or Ints, to and from chosen places. */
#include "array/simd/simd.h"
#include "array/simd/vec.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitized loops stay scalar */
#endif

/* Whether places are all within dim, counted from the start or (as negative ones) from the end: a
 * sign is met where one is not. Sums of what is out of range may wrap, to a sign as well. */
static PlaceCheck check_places(const int64_t *place, int64_t n, int64_t dim)
{
    uint64_t outside = 0, negative = 0, size = (uint64_t)dim;
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = (uint64_t)place[i];
        negative |= x;
        outside |= (x + size) | (size - 1 - x);
    }
    return outside >> 63 ? PLACES_OUTSIDE : negative >> 63 ? PLACES_NEGATIVE : PLACES_FINE;
}

static void scale_places(int64_t *to, const int64_t *place, int64_t n, int64_t dim, int64_t stride)
{
    for (int64_t i = 0; i < n; i++) to[i] = (place[i] + (place[i] < 0 ? dim : 0)) * stride;
}

/* Gathering instructions keep more loads on their way than single ones do. */
static void gather(double *to, const double *from, const int64_t *place, int64_t n)
{
    int64_t i = 0;
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH) vec_store(to + i, vec_gather(from, place + i));
    for (; i < n; i++) to[i] = from[place[i]];
}

/* ---- by a mask ---- */

enum { STEP = 8 };

/* Eight Bools at once: random ones are hardly ever all false, and few ones nearly always. */
VEC_INLINE bool none_of_step(const bool *on)
{
    uint64_t word;
    memcpy(&word, on, sizeof word);
    return word == 0;
}

static void fill(double *to, double value, const bool *on, int64_t n)
{
    int64_t i = 0;
    for (; i + STEP <= n; i += STEP) {
        if (none_of_step(on + i)) continue;
        for (int k = 0; k < STEP; k += VEC_WIDTH) {
            Vec old = vec_load(to + i + k);
            vec_store(to + i + k, vec_select(vec_truth(on + i + k), vec_of(value), old));
        }
    }
    for (; i < n; i++) to[i] = on[i] ? value : to[i];
}

#if defined(__AVX512F__)

/* Whole vectors while they fit, the last elements one by one. */
static void compress(double *to, const double *from, const bool *on, int64_t count)
{
    int64_t i = 0, taken = 0;
    for (; taken + STEP <= count; i += STEP) {
        if (none_of_step(on + i)) continue;
        VecMask m = vec_truth(on + i);
        vec_store(to + taken, _mm512_maskz_compress_pd(m, vec_load(from + i)));
        taken += __builtin_popcount(m);
    }
    for (; taken < count; i++) {
        if (on[i]) to[taken++] = from[i];
    }
}

static void expand(double *to, const double *from, const bool *on, int64_t count)
{
    int64_t i = 0, taken = 0;
    for (; taken + STEP <= count; i += STEP) {
        if (none_of_step(on + i)) continue;
        VecMask m = vec_truth(on + i);
        vec_store(to + i, _mm512_mask_expand_pd(vec_load(to + i), m, vec_load(from + taken)));
        taken += __builtin_popcount(m);
    }
    for (; taken < count; i++) {
        if (on[i]) to[i] = from[taken++];
    }
}

#else

/* Without a branch, which would be guessed wrong all the time. */
static void compress(double *to, const double *from, const bool *on, int64_t count)
{
    int64_t taken = 0;
    for (int64_t i = 0; taken < count; i++) {
        to[taken] = from[i];
        taken += on[i];
    }
}

static void expand(double *to, const double *from, const bool *on, int64_t count)
{
    int64_t taken = 0;
    for (int64_t i = 0; taken < count; i++) {
        to[i] = on[i] ? from[taken] : to[i];
        taken += on[i];
    }
}

#endif

const MoveKernel SIMD_NAME(simd_move_kernel) = {
    .check_places = check_places,
    .scale_places = scale_places,
    .gather = gather,
    .fill = fill,
    .compress = compress,
    .expand = expand,
};

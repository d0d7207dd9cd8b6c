#include "builtins/files/stream.h"
#include "array/elementwise/number.h"

#include <string.h>

#include "array/elementwise/elementwise.h"
#include "base/interrupt.h"

/* ---- the generator ---- */

void philox4x32(uint32_t c[4], const uint32_t key[2])
{
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = UINT64_C(0xD2511F53) * c[0], p1 = UINT64_C(0xCD9E8D57) * c[2];
        uint32_t high0 = (uint32_t)(p0 >> 32), high1 = (uint32_t)(p1 >> 32);
        c[0] = high1 ^ c[1] ^ k0;
        c[1] = (uint32_t)p1;
        c[2] = high0 ^ c[3] ^ k1;
        c[3] = (uint32_t)p0;
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
}

RandomState stream_start(int64_t seed)
{
    return (RandomState){.seed = (uint64_t)seed};
}

/* counter counts 64-bit words: word 2k and 2k + 1 are the halves of block k. */
static void block_at(const RandomState *r, uint64_t block, uint64_t word[2])
{
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
    const uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
    philox4x32(c, key);
    word[0] = c[0] | (uint64_t)c[1] << 32;
    word[1] = c[2] | (uint64_t)c[3] << 32;
}

void stream_words(RandomState *r, uint64_t *to, int64_t n)
{
    uint64_t word[2];
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = r->counter++;
        if (i == 0 || !(at & 1)) block_at(r, at >> 1, word);
        to[i] = word[at & 1];
    }
}

uint64_t stream_bits(RandomState *r)
{
    uint64_t word;
    stream_words(r, &word, 1);
    return word;
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double stream_uniform(RandomState *r)
{
    return unit(stream_bits(r));
}

static void uniforms(RandomState *r, double *to, int64_t n)
{
    enum { CHUNK = 256 };
    uint64_t word[CHUNK];
    while (n > 0) {
        int64_t some = n < CHUNK ? n : CHUNK;
        stream_words(r, word, some);
        for (int64_t i = 0; i < some; i++) to[i] = unit(word[i]);
        to += some;
        n -= some;
    }
}

bool stream_uniforms(RandomState *r, double *to, int64_t n, Error *err)
{
    Stretch s = {0};
    while (stretch_next(&s, n, err)) uniforms(r, to + s.start, s.end - s.start);
    return stretch_done(&s, n);
}

/* Words below 2⁶⁴ mod n are drawn again: of the others every remainder has the same number. */
uint64_t stream_below(RandomState *r, uint64_t n)
{
    if (n == 0) return stream_bits(r);
    uint64_t few = (0 - n) % n, bits;
    do bits = stream_bits(r);
    while (bits < few);
    return bits % n;
}

bool stream_draw_below(RandomState *r, int64_t low, uint64_t below, int64_t *to, int64_t n,
                       Error *err)
{
    Stretch s = {0};
    while (stretch_next(&s, n, err))
        for (int64_t i = s.start; i < s.end; i++)
            to[i] = (int64_t)((uint64_t)low + stream_below(r, below));
    return stretch_done(&s, n);
}

/* ---- normal numbers (Box and Muller, 1958) ---- */

#define TURN 0x1.921fb54442d18p+2 /* 2π */

/* A pair from two uniform numbers, by the array floor's functions, whose bits are the same on every
 * machine. 1 − u keeps log away from 0. */
static void normal_pair(RandomState *r, double pair[2])
{
    double u = 1.0 - stream_uniform(r), v = stream_uniform(r);
    double radius = elementwise_number(EW_SQRT, -2.0 * elementwise_number(EW_LOG, u, 0), 0);
    double angle = TURN * v;
    pair[0] = radius * elementwise_number(EW_COS, angle, 0);
    pair[1] = radius * elementwise_number(EW_SIN, angle, 0);
}

enum { PAIRS = 512 }; /* made together */

typedef struct {
    double value[PAIRS];
} Row;

static bool apply(Elementwise f, Row *x, int n, Row *out, Error *err)
{
    Array a = array_scalar(DT_FLOAT, x->value), *operand = &a;
    a.rank = 1;
    a.dim[0] = a.size = n;
    a.stride[0] = 1;
    Array *result = elementwise_run(f, &operand, err);
    if (!result) return false;
    memcpy(out->value, array_floats(result), (size_t)n * sizeof(double));
    array_release(result);
    return true;
}

/* n pairs, as normal_pair makes them. */
static bool normal_pairs(RandomState *r, double *to, int n, Error *err)
{
    Row u, angle, radius, sine;
    uniforms(r, to, 2 * n);
    for (int i = 0; i < n; i++) {
        u.value[i] = 1.0 - to[2 * i];
        angle.value[i] = TURN * to[2 * i + 1];
    }
    if (!apply(EW_LOG, &u, n, &radius, err)) return false;
    for (int i = 0; i < n; i++) radius.value[i] *= -2.0;
    if (!apply(EW_SQRT, &radius, n, &radius, err) || !apply(EW_SIN, &angle, n, &sine, err) ||
        !apply(EW_COS, &angle, n, &angle, err))
        return false;
    for (int i = 0; i < n; i++) {
        to[2 * i] = radius.value[i] * angle.value[i];
        to[2 * i + 1] = radius.value[i] * sine.value[i];
    }
    return true;
}

bool stream_normals(RandomState *r, double *to, int64_t n, Error *err)
{
    if (n > 0 && r->has_spare) {
        *to++ = r->spare;
        r->has_spare = false;
        n--;
    }
    while (n >= 2) {
        int pairs = n / 2 < PAIRS ? (int)(n / 2) : PAIRS;
        if (!normal_pairs(r, to, pairs, err) || !interrupt_poll(err)) return false;
        to += 2 * pairs;
        n -= 2 * pairs;
    }
    if (n == 0) return true;
    double pair[2];
    normal_pair(r, pair);
    *to = pair[0];
    r->spare = pair[1];
    r->has_spare = true;
    return true;
}

Array *stream_normal_array(RandomState *r, const Shape *s, Error *err)
{
    Array *a = array_new(DT_FLOAT, s, err);
    if (a && stream_normals(r, array_floats(a), a->size, err)) return a;
    array_release(a);
    return NULL;
}

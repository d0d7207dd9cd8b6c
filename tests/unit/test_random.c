#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "builtins/files/stream.h"

/* Known answers of the generator's authors (Random123, tests/kat_vectors). */
Test(random, philox_known_answers)
{
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } row[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t c[4];
        memcpy(c, row[i].counter, sizeof c);
        philox4x32(c, row[i].key);
        cr_assert_arr_eq(c, row[i].answer, sizeof c);
    }
}

Test(random, words_are_the_halves_of_blocks)
{
    RandomState r = stream_start(0);
    cr_assert_eq(stream_bits(&r), UINT64_C(0xe169c58d6627e8d5));
    cr_assert_eq(stream_bits(&r), UINT64_C(0x9b00dbd8bc57ac4c));
}

Test(random, many_at_once_are_the_same_as_one_by_one)
{
    enum { N = 1000 };
    uint64_t word[N];
    for (int skipped = 0; skipped < 3; skipped++) {
        RandomState r = stream_start(-7), one = r;
        stream_words(&r, word, skipped);
        stream_words(&r, word, N);
        for (int i = 0; i < skipped; i++) stream_bits(&one);
        for (int i = 0; i < N; i++) cr_assert_eq(word[i], stream_bits(&one));
    }
}

Test(random, uniforms_fill_their_range)
{
    enum { N = 100000 };
    static double x[N];
    RandomState r = stream_start(1);
    cr_assert(stream_uniforms(&r, x, N, &(Error){0}));
    double sum = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        cr_assert(x[i] >= 0 && x[i] < 1);
        cr_assert_eq(x[i] * 0x1p53, floor(x[i] * 0x1p53));
        sum += x[i];
        squares += x[i] * x[i];
    }
    cr_assert_float_eq(sum / N, 0.5, 0.005);
    cr_assert_float_eq(squares / N, 1.0 / 3, 0.005);
}

Test(random, seeds_give_different_streams)
{
    RandomState a = stream_start(1), b = stream_start(2), c = stream_start(INT64_C(1) << 32);
    uint64_t x = stream_bits(&a), y = stream_bits(&b), z = stream_bits(&c);
    cr_assert(x != y && x != z && y != z);
}

Test(random, below_is_uniform)
{
    enum { SIDES = 6, N = 60000 };
    int count[SIDES] = {0};
    RandomState r = stream_start(3);
    for (int i = 0; i < N; i++) count[stream_below(&r, SIDES)]++;
    double chi = 0;
    for (int i = 0; i < SIDES; i++) chi += pow(count[i] - N / SIDES, 2) / (N / SIDES);
    cr_assert_lt(chi, 20.5); /* 0.999 of the distribution with 5 degrees of freedom */
}

Test(random, below_takes_every_range)
{
    RandomState r = stream_start(4);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(stream_below(&r, 1), 0);
        cr_assert_lt(stream_below(&r, (UINT64_C(1) << 63) + 1), (UINT64_C(1) << 63) + 1);
    }
    RandomState a = r, b = r;
    cr_assert_eq(stream_below(&a, 0), stream_bits(&b));
}

Test(random, normals_do_not_depend_on_how_many_are_asked_for)
{
    enum { N = 2500 };
    static double whole[N], part[N];
    Error err = {0};
    RandomState r = stream_start(5);
    cr_assert(stream_normals(&r, whole, N, &err));
    for (int step = 1; step <= 1025; step += step < 8 ? 1 : 127) {
        r = stream_start(5);
        for (int at = 0; at < N; at += step)
            cr_assert(stream_normals(&r, part + at, at + step < N ? step : N - at, &err));
        cr_assert_eq(memcmp(whole, part, sizeof whole), 0, "in steps of %d", step);
    }
}

Test(random, normals_are_normal)
{
    enum { N = 200000 };
    static double x[N];
    Error err = {0};
    RandomState r = stream_start(6);
    cr_assert(stream_normals(&r, x, N, &err));
    double moment[5] = {0}, product = 0;
    for (int i = 0; i < N; i++) {
        cr_assert(isfinite(x[i]));
        for (int k = 1; k < 5; k++) moment[k] += pow(x[i], k) / N;
        if (i % 2) product += x[i] * x[i - 1] / (N / 2);
    }
    cr_assert_float_eq(moment[1], 0, 0.01);
    cr_assert_float_eq(moment[2], 1, 0.02);
    cr_assert_float_eq(moment[3], 0, 0.04);
    cr_assert_float_eq(moment[4], 3, 0.1);
    cr_assert_float_eq(product, 0, 0.015);
}

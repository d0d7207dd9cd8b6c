/* The random stream: Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * Block k of a stream is a pure function of seed and k, so the state is a seed and a position, and
 * the same seed gives the same numbers on every machine. A zeroed state is the stream of seed 0, at
 * its start: what every program and every test begins with. */
#ifndef BUILTINS_FILES_STREAM_H
#define BUILTINS_FILES_STREAM_H

#include "eval/interp.h"

/* One block: ten rounds on counter, in place. */
void philox4x32(uint32_t counter[4], const uint32_t key[2]);

/* The stream of a seed, at its start. */
RandomState stream_start(int64_t seed);
/* The next 64 bits. */
uint64_t stream_bits(RandomState *r);
/* n of them. */
void stream_words(RandomState *r, uint64_t *to, int64_t n);
/* Uniform in [0, 1), a multiple of 2⁻⁵³. */
double stream_uniform(RandomState *r);
/* n of them. This and what follows fails when interrupted. */
bool stream_uniforms(RandomState *r, double *to, int64_t n, Error *err);
/* Uniform in 0 … n − 1, without bias; n > 0, and n = 0 stands for 2⁶⁴. */
uint64_t stream_below(RandomState *r, uint64_t n);
/* n of them, counted from low. */
bool stream_draw_below(RandomState *r, int64_t low, uint64_t below, int64_t *to, int64_t n,
                       Error *err);
/* n numbers of the standard normal distribution: the same ones, bit for bit, however many are asked
 * for at once. */
bool stream_normals(RandomState *r, double *to, int64_t n, Error *err);
/* An array of them. */
Array *stream_normal_array(RandomState *r, const Shape *s, Error *err);

#endif

/* For the tests of arrays: random arrays in every layout, and plain references. */
#ifndef TESTS_ARRAY_SUPPORT_H
#define TESTS_ARRAY_SUPPORT_H

#include "array/array.h"
#include "array/elementwise/tile.h"
#include "array/reduce/reduce.h"

/* Reproducible; restarted by random_start. */
void random_start(uint64_t seed);
int64_t random_below(int64_t n);
Shape random_shape(int max_rank, int64_t max_dim);
/* Elements are small numbers, so that equal ones occur; some Floats are NaN, ±0 or fractions. The
 * layout is contiguous, permuted, reversed, stepped or broadcast, axis by axis. */
Array *random_array(DType t, const Shape *s);
/* Floats from 0 to 1. */
Array *random_uniform(const Shape *s);

Shape shape_make(int rank, ...); /* int sizes */
Array *ints_make(const Shape *s, const int64_t *value);
Array *floats_make(const Shape *s, const double *value);
/* 0, 1, 2 … as Ints. */
Array *counting_make(const Shape *s);

/* The row-major index that follows; false after the last. */
bool index_next(int64_t *index, const Shape *s);
/* The element at an index, straight from the strides. */
double float_at_index(const Array *a, const int64_t *index);

/* One step of RD_SUM, RD_PROD, RD_MAX or RD_MIN, NaN winning. */
double fold_one(Reduction f, double a, double b);

/* Same type, shape and elements (NaN equals NaN, -0.0 differs from 0.0). */
bool arrays_same(const Array *a, const Array *b);
/* Checks and clears the error. */
void expect_error(Error *err, ErrorKind kind, const char *part_of_message);
/* As a suite's .fini: nothing may be left alive (seen in stress builds). */
void expect_nothing_alive(void);

/* The program of these steps, whose result is the last one's; free it with elementwise_program_free or
 * mem_free. */
TileProgram *program_of_steps(int n_leaves, const TileStep *step, int n_steps);

#endif

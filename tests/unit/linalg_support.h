/* For the tests of linear algebra: random matrices, and how far two are apart. */
#ifndef TESTS_LINALG_SUPPORT_H
#define TESTS_LINALG_SUPPORT_H

#include "array/array.h"

/* Below, at and above the sizes where the algorithms split. */
#define LINALG_SIZES 1, 2, 3, 4, 7, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 129, 200

/* Elements between −1 and 1; a number added to the diagonal. */
Array *random_matrix(int64_t rows, int64_t columns, double diagonal);
/* An n×n matrix of at most the given rank, in small whole numbers. */
Array *matrix_of_rank(int64_t n, int64_t rank);
Array *turned(const Array *a);
Array *product(const Array *a, const Array *b);
double at(const Array *a, int64_t i, int64_t j);
/* The largest magnitude. */
double largest(const Array *a);
double largest_gap(const Array *a, const Array *b);
double det_of(Array *a);

#endif

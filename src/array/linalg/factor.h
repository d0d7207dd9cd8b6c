/* Factorizations of one square matrix, in place: what array/linalg/linalg.h is made from. Our own and not
 * LAPACK's, because its bits differ from machine to machine: here the order of every operation
 * follows from the size alone.
 *
 * All are recursive (Toledo, "Locality of reference in LU decomposition with partial pivoting",
 * 1997): a matrix is halved until FACTOR_BASE columns are left, so that nearly all the work is
 * matrix products. Matrices written to are row-major without gaps between columns; row is the step
 * from one row to the next. Functions that return bool fail only when memory is short or on Ctrl-C.
 */
#ifndef ARRAY_LINALG_FACTOR_H
#define ARRAY_LINALG_FACTOR_H

#include "array/simd/simd.h"

enum { FACTOR_BASE = 16 };

/* The lower or upper triangle of a matrix; the rest is not read. */
typedef struct {
    Matrix at;
    bool upper;
    bool unit; /* ones on the diagonal, which is not read either */
} Triangle;

static inline void triangle_transpose(Triangle *t)
{
    t->at = matrix_transposed(&t->at);
    t->upper = !t->upper;
}

/* b (n×m) becomes the x of t·x = b. A zero on the diagonal divides like any number. */
bool triangle_solve(const Triangle *t, int64_t n, double *b, int64_t row, int64_t m, Error *err);

/* a (n×n) becomes L·U with the unit lower L below the diagonal: row i of a was exchanged with row
 * pivot[i] ≥ i, one after the other. A column without a pivot leaves a 0 on the diagonal. */
bool lu_factor(double *a, int64_t n, int64_t *pivot, Error *err);
/* b (n×m) becomes the x of a·x = b, or aᵀ·x = b, for a factored a. */
bool lu_solve(const double *lu, const int64_t *pivot, int64_t n, bool transposed, double *b,
              int64_t m, Error *err);

/* The upper triangle of a (n×n, with rows row apart) becomes U with a = Uᵀ·U. *failed becomes the
 * size of the first leading block that is not positive definite, or 0. */
bool cholesky_factor(double *a, int64_t row, int64_t n, int64_t *failed, Error *err);

/* to -= factor·from, n elements that do not overlap; not fused. */
static inline void subtract_multiple(double *restrict to, const double *restrict from,
                                     double factor, int64_t n)
{
    for (int64_t j = 0; j < n; j++) to[j] -= factor * from[j];
}

/* Exchanges n elements. */
static inline void exchange(double *restrict a, double *restrict b, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

#endif

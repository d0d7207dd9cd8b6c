/* Factorizations against their definitions, on random matrices. */
#include "array/linalg/linalg.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "array/linalg/factor.h"
#include "array_support.h"
#include "base/mem.h"
#include "linalg_support.h"

TestSuite(linalg, .fini = expect_nothing_alive);

static const int64_t sizes[] = {LINALG_SIZES};

enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* ---- solve ---- */

/* |a x − b| in units of n · ε · |a| · |x|: what backward stable elimination leaves is below 1. */
static double residual(const Array *a, const Array *x, const Array *b)
{
    Array *back = product(a, x);
    double n = (double)a->dim[0], gap = largest_gap(back, b);
    array_release(back);
    return gap / (n * DBL_EPSILON * fmax(largest(a) * largest(x), largest(b)));
}

static void expect_solved(Array *a, Array *b, bool transposed)
{
    Error err = {0};
    Array *x = linalg_solve(a, b, transposed, &err);
    cr_assert(x && x->rank == 2 && x->dim[0] == b->dim[0] && x->dim[1] == b->dim[1]);
    Array *matrix = transposed ? turned(a) : array_retain(a);
    double r = residual(matrix, x, b);
    cr_expect(r < 1, "%lld×%lld: residual %g", (long long)a->dim[0], (long long)b->dim[1], r);
    array_release(matrix);
    array_release(x);
}

Test(linalg, solve_leaves_small_residuals)
{
    random_start(1);
    for (int i = 0; i < N_SIZES; i++) {
        Array *a = random_matrix(sizes[i], sizes[i], 0), *view = turned(a);
        for (int64_t columns = 1; columns <= 9; columns += 4) {
            Array *b = random_matrix(sizes[i], columns, 0);
            expect_solved(a, b, false);
            expect_solved(a, b, true);
            expect_solved(view, b, false);
            array_release(b);
        }
        array_release(view);
        array_release(a);
    }
}

static void keep_triangle(Array *a, bool upper)
{
    int64_t n = a->dim[0];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (upper ? j < i : j > i) array_floats(a)[i * n + j] = 0;
}

Test(linalg, solve_of_triangles)
{
    random_start(2);
    for (int i = 0; i < N_SIZES; i++) {
        for (int upper = 0; upper < 2; upper++) {
            Array *a = random_matrix(sizes[i], sizes[i], 3), *b = random_matrix(sizes[i], 3, 0);
            keep_triangle(a, upper);
            expect_solved(a, b, false);
            expect_solved(a, b, true);
            array_release(a);
            array_release(b);
        }
    }
}

/* A column's bits do not depend on how many others there are. */
Test(linalg, columns_are_solved_alike)
{
    Error err = {0};
    random_start(3);
    for (int i = 0; i < N_SIZES; i++) {
        int64_t n = sizes[i];
        Array *a = random_matrix(n, n, 0), *b = random_matrix(n, 5, 0);
        Array *all = linalg_solve(a, b, false, &err), *one = array_view(b);
        one->dim[1] = 1;
        array_update_layout(one);
        Array *alone = linalg_solve(a, one, false, &err);
        for (int64_t k = 0; k < n; k++) cr_assert_eq(at(all, k, 0), at(alone, k, 0));
        array_release(a);
        array_release(b);
        array_release(all);
        array_release(one);
        array_release(alone);
    }
}

/* ---- the factors themselves ---- */

/* Gaussian elimination by the book: the same pivots, and the same numbers up to rounding. */
static void eliminate_plainly(double *a, int64_t n, int64_t *pivot)
{
    for (int64_t k = 0; k < n; k++) {
        pivot[k] = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot[k] * n + k])) pivot[k] = i;
        if (pivot[k] != k) exchange(a + k * n, a + pivot[k] * n, n);
        for (int64_t i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int64_t j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}

Test(linalg, factors_are_those_of_plain_elimination)
{
    Error err = {0};
    random_start(4);
    for (int i = 0; i < N_SIZES; i++) {
        int64_t n = sizes[i];
        Array *a = random_matrix(n, n, 0), *b = array_copy(a, &err);
        int64_t *p = mem_alloc((size_t)n * sizeof *p), *q = mem_alloc((size_t)n * sizeof *q);
        cr_assert(lu_factor(array_floats(a), n, p, &err));
        eliminate_plainly(array_floats(b), n, q);
        for (int64_t k = 0; k < n; k++)
            cr_assert_eq(p[k], q[k], "%lld: pivot %lld", (long long)n, (long long)k);
        cr_expect(largest_gap(a, b) < 1e-10, "%lld: %g", (long long)n, largest_gap(a, b));
        mem_free(p);
        mem_free(q);
        array_release(a);
        array_release(b);
    }
}

Test(linalg, inverses)
{
    Error err = {0};
    random_start(5);
    for (int i = 0; i < N_SIZES; i++) {
        Array *a = random_matrix(sizes[i], sizes[i], 4), *inverse = linalg_inv(a, &err);
        Array *back = product(inverse, a), *one = random_matrix(sizes[i], sizes[i], 0);
        for (int64_t k = 0; k < one->size; k++) array_floats(one)[k] = k % (sizes[i] + 1) == 0;
        double limit = 10 * (double)sizes[i] * DBL_EPSILON * largest(a) * largest(inverse);
        cr_expect(largest_gap(back, one) < limit, "%lld: %g", (long long)sizes[i],
                  largest_gap(back, one));
        array_release(a);
        array_release(inverse);
        array_release(back);
        array_release(one);
    }
}

Test(linalg, cholesky_gives_the_matrix_back)
{
    Error err = {0};
    random_start(6);
    for (int i = 0; i < N_SIZES; i++) {
        Array *m = random_matrix(sizes[i], sizes[i], 1), *t = turned(m), *a = product(m, t);
        Array *l = linalg_cholesky(a, &err), *lt = turned(l), *back = product(l, lt);
        double limit = 4 * (double)sizes[i] * DBL_EPSILON * largest(a);
        cr_expect(largest_gap(back, a) < limit, "%lld: %g", (long long)sizes[i],
                  largest_gap(back, a));
        for (int64_t r = 0; r < sizes[i]; r++)
            for (int64_t c = r + 1; c < sizes[i]; c++) cr_assert_eq(at(l, r, c), 0);
        Array *all[] = {m, t, a, l, lt, back};
        for (int k = 0; k < 6; k++) array_release(all[k]);
    }
}

/* ---- numbers at the edge ---- */

Test(linalg, nan_stays_nan)
{
    Error err = {0};
    random_start(11);
    for (int64_t n = 2; n <= 40; n += 19) {
        for (int64_t k = 0; k < n * n; k += n + 3) {
            Array *a = random_matrix(n, n, 0), *b = random_matrix(n, 1, 0);
            array_floats(a)[k] = NAN;
            Array *x = linalg_solve(a, b, false, &err);
            cr_assert(x && isnan(array_floats(x)[0]));
            cr_assert(isnan(det_of(a)));
            array_release(a);
            array_release(b);
            array_release(x);
        }
    }
}

Test(linalg, errors)
{
    Error err = {0};
    Array *wide = random_matrix(2, 3, 0), *zero = matrix_of_rank(3, 0), *b = random_matrix(2, 1, 0);
    cr_assert_null(linalg_inv(wide, &err));
    expect_error(&err, ERR_SHAPE, "inv: the matrix is 2×3, not square");
    cr_assert_null(linalg_inv(zero, &err));
    expect_error(&err, ERR_MATH, "inv: the matrix is singular (its rank is at most 0 of 3)");
    cr_assert_null(linalg_solve(zero, b, false, &err));
    expect_error(&err, ERR_SHAPE, "solve: A is 3×3, but b is 2×1: b must have 3 rows, as A has");
    cr_assert_null(linalg_cholesky(zero, &err));
    expect_error(&err, ERR_MATH, "not positive definite: the leading 1×1 block is not");
    cr_assert_null(linalg_cofactor_along(zero, wide, &err));
    expect_error(&err, ERR_SHAPE, "directions of shape 2×3 for matrices of shape 3×3");
    array_release(wide);
    array_release(zero);
    array_release(b);
}

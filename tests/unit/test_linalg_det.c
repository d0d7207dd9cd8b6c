/* Determinants and cofactors against sums over minors. */
#include <criterion/criterion.h>
#include <math.h>

#include "array/linalg/linalg.h"
#include "array_support.h"
#include "linalg_support.h"

TestSuite(linalg_det, .fini = expect_nothing_alive);

/* By the first row. */
static double det_by_minors(const double *a, int64_t n)
{
    double minor[36], sum = 0;
    if (n == 0) return 1;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t r = 1; r < n; r++)
            for (int64_t c = 0; c < n - 1; c++)
                minor[(r - 1) * (n - 1) + c] = a[r * n + c + (c >= j)];
        sum += (j % 2 ? -a[j] : a[j]) * det_by_minors(minor, n - 1);
    }
    return sum;
}

Test(linalg_det, det_is_the_sum_over_minors)
{
    random_start(7);
    for (int64_t n = 0; n <= 7; n++) {
        for (int k = 0; k < 20; k++) {
            Array *a = random_matrix(n, n, 0);
            double plain = det_by_minors(array_floats(a), n);
            cr_expect_float_eq(det_of(a), plain, 1e-13, "%lld", (long long)n);
            array_release(a);
        }
    }
}

static const int64_t sizes[] = {LINALG_SIZES};

Test(linalg_det, det_of_a_product)
{
    random_start(8);
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        Array *a = random_matrix(sizes[i], sizes[i], 0), *b = random_matrix(sizes[i], sizes[i], 0);
        Array *ab = product(a, b);
        double apart = det_of(a) * det_of(b), together = det_of(ab);
        cr_expect(fabs(apart - together) <= 1e-9 * fabs(apart), "%lld: %g and %g",
                  (long long)sizes[i], apart, together);
        array_release(a);
        array_release(b);
        array_release(ab);
    }
}

static double cofactor_by_minor(const double *a, int64_t n, int64_t i, int64_t j)
{
    double minor[36];
    for (int64_t r = 0; r < n - 1; r++)
        for (int64_t c = 0; c < n - 1; c++)
            minor[r * (n - 1) + c] = a[(r + (r >= i)) * n + c + (c >= j)];
    double det = det_by_minors(minor, n - 1);
    return (i + j) % 2 ? -det : det;
}

Test(linalg_det, cofactors_at_every_rank)
{
    Error err = {0};
    random_start(9);
    for (int64_t n = 1; n <= 7; n++) {
        for (int64_t rank = 0; rank <= n; rank++) {
            Array *a = matrix_of_rank(n, rank), *c = linalg_cofactor(a, &err);
            double scale = fmax(1, pow(largest(a), (double)n - 1));
            for (int64_t i = 0; i < n * n; i++) {
                double plain = cofactor_by_minor(array_floats(a), n, i / n, i % n);
                cr_assert_float_eq(array_floats(c)[i], plain, 1e-13 * scale,
                                   "%lld×%lld of rank %lld: %.17g and %.17g", (long long)n,
                                   (long long)n, (long long)rank, array_floats(c)[i], plain);
            }
            array_release(a);
            array_release(c);
        }
    }
}

/* det is a polynomial along any line: its derivative along k times the same matrix is what the
 * (k+1)-th difference of its cofactors' tells. Here the lines go through a along a itself, where
 * the k-th derivative of the cofactors is (n−1)(n−2)…(n−k) times themselves. */
Test(linalg_det, cofactors_along_the_matrix_itself)
{
    Error err = {0};
    random_start(10);
    for (int64_t n = 2; n <= 6; n++) {
        Array *a = random_matrix(n, n, 0), *c = linalg_cofactor(a, &err);
        double factor = 1;
        for (int k = 1; k <= n; k++) {
            Array *part[6] = {a, a, a, a, a, a}, *along = array_stack(part, k, &err);
            Array *d = linalg_cofactor_along(a, along, &err);
            factor *= (double)(n - k);
            for (int64_t i = 0; i < n * n; i++)
                cr_assert_float_eq(array_floats(d)[i], factor * array_floats(c)[i], 1e-12 * 120,
                                   "%lld, %d", (long long)n, k);
            array_release(along);
            array_release(d);
        }
        array_release(a);
        array_release(c);
    }
}

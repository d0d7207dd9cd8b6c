#include "array/linalg/factor.h"

#include <math.h>

#include "array/linalg/matmul.h"

/* A header on the stack, for matmul_run. */
static Array operand(Matrix a, int64_t rows, int64_t columns)
{
    return (Array){.dtype = DT_FLOAT,
                   .rank = 2,
                   .size = rows * columns,
                   .data = (void *)(uintptr_t)a.data,
                   .dim = {rows, columns},
                   .stride = {a.row, a.column}};
}

/* c (m×n, rows c_row apart) -= a·b, whose inner size is k. */
static bool subtract_product(double *c, int64_t c_row, Matrix a, Matrix b, int64_t m, int64_t n,
                             int64_t k, Error *err)
{
    if (m == 0 || n == 0) return true;
    Array left = operand(a, m, k), right = operand(b, k, n);
    Array *product = matmul_run(&left, &right, err);
    if (!product) return false;
    const double *from = array_floats(product);
    for (int64_t i = 0; i < m; i++, c += c_row, from += n)
        for (int64_t j = 0; j < n; j++) c[j] -= from[j];
    array_release(product);
    return true;
}

/* ---- triangles ---- */

static void triangle_solve_base(const Triangle *t, int64_t n, double *b, int64_t row, int64_t m)
{
    for (int64_t step = 0; step < n; step++) {
        int64_t i = t->upper ? n - 1 - step : step;
        const double *line = t->at.data + i * t->at.row;
        double *to = b + i * row;
        for (int64_t p = 0; p < step; p++) {
            int64_t k = t->upper ? n - 1 - p : p;
            subtract_multiple(to, b + k * row, line[k * t->at.column], m);
        }
        double pivot = line[i * t->at.column];
        for (int64_t j = 0; !t->unit && j < m; j++) to[j] /= pivot;
    }
}

bool triangle_solve(const Triangle *t, int64_t n, double *b, int64_t row, int64_t m, Error *err)
{
    if (n <= FACTOR_BASE) {
        triangle_solve_base(t, n, b, row, m);
        return true;
    }
    int64_t half = n / 2, first = t->upper ? half : 0, next = half - first;
    int64_t known = t->upper ? n - half : half, rest = n - known;
    Triangle corner = *t, other = *t;
    corner.at = matrix_part(&t->at, first, first);
    other.at = matrix_part(&t->at, next, next);
    Matrix beside = matrix_part(&t->at, next, first), x = {b + first * row, row, 1};
    return triangle_solve(&corner, known, b + first * row, row, m, err) &&
           subtract_product(b + next * row, row, beside, x, rest, m, known, err) &&
           triangle_solve(&other, rest, b + next * row, row, m, err);
}

/* ---- LU ---- */

/* Of column j, from row j on: the first of largest magnitude. */
static int64_t find_pivot(const double *a, int64_t row, int64_t rows, int64_t j)
{
    int64_t best = j;
    for (int64_t i = j + 1; i < rows; i++)
        if (fabs(a[i * row + j]) > fabs(a[best * row + j])) best = i;
    return best;
}

static void factor_base(double *a, int64_t row, int64_t rows, int64_t columns, int64_t *pivot)
{
    for (int64_t j = 0; j < columns; j++) {
        pivot[j] = find_pivot(a, row, rows, j);
        double *line = a + j * row;
        if (pivot[j] != j) exchange(line, a + pivot[j] * row, columns);
        if (line[j] == 0) continue; /* so is everything below */
        for (int64_t i = j + 1; i < rows; i++) {
            double *to = a + i * row;
            to[j] /= line[j];
            subtract_multiple(to + j + 1, line + j + 1, to[j], columns - j - 1);
        }
    }
}

/* Exchanges rows as n pivots say, forwards or back again. */
static void apply_pivots(double *a, int64_t row, int64_t m, const int64_t *pivot, int64_t n,
                         bool back)
{
    for (int64_t step = 0; step < n; step++) {
        int64_t i = back ? n - 1 - step : step;
        if (pivot[i] != i) exchange(a + i * row, a + pivot[i] * row, m);
    }
}

/* rows ≥ columns; pivots count from the first of these rows. */
static bool factor(double *a, int64_t row, int64_t rows, int64_t columns, int64_t *pivot,
                   Error *err)
{
    if (columns <= FACTOR_BASE) {
        factor_base(a, row, rows, columns, pivot);
        return true;
    }
    int64_t half = columns / 2, rest = columns - half;
    double *right = a + half, *below = a + half * row, *corner = below + half;
    if (!factor(a, row, rows, half, pivot, err)) return false;
    apply_pivots(right, row, rest, pivot, half, false);
    Triangle lower = {.at = {a, row, 1}, .unit = true};
    if (!triangle_solve(&lower, half, right, row, rest, err) ||
        !subtract_product(corner, row, (Matrix){below, row, 1}, (Matrix){right, row, 1},
                          rows - half, rest, half, err) ||
        !factor(corner, row, rows - half, rest, pivot + half, err))
        return false;
    apply_pivots(below, row, half, pivot + half, rest, false);
    for (int64_t j = half; j < columns; j++) pivot[j] += half;
    return true;
}

bool lu_factor(double *a, int64_t n, int64_t *pivot, Error *err)
{
    return factor(a, n, n, n, pivot, err);
}

bool lu_solve(const double *lu, const int64_t *pivot, int64_t n, bool transposed, double *b,
              int64_t m, Error *err)
{
    Triangle lower = {.at = {lu, n, 1}, .unit = true}, upper = {.at = {lu, n, 1}, .upper = true};
    if (!transposed) {
        apply_pivots(b, m, m, pivot, n, false);
        return triangle_solve(&lower, n, b, m, m, err) && triangle_solve(&upper, n, b, m, m, err);
    }
    triangle_transpose(&upper);
    triangle_transpose(&lower);
    if (!triangle_solve(&upper, n, b, m, m, err) || !triangle_solve(&lower, n, b, m, m, err))
        return false;
    apply_pivots(b, m, m, pivot, n, true);
    return true;
}

/* ---- Cholesky ---- */

static void cholesky_base(double *a, int64_t row, int64_t n, int64_t *failed)
{
    for (int64_t j = 0; j < n; j++) {
        double *line = a + j * row;
        if (!(line[j] > 0)) {
            *failed = j + 1;
            return;
        }
        double pivot = line[j] = sqrt(line[j]);
        for (int64_t k = j + 1; k < n; k++) line[k] /= pivot;
        for (int64_t i = j + 1; i < n; i++)
            subtract_multiple(a + i * row + i, line + i, line[i], n - i);
    }
}

bool cholesky_factor(double *a, int64_t row, int64_t n, int64_t *failed, Error *err)
{
    *failed = 0;
    if (n <= FACTOR_BASE) {
        cholesky_base(a, row, n, failed);
        return true;
    }
    int64_t half = n / 2, rest = n - half;
    if (!cholesky_factor(a, row, half, failed, err)) return false;
    if (*failed) return true;
    Triangle lower = {.at = {a, 1, row}};
    Matrix beside = {a + half, row, 1};
    double *corner = a + half * row + half;
    if (!triangle_solve(&lower, half, a + half, row, rest, err) ||
        !subtract_product(corner, row, matrix_transposed(&beside), beside, rest, rest, half, err) ||
        !cholesky_factor(corner, row, rest, failed, err))
        return false;
    if (*failed) *failed += half;
    return true;
}

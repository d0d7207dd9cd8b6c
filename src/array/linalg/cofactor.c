#include "array/linalg/cofactor.h"

#include <string.h>

#include "array/linalg/factor.h"
#include "array/linalg/scaled.h"
#include "base/interrupt.h"
#include "base/mem.h"

/* ---- rook pivoting ---- */

/* The first largest of n elements, or a NaN. */
static int64_t find_largest(const double *a, int64_t step, int64_t n)
{
    int64_t best = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(a[i * step])) return i;
        if (fabs(a[i * step]) > fabs(a[best * step])) best = i;
    }
    return best;
}

/* An element from [k, k] on that none in its row or column exceeds; false if all are 0. */
static bool find_pivot(const double *a, int64_t n, int64_t k, int64_t *row, int64_t *column)
{
    double before = 0, now = 0;
    for (*column = k; *column < n; ++*column) {
        *row = k + find_largest(a + k * n + *column, n, n - k);
        now = fabs(a[*row * n + *column]);
        if (now != 0) break;
    }
    while (now > before) {
        before = now;
        *column = k + find_largest(a + *row * n + k, 1, n - k);
        *row = k + find_largest(a + k * n + *column, n, n - k);
        now = fabs(a[*row * n + *column]);
    }
    return now != 0;
}

static void exchange_numbers(int64_t *list, int64_t i, int64_t j, bool *odd)
{
    int64_t kept = list[i];
    list[i] = list[j];
    list[j] = kept;
    *odd ^= i != j;
}

static void bring_to_corner(double *a, int64_t n, int64_t k, int64_t row, int64_t column)
{
    if (row != k) exchange(a + k * n, a + row * n, n);
    for (int64_t i = 0; column != k && i < n; i++) {
        double kept = a[i * n + k];
        a[i * n + k] = a[i * n + column];
        a[i * n + column] = kept;
    }
}

/* What is left is less the product of column k, divided by the pivot, and row k. */
static void eliminate(double *a, int64_t n, int64_t k, double *negative)
{
    double *line = a + k * n, pivot = line[k];
    int64_t left = n - k - 1;
    for (int64_t i = 0; i < left; i++) {
        double *to = &a[(k + 1 + i) * n + k];
        *to /= pivot;
        negative[i] = -*to;
    }
    Matrix column = {negative, 1, 1}, row = {line + k + 1, n, 1};
    if (left > 0)
        simd_matmul(simd_level())->direct(left, left, 1, &column, &row, line + n + k + 1, n, true);
    for (int64_t j = k + 1; j < n; j++) line[j] /= pivot;
}

bool rook_factor(double *a, int64_t n, int64_t *rows, int64_t *columns, bool *odd, int64_t *rank,
                 double *spare, Error *err)
{
    *odd = false;
    *rank = 0;
    for (int64_t i = 0; i < n; i++) rows[i] = columns[i] = i;
    for (int64_t k = 0; k < n; k++) {
        int64_t i, j;
        if (!interrupt_poll(err)) return false;
        if (!find_pivot(a, n, k, &i, &j)) break;
        bring_to_corner(a, n, k, i, j);
        exchange_numbers(rows, k, i, odd);
        exchange_numbers(columns, k, j, odd);
        eliminate(a, n, k, spare);
        *rank = k + 1;
    }
    return true;
}

/* ---- derivatives at a diagonal matrix ---- */

/* det(D + Σ tᵢ Fᵢ) has the coefficient Σ over sets S of (product of D outside S) · (coefficient of
 * det(Σ tᵢ Fᵢ) on S) at t₁…tₘ. The last F is what out is multiplied with. */
typedef struct {
    int64_t n;
    int k;       /* matrices F */
    double *f;   /* k of n×n */
    Scaled *d;   /* D's diagonal */
    Scaled *end; /* products of D from i on; n + 1 of them */
    double *out;
    int64_t set[MOST_ALONG + 1]; /* S, in ascending order */
    int skipped;                 /* the position in S of the row that the last F gives */
    double *lu, *other;          /* the factored matrix, and room for another */
    int64_t *rows, *columns;     /* as rook_factor gives them */
    bool odd;
    void *block;
    size_t bytes;
    Error *err;
} Work;

/* The coefficient of the product of all tᵢ, i in matrices, in det(Σ tᵢ Fᵢ) on the rows of S from
 * position row on and on the given columns; by the first row. */
static double mixed(const Work *w, int row, unsigned columns, unsigned matrices)
{
    if (!matrices) return 1;
    if (row == w->skipped) row++;
    double sum = 0;
    for (unsigned left = matrices; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        const double *line = w->f + (i * w->n + w->set[row]) * w->n;
        double sign = 1;
        for (unsigned rest = columns; rest; rest &= rest - 1, sign = -sign) {
            double factor = line[w->set[__builtin_ctz(rest)]];
            if (factor == 0) continue;
            sum += sign * factor *
                   mixed(w, row + 1, columns & ~(rest & -rest), matrices & ~(left & -left));
        }
    }
    return sum;
}

static void add_minors(Work *w, double product)
{
    unsigned all = (1u << w->k) - 1, columns = (2u << w->k) - 1;
    for (int i = 0; i <= w->k; i++) {
        w->skipped = i;
        for (int j = 0; j <= w->k; j++) {
            double minor = mixed(w, 0, columns & ~(1u << j), all);
            w->out[w->set[i] * w->n + w->set[j]] +=
                (i + j) % 2 ? -product * minor : product * minor;
        }
    }
}

/* All sets that continue the first chosen elements of S with elements from `from` on; product is
 * that of D before from and outside S. */
static bool add_sets(Work *w, int chosen, int64_t from, Scaled product)
{
    if (chosen > w->k) {
        product = scaled_times(product, w->end[from]);
        if (product.m != 0) add_minors(w, scaled_value(product));
        return true;
    }
    if (!interrupt_poll(w->err)) return false;
    for (int64_t i = from; i < w->n - (w->k - chosen) && product.m != 0; i++) {
        w->set[chosen] = i;
        if (!add_sets(w, chosen + 1, i + 1, product)) return false;
        product = scaled_times(product, w->d[i]);
    }
    return true;
}

/* ---- any matrix ---- */

static bool work_start(Work *w, int64_t n, int k, double *out, Error *err)
{
    int64_t square = n * n;
    *w = (Work){.n = n, .k = k, .out = out, .err = err};
    w->bytes = (size_t)((k + 2) * square + 6 * n + 2) * sizeof(double);
    w->block = block_try(w->bytes, true);
    if (!w->block) return error_set(err, ERR_MEMORY, "out of memory for the cofactors of a matrix");
    w->d = w->block;
    w->end = w->d + n;
    w->rows = (int64_t *)(w->end + n + 1);
    w->columns = w->rows + n;
    w->lu = (double *)(w->columns + n);
    w->other = w->lu + square;
    w->f = w->other + square;
    return true;
}

static bool work_factor(Work *w, const double *a)
{
    int64_t n = w->n, rank;
    memcpy(w->lu, a, (size_t)(n * n) * sizeof *a);
    if (!rook_factor(w->lu, n, w->rows, w->columns, &w->odd, &rank, w->other, w->err)) return false;
    for (int64_t i = 0; i < n; i++) w->d[i] = scaled_of(w->lu[i * n + i]);
    w->end[n] = scaled_of(1);
    for (int64_t i = n - 1; i >= 0; i--) w->end[i] = scaled_times(w->d[i], w->end[i + 1]);
    return true;
}

static void transpose_into(double *to, const double *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) to[i * n + j] = from[j * n + i];
}

/* m becomes left⁻¹ · m · right⁻ᵀ. */
static bool between(Work *w, const Triangle *left, const Triangle *right, double *m)
{
    int64_t n = w->n;
    if (!triangle_solve(left, n, m, n, n, w->err)) return false;
    transpose_into(w->other, m, n);
    if (!triangle_solve(right, n, w->other, n, n, w->err)) return false;
    transpose_into(m, w->other, n);
    return true;
}

/* f, which holds E, becomes F = L⁻¹ · E · U⁻¹, with E's rows and columns as they are in the
 * factors. */
static bool bring_in(Work *w, double *f)
{
    int64_t n = w->n;
    Triangle lower = {.at = {w->lu, n, 1}, .unit = true};
    Triangle upper = {.at = {w->lu, 1, n}, .unit = true};
    memcpy(w->other, f, (size_t)(n * n) * sizeof *f);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) f[i * n + j] = w->other[w->rows[i] * n + w->columns[j]];
    return between(w, &lower, &upper, f);
}

/* out = ± P · (L⁻ᵀ · out · U⁻ᵀ) · Qᵀ */
static bool bring_back(Work *w)
{
    int64_t n = w->n;
    Triangle lower = {.at = {w->lu, 1, n}, .upper = true, .unit = true};
    Triangle upper = {.at = {w->lu, n, 1}, .upper = true, .unit = true};
    if (!between(w, &lower, &upper, w->out)) return false;
    memcpy(w->other, w->out, (size_t)(n * n) * sizeof *w->out);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double c = w->other[i * n + j];
            w->out[w->rows[i] * n + w->columns[j]] = w->odd ? -c : c;
        }
    }
    return true;
}

static bool along_factored(Work *w, const double *a)
{
    int64_t n = w->n, square = n * n;
    if (!work_factor(w, a)) return false;
    for (int i = 0; i < w->k; i++)
        if (!bring_in(w, w->f + i * square)) return false;
    return add_sets(w, 0, 0, scaled_of(1)) && bring_back(w);
}

/* det is a polynomial of degree n, so its n-th derivative does not depend on where it is taken.
 * When a itself is the direction that lacks, that is the lower derivative times `missing`
 * factorial, and small matrices are exact as long as their elements are small Ints. */
static bool along_highest(Work *w, const double *a, int missing)
{
    int64_t n = w->n, square = n * n;
    for (int i = 0; i < missing; i++)
        memcpy(w->f + (w->k - missing + i) * square, a, (size_t)square * sizeof *a);
    w->end[n] = scaled_of(1);
    if (!add_sets(w, 0, 0, scaled_of(1))) return false;
    for (int64_t i = 0; missing == 2 && i < square; i++) w->out[i] *= 0.5;
    return true;
}

bool cofactor_along(const double *a, const double *along, int64_t step, int k, int64_t n,
                    double *out, Error *err)
{
    if (n == 0) return true;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    if (k >= n) return true;
    int missing = k + 1 == n || n <= 3 ? (int)n - 1 - k : -1;
    if (k > MOST_ALONG)
        return error_set(err, ERR_DEPTH, "det has derivatives up to order %d", MOST_ALONG + 1);
    Work w;
    if (!work_start(&w, n, k + (missing > 0 ? missing : 0), out, err)) return false;
    for (int i = 0; i < k; i++)
        memcpy(w.f + i * n * n, along + i * step, (size_t)(n * n) * sizeof *along);
    bool ok = missing >= 0 ? along_highest(&w, a, missing) : along_factored(&w, a);
    block_free(w.block, w.bytes);
    return ok;
}

/* The matrix product to the bit: for any shape, stride and path one chain of fused multiply-adds
 * per element, in pieces of 256. */
#include <criterion/criterion.h>
#include <math.h>

#include "array/linalg/matmul.h"
#include "array/simd/simd.h"
#include "array_support.h"

TestSuite(matmul, .fini = expect_nothing_alive);

enum { DEPTH = 256 };

static double at(const Array *a, int64_t i, int64_t j)
{
    return array_floats(a)[i * a->stride[a->rank - 2] + j * a->stride[a->rank - 1]];
}

/* What the header promises, written plainly. */
static double reference(const Array *a, const Array *b, int64_t i, int64_t j)
{
    int64_t k = a->dim[1];
    double total = 0;
    for (int64_t first = 0; first < k; first += DEPTH) {
        double sum = 0;
        for (int64_t p = first; p < k && p < first + DEPTH; p++)
            sum = fma(at(a, i, p), at(b, p, j), sum);
        total = first == 0 ? sum : total + sum;
    }
    return total;
}

static bool same(double x, double y)
{
    return (x != x && y != y) || (x == y && signbit(x) == signbit(y));
}

static void expect_product(const Array *a, const Array *b)
{
    Error err = {0};
    Array *c = matmul_run(a, b, &err);
    cr_assert(c && c->rank == 2 && c->dim[0] == a->dim[0] && c->dim[1] == b->dim[1]);
    for (int64_t i = 0; i < c->dim[0]; i++) {
        for (int64_t j = 0; j < c->dim[1]; j++) {
            double want = reference(a, b, i, j);
            if (same(at(c, i, j), want)) continue;
            cr_expect_fail("%lld×%lld×%lld at %lld, %lld: %a, want %a", (long long)a->dim[0],
                           (long long)b->dim[1], (long long)a->dim[1], (long long)i, (long long)j,
                           at(c, i, j), want);
            array_release(c);
            return;
        }
    }
    array_release(c);
}

/* rows × columns numbers between −1 and 1, in one of several layouts. */
static Array *matrix(int64_t rows, int64_t columns, int layout)
{
    Error err = {0};
    bool turned = layout & 1;
    int64_t step = layout & 2 ? 2 : 1;
    Shape s = {2, {(turned ? columns : rows) * step, (turned ? rows : columns) * step}};
    Array *a = random_uniform(&s);
    for (int64_t i = 0; i < a->size; i++) array_floats(a)[i] = 2 * array_floats(a)[i] - 1;
    Array *view = array_transpose(a, turned ? (int[]){1, 0} : (int[]){0, 1});
    array_release(a);
    view->dim[0] = rows;
    view->dim[1] = columns;
    for (int k = 0; k < 2; k++) view->stride[k] *= step;
    array_update_layout(view);
    cr_assert_eq(err.kind, ERR_NONE);
    return view;
}

static void expect_size(int64_t m, int64_t n, int64_t k)
{
    for (int layout = 0; layout < 16; layout += 1 + (m * n * k > 100000) * 4) {
        Array *a = matrix(m, k, layout & 3), *b = matrix(k, n, layout >> 2);
        expect_product(a, b);
        array_release(a);
        array_release(b);
    }
}

Test(matmul, every_small_shape)
{
    random_start(31);
    for (int64_t m = 1; m <= 9; m++) {
        for (int64_t n = 1; n <= 9; n++) {
            for (int64_t k = 1; k <= 6; k++) expect_size(m, n, k);
        }
    }
}

Test(matmul, random_shapes)
{
    random_start(32);
    for (int round = 0; round < 60; round++) {
        expect_size(1 + random_below(70), 1 + random_below(70), 1 + random_below(70));
    }
}

/* Around the borders of tiles, blocks and paths. */
Test(matmul, large_shapes)
{
    random_start(33);
    const int64_t sizes[][3] = {{97, 101, 257},  {96, 96, 256},  {100, 17, 600}, {3, 500, 300},
                                {500, 3, 300},   {1, 300, 700},  {300, 1, 700},  {9, 1030, 260},
                                {193, 130, 513}, {2, 2, 1025},   {8, 200, 300},  {12, 1100, 5},
                                {4, 1025, 129},  {200, 8, 1000}, {5, 97, 97}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        expect_size(sizes[i][0], sizes[i][1], sizes[i][2]);
    }
}

/* ---- every level ---- */

static void expect_levels_agree(int64_t m, int64_t n, int64_t k)
{
    Array *a = matrix(m, k, 0), *b = matrix(k, n, 0), *c = matrix(m, n, 0), *d = matrix(m, n, 0);
    Matrix left = {array_floats(a), k, 1}, right = {array_floats(b), n, 1};
    simd_matmul(SIMD_SCALAR)->direct(m, n, k, &left, &right, array_floats(c), n, false);
    for (int level = SIMD_AVX2; level < SIMD_LEVELS; level++) {
        if (!simd_supported((SimdLevel)level)) continue;
        simd_matmul((SimdLevel)level)->direct(m, n, k, &left, &right, array_floats(d), n, false);
        cr_expect(arrays_same(c, d), "level %d", level);
    }
    array_release(a);
    array_release(b);
    array_release(c);
    array_release(d);
}

static void expect_tile(SimdLevel level)
{
    enum { MOST = 12 * 16, K = 50 };
    const MatmulKernel *kernel = simd_matmul(level);
    Array *a = matrix(kernel->rows, K, 1), *b = matrix(K, kernel->columns, 2);
    double left[K * 12], right[K * 16], c[MOST] = {0};
    kernel->pack_a(left, &(Matrix){array_floats(a), a->stride[0], a->stride[1]}, kernel->rows, K);
    kernel->pack_b(right, &(Matrix){array_floats(b), b->stride[0], b->stride[1]}, kernel->columns,
                   K);
    kernel->tile(K, left, right, c, kernel->columns, true);
    for (int64_t i = 0; i < kernel->rows; i++) {
        for (int64_t j = 0; j < kernel->columns; j++) {
            cr_expect(same(c[i * kernel->columns + j], reference(a, b, i, j)));
        }
    }
    array_release(a);
    array_release(b);
}

Test(matmul, every_level_gives_the_same)
{
    random_start(34);
    for (int round = 0; round < 40; round++) {
        expect_levels_agree(1 + random_below(20), 1 + random_below(40), 1 + random_below(30));
    }
    for (int level = 0; level < SIMD_LEVELS; level++) {
        if (simd_supported((SimdLevel)level)) expect_tile((SimdLevel)level);
    }
}

/* ---- vectors, batches, Ints ---- */

static Array *slice(const Array *a, int64_t i)
{
    Array *view = array_view(a);
    view->rank = 2;
    view->data = array_floats(a) + i * a->stride[0];
    for (int k = 0; k < 2; k++) {
        view->dim[k] = a->dim[k + 1];
        view->stride[k] = a->stride[k + 1];
    }
    array_update_layout(view);
    return view;
}

static void expect_batch(const Array *a, const Array *b)
{
    Error err = {0};
    Array *c = matmul_run(a, b, &err);
    cr_assert(c && c->rank == 3);
    for (int64_t i = 0; i < c->dim[0]; i++) {
        Array *x = a->rank == 3 ? slice(a, a->dim[0] == 1 ? 0 : i) : array_view(a);
        Array *y = b->rank == 3 ? slice(b, b->dim[0] == 1 ? 0 : i) : array_view(b);
        Array *want = matmul_run(x, y, &err), *got = slice(c, i);
        cr_expect(arrays_same(want, got));
        array_release(x);
        array_release(y);
        array_release(want);
        array_release(got);
    }
    array_release(c);
}

Test(matmul, batches)
{
    random_start(35);
    Shape s = shape_make(3, 4, 5, 6), t = shape_make(3, 4, 6, 7), one = shape_make(3, 1, 6, 7);
    Shape flat = shape_make(2, 6, 7), left = shape_make(2, 5, 6);
    Array *a = random_uniform(&s), *b = random_uniform(&t), *c = random_uniform(&one);
    Array *d = random_uniform(&flat), *e = random_uniform(&left);
    expect_batch(a, b);
    expect_batch(a, c);
    expect_batch(a, d);
    expect_batch(e, b);
    Array *turned = array_transpose(b, (int[]){0, 2, 1});
    Array *back = array_transpose(a, (int[]){0, 2, 1});
    expect_batch(turned, back);
    Array *all[] = {a, b, c, d, e, turned, back};
    for (int i = 0; i < 7; i++) array_release(all[i]);
}

static void expect_shape(Shape a, Shape b, Shape want)
{
    Error err = {0};
    Shape got;
    cr_expect(matmul_shape(&a, &b, &got, &err) && shape_equal(&got, &want), "%s @ %s",
              shape_text(&a), shape_text(&b));
    Array *x = random_uniform(&a), *y = random_uniform(&b), *z = matmul_run(x, y, &err);
    cr_assert(z);
    Shape made = shape_of(z);
    cr_expect(shape_equal(&made, &want));
    for (int64_t i = 0; i < z->size && a.dim[a.rank - 1] == 0; i++)
        cr_expect_eq(array_floats(z)[i], 0);
    array_release(x);
    array_release(y);
    array_release(z);
}

Test(matmul, shapes)
{
    random_start(36);
    expect_shape(shape_make(1, 3), shape_make(1, 3), shape_make(0));
    expect_shape(shape_make(2, 2, 3), shape_make(1, 3), shape_make(1, 2));
    expect_shape(shape_make(1, 3), shape_make(2, 3, 4), shape_make(1, 4));
    expect_shape(shape_make(2, 2, 0), shape_make(2, 0, 3), shape_make(2, 2, 3));
    expect_shape(shape_make(1, 0), shape_make(1, 0), shape_make(0));
    expect_shape(shape_make(2, 0, 3), shape_make(2, 3, 4), shape_make(2, 0, 4));
    expect_shape(shape_make(3, 5, 2, 3), shape_make(1, 3), shape_make(2, 5, 2));
    expect_shape(shape_make(1, 3), shape_make(3, 5, 3, 2), shape_make(2, 5, 2));
    expect_shape(shape_make(4, 2, 1, 2, 3), shape_make(3, 4, 3, 5), shape_make(4, 2, 4, 2, 5));
    expect_shape(shape_make(3, 0, 2, 3), shape_make(2, 3, 4), shape_make(3, 0, 2, 4));
}

static void expect_shape_error(Shape a, Shape b, const char *message)
{
    Error err = {0};
    Shape out;
    cr_expect_not(matmul_shape(&a, &b, &out, &err));
    cr_expect_str_eq(err.message, message);
    error_clear(&err);
}

Test(matmul, shape_errors)
{
    expect_shape_error(shape_make(2, 4, 5), shape_make(2, 6, 3),
                       "matrix product of 4×5 and 6×3: inner sizes 5 and 6 differ");
    expect_shape_error(shape_make(1, 4), shape_make(1, 6),
                       "matrix product of a vector of 4 and a vector of 6: inner sizes 4 and 6 "
                       "differ");
    expect_shape_error(shape_make(3, 2, 4, 5), shape_make(3, 3, 5, 2),
                       "matrix product of 2×4×5 and 3×5×2: leading sizes 2 and 3 differ");
    expect_shape_error(shape_make(0), shape_make(1, 6),
                       "matrix product of a number: use * to scale");
}

Test(matmul, ints)
{
    Error err = {0};
    Shape s = shape_make(2, 2, 2);
    Array *a = ints_make(&s, (int64_t[]){1, 2, 3, 4}), *b = ints_make(&s, (int64_t[]){5, 6, 7, 8});
    Array *c = matmul_run(a, b, &err), *want = ints_make(&s, (int64_t[]){19, 22, 43, 50});
    cr_expect(arrays_same(c, want));
    array_ints(a)[0] = INT64_MAX;
    cr_expect_null(matmul_run(a, b, &err));
    expect_error(&err, ERR_MATH, "Int overflow");
    array_release(a);
    array_release(b);
    array_release(c);
    array_release(want);
}

/* NaN and infinity go through the chain like any number: nothing is skipped. */
Test(matmul, special_values)
{
    Error err = {0};
    Shape s = shape_make(2, 1, 2), t = shape_make(2, 2, 1);
    Array *a = floats_make(&s, (double[]){0, 1}), *b = floats_make(&t, (double[]){INFINITY, 1});
    Array *c = matmul_run(a, b, &err);
    cr_expect(isnan(array_floats(c)[0]));
    array_release(a);
    array_release(b);
    array_release(c);
}

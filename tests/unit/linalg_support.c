#include "linalg_support.h"

#include <criterion/criterion.h>
#include <math.h>

#include "array/linalg/linalg.h"
#include "array/linalg/matmul.h"
#include "array_support.h"

Array *random_matrix(int64_t rows, int64_t columns, double diagonal)
{
    Array *a = random_uniform(&(Shape){2, {rows, columns}});
    for (int64_t i = 0; i < a->size; i++) array_floats(a)[i] = 2 * array_floats(a)[i] - 1;
    for (int64_t i = 0; i < rows && i < columns; i++)
        array_floats(a)[i * (columns + 1)] += diagonal;
    return a;
}

Array *turned(const Array *a)
{
    return array_transpose(a, (int[]){1, 0});
}

Array *product(const Array *a, const Array *b)
{
    Error err = {0};
    Array *c = matmul_run(a, b, &err);
    cr_assert_not_null(c);
    return c;
}

double at(const Array *a, int64_t i, int64_t j)
{
    return array_floats(a)[i * a->stride[0] + j * a->stride[1]];
}

double largest(const Array *a)
{
    double most = 0;
    for (int64_t i = 0; i < a->size; i++) most = fmax(most, fabs(array_float_at(a, i)));
    return most;
}

double largest_gap(const Array *a, const Array *b)
{
    double most = 0;
    for (int64_t i = 0; i < a->size; i++)
        most = fmax(most, fabs(array_float_at(a, i) - array_float_at(b, i)));
    return most;
}

Array *matrix_of_rank(int64_t n, int64_t rank)
{
    Error err = {0};
    Array *a = array_zeros(DT_FLOAT, &(Shape){2, {n, n}}, &err);
    for (int64_t k = 0; k < rank; k++) {
        double row[8], column[8];
        for (int64_t i = 0; i < n; i++) {
            row[i] = (double)random_below(7) - 3;
            column[i] = (double)random_below(7) - 3;
        }
        for (int64_t i = 0; i < n * n; i++) array_floats(a)[i] += row[i / n] * column[i % n];
    }
    return a;
}

double det_of(Array *a)
{
    Error err = {0};
    Array *d = linalg_det(a, &err);
    cr_assert(d && d->rank == 0);
    double det = array_floats(d)[0];
    array_release(d);
    return det;
}

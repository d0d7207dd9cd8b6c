/* Kernels of linear algebra: arrays alone, which array/linalg/linalg.h checks. */
#include "array/linalg/linalg.h"
#include "ops/kernels.h"

static bool give(Value *out, Array *result)
{
    *out = value_from_array_take(result);
    return result != NULL;
}

KERNEL(solve)
{
    (void)row, (void)n;
    Array scratch[2];
    Array *a = value_operand(&in[0], &scratch[0]), *b = value_operand(&in[1], &scratch[1]);
    return give(out, linalg_solve(a, b, attr && attr->transposed, err));
}

KERNEL(inv)
{
    (void)row, (void)n, (void)attr;
    Array scratch;
    return give(out, linalg_inv(value_operand(&in[0], &scratch), err));
}

KERNEL(det)
{
    (void)row, (void)n, (void)attr;
    Array scratch;
    return give(out, linalg_det(value_operand(&in[0], &scratch), err));
}

KERNEL(cholesky)
{
    (void)row, (void)n, (void)attr;
    Array scratch;
    return give(out, linalg_cholesky(value_operand(&in[0], &scratch), err));
}

KERNEL(cofactor)
{
    (void)row, (void)n, (void)attr;
    Array scratch;
    return give(out, linalg_cofactor(value_operand(&in[0], &scratch), err));
}

KERNEL(cofactor_along)
{
    (void)row, (void)n, (void)attr;
    Array scratch[2];
    Array *a = value_operand(&in[0], &scratch[0]), *along = value_operand(&in[1], &scratch[1]);
    return give(out, linalg_cofactor_along(a, along, err));
}

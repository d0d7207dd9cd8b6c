/* The kernels of the operation table: from Values to the array floor and back. */
#ifndef OPS_KERNELS_H
#define OPS_KERNELS_H

#include "ops/op.h"

#define KERNEL(name)                                                                               \
    bool kernel_##name(const OpRow *row, const Value *in, int n, const OpAttr *attr, Value *out,   \
                       Error *err)

KERNEL(elementwise); /* detail: an Elementwise; or attr->program */
KERNEL(reduce);      /* detail: a Reduction */
KERNEL(arg);         /* detail: a Reduction */
KERNEL(moment);      /* detail: a Moment */
KERNEL(scales);
KERNEL(share);
KERNEL(exp_minus);
KERNEL(exp_rest);
KERNEL(scan); /* detail: a Scan */
KERNEL(others);
KERNEL(matmul);
/* kernels_linalg.c */
KERNEL(solve);
KERNEL(inv);
KERNEL(det);
KERNEL(cholesky);
KERNEL(cofactor);
KERNEL(cofactor_along);
KERNEL(reshape);
KERNEL(transpose);
KERNEL(broadcast);
KERNEL(concat);
KERNEL(stack);
KERNEL(index);
KERNEL(argsort);
KERNEL(none); /* fails: the row is applied by op_eval_update */

#endif

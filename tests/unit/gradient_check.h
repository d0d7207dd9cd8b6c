/* Checks derivatives by random projection: one number <w, J v> instead of a whole Jacobian.
 *
 * A Function maps a tuple of numbers and arrays to another value through op_apply and its kin. Its
 * derivatives are Functions again: the reverse one takes (x, w) to Jᵀ w, the forward one (x, u) to
 * J u. So one check of first derivatives, in reverse mode, in forward mode and against differences,
 * is also a check of the second ones when it is given a derivative. */
#ifndef TESTS_GRADIENT_CHECK_H
#define TESTS_GRADIENT_CHECK_H

#include "ad/ad.h"

typedef struct Function Function;
struct Function {
    const char *name;
    /* *y is owned by the caller; x is a tuple, perhaps tracked. */
    bool (*call)(Ad *ad, const Function *self, Value x, Value *y);
    const Function *inner; /* what a derivative is the derivative of */
    const void *context;
};

/* (x, w) -> the gradient of <w, f(x)>. */
Function reverse_derivative(const Function *f);
/* (x, u) -> the derivative of f at x in direction u. */
Function forward_derivative(const Function *f);

typedef struct {
    double worst;    /* the largest gap between two of the three, relative */
    char where[160]; /* which two, and both values */
} CheckResult;

/* Compares both modes with each other and with differences at the tuple x, in random directions. */
CheckResult check_derivative(const Function *f, Value x);
/* That, and the same for the reverse and the forward derivative of f: all four second ones. */
CheckResult check_both_orders(const Function *f, Value x);

/* What check_derivative is held to. The gap is relative to the larger value, or to 0.1. */
#define CHECK_TOLERANCE 1e-7

/* Uniform in [lo, hi). */
double random_between(double lo, double hi);
/* A structure like v, its Floats uniform in [−1, 1); none for what is not Float. */
Value random_like(Ad *ad, Value v);
/* The sum of the products of the Floats of two structures. */
double inner_product(Value a, Value b);

#endif

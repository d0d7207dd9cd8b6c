/* The cheap Float functions of the elementwise table, one element at a time: inline, so that loops
 * over them are vectorised, and exact or rounded once, so that every width gives the same bits. */
#ifndef ARRAY_ELEMENTWISE_FLOAT_OPS_H
#define ARRAY_ELEMENTWISE_FLOAT_OPS_H

#include <math.h>

/* NaN wins; the zeros are ordered −0 < +0, so that the order of the operands never matters. */
static inline double float_max(double x, double y)
{
    return x > y ? x : x < y ? y : ((x == y) & (x != 0)) ? x : x + y;
}

static inline double float_min(double x, double y)
{
    return x < y ? x : x > y ? y : ((x == y) & (x != 0)) ? x : -(-x + -y);
}

/* Keeps NaN and the sign of zero. */
static inline double float_sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* x y, where an exact 0 times an infinity or NaN is 0. */
static inline double float_mul_no_nan(double x, double y)
{
    double product = x * y;
    return product != product && ((x == 0) | (y == 0)) ? 0 : product;
}

/* x · 1/y by the same rule. */
static inline double float_div_no_nan(double x, double y)
{
    double quotient = x / y;
    return quotient != quotient && ((x == 0) | (fabs(y) == INFINITY)) ? 0 : quotient;
}

/* x − trunc(x/y) y, exactly. While the quotient has a last place below 1, it is trunc(x/y) or,
 * having been rounded up to an integer, one further from 0; x − quotient y is representable for
 * both, so fma gives it exactly. */
static inline double float_remainder(double x, double y)
{
    double quotient = trunc(x / y);
    if (!(fabs(quotient) < 0x1p52 && fabs(y) < INFINITY)) return fmod(x, y);
    double r = fma(-quotient, y, x);
    return r != 0 && (r < 0) != (x < 0) ? r + copysign(y, x) : r;
}

/* The remainder with the sign of y: x − ⌊x/y⌋ y, exact but for one rounding where the signs differ.
 */
static inline double float_mod(double x, double y)
{
    double r = float_remainder(x, y);
    if (r == 0) return copysign(0, y);
    return (r < 0) != (y < 0) && r == r ? r + y : r;
}

/* ⌊x/y⌋ such that x = ⌊x/y⌋ y + x mod y up to rounding: from the remainder, because x/y may round
 * up to the next integer. */
static inline double float_floordiv(double x, double y)
{
    if (y == 0 || x != x || y != y) return x / y;
    double r = float_remainder(x, y);
    double quotient = (x - r) / y;
    if (r != 0 && (r < 0) != (y < 0)) quotient -= 1;
    if (quotient == 0) return copysign(0, x / y);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

#endif

/* Products whose factors go further than a Float's exponents: m · 2ᵉ, with m in [½, 1) or 0, or
 * infinite or NaN. */
#ifndef ARRAY_LINALG_SCALED_H
#define ARRAY_LINALG_SCALED_H

#include <math.h>
#include <stdint.h>

typedef struct {
    double m;
    int64_t e;
} Scaled;

static inline Scaled scaled_of(double x)
{
    int e = 0;
    double m = isfinite(x) ? frexp(x, &e) : x;
    return (Scaled){m, e};
}

static inline Scaled scaled_times(Scaled a, Scaled b)
{
    Scaled product = scaled_of(a.m * b.m);
    product.e += a.e + b.e;
    return product;
}

static inline double scaled_value(Scaled a)
{
    enum { FAR = 4000 }; /* over- or underflows, whatever m is */
    int64_t e = a.e > FAR ? FAR : a.e < -FAR ? -FAR : a.e;
    return ldexp(a.m, (int)e);
}

#endif

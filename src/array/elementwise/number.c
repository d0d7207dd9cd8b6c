/* The elementwise functions on numbers. */
#include <math.h>

#include "array/elementwise/elementwise.h"
#include "array/elementwise/float_ops.h"
#include "array/simd/simd.h"

/* A function with no shorter way: its loop, once. */
static double run_once(Elementwise f, const double *x, const double *y)
{
    union {
        double f;
        int64_t i;
        bool b;
    } out;
    simd_loop(simd_level(), f, DT_FLOAT)(x, y, NULL, &out, 1);
    DType t = elementwise_type(f, (DType[]){DT_FLOAT, DT_FLOAT, DT_FLOAT});
    return t == DT_FLOAT ? out.f : t == DT_INT ? (double)out.i : (double)out.b;
}

double elementwise_float1(Elementwise f, double x)
{
    double (*function)(double) = simd_numbers(simd_level())->one[f];
    if (function) return function(x);
    switch (f) {
    case EW_SQRT: return sqrt(x);
    case EW_NEG: return -x;
    case EW_ABS: return fabs(x);
    case EW_SIGN: return float_sign(x);
    case EW_POS:
    case EW_TO_FLOAT: return x;
    case EW_FLOOR: return floor(x);
    case EW_CEIL: return ceil(x);
    case EW_ROUND: return nearbyint(x);
    case EW_TRUNC:
    case EW_TO_INT: return trunc(x);
    default: return run_once(f, &x, NULL);
    }
}

double elementwise_float2(Elementwise f, double x, double y)
{
    double (*function)(double, double) = simd_numbers(simd_level())->two[f];
    if (function) return function(x, y);
    switch (f) {
    case EW_ADD: return x + y;
    case EW_SUB: return x - y;
    case EW_MUL: return x * y;
    case EW_DIV: return x / y;
    case EW_MAX: return float_max(x, y);
    case EW_MIN: return float_min(x, y);
    case EW_MUL_NO_NAN: return float_mul_no_nan(x, y);
    case EW_DIV_NO_NAN: return float_div_no_nan(x, y);
    case EW_MOD: return float_mod(x, y);
    case EW_FLOORDIV: return float_floordiv(x, y);
    default: return run_once(f, &x, &y);
    }
}

void elementwise_add_into(Array *to, const Array *v)
{
    simd_loop(simd_level(), EW_ADD, DT_FLOAT)(to->data, v->data, NULL, to->data, to->size);
}

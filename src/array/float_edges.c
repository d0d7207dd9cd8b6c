#include "array/float_edges.h"

#include <math.h>

double edge_exp(double x)
{
    return exp(x);
}

double edge_sinh(double x)
{
    return sinh(x);
}

double edge_cosh(double x)
{
    return cosh(x);
}

double edge_log1p(double x)
{
    return log(x);
}

double edge_pow(double x, double y)
{
    return pow(x, y);
}

#include "builtins/topics.h"

static bool apply(Interp *in, const Args *a, OpCode op, Value *out)
{
    for (int i = 0; i < a->n; i++)
        if (!arg_numeric(in, a, i)) return false;
    return op_apply(&in->ad, op, a->pos, a->n, NULL, out);
}

/* One builtin for each operation. */
#define ELEMENTWISE(name, op)                                                                      \
    static bool name##_builtin(Interp *in, const Args *a, Value *out)                              \
    {                                                                                              \
        return apply(in, a, OP_##op, out);                                                         \
    }

ELEMENTWISE(abs, ABS)
ELEMENTWISE(sign, SIGN)
ELEMENTWISE(sqrt, SQRT)
ELEMENTWISE(exp, EXP)
ELEMENTWISE(expm1, EXPM1)
ELEMENTWISE(log, LOG)
ELEMENTWISE(log1p, LOG1P)
ELEMENTWISE(log2, LOG2)
ELEMENTWISE(log10, LOG10)
ELEMENTWISE(sin, SIN)
ELEMENTWISE(cos, COS)
ELEMENTWISE(tan, TAN)
ELEMENTWISE(asin, ASIN)
ELEMENTWISE(acos, ACOS)
ELEMENTWISE(atan, ATAN)
ELEMENTWISE(atan2, ATAN2)
ELEMENTWISE(sinh, SINH)
ELEMENTWISE(cosh, COSH)
ELEMENTWISE(tanh, TANH)
ELEMENTWISE(erf, ERF)
ELEMENTWISE(sigmoid, SIGMOID)
ELEMENTWISE(softplus, SOFTPLUS)
ELEMENTWISE(floor, FLOOR)
ELEMENTWISE(ceil, CEIL)
ELEMENTWISE(round, ROUND)
ELEMENTWISE(trunc, TRUNC)
ELEMENTWISE(isnan, ISNAN)
ELEMENTWISE(isfinite, ISFINITE)
ELEMENTWISE(isinf, ISINF)

#define ROUNDS "Of Floats an error where the result fits no Int, as for nan. Derivative 0."

const Builtin builtins_elementwise[] = {
    {"abs", "abs(x)",
     "x without its sign; an Int stays an Int, and the smallest one, whose opposite is no Int, "
     "is an error. The derivative is sign(x), 0 at 0. `abs([-2, 3])` is `[2, 3]`.",
     abs_builtin},
    {"sign", "sign(x)",
     "-1, 0 or 1, in x's type; keeps nan and the sign of zero. Derivative 0. `sign([-2.0, 0.0, "
     "5.0])` is `[-1.0, 0.0, 1.0]`.",
     sign_builtin},
    {"sqrt", "sqrt(x)",
     "The square root; nan below 0. The derivative is 1 / (2 sqrt(x)), and inf at 0. "
     "`sqrt([4.0, 9.0])` is `[2.0, 3.0]`.",
     sqrt_builtin},
    {"exp", "exp(x)",
     "e to the power x; inf above about 709.8. The derivative is exp(x). `exp([0.0, -inf])` is "
     "`[1.0, 0.0]`.",
     exp_builtin},
    {"expm1", "expm1(x)",
     "exp(x) - 1, without loss of digits near 0. The derivative is exp(x). `expm1(1e-20)` is "
     "`1e-20`.",
     expm1_builtin},
    {"log", "log(x)",
     "The natural logarithm; -inf at 0, nan below. The derivative is 1 / x. `log([1.0, 0.0])` "
     "is `[0.0, -inf]`.",
     log_builtin},
    {"log1p", "log1p(x)",
     "log(1 + x), without loss of digits near 0; -inf at -1, nan below. The derivative is 1 / "
     "(1 + x). `log1p(1e-20)` is `1e-20`.",
     log1p_builtin},
    {"log2", "log2(x)",
     "The logarithm to base 2; -inf at 0, nan below. The derivative is 1 / (x log(2)). "
     "`log2(8)` is `3.0`.",
     log2_builtin},
    {"log10", "log10(x)",
     "The logarithm to base 10; -inf at 0, nan below. The derivative is 1 / (x log(10)). "
     "`log10(1000)` is `3.0`.",
     log10_builtin},
    {"sin", "sin(x)",
     "The sine of x in radians; nan of inf. The derivative is cos(x). `sin(0.0)` is `0.0`.",
     sin_builtin},
    {"cos", "cos(x)",
     "The cosine of x in radians; nan of inf. The derivative is -sin(x). `cos(0.0)` is `1.0`.",
     cos_builtin},
    {"tan", "tan(x)",
     "The tangent of x in radians; nan of inf. The derivative is 1 + tan(x) ** 2. `tan(0.0)` is "
     "`0.0`.",
     tan_builtin},
    {"asin", "asin(x)",
     "The angle in -pi/2 … pi/2 whose sine is x; nan where |x| > 1. The derivative is 1 / "
     "sqrt(1 - x * x), inf at -1 and 1. `asin(1.0)` is `1.5707963267948966`.",
     asin_builtin},
    {"acos", "acos(x)",
     "The angle in 0 … pi whose cosine is x; nan where |x| > 1. The derivative is -1 / sqrt(1 - "
     "x * x), -inf at -1 and 1. `acos(1.0)` is `0.0`.",
     acos_builtin},
    {"atan", "atan(x)",
     "The angle in -pi/2 … pi/2 whose tangent is x. The derivative is 1 / (1 + x * x). "
     "`atan(inf)` is `1.5707963267948966`.",
     atan_builtin},
    {"atan2", "atan2(y, x)",
     "The angle of the point (x, y) in -pi … pi, by the signs of both. The operands broadcast. "
     "The derivative at the origin is 0.",
     atan2_builtin},
    {"sinh", "sinh(x)",
     "The hyperbolic sine, (exp(x) - exp(-x)) / 2. The derivative is cosh(x). `sinh(0.0)` is "
     "`0.0`.",
     sinh_builtin},
    {"cosh", "cosh(x)",
     "The hyperbolic cosine, (exp(x) + exp(-x)) / 2. The derivative is sinh(x). `cosh(0.0)` is "
     "`1.0`.",
     cosh_builtin},
    {"tanh", "tanh(x)",
     "The hyperbolic tangent, sinh(x) / cosh(x). The derivative is 1 - tanh(x) ** 2. "
     "`tanh([0.0, 100.0])` is `[0.0, 1.0]`.",
     tanh_builtin},
    {"erf", "erf(x)",
     "The error function, 2 / sqrt(pi) times the integral of exp(-t * t) over 0 … x. The "
     "derivative is 2 / sqrt(pi) exp(-x * x). `erf([0.0, inf])` is `[0.0, 1.0]`.",
     erf_builtin},
    {"sigmoid", "sigmoid(x)",
     "1 / (1 + exp(-x)), without overflow. The derivative is sigmoid(x) (1 - sigmoid(x)). "
     "`sigmoid([0.0, -1000.0])` is `[0.5, 0.0]`.",
     sigmoid_builtin},
    {"softplus", "softplus(x)",
     "log(1 + exp(x)), without overflow; its derivative is sigmoid(x). `softplus([1000.0, "
     "-1000.0])` is `[1000.0, 0.0]`.",
     softplus_builtin},
    {"floor", "floor(x)", "The largest Int not above x. " ROUNDS, floor_builtin},
    {"ceil", "ceil(x)", "The smallest Int not below x. " ROUNDS, ceil_builtin},
    {"round", "round(x)",
     "The nearest Int, and of two the even one. It takes no number of decimals: write "
     "round(x * 100) / 100, or print with f\"{x:.2f}\". " ROUNDS,
     round_builtin},
    {"trunc", "trunc(x)", "x without its fraction, as an Int. " ROUNDS, trunc_builtin},
    {"isnan", "isnan(x)",
     "Whether x is nan; a Bool for each element, and false for Ints. `isnan([nan, 1.0])` is "
     "`[true, false]`.",
     isnan_builtin},
    {"isfinite", "isfinite(x)",
     "Whether x is neither nan nor infinite; a Bool for each element, and true for Ints. "
     "`isfinite([inf, 1.0])` is `[false, true]`.",
     isfinite_builtin},
    {"isinf", "isinf(x)",
     "Whether x is inf or -inf; a Bool for each element, and false for Ints. `isinf([-inf, "
     "nan])` is `[true, false]`.",
     isinf_builtin},
    {0},
};

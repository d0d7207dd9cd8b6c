#include "builtins/topics.h"

/* Builtins that are one operation. */
static bool operation_builtin(Interp *in, const Args *a, Value *out)
{
    for (int i = 0; i < a->n; i++)
        if (!arg_numeric(in, a, i)) return false;
    OpCode op = (OpCode)(a->builtin->operation - op_rows);
    return op_apply(&in->ad, op, a->pos, a->n, NULL, out);
}

#define IS(op) operation_builtin, &op_rows[OP_##op], false

#define ROUNDS "Of Floats an error where the result fits no Int, as for nan. Derivative 0."

const Builtin builtins_elementwise[] = {
    {"abs", "abs(x)",
     "x without its sign; an Int stays an Int, and the smallest one, whose opposite is no Int, "
     "is an error. The derivative is sign(x), 0 at 0. `abs([-2, 3])` is `[2, 3]`.",
     IS(ABS)},
    {"sign", "sign(x)",
     "-1, 0 or 1, in x's type; keeps nan and the sign of zero. Derivative 0. `sign([-2.0, 0.0, "
     "5.0])` is `[-1.0, 0.0, 1.0]`.",
     IS(SIGN)},
    {"sqrt", "sqrt(x)",
     "The square root; nan below 0. The derivative is 1 / (2 sqrt(x)), and inf at 0. "
     "`sqrt([4.0, 9.0])` is `[2.0, 3.0]`.",
     IS(SQRT)},
    {"exp", "exp(x)",
     "e to the power x; inf above about 709.8. The derivative is exp(x). `exp([0.0, -inf])` is "
     "`[1.0, 0.0]`.",
     IS(EXP)},
    {"expm1", "expm1(x)",
     "exp(x) - 1, without loss of digits near 0. The derivative is exp(x). `expm1(1e-20)` is "
     "`1e-20`.",
     IS(EXPM1)},
    {"log", "log(x)",
     "The natural logarithm; -inf at 0, nan below. The derivative is 1 / x. `log([1.0, 0.0])` "
     "is `[0.0, -inf]`.",
     IS(LOG)},
    {"log1p", "log1p(x)",
     "log(1 + x), without loss of digits near 0; -inf at -1, nan below. The derivative is 1 / "
     "(1 + x). `log1p(1e-20)` is `1e-20`.",
     IS(LOG1P)},
    {"log2", "log2(x)",
     "The logarithm to base 2; -inf at 0, nan below. The derivative is 1 / (x log(2)). "
     "`log2(8)` is `3.0`.",
     IS(LOG2)},
    {"log10", "log10(x)",
     "The logarithm to base 10; -inf at 0, nan below. The derivative is 1 / (x log(10)). "
     "`log10(1000)` is `3.0`.",
     IS(LOG10)},
    {"sin", "sin(x)",
     "The sine of x in radians; nan of inf. The derivative is cos(x). `sin(0.0)` is `0.0`.",
     IS(SIN)},
    {"cos", "cos(x)",
     "The cosine of x in radians; nan of inf. The derivative is -sin(x). `cos(0.0)` is `1.0`.",
     IS(COS)},
    {"tan", "tan(x)",
     "The tangent of x in radians; nan of inf. The derivative is 1 + tan(x) ** 2. `tan(0.0)` is "
     "`0.0`.",
     IS(TAN)},
    {"asin", "asin(x)",
     "The angle in -pi/2 … pi/2 whose sine is x; nan where |x| > 1. The derivative is 1 / "
     "sqrt(1 - x * x), inf at -1 and 1. `asin(1.0)` is `1.5707963267948966`.",
     IS(ASIN)},
    {"acos", "acos(x)",
     "The angle in 0 … pi whose cosine is x; nan where |x| > 1. The derivative is -1 / sqrt(1 - "
     "x * x), -inf at -1 and 1. `acos(1.0)` is `0.0`.",
     IS(ACOS)},
    {"atan", "atan(x)",
     "The angle in -pi/2 … pi/2 whose tangent is x. The derivative is 1 / (1 + x * x). "
     "`atan(inf)` is `1.5707963267948966`.",
     IS(ATAN)},
    {"atan2", "atan2(y, x)",
     "The angle of the point (x, y) in -pi … pi, by the signs of both. The operands broadcast. "
     "The derivative at the origin is 0.",
     IS(ATAN2)},
    {"sinh", "sinh(x)",
     "The hyperbolic sine, (exp(x) - exp(-x)) / 2. The derivative is cosh(x). `sinh(0.0)` is "
     "`0.0`.",
     IS(SINH)},
    {"cosh", "cosh(x)",
     "The hyperbolic cosine, (exp(x) + exp(-x)) / 2. The derivative is sinh(x). `cosh(0.0)` is "
     "`1.0`.",
     IS(COSH)},
    {"tanh", "tanh(x)",
     "The hyperbolic tangent, sinh(x) / cosh(x). The derivative is 1 - tanh(x) ** 2. "
     "`tanh([0.0, 100.0])` is `[0.0, 1.0]`.",
     IS(TANH)},
    {"erf", "erf(x)",
     "The error function, 2 / sqrt(pi) times the integral of exp(-t * t) over 0 … x. The "
     "derivative is 2 / sqrt(pi) exp(-x * x). `erf([0.0, inf])` is `[0.0, 1.0]`.",
     IS(ERF)},
    {"sigmoid", "sigmoid(x)",
     "1 / (1 + exp(-x)), without overflow. The derivative is sigmoid(x) (1 - sigmoid(x)). "
     "`sigmoid([0.0, -1000.0])` is `[0.5, 0.0]`.",
     IS(SIGMOID)},
    {"softplus", "softplus(x)",
     "log(1 + exp(x)), without overflow; its derivative is sigmoid(x). `softplus([1000.0, "
     "-1000.0])` is `[1000.0, 0.0]`.",
     IS(SOFTPLUS)},
    {"floor", "floor(x)", "The largest Int not above x. " ROUNDS, IS(FLOOR)},
    {"ceil", "ceil(x)", "The smallest Int not below x. " ROUNDS, IS(CEIL)},
    {"round", "round(x)",
     "The nearest Int, and of two the even one. It takes no number of decimals: write "
     "round(x * 100) / 100, or print with f\"{x:.2f}\". " ROUNDS,
     IS(ROUND)},
    {"trunc", "trunc(x)", "x without its fraction, as an Int. " ROUNDS, IS(TRUNC)},
    {"isnan", "isnan(x)",
     "Whether x is nan; a Bool for each element, and false for Ints. `isnan([nan, 1.0])` is "
     "`[true, false]`.",
     IS(ISNAN)},
    {"isfinite", "isfinite(x)",
     "Whether x is neither nan nor infinite; a Bool for each element, and true for Ints. "
     "`isfinite([inf, 1.0])` is `[false, true]`.",
     IS(ISFINITE)},
    {"isinf", "isinf(x)",
     "Whether x is inf or -inf; a Bool for each element, and false for Ints. `isinf([-inf, "
     "nan])` is `[true, false]`.",
     IS(ISINF)},
    {0},
};

/* The operations, one row each: the single truth that the op codes, the kernels (ops/op.c), the
 * derivative rules (ad/rule.c), the gradient check of the test suite and the documentation are
 * made from.
 *
 *   OP(code, name, arity, kernel, detail, saves_for_x, saves_for_y, reverse, forward, doc)
 *
 *   arity        number of inputs, or VARIADIC
 *   kernel       kernel_<kernel> in ops/kernels.c
 *   detail       what the kernel is told: an Elementwise, a Reduction, a Moment, a Scan, or 0
 *   saves_for_x  what the reverse rule reads to give the first input's cotangent: SAVE_X | SAVE_Y |
 *                SAVE_OUT; saves_for_y the second's
 *   reverse      reverse_<reverse> in ad/rules_*.c; `none` for an operation whose derivative is zero
 *                everywhere
 *   forward      forward_<forward>: diagonal (the reverse rule, for one input's tangent at a time),
 *                linear (the operation itself, applied to tangents), or a rule of its own
 *
 * There is no include guard: whoever includes this defines OP first. Adding an operation is a row
 * here, a kernel in array/, a rule in ad/, and a case in tests. */

/* ---- elementwise ---- */
OP(NEG, "-", 1, elementwise, EW_NEG, 0, 0, neg, diagonal, "-x")
OP(POS, "+", 1, elementwise, EW_POS, 0, 0, identity, diagonal, "+x")
OP(ABS, "abs", 1, elementwise, EW_ABS, SAVE_X, 0, abs, diagonal, "|x|, with slope 0 at 0")
OP(SIGN, "sign", 1, elementwise, EW_SIGN, 0, 0, none, none, "-1, 0 or 1")
OP(SQRT, "sqrt", 1, elementwise, EW_SQRT, SAVE_X | SAVE_OUT, 0, sqrt, diagonal, "square root")
OP(EXP, "exp", 1, elementwise, EW_EXP, SAVE_OUT, 0, exp, diagonal, "e to the x")
OP(EXPM1, "expm1", 1, elementwise, EW_EXPM1, SAVE_X, 0, slope, diagonal, "exp(x) - 1")
OP(LOG, "log", 1, elementwise, EW_LOG, SAVE_X, 0, log, diagonal, "natural logarithm")
OP(LOG1P, "log1p", 1, elementwise, EW_LOG1P, SAVE_X, 0, log1p, diagonal, "log(1 + x)")
OP(LOG2, "log2", 1, elementwise, EW_LOG2, SAVE_X, 0, log, diagonal, "logarithm to base 2")
OP(LOG10, "log10", 1, elementwise, EW_LOG10, SAVE_X, 0, log, diagonal, "logarithm to base 10")
OP(SIN, "sin", 1, elementwise, EW_SIN, SAVE_X, 0, slope, diagonal, "sine")
OP(COS, "cos", 1, elementwise, EW_COS, SAVE_X, 0, cos, diagonal, "cosine")
OP(TAN, "tan", 1, elementwise, EW_TAN, SAVE_OUT, 0, tan, diagonal, "tangent")
OP(ASIN, "asin", 1, elementwise, EW_ASIN, SAVE_X, 0, arcsine, diagonal, "arc sine")
OP(ACOS, "acos", 1, elementwise, EW_ACOS, SAVE_X, 0, arcsine, diagonal, "arc cosine")
OP(ATAN, "atan", 1, elementwise, EW_ATAN, SAVE_X, 0, atan, diagonal, "arc tangent")
OP(SINH, "sinh", 1, elementwise, EW_SINH, SAVE_X, 0, slope, diagonal, "hyperbolic sine")
OP(COSH, "cosh", 1, elementwise, EW_COSH, SAVE_X, 0, slope, diagonal, "hyperbolic cosine")
OP(TANH, "tanh", 1, elementwise, EW_TANH, SAVE_X, 0, slope, diagonal, "hyperbolic tangent")
OP(ERF, "erf", 1, elementwise, EW_ERF, SAVE_X, 0, slope, diagonal, "error function")
OP(SIGMOID, "sigmoid", 1, elementwise, EW_SIGMOID, SAVE_X, 0, sigmoid, diagonal,
   "1 / (1 + exp(-x))")
OP(SOFTPLUS, "softplus", 1, elementwise, EW_SOFTPLUS, SAVE_X, 0, slope, diagonal, "log(1 + exp(x))")
OP(FLOOR, "floor", 1, elementwise, EW_FLOOR, 0, 0, none, none, "largest Int not above x")
OP(CEIL, "ceil", 1, elementwise, EW_CEIL, 0, 0, none, none, "smallest Int not below x")
OP(ROUND, "round", 1, elementwise, EW_ROUND, 0, 0, none, none, "nearest Int, halves to even")
OP(TRUNC, "trunc", 1, elementwise, EW_TRUNC, 0, 0, none, none, "x without its fraction, an Int")
OP(ISNAN, "isnan", 1, elementwise, EW_ISNAN, 0, 0, none, none, "whether x is nan")
OP(ISINF, "isinf", 1, elementwise, EW_ISINF, 0, 0, none, none, "whether x is infinite")
OP(ISFINITE, "isfinite", 1, elementwise, EW_ISFINITE, 0, 0, none, none, "whether x is a number")
OP(NOT, "~", 1, elementwise, EW_NOT, 0, 0, none, none, "not, on Bools; bitwise on Ints")
OP(TO_FLOAT, "float", 1, elementwise, EW_TO_FLOAT, 0, 0, identity, diagonal, "x as Floats")
OP(TO_INT, "int", 1, elementwise, EW_TO_INT, 0, 0, none, none, "x as Ints, truncated")
OP(TO_BOOL, "bool", 1, elementwise, EW_TO_BOOL, 0, 0, none, none, "x != 0")
OP(ADD, "+", 2, elementwise, EW_ADD, 0, 0, add, diagonal, "x + y")
OP(SUB, "-", 2, elementwise, EW_SUB, 0, 0, sub, diagonal, "x - y")
OP(MUL, "*", 2, elementwise, EW_MUL, SAVE_Y, SAVE_X, mul, diagonal, "x * y")
OP(DIV, "/", 2, elementwise, EW_DIV, SAVE_Y, SAVE_Y | SAVE_OUT, div, diagonal,
   "x / y, always Float")
OP(FLOORDIV, "//", 2, elementwise, EW_FLOORDIV, 0, 0, none, none, "x / y rounded down")
OP(MOD, "%", 2, elementwise, EW_MOD, 0, SAVE_X | SAVE_Y, mod, diagonal, "x - y * floor(x / y)")
OP(POW, "**", 2, elementwise, EW_POW, SAVE_X | SAVE_Y, SAVE_X | SAVE_OUT, pow, diagonal,
   "x to the power y")
OP(MAXIMUM, "max", 2, elementwise, EW_MAX, SAVE_X | SAVE_Y, SAVE_X | SAVE_Y, winner, diagonal,
   "the larger of x and y; a tie shares its slope")
OP(MINIMUM, "min", 2, elementwise, EW_MIN, SAVE_X | SAVE_Y, SAVE_X | SAVE_Y, winner, diagonal,
   "the smaller of x and y; a tie shares its slope")
OP(ATAN2, "atan2", 2, elementwise, EW_ATAN2, SAVE_X | SAVE_Y, SAVE_X | SAVE_Y, atan2, diagonal,
   "the angle of the point (y, x)")
OP(MUL_NO_NAN, "*", 2, elementwise, EW_MUL_NO_NAN, SAVE_Y, SAVE_X, mul, diagonal,
   "x * y in which 0 times anything is 0; for rules")
OP(DIV_NO_NAN, "/", 2, elementwise, EW_DIV_NO_NAN, SAVE_Y, SAVE_Y | SAVE_OUT, div, diagonal,
   "x times 1 / y in which 0 times anything is 0; for rules")
OP(HEAVISIDE, "max", 2, elementwise, EW_HEAVISIDE, 0, 0, none, none,
   "1, 0.5 or 0 for x above, at and below y; for rules")
OP(MASKED, "*", 2, elementwise, EW_MASKED, SAVE_Y, SAVE_X, masked, diagonal,
   "x * y, and 0 where x is 0; for rules")
OP(POW_LESS_1, "**", 2, elementwise, EW_POW_LESS_1, SAVE_X | SAVE_Y, SAVE_X | SAVE_OUT, pow,
   diagonal, "x to the power y - 1; for rules")
OP(POW_LESS_2, "**", 2, elementwise, EW_POW_LESS_2, SAVE_X | SAVE_Y, SAVE_X | SAVE_OUT, pow,
   diagonal, "x to the power y - 2; for rules")
OP(SECH_SQUARED, "tanh", 1, elementwise, EW_SECH_SQUARED, SAVE_X | SAVE_OUT, 0, slope, diagonal,
   "1 / cosh(x) ** 2; for rules")
OP(BELL, "erf", 1, elementwise, EW_BELL, SAVE_X | SAVE_OUT, 0, slope, diagonal,
   "exp(-x ** 2); for rules")
OP(SQRT_SLOPE, "sqrt", 2, elementwise, EW_SQRT_SLOPE, SAVE_X | SAVE_OUT, 0, sqrt_slope, diagonal,
   "1 / (2 sqrt(x)), where y is the root; for rules")
OP(SQUARE_FROM_1, "asin", 1, elementwise, EW_SQUARE_FROM_1, SAVE_X, 0, slope, diagonal,
   "1 - x ** 2; for rules")
OP(INVERSION, "atan2", 2, elementwise, EW_INVERSION, SAVE_X | SAVE_Y | SAVE_OUT,
   SAVE_X | SAVE_Y | SAVE_OUT, inversion, diagonal, "x / (x ** 2 + y ** 2); for rules")
OP(EQ, "==", 2, elementwise, EW_EQ, 0, 0, none, none, "x == y")
OP(NE, "!=", 2, elementwise, EW_NE, 0, 0, none, none, "x != y")
OP(LT, "<", 2, elementwise, EW_LT, 0, 0, none, none, "x < y")
OP(LE, "<=", 2, elementwise, EW_LE, 0, 0, none, none, "x <= y")
OP(GT, ">", 2, elementwise, EW_GT, 0, 0, none, none, "x > y")
OP(GE, ">=", 2, elementwise, EW_GE, 0, 0, none, none, "x >= y")
OP(AND, "&", 2, elementwise, EW_AND, 0, 0, none, none, "and, on Bools; bitwise on Ints")
OP(OR, "|", 2, elementwise, EW_OR, 0, 0, none, none, "or, on Bools; bitwise on Ints")
/* The condition is the third input, so that x and y are the two that have derivatives. */
OP(WHERE, "where", 3, elementwise, EW_WHERE, SAVE_Z, SAVE_Z, where, diagonal,
   "x where the condition holds, else y")

/* Several of the above, a tile program; the evaluator makes it of large expressions. */
OP(FUSED, "an elementwise expression", VARIADIC, elementwise, EW_COUNT, 0, 0, fused, fused,
   "elementwise steps in one pass")

/* ---- reduce ---- */
OP(SUM, "sum", 1, reduce, RD_SUM, 0, 0, sum, linear, "sum over axes")
OP(PROD, "prod", 1, reduce, RD_PROD, SAVE_X, 0, prod, prod, "product over axes")
OP(MAX, "max", 1, reduce, RD_MAX, SAVE_X | SAVE_OUT, 0, extremum, diagonal,
   "largest over axes; ties share")
OP(MIN, "min", 1, reduce, RD_MIN, SAVE_X | SAVE_OUT, 0, extremum, diagonal,
   "smallest over axes; ties share")
OP(SHARE, "max", 3, share, 0, SAVE_Y | SAVE_Z, 0, share, diagonal,
   "x for the elements of y that equal z, shared evenly among ties, else 0; for rules")
OP(ANY, "any", 1, reduce, RD_ANY, 0, 0, none, none, "whether any is true")
OP(ALL, "all", 1, reduce, RD_ALL, 0, 0, none, none, "whether all are true")
OP(ARGMAX, "argmax", 1, arg, RD_ARGMAX, 0, 0, none, none, "index of the largest along an axis")
OP(ARGMIN, "argmin", 1, arg, RD_ARGMIN, 0, 0, none, none, "index of the smallest along an axis")
OP(MEAN, "mean", 1, moment, MOMENT_MEAN, 0, 0, sum, linear, "mean over axes")
OP(NORM, "norm", 1, moment, MOMENT_NORM, SAVE_X | SAVE_OUT, 0, length, length,
   "root of the sum of squares over axes")
OP(RMS, "std", 1, moment, MOMENT_RMS, SAVE_X | SAVE_OUT, 0, length, length,
   "root of the mean of squares over axes; for std")
OP(MEAN_SQUARE, "var", 1, moment, MOMENT_MEAN_SQUARE, SAVE_X, 0, mean_square, mean_square,
   "mean of squares over axes; for var")
OP(SCALES, "norm", 1, scales, 0, 0, 0, none, none,
   "the powers of two that bring elements near 1, one for all that make a result; for lengths")
OP(EXP_MINUS, "exp", 2, exp_minus, 0, SAVE_X | SAVE_Y | SAVE_OUT, SAVE_X | SAVE_Y | SAVE_OUT,
   exp_minus, diagonal, "e to the x - y; for logsumexp")
OP(EXP_REST, "exp", 3, exp_rest, 0, SAVE_Y | SAVE_Z, 0, exp_rest, diagonal,
   "x times e to what rounding takes off y - z; for rules")
OP(CUMSUM, "cumsum", 1, scan, SCAN_SUM, 0, 0, cumsum, linear, "running sum along an axis")
OP(CUMPROD, "cumprod", 1, scan, SCAN_PROD, SAVE_X | SAVE_OUT, 0, recurrence, recurrence,
   "running product along an axis")
OP(RECURRENCE, "recurrence", 2, scan, SCAN_LINEAR, SAVE_X | SAVE_OUT, SAVE_X, recurrence,
   recurrence, "h[k] = y[k] + x[k] h[k-1]; for rules")
OP(OTHERS, "prod", 2, others, 0, SAVE_X | SAVE_Y, SAVE_X, others, diagonal,
   "y times the product of all others of x along an axis; for rules")

/* ---- matmul ---- */
OP(MATMUL, "@", 2, matmul, 0, SAVE_X | SAVE_Y, SAVE_X | SAVE_Y, matmul, diagonal, "matrix product")

/* ---- linalg ---- */
OP(SOLVE, "solve", 2, solve, 0, SAVE_X | SAVE_OUT, SAVE_X, solve, solve, "the z with x @ z = y")
OP(INV, "inv", 1, inv, 0, SAVE_OUT, 0, inv, diagonal, "inverse matrix")
OP(DET, "det", 1, det, 0, SAVE_X, 0, det, diagonal, "determinant")
OP(CHOLESKY, "cholesky", 1, cholesky, 0, SAVE_OUT, 0, cholesky, cholesky,
   "the lower triangle whose product with its transpose is x")
OP(COFACTOR, "det", 1, cofactor, 0, SAVE_X, 0, cofactor, diagonal, "matrix of cofactors; for rules")
OP(COFACTOR_ALONG, "det", 2, cofactor_along, 0, SAVE_X | SAVE_Y, SAVE_X | SAVE_Y, cofactor_along,
   diagonal, "its derivative along the matrices of y, one after the other; for rules")

/* ---- shape ---- */
OP(RESHAPE, "reshape", 1, reshape, 0, 0, 0, reshape, linear, "the same elements in another shape")
OP(TRANSPOSE, "transpose", 1, transpose, 0, 0, 0, transpose, linear, "axes permuted")
OP(BROADCAST, "broadcast", 1, broadcast, 0, 0, 0, identity, linear,
   "repeated along new or single axes")
OP(CONCAT, "concat", VARIADIC, concat, 0, 0, 0, concat, linear, "joined along an axis")
OP(STACK, "stack", VARIADIC, stack, 0, 0, 0, stack, linear, "stacked along a new first axis")

/* ---- index ---- */
OP(INDEX, "index", 1, index, 0, 0, 0, index, linear, "the selected elements")
OP(SET_INDEX, "index =", 2, none, 0, 0, 0, update, linear,
   "x with the selected elements replaced by y")
OP(ADD_INDEX, "index +=", 2, none, 0, 0, 0, update, linear,
   "x with y added to the selected elements")

/* ---- order ---- */
OP(ARGSORT, "argsort", 1, argsort, 0, 0, 0, none, none, "the positions that sort along an axis")

/* The elementwise functions, one row each, which says all about a function: the enum, what messages
 * and the planner know of it, the loops of every instruction set (simd/loops.c), the instructions of
 * tile programs (simd/tile.c) and the arithmetic of single numbers (number.c) are made from it.
 *
 *   FUNCTION(id, name, arity, gives, place, rounding, BOOL, of Bools, INT, of Ints, FLOAT, of Floats)
 *
 *   gives     the result's type: SAME as the operands' common one, or INT, BOOL, REAL (Float)
 *   place     IN_REGISTERS: a tile program keeps operands and result in vector registers, because the
 *             formula is one for vectors as well as for numbers; GUARDED: so it does, with vectors'
 *             formulas of simd/tile.c; IN_MEMORY: it calls the loop
 *   rounding  ROUNDED, or EXACT
 *
 * For each type of the operands, after promotion, a kind and a formula in x (and y, and the condition
 * c); a type without one is promoted to the next:
 *
 *   NONE      no such function
 *   FORMULA   that expression, an element at a time; the compiler vectorises it
 *   CHECKED   a function of numbers that says whether it failed (int_ops.h)
 *   SIGNED    FORMULA; the sign bit of the second expression, in x, y and the result r, says that it
 *             overflowed
 *   WHOLE     FORMULA rounded to a whole number; an error where that fits no Int
 *   COMPARED  x and y, by that comparison
 *   CHOSEN    x where c holds, else y
 *   LIBRARY   f_vec of simd/math.c
 *   LOOPED    f_loop and f_number there
 *
 * There is no include guard: whoever includes this defines FUNCTION first. */

/* clang-format off */
FUNCTION(SQRT, "sqrt", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , FORMULA, (sqrt(x)))
FUNCTION(EXP, "exp", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, exp)
FUNCTION(EXPM1, "expm1", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, expm1)
FUNCTION(LOG, "log", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, log)
FUNCTION(LOG1P, "log1p", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, log1p)
FUNCTION(LOG2, "log2", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, log2)
FUNCTION(LOG10, "log10", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, log10)
FUNCTION(SIN, "sin", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, sin)
FUNCTION(COS, "cos", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, cos)
FUNCTION(TAN, "tan", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, tan)
FUNCTION(ASIN, "asin", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, asin)
FUNCTION(ACOS, "acos", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, acos)
FUNCTION(ATAN, "atan", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, atan)
FUNCTION(SINH, "sinh", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, sinh)
FUNCTION(COSH, "cosh", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, cosh)
FUNCTION(TANH, "tanh", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, tanh)
FUNCTION(ERF, "erf", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, erf)
FUNCTION(SIGMOID, "sigmoid", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, sigmoid)
FUNCTION(SOFTPLUS, "softplus", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, softplus)
FUNCTION(NEG, "-", 1, SAME, IN_REGISTERS, EXACT, NONE, , CHECKED, int_negate, FORMULA, (-x))
FUNCTION(ABS, "abs", 1, SAME, IN_MEMORY, EXACT, NONE, , CHECKED, int_magnitude, FORMULA, (fabs(x)))
FUNCTION(SIGN, "sign", 1, SAME, IN_MEMORY, EXACT, NONE, , FORMULA, ((x > 0) - (x < 0)), FORMULA, (float_sign(x)))
FUNCTION(POS, "+", 1, SAME, IN_MEMORY, EXACT, NONE, , FORMULA, (x), FORMULA, (x))
FUNCTION(FLOOR, "floor", 1, INT, IN_MEMORY, EXACT, NONE, , FORMULA, (x), WHOLE, (floor(x)))
FUNCTION(CEIL, "ceil", 1, INT, IN_MEMORY, EXACT, NONE, , FORMULA, (x), WHOLE, (ceil(x)))
FUNCTION(ROUND, "round", 1, INT, IN_MEMORY, EXACT, NONE, , FORMULA, (x), WHOLE, (nearbyint(x)))
FUNCTION(TRUNC, "trunc", 1, INT, IN_MEMORY, EXACT, NONE, , FORMULA, (x), WHOLE, (trunc(x)))
FUNCTION(ISNAN, "isnan", 1, BOOL, IN_MEMORY, EXACT, NONE, , NONE, , FORMULA, (x != x))
FUNCTION(ISINF, "isinf", 1, BOOL, IN_MEMORY, EXACT, NONE, , NONE, , FORMULA, (fabs(x) == INFINITY))
FUNCTION(ISFINITE, "isfinite", 1, BOOL, IN_MEMORY, EXACT, NONE, , NONE, , FORMULA, (fabs(x) < INFINITY))
FUNCTION(NOT, "~", 1, SAME, IN_MEMORY, EXACT, FORMULA, (!x), FORMULA, (~x), NONE, )
FUNCTION(TO_FLOAT, "float", 1, REAL, IN_MEMORY, EXACT, FORMULA, (x), FORMULA, ((double)x), FORMULA, (x))
FUNCTION(TO_INT, "int", 1, INT, IN_MEMORY, EXACT, FORMULA, (x), FORMULA, (x), WHOLE, (trunc(x)))
FUNCTION(TO_BOOL, "bool", 1, BOOL, IN_MEMORY, EXACT, FORMULA, (x), FORMULA, (x != 0), FORMULA, (x != 0))
FUNCTION(ADD, "+", 2, SAME, IN_REGISTERS, ROUNDED, NONE, , SIGNED, ((uint64_t)x + (uint64_t)y, (x ^ r) & (y ^ r)), FORMULA, (x + y))
FUNCTION(SUB, "-", 2, SAME, IN_REGISTERS, ROUNDED, NONE, , SIGNED, ((uint64_t)x - (uint64_t)y, (x ^ y) & (x ^ r)), FORMULA, (x - y))
FUNCTION(MUL, "*", 2, SAME, IN_REGISTERS, ROUNDED, NONE, , CHECKED, int_multiply, FORMULA, (x * y))
FUNCTION(DIV, "/", 2, SAME, IN_REGISTERS, ROUNDED, NONE, , NONE, , FORMULA, (x / y))
FUNCTION(FLOORDIV, "//", 2, SAME, IN_MEMORY, ROUNDED, NONE, , CHECKED, int_floor_divide, FORMULA, (float_floordiv(x, y)))
FUNCTION(MOD, "%", 2, SAME, IN_MEMORY, ROUNDED, NONE, , CHECKED, int_floor_remainder, FORMULA, (float_mod(x, y)))
FUNCTION(MAX, "max", 2, SAME, IN_MEMORY, EXACT, FORMULA, (x | y), FORMULA, (x > y ? x : y), FORMULA, (float_max(x, y)))
FUNCTION(MIN, "min", 2, SAME, IN_MEMORY, EXACT, FORMULA, (x & y), FORMULA, (x < y ? x : y), FORMULA, (float_min(x, y)))
FUNCTION(ATAN2, "atan2", 2, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, atan2)
/* Of Ints with a negative exponent among them as of Floats. */
FUNCTION(POW, "**", 2, SAME, IN_MEMORY, ROUNDED, NONE, , CHECKED, int_power, LOOPED, pow)
/* For derivative rules: an exact 0 times an infinity or NaN is 0; x / y is x times 1 / y. */
FUNCTION(MUL_NO_NAN, "*", 2, SAME, GUARDED, ROUNDED, NONE, , NONE, , FORMULA, (float_mul_no_nan(x, y)))
FUNCTION(DIV_NO_NAN, "/", 2, SAME, GUARDED, ROUNDED, NONE, , NONE, , FORMULA, (float_div_no_nan(x, y)))
/* For derivative rules: the slope of max(x, y) along x, which ties share; x y, and 0 where x is 0. */
FUNCTION(HEAVISIDE, "max", 2, SAME, IN_MEMORY, EXACT, NONE, , NONE, , FORMULA, (x > y ? 1 : x == y ? 0.5 : 0))
FUNCTION(MASKED, "*", 2, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , FORMULA, (x != 0 ? x * y : 0))
/* For derivative rules: x ** (y - 1), x ** (y - 2); 1 / (2 sqrt(x)) from the root y, which is not -0 for this; 1 - x ** 2; and those of
 * simd/slopes.h. */
FUNCTION(POW_LESS_1, "**", 2, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LOOPED, pow_less_1)
FUNCTION(POW_LESS_2, "**", 2, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LOOPED, pow_less_2)
FUNCTION(SECH_SQUARED, "tanh", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, sech_squared)
FUNCTION(BELL, "erf", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, bell)
FUNCTION(SQRT_SLOPE, "sqrt", 2, SAME, IN_REGISTERS, ROUNDED, NONE, , NONE, , FORMULA, ((void)x, 0.5 / (y + 0.0)))
FUNCTION(SQUARE_FROM_1, "asin", 1, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , FORMULA, (fma(-x, x, 1)))
FUNCTION(INVERSION, "atan2", 2, SAME, IN_MEMORY, ROUNDED, NONE, , NONE, , LIBRARY, inversion)
/* An Int beside a Float is compared as a Float. */
FUNCTION(EQ, "==", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, EQ, COMPARED, EQ)
FUNCTION(NE, "!=", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, NE, COMPARED, NE)
FUNCTION(LT, "<", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, LT, COMPARED, LT)
FUNCTION(LE, "<=", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, LE, COMPARED, LE)
FUNCTION(GT, ">", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, GT, COMPARED, GT)
FUNCTION(GE, ">=", 2, BOOL, IN_MEMORY, EXACT, NONE, , COMPARED, GE, COMPARED, GE)
FUNCTION(AND, "&", 2, SAME, IN_MEMORY, EXACT, FORMULA, (x & y), FORMULA, (x & y), NONE, )
FUNCTION(OR, "|", 2, SAME, IN_MEMORY, EXACT, FORMULA, (x | y), FORMULA, (x | y), NONE, )
/* The condition is the third operand, a Bool; x and y alone are promoted. */
FUNCTION(WHERE, "where", 3, SAME, IN_MEMORY, EXACT, CHOSEN, , CHOSEN, , CHOSEN, )
/* clang-format on */

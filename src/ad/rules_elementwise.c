/* Elementwise rules. Formulas: any table of derivatives; conventions at kinks: docs/language.md,
 * "Derivatives". */
#include "ad/rules.h"

static Value square(Rule *r, Value a)
{
    return apply2(r, OP_MUL, a, a);
}

/* ---- one operand ---- */

void reverse_identity(Rule *r)
{
    give(r, X, g(r));
}

void reverse_neg(Rule *r)
{
    give(r, X, neg(r, g(r)));
}

/* By selection; 0 at 0, the subgradient of least norm. */
void reverse_abs(Rule *r)
{
    Value negative = select_where(r, apply2(r, OP_LT, x(r), num(0)), neg(r, g(r)), num(0));
    give(r, X, select_where(r, apply2(r, OP_GT, x(r), num(0)), g(r), negative));
}

/* 1 / (2 root) as a function of x alone, whose derivative is more exact than one through the root. No
 * value depends on x, which is only named where it is tracked. */
static Value sqrt_slope(Rule *r, Value x, Value root)
{
    root = ad_plain(root);
    return apply2(r, OP_SQRT_SLOPE, x.level ? x : root, root);
}

void reverse_sqrt(Rule *r)
{
    give(r, X, mul(r, g(r), sqrt_slope(r, x(r), out(r))));
}

void reverse_exp(Rule *r)
{
    give(r, X, mul(r, g(r), out(r)));
}

void reverse_expm1(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_EXP, x(r))));
}

void reverse_log(Rule *r)
{
    give(r, X, div_by(r, g(r), x(r)));
}

void reverse_log1p(Rule *r)
{
    give(r, X, div_by(r, g(r), add(r, num(1), x(r))));
}

/* (g / ln 2) / x: x ln 2 may be subnormal */
void reverse_log2(Rule *r)
{
    give(r, X, div_by(r, mul(r, g(r), num(1.44269504088896340736)), x(r)));
}

void reverse_log10(Rule *r)
{
    give(r, X, div_by(r, mul(r, g(r), num(0.43429448190325182765)), x(r)));
}

void reverse_sin(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_COS, x(r))));
}

void reverse_cos(Rule *r)
{
    give(r, X, neg(r, mul(r, g(r), apply1(r, OP_SIN, x(r)))));
}

/* g (1 + tan² x) */
void reverse_tan(Rule *r)
{
    give(r, X, mul(r, g(r), add(r, num(1), square(r, out(r)))));
}

/* g / sqrt(1 - x²) */
static Value arcsine_slope(Rule *r)
{
    Value square = apply1(r, OP_SQUARE_FROM_1, x(r));
    Value slope = sqrt_slope(r, square, apply1(r, OP_SQRT, square));
    return mul(r, g(r), mul(r, num(2), slope));
}

void reverse_asin(Rule *r)
{
    give(r, X, arcsine_slope(r));
}

void reverse_acos(Rule *r)
{
    give(r, X, neg(r, arcsine_slope(r)));
}

/* g / (1 + x²) */
void reverse_atan(Rule *r)
{
    give(r, X, mul(r, g(r), apply2(r, OP_INVERSION, num(1), x(r))));
}

void reverse_sinh(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_COSH, x(r))));
}

void reverse_cosh(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_SINH, x(r))));
}

void reverse_tanh(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_SECH_SQUARED, x(r))));
}

/* g 2/sqrt(π) exp(-x²) */
void reverse_erf(Rule *r)
{
    give(r, X, mul(r, g(r), mul(r, num(1.12837916709551257390), apply1(r, OP_BELL, x(r)))));
}

/* g / (4 cosh² x/2) */
void reverse_sigmoid(Rule *r)
{
    Value slope = apply1(r, OP_SECH_SQUARED, mul(r, x(r), num(0.5)));
    give(r, X, mul(r, g(r), mul(r, slope, num(0.25))));
}

void reverse_softplus(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_SIGMOID, x(r))));
}

/* ---- two operands ---- */

void reverse_add(Rule *r)
{
    if (wants(r, X)) give(r, X, g(r));
    if (wants(r, Y)) give(r, Y, g(r));
}

void reverse_sub(Rule *r)
{
    if (wants(r, X)) give(r, X, g(r));
    if (wants(r, Y)) give(r, Y, neg(r, g(r)));
}

void reverse_mul(Rule *r)
{
    if (wants(r, X)) give(r, X, mul(r, g(r), y(r)));
    if (wants(r, Y)) give(r, Y, mul(r, g(r), x(r)));
}

/* out = x / y */
void reverse_div(Rule *r)
{
    if (wants(r, X)) give(r, X, div_by(r, g(r), y(r)));
    if (wants(r, Y)) give(r, Y, neg(r, div_by(r, mul(r, g(r), out(r)), y(r))));
}

/* out = x - y floor(x / y) */
void reverse_mod(Rule *r)
{
    if (wants(r, X)) give(r, X, g(r));
    if (wants(r, Y)) give(r, Y, neg(r, mul(r, g(r), apply2(r, OP_FLOORDIV, x(r), y(r)))));
}

/* The derivatives of out = x ** (y - less): exponent x ** (exponent - 1), which needs no logarithm, and
 * out log(x), which is asked for only where the exponent is differentiated. Exponent 0: the first is 0
 * because 0 times anything is. Base 0: the second is taken as 0. Exponents are not made less in steps,
 * because each step would be rounded. */
static void give_power(Rule *r, double less, OpCode next)
{
    if (wants(r, X)) {
        Value exponent = less ? sub(r, y(r), num(less)) : y(r);
        Value lower = next == OP_POW ? sub(r, y(r), num(less + 1)) : y(r);
        Value power = apply2(r, next, x(r), lower);
        give(r, X, mul(r, g(r), mul(r, exponent, power)));
    }
    if (wants(r, Y)) {
        Value base = select_where(r, apply2(r, OP_EQ, x(r), num(0)), num(1), x(r));
        give(r, Y, mul(r, g(r), mul(r, out(r), apply1(r, OP_LOG, base))));
    }
}

void reverse_pow(Rule *r)
{
    give_power(r, 0, OP_POW_LESS_1);
}

void reverse_pow_less_1(Rule *r)
{
    give_power(r, 1, OP_POW_LESS_2);
}

void reverse_pow_less_2(Rule *r)
{
    give_power(r, 2, OP_POW);
}

/* The winner takes the cotangent, a tie gives half to each: the subgradient of least norm over both
 * operands. */
static void give_winner(Rule *r, OpCode wins_x, OpCode wins_y)
{
    Value half = select_where(r, apply2(r, OP_EQ, x(r), y(r)), mul(r, g(r), num(0.5)), num(0));
    if (wants(r, X)) give(r, X, select_where(r, apply2(r, wins_x, x(r), y(r)), g(r), half));
    if (wants(r, Y)) give(r, Y, select_where(r, apply2(r, wins_y, x(r), y(r)), g(r), half));
}

void reverse_maximum(Rule *r)
{
    give_winner(r, OP_GT, OP_LT);
}

void reverse_minimum(Rule *r)
{
    give_winner(r, OP_LT, OP_GT);
}

/* out = atan2(x, y), the angle whose tangent is x / y: g y / (x² + y²) and -g x / (x² + y²) */
void reverse_atan2(Rule *r)
{
    if (wants(r, X)) give(r, X, mul(r, g(r), apply2(r, OP_INVERSION, y(r), x(r))));
    if (wants(r, Y)) give(r, Y, neg(r, mul(r, g(r), apply2(r, OP_INVERSION, x(r), y(r)))));
}

/* out = x where z holds, else y */
void reverse_where(Rule *r)
{
    if (wants(r, X)) give(r, X, select_where(r, z(r), g(r), num(0)));
    if (wants(r, Y)) give(r, Y, select_where(r, z(r), num(0), g(r)));
}

/* ---- those that the above are written with ---- */

/* -2 g tanh(x) out */
void reverse_sech_squared(Rule *r)
{
    give(r, X, mul(r, g(r), mul(r, mul(r, num(-2), apply1(r, OP_TANH, x(r))), out(r))));
}

/* -2 g x out */
void reverse_bell(Rule *r)
{
    give(r, X, mul(r, g(r), mul(r, mul(r, num(-2), x(r)), out(r))));
}

/* -g out / (2 x) */
void reverse_sqrt_slope(Rule *r)
{
    give(r, X, mul(r, g(r), div_by(r, mul(r, num(-0.5), out(r)), x(r))));
}

/* -2 g x */
void reverse_square_from_1(Rule *r)
{
    give(r, X, mul(r, g(r), mul(r, num(-2), x(r))));
}

/* out + iv = i/(y + ix), so both parts of its derivative are parts of (out + iv)². */
void reverse_inversion(Rule *r)
{
    Value v = apply2(r, OP_INVERSION, y(r), x(r));
    if (wants(r, X)) give(r, X, mul(r, g(r), mul(r, sub(r, v, out(r)), add(r, v, out(r)))));
    if (wants(r, Y)) give(r, Y, mul(r, g(r), mul(r, mul(r, num(-2), v), out(r))));
}

/* Elementwise rules. Formulas: any table of derivatives; conventions at kinks: docs/language.md,
 * "Derivatives". */
#include "ad/rule.h"

static Value square(Rule *r, Value a)
{
    return apply2(r, OP_MUL, a, a);
}

/* ---- one operand ---- */

void reverse_identity(Rule *r)
{
    give(r, X, r->g);
}

void reverse_neg(Rule *r)
{
    give(r, X, neg(r, r->g));
}

/* By selection; 0 at 0, the subgradient of least norm. */
void reverse_abs(Rule *r)
{
    Value negative = select_where(r, apply2(r, OP_LT, r->x, num(0)), neg(r, r->g), num(0));
    give(r, X, select_where(r, apply2(r, OP_GT, r->x, num(0)), r->g, negative));
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
    give(r, X, mul(r, r->g, sqrt_slope(r, r->x, r->out)));
}

void reverse_exp(Rule *r)
{
    give(r, X, mul(r, r->g, r->out));
}

void reverse_expm1(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_EXP, r->x)));
}

void reverse_log(Rule *r)
{
    give(r, X, div_by(r, r->g, r->x));
}

void reverse_log1p(Rule *r)
{
    give(r, X, div_by(r, r->g, add(r, num(1), r->x)));
}

/* (g / ln 2) / x: x ln 2 may be subnormal */
void reverse_log2(Rule *r)
{
    give(r, X, div_by(r, mul(r, r->g, num(1.44269504088896340736)), r->x));
}

void reverse_log10(Rule *r)
{
    give(r, X, div_by(r, mul(r, r->g, num(0.43429448190325182765)), r->x));
}

void reverse_sin(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_COS, r->x)));
}

void reverse_cos(Rule *r)
{
    give(r, X, neg(r, mul(r, r->g, apply1(r, OP_SIN, r->x))));
}

/* g (1 + tan² x) */
void reverse_tan(Rule *r)
{
    give(r, X, mul(r, r->g, add(r, num(1), square(r, r->out))));
}

/* g / sqrt(1 - x²) */
static Value arcsine_slope(Rule *r)
{
    Value square = apply1(r, OP_SQUARE_FROM_1, r->x);
    Value slope = sqrt_slope(r, square, apply1(r, OP_SQRT, square));
    return mul(r, r->g, mul(r, num(2), slope));
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
    give(r, X, mul(r, r->g, apply2(r, OP_INVERSION, num(1), r->x)));
}

void reverse_sinh(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_COSH, r->x)));
}

void reverse_cosh(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_SINH, r->x)));
}

void reverse_tanh(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_SECH_SQUARED, r->x)));
}

/* g 2/sqrt(π) exp(-x²) */
void reverse_erf(Rule *r)
{
    give(r, X, mul(r, r->g, mul(r, num(1.12837916709551257390), apply1(r, OP_BELL, r->x))));
}

/* g / (4 cosh² x/2) */
void reverse_sigmoid(Rule *r)
{
    Value slope = apply1(r, OP_SECH_SQUARED, mul(r, r->x, num(0.5)));
    give(r, X, mul(r, r->g, mul(r, slope, num(0.25))));
}

void reverse_softplus(Rule *r)
{
    give(r, X, mul(r, r->g, apply1(r, OP_SIGMOID, r->x)));
}

/* ---- two operands ---- */

void reverse_add(Rule *r)
{
    if (wants(r, X)) give(r, X, r->g);
    if (wants(r, Y)) give(r, Y, r->g);
}

void reverse_sub(Rule *r)
{
    if (wants(r, X)) give(r, X, r->g);
    if (wants(r, Y)) give(r, Y, neg(r, r->g));
}

void reverse_mul(Rule *r)
{
    if (wants(r, X)) give(r, X, mul(r, r->g, r->y));
    if (wants(r, Y)) give(r, Y, mul(r, r->g, r->x));
}

/* out = x / y */
void reverse_div(Rule *r)
{
    if (wants(r, X)) give(r, X, div_by(r, r->g, r->y));
    if (wants(r, Y)) give(r, Y, neg(r, div_by(r, mul(r, r->g, r->out), r->y)));
}

/* out = x - y floor(x / y) */
void reverse_mod(Rule *r)
{
    if (wants(r, X)) give(r, X, r->g);
    if (wants(r, Y)) give(r, Y, neg(r, mul(r, r->g, apply2(r, OP_FLOORDIV, r->x, r->y))));
}

/* The derivatives of out = x ** (y - less): exponent x ** (exponent - 1), which needs no logarithm, and
 * out log(x), which is asked for only where the exponent is differentiated. Exponent 0: the first is 0
 * because 0 times anything is. Base 0: the second is taken as 0. Exponents are not made less in steps,
 * because each step would be rounded. */
static void give_power(Rule *r, double less, OpCode next)
{
    if (wants(r, X)) {
        Value exponent = less ? sub(r, r->y, num(less)) : r->y;
        Value lower = next == OP_POW ? sub(r, r->y, num(less + 1)) : r->y;
        Value power = apply2(r, next, r->x, lower);
        give(r, X, mul(r, r->g, mul(r, exponent, power)));
    }
    if (wants(r, Y)) {
        Value base = select_where(r, apply2(r, OP_EQ, r->x, num(0)), num(1), r->x);
        give(r, Y, mul(r, r->g, mul(r, r->out, apply1(r, OP_LOG, base))));
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
    Value half = select_where(r, apply2(r, OP_EQ, r->x, r->y), mul(r, r->g, num(0.5)), num(0));
    if (wants(r, X)) give(r, X, select_where(r, apply2(r, wins_x, r->x, r->y), r->g, half));
    if (wants(r, Y)) give(r, Y, select_where(r, apply2(r, wins_y, r->x, r->y), r->g, half));
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
    if (wants(r, X)) give(r, X, mul(r, r->g, apply2(r, OP_INVERSION, r->y, r->x)));
    if (wants(r, Y)) give(r, Y, neg(r, mul(r, r->g, apply2(r, OP_INVERSION, r->x, r->y))));
}

/* out = x where z holds, else y */
void reverse_where(Rule *r)
{
    if (wants(r, X)) give(r, X, select_where(r, r->z, r->g, num(0)));
    if (wants(r, Y)) give(r, Y, select_where(r, r->z, num(0), r->g));
}

/* ---- those that the above are written with ---- */

/* -2 g tanh(x) out */
void reverse_sech_squared(Rule *r)
{
    give(r, X, mul(r, r->g, mul(r, mul(r, num(-2), apply1(r, OP_TANH, r->x)), r->out)));
}

/* -2 g x out */
void reverse_bell(Rule *r)
{
    give(r, X, mul(r, r->g, mul(r, mul(r, num(-2), r->x), r->out)));
}

/* -g out / (2 x) */
void reverse_sqrt_slope(Rule *r)
{
    give(r, X, mul(r, r->g, div_by(r, mul(r, num(-0.5), r->out), r->x)));
}

/* -2 g x */
void reverse_square_from_1(Rule *r)
{
    give(r, X, mul(r, r->g, mul(r, num(-2), r->x)));
}

/* out + iv = i/(y + ix), so both parts of its derivative are parts of (out + iv)². */
void reverse_inversion(Rule *r)
{
    Value v = apply2(r, OP_INVERSION, r->y, r->x);
    if (wants(r, X)) give(r, X, mul(r, r->g, mul(r, sub(r, v, r->out), add(r, v, r->out))));
    if (wants(r, Y)) give(r, Y, mul(r, r->g, mul(r, mul(r, num(-2), v), r->out)));
}

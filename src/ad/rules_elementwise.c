/* Elementwise rules. Formulas: any table of derivatives; conventions at kinks: docs/language.md,
 * "Derivatives". */
#include "ad/rule.h"

/* ---- one operand ---- */

void reverse_identity(Rule *r)
{
    give(r, X, r->g);
}

void reverse_neg(Rule *r)
{
    give(r, X, neg(r, r->g));
}

/* Slopes that are scale f(x), or that times the result; POS is x itself. */
static const struct {
    double scale;
    OpCode f;
    bool times_out;
} slopes[OP_COUNT] = {
    [OP_EXPM1] = {1, OP_EXP},         [OP_SIN] = {1, OP_COS},
    [OP_SINH] = {1, OP_COSH},         [OP_COSH] = {1, OP_SINH},
    [OP_TANH] = {1, OP_SECH_SQUARED}, [OP_ERF] = {1.12837916709551257390, OP_BELL}, /* 2/sqrt(π) */
    [OP_SOFTPLUS] = {1, OP_SIGMOID},  [OP_SECH_SQUARED] = {-2, OP_TANH, true},
    [OP_BELL] = {-2, OP_POS, true},   [OP_SQUARE_FROM_1] = {-2, OP_POS},
};

void reverse_slope(Rule *r)
{
    OpCode f = slopes[r->op].f;
    double scale = slopes[r->op].scale;
    Value slope = f == OP_POS ? r->x : apply1(r, f, r->x);
    if (scale != 1) slope = mul(r, num(scale), slope);
    if (slopes[r->op].times_out) slope = mul(r, slope, r->out);
    give(r, X, mul(r, r->g, slope));
}

/* By selection; 0 at 0, the subgradient of least norm. */
void reverse_abs(Rule *r)
{
    Value above = apply2(r, OP_HEAVISIDE, r->x, num(0));
    Value slope = sub(r, above, apply2(r, OP_HEAVISIDE, num(0), r->x));
    give(r, X, apply2(r, OP_MASKED, slope, r->g));
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

/* (g / ln base) / x: x ln base may be subnormal */
void reverse_log(Rule *r)
{
    Value v = r->g;
    if (r->op == OP_LOG2) v = mul(r, v, num(1.44269504088896340736));
    if (r->op == OP_LOG10) v = mul(r, v, num(0.43429448190325182765));
    give(r, X, div_by(r, v, r->x));
}

void reverse_log1p(Rule *r)
{
    give(r, X, div_by(r, r->g, add(r, num(1), r->x)));
}

void reverse_cos(Rule *r)
{
    give(r, X, neg(r, mul(r, r->g, apply1(r, OP_SIN, r->x))));
}

/* g (1 + tan² x) */
void reverse_tan(Rule *r)
{
    give(r, X, mul(r, r->g, add(r, num(1), apply2(r, OP_MUL, r->out, r->out))));
}

/* g / sqrt(1 - x²) */
void reverse_arcsine(Rule *r)
{
    Value square = apply1(r, OP_SQUARE_FROM_1, r->x);
    Value slope = sqrt_slope(r, square, apply1(r, OP_SQRT, square));
    Value v = mul(r, r->g, mul(r, num(2), slope));
    give(r, X, r->op == OP_ACOS ? neg(r, v) : v);
}

/* g / (1 + x²) */
void reverse_atan(Rule *r)
{
    give(r, X, mul(r, r->g, apply2(r, OP_INVERSION, num(1), r->x)));
}

/* g / (4 cosh² x/2) */
void reverse_sigmoid(Rule *r)
{
    Value slope = apply1(r, OP_SECH_SQUARED, mul(r, r->x, num(0.5)));
    give(r, X, mul(r, r->g, mul(r, slope, num(0.25))));
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
void reverse_pow(Rule *r)
{
    static const OpCode next[] = {OP_POW_LESS_1, OP_POW_LESS_2, OP_POW};
    int less = r->op == OP_POW ? 0 : r->op == OP_POW_LESS_1 ? 1 : 2;
    if (wants(r, X)) {
        Value exponent = less ? sub(r, r->y, num(less)) : r->y;
        Value lower = next[less] == OP_POW ? sub(r, r->y, num(less + 1)) : r->y;
        Value power = apply2(r, next[less], r->x, lower);
        give(r, X, mul(r, r->g, mul(r, exponent, power)));
    }
    if (wants(r, Y)) {
        Value base = select_where(r, apply2(r, OP_EQ, r->x, num(0)), num(1), r->x);
        give(r, Y, mul(r, r->g, mul(r, r->out, apply1(r, OP_LOG, base))));
    }
}

/* The winner takes the cotangent, a tie gives half to each: the subgradient of least norm over both
 * operands. */
void reverse_winner(Rule *r)
{
    Value high = r->op == OP_MAXIMUM ? r->x : r->y, low = r->op == OP_MAXIMUM ? r->y : r->x;
    if (wants(r, X)) give(r, X, apply2(r, OP_MASKED, apply2(r, OP_HEAVISIDE, high, low), r->g));
    if (wants(r, Y)) give(r, Y, apply2(r, OP_MASKED, apply2(r, OP_HEAVISIDE, low, high), r->g));
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

/* out = x y, and 0 where x is 0 */
void reverse_masked(Rule *r)
{
    if (wants(r, X)) give(r, X, mul(r, r->g, r->y));
    if (wants(r, Y)) give(r, Y, apply2(r, OP_MASKED, r->x, r->g));
}

/* -g out / (2 x) */
void reverse_sqrt_slope(Rule *r)
{
    give(r, X, mul(r, r->g, div_by(r, mul(r, num(-0.5), r->out), r->x)));
}

/* out + iv = i/(y + ix), so both parts of its derivative are parts of (out + iv)². */
void reverse_inversion(Rule *r)
{
    Value v = apply2(r, OP_INVERSION, r->y, r->x);
    if (wants(r, X)) give(r, X, mul(r, r->g, mul(r, sub(r, v, r->out), add(r, v, r->out))));
    if (wants(r, Y)) give(r, Y, mul(r, r->g, mul(r, mul(r, num(-2), v), r->out)));
}

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

/* g / (2 sqrt(x)) */
void reverse_sqrt(Rule *r)
{
    give(r, X, div_by(r, g(r), mul(r, num(2), out(r))));
}

void reverse_exp(Rule *r)
{
    give(r, X, mul(r, g(r), out(r)));
}

void reverse_expm1(Rule *r)
{
    give(r, X, mul(r, g(r), add(r, out(r), num(1))));
}

void reverse_log(Rule *r)
{
    give(r, X, div_by(r, g(r), x(r)));
}

void reverse_log1p(Rule *r)
{
    give(r, X, div_by(r, g(r), add(r, num(1), x(r))));
}

/* g / (x ln 2) */
void reverse_log2(Rule *r)
{
    give(r, X, div_by(r, g(r), mul(r, x(r), num(0.69314718055994530942))));
}

/* g / (x ln 10) */
void reverse_log10(Rule *r)
{
    give(r, X, div_by(r, g(r), mul(r, x(r), num(2.30258509299404568402))));
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

/* sqrt((1 - x)(1 + x)), which keeps its digits near ±1 */
static Value cosine_of_arcsine(Rule *r)
{
    return apply1(r, OP_SQRT, mul(r, sub(r, num(1), x(r)), add(r, num(1), x(r))));
}

void reverse_asin(Rule *r)
{
    give(r, X, div_by(r, g(r), cosine_of_arcsine(r)));
}

void reverse_acos(Rule *r)
{
    give(r, X, neg(r, div_by(r, g(r), cosine_of_arcsine(r))));
}

void reverse_atan(Rule *r)
{
    give(r, X, div_by(r, g(r), add(r, num(1), square(r, x(r)))));
}

void reverse_sinh(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_COSH, x(r))));
}

void reverse_cosh(Rule *r)
{
    give(r, X, mul(r, g(r), apply1(r, OP_SINH, x(r))));
}

/* g (1 - tanh² x) */
void reverse_tanh(Rule *r)
{
    give(r, X, mul(r, g(r), mul(r, sub(r, num(1), out(r)), add(r, num(1), out(r)))));
}

/* g 2/sqrt(π) exp(-x²) */
void reverse_erf(Rule *r)
{
    Value bell = apply1(r, OP_EXP, neg(r, square(r, x(r))));
    give(r, X, mul(r, g(r), mul(r, num(1.12837916709551257390), bell)));
}

/* g s(x) s(-x) */
void reverse_sigmoid(Rule *r)
{
    Value rising = apply1(r, OP_SIGMOID, x(r)), falling = apply1(r, OP_SIGMOID, neg(r, x(r)));
    give(r, X, mul(r, g(r), mul(r, rising, falling)));
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

/* out = x ** y: y x ** (y - 1), which needs no logarithm, and out log(x), which is asked for only
 * where the exponent is differentiated. Exponent 0: the first is 0 because 0 times anything is.
 * Base 0: the second is taken as 0. */
void reverse_pow(Rule *r)
{
    if (wants(r, X)) {
        Value lower = apply2(r, OP_POW, x(r), sub(r, y(r), num(1)));
        give(r, X, mul(r, g(r), mul(r, y(r), lower)));
    }
    if (wants(r, Y)) {
        Value base = select_where(r, apply2(r, OP_EQ, x(r), num(0)), num(1), x(r));
        give(r, Y, mul(r, g(r), mul(r, out(r), apply1(r, OP_LOG, base))));
    }
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
    Value norm = add(r, square(r, x(r)), square(r, y(r)));
    if (wants(r, X)) give(r, X, div_by(r, mul(r, g(r), y(r)), norm));
    if (wants(r, Y)) give(r, Y, neg(r, div_by(r, mul(r, g(r), x(r)), norm)));
}

/* out = x where z holds, else y */
void reverse_where(Rule *r)
{
    if (wants(r, X)) give(r, X, select_where(r, z(r), g(r), num(0)));
    if (wants(r, Y)) give(r, Y, select_where(r, z(r), num(0), g(r)));
}

/* Reductions and scans. r->attr->axes says which axes were reduced. */
#include <math.h>

#include "ad/rule.h"

/* Sums v, which has the input's shape, to the result's. */
static void give_sum(Rule *r, Value v)
{
    give(r, X, reshape_to(r, sum_axes(r, v, r->attr->axes, true), r->out_shape));
}

/* The reduced cotangent by, given back the reduced axes, times v. */
static void give_expanded(Rule *r, Value v, Value by)
{
    Shape s = in_shape(r, X);
    give(r, X, mul(r, v, expand(r, by, &s)));
}

/* v over the number of elements that make a result. */
static Value over_count(Rule *r, Value v)
{
    Shape s = in_shape(r, X);
    double n = 1;
    for (int i = 0; i < s.rank; i++)
        if (r->attr->axes >> i & 1) n *= (double)s.dim[i];
    return div_by(r, v, num(n));
}

/* ---- sums, means and lengths ---- */

void reverse_sum(Rule *r)
{
    Shape s = in_shape(r, X);
    give(r, X, expand(r, r->op == OP_MEAN ? over_count(r, r->g) : r->g, &s));
}

/* 2 x g / n */
void reverse_mean_square(Rule *r)
{
    give_expanded(r, r->x, mul(r, num(2), over_count(r, r->g)));
}

void forward_mean_square(Rule *r)
{
    Value product = mul(r, r->tangent[X], r->x);
    give(r, X, mul(r, num(2), apply_attr(r, OP_MEAN, &product, 1, r->attr)));
}

/* Whether all are 0 or so far from over- and underflow that their quotients are, too; whether any is 0. */
static bool is_moderate(Value v, bool *any_zero)
{
    Array scratch, *a = value_operand(&v, &scratch);
    int64_t n = array_repeats_one(a) && a->size > 0 ? 1 : a->size;
    if (n > 1 && !a->contiguous) return false;
    for (int64_t i = 0; i < n; i++) {
        double size = fabs(array_floats(a)[i]);
        *any_zero |= size == 0;
        if (!(size == 0 || (size >= 0x1p-400 && size <= 0x1p400))) return false;
    }
    return true;
}

/* The elements and their length: brought near 1 where it matters for their quotient, or that with
 * by. A length of 0 is taken as infinite: no direction, and none in any derivative. */
static void find_length(Rule *r, Value by, Value *elements, Value *length)
{
    bool has_zero = false, ignored = false;
    *elements = r->x;
    *length = r->out;
    if (r->failed) return;
    if (!is_moderate(r->out, &has_zero) || !is_moderate(by, &ignored)) {
        Value plain = ad_plain(r->x);
        *elements = mul(r, r->x, apply_attr(r, OP_SCALES, &plain, 1, r->attr));
        *length = apply_attr(r, r->op, elements, 1, r->attr);
        has_zero = true; /* it was not looked for to the end */
    }
    if (has_zero)
        *length = select_where(r, apply2(r, OP_EQ, *length, num(0)), num(INFINITY), *length);
}

/* norm: x g / norm, rms: x g / (n rms) */
void reverse_length(Rule *r)
{
    Value elements, length;
    find_length(r, r->g, &elements, &length);
    Value by = div_by(r, r->g, length);
    give_expanded(r, elements, r->op == OP_RMS ? over_count(r, by) : by);
}

void forward_length(Rule *r)
{
    Value elements, length;
    Shape s = in_shape(r, X);
    find_length(r, num(1), &elements, &length);
    Value each = mul(r, r->tangent[X], div_by(r, elements, expand(r, length, &s)));
    give_sum(r, r->op == OP_RMS ? over_count(r, each) : each);
}

/* ---- max and min: ties share evenly; the shares are constant, also for higher derivatives, so
 * that sharing and taking the mean over ties are each other's transpose ---- */

static Value shared(Rule *r, Value v, Value from, Value extremes)
{
    Value in[3] = {v, ad_plain(from), ad_plain(extremes)};
    return apply_attr(r, OP_SHARE, in, 3, &(OpAttr){.axes = r->attr->axes});
}

/* The mean of v over the ties. */
static Value tie_mean(Rule *r, Value v, Value from, Value extremes)
{
    Shape s = value_shape(extremes);
    Value weights = shared(r, broadcast_to(r, num(1), &s), from, extremes);
    return reshape_to(r, sum_axes(r, mul(r, v, weights), r->attr->axes, true), &s);
}

void reverse_extremum(Rule *r)
{
    give(r, X, (r->is_forward ? tie_mean : shared)(r, r->g, r->x, r->out));
}

void reverse_share(Rule *r)
{
    if (wants(r, X)) give(r, X, (r->is_forward ? shared : tie_mean)(r, r->g, r->y, r->z));
}

/* ---- e to a difference: the rounding of the difference is made good ---- */

static Value unrounded(Rule *r, Value v, Value from, Value taken)
{
    Value in[3] = {v, ad_plain(from), ad_plain(taken)};
    return apply_attr(r, OP_EXP_REST, in, 3, NULL);
}

void reverse_exp_minus(Rule *r)
{
    Value v = unrounded(r, mul(r, r->g, r->out), r->x, r->y);
    if (wants(r, X)) give(r, X, v);
    if (wants(r, Y)) give(r, Y, neg(r, v));
}

void reverse_exp_rest(Rule *r)
{
    if (wants(r, X)) give(r, X, unrounded(r, r->g, r->y, r->z));
}

/* ---- scans ---- */

static Value scan(Rule *r, OpCode op, Value v, int axis, bool backwards)
{
    return apply_attr(r, op, &v, 1, &(OpAttr){.axis = axis, .backwards = backwards});
}

static Value recurrence(Rule *r, Value factor, Value term, int axis, bool backwards)
{
    Value in[2] = {factor, term};
    return apply_attr(r, OP_RECURRENCE, in, 2, &(OpAttr){.axis = axis, .backwards = backwards});
}

/* v moved by one along axis towards higher indexes (by = 1) or lower ones (by = -1); the free end
 * is filled with fill. */
static Value shifted(Rule *r, Value v, int axis, int by, double fill)
{
    Shape s = value_shape(v), edge = s;
    int64_t n = s.dim[axis];
    if (n == 0) return v;
    edge.dim[axis] = 1;
    Value filler = broadcast_to(r, num(fill), &edge);
    Value rest = by > 0 ? sliced(r, v, axis, 0, n - 1) : sliced(r, v, axis, 1, n);
    Value part[2] = {by > 0 ? filler : rest, by > 0 ? rest : filler};
    return apply_attr(r, OP_CONCAT, part, 2, &(OpAttr){.axis = axis});
}

void reverse_cumsum(Rule *r)
{
    give(r, X, scan(r, OP_CUMSUM, r->g, r->attr->axis, !r->attr->backwards));
}

/* The result's element before each; before the first it is 1 for products, 0 for recurrences. */
static Value before(Rule *r, Value v)
{
    return shifted(r, v, r->attr->axis, r->attr->backwards ? -1 : 1, r->op == OP_CUMPROD);
}

/* h[k] = y[k] + x[k] h[k-1]; the adjoint λ[k] = g[k] + x[k+1] λ[k+1] runs the other way, gives λ to
 * y and λ[k] h[k-1] to x. For running products there is no y. */
void reverse_recurrence(Rule *r)
{
    int axis = r->attr->axis;
    bool back = !r->attr->backwards;
    Value factor = shifted(r, r->x, axis, back ? -1 : 1, 0.0);
    Value adjoint = recurrence(r, factor, r->g, axis, back);
    if (wants(r, X)) give(r, X, mul(r, adjoint, before(r, r->out)));
    if (r->n > 1 && wants(r, Y)) give(r, Y, adjoint);
}

/* t[k] = dy[k] + dx[k] h[k-1] + x[k] t[k-1] */
void forward_recurrence(Rule *r)
{
    Value term = r->n > 1 ? r->tangent[Y] : (Value){0};
    if (value_is_set(r->tangent[X])) {
        Value product = mul(r, r->tangent[X], before(r, r->out));
        term = value_is_set(term) ? add(r, term, product) : product;
    }
    give(r, X, recurrence(r, r->x, term, r->attr->axis, r->attr->backwards));
}

/* ---- products, without division ---- */

static Value others(Rule *r, Value v, int axis, Value by)
{
    Value in[2] = {v, by};
    return apply_attr(r, OP_OTHERS, in, 2, &(OpAttr){.axis = axis});
}

/* by times the product of all other factors over the axes: those along one of them, times those of
 * the others' products. */
static Value all_others(Rule *r, Value v, unsigned axes, Value by)
{
    int axis = 0;
    if (axes == 0) return by;
    while (axes >> axis > 1) axis++;
    unsigned one = 1u << axis;
    if (axes != one) {
        Value product = apply_attr(r, OP_PROD, &v, 1, &(OpAttr){.axes = one, .keepdims = true});
        by = all_others(r, product, axes - one, by);
    }
    return others(r, v, axis, by);
}

void reverse_prod(Rule *r)
{
    Shape s = in_shape(r, X);
    give(r, X, all_others(r, r->x, r->attr->axes, with_axes(r, r->g, &s)));
}

void forward_prod(Rule *r)
{
    give_sum(r, mul(r, r->tangent[X], all_others(r, r->x, r->attr->axes, num(1))));
}

/* others[k] = before[k] after[k] with before[k] = before[k-1] x[k-1]: as in reverse_cumprod, before's
 * cotangent gives before[k] h[k+1] to x[k], h[k] = (g after)[k] + x[k] h[k+1]; likewise the other way.
 * The same for tangents, for the second derivatives of a product are symmetric. */
static void give_others(Rule *r, Value g)
{
    int axis = r->attr->axis;
    Value side[2];
    for (int i = 0; i < 2; i++) {
        Value product = scan(r, OP_CUMPROD, r->x, axis, i == 1);
        side[i] = shifted(r, product, axis, i == 0 ? 1 : -1, 1.0);
    }
    for (int i = 0; i < 2; i++) {
        Value h = recurrence(r, r->x, mul(r, g, side[1 - i]), axis, i == 0);
        give(r, X, mul(r, side[i], shifted(r, h, axis, i == 0 ? -1 : 1, 0.0)));
    }
}

void reverse_others(Rule *r)
{
    int axis = r->attr->axis;
    if (wants(r, X)) give_others(r, mul(r, r->g, r->y));
    if (!wants(r, Y)) return;
    if (r->is_forward)
        give(r, Y, others(r, r->x, axis, r->g));
    else
        give(r, Y, sum_axes(r, mul(r, r->g, others(r, r->x, axis, num(1))), 1u << axis, true));
}

/* Reductions and scans. r->attr->axes says which axes were reduced. */
#include "ad/rules.h"

void reverse_sum(Rule *r)
{
    Shape s = in_shape(r, X);
    give(r, X, expand(r, g(r), &s));
}

/* ---- max and min: ties share evenly ---- */

/* 1 / (number of ties) where x is the extremum, else 0; constant, also for higher derivatives. */
static Value shares(Rule *r, const Shape *s, Value *is_extreme)
{
    *is_extreme = apply2(r, OP_EQ, x(r), expand(r, out(r), s));
    Value ties = sum_axes(r, *is_extreme, r->attr->axes, true);
    return broadcast_to(r, ties, s);
}

void reverse_extremum(Rule *r)
{
    Shape s = in_shape(r, X);
    Value is_extreme, ties = shares(r, &s, &is_extreme);
    give(r, X, select_where(r, is_extreme, apply2(r, OP_DIV, expand(r, g(r), &s), ties), num(0)));
}

void forward_extremum(Rule *r)
{
    Shape s = in_shape(r, X);
    Value is_extreme, ties = shares(r, &s, &is_extreme);
    Value picked = select_where(r, is_extreme, apply2(r, OP_DIV, r->tangent[X], ties), num(0));
    give(r, X, reshape_to(r, sum_axes(r, picked, r->attr->axes, true), r->out_shape));
}

/* ---- products, without division ---- */

static Value recurrence(Rule *r, Value factor, Value term, int axis, bool backwards)
{
    Value in[2] = {factor, term};
    OpAttr attr = {.axis = axis, .backwards = backwards};
    return apply_attr(r, OP_RECURRENCE, in, 2, &attr);
}

/* v moved by one along axis towards higher indexes (by = 1) or lower ones (by = -1); the free end
 * is filled with fill. */
static Value shifted(Rule *r, Value v, int axis, int by, double fill)
{
    Shape s = shape_in(v), edge = s;
    int64_t n = s.dim[axis];
    if (n == 0) return v;
    edge.dim[axis] = 1;
    Value filler = broadcast_to(r, num(fill), &edge);
    Value rest = by > 0 ? sliced(r, v, axis, 0, n - 1) : sliced(r, v, axis, 1, n);
    Value part[2] = {by > 0 ? filler : rest, by > 0 ? rest : filler};
    OpAttr attr = {.axis = axis};
    return apply_attr(r, OP_CONCAT, part, 2, &attr);
}

static Value cumprod(Rule *r, Value v, int axis)
{
    OpAttr attr = {.axis = axis};
    return apply_attr(r, OP_CUMPROD, &v, 1, &attr);
}

/* x with the reduced axes moved to the end and merged into one, so that a product runs along the
 * last axis. */
static Value merged(Rule *r, Value v, OpAttr *order, Shape *moved, Shape *flat)
{
    Shape s = shape_in(v);
    int at = 0;
    *order = (OpAttr){.shape.rank = s.rank};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s.rank; i++)
            if ((int)(r->attr->axes >> i & 1) == pass) order->shape.dim[at++] = i;
    *moved = s;
    *flat = (Shape){.rank = 1, .dim = {1}};
    int64_t length = 1;
    for (int i = 0; i < s.rank; i++) {
        moved->dim[i] = s.dim[order->shape.dim[i]];
        if (r->attr->axes >> order->shape.dim[i] & 1)
            length *= moved->dim[i];
        else
            flat->dim[0] *= moved->dim[i];
    }
    flat->rank = 2;
    flat->dim[1] = length;
    return reshape_to(r, apply_attr(r, OP_TRANSPOSE, &v, 1, order), flat);
}

/* merged undone. */
static Value unmerged(Rule *r, Value v, const OpAttr *order, const Shape *moved)
{
    OpAttr back = {.shape.rank = moved->rank};
    for (int i = 0; i < moved->rank; i++) back.shape.dim[order->shape.dim[i]] = i;
    v = reshape_to(r, v, moved);
    return apply_attr(r, OP_TRANSPOSE, &v, 1, &back);
}

/* The product of all other factors: what stands before times what stands after. */
static Value others(Rule *r)
{
    OpAttr order;
    Shape moved, flat;
    Shape s = in_shape(r, X);
    if (s.rank == 0) return num(1);
    Value v = merged(r, x(r), &order, &moved, &flat);
    Value before = shifted(r, cumprod(r, v, 1), 1, 1, 1.0);
    Value after = shifted(r, flipped(r, cumprod(r, flipped(r, v, 1), 1), 1), 1, -1, 1.0);
    return unmerged(r, mul(r, before, after), &order, &moved);
}

void reverse_prod(Rule *r)
{
    Shape s = in_shape(r, X);
    give(r, X, mul(r, expand(r, g(r), &s), others(r)));
}

void forward_prod(Rule *r)
{
    Value each = mul(r, r->tangent[X], others(r));
    give(r, X, reshape_to(r, sum_axes(r, each, r->attr->axes, true), r->out_shape));
}

/* ---- scans ---- */

void reverse_cumsum(Rule *r)
{
    int axis = r->attr->axis;
    OpAttr attr = {.axis = axis};
    Value v = flipped(r, g(r), axis);
    give(r, X, flipped(r, apply_attr(r, OP_CUMSUM, &v, 1, &attr), axis));
}

/* out[k] = x[k] out[k-1]: x[k]'s cotangent is out[k-1] h[k] with h[k] = g[k] + x[k+1] h[k+1]. */
void reverse_cumprod(Rule *r)
{
    int axis = r->attr->axis;
    Value h = recurrence(r, shifted(r, x(r), axis, -1, 0.0), g(r), axis, true);
    give(r, X, mul(r, h, shifted(r, cumprod(r, x(r), axis), axis, 1, 1.0)));
}

/* t[k] = x[k] t[k-1] + dx[k] out[k-1] */
void forward_cumprod(Rule *r)
{
    int axis = r->attr->axis;
    Value previous = shifted(r, cumprod(r, x(r), axis), axis, 1, 1.0);
    give(r, X, recurrence(r, x(r), mul(r, r->tangent[X], previous), axis, false));
}

/* h[k] = y[k] + x[k] h[k-1]; the adjoint λ[k] = g[k] + x[k+1] λ[k+1] runs the other way, gives λ to
 * y and λ[k] h[k-1] to x. */
void reverse_recurrence(Rule *r)
{
    int axis = r->attr->axis, towards = r->attr->backwards ? -1 : 1;
    Value adjoint =
        recurrence(r, shifted(r, x(r), axis, -towards, 0.0), g(r), axis, !r->attr->backwards);
    if (wants(r, Y)) give(r, Y, adjoint);
    if (wants(r, X)) give(r, X, mul(r, adjoint, shifted(r, out(r), axis, towards, 0.0)));
}

/* t[k] = dy[k] + dx[k] h[k-1] + x[k] t[k-1] */
void forward_recurrence(Rule *r)
{
    int axis = r->attr->axis, towards = r->attr->backwards ? -1 : 1;
    Value term = value_is_set(r->tangent[Y]) ? r->tangent[Y] : zeros_of(r, r->out_shape);
    if (value_is_set(r->tangent[X]))
        term = add(r, term, mul(r, r->tangent[X], shifted(r, out(r), axis, towards, 0.0)));
    give(r, X, recurrence(r, x(r), term, axis, r->attr->backwards));
}

/* Linear algebra on the last two axes. Products here are plain: 0 times infinity is NaN, as in the
 * matrix product. */
#include "ad/rule.h"

/* ---- solve ---- */

static Value solve(Rule *r, Value a, Value b, bool transposed_a)
{
    Value in[2] = {a, b};
    return apply_attr(r, OP_SOLVE, in, 2, &(OpAttr){.transposed = transposed_a});
}

static bool is_transposed(const Rule *r)
{
    return r->attr && r->attr->transposed;
}

/* out = X⁻¹ Y: dY = X⁻ᵀ g, dX = −dY outᵀ; with X transposed, dX is the transpose of that. */
void reverse_solve(Rule *r)
{
    bool turned = is_transposed(r);
    Value b = solve(r, r->x, r->g, !turned);
    if (wants(r, Y)) give(r, Y, b);
    if (!wants(r, X)) return;
    Value left = turned ? r->out : b, right = turned ? b : r->out;
    give(r, X, neg(r, matrix_product(r, left, transposed(r, right))));
}

/* X t = dY − dX out */
void forward_solve(Rule *r)
{
    bool turned = is_transposed(r);
    Value right = r->tangent[Y];
    if (value_is_set(r->tangent[X])) {
        Value moved = turned ? transposed(r, r->tangent[X]) : r->tangent[X];
        Value product = matrix_product(r, moved, r->out);
        right = value_is_set(right) ? sub(r, right, product) : neg(r, product);
    }
    give(r, X, solve(r, r->x, right, turned));
}

/* ---- inv ---- */

/* dX = −outᵀ g outᵀ, t = −out dX out */
void reverse_inv(Rule *r)
{
    Value side = r->is_forward ? r->out : transposed(r, r->out);
    give(r, X, neg(r, matrix_product(r, matrix_product(r, side, r->g), side)));
}

/* ---- det: its gradient is the matrix of cofactors, whether or not there is an inverse ---- */

void reverse_det(Rule *r)
{
    Value each = apply1(r, OP_COFACTOR, r->x);
    int rank = value_shape(r->x).rank;
    Shape s = value_shape(r->g);
    if (r->is_forward) {
        give(r, X, sum_axes(r, apply2(r, OP_MUL, each, r->g), 3u << (rank - 2), false));
        return;
    }
    s.dim[s.rank++] = 1;
    s.dim[s.rank++] = 1;
    give(r, X, apply2(r, OP_MUL, reshape_to(r, r->g, &s), each));
}

/* A stack of matrices with a single leading axis; as directions, with one more before it. */
static Value flat(Rule *r, Value v, bool directions)
{
    Shape s = value_shape(v), to = {.rank = 3, .dim = {1, s.dim[s.rank - 2], s.dim[s.rank - 1]}};
    for (int i = 0; i < s.rank - 2; i++) to.dim[0] *= s.dim[i];
    if (directions) to = (Shape){4, {1, to.dim[0], to.dim[1], to.dim[2]}};
    return reshape_to(r, v, &to);
}

/* The matrix whose product with any E is the next derivative of det, along directions and E: the
 * same for every order of the directions and E. */
static Value along(Rule *r, Value a, Value directions)
{
    return apply2(r, OP_COFACTOR_ALONG, a, directions);
}

/* For tangents and cotangents alike. */
void reverse_cofactor(Rule *r)
{
    Shape s = value_shape(r->x);
    Value v = along(r, flat(r, r->x, false), flat(r, r->g, true));
    give(r, X, reshape_to(r, v, &s));
}

static Value joined(Rule *r, const Value *part, int n)
{
    OpAttr attr = {.axis = 0};
    return n == 1 ? part[0] : apply_attr(r, OP_CONCAT, part, n, &attr);
}

static Value one_more(Rule *r, Value directions, Value direction)
{
    Value part[2] = {directions, flat(r, direction, true)};
    return joined(r, part, 2);
}

/* directions with the i-th replaced. */
static Value replaced(Rule *r, Value directions, int64_t i, Value direction)
{
    Value part[3];
    int n = 0;
    int64_t k = value_shape(directions).dim[0];
    if (i > 0) part[n++] = sliced(r, directions, 0, 0, i);
    part[n++] = direction;
    if (i + 1 < k) part[n++] = sliced(r, directions, 0, i + 1, k);
    return joined(r, part, n);
}

/* Forwards, the tangents of y's matrices take their places and what follows is summed; backwards, g
 * does, and what follows are the cotangents. */
void reverse_cofactor_along(Rule *r)
{
    if (wants(r, X)) give(r, X, along(r, r->x, one_more(r, r->y, r->g)));
    if (!wants(r, Y)) return;
    Value all = {0};
    for (int64_t i = 0; i < value_shape(r->y).dim[0] && !r->failed; i++) {
        Value place = r->is_forward ? sliced(r, r->g, 0, i, i + 1) : flat(r, r->g, true);
        Value v = along(r, r->x, replaced(r, r->y, i, place));
        if (r->is_forward)
            give(r, Y, v);
        else
            all = i ? one_more(r, all, v) : flat(r, v, true);
    }
    if (!r->is_forward) give(r, Y, all);
}

/* ---- cholesky: Murray, "Differentiation of the Cholesky decomposition", 2016 ---- */

/* The lower triangle with half of the diagonal. */
static Value half_lower(Rule *r, Value v)
{
    if (r->failed) return v;
    Shape s = value_shape(v);
    int64_t n = s.dim[s.rank - 1];
    Array *factor = array_zeros(DT_FLOAT, &(Shape){2, {n, n}}, r->ad->err);
    if (!factor) {
        r->failed = true;
        return v;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) array_floats(factor)[i * n + j] = i == j ? 0.5 : 1.0;
    return mul(r, v, keep_take(r, value_arr(factor)));
}

static Value symmetric(Rule *r, Value v)
{
    return apply2(r, OP_MUL, add(r, v, transposed(r, v)), num(0.5));
}

/* With P = half_lower(Lᵀ g): the symmetric part of L⁻ᵀ P L⁻¹. */
void reverse_cholesky(Rule *r)
{
    Value p = half_lower(r, matrix_product(r, transposed(r, r->out), r->g));
    Value left = solve(r, r->out, p, true);
    give(r, X, symmetric(r, solve(r, r->out, transposed(r, left), true)));
}

/* t = L half_lower(L⁻¹ dX L⁻ᵀ), with the symmetric part of dX */
void forward_cholesky(Rule *r)
{
    Value left = solve(r, r->out, symmetric(r, r->tangent[X]), false);
    Value both = solve(r, r->out, transposed(r, left), false);
    give(r, X, matrix_product(r, r->out, half_lower(r, both)));
}

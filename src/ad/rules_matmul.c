/* The matrix product, for every rank that it has (array/linalg/matmul.h). */
#include "ad/rule.h"

/* A vector as a matrix: a row where it stands on the left, a column on the right. */
static Value as_matrix(Rule *r, Value v, bool left)
{
    Shape s = value_shape(v);
    if (s.rank != 1) return v;
    Shape m = {.rank = 2, .dim = {left ? 1 : s.dim[0], left ? s.dim[0] : 1}};
    return reshape_to(r, v, &m);
}

/* The result's cotangent with the axes that vectors took away put back: a column's last, a row's
 * before the last. */
static Value as_matrix_result(Rule *r, int rank_x, int rank_y)
{
    Shape s = value_shape(r->g);
    if (rank_y == 1) s.dim[s.rank++] = 1;
    if (rank_x == 1) {
        s.dim[s.rank] = s.dim[s.rank - 1];
        s.dim[s.rank++ - 1] = 1;
    }
    return reshape_to(r, r->g, &s);
}

/* A column's cotangent (…, k, 1) as (…, k), so that the sum over batches ends at a vector. */
static Value as_vectors(Rule *r, Value v)
{
    Shape s = value_shape(v);
    s.rank--;
    return reshape_to(r, v, &s);
}

/* Forwards, the tangent takes its input's place. */
static void give_tangent(Rule *r)
{
    give(r, X, matrix_product(r, wants(r, X) ? r->g : r->x, wants(r, Y) ? r->g : r->y));
}

/* dX = dY Wᵀ, dW = Xᵀ dY */
void reverse_matmul(Rule *r)
{
    if (r->is_forward) {
        give_tangent(r);
        return;
    }
    int rank_y = value_shape(r->y).rank;
    Value cotangent = as_matrix_result(r, value_shape(r->x).rank, rank_y);
    if (wants(r, X)) give_product(r, X, cotangent, transposed(r, as_matrix(r, r->y, false)));
    if (!wants(r, Y)) return;
    Value left = transposed(r, as_matrix(r, r->x, true));
    if (rank_y == 1)
        give(r, Y, as_vectors(r, matrix_product(r, left, cotangent)));
    else
        give_product(r, Y, left, cotangent);
}

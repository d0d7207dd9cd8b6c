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

/* The result's cotangent with the axes that vectors took away put back. */
static Value as_matrix_result(Rule *r, int rank_x, int rank_y)
{
    Shape s = value_shape(r->g), m = s;
    if (rank_x > 1 && rank_y > 1) return r->g;
    if (rank_x == 1 && rank_y == 1)
        m = (Shape){.rank = 2, .dim = {1, 1}};
    else {
        m.rank = s.rank + 1;
        m.dim[s.rank] = 1; /* a column was lost: put it last */
        if (rank_x == 1) { /* a row was lost: put it before the last */
            m.dim[s.rank] = s.dim[s.rank - 1];
            m.dim[s.rank - 1] = 1;
        }
    }
    return reshape_to(r, r->g, &m);
}

/* A column's cotangent (…, k, 1) as (…, k), so that the sum over batches ends at a vector. */
static Value as_vectors(Rule *r, Value v)
{
    Shape s = value_shape(v);
    s.rank--;
    return reshape_to(r, v, &s);
}

/* dX = dY Wᵀ, dW = Xᵀ dY */
void reverse_matmul(Rule *r)
{
    int rank_x = value_is_set(r->x) ? value_shape(r->x).rank : in_shape(r, X).rank;
    int rank_y = value_is_set(r->y) ? value_shape(r->y).rank : in_shape(r, Y).rank;
    Value cotangent = as_matrix_result(r, rank_x, rank_y);
    if (wants(r, X)) give_product(r, X, cotangent, transposed(r, as_matrix(r, r->y, false)));
    if (wants(r, Y)) {
        Value left = transposed(r, as_matrix(r, r->x, true));
        if (rank_y == 1)
            give(r, Y, as_vectors(r, matrix_product(r, left, cotangent)));
        else
            give_product(r, Y, left, cotangent);
    }
}

void forward_matmul(Rule *r)
{
    if (value_is_set(r->tangent[X])) give(r, X, matrix_product(r, r->tangent[X], r->input[Y]));
    if (value_is_set(r->tangent[Y])) give(r, Y, matrix_product(r, r->input[X], r->tangent[Y]));
}

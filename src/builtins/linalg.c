#include "array/linalg/linalg.h"

#include "builtins/arrange.h"
#include "builtins/einsum.h"
#include "builtins/topics.h"

/* ---- arguments ---- */

/* Argument 0 as a square matrix or a stack of them. */
static bool arg_square(Interp *in, const Args *a, Shape *s)
{
    if (!arg_array(in, a, 0)) return false;
    Error why = {0};
    *s = value_shape(a->pos[0]);
    bool ok = linalg_check_square(s, a->builtin->name, &why);
    if (!ok) arg_error(in, a, 0, why.kind, "%s", why.message);
    error_clear(&why);
    return ok;
}

static bool of_square(Interp *in, const Args *a, OpCode op, Value *out)
{
    Shape s;
    return arg_square(in, a, &s) && op_apply1(&in->ad, op, a->pos[0], out);
}

/* ---- solve ---- */

static bool check_right_side(Interp *in, const Args *a, const Shape *sa, const Shape *sb,
                             bool is_vector)
{
    int64_t n = sa->dim[sa->rank - 1];
    if (sb->dim[sb->rank - (is_vector ? 1 : 2)] == n) return true;
    arg_error(in, a, 1, ERR_SHAPE, "solve: A is %s, but b is %s: b must have %lld %s",
              shape_noun(sa), shape_noun(sb), (long long)n, is_vector ? "elements" : "rows");
    if (is_vector && sb->rank > 1)
        error_hint(&in->err, "b counts as a stack of vectors here; b[none] is one matrix of "
                             "columns for every A");
    return false;
}

/* A vector is a matrix of one column. */
static bool solve_vector(Interp *in, Value a, Value b, Value *out)
{
    Shape s = value_shape(b);
    s.dim[s.rank++] = 1;
    Value column = value_retain(b);
    if (!then_reshape(in, &column, &s)) return false;
    bool ok = op_apply2(&in->ad, OP_SOLVE, a, column, out);
    value_release(column);
    if (!ok) return false;
    s = value_shape(*out);
    s.rank--;
    return then_reshape(in, out, &s);
}

static bool solve_builtin(Interp *in, const Args *a, Value *out)
{
    Shape sa;
    if (!arg_square(in, a, &sa) || !arg_array(in, a, 1)) return false;
    Shape sb = value_shape(a->pos[1]);
    bool is_vector = sb.rank == 1 || sb.rank == sa.rank - 1;
    if (!check_right_side(in, a, &sa, &sb, is_vector)) return false;
    return is_vector ? solve_vector(in, a->pos[0], a->pos[1], out)
                     : op_apply2(&in->ad, OP_SOLVE, a->pos[0], a->pos[1], out);
}

/* ---- the others ---- */

static bool inv_builtin(Interp *in, const Args *a, Value *out)
{
    return of_square(in, a, OP_INV, out);
}

static bool det_builtin(Interp *in, const Args *a, Value *out)
{
    return of_square(in, a, OP_DET, out);
}

/* (A + Aᵀ) / 2 */
static bool symmetric_part(Ad *ad, Value v, Value *out)
{
    OpAttr order = {.shape.rank = value_shape(v).rank};
    int last = order.shape.rank - 1;
    for (int i = 0; i < last - 1; i++) order.shape.dim[i] = i;
    order.shape.dim[last - 1] = last;
    order.shape.dim[last] = last - 1;
    Value turned, sum;
    if (!op_apply(ad, OP_TRANSPOSE, &v, 1, &order, &turned)) return false;
    bool ok = op_apply2(ad, OP_ADD, v, turned, &sum);
    value_release(turned);
    if (!ok) return false;
    ok = op_apply2(ad, OP_MUL, sum, value_float(0.5), out);
    value_release(sum);
    return ok;
}

/* One triangle is read, but the derivative is that of a function of the symmetric part, which a
 * difference has to be taken of. */
static bool cholesky_builtin(Interp *in, const Args *a, Value *out)
{
    Value symmetric;
    Shape s;
    if (!in->reads_symmetric_part) return of_square(in, a, OP_CHOLESKY, out);
    if (!arg_square(in, a, &s) || !symmetric_part(&in->ad, a->pos[0], &symmetric)) return false;
    bool ok = op_apply1(&in->ad, OP_CHOLESKY, symmetric, out);
    value_release(symmetric);
    return ok;
}

static bool dot_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0) || !arg_numeric(in, a, 1)) return false;
    Shape s[2] = {value_shape(a->pos[0]), value_shape(a->pos[1])};
    for (int i = 0; i < 2; i++) {
        if (s[i].rank <= 2) continue;
        arg_error(in, a, i, ERR_SHAPE, "dot: %s must be a vector or a matrix, not %s",
                  i ? "b" : "a", shape_phrase(&s[i]));
        return error_hint(&in->err, "a @ b multiplies stacks of matrices");
    }
    bool scales = s[0].rank == 0 || s[1].rank == 0;
    return op_apply2(&in->ad, scales ? OP_MUL : OP_MATMUL, a->pos[0], a->pos[1], out);
}

const Builtin builtins_linalg[] = {
    {"dot", "dot(a, b)",
     "The product of vectors (a number) and matrices, as a @ b; a number scales. More axes, or "
     "inner sizes that differ, are an error. `dot([1, 2], [3, 4])` is `11`.",
     dot_builtin},
    {"einsum", "einsum(spec, operands…)",
     "Sums of products: spec names each operand's axes by letters, as in \"ij,jk->ik\", and the "
     "result's. Axes with one letter go together and must be equally long; letters that are not in "
     "the result are summed over; a letter twice in one operand is its diagonal. Without -> the "
     "result has the letters that occur once, in alphabetical order. ... stands for all other axes, "
     "which broadcast. Operands are multiplied from left to right, as matrices where they can be.",
     einsum_builtin},
    {"solve", "solve(A, b)",
     "The x with A @ x = b, for a square matrix A and a vector or a matrix of columns b, by "
     "elimination with partial pivoting. Over leading axes A is a stack of matrices; b is one "
     "of vectors if it has one axis less than A. A singular A is an error. `solve([[2.0, 0.0], "
     "[0.0, 4.0]], [2.0, 2.0])` is `[1.0, 0.5]`.",
     solve_builtin},
    {"cholesky", "cholesky(A)",
     "The lower triangle L with L @ transpose(L) = A, for a symmetric, positive definite A or a "
     "stack of them; anything else is an error. Only A's lower triangle is read. The derivative "
     "is symmetric, that of cholesky((A + transpose(A)) / 2), which check_grad compares it with.",
     cholesky_builtin},
    {"inv", "inv(A)",
     "The inverse of a square matrix, or of each one of a stack; an error if it is singular. To "
     "solve equations, solve(A, b) is faster and more exact.",
     inv_builtin},
    {"det", "det(A)",
     "The determinant of a square matrix, or of each one of a stack; 1 of a 0×0 matrix. Its "
     "derivatives are made from cofactors, so they are right for singular matrices too. "
     "`det([[2.0, 0.0], [0.0, 4.0]])` is `8.0`.",
     det_builtin},
    {0},
};

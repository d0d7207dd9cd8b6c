/* einsum by transpositions, reshapes, sums, products and matrix products, so that its derivatives
 * are theirs. Operands are joined from left to right; what "ij,jk->ik" computes is A @ B. */
#include "builtins/einsum.h"

#include "builtins/arrange.h"

/* An intermediate result: no label twice. */
typedef struct {
    Labels labels;
    Value v; /* owned; unset after a failure */
} Term;

static uint64_t bit(int label)
{
    return (uint64_t)1 << label;
}

/* t's labels that are in mask, in t's order. */
static Labels select(const Labels *l, uint64_t mask)
{
    Labels chosen = {0};
    for (int i = 0; i < l->n; i++)
        if (mask & bit(l->label[i])) chosen.label[chosen.n++] = l->label[i];
    return chosen;
}

static int position(const Labels *l, int label)
{
    int i = 0;
    while (l->label[i] != label) i++;
    return i;
}

static bool then_transpose(Interp *in, Value *v, const OpAttr *order, int rank)
{
    bool is_identity = true;
    for (int i = 0; i < rank; i++) is_identity &= order->shape.dim[i] == i;
    if (is_identity) return true;
    Value moved = {0};
    bool ok = op_apply(&in->ad, OP_TRANSPOSE, v, 1, order, &moved);
    value_release(*v);
    *v = ok ? moved : (Value){0};
    return ok;
}

static bool then_shape(Interp *in, Value *v, const Shape *s)
{
    Shape have = value_shape(*v);
    return shape_equal(&have, s) || then_reshape(in, v, s);
}

/* ---- one operand ---- */

/* Drops axes of "..." that are 1 here and longer elsewhere: they broadcast. */
static bool drop_broadcast(Interp *in, const Einsum *e, Term *t)
{
    Shape s = value_shape(t->v), kept = {0};
    Labels l = {0};
    for (int i = 0; i < s.rank; i++) {
        int label = t->labels.label[i];
        if (label >= AXIS_LABEL && s.dim[i] != e->size[label]) continue;
        kept.dim[kept.rank++] = s.dim[i];
        l.label[l.n++] = label;
    }
    t->labels = l;
    return then_shape(in, &t->v, &kept);
}

/* The two axes of a repeated index. */
static bool find_repeated(const Labels *l, int *i, int *j)
{
    for (*i = 0; *i < l->n; ++*i)
        for (*j = *i + 1; *j < l->n; ++*j)
            if (l->label[*i] == l->label[*j]) return true;
    return false;
}

/* Axes i and j, both of size n, are moved to the end and become one of n²; of that, every n + 1st
 * element is on the diagonal. */
static bool take_diagonal(Interp *in, Term *t, int i, int j)
{
    Shape s = value_shape(t->v), flat = {0};
    OpAttr order = {.shape.rank = s.rank};
    Labels l = {0};
    int64_t n = s.dim[i];
    int at = 0;
    for (int k = 0; k < s.rank; k++) {
        if (k == i || k == j) continue;
        order.shape.dim[at++] = k;
        flat.dim[flat.rank++] = s.dim[k];
        l.label[l.n++] = t->labels.label[k];
    }
    order.shape.dim[at++] = i;
    order.shape.dim[at] = j;
    flat.dim[flat.rank++] = n * n;
    l.label[l.n++] = t->labels.label[i];
    IndexTerm term[MAX_RANK] = {0};
    for (int k = 0; k < flat.rank; k++) term[k].kind = INDEX_SLICE;
    term[flat.rank - 1].has_step = true;
    term[flat.rank - 1].step = n + 1;
    t->labels = l;
    return then_transpose(in, &t->v, &order, s.rank) && then_reshape(in, &t->v, &flat) &&
           then_index(in, &t->v, term, flat.rank);
}

static bool sum_unneeded(Interp *in, Term *t, uint64_t needed)
{
    unsigned axes = 0;
    Value sum = {0};
    for (int i = 0; i < t->labels.n; i++)
        if (!(needed & bit(t->labels.label[i]))) axes |= 1u << i;
    if (!axes) return true;
    t->labels = select(&t->labels, needed);
    bool ok = op_reduce(&in->ad, OP_SUM, t->v, axes, false, &sum);
    value_release(t->v);
    t->v = ok ? sum : (Value){0};
    return ok;
}

/* Operand i with every label once, and only labels that the output or another operand has. */
static bool prepare(Interp *in, const Args *a, const Einsum *e, int i, Term *t)
{
    uint64_t needed = labels_mask(&e->out);
    for (int k = 0; k < e->n; k++)
        if (k != i) needed |= labels_mask(&e->operand[k]);
    *t = (Term){e->operand[i], value_retain(a->pos[i + 1])};
    if (!drop_broadcast(in, e, t)) return false;
    int first, second;
    while (find_repeated(&t->labels, &first, &second))
        if (!take_diagonal(in, t, first, second)) return false;
    return sum_unneeded(in, t, needed);
}

/* ---- two operands ---- */

/* Groups of labels of a pair: in both and kept, in one alone, in both and summed over. */
typedef struct {
    Labels batch, left, right, inner;
} Pair;

static void append(Labels *l, Shape *s, const Einsum *e, const Labels *group)
{
    for (int i = 0; i < group->n; i++) {
        l->label[l->n++] = group->label[i];
        s->dim[s->rank++] = e->size[group->label[i]];
    }
}

/* t's axes in the order of labels. */
static bool arrange(Interp *in, Term *t, const Labels *labels)
{
    OpAttr order = {.shape.rank = labels->n};
    for (int i = 0; i < labels->n; i++) order.shape.dim[i] = position(&t->labels, labels->label[i]);
    t->labels = *labels;
    return then_transpose(in, &t->v, &order, labels->n);
}

static int64_t product(const Einsum *e, const Labels *l)
{
    int64_t n = 1;
    for (int i = 0; i < l->n; i++) n *= e->size[l->label[i]];
    return n;
}

/* t as (batch, rows, columns), each of rows and columns one axis. */
static bool as_matrices(Interp *in, const Einsum *e, Term *t, const Labels *batch,
                        const Labels *rows, const Labels *columns)
{
    Labels all = {0};
    Shape s = {0};
    append(&all, &s, e, batch);
    if (batch->n > MAX_RANK - 2) s = (Shape){1, {product(e, batch)}};
    Shape ignored = {0};
    append(&all, &ignored, e, rows);
    append(&all, &ignored, e, columns);
    s.dim[s.rank++] = product(e, rows);
    s.dim[s.rank++] = product(e, columns);
    return arrange(in, t, &all) && then_shape(in, &t->v, &s);
}

/* t as (batch, own axes) with ones where the other operand's axes are. A number broadcasts anyhow.
 */
static bool as_factor(Interp *in, const Einsum *e, Term *t, const Pair *p, bool is_left)
{
    Labels all = {0};
    Shape s = {0};
    if (t->labels.n == 0) return true;
    append(&all, &s, e, &p->batch);
    for (int i = 0; !is_left && i < p->left.n; i++) s.dim[s.rank++] = 1;
    append(&all, &s, e, is_left ? &p->left : &p->right);
    for (int i = 0; is_left && i < p->right.n; i++) s.dim[s.rank++] = 1;
    return arrange(in, t, &all) && then_shape(in, &t->v, &s);
}

static bool multiply(Interp *in, const Einsum *e, const Pair *p, Term *left, Term *right,
                     Value *out)
{
    if (p->inner.n == 0)
        return as_factor(in, e, left, p, true) && as_factor(in, e, right, p, false) &&
               op_apply2(&in->ad, OP_MUL, left->v, right->v, out);
    return as_matrices(in, e, left, &p->batch, &p->left, &p->inner) &&
           as_matrices(in, e, right, &p->batch, &p->inner, &p->right) &&
           op_apply2(&in->ad, OP_MATMUL, left->v, right->v, out);
}

/* *t becomes its contraction with operand i, which is released. */
static bool join(Interp *in, const Args *a, const Einsum *e, int i, Term *t, Term *operand)
{
    uint64_t needed = labels_mask(&e->out), left = labels_mask(&t->labels);
    uint64_t right = labels_mask(&operand->labels);
    for (int k = i + 1; k < e->n; k++) needed |= labels_mask(&e->operand[k]);
    Pair p = {select(&t->labels, left & right & needed), select(&t->labels, left & ~right),
              select(&operand->labels, right & ~left), select(&t->labels, left & right & ~needed)};
    int rank = p.batch.n + p.left.n + p.right.n;
    if (rank > MAX_RANK)
        return arg_error(in, a, 0, ERR_SHAPE,
                         "einsum: operands 1 to %d of \"%s\" make an array of %d axes, at most %d",
                         i + 1, a->pos[0].str->text, rank, MAX_RANK);
    Labels all = {0};
    Shape s = {0};
    append(&all, &s, e, &p.batch);
    append(&all, &s, e, &p.left);
    append(&all, &s, e, &p.right);
    Value joined;
    if (!multiply(in, e, &p, t, operand, &joined)) return false;
    value_release(t->v);
    *t = (Term){all, joined};
    return then_shape(in, &t->v, &s);
}

static bool contract(Interp *in, const Args *a, const Einsum *e, Term *t)
{
    if (!prepare(in, a, e, 0, t)) return false;
    for (int i = 1; i < e->n; i++) {
        Term operand;
        bool ok = prepare(in, a, e, i, &operand) && join(in, a, e, i, t, &operand);
        value_release(operand.v);
        if (!ok) return false;
    }
    return arrange(in, t, &e->out);
}

bool einsum_builtin(Interp *in, const Args *a, Value *out)
{
    Einsum e;
    Term t = {0};
    bool ok = einsum_read(in, a, &e) && contract(in, a, &e, &t);
    mem_free(e.operand);
    *out = t.v;
    if (!ok) value_clear(out);
    return ok;
}

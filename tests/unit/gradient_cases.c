#include "gradient_cases.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "array_support.h"

/* ---- inputs ---- */

static Array *must(Array *a)
{
    cr_assert_not_null(a);
    return a;
}

static Array *blank(DType t, Shape s)
{
    Error err = {0};
    return must(array_new(t, &s, &err));
}

Value random_input(Shape s, double lo, double hi)
{
    Array *a = blank(DT_FLOAT, s);
    for (int64_t i = 0; i < a->size; i++) array_floats(a)[i] = random_between(lo, hi);
    return value_from_array_take(a);
}

Value spread_input(Shape s, double lo, int which)
{
    Array *a = blank(DT_FLOAT, s);
    double *v = array_floats(a);
    for (int64_t i = 0; i < a->size; i++)
        v[i] = lo + 0.3 * ((double)i + which / 3.0 + random_between(0, 0.1));
    for (int64_t i = a->size - 1; i > 0; i--) {
        int64_t other = random_below(i + 1);
        double keep = v[i];
        v[i] = v[other];
        v[other] = keep;
    }
    return value_from_array_take(a);
}

Value int_input(Shape s, int64_t lo, int64_t hi)
{
    Array *a = blank(DT_INT, s);
    for (int64_t i = 0; i < a->size; i++) array_ints(a)[i] = lo + random_below(hi - lo);
    return value_from_array_take(a);
}

Value bool_input(Shape s)
{
    Array *a = blank(DT_BOOL, s);
    for (int64_t i = 0; i < a->size; i++) array_bools(a)[i] = random_below(2);
    return value_from_array_take(a);
}

/* ---- layouts ---- */

typedef enum { AS_IT_IS, REVERSED, PERMUTED, N_LAYOUTS } Layout;

static Array *reversed(Array *a)
{
    Error err = {0};
    IndexTerm term[MAX_RANK] = {0};
    for (int i = 0; i < a->rank; i++)
        term[i] = (IndexTerm){.kind = INDEX_SLICE, .has_step = true, .step = -1};
    Shape s = shape_of(a);
    Selection *all = selection_new(&s, term, a->rank, &err);
    Array *view = must(selection_read(a, all, &err));
    selection_release(all);
    return view;
}

static Array *permuted(Array *a)
{
    int perm[MAX_RANK];
    for (int i = 0; i < a->rank; i++) perm[i] = a->rank - 1 - i;
    return must(array_transpose(a, perm));
}

/* The same elements, elsewhere in memory: change twice, with a copy in between. */
static Value laid_out(Value v, Layout layout)
{
    if (v.kind != VAL_ARR || layout == AS_IT_IS) return value_retain(v);
    Error err = {0};
    Array *(*change)(Array *) = layout == REVERSED ? reversed : permuted;
    Array *there = change(v.arr), *copy = must(array_copy(there, &err)), *back = change(copy);
    array_release(there);
    array_release(copy);
    return value_arr(back);
}

static bool has_rank(const Case *c, int rank)
{
    for (int i = 0; i < c->n; i++)
        if (value_shape(c->in[i]).rank >= rank) return true;
    return false;
}

/* ---- offering ---- */

static unsigned float_inputs(const Case *c)
{
    unsigned mask = 0;
    for (int i = 0; i < c->n; i++)
        if (value_is_float(c->in[i])) mask |= 1u << i;
    return mask & ~c->fixed;
}

/* Each input alone, and all of them. */
static void visit_choices(CaseVisitor *visit, Case *c)
{
    unsigned all = float_inputs(c);
    cr_assert_neq(all, 0u, "%s has no Float input", op_rows[c->op].id);
    for (c->wrt = 1; c->wrt <= all; c->wrt <<= 1)
        if (c->wrt & all) visit(c);
    c->wrt = all;
    if (all & (all - 1)) visit(c);
}

void offer(CaseVisitor *visit, Case c)
{
    for (Layout layout = AS_IT_IS; layout < N_LAYOUTS; layout++) {
        if (!has_rank(&c, (int)layout)) continue;
        Case other = c;
        for (int i = 0; i < c.n; i++) other.in[i] = laid_out(c.in[i], layout);
        visit_choices(visit, &other);
        for (int i = 0; i < c.n; i++) value_release(other.in[i]);
    }
    for (int i = 0; i < c.n; i++) value_release(c.in[i]);
}

/* ---- as functions ---- */

/* cholesky reads one triangle and stands for a function of symmetric matrices: of (x + xᵀ) / 2. */
static bool call_symmetric(Ad *ad, OpCode op, Value x, Value *y)
{
    OpAttr exchange = {.shape = value_shape(x)};
    int rank = exchange.shape.rank;
    for (int i = 0; i < rank; i++) exchange.shape.dim[i] = i;
    exchange.shape.dim[rank - 1] = rank - 2;
    exchange.shape.dim[rank - 2] = rank - 1;
    Value turned, sum = {0}, half = {0};
    if (!op_apply(ad, OP_TRANSPOSE, &x, 1, &exchange, &turned)) return false;
    bool ok = op_apply2(ad, OP_ADD, x, turned, &sum) &&
              op_apply2(ad, OP_MUL, sum, value_float(0.5), &half) && op_apply1(ad, op, half, y);
    value_release(turned);
    value_release(sum);
    value_release(half);
    return ok;
}

/* Of x, beside its root as a number that nothing depends on. */
static bool call_sqrt_slope(Ad *ad, Value x, Value *y)
{
    Value root;
    if (!op_apply1(ad, OP_SQRT, ad_plain(x), &root)) return false;
    bool ok = op_apply2(ad, OP_SQRT_SLOPE, x, root, y);
    value_release(root);
    return ok;
}

static bool call_case(Ad *ad, const Function *self, Value x, Value *y)
{
    const Case *c = self->context;
    Value in[MAX_INPUTS];
    int next = 0;
    for (int i = 0; i < c->n; i++) in[i] = c->wrt >> i & 1 ? x.tuple->item[next++] : c->in[i];
    if (c->op == OP_CHOLESKY) return call_symmetric(ad, c->op, in[0], y);
    if (c->op == OP_SQRT_SLOPE) return call_sqrt_slope(ad, in[0], y);
    if (c->op != OP_SET_INDEX && c->op != OP_ADD_INDEX)
        return op_apply(ad, c->op, in, c->n, c->attr, y);
    *y = value_retain(in[0]);
    if (op_update(ad, c->op, y, c->attr->selection, in[1])) return true;
    value_release(*y);
    return false;
}

Function case_function(const Case *c)
{
    return (Function){.name = case_text(c), .call = call_case, .context = c};
}

Value case_inputs(const Case *c)
{
    Tuple *t = tuple_new(__builtin_popcount(c->wrt));
    int next = 0;
    for (int i = 0; i < c->n; i++)
        if (c->wrt >> i & 1) t->item[next++] = value_retain(c->in[i]);
    return value_tuple(t);
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

const char *case_text(const Case *c)
{
    static char text[200];
    char by[16];
    snprintf(text, sizeof text, "%s of", op_rows[c->op].id);
    for (int i = 0; i < c->n; i++) {
        Shape s = value_shape(c->in[i]);
        append(text, sizeof text, s.rank ? " " : " a number");
        append(text, sizeof text, shape_text(&s));
    }
    append(text, sizeof text, " by");
    for (int i = 0; i < c->n; i++) {
        snprintf(by, sizeof by, " %d", i);
        if (c->wrt >> i & 1) append(text, sizeof text, by);
    }
    return text;
}

#include "array/linalg/linalg.h"

#include <string.h>

#include "array/linalg/cofactor.h"
#include "array/linalg/factor.h"
#include "array/linalg/parts.h"
#include "base/interrupt.h"
#include "base/mem.h"

/* ---- shapes ---- */

bool linalg_check_square(const Shape *a, const char *what, Error *err)
{
    if (a->rank < 2)
        return error_set(err, ERR_SHAPE, "%s takes a square matrix or a stack of them, not %s",
                         what, shape_noun(a));
    Shape matrix = {2, {a->dim[a->rank - 2], a->dim[a->rank - 1]}};
    if (matrix.dim[0] == matrix.dim[1]) return true;
    return error_set(err, ERR_SHAPE, "%s: the matrix is %s, not square", what, shape_text(&matrix));
}

static Shape leading(const Shape *s)
{
    Shape batch = *s;
    batch.rank -= 2;
    return batch;
}

static Shape with_matrix(Shape batch, int64_t rows, int64_t columns)
{
    batch.dim[batch.rank++] = rows;
    batch.dim[batch.rank++] = columns;
    return batch;
}

static int64_t count(const Shape *batch)
{
    int64_t n = 1;
    for (int i = 0; i < batch->rank; i++) n *= batch->dim[i];
    return n;
}

bool stack_start(Stack *s, Array *a, const char *what, Error *err)
{
    s->shape = shape_of(a);
    if (!linalg_check_square(&s->shape, what, err)) return false;
    s->batch = leading(&s->shape);
    s->n = s->shape.dim[s->shape.rank - 1];
    s->count = count(&s->batch);
    s->a = array_convert(a, DT_FLOAT, err);
    return s->a != NULL;
}

void stack_write_which(StrBuf *out, const Shape *batch, int64_t i)
{
    int64_t index[MAX_RANK];
    for (int k = batch->rank - 1; k >= 0; k--) {
        index[k] = i % batch->dim[k];
        i /= batch->dim[k];
    }
    strbuf_printf(out, batch->rank ? "matrix [" : "the matrix");
    for (int k = 0; k < batch->rank; k++)
        strbuf_printf(out, k ? ", %lld" : "%lld", (long long)index[k]);
    if (batch->rank) strbuf_printf(out, "] of the stack");
}

/* ---- one system ---- */

bool system_start(System *s, int64_t n, Error *err)
{
    *s = (System){.n = n, .bytes = (size_t)(n * n + n) * sizeof(double)};
    s->lu = block_try(s->bytes ? s->bytes : 1, false);
    s->pivot = (int64_t *)s->lu + n * n;
    return s->lu || error_set(err, ERR_MEMORY, "out of memory for a matrix");
}

void system_end(System *s)
{
    block_free(s->lu, s->bytes ? s->bytes : 1);
}

static SystemForm form_of(const double *a, int64_t n)
{
    bool lower = true, upper = true;
    for (int64_t i = 0; i < n && (lower || upper); i++) {
        for (int64_t j = 0; j < i && upper; j++) upper = a[i * n + j] == 0;
        for (int64_t j = i + 1; j < n && lower; j++) lower = a[i * n + j] == 0;
    }
    return upper ? UPPER : lower ? LOWER : FULL;
}

bool system_factor(System *s, const double *a, Error *err)
{
    if (s->n > 0) memcpy(s->lu, a, (size_t)(s->n * s->n) * sizeof *a);
    s->form = form_of(a, s->n);
    return s->form != FULL || lu_factor(s->lu, s->n, s->pivot, err);
}

static bool system_is_singular(const System *s)
{
    bool singular = false;
    for (int64_t i = 0; i < s->n; i++) singular |= s->lu[i * (s->n + 1)] == 0;
    return singular;
}

static bool system_solve(const System *s, bool transposed, double *b, int64_t m, Error *err)
{
    int64_t n = s->n;
    if (s->form == FULL) return lu_solve(s->lu, s->pivot, n, transposed, b, m, err);
    Triangle t = {.at = {s->lu, n, 1}, .upper = s->form == UPPER};
    if (transposed) triangle_transpose(&t);
    return triangle_solve(&t, n, b, m, m, err);
}

/* Says by how much, as seen by rook pivoting. The system's memory is used. */
static bool system_complain(System *s, const double *a, const char *what, const Shape *batch,
                            int64_t i, Error *err)
{
    int64_t rank, n = s->n;
    bool odd;
    int64_t *columns = mem_alloc(2 * (size_t)n * sizeof *columns);
    double *spare = (double *)(columns + n);
    memcpy(s->lu, a, (size_t)(n * n) * sizeof *a);
    bool ok = rook_factor(s->lu, n, s->pivot, columns, &odd, &rank, spare, err);
    mem_free(columns);
    if (!ok) return false;
    if (rank >= n) rank = n - 1;
    StrBuf which = {0};
    stack_write_which(&which, batch, i);
    error_set(err, ERR_MATH, "%s: %s is singular (its rank is at most %lld of %lld)", what,
              strbuf_str(&which), (long long)rank, (long long)n);
    strbuf_free(&which);
    return false;
}

/* ---- solve and inv ---- */

/* x, which holds b, becomes the solutions; a is broadcast to x's leading axes. */
static bool solve_all(const Stack *a, const Array *wide, Array *x, const Shape *batch,
                      bool transposed, const char *what, Error *err)
{
    System s;
    int64_t m = x->dim[x->rank - 1], before = -1, systems = count(batch);
    if (!system_start(&s, a->n, err)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < systems; i++) {
        int64_t at = array_offset(wide, i * a->n * a->n);
        const double *matrix = array_floats(wide) + at;
        if (at != before) {
            ok = interrupt_poll(err) && system_factor(&s, matrix, err);
            if (ok && system_is_singular(&s)) ok = system_complain(&s, matrix, what, batch, i, err);
        }
        before = at;
        ok = ok && system_solve(&s, transposed, array_floats(x) + i * a->n * m, m, err);
    }
    system_end(&s);
    return ok;
}

static bool check_columns(const Stack *a, const Array *b, Error *err)
{
    Shape s = shape_of(b);
    if (s.rank >= 2 && s.dim[s.rank - 2] == a->n) return true;
    return error_set(err, ERR_SHAPE, "solve: A is %s, but b is %s: b must have %lld rows, as A has",
                     shape_noun(&a->shape), shape_noun(&s), (long long)a->n);
}

static Array *solve_into(const Stack *a, Array *x, const Shape *batch, bool transposed,
                         const char *what, Error *err)
{
    if (x->size == 0 && a->n == 0) return x;
    Shape wide_shape = with_matrix(*batch, a->n, a->n);
    Array *wide = array_broadcast(a->a, &wide_shape, err);
    bool ok = wide && solve_all(a, wide, x, batch, transposed, what, err);
    array_release(wide);
    if (ok) return x;
    array_release(x);
    return NULL;
}

/* The result's leading axes and a copy of b in it. */
static Array *copy_columns(const Stack *a, const Array *b, Shape *batch, Error *err)
{
    Shape sb = shape_of(b), own = leading(&sb);
    if (!shape_broadcast(&a->batch, &own, batch, err)) return NULL;
    Shape s = with_matrix(*batch, a->n, sb.dim[sb.rank - 1]);
    Array *x = array_new(DT_FLOAT, &s, err);
    if (!x || array_assign(x, b, err)) return x;
    array_release(x);
    return NULL;
}

Array *linalg_solve(Array *a, Array *b, bool transposed, Error *err)
{
    Stack s;
    Shape batch;
    if (!stack_start(&s, a, "solve", err)) return NULL;
    Array *x = check_columns(&s, b, err) ? copy_columns(&s, b, &batch, err) : NULL;
    if (x) x = solve_into(&s, x, &batch, transposed, "solve", err);
    array_release(s.a);
    return x;
}

Array *linalg_inv(Array *a, Error *err)
{
    Stack s;
    if (!stack_start(&s, a, "inv", err)) return NULL;
    Array *x = array_zeros(DT_FLOAT, &s.shape, err);
    for (int64_t i = 0; x && i < s.count; i++)
        for (int64_t k = 0; k < s.n; k++) array_floats(x)[(i * s.n + k) * s.n + k] = 1;
    if (x) x = solve_into(&s, x, &s.batch, false, "inv", err);
    array_release(s.a);
    return x;
}

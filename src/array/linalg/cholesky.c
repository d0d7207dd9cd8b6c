/* Cholesky's factorization, over stacks of matrices. */
#include "array/linalg/factor.h"
#include "array/linalg/linalg.h"
#include "array/linalg/parts.h"
#include "base/interrupt.h"

/* U = Lᵀ is made in the upper triangle, from a's lower one, and turned. */
static bool cholesky_of(const double *a, int64_t n, double *out, int64_t *failed, Error *err)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) out[i * n + j] = a[j * n + i];
    if (!cholesky_factor(out, n, n, failed, err)) return false;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i + 1; j < n; j++) {
            out[j * n + i] = out[i * n + j];
            out[i * n + j] = 0;
        }
    }
    return true;
}

static bool not_positive(const Shape *batch, int64_t i, int64_t failed, Error *err)
{
    StrBuf which = {0};
    stack_write_which(&which, batch, i);
    error_set(err, ERR_MATH,
              "cholesky: %s is not positive definite: the leading %lld×%lld block is not",
              strbuf_str(&which), (long long)failed, (long long)failed);
    strbuf_free(&which);
    return false;
}

Array *linalg_cholesky(Array *a, Error *err)
{
    Stack s;
    int64_t failed;
    if (!stack_start(&s, a, "cholesky", err)) return NULL;
    Array *out = array_new(DT_FLOAT, &s.shape, err);
    bool ok = out != NULL;
    for (int64_t i = 0; ok && i < s.count; i++) {
        double *to = array_floats(out) + i * s.n * s.n;
        ok = interrupt_poll(err) && cholesky_of(stack_matrix(&s, i), s.n, to, &failed, err);
        if (ok && failed) ok = not_positive(&s.batch, i, failed, err);
    }
    array_release(s.a);
    if (ok) return out;
    array_release(out);
    return NULL;
}

/* Determinants and their derivatives, over stacks of matrices. */
#include <math.h>

#include "array/linalg/cofactor.h"
#include "array/linalg/linalg.h"
#include "array/linalg/parts.h"
#include "array/linalg/scaled.h"
#include "base/interrupt.h"

/* a·d − b·c to about the last digit (Kahan). */
static double det_of_two(const double *a)
{
    double back = a[1] * a[2], lost = fma(-a[1], a[2], back);
    return fma(a[0], a[3], -back) + lost;
}

static bool det_of(System *s, const double *a, double *det, Error *err)
{
    *det = s->n == 2 ? det_of_two(a) : NAN;
    if (isfinite(*det)) return true;
    if (!system_factor(s, a, err)) return false;
    Scaled product = scaled_of(1);
    for (int64_t i = 0; i < s->n; i++) {
        product = scaled_times(product, scaled_of(s->lu[i * (s->n + 1)]));
        if (s->form == FULL && s->pivot[i] != i) product.m = -product.m;
    }
    *det = scaled_value(product);
    return true;
}

Array *linalg_det(Array *a, Error *err)
{
    Stack s;
    System work;
    if (!stack_start(&s, a, "det", err)) return NULL;
    Array *out = array_new(DT_FLOAT, &s.batch, err);
    bool started = out && system_start(&work, s.n, err), ok = started;
    for (int64_t i = 0; ok && i < s.count; i++)
        ok = interrupt_poll(err) && det_of(&work, stack_matrix(&s, i), &array_floats(out)[i], err);
    if (started) system_end(&work);
    array_release(s.a);
    if (ok) return out;
    array_release(out);
    return NULL;
}

/* ---- cofactors ---- */

/* along, if not NULL, has a's leading axes after one of its own. */
static Array *cofactors(const Stack *s, const Array *along, int k, Error *err)
{
    int64_t square = s->n * s->n, step = s->count * square;
    Array *out = array_new(DT_FLOAT, &s->shape, err);
    for (int64_t i = 0; out && i < s->count; i++) {
        const double *direction = along ? array_floats(along) + i * square : NULL;
        double *to = array_floats(out) + i * square;
        if (cofactor_along(stack_matrix(s, i), direction, step, k, s->n, to, err)) continue;
        array_release(out);
        return NULL;
    }
    return out;
}

Array *linalg_cofactor(Array *a, Error *err)
{
    Stack s;
    if (!stack_start(&s, a, "det", err)) return NULL;
    Array *out = cofactors(&s, NULL, 0, err);
    array_release(s.a);
    return out;
}

static bool check_along(const Stack *s, const Array *along, Error *err)
{
    Shape have = shape_of(along), each = have;
    each.rank--;
    for (int i = 0; i < each.rank; i++) each.dim[i] = have.dim[i + 1];
    if (have.rank > 0 && shape_equal(&each, &s->shape)) return true;
    return error_set(err, ERR_SHAPE, "det: directions of shape %s for matrices of shape %s",
                     shape_text(&have), shape_text(&s->shape));
}

Array *linalg_cofactor_along(Array *a, Array *along, Error *err)
{
    Stack s;
    Array *out = NULL;
    if (!stack_start(&s, a, "det", err)) return NULL;
    Array *e = check_along(&s, along, err) ? array_convert(along, DT_FLOAT, err) : NULL;
    if (e) out = cofactors(&s, e, (int)e->dim[0], err);
    array_release(e);
    array_release(s.a);
    return out;
}

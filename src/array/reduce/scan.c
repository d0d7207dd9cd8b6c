/* Running sums and products, and the recurrence their derivatives need. */
#include "array/reduce/reduce.h"
#include "base/interrupt.h"

/* A fresh contiguous array seen as outer × dim × inner around the axis. */
typedef struct {
    int64_t outer, dim, inner;
} Split;

static Split split_at(const Array *a, int axis)
{
    Split s = {1, a->dim[axis], 1};
    for (int k = 0; k < axis; k++) s.outer *= a->dim[k];
    for (int k = axis + 1; k < a->rank; k++) s.inner *= a->dim[k];
    return s;
}

static bool add_checked(int64_t a, int64_t b, int64_t *out)
{
    return __builtin_add_overflow(a, b, out);
}

static bool mul_checked(int64_t a, int64_t b, int64_t *out)
{
    return __builtin_mul_overflow(a, b, out);
}

/* Each row becomes itself with the finished row before it. */
static bool scan_ints(int64_t *x, Split s, bool product, Error *err)
{
    bool (*fold)(int64_t, int64_t, int64_t *) = product ? mul_checked : add_checked;
    for (int64_t k = s.inner; k < s.dim * s.inner; k++) {
        if (fold(x[k - s.inner], x[k], &x[k])) {
            return error_set(err, ERR_MATH, "Int overflow in %s", product ? "cumprod" : "cumsum");
        }
    }
    return true;
}

static void scan_float_column(double *x, int64_t n, bool product)
{
    double running = x[0];
    for (int64_t k = 1; k < n; k++) {
        running = product ? running * x[k] : running + x[k];
        x[k] = running;
    }
}

static void scan_floats(double *x, Split s, bool product)
{
    if (s.inner == 1 && s.dim > 0) {
        scan_float_column(x, s.dim, product);
        return;
    }
    for (int64_t k = 1; k < s.dim; k++) {
        const double *restrict before = x + (k - 1) * s.inner;
        double *restrict row = x + k * s.inner;
        if (product) {
            for (int64_t j = 0; j < s.inner; j++) row[j] = before[j] * row[j];
        } else {
            for (int64_t j = 0; j < s.inner; j++) row[j] = before[j] + row[j];
        }
    }
}

static bool scan_all(Array *out, int axis, bool product, Error *err)
{
    Split s = split_at(out, axis);
    int64_t block = s.dim * s.inner;
    if (out->size == 0) return true;
    for (int64_t i = 0; i < s.outer; i++) {
        if (i % 1024 == 0 && !interrupt_poll(err)) return false;
        if (out->dtype == DT_FLOAT) {
            scan_floats(array_floats(out) + i * block, s, product);
        } else if (!scan_ints(array_ints(out) + i * block, s, product, err)) {
            return false;
        }
    }
    return true;
}

static Array *scan(Array *a, int axis, bool product, Error *err)
{
    Shape shape = shape_of(a);
    if (!shape_axis(&shape, axis, &axis, err)) return NULL;
    Array *out = array_new(a->dtype == DT_FLOAT ? DT_FLOAT : DT_INT, &shape, err);
    if (out && array_assign(out, a, err) && scan_all(out, axis, product, err)) return out;
    array_release(out);
    return NULL;
}

Array *scan_sum(Array *a, int axis, Error *err)
{
    return scan(a, axis, false, err);
}

Array *scan_prod(Array *a, int axis, Error *err)
{
    return scan(a, axis, true, err);
}

/* ---- the linear recurrence ---- */

static double product_or_zero(double a, double h)
{
    return a == 0.0 || h == 0.0 ? 0.0 : a * h;
}

/* h holds b; the rows are gone through from the first or from the last. */
static void scan_linear_block(double *h, const double *a, Split s, bool backwards)
{
    int64_t to_previous = backwards ? s.inner : -s.inner;
    for (int64_t k = 1; k < s.dim; k++) {
        int64_t row = (backwards ? s.dim - 1 - k : k) * s.inner;
        for (int64_t j = row; j < row + s.inner; j++) {
            h[j] += product_or_zero(a[j], h[j + to_previous]);
        }
    }
}

Array *scan_linear(const Array *a, const Array *b, int axis, bool backwards, Error *err)
{
    Shape shape = shape_of(b);
    if (!shape_axis(&shape, axis, &axis, err)) return NULL;
    Array *factor = array_contiguous((Array *)a, err);
    Array *h = factor ? array_copy(b, err) : NULL;
    if (h && h->size > 0) {
        Split s = split_at(h, axis);
        for (int64_t i = 0; i < s.outer; i++) {
            int64_t first = i * s.dim * s.inner;
            scan_linear_block(array_floats(h) + first, array_floats(factor) + first, s, backwards);
        }
    }
    array_release(factor);
    return h;
}

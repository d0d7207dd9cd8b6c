/* Running sums and products, the recurrence that both are cases of, and products of all others. */
#include "array/elementwise/float_ops.h"
#include "array/reduce/reduce.h"
#include "base/interrupt.h"

#define INLINE static inline __attribute__((always_inline))

/* A contiguous array seen as outer × dim × inner around the axis. Rows of inner elements are gone
 * through from the first or from the last. */
typedef struct {
    int64_t outer, dim, inner;
    int64_t first, step; /* of the rows */
} Split;

static Split split_at(const Array *a, int axis, bool backwards)
{
    Split s = {1, a->dim[axis], 1, 0, 0};
    for (int k = 0; k < axis; k++) s.outer *= a->dim[k];
    for (int k = axis + 1; k < a->rank; k++) s.inner *= a->dim[k];
    s.first = backwards ? (s.dim - 1) * s.inner : 0;
    s.step = backwards ? -s.inner : s.inner;
    return s;
}

/* ---- scans: each row from the finished row before it ---- */

INLINE double next(Scan f, double before, double x, double term)
{
    return f == SCAN_SUM    ? before + x
           : f == SCAN_PROD ? before * x
                            : term + float_mul_no_nan(x, before);
}

/* The terms of a recurrence are in out. */
INLINE bool scan_floats_of(Scan f, double *out, const double *x, const Split *s, Error *err)
{
    Stretch part = {0};
    int64_t rows = s->dim - 1;
    if (f != SCAN_LINEAR) memmove(out + s->first, x + s->first, (size_t)s->inner * sizeof *out);
    if (s->inner == 1) { /* the row before stays in a register */
        double before = out[s->first];
        int64_t i = s->first + s->step;
        while (stretch_next(&part, rows, err))
            for (int64_t k = part.start; k < part.end; k++, i += s->step)
                out[i] = before = next(f, before, x[i], out[i]);
        return stretch_done(&part, rows);
    }
    while (stretch_rows(&part, rows, s->inner, err))
        for (int64_t k = part.start + 1; k <= part.end; k++) {
            int64_t i = s->first + k * s->step;
            const double *restrict before = out + i - s->step;
            for (int64_t j = 0; j < s->inner; j++)
                out[i + j] = next(f, before[j], x[i + j], out[i + j]);
        }
    return stretch_done(&part, rows);
}

static bool scan_floats(Scan f, double *out, const double *x, const Split *s, Error *err)
{
    switch (f) {
    case SCAN_SUM: return scan_floats_of(SCAN_SUM, out, x, s, err);
    case SCAN_PROD: return scan_floats_of(SCAN_PROD, out, x, s, err);
    default: return scan_floats_of(SCAN_LINEAR, out, x, s, err);
    }
}

static bool scan_ints(Scan f, int64_t *out, const Split *s, Error *err)
{
    Stretch part = {0};
    int64_t rows = s->dim - 1;
    while (stretch_rows(&part, rows, s->inner, err))
        for (int64_t k = part.start + 1; k <= part.end; k++) {
            int64_t *row = out + s->first + k * s->step, *before = row - s->step;
            for (int64_t j = 0; j < s->inner; j++) {
                bool overflows = f == SCAN_PROD
                                     ? __builtin_mul_overflow(before[j], row[j], &row[j])
                                     : __builtin_add_overflow(before[j], row[j], &row[j]);
                if (overflows)
                    return error_set(err, ERR_MATH, "Int overflow in %s",
                                     f == SCAN_PROD ? "cumprod" : "cumsum");
            }
        }
    return stretch_done(&part, rows);
}

/* Ints are worked on where they are, in out. */
static bool scan_all(Scan f, const Array *x, Array *out, const Split *s, Error *err)
{
    for (int64_t i = 0; i < s->outer; i++) {
        int64_t block = i * s->dim * s->inner;
        if (i % 1024 == 0 && !interrupt_poll(err)) return false;
        bool ok = out->dtype == DT_FLOAT
                      ? scan_floats(f, array_floats(out) + block, array_floats(x) + block, s, err)
                      : scan_ints(f, array_ints(out) + block, s, err);
        if (!ok) return false;
    }
    return true;
}

/* Floats that lie well are read where they are; all else is copied into out first, as terms are. */
static bool scan_into(Scan f, Array *x, const Array *term, int axis, bool backwards, Array *out,
                      Error *err)
{
    bool in_place = x->contiguous && x->dtype == DT_FLOAT;
    if (out->size == 0) return true;
    if ((term || !in_place) && !array_assign(out, term ? term : x, err)) return false;
    Array *from = array_contiguous(term || in_place ? x : out, err);
    Split s = split_at(out, axis, backwards);
    bool ok = from && scan_all(f, from, out, &s, err);
    array_release(from);
    return ok;
}

Array *scan_run(Scan f, Array *x, const Array *term, int axis, bool backwards, Error *err)
{
    if (!shape_axis(&x->shape, axis, &axis, err)) return NULL;
    Array *out = array_new(x->dtype == DT_FLOAT ? DT_FLOAT : DT_INT, &x->shape, err);
    if (!out || scan_into(f, x, term, axis, backwards, out, err)) return out;
    array_release(out);
    return NULL;
}

/* ---- the product of all others: what stands before times what stands after ---- */

enum { AT_ONCE = 256 };

/* width columns, one beside the other, whose elements are inner apart; their weights are by_step
 * apart. */
INLINE void others_of(double *out, const double *x, const double *by, int64_t by_step, int64_t dim,
                      int64_t inner, int64_t width)
{
    double running[AT_ONCE];
    for (int64_t j = 0; j < width; j++) running[j] = 1.0;
    for (int64_t k = 0; k < dim; k++)
        for (int64_t j = 0, i = k * inner; j < width; j++, i++) {
            out[i] = running[j];
            running[j] *= x[i];
        }
    for (int64_t j = 0; j < width; j++) running[j] = by[j * by_step];
    for (int64_t k = dim - 1; k >= 0; k--)
        for (int64_t j = 0, i = k * inner; j < width; j++, i++) {
            out[i] = float_mul_no_nan(out[i], running[j]);
            running[j] = float_mul_no_nan(running[j], x[i]);
        }
}

/* Rows of a few elements are code without loops. */
static void others_of_rows(double *out, const double *x, const double *by, int64_t by_step,
                           int64_t dim, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++, out += dim, x += dim, by += by_step) switch (dim) {
        case 2: others_of(out, x, by, 0, 2, 1, 1); break;
        case 3: others_of(out, x, by, 0, 3, 1, 1); break;
        case 4: others_of(out, x, by, 0, 4, 1, 1); break;
        default: others_of(out, x, by, 0, dim, 1, 1);
        }
}

static void others_of_columns(double *out, const double *x, const double *by, int64_t by_step,
                              const Split *s)
{
    for (int64_t j = 0; j < s->inner; j += AT_ONCE) {
        int64_t left = s->inner - j, width = left < AT_ONCE ? left : AT_ONCE;
        others_of(out + j, x + j, by + j * by_step, by_step, s->dim, s->inner, width);
    }
}

Array *scan_others(Array *a, Array *by, int axis, Error *err)
{
    Array *from = array_contiguous(a, err), *weight = array_contiguous(by, err),
          *out = from && weight ? array_new(DT_FLOAT, &a->shape, err) : NULL;
    if (out && out->size > 0) {
        Split s = split_at(a, axis, false);
        int64_t by_step = by->size > 1, block = s.dim * s.inner;
        const double *x = array_floats(from), *w = array_floats(weight);
        if (s.inner == 1) others_of_rows(array_floats(out), x, w, by_step, s.dim, s.outer);
        for (int64_t i = 0; s.inner > 1 && i < s.outer; i++)
            others_of_columns(array_floats(out) + i * block, x + i * block,
                              w + i * s.inner * by_step, by_step, &s);
    }
    array_release(weight);
    array_release(from);
    return out;
}

/* Means and lengths. The plain formula gives nearly all results; the others are worked out anew from
 * elements that a power of two brings near 1, which is exact. */
#include <math.h>

#include "array/elementwise/elementwise.h"
#include "array/reduce/parts.h"

/* ---- means ---- */

/* Sums of n elements become means. Whether they are finite and lie within their elements for sure. */
static bool divide(const Array *a, unsigned axes, double n, Array *sums)
{
    const ReduceKernel *kernel = simd_reduce(simd_level());
    const int64_t *const stride[] = {a->stride};
    double *v = array_floats(sums);
    Shape firsts = shape_of(a);
    bool fine = true;
    Walk w;
    if (sums->size == 1) return kernel->means(v, array_floats(a), 1, n, 1);
    for (int k = 0; k < a->rank; k++)
        if (axes >> k & 1) firsts.dim[k] = 1;
    walk_start(&w, firsts.rank, firsts.dim, 1, stride);
    do {
        fine &= kernel->means(v, array_floats(a) + w.offset[0], w.step[0], n, w.run);
        v += w.run;
    } while (walk_next(&w));
    return fine;
}

/* Brings finite means into the range of their elements. */
static bool keep_within(Array *a, unsigned axes, Array *means, Error *err)
{
    Array *low = reduce_run(RD_MIN, a, axes, true, err);
    Array *high = low ? reduce_run(RD_MAX, a, axes, true, err) : NULL;
    for (int64_t i = 0; high && i < means->size; i++) {
        double *v = &array_floats(means)[i];
        if (isfinite(*v)) *v = fmax(array_floats(low)[i], fmin(*v, array_floats(high)[i]));
    }
    bool ok = high != NULL;
    array_release(low);
    array_release(high);
    return ok;
}

/* ---- results of any size ---- */

static double scale_of(double size)
{
    enum { LARGEST = 1000 };
    int exponent;
    if (!(size > 0 && size < INFINITY)) return 1.0;
    frexp(size, &exponent);
    return ldexp(1.0, exponent < -LARGEST ? LARGEST : -exponent);
}

Array *reduce_scales(Array *a, unsigned axes, Error *err)
{
    if (a->size == 0) return reduce_run(RD_PROD, a, axes, true, err); /* 1 */
    Array *low = reduce_run(RD_MIN, a, axes, true, err);
    Array *high = low ? reduce_run(RD_MAX, a, axes, true, err) : NULL;
    for (int64_t i = 0; high && i < high->size; i++)
        array_floats(high)[i] = scale_of(fmax(-array_floats(low)[i], array_floats(high)[i]));
    array_release(low);
    return high;
}

/* Whether a mean, or a sum of squares, is right but for rounding: no square was too large, and those
 * too small do not count. */
static bool is_sound(Moment f, double v)
{
    return f == MOMENT_MEAN ? isfinite(v) : (v >= 0x1p-900) & (v <= 0x1p1000);
}

static bool all_sound(Moment f, const Array *a)
{
    bool sound = true;
    for (int64_t i = 0; i < a->size; i++) sound &= is_sound(f, array_floats(a)[i]);
    return sound;
}

/* From a mean, or the sum of n squares. */
static double finish(Moment f, double v, double n)
{
    if (f == MOMENT_NORM) return sqrt(v);
    return f == MOMENT_RMS ? sqrt(v / n) : f == MOMENT_MEAN_SQUARE ? v / n : v;
}

/* Finishes what is sound or can't be scaled, and works out the rest anew. */
static bool work_out(Moment f, Array *a, unsigned axes, double n, Array *out, Error *err)
{
    Array *scales = reduce_scales(a, axes, err), *scaled, *again;
    scaled = scales ? elementwise_run(EW_MUL, (Array *[]){a, scales}, err) : NULL;
    bool differ = false;
    for (int64_t i = 0; scales && i < out->size; i++) {
        double *v = &array_floats(out)[i], *scale = &array_floats(scales)[i];
        if (*scale == 1 || is_sound(f, *v)) {
            *v = finish(f, *v, n);
            *scale = 1;
        }
        differ |= *scale != 1;
    }
    again = scaled && differ ? reduce_moment(f, scaled, axes, true, err) : NULL;
    for (int64_t i = 0; again && i < out->size; i++) {
        double scale = array_floats(scales)[i], v = array_floats(again)[i] / scale;
        if (f == MOMENT_MEAN_SQUARE) v /= scale;
        if (f == MOMENT_RMS && v == 0) v = 0x1p-1074; /* only that of zeros is 0 */
        if (scale != 1) array_floats(out)[i] = v;
    }
    bool ok = scaled && (again || !differ);
    array_release(scales);
    array_release(scaled);
    array_release(again);
    return ok;
}

Array *reduce_moment(Moment f, Array *a, unsigned axes, bool keepdims, Error *err)
{
    bool is_mean = f == MOMENT_MEAN, ok = true;
    Array *out = reduce_run(is_mean ? RD_SUM : RD_SQUARES, a, axes, keepdims, err);
    if (!out || out->size == 0) return out;
    double n = (double)(a->size / out->size);
    if (is_mean && n > 0) ok = divide(a, axes, n, out) || keep_within(a, axes, out, err);
    if (ok && n > 0 && !all_sound(f, out)) {
        ok = work_out(f, a, axes, n, out, err);
    } else {
        for (int64_t i = 0; i < out->size && !(is_mean && n > 0); i++)
            array_floats(out)[i] = is_mean ? NAN : finish(f, array_floats(out)[i], n);
    }
    if (ok) return out;
    array_release(out);
    return NULL;
}

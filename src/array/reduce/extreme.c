/* Extremes of Floats in whatever order is quickest: all orders agree, but for which zero or which
 * NaN it is. */
#include "array/reduce/parts.h"
#include "array/simd/simd.h"

static double any_order(Reduction f, const double *x, int64_t n, bool *has_nan)
{
    return simd_reduce(simd_level())->extreme[f == RD_MAX](x, n, has_nan);
}

/* ---- a run ---- */

/* The first block that has a zero, or the last that has a NaN. */
static int64_t find_block(Reduction f, const double *x, int64_t n, bool nan_wanted, int64_t *len)
{
    enum { BLOCK = 1024 };
    for (int64_t done = 0; done < n; done += BLOCK) {
        *len = n - done < BLOCK ? n - done : BLOCK;
        int64_t start = nan_wanted ? n - done - *len : done;
        bool has_nan;
        double found = any_order(f, x + start, *len, &has_nan);
        if (nan_wanted ? has_nan : found == 0) return start;
    }
    return 0;
}

/* The fold of two leaves keeps the left one's zero and the right one's NaN, so the leaf with the
 * first zero or the last NaN decides which it is. */
static int64_t find_deciding(Reduction f, const double *x, int64_t n, bool nan_wanted)
{
    int64_t len = 0, start = find_block(f, x, n, nan_wanted, &len);
    if (!nan_wanted) return start + simd_reduce(simd_level())->find(x + start, len, 0.0);
    int64_t i = start + len - 1;
    while (x[i] == x[i]) i--;
    return i;
}

double reduce_extreme_run(Reduction f, const double *x, int64_t n)
{
    bool has_nan;
    double found = any_order(f, x, n, &has_nan);
    if (found != 0 && !has_nan) return found;
    if (n <= ROWS_AT_ONCE) return reduce_float_leaf(f, x, n);
    int64_t at = find_deciding(f, x, n, has_nan);
    while (n > ROWS_AT_ONCE) {
        int64_t half = reduce_first_half(n);
        bool right = at >= half;
        x += right ? half : 0;
        at -= right ? half : 0;
        n = right ? n - half : half;
    }
    return reduce_float_leaf(f, x, n);
}

/* ---- all elements ---- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* The axes of a, the one with the closest elements last. */
static bool walk_as_it_lies(Walk *w, const Array *a)
{
    int64_t dim[MAX_RANK], stride[MAX_RANK];
    const int64_t *const strides[] = {stride};
    for (int k = 0; k < a->rank; k++) {
        int j = k;
        for (; j > 0 && magnitude(stride[j - 1]) < magnitude(a->stride[k]); j--) {
            dim[j] = dim[j - 1];
            stride[j] = stride[j - 1];
        }
        dim[j] = a->dim[k];
        stride[j] = a->stride[k];
    }
    return walk_start(w, a->rank, dim, 1, strides);
}

bool reduce_extreme_all(Reduction f, const Array *a, double *out)
{
    Walk w;
    if (a->contiguous || !walk_as_it_lies(&w, a) || magnitude(w.step[0]) != 1) return false;
    double best = 0;
    bool first = true;
    do {
        const double *x = array_floats(a) + w.offset[0] - (w.step[0] < 0 ? w.run - 1 : 0);
        bool has_nan;
        double found = any_order(f, x, w.run, &has_nan);
        if (has_nan) return false;
        if (first || (f == RD_MAX ? found > best : found < best)) best = found;
        first = false;
    } while (walk_next(&w));
    *out = best;
    return best != 0;
}

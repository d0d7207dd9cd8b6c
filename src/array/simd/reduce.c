/* The inner loops of reductions. Extremes are looked for in any order: the zeros are ordered, −0 < +0, and
 * where there is a NaN the extreme is one. What is folded element by element needs no order. */
#include "array/reduce/reduce.h"
#include "array/simd/vec.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitized loops stay scalar */
#endif

enum { MIN, MAX, WAYS = 4, BLOCK = WAYS * VEC_WIDTH };

VEC_INLINE Vec better(int which, Vec x, Vec y)
{
    return which == MAX ? vec_larger(x, y) : vec_smaller(x, y);
}

VEC_INLINE double better_one(int which, double x, double y)
{
    return which == MAX ? float_max(x, y) : float_min(x, y);
}

VEC_INLINE double extreme_of_few(int which, const double *x, int64_t n)
{
    double best = x[0];
    for (int64_t i = 1; i < n; i++) best = better_one(which, best, x[i]);
    return best == best ? best : NAN;
}

/* The last vector overlaps the one before it: meeting an element twice changes nothing. */
VEC_INLINE double extreme(int which, const double *x, int64_t n)
{
    if (n < 2 * VEC_WIDTH) return extreme_of_few(which, x, n);
    Vec best[WAYS], last = vec_load(x + n - VEC_WIDTH);
    VecMask bad = vec_unordered(last, last);
    for (int k = 0; k < WAYS; k++) best[k] = last;
    int64_t i = 0;
    for (; i + BLOCK <= n; i += BLOCK) {
        Vec v[WAYS];
        for (int k = 0; k < WAYS; k++) v[k] = vec_load(x + i + k * VEC_WIDTH);
        for (int k = 0; k < WAYS; k++) best[k] = better(which, v[k], best[k]);
        for (int k = 0; k < WAYS; k += 2) bad = bad | vec_unordered(v[k], v[k + 1]);
    }
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH) {
        Vec v = vec_load(x + i);
        best[0] = better(which, v, best[0]);
        bad = bad | vec_unordered(v, v);
    }
    if (vec_bits(bad)) return NAN;
    for (int k = 1; k < WAYS; k++) best[0] = better(which, best[k], best[0]);
    double lane[VEC_WIDTH];
    vec_store(lane, best[0]);
    return extreme_of_few(which, lane, VEC_WIDTH);
}

static double min_float(const double *x, int64_t n)
{
    return extreme(MIN, x, n);
}

static double max_float(const double *x, int64_t n)
{
    return extreme(MAX, x, n);
}

/* ---- rows of Floats ---- */

VEC_INLINE Vec fold(Reduction f, Vec a, Vec x)
{
    if (f == RD_SUM) return a + x;
    if (f == RD_PROD) return a * x;
    if (f == RD_SQUARES) return a + x * x;
    return vec_select(vec_unordered(a, x), a + x, better(f == RD_MAX ? MAX : MIN, x, a));
}

/* Several rows at a time, one after the other in each column: from what is there, or (fresh) from the
 * first row. */
VEC_INLINE Vec fold_first(Reduction f, Vec a, Vec first, bool fresh)
{
    if (!fresh) return fold(f, a, first);
    if (f == RD_SQUARES) return first * first;
    return first;
}

VEC_INLINE void fold_columns(Reduction f, double *to, const double *const *row, int64_t apart,
                             int rows, int j, int count, bool fresh)
{
    Vec a = fold_first(f, vec_load_part(to + j, count), vec_load_part(row[0] + j, count), fresh);
    for (int i = 1; i < rows; i++) a = fold(f, a, vec_load_part(row[i * apart] + j, count));
    vec_store_part(to + j, a, count);
}

VEC_INLINE void fold_few(Reduction f, double *to, const double *const *row, int64_t apart, int rows,
                         int width, bool fresh)
{
    int j = 0;
    for (; j + VEC_WIDTH <= width; j += VEC_WIDTH)
        fold_columns(f, to, row, apart, rows, j, VEC_WIDTH, fresh);
    if (j < width) fold_columns(f, to, row, apart, rows, j, width - j, fresh);
}

VEC_INLINE void fold_rows(Reduction f, double *lane, int64_t lane_step, const double *const *row,
                          int64_t n, int width, bool fresh)
{
    enum { LANES = 8, FEW = 5 };
    for (int64_t l = 0; l < LANES && l < n; l++) {
        double *to = lane + l * lane_step;
        int64_t i = l;
        if (fresh) {
            fold_few(f, to, row + i, LANES, 1, width, true);
            fresh = lane_step != 0;
            i += LANES;
        }
        for (; i + (FEW - 1) * LANES < n; i += FEW * LANES)
            fold_few(f, to, row + i, LANES, FEW, width, false);
        for (; i < n; i += LANES) fold_few(f, to, row + i, LANES, 1, width, false);
    }
}

#define FOLD_ROWS(name, f)                                                                         \
    static void name(double *lane, int64_t lane_step, const double *const *row, int64_t n,         \
                     int width, bool fresh)                                                        \
    {                                                                                              \
        fold_rows(f, lane, lane_step, row, n, width, fresh);                                       \
    }

FOLD_ROWS(sum_rows, RD_SUM)
FOLD_ROWS(prod_rows, RD_PROD)
FOLD_ROWS(max_rows, RD_MAX)
FOLD_ROWS(min_rows, RD_MIN)
FOLD_ROWS(square_rows, RD_SQUARES)

/* ---- loops that the compiler vectorises ---- */

/* Several results side by side, so that the comparisons need not wait for one another. */
#define INT_EXTREME(name, beats)                                                                   \
    static int64_t name(const int64_t *x, int64_t n)                                               \
    {                                                                                              \
        enum { LANES = 32 };                                                                       \
        int64_t best[LANES], i = 0;                                                                \
        for (int k = 0; k < LANES; k++) best[k] = x[0];                                            \
        for (; i + LANES <= n; i += LANES) {                                                       \
            for (int k = 0; k < LANES; k++) best[k] = x[i + k] beats best[k] ? x[i + k] : best[k]; \
        }                                                                                          \
        for (; i < n; i++) best[0] = x[i] beats best[0] ? x[i] : best[0];                          \
        for (int k = 1; k < LANES; k++) best[0] = best[k] beats best[0] ? best[k] : best[0];       \
        return best[0];                                                                            \
    }

/* Folds rows, FEW at a time so that `to` is not loaded and stored for each. */
#define INT_ROWS(name, beats)                                                                      \
    static void name(int64_t *restrict to, const int64_t *const *row, int64_t n, int width)        \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; i + 4 <= n; i += 4) {                                                               \
            const int64_t *a = row[i], *b = row[i + 1], *c = row[i + 2], *d = row[i + 3];          \
            for (int j = 0; j < width; j++) {                                                      \
                int64_t x = a[j] beats b[j] ? a[j] : b[j], y = c[j] beats d[j] ? c[j] : d[j];      \
                int64_t z = x beats y ? x : y;                                                     \
                to[j] = z beats to[j] ? z : to[j];                                                 \
            }                                                                                      \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            const int64_t *a = row[i];                                                             \
            for (int j = 0; j < width; j++) to[j] = a[j] beats to[j] ? a[j] : to[j];               \
        }                                                                                          \
    }

/* The first place of wanted, which is there. */
#define FIND(name, T)                                                                              \
    static int64_t name(const T *x, int64_t n, T wanted)                                           \
    {                                                                                              \
        enum { AT_ONCE = 32 };                                                                     \
        int64_t i = 0;                                                                             \
        for (; i + AT_ONCE <= n; i += AT_ONCE) {                                                   \
            int64_t met = 0;                                                                       \
            for (int k = 0; k < AT_ONCE; k++) met |= x[i + k] == wanted;                           \
            if (met) break;                                                                        \
        }                                                                                          \
        while (x[i] != wanted) i++;                                                                \
        return i;                                                                                  \
    }

#define ARG_FOLD(name, T, wins)                                                                    \
    static void name(T *restrict best, int64_t *restrict place, const T *restrict from, int64_t k, \
                     int64_t n)                                                                    \
    {                                                                                              \
        for (int64_t j = 0; j < n; j++) {                                                          \
            T a = best[j], x = from[j];                                                            \
            bool won = wins;                                                                       \
            best[j] = won ? x : a;                                                                 \
            place[j] = won ? k : place[j];                                                         \
        }                                                                                          \
    }

INT_EXTREME(min_int, <)
INT_EXTREME(max_int, >)

INT_ROWS(min_int_rows, <)
INT_ROWS(max_int_rows, >)

FIND(find_float, double)
FIND(find_int, int64_t)

ARG_FOLD(arg_max, double, (x > a) | ((x != x) & (a == a)))
ARG_FOLD(arg_min, double, (x < a) | ((x != x) & (a == a)))
ARG_FOLD(arg_max_int, int64_t, x > a)
ARG_FOLD(arg_min_int, int64_t, x < a)

/* Halves of 32 bits, which may be added 2³² times before they overflow; from 2⁶³ on nothing is
 * negative. */
VEC_INLINE void add_halves(uint64_t *upper, uint64_t *lower, int64_t x)
{
    uint64_t u = (uint64_t)x ^ UINT64_C(1) << 63;
    *upper += u >> 32;
    *lower += u & UINT32_MAX;
}

static void sum_int(uint64_t *high, uint64_t *low, const int64_t *x, int64_t n)
{
    uint64_t upper = 0, lower = 0;
    for (int64_t i = 0; i < n; i++) add_halves(&upper, &lower, x[i]);
    *high += upper;
    *low += lower;
}

VEC_INLINE void sum_few(uint64_t *restrict high, uint64_t *restrict low, const int64_t *const *row,
                        int rows, int width)
{
    for (int j = 0; j < width; j++) {
        uint64_t upper = high[j], lower = low[j];
        for (int i = 0; i < rows; i++) add_halves(&upper, &lower, row[i][j]);
        high[j] = upper;
        low[j] = lower;
    }
}

static void sum_int_rows(uint64_t *high, uint64_t *low, const int64_t *const *row, int64_t n,
                         int width)
{
    enum { FEW = 8 };
    int64_t i = 0;
    for (; i + FEW <= n; i += FEW) {
        const int64_t *few[FEW];
        for (int k = 0; k < FEW; k++) few[k] = row[i + k];
        sum_few(high, low, few, FEW, width);
    }
    for (; i < n; i++) sum_few(high, low, row + i, 1, width);
}

/* ---- means ---- */

/* Rounding moves a mean by less than 64 · 2⁻⁵³ of the mean of the magnitudes: no sum of halves is that
 * deep. That can't take it past the extremes while signs differ; and where all are the same, any
 * element that is n times further away than that pulls it far enough inside. */
static bool means(double *restrict v, const double *restrict element, int64_t step, double n,
                  int64_t count)
{
    double bound = (n + 1) * 0x1p-47;
    int64_t doubtful = 0;
    for (int64_t i = 0; i < count; i++) {
        double mean = v[i] / n, size = fabs(mean);
        v[i] = mean;
        doubtful |= (fabs(element[i * step] - mean) < bound * size) | !(size < INFINITY);
    }
    return !doubtful;
}

/* ---- for derivatives ---- */

/* All for one result. */
static int64_t share_run(double *restrict out, const double *restrict x, int64_t n, double best,
                         double v)
{
    int64_t times = 0; /* of Ints, which may be added up in any order */
    for (int64_t i = 0; i < n; i++) {
        times += x[i] == best;
        out[i] = x[i] == best ? v : 0;
    }
    return times;
}

VEC_INLINE void share_row(double *restrict out, const double *restrict x, int64_t n,
                          const double *best, const double *v, double *restrict times, int64_t step)
{
    for (int64_t i = 0; i < n; i++) {
        bool is_best = x[i] == best[i * step];
        times[i * step] += is_best;
        out[i] = is_best ? v[i * step] : 0;
    }
}

static void share(double *out, const double *x, int64_t n, const double *best, const double *v,
                  double *times, int64_t step)
{
    if (step == 0) {
        *times += (double)share_run(out, x, n, *best, *v);
    } else if (step == 1) {
        share_row(out, x, n, best, v, times, 1);
    } else {
        share_row(out, x, n, best, v, times, step);
    }
}

const ReduceKernel SIMD_NAME(simd_reduce_kernel) = {
    .extreme = {min_float, max_float},
    .int_extreme = {min_int, max_int},
    .fold_rows = {[RD_SUM] = sum_rows,
                  [RD_PROD] = prod_rows,
                  [RD_MAX] = max_rows,
                  [RD_MIN] = min_rows,
                  [RD_SQUARES] = square_rows},
    .int_rows = {min_int_rows, max_int_rows},
    .find = find_float,
    .int_find = find_int,
    .arg_fold = {arg_min, arg_max},
    .int_arg_fold = {arg_min_int, arg_max_int},
    .int_sum = sum_int,
    .int_sum_rows = sum_int_rows,
    .means = means,
    .share = share,
};

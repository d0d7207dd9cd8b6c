/* The inner loops of the matrix product (array/simd/simd.h says what they promise). Vectors lie along
 * the columns of C, so that no sum is ever split; fma is written out, so that the chains are the
 * same on every processor that has it. */
#include "array/simd/vec.h"

#if defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer))
#else
#define SANITIZED 0
#endif

/* clang takes minutes to check what it has unrolled. */
#if SANITIZED
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* The tile fills the registers with accumulators, but for those of a row of B and an element of A.
 */
enum {
    TILE_ROWS = VEC_WIDTH == 8   ? 12
                : VEC_WIDTH == 4 ? 6
                                 : 4,
    TILE_VECTORS = 2,
    TILE_COLUMNS = TILE_VECTORS * VEC_WIDTH,
    LINES = VEC_WIDTH == 1 ? 8 : 2 * VEC_WIDTH, /* summed at once, to hide the latency of fma */
};

/* ---- packing ---- */

/* width lines that lie in memory one after the other: square by square, because lines that are a
 * power of two apart push one another out of the cache. Gives how many of the k elements are done.
 */
VEC_INLINE int64_t pack_squares(double *to, const double *from, int width, int64_t across,
                                int64_t k)
{
    int64_t p = 0;
    for (; p + VEC_WIDTH <= k; p += VEC_WIDTH, to += VEC_WIDTH * width, from += VEC_WIDTH) {
        int i = 0;
        for (; i + VEC_WIDTH <= width; i += VEC_WIDTH) {
            Vec line[VEC_WIDTH];
            for (int q = 0; q < VEC_WIDTH; q++) line[q] = vec_load(from + (i + q) * across);
            vec_transpose(line);
            for (int q = 0; q < VEC_WIDTH; q++) vec_store(to + q * width + i, line[q]);
        }
        for (; i < width; i++)
            for (int q = 0; q < VEC_WIDTH; q++) to[q * width + i] = from[i * across + q];
    }
    return p;
}

/* count ≤ width lines of k elements: across is the step from line to line, along the step in k. */
VEC_INLINE void pack(double *to, const double *from, int width, int64_t count, int64_t across,
                     int64_t along, int64_t k)
{
    int64_t p = count == width && along == 1 ? pack_squares(to, from, width, across, k) : 0;
    to += p * width;
    from += p * along;
    for (; p < k; p++, to += width, from += along) {
        if (count == width && across == 1) {
            __builtin_prefetch(from + 12 * along);
            __builtin_prefetch(from + 12 * along + 8);
            memcpy(to, from, (size_t)width * sizeof *to);
        } else if (count == width) {
            UNROLL for (int i = 0; i < width; i++) to[i] = from[i * across];
        } else {
            for (int i = 0; i < width; i++) to[i] = i < count ? from[i * across] : 0;
        }
    }
}

static void pack_a(double *to, const Matrix *a, int64_t count, int64_t k)
{
    for (int64_t i = 0; i < count; i += TILE_ROWS) {
        int64_t rows = count - i < TILE_ROWS ? count - i : TILE_ROWS;
        pack(to + i * k, a->data + i * a->row, TILE_ROWS, rows, a->row, a->column, k);
    }
}

static void pack_b(double *to, const Matrix *b, int64_t count, int64_t k)
{
    for (int64_t j = 0; j < count; j += TILE_COLUMNS) {
        int64_t columns = count - j < TILE_COLUMNS ? count - j : TILE_COLUMNS;
        pack(to + j * k, b->data + j * b->column, TILE_COLUMNS, columns, b->column, b->row, k);
    }
}

/* ---- the tile ---- */

/* rows × (vectors·VEC_WIDTH) elements of C; B's rows are contiguous. Of the last vector only `last`
 * columns exist. */
VEC_INLINE void multiply(int rows, int vectors, int last, int64_t k, const Matrix *a,
                         const double *b, int64_t b_row, double *c, int64_t c_row, bool add)
{
    Vec sum[12][8];
    UNROLL for (int i = 0; i < rows; i++)
    {
        UNROLL for (int j = 0; j < vectors; j++) sum[i][j] = vec_of(0);
    }
    const double *left = a->data;
    for (int64_t p = 0; p < k; p++, left += a->column, b += b_row) {
        Vec right[8];
        UNROLL for (int j = 0; j < vectors; j++)
        {
            right[j] = vec_load_part(b + j * VEC_WIDTH, j < vectors - 1 ? VEC_WIDTH : last);
        }
        UNROLL for (int i = 0; i < rows; i++)
        {
            Vec one = vec_of(left[i * a->row]);
            UNROLL for (int j = 0; j < vectors; j++) sum[i][j] = vec_fma(one, right[j], sum[i][j]);
        }
    }
    UNROLL for (int i = 0; i < rows; i++)
    {
        UNROLL for (int j = 0; j < vectors; j++)
        {
            double *to = c + i * c_row + j * VEC_WIDTH;
            int count = j < vectors - 1 ? VEC_WIDTH : last;
            if (add) sum[i][j] = vec_load_part(to, count) + sum[i][j];
            vec_store_part(to, sum[i][j], count);
        }
    }
}

static void tile(int64_t k, const double *a, const double *b, double *c, int64_t c_row, bool add)
{
    Matrix left = {a, 1, TILE_ROWS};
    /* Of a large C nothing is in the cache when the tile is done. */
    UNROLL for (int i = 0; i < TILE_ROWS; i++)
    {
        UNROLL for (int j = 0; j < TILE_VECTORS; j++)
            __builtin_prefetch(c + i * c_row + j * VEC_WIDTH, 1);
    }
    multiply(TILE_ROWS, TILE_VECTORS, VEC_WIDTH, k, &left, b, TILE_COLUMNS, c, c_row, add);
}

/* ---- without packing ---- */

/* `rows` rows of C. */
VEC_INLINE void strip(int rows, int64_t n, int64_t k, const Matrix *a, const Matrix *b, double *c,
                      int64_t c_row, bool add)
{
    enum { ONE = VEC_WIDTH, TWO = 2 * VEC_WIDTH, FOUR = 4 * VEC_WIDTH };
    const double *from = b->data;
    int64_t j = 0;
    for (; rows == 1 && j + 2 * FOUR <= n; j += 2 * FOUR) {
        multiply(rows, 8, VEC_WIDTH, k, a, from + j, b->row, c + j, c_row, add);
    }
    for (; rows <= 2 && j + FOUR <= n; j += FOUR) {
        multiply(rows, 4, VEC_WIDTH, k, a, from + j, b->row, c + j, c_row, add);
    }
    for (; j + TWO <= n; j += TWO) {
        multiply(rows, 2, VEC_WIDTH, k, a, from + j, b->row, c + j, c_row, add);
    }
    if (j + ONE < n) {
        multiply(rows, 2, (int)(n - j - ONE), k, a, from + j, b->row, c + j, c_row, add);
    } else if (j < n) {
        multiply(rows, 1, (int)(n - j), k, a, from + j, b->row, c + j, c_row, add);
    }
}

static void strips(int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b, double *c,
                   int64_t c_row, bool add)
{
    Matrix left = *a;
    int64_t i = 0;
    /* With one product an element, C is all there is to move: along its rows. */
    for (; k == 1 && i < m; i++, left.data += a->row) {
        strip(1, n, k, &left, b, c + i * c_row, c_row, add);
    }
    for (; i + 6 <= m && m - i != 8; i += 6, left.data += 6 * a->row) {
        strip(6, n, k, &left, b, c + i * c_row, c_row, add);
    }
    for (; i + 4 <= m; i += 4, left.data += 4 * a->row) {
        strip(4, n, k, &left, b, c + i * c_row, c_row, add);
    }
    for (; i + 2 <= m; i += 2, left.data += 2 * a->row) {
        strip(2, n, k, &left, b, c + i * c_row, c_row, add);
    }
    if (i < m) strip(1, n, k, &left, b, c + i * c_row, c_row, add);
}

/* The sums of LINES lines of a with b over the first elements of each; gives how many. Lines that are
 * contiguous are turned square by square, so that vectors lie across them. */
VEC_INLINE int64_t sum_squares(double *sum, int64_t k, const Matrix *a, const double *b,
                               int64_t b_step)
{
    Vec total[LINES / VEC_WIDTH];
    int64_t p = 0;
    UNROLL for (int g = 0; g < LINES / VEC_WIDTH; g++) total[g] = vec_of(0);
    for (; VEC_WIDTH > 1 && a->column == 1 && p + VEC_WIDTH <= k; p += VEC_WIDTH) {
        UNROLL for (int g = 0; g < LINES / VEC_WIDTH; g++)
        {
            Vec line[VEC_WIDTH];
            const double *from = a->data + g * VEC_WIDTH * a->row + p;
            UNROLL for (int q = 0; q < VEC_WIDTH; q++) line[q] = vec_load(from + q * a->row);
            vec_transpose(line);
            UNROLL for (int q = 0; q < VEC_WIDTH; q++)
            {
                total[g] = vec_fma(line[q], vec_of(b[(p + q) * b_step]), total[g]);
            }
        }
    }
    UNROLL for (int g = 0; g < LINES / VEC_WIDTH; g++) vec_store(sum + g * VEC_WIDTH, total[g]);
    return p;
}

/* count ≤ LINES elements of C, side by side, from as many lines of a and one of b. */
VEC_INLINE void chains(int count, int64_t k, const Matrix *a, const double *b, int64_t b_step,
                       double *c, bool add)
{
    double sum[LINES] = {0};
    int64_t p = count == LINES ? sum_squares(sum, k, a, b, b_step) : 0;
    const double *left = a->data + p * a->column;
    for (b += p * b_step; p < k; p++, left += a->column, b += b_step) {
        UNROLL for (int i = 0; i < count; i++)
        {
            sum[i] = __builtin_fma(left[i * a->row], *b, sum[i]);
        }
    }
    for (int i = 0; i < count; i++) c[i] = add ? c[i] + sum[i] : sum[i];
}

/* m contiguous elements of C: a matrix, whose rows need not be contiguous, times a vector. */
static void matrix_vector(int64_t m, int64_t k, const Matrix *a, const double *b, int64_t b_step,
                          double *c, bool add)
{
    Matrix left = *a;
    int64_t i = 0;
    for (; i + LINES <= m; i += LINES, left.data += LINES * a->row) {
        chains(LINES, k, &left, b, b_step, c + i, add);
    }
    for (; i + 4 <= m; i += 4, left.data += 4 * a->row) chains(4, k, &left, b, b_step, c + i, add);
    for (; i < m; i++, left.data += a->row) chains(1, k, &left, b, b_step, c + i, add);
}

/* fma(a, b, c) is fma(b, a, c): the transposed product has the same bits. */
static void direct(int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b, double *c,
                   int64_t c_row, bool add)
{
    double copy[MATMUL_COPY];
    Matrix left = matrix_transposed(b), right = matrix_transposed(a);
    if (n == 1 && c_row == 1 && a->row == 1) {
        strips(1, m, k, &left, &right, c, m, add); /* c is a row of the transposed product */
    } else if (n == 1 && c_row == 1) {
        matrix_vector(m, k, a, b->data, b->row, c, add);
    } else if (b->column == 1) {
        strips(m, n, k, a, b, c, c_row, add);
    } else if (m < 4) {
        for (int64_t i = 0; i < m; i++) {
            matrix_vector(n, k, &left, a->data + i * a->row, a->column, c + i * c_row, add);
        }
    } else {
        for (int64_t p = 0; p < k; p++) {
            const double *from = b->data + p * b->row;
            for (int64_t j = 0; j < n; j++) copy[p * n + j] = from[j * b->column];
        }
        strips(m, n, k, a, &(Matrix){copy, n, 1}, c, c_row, add);
    }
}

const MatmulKernel SIMD_NAME(simd_matmul_kernel) = {
    .rows = TILE_ROWS,
    .columns = TILE_COLUMNS,
    .pack_a = pack_a,
    .pack_b = pack_b,
    .tile = tile,
    .direct = direct,
};

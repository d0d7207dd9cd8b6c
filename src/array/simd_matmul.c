/* The inner loops of the matrix product (array/simd.h says what they promise). Vectors lie along
 * the columns of C, so that no sum is ever split; fma is written out, so that the chains are the
 * same on every processor that has it. */
#include "array/simd_vec.h"

#if defined(__clang__)
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
    CHAINS = 8, /* in flight at once, to hide the latency of fma */
};

/* ---- packing ---- */

/* count ≤ width lines of k elements: across is the step from line to line, along the step in k. */
VEC_INLINE void pack(double *to, const double *from, int width, int64_t count, int64_t across,
                     int64_t along, int64_t k)
{
    for (int64_t p = 0; p < k; p++, to += width, from += along) {
        if (count == width && across == 1) {
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
    pack(to, a->data, TILE_ROWS, count, a->row, a->column, k);
}

static void pack_b(double *to, const Matrix *b, int64_t count, int64_t k)
{
    pack(to, b->data, TILE_COLUMNS, count, b->column, b->row, k);
}

/* ---- the tile ---- */

VEC_INLINE void put(double *to, Vec sum, bool add)
{
    if (add) sum = vec_load(to) + sum;
    vec_store(to, sum);
}

static void tile(int64_t k, const double *a, const double *b, double *c, int64_t c_row, bool add)
{
    Vec sum[TILE_ROWS][TILE_VECTORS];
    UNROLL for (int i = 0; i < TILE_ROWS; i++)
    {
        UNROLL for (int j = 0; j < TILE_VECTORS; j++) sum[i][j] = vec_of(0);
    }
    for (int64_t p = 0; p < k; p++, a += TILE_ROWS, b += TILE_COLUMNS) {
        Vec right[TILE_VECTORS];
        UNROLL for (int j = 0; j < TILE_VECTORS; j++) right[j] = vec_load(b + j * VEC_WIDTH);
        UNROLL for (int i = 0; i < TILE_ROWS; i++)
        {
            Vec left = vec_of(a[i]);
            UNROLL for (int j = 0; j < TILE_VECTORS; j++)
            {
                sum[i][j] = vec_fma(left, right[j], sum[i][j]);
            }
        }
    }
    UNROLL for (int i = 0; i < TILE_ROWS; i++)
    {
        UNROLL for (int j = 0; j < TILE_VECTORS; j++)
        {
            put(c + i * c_row + j * VEC_WIDTH, sum[i][j], add);
        }
    }
}

/* ---- without packing ---- */

/* rows × vectors·VEC_WIDTH elements of C; B's rows are contiguous. */
VEC_INLINE void direct_tile(int rows, int vectors, int64_t k, const Matrix *a, const double *b,
                            int64_t b_row, double *c, int64_t c_row, bool add)
{
    Vec sum[4][4];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < vectors; j++) sum[i][j] = vec_of(0);
    }
    const double *left = a->data;
    for (int64_t p = 0; p < k; p++, left += a->column, b += b_row) {
        UNROLL for (int j = 0; j < vectors; j++)
        {
            Vec right = vec_load(b + j * VEC_WIDTH);
            UNROLL for (int i = 0; i < rows; i++)
            {
                sum[i][j] = vec_fma(vec_of(left[i * a->row]), right, sum[i][j]);
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < vectors; j++) {
            put(c + i * c_row + j * VEC_WIDTH, sum[i][j], add);
        }
    }
}

/* Up to CHAINS elements of C, to_step apart: a's lines are across apart, b is one line. */
VEC_INLINE void chains(int count, int64_t k, const double *a, int64_t across, int64_t a_along,
                       const double *b, int64_t b_along, double *to, int64_t to_step, bool add)
{
    double sum[CHAINS] = {0};
    for (int64_t p = 0; p < k; p++, a += a_along, b += b_along) {
        UNROLL for (int i = 0; i < count; i++)
        {
            sum[i] = __builtin_fma(a[i * across], *b, sum[i]);
        }
    }
    for (int i = 0; i < count; i++) to[i * to_step] = add ? to[i * to_step] + sum[i] : sum[i];
}

/* m elements of C, one under the other. */
static void column_chains(int64_t m, int64_t k, const Matrix *a, const double *b, int64_t b_along,
                          double *c, int64_t c_row, bool add)
{
    const double *from = a->data;
    int64_t i = 0;
    for (; i + CHAINS <= m; i += CHAINS) {
        chains(CHAINS, k, from + i * a->row, a->row, a->column, b, b_along, c + i * c_row, c_row,
               add);
    }
    for (; i + 4 <= m; i += 4) {
        chains(4, k, from + i * a->row, a->row, a->column, b, b_along, c + i * c_row, c_row, add);
    }
    for (; i < m; i++) {
        chains(1, k, from + i * a->row, a->row, a->column, b, b_along, c + i * c_row, c_row, add);
    }
}

/* A strip of `rows` rows of C, vectors along the columns as far as they reach. Returns how far. */
VEC_INLINE int64_t strip(int rows, int64_t n, int64_t k, const Matrix *a, const Matrix *b,
                         double *c, int64_t c_row, bool add)
{
    enum { WIDE = 4 };
    int64_t j = 0;
    if (rows <= 2) {
        for (; j + WIDE * VEC_WIDTH <= n; j += WIDE * VEC_WIDTH) {
            direct_tile(rows, WIDE, k, a, b->data + j, b->row, c + j, c_row, add);
        }
    }
    for (; j + 2 * VEC_WIDTH <= n; j += 2 * VEC_WIDTH) {
        direct_tile(rows, 2, k, a, b->data + j, b->row, c + j, c_row, add);
    }
    for (; j + VEC_WIDTH <= n; j += VEC_WIDTH) {
        direct_tile(rows, 1, k, a, b->data + j, b->row, c + j, c_row, add);
    }
    return j;
}

static void direct(int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b, double *c,
                   int64_t c_row, bool add)
{
    int64_t done = 0; /* columns */
    if (b->column == 1 && n >= VEC_WIDTH) {
        Matrix left = *a;
        int64_t i = 0;
        for (; i + 4 <= m; i += 4, left.data += 4 * a->row) {
            done = strip(4, n, k, &left, b, c + i * c_row, c_row, add);
        }
        for (; i + 2 <= m; i += 2, left.data += 2 * a->row) {
            done = strip(2, n, k, &left, b, c + i * c_row, c_row, add);
        }
        for (; i < m; i++, left.data += a->row) {
            done = strip(1, n, k, &left, b, c + i * c_row, c_row, add);
        }
    }
    if (m < 4 && n - done > m) {
        /* A row of C is a column of the transposed product: fma(a, b, c) is fma(b, a, c). */
        Matrix right = {b->data + done * b->column, b->column, b->row};
        for (int64_t i = 0; i < m; i++) {
            column_chains(n - done, k, &right, a->data + i * a->row, a->column,
                          c + i * c_row + done, 1, add);
        }
        return;
    }
    for (int64_t j = done; j < n; j++) {
        column_chains(m, k, a, b->data + j * b->column, b->row, c + j, c_row, add);
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

#include "array/linalg/matmul.h"

#include <string.h>

#include "array/simd/simd.h"
#include "array/walk.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/parallel.h"

/* Sizes of the packed blocks. DEPTH is part of the language's promise: sums longer than it are
 * chains of DEPTH added up in order. The others only decide what stays in which cache. */
enum {
    DEPTH = 256,
    BLOCK_ROWS = 96,     /* of A: 192 KiB, a multiple of every tile's rows */
    BLOCK_COLUMNS = 512, /* of B: 1 MiB, a multiple of every tile's columns */
    MOST_TILE = 12 * 16,
    SMALL = 64, /* sizes up to which a product is not worth a plan */
};

#define WORTH_SHARING 4e6 /* multiplications from which on threads share a product */

/* ---- shapes ---- */

/* A product of matrices m×k and k×n for every index of the leading axes. */
typedef struct {
    int64_t m, n, k;
    Shape batch_a, batch_b, batch;
} Plan;

static Shape leading(const Shape *s)
{
    Shape batch = *s;
    batch.rank = s->rank > 2 ? s->rank - 2 : 0;
    return batch;
}

static bool differ(const Shape *a, const Shape *b, const char *what, int64_t x, int64_t y,
                   Error *err)
{
    return error_set(err, ERR_SHAPE, "matrix product of %s and %s: %s sizes %lld and %lld differ",
                     shape_noun(a), shape_noun(b), what, (long long)x, (long long)y);
}

static bool broadcast_batch(const Shape *a, const Shape *b, Plan *p, Error *err)
{
    p->batch.rank = 0;
    if (a->rank <= 2 && b->rank <= 2) return true;
    p->batch_a = leading(a);
    p->batch_b = leading(b);
    const Shape *x = &p->batch_a, *y = &p->batch_b;
    for (int k = 1; k <= x->rank && k <= y->rank; k++) {
        int64_t i = x->dim[x->rank - k], j = y->dim[y->rank - k];
        if (i != j && i != 1 && j != 1) return differ(a, b, "leading", i, j, err);
    }
    return shape_broadcast(x, y, &p->batch, err);
}

static bool plan(const Shape *a, const Shape *b, Plan *p, Error *err)
{
    if (a->rank == 0 || b->rank == 0) {
        return error_set(err, ERR_SHAPE, "matrix product of a number: use * to scale");
    }
    p->m = a->rank > 1 ? a->dim[a->rank - 2] : 1;
    p->k = a->dim[a->rank - 1];
    int64_t k_b = b->rank > 1 ? b->dim[b->rank - 2] : b->dim[0];
    p->n = b->rank > 1 ? b->dim[b->rank - 1] : 1;
    if (p->k != k_b) return differ(a, b, "inner", p->k, k_b, err);
    return broadcast_batch(a, b, p, err);
}

static Shape product_shape(const Shape *a, const Shape *b, const Plan *p)
{
    Shape out = p->batch;
    if (a->rank > 1) out.dim[out.rank++] = p->m;
    if (b->rank > 1) out.dim[out.rank++] = p->n;
    return out;
}

bool matmul_shape(const Shape *a, const Shape *b, Shape *out, Error *err)
{
    Plan p;
    if (!plan(a, b, &p, err)) return false;
    *out = product_shape(a, b, &p);
    return true;
}

/* ---- one product of Floats ---- */

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t round_up(int64_t x, int64_t step)
{
    return (x + step - 1) / step * step;
}

/* A tile that hangs over the edge of C is made beside it and its inner part taken over. */
static void edge_tile(const MatmulKernel *kernel, int64_t rows, int64_t columns, int64_t k,
                      const double *a, const double *b, double *c, int64_t c_row, bool add)
{
    double whole[MOST_TILE];
    kernel->tile(k, a, b, whole, kernel->columns, false);
    for (int64_t i = 0; i < rows; i++) {
        const double *from = whole + i * kernel->columns;
        double *to = c + i * c_row;
        for (int64_t j = 0; j < columns; j++) to[j] = add ? to[j] + from[j] : from[j];
    }
}

/* A packed block of A (m×k) times a packed block of B (k×n). */
static void multiply_blocks(const MatmulKernel *kernel, int64_t m, int64_t n, int64_t k,
                            const double *a, const double *b, double *c, int64_t c_row, bool add)
{
    for (int64_t j = 0; j < n; j += kernel->columns) {
        for (int64_t i = 0; i < m; i += kernel->rows) {
            int64_t rows = least(kernel->rows, m - i), columns = least(kernel->columns, n - j);
            double *to = c + i * c_row + j;
            if (rows == kernel->rows && columns == kernel->columns) {
                kernel->tile(k, a + i * k, b + j * k, to, c_row, add);
            } else {
                edge_tile(kernel, rows, columns, k, a + i * k, b + j * k, to, c_row, add);
            }
        }
    }
}

static bool packed(const MatmulKernel *kernel, int64_t m, int64_t n, int64_t k, const Matrix *a,
                   const Matrix *b, double *c, double *pack_a, double *pack_b, Error *err)
{
    for (int64_t j = 0; j < n; j += BLOCK_COLUMNS) {
        int64_t columns = least(BLOCK_COLUMNS, n - j);
        for (int64_t p = 0; p < k; p += DEPTH) {
            int64_t depth = least(DEPTH, k - p);
            Matrix right = matrix_part(b, p, j);
            kernel->pack_b(pack_b, &right, columns, depth);
            for (int64_t i = 0; i < m; i += BLOCK_ROWS) {
                int64_t rows = least(BLOCK_ROWS, m - i);
                Matrix left = matrix_part(a, i, p);
                kernel->pack_a(pack_a, &left, rows, depth);
                multiply_blocks(kernel, rows, columns, depth, pack_a, pack_b, c + i * n + j, n,
                                p > 0);
                if (!interrupt_poll(err)) return false;
            }
        }
    }
    return true;
}

/* Products too small or too narrow for packing to pay. */
static bool is_direct(int64_t m, int64_t n, int64_t k, int64_t b_column)
{
    int64_t size = n * least(k, DEPTH);
    if (m < 4 || n == 1) return true;
    return b_column == 1 ? m <= 8 || size <= MATMUL_DIRECT : size <= MATMUL_COPY;
}

static bool direct(const MatmulKernel *kernel, int64_t m, int64_t n, int64_t k, const Matrix *a,
                   const Matrix *b, double *c, Error *err)
{
    for (int64_t p = 0; p < k; p += DEPTH) {
        Matrix left = matrix_part(a, 0, p), right = matrix_part(b, p, 0);
        kernel->direct(m, n, least(DEPTH, k - p), &left, &right, c, n, p > 0);
        if (!interrupt_poll(err)) return false;
    }
    return true;
}

/* Sizes of what is packed at once, in elements. */
static int64_t packed_a(const Plan *s)
{
    int64_t rows = round_up(least(s->m, BLOCK_ROWS), simd_matmul(simd_level())->rows);
    return round_up(rows * least(s->k, DEPTH), 8);
}

static int64_t packed_b(const Plan *s)
{
    int64_t columns = round_up(least(s->n, BLOCK_COLUMNS), simd_matmul(simd_level())->columns);
    return columns * least(s->k, DEPTH);
}

/* Rows of one product shared among threads. Every element's sum is the same whoever works it out.
 */
typedef struct {
    const Plan *s;
    const Matrix *a, *b;
    double *c, *buffer; /* with room for what each piece packs */
    int64_t rows;       /* of a piece */
} RowPieces;

static void multiply_rows(void *context, int i)
{
    RowPieces *p = context;
    const Plan *s = p->s;
    Error err = {0};
    int64_t first = i * p->rows, rows = least(p->rows, s->m - first);
    Matrix left = matrix_part(p->a, first, 0);
    double *a = p->buffer + i * (packed_a(s) + packed_b(s)), *b = a + packed_a(s);
    if (!packed(simd_matmul(simd_level()), rows, s->n, s->k, &left, p->b, p->c + first * s->n, a, b,
                &err))
        interrupt_flag = 1; /* polling took it down: the other pieces and the caller want it too */
    error_clear(&err);
}

/* Of one product: as many blocks of rows for each thread. */
static int64_t piece_rows(const Plan *s)
{
    int64_t blocks = (s->m + BLOCK_ROWS - 1) / BLOCK_ROWS, pieces = 1;
    if (!s->batch.rank && (double)s->m * (double)s->n * (double)s->k >= WORTH_SHARING)
        pieces = least(blocks, parallel_threads());
    return (blocks + pieces - 1) / pieces * BLOCK_ROWS;
}

static int64_t count_pieces(const Plan *s)
{
    return (s->m + piece_rows(s) - 1) / piece_rows(s);
}

/* c, row-major, becomes a·b; k > 0. buffer is NULL for direct products. */
static bool multiply_floats(const Plan *s, const Matrix *a, const Matrix *b, double *c,
                            double *buffer, Error *err)
{
    if (!buffer) return direct(simd_matmul(simd_level()), s->m, s->n, s->k, a, b, c, err);
    RowPieces p = {s, a, b, c, buffer, piece_rows(s)};
    parallel_run((int)count_pieces(s), multiply_rows, &p);
    return interrupt_poll(err);
}

/* ---- one product of Ints ---- */

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/* x·y, of which only the result must fit. Products need 127 bits, so that their halves are added up
 * on their own: a sum of the lower ones never leaves 128. */
static bool exact_product(const int64_t *x, int64_t x_step, const int64_t *y, int64_t y_step,
                          int64_t n, int64_t *out)
{
    Wide high = 0, low = 0;
    for (int64_t k = 0; k < n; k++) {
        Wide product = (Wide)x[k * x_step] * y[k * y_step];
        high += product >> 64;
        low += (uint64_t)product;
    }
    high += low >> 64;
    Wide sum = (Wide)((UnsignedWide)high << 64 | (uint64_t)low);
    *out = (int64_t)sum;
    return sum == *out && high == sum >> 64;
}

static bool multiply_ints(const Plan *s, const int64_t *a, const int64_t *a_step, const int64_t *b,
                          const int64_t *b_step, int64_t *c, Error *err)
{
    for (int64_t i = 0; i < s->m; i++) {
        if (!interrupt_poll(err)) return false;
        for (int64_t j = 0; j < s->n; j++) {
            const int64_t *x = a + i * a_step[0], *y = b + j * b_step[1];
            int64_t sum = 0, product;
            bool over = false;
            for (int64_t k = 0; k < s->k; k++) {
                over |= __builtin_mul_overflow(x[k * a_step[1]], y[k * b_step[0]], &product);
                over |= __builtin_add_overflow(sum, product, &sum);
            }
            if (over && !exact_product(x, a_step[1], y, b_step[0], s->k, &sum))
                return error_set(err, ERR_MATH, "Int overflow in a matrix product");
            *c++ = sum;
        }
    }
    return true;
}

/* ---- all products ---- */

/* Steps of the last two axes; a vector is a row on the left and a column on the right. */
static void steps(const Array *a, bool left, int64_t *step)
{
    int64_t last = a->stride[a->rank - 1];
    step[0] = a->rank > 1 ? a->stride[a->rank - 2] : left ? 0 : last;
    step[1] = a->rank > 1 || left ? last : 0;
}

typedef struct {
    const Array *a, *b;
    Array *out;
    Plan plan;
    int64_t a_step[2], b_step[2];
    int64_t a_stride[MAX_RANK], b_stride[MAX_RANK], out_stride[MAX_RANK]; /* of the batch */
    double *buffer;                                                       /* NULL: direct */
} Product;

static bool multiply_at(const Product *x, int64_t a, int64_t b, int64_t out, Error *err)
{
    if (x->out->dtype == DT_INT) {
        return multiply_ints(&x->plan, array_ints(x->a) + a, x->a_step, array_ints(x->b) + b,
                             x->b_step, array_ints(x->out) + out, err);
    }
    Matrix left = {array_floats(x->a) + a, x->a_step[0], x->a_step[1]};
    Matrix right = {array_floats(x->b) + b, x->b_step[0], x->b_step[1]};
    return multiply_floats(&x->plan, &left, &right, array_floats(x->out) + out, x->buffer, err);
}

/* The strides of a's leading axes, broadcast to the batch. */
static void batch_strides(const Array *a, const Shape *own, const Shape *batch, int64_t *stride)
{
    Array head = {.rank = (uint8_t)own->rank};
    memcpy(head.dim, a->dim, sizeof head.dim);
    memcpy(head.stride, a->stride, sizeof head.stride);
    walk_broadcast(&head, batch, stride);
}

/* Many matrices times one: their rows are the rows of one tall matrix, if they lie evenly. */
static void join_batch(Product *x)
{
    Plan *p = &x->plan;
    int64_t rows = p->m;
    for (int k = p->batch.rank - 1; k >= 0; k--) {
        bool joins = x->b_stride[k] == 0 && x->a_stride[k] == rows * x->a_step[0];
        if (p->batch.dim[k] != 1 && !joins) return;
        rows *= p->batch.dim[k];
    }
    p->m = rows;
    p->batch.rank = 0;
}

static void lay_out(Product *x)
{
    Plan *p = &x->plan;
    steps(x->a, true, x->a_step);
    steps(x->b, false, x->b_step);
    if (p->batch.rank == 0) return;
    batch_strides(x->a, &p->batch_a, &p->batch, x->a_stride);
    batch_strides(x->b, &p->batch_b, &p->batch, x->b_stride);
    join_batch(x);
    int64_t step = p->m * p->n;
    for (int k = p->batch.rank - 1; k >= 0; k--) {
        x->out_stride[k] = step;
        step *= p->batch.dim[k];
    }
}

static bool multiply_batch(const Product *x, Error *err)
{
    const Shape *batch = &x->plan.batch;
    if (batch->rank == 0) return multiply_at(x, 0, 0, 0, err);
    const int64_t *const strides[] = {x->a_stride, x->b_stride, x->out_stride};
    Walk w;
    if (!walk_start(&w, batch->rank, batch->dim, 3, strides)) return true;
    do {
        for (int64_t i = 0; i < w.run; i++) {
            if (!multiply_at(x, w.offset[0] + i * w.step[0], w.offset[1] + i * w.step[1],
                             w.offset[2] + i * w.step[2], err)) {
                return false;
            }
        }
    } while (walk_next(&w));
    return true;
}

static bool multiply_all(Product *x, Error *err)
{
    const Plan *p = &x->plan;
    if (x->out->dtype == DT_INT || is_direct(p->m, p->n, p->k, x->b_step[1]))
        return multiply_batch(x, err);
    size_t size = (size_t)(count_pieces(p) * (packed_a(p) + packed_b(p))) * sizeof(double);
    x->buffer = block_try(size, false);
    if (!x->buffer) return error_set(err, ERR_MEMORY, "out of memory in a matrix product");
    bool ok = multiply_batch(x, err);
    block_free(x->buffer, size);
    return ok;
}

/* Whether a·b is one of two matrices of Floats that needs neither packing nor a second stretch of
 * k.
 */
static bool is_one_stretch(const Array *a, const Array *b)
{
    if (a->rank != 2 || b->rank != 2 || a->dtype != DT_FLOAT || b->dtype != DT_FLOAT) return false;
    int64_t m = a->dim[0], n = b->dim[1], k = a->dim[1];
    return k == b->dim[0] && k > 0 && k <= DEPTH && m > 0 && n > 0 &&
           is_direct(m, n, k, b->stride[1]);
}

static void multiply_stretch(const Array *a, const Array *b, Array *c, bool add)
{
    Matrix left = {array_floats(a), a->stride[0], a->stride[1]};
    Matrix right = {array_floats(b), b->stride[0], b->stride[1]};
    simd_matmul(simd_level())
        ->direct(a->dim[0], b->dim[1], a->dim[1], &left, &right, array_floats(c), b->dim[1], add);
}

bool matmul_add_into(Array *c, const Array *a, const Array *b)
{
    if (!is_one_stretch(a, b) || c->rank != 2 || c->dim[0] != a->dim[0] || c->dim[1] != b->dim[1])
        return false;
    multiply_stretch(a, b, c, true);
    return true;
}

/* No more than the product itself; false where the general way is needed. */
static bool multiply_small(const Array *a, const Array *b, Array **out, Error *err)
{
    if (!is_one_stretch(a, b) || a->dim[0] > SMALL || b->dim[1] > SMALL) return false;
    *out = array_new(DT_FLOAT, &(Shape){2, {a->dim[0], b->dim[1]}}, err);
    if (*out) multiply_stretch(a, b, *out, false);
    return true;
}

Array *matmul_run(const Array *a, const Array *b, Error *err)
{
    Array *small;
    if (multiply_small(a, b, &small, err)) return small;
    Shape sa = shape_of(a), sb = shape_of(b);
    Product x;
    x.a = a;
    x.b = b;
    x.buffer = NULL;
    if (!plan(&sa, &sb, &x.plan, err)) return NULL;
    Shape s = product_shape(&sa, &sb, &x.plan);
    bool empty = x.plan.k == 0;
    x.out = empty ? array_zeros(a->dtype, &s, err) : array_new(a->dtype, &s, err);
    if (!x.out || empty || x.out->size == 0) return x.out;
    lay_out(&x);
    if (multiply_all(&x, err)) return x.out;
    array_release(x.out);
    return NULL;
}

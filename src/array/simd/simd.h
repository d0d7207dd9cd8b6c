/* The parts of the array floor that are compiled once per instruction set.
 *
 * Every src/array/simd/ is built as scalar, AVX2 and AVX-512 code from the same text; SIMD_NAME
 * gives each copy names of its own. Which copy runs is decided once, from what the processor can
 * do. All copies give the same bits: no sum is reordered, no multiply-add is fused that is not
 * written as one, and what differs in width is padded to full vectors. */
#ifndef ARRAY_SIMD_SIMD_H
#define ARRAY_SIMD_SIMD_H

#include "array/elementwise/function.h"
#include "array/elementwise/int_ops.h"

typedef enum { SIMD_SCALAR, SIMD_AVX2, SIMD_AVX512, SIMD_LEVELS } SimdLevel;

/* The level in use. */
SimdLevel simd_level(void);
/* "scalar", "avx2" or "avx512"; VIV_SIMD in the environment may force a lower one. */
const char *simd_name(void);
/* Whether this build has the level and this processor can run it. */
bool simd_supported(SimdLevel level);

#define SIMD_JOIN_(a, b) a##b
#define SIMD_JOIN(a, b) SIMD_JOIN_(a, b)
#define SIMD_NAME(name) SIMD_JOIN(name, SIMD_SUFFIX)

/* n elements of out from n elements of each operand, all contiguous; unused operands are NULL. out
 * may be one of the operands, but must not overlap one otherwise. On failure out is unspecified. */
typedef LoopStatus (*Loop)(const void *x, const void *y, const void *z, void *out, int64_t n);

/* The loop of f on operands of type t (of EW_WHERE: those before the condition), or NULL if f has
 * none for that type. */
Loop simd_loop(SimdLevel level, Elementwise f, DType t);

/* The elementary functions of numbers, by the loops' own vectors; NULL for the others. */
typedef struct {
    double (*of[EW_COUNT])(double x, double y);
} SimdNumbers;

const SimdNumbers *simd_numbers(SimdLevel level);

/* Whether the processor has fused multiply-add, for the scalar copies; set before any loop is given
 * out. */
extern bool simd_has_fma;

/* The tables of each copy. */
typedef struct TileMachine TileMachine; /* array/elementwise/tile.h */

#define SIMD_DECLARE(suffix)                                                                       \
    extern const Loop simd_loops##suffix[EW_COUNT][3];                                             \
    extern const Loop simd_math_loops##suffix[EW_COUNT];                                           \
    extern const SimdNumbers simd_math_numbers##suffix;                                            \
    extern const MatmulKernel simd_matmul_kernel##suffix;                                          \
    extern const TileMachine simd_tile_machine##suffix;                                            \
    extern const ReduceKernel simd_reduce_kernel##suffix;                                          \
    extern const MoveKernel simd_move_kernel##suffix;

/* Elements of B that stay in a near cache, and those that are worth copying when its rows are not
 * contiguous. */
enum { MATMUL_DIRECT = 96 * 96, MATMUL_COPY = 48 * 48 };

/* Where the elements of a matrix are: [i][j] at data[i * row + j * column]. */
typedef struct {
    const double *data;
    int64_t row, column;
} Matrix;

/* What begins at [i, j]. */
static inline Matrix matrix_part(const Matrix *a, int64_t i, int64_t j)
{
    return (Matrix){a->data + i * a->row + j * a->column, a->row, a->column};
}
static inline Matrix matrix_transposed(const Matrix *a)
{
    return (Matrix){a->data, a->column, a->row};
}

/* The inner parts of the matrix product. Every element of C is a chain of fused multiply-adds that
 * starts at 0 and goes up k, the same chain in all of them; add says whether it is added to C or
 * replaces it. C is row-major with c_row elements from row to row. */
typedef struct {
    int rows, columns; /* of the tile that is kept in registers */
    /* Lays out count rows of k elements of A, `rows` at a time, or count columns of B, for tile:
     * element by element along k, side by side, padded with zeros. */
    void (*pack_a)(double *to, const Matrix *a, int64_t count, int64_t k);
    void (*pack_b)(double *to, const Matrix *b, int64_t count, int64_t k);
    /* A tile of C from packed operands. */
    void (*tile)(int64_t k, const double *a, const double *b, double *c, int64_t c_row, bool add);
    /* Without packing. Unless B's rows are contiguous, m < 4, n = 1 or n·k ≤ MATMUL_COPY. */
    void (*direct)(int64_t m, int64_t n, int64_t k, const Matrix *a, const Matrix *b, double *c,
                   int64_t c_row, bool add);
} MatmulKernel;

const MatmulKernel *simd_matmul(SimdLevel level);
const TileMachine *simd_tile(SimdLevel level);

/* The inner loops of reductions; each pair of functions is {of the minimum, of the maximum}. */
typedef struct {
    /* The extreme of n ≥ 1 Floats, with −0 < +0; the NaN that NAN is if there is any. */
    double (*extreme[2])(const double *x, int64_t n);
    int64_t (*int_extreme[2])(const int64_t *x, int64_t n);
    /* Folds row i of width Floats into lane i % 8, by Reduction (extremes as above, but for which NaN
     * it is): into what is there, or (fresh) each lane starts with its first row. With a lane_step of 0
     * there is one lane. */
    void (*fold_rows[7])(double *lane, int64_t lane_step, const double *const *row, int64_t n,
                         int width, bool fresh);
    /* to[j] becomes the extreme of itself and element j of n rows. */
    void (*int_rows[2])(int64_t *to, const int64_t *const *row, int64_t n, int width);
    /* The first place of wanted, which is among the n elements. */
    int64_t (*find)(const double *x, int64_t n, double wanted);
    int64_t (*int_find)(const int64_t *x, int64_t n, int64_t wanted);
    /* Where x[j] beats best[j], which a NaN does that is the first: takes it, and k as its place.
     */
    void (*arg_fold[2])(double *best, int64_t *place, const double *x, int64_t k, int64_t n);
    void (*int_arg_fold[2])(int64_t *best, int64_t *place, const int64_t *x, int64_t k, int64_t n);
    /* Adds x + 2⁶³ to high · 2³² + low: of a run, or of n rows into an array of sums. */
    void (*int_sum)(uint64_t *high, uint64_t *low, const int64_t *x, int64_t n);
    void (*int_sum_rows)(uint64_t *high, uint64_t *low, const int64_t *const *row, int64_t n,
                         int width);
    /* Sums of n elements become means; one element of each is given, a step apart. Whether they are
     * finite, and lie within their elements for sure. */
    bool (*means)(double *v, const double *element, int64_t step, double n, int64_t count);
    /* v where x is best, else 0, and adds to times where that is; best, v and times are a step apart. */
    void (*share)(double *out, const double *x, int64_t n, const double *best, const double *v,
                  double *times, int64_t step);
} ReduceKernel;

const ReduceKernel *simd_reduce(SimdLevel level);

/* What is to be said of index arrays. */
typedef enum { PLACES_FINE, PLACES_NEGATIVE, PLACES_OUTSIDE } PlaceCheck;

/* Moving elements of eight bytes, whether Floats or Ints. */
typedef struct {
    /* Whether some of n places are not in −dim … dim − 1, or some are negative. */
    PlaceCheck (*check_places)(const int64_t *place, int64_t n, int64_t dim);
    /* Counts them from the start and multiplies; to may be place. */
    void (*scale_places)(int64_t *to, const int64_t *place, int64_t n, int64_t dim, int64_t stride);
    void (*gather)(double *to, const double *from, const int64_t *place, int64_t n);
    /* Of a mask: value to each true place of n, or from those of the source to count elements in a
     * row, or back. */
    void (*fill)(double *to, double value, const bool *on, int64_t n);
    void (*compress)(double *to, const double *from, const bool *on, int64_t count);
    void (*expand)(double *to, const double *from, const bool *on, int64_t count);
} MoveKernel;

const MoveKernel *simd_move(SimdLevel level);

SIMD_DECLARE(_scalar)
SIMD_DECLARE(_avx2)
SIMD_DECLARE(_avx512)

#endif

/* Elementwise operations on a handful of Floats: row-by-row programs are full of them, and finding
 * types, shapes and strides would take many times longer than the arithmetic. The arithmetic is
 * that of the loops, so the bits are the same. */
#include "array/elementwise/float_ops.h"
#include "array/simd/simd.h"

enum {
    LARGEST = 256,
    FEW = 16, /* elements up to which a plain loop is done before a vectorised one has begun */
};

static bool is_small(const Array *a)
{
    return a->dtype == DT_FLOAT && a->size <= LARGEST && a->size > 0;
}

/* One after the other, or one for all. */
static bool elements_of(const SmallOperand *o, Elements *e)
{
    const Array *a = o->array;
    if (!a) {
        *e = (Elements){&o->number, 0};
        return true;
    }
    *e = (Elements){a->data, a->contiguous};
    return a->contiguous || array_repeats_one(a);
}

static bool gives_floats(Elementwise f)
{
    return f <= EW_SIGN || f == EW_ADD || f == EW_SUB || f == EW_MUL ||
           (f >= EW_MAX && f <= EW_DIV_NO_NAN);
}

#define EACH(result)                                                                               \
    for (int64_t i = 0; i < n; i++, p += x.step, q += y.step) {                                    \
        double a = *p, b = *q;                                                                     \
        out[i] = (result);                                                                         \
    }                                                                                              \
    return true;

bool elementwise_few(Elementwise f, Elements x, Elements y, double *out, int64_t n)
{
    const double *p = x.data, *q = y.data;
    switch (f) {
    case EW_NEG:
        for (int64_t i = 0; i < n; i++, p += x.step) out[i] = -*p;
        return true;
    case EW_ADD: EACH(a + b)
    case EW_SUB: EACH(a - b)
    case EW_MUL: EACH(a * b)
    case EW_DIV: EACH(a / b)
    case EW_MUL_NO_NAN: EACH(float_mul_no_nan(a, b))
    case EW_DIV_NO_NAN: EACH(float_div_no_nan(a, b))
    default: return false;
    }
}

static const double *side_by_side(Elements e, double *room, int64_t n)
{
    if (e.step) return e.data;
    for (int64_t i = 0; i < n; i++) room[i] = *e.data;
    return room;
}

static void run(Elementwise f, Elements x, Elements y, double *out, int64_t n)
{
    if (n <= FEW && elementwise_few(f, x, y, out, n)) return;
    double room[2][LARGEST];
    const double *a = side_by_side(x, room[0], n);
    const double *b = y.data ? side_by_side(y, room[1], n) : NULL;
    simd_loop(simd_level(), f, DT_FLOAT)(a, b, NULL, out, n);
}

/* ---- rows and columns ---- */

/* An operand as a matrix. */
typedef struct {
    const double *data;
    int64_t rows, columns, row, column; /* sizes, and steps from one to the next */
} Grid;

static Grid grid_of(const SmallOperand *o)
{
    const Array *a = o->array;
    if (!a) return (Grid){&o->number, 1, 1, 0, 0};
    Grid g = {a->data, 1, 1, 0, 0};
    if (a->rank > 0 && a->dim[a->rank - 1] != 1) {
        g.columns = a->dim[a->rank - 1];
        g.column = a->stride[a->rank - 1];
    }
    if (a->rank > 1 && a->dim[0] != 1) {
        g.rows = a->dim[0];
        g.row = a->stride[0];
    }
    return g;
}

static int64_t common(int64_t a, int64_t b)
{
    return a == b || b == 1 ? a : a == 1 ? b : 0;
}

/* Matrices, rows and columns in any layout that broadcast, for the operations that elementwise_few
 * has. */
static bool run_grid(Elementwise f, const SmallOperand *operand, Array **out, Error *err)
{
    const Array *a = operand[0].array, *b = operand[1].array;
    int rank_a = a ? a->rank : 0, rank_b = b ? b->rank : 0;
    Grid x = grid_of(&operand[0]), y = grid_of(&operand[1]);
    Shape s = {.rank = rank_a > rank_b ? rank_a : rank_b};
    int64_t rows = common(x.rows, y.rows), columns = common(x.columns, y.columns);
    bool has_way = f == EW_ADD || f == EW_SUB || f == EW_MUL || f == EW_DIV || f == EW_MUL_NO_NAN ||
                   f == EW_DIV_NO_NAN;
    if (!has_way || s.rank > 2 || rows * columns == 0 || rows * columns > LARGEST) return false;
    s.dim[0] = s.rank == 2 ? rows : columns;
    s.dim[1] = columns;
    *out = array_new(DT_FLOAT, &s, err);
    double *to = *out ? array_floats(*out) : NULL;
    for (int64_t i = 0; to && i < rows; i++, to += columns)
        elementwise_few(f, (Elements){x.data + i * x.row, x.column},
                        (Elements){y.data + i * y.row, y.column}, to, columns);
    return true;
}

bool elementwise_small(Elementwise f, const SmallOperand *operand, int n, Array **out, Error *err)
{
    Elements x, y = {NULL, 0};
    const Array *a = operand[0].array, *b = n == 2 ? operand[1].array : NULL;
    if (!gives_floats(f) || (!a && !b) || (a && !is_small(a)) || (b && !is_small(b))) return false;
    if ((a && b && !array_same_shape(a, b)) || !elements_of(&operand[0], &x) ||
        (n == 2 && !elements_of(&operand[1], &y)))
        return n == 2 && run_grid(f, operand, out, err);
    *out = array_like(a ? a : b, DT_FLOAT, err);
    if (*out) run(f, x, y, (*out)->data, (*out)->size);
    return true;
}

#include "array/elementwise/elementwise.h"

#include "array/elementwise/limits.h"
#include "array/walk.h"

/* Nearly always it is that of one operand. */
bool elementwise_shape(Array *const *in, int n, Shape *out, Error *err)
{
    const Array *widest = in[0];
    bool alike = true;
    for (int k = 1; k < n; k++) {
        if (in[k]->rank > widest->rank) widest = in[k];
    }
    for (int k = 0; k < n; k++) alike &= in[k]->rank == 0 || array_has_shape(in[k], &widest->shape);
    *out = shape_of(alike ? widest : in[0]);
    for (int k = 1; k < n && !alike; k++) {
        Shape next = shape_of(in[k]), both;
        if (!shape_broadcast(out, &next, &both, err)) return false;
        *out = both;
    }
    return true;
}

static bool any_negative(const Array *a)
{
    if (a->dtype != DT_INT) return false;
    for (int64_t i = 0; i < a->size; i++) {
        if (array_int_at(a, i) < 0) return true;
    }
    return false;
}

static bool type_error(Elementwise f, Error *err)
{
    return error_set(err, ERR_TYPE, "%s takes Bools or Ints, not Floats", elementwise_info[f].name);
}

DType elementwise_type(Elementwise f, const DType *in)
{
    DType t;
    elementwise_operand_type(f, in, &t);
    return elementwise_result_type(f, t);
}

bool elementwise_meets_floats(const TileStep *step, int n_leaves, int n_steps, bool *is_float)
{
    for (int i = 0; i < n_steps; i++) {
        bool any = is_float[step[i].operand[0]];
        if (elementwise_info[step[i].f].arity == 2) any |= is_float[step[i].operand[1]];
        if (!any) return false;
        is_float[n_leaves + i] = true;
    }
    return true;
}

static const TileProgram *program_of(Elementwise f, Array *const *in, Error *err)
{
    DType type[3], t;
    for (int k = 0; k < elementwise_info[f].arity; k++) type[k] = (DType)in[k]->dtype;
    if (!elementwise_operand_type(f, type, &t)) {
        type_error(f, err);
        return NULL;
    }
    if (f == EW_POW && t == DT_INT && any_negative(in[1])) t = DT_FLOAT;
    return tile_program(f, t, false);
}

/* An operand that nobody needs any more, if the result fits into its memory. A small one is not worth
 * the look. */
static Array *overwritten(const TileProgram *p, Array *const *in, unsigned may_overwrite,
                          const Shape *shape)
{
    for (int i = 0; may_overwrite >> i && i < p->n_leaves; i++) {
        Array *a = in[i];
        if ((may_overwrite >> i & 1) && a->size >= LARGE_ELEMENTS && a->contiguous &&
            a->dtype == DT_FLOAT && p->of_floats && array_is_unique(a) && array_has_shape(a, shape))
            return array_retain(a);
    }
    return NULL;
}

Array *elementwise_apply(Elementwise f, const TileProgram *p, Array *const *in,
                         unsigned may_overwrite, Error *err)
{
    Shape s;
    if (!elementwise_shape(in, p ? p->n_leaves : elementwise_info[f].arity, &s, err)) return NULL;
    if (!p && !(p = program_of(f, in, err))) return NULL;
    Array *over = overwritten(p, in, may_overwrite, &s);
    Array *out = over ? over : array_new((DType)p->output_type[0], &s, err);
    /* What is overwritten must be whole, so an interrupt waits. */
    if (!out || tile_run(p, in, &s, &out, over ? NULL : err)) return out;
    array_release(out);
    return NULL;
}

/* ---- a few Floats ---- */

static bool is_few(const Array *a)
{
    return a->dtype == DT_FLOAT && a->size <= FEW_ELEMENTS && a->size > 0;
}

/* Arrays alike and numbers are one row each: the array that the result is like, NULL if they are not. */
static inline const Array *find_rows(const SmallOperand *operand, int n, TileRow *x)
{
    const Array *like = operand[0].array ? operand[0].array : operand[n - 1].array;
    if (!is_few(like)) return NULL;
    for (int i = 0; i < 2; i++) {
        const Array *a = operand[i < n ? i : 0].array;
        if (a &&
            (!a->contiguous || (a != like && !(is_few(a) && array_has_shape(a, &like->shape)))))
            return NULL;
        x[i] = a ? (TileRow){a->data, 1} : (TileRow){&operand[i].number, 0};
    }
    return like;
}

/* Rows and columns that meet. */
static bool run_grids(Elementwise f, const SmallOperand *operand, int n, Array **out, Error *err)
{
    TileGrid grid[2];
    Shape shape = {.rank = 0};
    int64_t rows, columns;
    for (int i = 0; i < n; i++) {
        const Array *a = operand[i].array;
        if (!tile_grid(a, &operand[i].number, &grid[i]) || (a && a->rank > 2)) return false;
        if (a && a->rank > shape.rank) shape.rank = a->rank;
    }
    if (!tile_grids_meet(grid, n, &rows, &columns)) return false;
    shape.dim[0] = rows;
    shape.dim[shape.rank - 1] = columns;
    *out = array_new(DT_FLOAT, &shape, err);
    double *to = *out ? array_floats(*out) : NULL;
    for (int64_t row = 0; to && row < rows; row++, to += columns) {
        TileRow x[2] = {tile_grid_row(&grid[0], row), tile_grid_row(&grid[n - 1], row)};
        tile_row_few(f, x, to, columns);
    }
    return true;
}

bool elementwise_run_few(Elementwise f, const SmallOperand *operand, int n, Array **out, Error *err)
{
    TileRow x[2];
    const ElementwiseInfo *info = &elementwise_info[f];
    if (!info->has[DT_FLOAT] || info->gives == GIVES_BOOL || info->gives == GIVES_INT) return false;
    const Array *like = find_rows(operand, n, x);
    if (!like) return run_grids(f, operand, n, out, err);
    *out = array_new(DT_FLOAT, &like->shape, err);
    if (*out) tile_row_few(f, x, (*out)->data, like->size);
    return true;
}

void elementwise_add_into(Array *to, const Array *v)
{
    simd_loop(simd_level(), EW_ADD, DT_FLOAT)(to->data, v->data, NULL, to->data, to->size);
}

/* Tile programs on a handful of Floats: row-by-row programs are full of them, and to bring them into
 * the form that tiles need would take many times longer than the arithmetic. */
#include "array/elementwise/float_ops.h"
#include "array/elementwise/limits.h"
#include "array/elementwise/tile.h"

bool tile_grid(const Array *a, const double *number, TileGrid *g)
{
    *g = (TileGrid){number, 1, 1, 0, 0};
    if (!a) return true;
    if (a->dtype != DT_FLOAT || a->size > FEW_ELEMENTS || a->size == 0) return false;
    g->data = a->data;
    if (a->size == 1) return true;
    if (a->rank > 2 && !a->contiguous) return false;
    int last = a->rank - 1;
    g->columns = a->dim[last];
    g->column = a->stride[last];
    if (a->rank > 1) {
        g->rows = a->size / a->dim[last];
        g->row = a->rank == 2 ? a->stride[0] : a->dim[last];
    }
    if (g->columns == 1) g->column = 0;
    if (g->rows == 1) g->row = 0;
    return true;
}

static int64_t common(int64_t a, int64_t b)
{
    return a == b || b == 1 ? a : a == 1 ? b : 0;
}

bool tile_grids_meet(const TileGrid *g, int n, int64_t *rows, int64_t *columns)
{
    *rows = *columns = 1;
    for (int i = 0; i < n; i++) {
        *rows = common(*rows, g[i].rows);
        *columns = common(*columns, g[i].columns);
    }
    return *rows * *columns != 0 && *rows * *columns <= FEW_ELEMENTS;
}

/* Rows that lie one behind the other in every grid are one long row. */
static void join_rows(const TileGrid *g, int n, int64_t *rows, int64_t *columns)
{
    if (*rows == 1) return;
    for (int i = 0; i < n; i++)
        if (g[i].row != g[i].column * *columns) return;
    *columns *= *rows;
    *rows = 1;
}

#define EACH_IN_MEMORY(id, formula)
#define EACH_IN_REGISTERS(id, formula)                                                             \
    case EW_##id:                                                                                  \
        for (int64_t i = 0; i < n; i++, p += step_x, q += step_y) {                                \
            double x = *p, y = *q;                                                                 \
            (void)y;                                                                               \
            out[i] = (formula);                                                                    \
        }                                                                                          \
        return true;
#define EACH_GUARDED EACH_IN_REGISTERS

/* Functions that a tile program has in registers: cheaper one element after the other. */
static bool run_cheap(Elementwise f, TileRow of_x, TileRow of_y, double *out, int64_t n)
{
    const double *p = of_x.data, *q = of_y.data;
    int64_t step_x = of_x.step, step_y = of_y.step;
    switch (f) {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    EACH_##place(id, formula)
#include "array/elementwise/functions.h"
#undef FUNCTION
    default: return false;
    }
}

/* Truths lie side by side as they are. */
static const double *side_by_side(TileRow e, double *room, int64_t n)
{
    if (e.step == 1) return e.data;
    const TileMachine *machine = simd_tile(simd_level());
    for (int64_t i = 0; e.step == 0 && i < n; i += machine->elements)
        machine->fill(room + i, *e.data);
    for (int64_t i = 0; e.step != 0 && i < n; i++) room[i] = e.data[i * e.step];
    return room;
}

void tile_row_few(Elementwise f, const TileRow *x, double *out, int64_t n)
{
    if (n <= FEW_IN_A_LOOP && run_cheap(f, x[0], x[1], out, n)) return;
    int arity = elementwise_info[f].arity;
    double room[3][FEW_ELEMENTS];
    const double *at[3] = {NULL};
    for (int k = 0; k < arity; k++) at[k] = side_by_side(x[k], room[k], n);
    simd_loop(simd_level(), f, DT_FLOAT)(at[0], at[1], at[2], out, n);
}

TileRow tile_grid_row(const TileGrid *g, int64_t row)
{
    return (TileRow){g->data + row * g->row, g->column};
}

static void copy_row(TileRow from, double *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) to[i] = from.data[i * from.step];
}

/* Steps write into memory of their own, because an output may be the array of a leaf, and the last
 * one into the output that is its result. */
static void run_row(const TileProgram *p, TileRow *value, double *const *out, int64_t n)
{
    double made[TILE_STEPS][FEW_STEPWISE];
    int last = p->n_steps - 1, direct = -1;
    for (int i = 0; i < p->n_outputs; i++)
        if (p->output[i] == p->n_leaves + last) direct = i;
    for (int i = 0; i <= last; i++) {
        const TileStep *s = &p->step[i];
        TileRow x[3] = {value[s->operand[0]], value[s->operand[1]], value[s->operand[2]]};
        double *to = i == last && direct >= 0 ? out[direct] : made[i];
        tile_row_few((Elementwise)s->f, x, to, n);
        value[p->n_leaves + i] = (TileRow){to, 1};
    }
    for (int i = 0; i < p->n_outputs; i++)
        if (i != direct) copy_row(value[p->output[i]], out[i], n);
}

void tile_run_few(const TileProgram *p, const TileGrid *grid, int64_t rows, int64_t columns,
                  double *const *out)
{
    TileRow value[TILE_LEAVES + TILE_STEPS];
    double *to[TILE_OUTPUTS];
    join_rows(grid, p->n_leaves, &rows, &columns);
    for (int i = 0; i < p->n_outputs; i++) to[i] = out[i];
    for (int64_t row = 0; row < rows; row++) {
        for (int i = 0; i < p->n_leaves; i++) value[i] = tile_grid_row(&grid[i], row);
        run_row(p, value, to, columns);
        for (int i = 0; i < p->n_outputs; i++) to[i] += columns;
    }
}

/* Tile programs on a handful of Floats: row-by-row programs are full of them, and to bring them into
 * the form that tiles need would take many times longer than the arithmetic. */
#include "array/elementwise/float_ops.h"
#include "array/elementwise/limits.h"
#include "array/elementwise/tile.h"

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
static bool run_cheap(Elementwise f, const TileRow *of_x, const TileRow *of_y, double *out,
                      int64_t n)
{
    const double *p = of_x->data, *q = of_y->data;
    int64_t step_x = of_x->step, step_y = of_y->step;
    switch (f) {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    EACH_##place(id, formula)
#include "array/elementwise/functions.h"
#undef FUNCTION
    default: return false;
    }
}

/* Truths lie side by side as they are. */
static const double *side_by_side(const TileRow *e, double *room, int64_t n)
{
    if (e->step == 1) return e->data;
    const TileMachine *machine = simd_tile(simd_level());
    for (int64_t i = 0; e->step == 0 && i < n; i += machine->elements)
        machine->fill(room + i, *e->data);
    for (int64_t i = 0; e->step != 0 && i < n; i++) room[i] = e->data[i * e->step];
    return room;
}

void tile_run_row(Elementwise f, const TileRow *x, const TileRow *y, const TileRow *z, double *out,
                  int64_t n)
{
    if (n <= FEW_IN_A_LOOP && run_cheap(f, x, y, out, n)) return;
    int arity = elementwise_info[f].arity;
    double room[3][FEW_ELEMENTS];
    const double *at[3] = {NULL};
    for (int k = 0; k < arity; k++) at[k] = side_by_side(k == 0 ? x : k == 1 ? y : z, room[k], n);
    simd_loop(simd_level(), f, DT_FLOAT)(at[0], at[1], at[2], out, n);
}

static void copy_row(TileRow from, double *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) to[i] = from.data[i * from.step];
}

/* Steps write into memory of their own, because an output may be the array of a leaf, and the last
 * one into the output that is its result. */
static void run_row(const TileProgram *p, TileRow *value, double **out, int64_t n)
{
    double made[TILE_STEPS][FEW_STEPWISE];
    int direct = p->last_output;
    for (int i = 0; i < p->n_steps; i++) {
        const uint8_t *operand = p->step[i].operand;
        double *to = direct >= 0 && i == p->n_steps - 1 ? out[direct] : made[i];
        tile_run_row((Elementwise)p->step[i].f, &value[operand[0]], &value[operand[1]],
                     &value[operand[2]], to, n);
        value[p->n_leaves + i] = (TileRow){to, 1, 0};
    }
    for (int i = 0; i < p->n_outputs; i++)
        if (i != direct) copy_row(value[p->output[i]], out[i], n);
}

/* Whether a leaf is one row for all elements. number: room for one that is to be converted. */
static inline bool is_row(const Array *a, int64_t size, double *number, TileRow *r)
{
    *r = (TileRow){a->data, a->size != 1, 0};
    if (a->dtype == DT_FLOAT) return a->size == 1 || (a->contiguous && a->size == size);
    r->data = number;
    if (a->size == 1) *number = array_float_at(a, 0);
    return a->size == 1;
}

/* Rows and columns that meet. */
static bool find_grid(Array *const *leaf, int n, const Shape *shape, TileRow *value)
{
    if (shape->rank > 2) return false;
    for (int i = 0; i < n; i++) {
        const Array *a = leaf[i];
        int last = a->rank - 1;
        if (a->size == 1) continue;
        if (a->dtype != DT_FLOAT) return false;
        value[i].step = a->dim[last] == 1 ? 0 : a->stride[last];
        value[i].next = last == 0 || a->dim[0] == 1 ? 0 : a->stride[0];
    }
    return true;
}

bool tile_run_few(const TileProgram *p, Array *const *leaf, const Shape *shape, Array *const *out)
{
    TileRow value[TILE_LEAVES + TILE_STEPS];
    double number[TILE_LEAVES], *to[TILE_OUTPUTS];
    int64_t rows = 1, columns = out[0]->size;
    if (!p->of_floats || columns > (p->n_steps == 1 ? FEW_ELEMENTS : FEW_STEPWISE)) return false;
    bool one_row = true;
    for (int i = 0; i < p->n_leaves; i++)
        one_row &= is_row(leaf[i], columns, &number[i], &value[i]);
    if (!one_row) {
        if (!find_grid(leaf, p->n_leaves, shape, value)) return false;
        columns = shape->dim[shape->rank - 1];
        if (shape->rank == 2) rows = shape->dim[0];
    }
    for (int i = 0; i < p->n_outputs; i++) to[i] = array_floats(out[i]);
    run_row(p, value, to, columns);
    while (--rows > 0) {
        for (int i = 0; i < p->n_leaves; i++) value[i].data += value[i].next;
        for (int i = 0; i < p->n_outputs; i++) to[i] += columns;
        run_row(p, value, to, columns);
    }
    return true;
}

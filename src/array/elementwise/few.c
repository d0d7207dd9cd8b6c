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

/* One element that repeats is written n times. */
static const double *side_by_side(const TileRow *e, double *room, int64_t n)
{
    if (e->step == 1) return e->data;
    const TileMachine *machine = simd_tile(simd_level());
    for (int64_t i = 0; i < n; i += machine->elements) machine->fill(room + i, *e->data);
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
    if (from.step == 0)
        for (int64_t i = 0; i < n; i++) to[i] = *from.data;
    else if (to != from.data)
        memcpy(to, from.data, (size_t)n * sizeof *to);
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
        value[p->n_leaves + i] = (TileRow){to, 1};
    }
    for (int i = 0; i < p->n_outputs; i++)
        if (i != direct) copy_row(value[p->output[i]], out[i], n);
}

/* Whether a leaf is one row as it is. number: room for one that is to be converted. */
static inline bool is_row(const Array *a, int64_t size, double *number, TileRow *r)
{
    *r = (TileRow){a->data, a->size != 1};
    if (a->dtype == DT_FLOAT) return a->size == 1 || (a->contiguous && a->size == size);
    r->data = number;
    if (a->size == 1) *number = array_float_at(a, 0);
    return a->size == 1;
}

/* Brings the elements of a leaf that broadcasts together as one row. */
static bool bring_together(const Array *a, const Shape *shape, double *to)
{
    if (shape->rank > 2 || a->dtype != DT_FLOAT) return false;
    int last = a->rank - 1;
    int64_t rows = shape->rank == 2 ? shape->dim[0] : 1, columns = shape->dim[shape->rank - 1];
    int64_t step = a->dim[last] == 1 ? 0 : a->stride[last];
    int64_t next = last == 0 || a->dim[0] == 1 ? 0 : a->stride[0];
    const double *from = a->data;
    for (int64_t row = 0; row < rows; row++, from += next)
        for (int64_t i = 0; i < columns; i++) *to++ = from[i * step];
    return true;
}

bool tile_run_few(const TileProgram *p, Array *const *leaf, const Shape *shape, Array *const *out)
{
    enum { ROOM = 3 * FEW_ELEMENTS }; /* for the leaves of one step, or of a long program */
    _Static_assert(TILE_LEAVES * FEW_STEPWISE <= ROOM, "leaves must fit");
    int64_t n = out[0]->size;
    TileRow value[TILE_LEAVES + TILE_STEPS];
    double room[ROOM], number[TILE_LEAVES], *to[TILE_OUTPUTS], *next = room;
    if (!p->of_floats || n > (p->n_steps == 1 ? FEW_ELEMENTS : FEW_STEPWISE)) return false;
    for (int i = 0; i < p->n_leaves; i++) {
        if (is_row(leaf[i], n, &number[i], &value[i])) continue;
        if (!bring_together(leaf[i], shape, next)) return false;
        value[i] = (TileRow){next, 1};
        next += n;
    }
    for (int i = 0; i < p->n_outputs; i++) to[i] = array_floats(out[i]);
    run_row(p, value, to, n);
    return true;
}

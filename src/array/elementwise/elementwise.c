#include "array/elementwise/elementwise.h"

#include "array/elementwise/limits.h"
#include "array/walk.h"

const Shape *elementwise_shape(Array *const *in, int n, Shape *room, Error *err)
{
    const Shape *s = &in[0]->shape;
    for (int k = 1; k < n; k++) {
        const Shape *next = &in[k]->shape;
        Shape both;
        if (shape_reaches(next, s)) continue;
        bool reaches = shape_reaches(s, next);
        if (!reaches && !shape_broadcast(s, next, &both, err)) return NULL;
        if (!reaches) *room = both;
        s = reaches ? next : room;
    }
    return s;
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
        bool fits = a->size >= LARGE_ELEMENTS && a->size <= WHOLE_ELEMENTS;
        if ((may_overwrite >> i & 1) && fits && a->contiguous && a->dtype == DT_FLOAT &&
            p->of_floats && array_is_unique(a) && array_has_shape(a, shape))
            return array_retain(a);
    }
    return NULL;
}

Array *elementwise_apply(Elementwise f, const TileProgram *p, Array *const *in,
                         unsigned may_overwrite, Error *err)
{
    Shape room;
    int n = p ? p->n_leaves : elementwise_info[f].arity;
    const Shape *s = elementwise_shape(in, n, &room, err);
    if (!s) return NULL;
    if (!p && !(p = program_of(f, in, err))) return NULL;
    Array *over = overwritten(p, in, may_overwrite, s);
    Array *out = over ? over : array_new((DType)p->output_type[0], s, err);
    /* What is overwritten must be whole, so an interrupt waits. */
    if (!out || tile_run(p, in, s, &out, over ? NULL : err)) return out;
    array_release(out);
    return NULL;
}

/* ---- a few Floats ---- */

static bool is_few(const Array *a)
{
    return a->dtype == DT_FLOAT && a->size <= FEW_ELEMENTS && a->contiguous;
}

bool elementwise_run_few(Elementwise f, const SmallOperand *operand, int n, Array **out, Error *err)
{
    TileRow x[2];
    const Array *like = operand[0].array ? operand[0].array : operand[n - 1].array;
    for (int i = 0; i < 2; i++) {
        const SmallOperand *o = &operand[i < n ? i : 0];
        if (o->array && (!is_few(o->array) || !array_has_shape(o->array, &like->shape)))
            return false;
        x[i] = o->array ? (TileRow){o->array->data, 1} : (TileRow){&o->number, 0};
    }
    const ElementwiseInfo *info = &elementwise_info[f];
    if (!info->has[DT_FLOAT] || info->gives == GIVES_BOOL || info->gives == GIVES_INT) return false;
    *out = array_new(DT_FLOAT, &like->shape, err);
    if (*out) tile_run_row(f, &x[0], &x[1], NULL, array_floats(*out), like->size);
    return true;
}

void elementwise_add_into(Array *to, const Array *v)
{
    simd_loop(simd_level(), EW_ADD, DT_FLOAT)(to->data, v->data, NULL, to->data, to->size);
}

/* What the derivatives of extremes and of logsumexp are made of. */
#include <math.h>

#include "array/elementwise/elementwise.h"
#include "array/reduce/parts.h"
#include "base/mem.h"

/* ---- the ties of an extreme ---- */

/* All contiguous: best, v and times, which counts the ties, have the shape of a result. */
static void share(const Array *x, const Array *best, const Array *v, unsigned axes, Array *times,
                  Array *out)
{
    int64_t stride[MAX_RANK], next = 1;
    const int64_t *const strides[] = {x->stride, stride};
    const ReduceKernel *kernel = simd_reduce(simd_level());
    for (int k = x->rank - 1; k >= 0; k--) {
        stride[k] = axes >> k & 1 ? 0 : next;
        if (stride[k]) next *= x->dim[k];
    }
    Walk w;
    if (!walk_start(&w, x->rank, x->dim, 2, strides)) return;
    do {
        int64_t at = w.offset[0], result = w.offset[1];
        kernel->share(array_floats(out) + at, array_floats(x) + at, w.run,
                      array_floats(best) + result, array_floats(v) + result,
                      array_floats(times) + result, w.step[1]);
    } while (walk_next(&w));
}

/* out over the number of ties, where there are any. Takes out. */
static Array *divide_take(Array *out, Array *times, Error *err)
{
    bool ties = false;
    for (int64_t i = 0; i < times->size; i++) {
        double *n = &array_floats(times)[i];
        ties |= *n > 1;
        if (*n < 1) *n = 1;
    }
    if (!ties) return out;
    Array *quotient = elementwise_run(EW_DIV, (Array *[]){out, times}, err);
    array_release(out);
    return quotient;
}

Array *reduce_share(Array *v, Array *x, Array *best, unsigned axes, Error *err)
{
    Shape kept = shape_of(x);
    for (int k = 0; k < kept.rank; k++)
        if (axes >> k & 1) kept.dim[k] = 1;
    Array *part[3] = {array_contiguous(x, err), array_contiguous(best, err),
                      array_contiguous(v, err)};
    Array *times = array_zeros(DT_FLOAT, &kept, err), *out = array_new(DT_FLOAT, &x->shape, err);
    bool ok = part[0] && part[1] && part[2] && times && out;
    if (ok) {
        share(part[0], part[1], part[2], axes, times, out);
        out = divide_take(out, times, err);
    } else {
        array_release(out);
    }
    for (int i = 0; i < 3; i++) array_release(part[i]);
    array_release(times);
    return ok ? out : NULL;
}

/* ---- e to a difference ---- */

static Array *run_program(int n_leaves, int n_steps, const TileStep *step, Array *const *leaf,
                          Error *err)
{
    uint8_t last = (uint8_t)(n_leaves + n_steps - 1);
    TileSource source = {
        .n_leaves = n_leaves, .n_steps = n_steps, .n_outputs = 1, .step = step, .output = &last};
    TileProgram *p = tile_compile(simd_level(), &source);
    Array *out = elementwise_apply(EW_EXP, p, leaf, 0, err);
    mem_free(p);
    return out;
}

/* out, with v where x and y are equal, if y is infinite anywhere: there x − y is NaN. Takes out. */
static Array *mend_infinite_take(Array *out, Array *v, Array *x, Array *y, Error *err)
{
    bool finite = true;
    for (int64_t i = 0; i < y->size; i++) finite &= isfinite(array_float_at(y, i)) != 0;
    if (finite || !out) return out;
    Array *equal = elementwise_run(EW_EQ, (Array *[]){x, y}, err), *chosen = NULL;
    if (equal) chosen = elementwise_run(EW_WHERE, (Array *[]){v, out, equal}, err);
    array_release(equal);
    array_release(out);
    return chosen;
}

Array *reduce_exp_minus(Array *x, Array *y, Error *err)
{
    enum { X, Y, D };
    static const TileStep step[] = {{EW_SUB, {X, Y}}, {EW_EXP, {D}}};
    double one = 1.0;
    Array number = array_scalar(DT_FLOAT, &one);
    return mend_infinite_take(run_program(2, 2, step, (Array *[]){x, y}, err), &number, x, y, err);
}

/* What rounding takes off d = x − y (Knuth); at an infinite x it is NaN, and v is 0. */
Array *reduce_exp_rest(Array *v, Array *x, Array *y, Error *err)
{
    enum { V, X, Y, D, BACK, X_PART, X_REST, Y_REST, REST, MORE };
    static const TileStep step[] = {{EW_SUB, {X, Y}},           {EW_SUB, {D, X}},
                                    {EW_SUB, {D, BACK}},        {EW_SUB, {X, X_PART}},
                                    {EW_ADD, {Y, BACK}},        {EW_SUB, {X_REST, Y_REST}},
                                    {EW_MUL_NO_NAN, {V, REST}}, {EW_ADD, {V, MORE}}};
    return mend_infinite_take(run_program(3, 8, step, (Array *[]){v, x, y}, err), v, x, y, err);
}

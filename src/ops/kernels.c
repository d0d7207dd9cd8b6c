#include "ops/kernels.h"

#include "array/elementwise/elementwise.h"
#include "array/elementwise/number.h"
#include "array/linalg/matmul.h"
#include "array/reduce/reduce.h"
#include "array/sort.h"

enum { FEW = 8 }; /* parts of a concat or stack that need no allocation */

static bool give(Value *out, Array *result)
{
    *out = value_from_array_take(result);
    return result != NULL;
}

/* Numbers skip the array machinery; the arithmetic is the loops', so the bits are. An Int beside a Float
 * is one, as in the loops. */
static bool run_numbers(Elementwise f, const Value *in, int n, Value *out)
{
    const ElementwiseInfo *info = &elementwise_info[f];
    double x[2] = {0};
    bool any_float = false;
    for (int i = 0; i < n; i++) {
        if (in[i].kind != VAL_FLOAT && in[i].kind != VAL_INT) return false;
        any_float |= in[i].kind == VAL_FLOAT;
        x[i] = in[i].kind == VAL_FLOAT ? in[i].f : (double)in[i].i;
    }
    if (!any_float || !info->has[DT_FLOAT] || info->gives == GIVES_INT) return false;
    double result = elementwise_number(f, x[0], x[1]);
    *out = info->gives == GIVES_BOOL ? value_bool(result != 0) : value_float(result);
    return true;
}

/* An operand that is a few Floats, or a number. */
static bool small_operand(Value v, SmallOperand *o)
{
    if (v.kind == VAL_ARR) {
        *o = (SmallOperand){v.arr, 0.0};
        return v.arr->rank > 0;
    }
    *o = (SmallOperand){NULL, value_double(v)};
    return value_is_real(v);
}

static bool run_few(Elementwise f, const Value *in, int n, Value *out, Error *err, bool *ok)
{
    SmallOperand operand[2];
    for (int i = 0; i < n; i++)
        if (!small_operand(in[i], &operand[i])) return false;
    Array *result;
    if (!elementwise_run_few(f, operand, n, &result, err)) return false;
    *ok = result != NULL;
    if (*ok) *out = value_arr(result);
    return true;
}

/* Choosing never computes: it is the same for numbers of every type. */
static bool choose_number(const Value *in, Value *out)
{
    if (in[2].kind != VAL_BOOL || in[0].kind != in[1].kind || !value_is_number(in[0])) return false;
    *out = in[2].b ? in[0] : in[1];
    return true;
}

KERNEL(elementwise)
{
    Elementwise f = (Elementwise)row->detail;
    const TileProgram *program = attr ? attr->program : NULL;
    bool ok;
    if (!program && n <= 2) {
        bool has_array = in[0].kind == VAL_ARR || (n == 2 && in[1].kind == VAL_ARR);
        if (has_array ? run_few(f, in, n, out, err, &ok) : (ok = run_numbers(f, in, n, out)))
            return ok;
    } else if (!program && choose_number(in, out)) {
        return true;
    }
    Array scratch[TILE_LEAVES], *operand[TILE_LEAVES];
    for (int i = 0; i < n; i++) operand[i] = value_operand(&in[i], &scratch[i]);
    return give(out, elementwise_apply(f, program, operand, attr ? attr->may_overwrite : 0, err));
}

/* Runs where a rank-0 operand will do as an array on the stack. */
#define OPERAND(x, i) Array scratch_##x, *x = value_operand(&in[i], &scratch_##x)

KERNEL(reduce)
{
    (void)n;
    OPERAND(x, 0);
    return give(out, reduce_run((Reduction)row->detail, x, attr->axes, attr->keepdims, err));
}

KERNEL(arg)
{
    (void)n;
    OPERAND(x, 0);
    Shape s = shape_of(x);
    int axis;
    if (!shape_axis(&s, attr->axis, &axis, err)) return false;
    return give(out, reduce_run((Reduction)row->detail, x, 1u << axis, false, err));
}

KERNEL(moment)
{
    (void)n;
    OPERAND(x, 0);
    return give(out, reduce_moment((Moment)row->detail, x, attr->axes, attr->keepdims, err));
}

KERNEL(scales)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    return give(out, reduce_scales(x, attr->axes, err));
}

KERNEL(share)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    OPERAND(y, 1);
    OPERAND(z, 2);
    return give(out, reduce_share(x, y, z, attr->axes, err));
}

KERNEL(exp_minus)
{
    (void)row, (void)n, (void)attr;
    OPERAND(x, 0);
    OPERAND(y, 1);
    return give(out, reduce_exp_minus(x, y, err));
}

KERNEL(exp_rest)
{
    (void)row, (void)n, (void)attr;
    OPERAND(x, 0);
    OPERAND(y, 1);
    OPERAND(z, 2);
    return give(out, reduce_exp_rest(x, y, z, err));
}

KERNEL(scan)
{
    OPERAND(x, 0);
    Array scratch, *term = n > 1 ? value_operand(&in[1], &scratch) : NULL;
    return give(out, scan_run((Scan)row->detail, x, term, attr->axis, attr->backwards, err));
}

KERNEL(others)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    OPERAND(y, 1);
    return give(out, scan_others(x, y, attr->axis, err));
}

KERNEL(matmul)
{
    (void)row, (void)n, (void)attr;
    OPERAND(x, 0);
    OPERAND(y, 1);
    if (x->dtype == DT_FLOAT && y->dtype == DT_FLOAT) return give(out, matmul_run(x, y, err));
    DType t = x->dtype > y->dtype ? x->dtype : y->dtype;
    if (t == DT_BOOL) t = DT_INT;
    Shape sx = shape_of(x), sy = shape_of(y), product;
    if (!matmul_shape(&sx, &sy, &product, err)) return false;
    Array *a = x->dtype == t ? array_retain(x) : array_convert(x, t, err);
    Array *b = a == NULL ? NULL : y->dtype == t ? array_retain(y) : array_convert(y, t, err);
    Array *result = b ? matmul_run(a, b, err) : NULL;
    array_release(a);
    array_release(b);
    return give(out, result);
}

/* x as an array of its own (rank 0 allowed), for operations that make views. */
static Array *owned_operand(Value x, Error *err)
{
    Array scratch;
    Array *a = value_operand(&x, &scratch);
    return a == &scratch ? array_copy(a, err) : array_retain(a);
}

KERNEL(reshape)
{
    (void)row, (void)n;
    Array *x = owned_operand(in[0], err);
    if (!x) return false;
    Array *result = array_reshape(x, &attr->shape, err);
    array_release(x);
    return give(out, result);
}

KERNEL(transpose)
{
    (void)row, (void)n, (void)err;
    if (in[0].kind != VAL_ARR) {
        *out = in[0];
        return true;
    }
    int perm[MAX_RANK];
    for (int i = 0; i < MAX_RANK; i++) perm[i] = (int)attr->shape.dim[i];
    return give(out, array_transpose(in[0].arr, perm));
}

KERNEL(broadcast)
{
    (void)row, (void)n;
    Array *x = owned_operand(in[0], err);
    if (!x) return false;
    Array *result = array_broadcast(x, &attr->shape, err);
    array_release(x);
    return give(out, result);
}

static DType common_dtype(const Value *in, int n)
{
    DType t = DT_BOOL;
    for (int i = 0; i < n; i++)
        if (value_dtype(in[i]) > t) t = value_dtype(in[i]);
    return t;
}

typedef Array *(*Join)(Array *const *part, int n, const OpAttr *attr, Error *err);

static Array *join_concat(Array *const *part, int n, const OpAttr *attr, Error *err)
{
    return array_concat(part, n, attr->axis, err);
}

static Array *join_stack(Array *const *part, int n, const OpAttr *attr, Error *err)
{
    (void)attr;
    return array_stack(part, n, err);
}

/* Brings the parts to one type, then joins them. */
static bool join(Join f, const Value *in, int n, const OpAttr *attr, Value *out, Error *err)
{
    DType t = common_dtype(in, n);
    Array *few[FEW];
    Array **part = n <= FEW ? few : mem_alloc((size_t)n * sizeof *part);
    int made = 0;
    for (; made < n; made++) {
        Array scratch;
        Array *a = value_operand(&in[made], &scratch);
        part[made] = a->dtype != t   ? array_convert(a, t, err)
                     : a == &scratch ? array_copy(a, err)
                                     : array_retain(a);
        if (!part[made]) break;
    }
    Array *result = made == n ? f(part, n, attr, err) : NULL;
    for (int i = 0; i < made; i++) array_release(part[i]);
    if (part != few) mem_free(part);
    return give(out, result);
}

/* Numbers of one type, the usual case of an array literal or a comprehension. */
static bool stack_numbers(const Value *in, int n, Value *out, bool *done, Error *err)
{
    *done = n > 0 && (in[0].kind == VAL_FLOAT || in[0].kind == VAL_INT);
    for (int i = 1; i < n && *done; i++) *done = in[i].kind == in[0].kind;
    if (!*done) return true;
    Shape s = {.rank = 1, .dim = {n}};
    Array *a = array_new(in[0].kind == VAL_FLOAT ? DT_FLOAT : DT_INT, &s, err);
    if (!a) return false;
    for (int i = 0; i < n; i++) array_ints(a)[i] = in[i].i; /* the same eight bytes */
    return give(out, a);
}

KERNEL(concat)
{
    (void)row;
    return join(join_concat, in, n, attr, out, err);
}

KERNEL(stack)
{
    (void)row;
    bool done;
    if (!stack_numbers(in, n, out, &done, err)) return false;
    return done || join(join_stack, in, n, attr, out, err);
}

KERNEL(index)
{
    (void)n;
    if (in[0].kind != VAL_ARR) return error_set(err, ERR_TYPE, "%s of a number", row->name);
    return give(out, selection_read(in[0].arr, attr->selection, err));
}

KERNEL(argsort)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    return give(out, sort_positions(x, attr->axis, err));
}

KERNEL(none)
{
    (void)in, (void)n, (void)attr, (void)out;
    return error_set(err, ERR_TYPE, "%s is an update", row->name);
}

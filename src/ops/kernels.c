#include "ops/kernels.h"

#include "array/elementwise/elementwise.h"
#include "array/elementwise/fused.h"
#include "array/linalg/matmul.h"
#include "array/reduce/reduce.h"
#include "array/sort.h"

enum { FEW = 8 }; /* parts of a concat or stack that need no allocation */

static bool give(Value *out, Array *result)
{
    *out = value_from_array_take(result);
    return result != NULL;
}

/* Numbers of one type skip the array machinery; the loops are the same, so the bits are. */
static bool float_fast(Elementwise f, const Value *in, int n, Value *out)
{
    if (in[0].kind != VAL_FLOAT || (n == 2 && in[1].kind != VAL_FLOAT)) return false;
    switch (f) {
    case EW_NEG: *out = value_float(-in[0].f); return true;
    case EW_ADD: *out = value_float(in[0].f + in[1].f); return true;
    case EW_SUB: *out = value_float(in[0].f - in[1].f); return true;
    case EW_MUL: *out = value_float(in[0].f * in[1].f); return true;
    case EW_DIV: *out = value_float(in[0].f / in[1].f); return true;
    case EW_EQ: *out = value_bool(in[0].f == in[1].f); return true;
    case EW_LT: *out = value_bool(in[0].f < in[1].f); return true;
    case EW_GT: *out = value_bool(in[0].f > in[1].f); return true;
    case EW_POW:
    case EW_ATAN2:
    case EW_MUL_NO_NAN:
    case EW_DIV_NO_NAN:
    case EW_MAX:
    case EW_MIN: *out = value_float(elementwise_float2(f, in[0].f, in[1].f)); return true;
    default:
        if (f > EW_SOFTPLUS) return false;
        *out = value_float(elementwise_float1(f, in[0].f));
        return true;
    }
}

/* An Int beside a Float is one, here as in the loops. */
static const Value *as_floats(const Value *in, Value *mixed)
{
    if (in[0].kind == in[1].kind || (in[0].kind != VAL_FLOAT && in[1].kind != VAL_FLOAT)) return in;
    for (int i = 0; i < 2; i++)
        mixed[i] = in[i].kind == VAL_INT ? value_float((double)in[i].i) : in[i];
    return mixed;
}

/* Two numbers are float_fast's or go the general way. */
static bool small_operand(Value v, SmallOperand *o)
{
    if (v.kind == VAL_ARR) {
        *o = (SmallOperand){v.arr, 0.0};
        return v.arr->rank > 0;
    }
    *o = (SmallOperand){NULL, v.kind == VAL_INT ? (double)v.i : v.f};
    return v.kind == VAL_FLOAT || v.kind == VAL_INT;
}

static bool run_small(Elementwise f, const Value *in, int n, Value *out, Error *err, bool *ok)
{
    SmallOperand operand[2];
    for (int i = 0; i < n; i++)
        if (!small_operand(in[i], &operand[i])) return false;
    Array *result;
    if (!elementwise_small(f, operand, n, &result, err)) return false;
    *ok = result != NULL;
    if (*ok) *out = value_arr(result);
    return true;
}

/* An operand that nobody needs any more, if the result fits into its memory. A small one is not
 * worth the look. */
static Array *overwritable_operand(const Value *in, int n, const OpAttr *attr, const Shape *shape)
{
    for (int i = 0; attr && i < n; i++) {
        if (!(attr->may_overwrite >> i & 1) || in[i].kind != VAL_ARR) continue;
        Array *a = in[i].arr;
        if (a->size >= FUSED_LARGE && a->dtype == DT_FLOAT && a->contiguous && array_is_unique(a) &&
            array_has_shape(a, shape))
            return a;
    }
    return NULL;
}

/* Whether rows and columns that meet are long enough that a pass, which has them in the registers,
 * is quicker than the loops, which have them spread out in memory first. */
static bool is_worth_spreading(const Array *x, const Array *y, const Shape *shape)
{
    enum { LARGE = 1024, LONG_ROWS = 128 };
    return (x->size >= LARGE || y->size >= LARGE) && shape->dim[shape->rank - 1] >= LONG_ROWS;
}

/* One operation as a pass (array/elementwise/fused.h): into the memory of an operand that may be overwritten, or of large operands
 * that broadcast. False, with nothing done, where elementwise_run is to do it. */
static bool run_pass(Elementwise f, const Value *in, Array *const *operand, const OpAttr *attr,
                     Array **out, Error *err)
{
    bool gives_floats = (f >= EW_ADD && f <= EW_MUL) || (f >= EW_MAX && f <= EW_DIV_NO_NAN);
    const Array *x = operand[0], *y = operand[1];
    bool may_reuse = attr && attr->may_overwrite,
         may_spread = x->rank && y->rank && x->size != y->size;
    FusedProgram p = {2, 1, {{(uint8_t)f, {0, 1, 0}}}};
    Shape shape;
    if (!gives_floats || !(may_reuse || may_spread) || !fused_fits(&p, operand, &shape))
        return false;
    Array *into = overwritable_operand(in, 2, attr, &shape);
    if (!into && !(may_spread && is_worth_spreading(x, y, &shape))) return false;
    *out = fused_run(&p, operand, &shape, into, err);
    return true;
}

KERNEL(elementwise)
{
    Elementwise f = (Elementwise)row->detail;
    bool has_array = in[0].kind == VAL_ARR || (n == 2 && in[1].kind == VAL_ARR), ok;
    if (has_array && run_small(f, in, n, out, err, &ok)) return ok;
    Value mixed[2];
    if (!has_array && float_fast(f, n == 2 ? as_floats(in, mixed) : in, n, out)) return true;
    Array scratch[2];
    Array *operand[2] = {value_operand(&in[0], &scratch[0]),
                         n == 2 ? value_operand(&in[1], &scratch[1]) : NULL};
    Array *result;
    if (n == 2 && run_pass(f, in, operand, attr, &result, err)) return give(out, result);
    return give(out, elementwise_run(f, operand, err));
}

KERNEL(where)
{
    (void)row, (void)n, (void)attr;
    if (in[2].kind == VAL_BOOL && in[0].kind == in[1].kind && value_is_number(in[0])) {
        *out = in[2].b ? in[0] : in[1];
        return true;
    }
    Array scratch[3];
    Array *operand[3] = {value_operand(&in[2], &scratch[2]), value_operand(&in[0], &scratch[0]),
                         value_operand(&in[1], &scratch[1])};
    return give(out, elementwise_run(EW_WHERE, operand, err));
}

KERNEL(fused)
{
    (void)row;
    Array scratch[FUSED_LEAVES], *leaf[FUSED_LEAVES];
    Shape shape;
    for (int i = 0; i < n; i++) leaf[i] = value_operand(&in[i], &scratch[i]);
    if (!fused_fits(attr->program, leaf, &shape))
        return error_set(err, ERR_TYPE, "these operands can't be fused");
    Array *into = overwritable_operand(in, n, attr, &shape);
    return give(out, fused_run(attr->program, leaf, &shape, into, err));
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
    return give(out, reduce_arg(row->detail == 1, x, attr->axis, err));
}

KERNEL(cumsum)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    return give(out, scan_sum(x, attr->axis, err));
}

KERNEL(cumprod)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    return give(out, scan_prod(x, attr->axis, err));
}

KERNEL(recurrence)
{
    (void)row, (void)n;
    OPERAND(x, 0);
    OPERAND(y, 1);
    return give(out, scan_linear(x, y, attr->axis, attr->backwards, err));
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

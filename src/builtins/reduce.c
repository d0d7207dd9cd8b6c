#include <math.h>

#include "builtins/topics.h"

/* Keywords of every reduction. */
enum { AXIS, KEEPDIMS };

typedef struct {
    Value x;
    Shape shape;
    unsigned axes;
    bool keepdims;
} Reduce;

static bool start(Interp *in, const Args *a, Reduce *r)
{
    if (!arg_numeric(in, a, 0)) return false;
    r->x = a->pos[0];
    r->shape = value_shape(r->x);
    return kw_axes(in, a, AXIS, &r->shape, &r->axes) &&
           kw_bool(in, a, KEEPDIMS, false, &r->keepdims);
}

static bool reduce(Interp *in, const Args *a, OpCode op, Value *out)
{
    Reduce r;
    return start(in, a, &r) && op_reduce(&in->ad, op, r.x, r.axes, r.keepdims, out);
}

/* How many elements each result is made from. */
static double count(const Reduce *r)
{
    double n = 1;
    for (int i = 0; i < r->shape.rank; i++)
        if (r->axes >> i & 1) n *= (double)r->shape.dim[i];
    return n;
}

static bool sum_builtin(Interp *in, const Args *a, Value *out)
{
    return reduce(in, a, OP_SUM, out);
}

static bool prod_builtin(Interp *in, const Args *a, Value *out)
{
    return reduce(in, a, OP_PROD, out);
}

static bool any_builtin(Interp *in, const Args *a, Value *out)
{
    return reduce(in, a, OP_ANY, out);
}

static bool all_builtin(Interp *in, const Args *a, Value *out)
{
    return reduce(in, a, OP_ALL, out);
}

/* op of x as Floats: a sum of large Ints does not overflow. */
static bool of_floats(Interp *in, const Reduce *r, OpCode op, Value x, bool keepdims, Value *out)
{
    Value floats;
    if (!op_to_float(&in->ad, x, &floats)) return false;
    bool ok = op_reduce(&in->ad, op, floats, r->axes, keepdims, out);
    value_release(floats);
    return ok;
}

static bool mean_builtin(Interp *in, const Args *a, Value *out)
{
    Reduce r;
    return start(in, a, &r) && of_floats(in, &r, OP_MEAN, r.x, r.keepdims, out);
}

static bool norm_builtin(Interp *in, const Args *a, Value *out)
{
    Reduce r;
    return start(in, a, &r) && of_floats(in, &r, OP_NORM, r.x, r.keepdims, out);
}

/* op of x - mean(x) */
static bool of_centred(Interp *in, const Reduce *r, OpCode op, Value x, bool keepdims, Value *out)
{
    Value mean, centred;
    if (!of_floats(in, r, OP_MEAN, x, true, &mean)) return false;
    bool ok = op_apply2(&in->ad, OP_SUB, x, mean, &centred);
    value_release(mean);
    if (!ok) return false;
    ok = op_reduce(&in->ad, op, centred, r->axes, keepdims, out);
    value_release(centred);
    return ok;
}

static bool var_builtin(Interp *in, const Args *a, Value *out)
{
    Reduce r;
    return start(in, a, &r) && of_centred(in, &r, OP_MEAN_SQUARE, r.x, r.keepdims, out);
}
static bool drop_axes(Interp *in, const Reduce *r, Value v, Value *out)
{
    Shape s = {0};
    if (r->keepdims || v.kind != VAL_ARR) {
        *out = value_retain(v);
        return true;
    }
    for (int i = 0; i < r->shape.rank; i++)
        if (!(r->axes >> i & 1)) s.dim[s.rank++] = r->shape.dim[i];
    return op_reshape(&in->ad, v, &s, out);
}

/* Where differences from a mean overflow or have few digits, the power of two that helps, else 1. */
static double helping_scale(double std)
{
    return !isfinite(std) ? 0.25 : std > 0 && std < 0x1p-1000 ? 0x1p100 : 1.0;
}

static bool needs_scale(Value std)
{
    Array scratch, *a = value_operand(&std, &scratch);
    for (int64_t i = 0; i < a->size; i++)
        if (helping_scale(array_float_at(a, i)) != 1) return true;
    return false;
}

/* As constants, with the reduced axes kept. */
static bool helping_scales(Interp *in, const Reduce *r, Value *out)
{
    Value std;
    if (!of_centred(in, r, OP_RMS, ad_plain(r->x), true, &std)) return false;
    Array scratch, *from = value_operand(&std, &scratch),
                   *to = array_new(DT_FLOAT, &from->shape, &in->err);
    for (int64_t i = 0; to && i < to->size; i++)
        array_floats(to)[i] = helping_scale(array_float_at(from, i));
    value_release(std);
    *out = value_from_array_take(to);
    return to != NULL;
}

static bool scaled_std(Interp *in, const Reduce *r, Value *out)
{
    Value scales = {0}, scaled = {0}, std = {0}, wide = {0};
    bool ok = helping_scales(in, r, &scales) && op_apply2(&in->ad, OP_MUL, r->x, scales, &scaled) &&
              of_centred(in, r, OP_RMS, scaled, true, &std) &&
              op_apply2(&in->ad, OP_DIV, std, scales, &wide) && drop_axes(in, r, wide, out);
    Value made[] = {scales, scaled, std, wide};
    for (int i = 0; i < 4; i++) value_release(made[i]);
    return ok;
}

static bool std_builtin(Interp *in, const Args *a, Value *out)
{
    Reduce r;
    Value plain;
    if (!start(in, a, &r) || !of_centred(in, &r, OP_RMS, r.x, r.keepdims, &plain)) return false;
    if (!needs_scale(plain)) {
        *out = plain;
        return true;
    }
    value_release(plain);
    return scaled_std(in, &r, out);
}

/* The largest elements as constants, 0 where they are -inf or nan or where there are none: what is
 * subtracted before exp. */
static bool shift_of(Interp *in, const Reduce *r, Value floats, Value *out)
{
    Value largest, counts;
    if (count(r) == 0) {
        *out = value_float(0.0);
        return true;
    }
    OpAttr attr = {.axes = r->axes, .keepdims = true};
    if (!op_eval(OP_MAX, &floats, 1, &attr, &largest, &in->err)) return false;
    bool ok = op_apply2(&in->ad, OP_GT, largest, value_float(-INFINITY), &counts);
    if (ok) {
        Value either[3] = {largest, value_float(0.0), counts};
        ok = op_eval(OP_WHERE, either, 3, NULL, out, &in->err);
        value_release(counts);
    }
    value_release(largest);
    return ok;
}

/* shift + log(sum(exp(x - shift))); the shift is a constant, so the derivative is exp(x - shift) /
 * sum, which keeps its digits. */
static bool logsumexp_of(Interp *in, const Reduce *r, Value floats, Value shift, Value *out)
{
    Value powers = {0}, total = {0}, logarithm = {0}, flat = {0};
    bool ok = op_apply2(&in->ad, OP_EXP_MINUS, floats, shift, &powers) &&
              op_reduce(&in->ad, OP_SUM, powers, r->axes, r->keepdims, &total) &&
              op_apply1(&in->ad, OP_LOG, total, &logarithm) && drop_axes(in, r, shift, &flat) &&
              op_apply2(&in->ad, OP_ADD, flat, logarithm, out);
    Value made[] = {powers, total, logarithm, flat};
    for (int i = 0; i < 4; i++) value_release(made[i]);
    return ok;
}

static bool logsumexp_builtin(Interp *in, const Args *a, Value *out)
{
    Reduce r;
    Value floats, shift;
    if (!start(in, a, &r) || !op_to_float(&in->ad, r.x, &floats)) return false;
    bool ok = shift_of(in, &r, ad_plain(floats), &shift);
    if (ok) {
        ok = logsumexp_of(in, &r, floats, shift, out);
        value_release(shift);
    }
    value_release(floats);
    return ok;
}

/* max and min: one argument reduces, two are compared elementwise. */
static bool extremum(Interp *in, const Args *a, OpCode reducing, OpCode elementwise, Value *out)
{
    if (a->n == 1) return reduce(in, a, reducing, out);
    if (value_is_set(a->kw[AXIS]) || value_is_set(a->kw[KEEPDIMS]))
        return arg_error(in, a, -1, ERR_TYPE,
                         "%s of two arguments is elementwise and takes no axis or keepdims",
                         a->builtin->name);
    return arg_numeric(in, a, 0) && arg_numeric(in, a, 1) &&
           op_apply2(&in->ad, elementwise, a->pos[0], a->pos[1], out);
}

static bool max_builtin(Interp *in, const Args *a, Value *out)
{
    return extremum(in, a, OP_MAX, OP_MAXIMUM, out);
}

static bool min_builtin(Interp *in, const Args *a, Value *out)
{
    return extremum(in, a, OP_MIN, OP_MINIMUM, out);
}

/* Along one axis; without one, of x flattened. */
static bool along_axis(Interp *in, const Args *a, OpCode op, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    OpAttr attr = {0};
    bool given;
    if (!kw_axis(in, a, AXIS, &s, &given, &attr.axis)) return false;
    if (given) return op_apply(&in->ad, op, a->pos, 1, &attr, out);
    Shape flat = {.rank = 1};
    Value ravelled;
    if (!shape_size(&s, &flat.dim[0], &in->err) ||
        !op_reshape(&in->ad, a->pos[0], &flat, &ravelled))
        return false;
    bool ok = op_apply(&in->ad, op, &ravelled, 1, &attr, out);
    value_release(ravelled);
    return ok;
}

static bool argmax_builtin(Interp *in, const Args *a, Value *out)
{
    return along_axis(in, a, OP_ARGMAX, out);
}

static bool argmin_builtin(Interp *in, const Args *a, Value *out)
{
    return along_axis(in, a, OP_ARGMIN, out);
}

static bool cumsum_builtin(Interp *in, const Args *a, Value *out)
{
    return along_axis(in, a, OP_CUMSUM, out);
}

static bool cumprod_builtin(Interp *in, const Args *a, Value *out)
{
    return along_axis(in, a, OP_CUMPROD, out);
}

const Builtin builtins_reduce[] = {
    {"sum", "sum(x, axis = none, keepdims = false)",
     "The sum over all axes, or over axis (an Int or a tuple; negative ones count from the "
     "end), which keepdims keeps with size 1. In one fixed pairwise order, so its bits depend "
     "on the shape alone. Of Ints an Int, with an error on overflow; of Bools their count; of "
     "nothing 0. `sum([[1, 2], [3, 4]], axis = 0)` is `[4, 6]`.",
     sum_builtin, NULL, true},
    {"mean", "mean(x, axis = none, keepdims = false)",
     "The mean, as a Float, over all axes or over axis, as for sum; nan of nothing. It lies within "
     "the elements, so that of equal ones it is their value, and does not overflow where their sum "
     "does. `mean([1, 2])` is `1.5`.",
     mean_builtin, NULL, true},
    {"prod", "prod(x, axis = none, keepdims = false)",
     "The product over all axes or over axis, as for sum; of Ints an Int, with an error on "
     "overflow; 1 of nothing. Its derivative never divides, so zeros among the elements are "
     "fine. `prod([2, 3, 4])` is `24`.",
     prod_builtin, NULL, true},
    {"max", "max(x, [y], axis = none, keepdims = false)",
     "With one argument the largest element over all axes or over axis, as for sum; nan if "
     "there is one, an error of nothing. With two, the larger of both, elementwise and "
     "broadcast. Ties share the derivative evenly. `max([1, 5], [3, 2])` is `[3, 5]`.",
     max_builtin, &op_rows[OP_MAXIMUM], true},
    {"min", "min(x, [y], axis = none, keepdims = false)",
     "With one argument the smallest element over all axes or over axis, as for sum; nan if "
     "there is one, an error of nothing. With two, the smaller of both, elementwise and "
     "broadcast. Ties share the derivative evenly. `min([1, 5], [3, 2])` is `[1, 2]`.",
     min_builtin, &op_rows[OP_MINIMUM], true},
    {"var", "var(x, axis = none, keepdims = false)",
     "The variance, mean((x - mean(x)) ** 2), over all axes or over axis, as for sum: divided "
     "by the count, not by one less. nan of nothing. `var([1.0, 3.0])` is `1.0`.",
     var_builtin, NULL, true},
    {"std", "std(x, axis = none, keepdims = false)",
     "The standard deviation, sqrt(var(x)), over all axes or over axis, as for sum; nan of "
     "nothing. It does not overflow or vanish where the variance does. The derivative of constant "
     "data is 0. `std([1.0, 3.0])` is `1.0`.",
     std_builtin, NULL, true},
    {"any", "any(x, axis = none, keepdims = false)",
     "Whether any element is true (not 0), over all axes or over axis, as for sum; false of "
     "nothing. A Bool, or an array of Bools. `any([false, true])` is `true`.",
     any_builtin},
    {"all", "all(x, axis = none, keepdims = false)",
     "Whether all elements are true (not 0), over all axes or over axis, as for sum; true of "
     "nothing. A Bool, or an array of Bools. `all([false, true])` is `false`.",
     all_builtin},
    {"argmax", "argmax(x, axis = none)",
     "The position of the first largest element along axis, or in x flattened; of the first nan "
     "if there is one. Ints, with no derivative; an error of nothing. `argmax([1.0, 5.0, 5.0])` "
     "is `1`.",
     argmax_builtin},
    {"argmin", "argmin(x, axis = none)",
     "The position of the first smallest element along axis, or in x flattened; of the first "
     "nan if there is one. Ints, with no derivative; an error of nothing. `argmin([3.0, 1.0, "
     "1.0])` is `1`.",
     argmin_builtin},
    {"cumsum", "cumsum(x, axis = none)",
     "Running sums along axis, in x's shape, or of x flattened. `cumsum([1, 2, 3])` is `[1, 3, "
     "6]`.",
     cumsum_builtin},
    {"cumprod", "cumprod(x, axis = none)",
     "Running products along axis, in x's shape, or of x flattened. Its derivative never "
     "divides, so zeros among the elements are fine. `cumprod([1, 2, 3])` is `[1, 2, 6]`.",
     cumprod_builtin},
    {"logsumexp", "logsumexp(x, axis = none, keepdims = false)",
     "log(sum(exp(x))) without overflow, over all axes or over axis, as for sum; -inf of "
     "nothing. Its derivative is exp(x - max) / sum(exp(x - max)); elements that are inf share "
     "it, and it is 0 where all are -inf. `logsumexp([1000.0, -inf])` is `1000.0`.",
     logsumexp_builtin, NULL, true},
    {"norm", "norm(x, axis = none, keepdims = false)",
     "The Euclidean norm, sqrt(sum(x * x)), over all axes or over axis, as for sum; 0 of "
     "nothing. It does not overflow or vanish where the squares do. Its derivative at 0 is 0. "
     "`norm([3.0, 4.0])` is `5.0`.",
     norm_builtin, NULL, true},
    {0},
};

/* Padding, diagonals and triangles, outer products, and choices between elements. */
#include "builtins/arrange.h"

/* ---- pad ---- */

typedef struct {
    int64_t before[MAX_RANK], after[MAX_RANK];
} Widths;

static bool pad_width(Interp *in, const Args *a, Value v, int64_t *width)
{
    if (v.kind != VAL_INT)
        return arg_error(in, a, 1, ERR_TYPE, "pad: a width must be an Int, not %s",
                         value_type_name(v));
    if (v.i < 0)
        return arg_error(in, a, 1, ERR_VALUE, "pad: width %lld is negative", (long long)v.i);
    *width = v.i;
    return true;
}

/* The widths of one axis: v or a pair. */
static bool axis_widths(Interp *in, const Args *a, Value v, int64_t *before, int64_t *after)
{
    if (v.kind != VAL_TUPLE) return pad_width(in, a, v, before) && pad_width(in, a, v, after);
    if (v.tuple->len != 2)
        return arg_error(in, a, 1, ERR_VALUE,
                         "pad: widths of an axis are (before, after), not %d "
                         "of them",
                         v.tuple->len);
    return pad_width(in, a, v.tuple->item[0], before) && pad_width(in, a, v.tuple->item[1], after);
}

static bool pad_widths(Interp *in, const Args *a, const Shape *s, Widths *w)
{
    Value v = a->pos[1];
    bool each = v.kind == VAL_TUPLE && v.tuple->len > 0 && v.tuple->item[0].kind == VAL_TUPLE;
    if (each && v.tuple->len != s->rank)
        return arg_error(in, a, 1, ERR_SHAPE, "pad: widths for %d axes, but x has shape %s",
                         v.tuple->len, shape_text(s));
    for (int i = 0; i < s->rank; i++)
        if (!axis_widths(in, a, each ? v.tuple->item[i] : v, &w->before[i], &w->after[i]))
            return false;
    return true;
}

static bool padded_shape(Interp *in, const Args *a, const Widths *w, Shape *s)
{
    for (int i = 0; i < s->rank; i++)
        if (__builtin_add_overflow(s->dim[i], w->before[i], &s->dim[i]) ||
            __builtin_add_overflow(s->dim[i], w->after[i], &s->dim[i]))
            return arg_error(in, a, 1, ERR_MEMORY, "pad: the result is too large");
    return true;
}

/* *target (an array) with the selected region set to v; *target is left unset on failure. */
static bool then_set(Interp *in, Value *target, const IndexTerm *term, int n, Value v)
{
    Shape s = value_shape(*target);
    Selection *selection = selection_new(&s, term, n, &in->err);
    bool ok = selection && op_update(&in->ad, OP_SET_INDEX, target, selection, v);
    selection_release(selection);
    if (!ok) value_clear(target);
    return ok;
}

bool pad_builtin(Interp *in, const Args *a, Value *out)
{
    Widths w;
    IndexTerm term[MAX_RANK] = {0};
    if (!arg_array(in, a, 0)) return false;
    Value x = a->pos[0], value = a->kw[0];
    Shape inner = value_shape(x), s = inner;
    if (!pad_widths(in, a, &s, &w) || !padded_shape(in, a, &w, &s)) return false;
    for (int i = 0; i < s.rank; i++)
        term[i] = (IndexTerm){.kind = INDEX_SLICE,
                              .has_start = true,
                              .has_stop = true,
                              .start = w.before[i],
                              .stop = w.before[i] + inner.dim[i]};
    if (!value_is_set(value)) value = zero_of(value_dtype(x));
    if (!value_is_number(value))
        return arg_error(in, a, a->n, ERR_TYPE, "pad: value must be a number, not %s",
                         value_type_name(value));
    *out = value;
    return then_broadcast(in, out, &s) && then_set(in, out, term, s.rank, x);
}

/* ---- diagonals and triangles ---- */

/* From the corner of a rows × columns matrix the k-th diagonal is that far down or to the right. */
static bool diagonal_start(Interp *in, const Args *a, int64_t *down, int64_t *right)
{
    enum { FAR = 1 << 30 };
    Value given = a->kw[0];
    if (value_is_set(given) && given.kind != VAL_INT)
        return arg_error(in, a, a->n, ERR_TYPE, "%s: k must be an Int, not %s", a->builtin->name,
                         value_type_name(given));
    int64_t k = value_is_set(given) ? given.i : 0;
    if (k > FAR || k < -FAR)
        return arg_error(in, a, a->n, ERR_VALUE, "%s: k = %lld is too far from the diagonal",
                         a->builtin->name, (long long)k);
    *down = k < 0 ? -k : 0;
    *right = k > 0 ? k : 0;
    return true;
}

/* Element i goes to [down + i, right + i]: every size + 1 elements in row-major order. */
static bool diagonal_matrix(Interp *in, Value v, int64_t down, int64_t right, Value *out)
{
    int64_t n = v.arr->dim[0], size = n + down + right, elements;
    Shape s = {.rank = 2, .dim = {size, size}};
    if (!shape_size(&s, &elements, &in->err)) return false;
    Shape flat = {.rank = 1, .dim = {elements}};
    Array *zeros = array_zeros(value_dtype(v), &flat, &in->err);
    if (!zeros) return false;
    int64_t start = down * size + right;
    IndexTerm term = {.kind = INDEX_SLICE,
                      .has_start = true,
                      .has_stop = true,
                      .has_step = true,
                      .start = start,
                      .stop = n ? start + (n - 1) * (size + 1) + 1 : start,
                      .step = size + 1};
    *out = value_arr(zeros);
    return then_set(in, out, &term, 1, v) && then_reshape(in, out, &s);
}

static Array *counting_from(Interp *in, int64_t start, int64_t n)
{
    Shape s = {.rank = 1, .dim = {n}};
    Array *made = array_new(DT_INT, &s, &in->err);
    for (int64_t i = 0; made && i < n; i++) array_ints(made)[i] = start + i;
    return made;
}

/* Gathered, so that both directions cost the diagonal and not the matrix. */
static bool matrix_diagonal(Interp *in, Value v, int64_t down, int64_t right, Value *out)
{
    int64_t rows = v.arr->dim[0] - down, columns = v.arr->dim[1] - right;
    int64_t n = rows < columns ? rows : columns;
    if (n < 0) n = 0;
    Array *row = counting_from(in, down, n), *column = row ? counting_from(in, right, n) : NULL;
    IndexTerm term[2] = {{.kind = INDEX_ARRAY, .array = row},
                         {.kind = INDEX_ARRAY, .array = column}};
    *out = value_retain(v);
    bool ok = column != NULL;
    if (ok)
        ok = then_index(in, out, term, 2);
    else
        value_clear(out);
    array_release(row);
    array_release(column);
    return ok;
}

bool diag_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t down, right;
    if (!arg_numeric(in, a, 0)) return false;
    Value v = a->pos[0];
    Shape s = value_shape(v);
    if (s.rank != 1 && s.rank != 2)
        return arg_error(in, a, 0, ERR_SHAPE, "diag: x must be a vector or a matrix, not %s",
                         shape_phrase(&s));
    if (!diagonal_start(in, a, &down, &right)) return false;
    return s.rank == 1 ? diagonal_matrix(in, v, down, right, out)
                       : matrix_diagonal(in, v, down, right, out);
}

static Array *triangle_mask(Interp *in, const Shape *s, int64_t k, bool lower)
{
    int64_t rows = s->dim[s->rank - 2], columns = s->dim[s->rank - 1];
    Shape matrix = {.rank = 2, .dim = {rows, columns}};
    Array *mask = array_new(DT_BOOL, &matrix, &in->err);
    if (!mask) return NULL;
    bool *at = array_bools(mask);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) *at++ = lower ? j <= i + k : j >= i + k;
    return mask;
}

static bool triangle(Interp *in, const Args *a, bool lower, Value *out)
{
    int64_t down, right;
    if (!arg_array(in, a, 0)) return false;
    Shape s = value_shape(a->pos[0]);
    if (s.rank < 2)
        return arg_error(in, a, 0, ERR_SHAPE, "%s: x must have at least two axes, not %s",
                         a->builtin->name, shape_phrase(&s));
    if (!diagonal_start(in, a, &down, &right)) return false;
    Array *mask = triangle_mask(in, &s, right - down, lower);
    if (!mask) return false;
    Value choice[3] = {a->pos[0], zero_of(value_dtype(a->pos[0])), value_arr(mask)};
    bool ok = op_apply(&in->ad, OP_WHERE, choice, 3, NULL, out);
    array_release(mask);
    return ok;
}

bool tril_builtin(Interp *in, const Args *a, Value *out)
{
    return triangle(in, a, true, out);
}

bool triu_builtin(Interp *in, const Args *a, Value *out)
{
    return triangle(in, a, false, out);
}

/* ---- outer products ---- */

bool outer_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0) || !arg_numeric(in, a, 1)) return false;
    Value column = value_retain(a->pos[0]), row = value_retain(a->pos[1]);
    Shape s = {.rank = 2, .dim = {column.kind == VAL_ARR ? column.arr->size : 1, 1}};
    bool ok = then_ravel(in, &row);
    if (ok) ok = then_reshape(in, &column, &s);
    ok = ok && op_apply2(&in->ad, OP_MUL, column, row, out);
    value_release(column);
    value_release(row);
    return ok;
}

/* ---- choices ---- */

bool where_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0) || !arg_numeric(in, a, 1) || !arg_numeric(in, a, 2)) return false;
    DType t = value_dtype(a->pos[0]);
    if (t != DT_BOOL) {
        arg_error(in, a, 0, ERR_TYPE, "where: c must be Bool, not %s%s%s",
                  a->pos[0].kind == VAL_ARR ? "an array of " : "", t == DT_INT ? "Int" : "Float",
                  a->pos[0].kind == VAL_ARR ? "s" : "");
        return error_hint(&in->err, "write a comparison, as in where(c != 0, x, y)");
    }
    Value choice[3] = {a->pos[1], a->pos[2], a->pos[0]};
    return op_apply(&in->ad, OP_WHERE, choice, 3, NULL, out);
}

/* *v = op(*v, argument i), unless that is none. */
static bool then_bound(Interp *in, const Args *a, int i, OpCode op, Value *v)
{
    if (a->pos[i].kind == VAL_NONE) return true;
    Value bounded;
    bool ok = arg_numeric(in, a, i) && op_apply2(&in->ad, op, *v, a->pos[i], &bounded);
    value_release(*v);
    *v = ok ? bounded : (Value){0};
    return ok;
}

bool clip_builtin(Interp *in, const Args *a, Value *out)
{
    if (!arg_numeric(in, a, 0)) return false;
    *out = value_retain(a->pos[0]);
    return then_bound(in, a, 1, OP_MAXIMUM, out) && then_bound(in, a, 2, OP_MINIMUM, out);
}

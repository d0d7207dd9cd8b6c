#include "array/array.h"
#include "array/walk.h"

static void set_shape(Array *a, const Shape *s)
{
    int64_t stride = 1;
    a->rank = (uint8_t)s->rank;
    for (int k = s->rank - 1; k >= 0; k--) {
        a->dim[k] = s->dim[k];
        a->stride[k] = stride;
        if (s->dim[k] > 0) stride *= s->dim[k];
    }
}

Array *array_reshape(Array *a, const Shape *s, Error *err)
{
    int64_t size;
    if (!shape_size(s, &size, err)) return NULL;
    if (size != a->size) {
        Shape old = shape_of(a);
        error_set(err, ERR_SHAPE, "shape %s has %lld elements, which do not fill shape %s (%lld)",
                  a->rank ? shape_text(&old) : "of a number", (long long)a->size,
                  s->rank ? shape_text(s) : "of a number", (long long)size);
        return NULL;
    }
    Array *out = a->contiguous ? array_view(a) : array_copy(a, err);
    if (!out) return NULL;
    set_shape(out, s);
    array_update_layout(out);
    return out;
}

Array *array_transpose(const Array *a, const int *perm)
{
    Array *out = array_view(a);
    for (int k = 0; k < a->rank; k++) {
        out->dim[k] = a->dim[perm[k]];
        out->stride[k] = a->stride[perm[k]];
    }
    array_update_layout(out);
    return out;
}

Array *array_broadcast(const Array *a, const Shape *s, Error *err)
{
    Shape from = shape_of(a);
    Shape both;
    int64_t size;
    if (!shape_broadcast(&from, s, &both, err) || !shape_size(s, &size, err)) return NULL;
    if (!shape_equal(&both, s)) {
        error_set(err, ERR_SHAPE, "shape %s does not broadcast to shape %s", shape_text(&from),
                  shape_text(s));
        return NULL;
    }
    Array *out = array_view(a);
    walk_broadcast(a, s, out->stride);
    out->rank = (uint8_t)s->rank;
    for (int k = 0; k < s->rank; k++) out->dim[k] = s->dim[k];
    array_update_layout(out);
    return out;
}

/* ---- joining ---- */

/* Copies part into the region of out that begins at position along axis. */
static bool place(Array *out, const Array *part, int axis, int64_t position, Error *err)
{
    Array region = *out;
    region.dim[axis] = part->dim[axis];
    region.data = array_element(out, position * out->stride[axis]);
    array_update_layout(&region);
    return array_assign(&region, part, err);
}

static bool concat_agrees(const Array *first, const Array *part, int number, int axis, Error *err)
{
    Shape a = shape_of(first), b = shape_of(part);
    if (a.rank == b.rank) {
        b.dim[axis] = a.dim[axis];
        if (shape_equal(&a, &b)) return true;
        b = shape_of(part);
        return error_set(err, ERR_SHAPE,
                         "concat: part %d has shape %s, part 1 has %s; they may differ only along "
                         "axis %d",
                         number, shape_text(&b), shape_text(&a), axis);
    }
    return error_set(err, ERR_SHAPE, "concat: part %d has rank %d, part 1 has %d (shape %s)",
                     number, b.rank, a.rank, shape_text(&a));
}

Array *array_concat(Array *const *part, int n, int axis, Error *err)
{
    if (n == 0) {
        error_set(err, ERR_VALUE, "concat needs at least one part");
        return NULL;
    }
    Shape shape = shape_of(part[0]);
    if (!shape_axis(&shape, axis, &axis, err)) return NULL;
    for (int i = 1; i < n; i++) {
        if (!concat_agrees(part[0], part[i], i + 1, axis, err)) return NULL;
        if (__builtin_add_overflow(shape.dim[axis], part[i]->dim[axis], &shape.dim[axis])) {
            error_set(err, ERR_MEMORY, "concat: the parts are too large together");
            return NULL;
        }
    }
    Array *out = array_new(part[0]->dtype, &shape, err);
    int64_t position = 0;
    for (int i = 0; out && i < n; i++) {
        place(out, part[i], axis, position, err);
        position += part[i]->dim[axis];
    }
    return out;
}

static bool stack_agrees(const Array *first, const Array *part, int number, Error *err)
{
    Shape a = shape_of(first), b = shape_of(part);
    if (shape_equal(&a, &b)) return true;
    if (a.rank == 0) {
        return error_set(err, ERR_SHAPE, "part %d has shape %s, the others are numbers", number,
                         shape_text(&b));
    }
    if (b.rank == 0) {
        return error_set(err, ERR_SHAPE, "part %d is a number, the others have shape %s", number,
                         shape_text(&a));
    }
    return error_set(err, ERR_SHAPE, "part %d has shape %s, the others %s", number, shape_text(&b),
                     shape_text(&a));
}

Array *array_stack(Array *const *part, int n, Error *err)
{
    if (n == 0) {
        error_set(err, ERR_VALUE, "stack needs at least one part");
        return NULL;
    }
    for (int i = 1; i < n; i++) {
        if (!stack_agrees(part[0], part[i], i + 1, err)) return NULL;
    }
    Shape shape = {.rank = part[0]->rank + 1, .dim = {n}};
    if (shape.rank > MAX_RANK) {
        error_set(err, ERR_SHAPE, "stacking parts of rank %d gives more than %d axes",
                  part[0]->rank, MAX_RANK);
        return NULL;
    }
    for (int k = 1; k < shape.rank; k++) shape.dim[k] = part[0]->dim[k - 1];
    Array *out = array_new(part[0]->dtype, &shape, err);
    if (!out) return NULL;
    Array row = *out;
    row.rank = part[0]->rank;
    for (int k = 0; k < row.rank; k++) {
        row.dim[k] = out->dim[k + 1];
        row.stride[k] = out->stride[k + 1];
    }
    array_update_layout(&row);
    for (int i = 0; i < n; i++) {
        row.data = array_element(out, i * row.size);
        array_assign(&row, part[i], err);
    }
    return out;
}

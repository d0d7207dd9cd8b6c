#include "array/array.h"
#include "array/walk.h"

Array *array_reshape(Array *a, const Shape *s, Error *err)
{
    int64_t size;
    if (!shape_size(s, &size, err)) return NULL;
    if (size != a->size) {
        error_set(err, ERR_SHAPE, "shape %s has %lld elements, which do not fill shape %s (%lld)",
                  a->rank ? shape_text(&a->shape) : "of a number", (long long)a->size,
                  s->rank ? shape_text(s) : "of a number", (long long)size);
        return NULL;
    }
    Array *out = a->contiguous ? array_view(a) : array_copy(a, err);
    if (out) array_lay_out(out, s);
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
    int64_t size;
    if (!shape_check_reaches(&a->shape, s, err) || !shape_size(s, &size, err)) return NULL;
    Array *out = array_view(a);
    walk_broadcast(a, s, out->stride);
    shape_copy(&out->shape, s->rank, s->dim);
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
    if (part->rank != first->rank)
        return error_set(err, ERR_SHAPE, "concat: part %d has rank %d, part 0 has %d (shape %s)",
                         number, part->rank, first->rank, shape_text(&first->shape));
    Shape s = shape_of(part);
    s.dim[axis] = first->dim[axis];
    return shape_equal(&first->shape, &s) ||
           error_set(err, ERR_SHAPE,
                     "concat: part %d has shape %s, part 0 has %s; they may differ only along "
                     "axis %d",
                     number, shape_text(&part->shape), shape_text(&first->shape), axis);
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
        if (!concat_agrees(part[0], part[i], i, axis, err)) return NULL;
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
    if (shape_equal(&first->shape, &part->shape)) return true;
    const char *others = !first->rank ? "are numbers" : part->rank ? "" : "have shape ";
    return error_set(err, ERR_SHAPE, "part %d %s%s, the others %s%s", number,
                     part->rank ? "has shape " : "is a number", shape_text(&part->shape), others,
                     shape_text(&first->shape));
}

Array *array_stack(Array *const *part, int n, Error *err)
{
    if (n == 0) {
        error_set(err, ERR_VALUE, "stack needs at least one part");
        return NULL;
    }
    for (int i = 1; i < n; i++) {
        if (!stack_agrees(part[0], part[i], i, err)) return NULL;
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
    array_lay_out(&row, &part[0]->shape);
    row.size = part[0]->size;
    for (int i = 0; i < n; i++) {
        row.data = array_element(out, i * row.size);
        array_assign(&row, part[i], err);
    }
    return out;
}

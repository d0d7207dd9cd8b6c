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

Array *array_concat(Array *const *part, int n, int axis, Error *err)
{
    Shape shape = shape_of(part[0]);
    for (int i = 1; i < n; i++) {
        if (__builtin_add_overflow(shape.dim[axis], part[i]->dim[axis], &shape.dim[axis])) {
            error_set(err, ERR_MEMORY, "concat: the parts are too large together");
            return NULL;
        }
    }
    Array *out = array_new(part[0]->dtype, &shape, err);
    if (!out) return NULL;
    Array region = *out;
    int64_t position = 0;
    bool ok = true;
    for (int i = 0; ok && i < n; position += region.dim[axis], i++) {
        region.dim[axis] = part[i]->dim[axis];
        region.data = array_element(out, position * out->stride[axis]);
        array_update_layout(&region);
        ok = array_assign(&region, part[i], err);
    }
    return array_if(ok, out);
}

Array *array_stack(Array *const *part, int n, Error *err)
{
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
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        row.data = array_element(out, i * row.size);
        ok = array_assign(&row, part[i], err);
    }
    return array_if(ok, out);
}

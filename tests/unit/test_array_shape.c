#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array_support.h"

TestSuite(array_shape, .fini = expect_nothing_alive);

Test(array_shape, sizes_are_checked)
{
    Error err = {0};
    int64_t size;
    Shape big = {2, {4294967296, 4294967296}};
    cr_assert_not(shape_size(&big, &size, &err));
    expect_error(&err, ERR_MEMORY, "shape 4294967296×4294967296 is too large");
    cr_assert_not(shape_size(&(Shape){2, {3037000500, 3037000500}}, &size, &err));
    expect_error(&err, ERR_MEMORY, "too large");
    cr_assert_not(shape_size(&(Shape){3, {0, 4294967296, 4294967296}}, &size, &err));
    expect_error(&err, ERR_MEMORY, "too large");
    cr_assert_not(shape_size(&(Shape){1, {-1}}, &size, &err));
    expect_error(&err, ERR_SHAPE, "size -1 is negative");
    cr_assert(shape_size(&(Shape){3, {2, 0, 4}}, &size, &err));
    cr_assert_eq(size, 0);
    cr_assert(shape_size(&(Shape){0}, &size, &err));
    cr_assert_eq(size, 1);
}

Test(array_shape, memory_that_is_not_there)
{
    Error err = {0};
    cr_assert_null(array_zeros(DT_FLOAT, &(Shape){2, {10000000, 10000000}}, &err));
    expect_error(&err, ERR_MEMORY, "out of memory: shape 10000000×10000000 needs 745058.1 GiB");
    cr_assert_null(array_new(DT_FLOAT, &(Shape){1, {INT64_MAX}}, &err));
    expect_error(&err, ERR_MEMORY, "too large");
}

static void expect_broadcast(Shape a, Shape b, Shape wanted)
{
    Error err = {0};
    Shape out;
    cr_assert(shape_broadcast(&a, &b, &out, &err));
    cr_assert(shape_equal(&out, &wanted), "%s", shape_text(&out));
    cr_assert(shape_broadcast(&b, &a, &out, &err));
    cr_assert(shape_equal(&out, &wanted), "%s", shape_text(&out));
}

Test(array_shape, broadcasting)
{
    expect_broadcast(shape_make(2, 3, 4), shape_make(2, 1, 4), shape_make(2, 3, 4));
    expect_broadcast(shape_make(1, 3), shape_make(2, 3, 1), shape_make(2, 3, 3));
    expect_broadcast(shape_make(0), shape_make(2, 0, 2), shape_make(2, 0, 2));
    expect_broadcast(shape_make(1, 1), shape_make(1, 0), shape_make(1, 0));
    Error err = {0};
    Shape a = shape_make(2, 2, 3), b = shape_make(1, 4), out;
    cr_assert_not(shape_broadcast(&a, &b, &out, &err));
    expect_error(&err, ERR_SHAPE, "shapes 2×3 and 4 do not broadcast: axis -1 is 3 and 4");
    b = shape_make(1, 0);
    cr_assert_not(shape_broadcast(&a, &b, &out, &err));
    expect_error(&err, ERR_SHAPE, "axis -1 is 3 and 0");
}

Test(array_shape, axes)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 5), number = shape_make(0);
    int axis;
    cr_assert(shape_axis(&s, -1, &axis, &err) && axis == 1);
    cr_assert(shape_axis(&s, 0, &axis, &err) && axis == 0);
    cr_assert_not(shape_axis(&s, 2, &axis, &err));
    expect_error(&err, ERR_INDEX, "axis 2 is out of range for shape 4×5 (valid: -2 to 1)");
    cr_assert_not(shape_axis(&s, -3, &axis, &err));
    error_clear(&err);
    cr_assert_not(shape_axis(&number, 0, &axis, &err));
    expect_error(&err, ERR_INDEX, "a number has no axes");
}

Test(array_shape, assigning_converts_every_layout)
{
    random_start(1);
    Error err = {0};
    for (int round = 0; round < 2000; round++) {
        Shape s = random_shape(4, 5), part = s;
        for (int k = 0; k < s.rank; k++) part.dim[k] = random_below(4) ? s.dim[k] : 1;
        DType from = (DType)random_below(3), to = (DType)(from + random_below(3 - (int)from));
        Array *src = random_array(from, &part), *wide = array_broadcast(src, &s, &err);
        Array *dst = random_array(to, &s);
        cr_assert(array_unshare(&dst, &err));
        cr_assert(array_assign(dst, src, &err));
        Array *converted = array_convert(wide, to, &err);
        cr_assert(converted->contiguous && arrays_same(converted, dst));
        for (int64_t i = 0, index[MAX_RANK] = {0}; i < dst->size; i++, index_next(index, &s)) {
            double x = float_at_index(wide, index), y = array_float_at(dst, i);
            cr_assert(x == y || (x != x && y != y));
        }
        array_release(converted);
        array_release(wide);
        array_release(src);
        array_release(dst);
    }
}

Test(array_shape, transposed_copies_of_many_sizes)
{
    Error err = {0};
    for (int n = 1; n < 80; n += 13) {
        for (int m = 1; m < 80; m += 11) {
            Shape s = shape_make(3, 2, n, m);
            Array *a = counting_make(&s), *t = array_transpose(a, (int[]){2, 0, 1});
            Array *copy = array_copy(t, &err);
            cr_assert(copy->contiguous && arrays_same(copy, t));
            array_release(copy);
            array_release(t);
            array_release(a);
        }
    }
}

Test(array_shape, reshaping)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 6), t = shape_make(3, 2, 3, 4), wrong = shape_make(2, 5, 5);
    Array *a = counting_make(&s), *b = array_reshape(a, &t, &err);
    cr_assert_eq(b->data, a->data);
    cr_assert_eq(array_int_at(b, 23), 23);
    Array *turned = array_transpose(a, (int[]){1, 0}), *c = array_reshape(turned, &t, &err);
    cr_assert_eq(array_int_at(c, 1), 6);
    cr_assert_null(array_reshape(a, &wrong, &err));
    expect_error(&err, ERR_SHAPE, "shape 4×6 has 24 elements, which do not fill shape 5×5 (25)");
    cr_assert_null(array_reshape(a, &(Shape){2, {4294967296, 4294967296}}, &err));
    expect_error(&err, ERR_MEMORY, "too large");
    Shape empty = shape_make(3, 100, 0, 4), other = shape_make(3, 2, 50, 0);
    Array *e = counting_make(&empty), *f = array_reshape(e, &other, &err);
    cr_assert_eq(f->size, 0);
    Array *all[] = {a, b, c, turned, e, f};
    for (int i = 0; i < 6; i++) array_release(all[i]);
}

Test(array_shape, a_number_can_be_viewed)
{
    Error err = {0};
    Array *wide;
    Shape s = shape_make(2, 2, 3);
    {
        double x = 2.5;
        Array number = array_scalar(DT_FLOAT, &x);
        wide = array_broadcast(&number, &s, &err);
    }
    cr_assert_eq(array_float_at(wide, 5), 2.5);
    cr_assert(array_unshare(&wide, &err));
    array_floats(wide)[0] = 1.0;
    cr_assert_eq(array_float_at(wide, 1), 2.5);
    array_release(wide);
    Array *one = random_array(DT_BOOL, &(Shape){0});
    cr_assert_null(array_broadcast(one, &(Shape){2, {4294967296, 4294967296}}, &err));
    expect_error(&err, ERR_MEMORY, "too large");
    array_release(one);
}

Test(array_shape, joining_random_parts)
{
    random_start(2);
    Error err = {0};
    for (int round = 0; round < 500; round++) {
        Shape s = random_shape(4, 4);
        if (s.rank == 0) continue;
        DType t = (DType)random_below(3);
        int axis = (int)random_below(s.rank), n = 1 + (int)random_below(4);
        Array *part[4];
        for (int i = 0; i < n; i++) {
            s.dim[axis] = random_below(4);
            part[i] = random_array(t, &s);
        }
        Array *all = array_concat(part, n, axis, &err);
        cr_assert_not_null(all);
        int64_t first = 0;
        for (int i = 0; i < n; i++) {
            Array *view = array_view(all);
            if (view->size > 0) {
                view->data =
                    (char *)view->data + first * all->stride[axis] * (int64_t)dtype_size(t);
            }
            view->dim[axis] = part[i]->dim[axis];
            array_update_layout(view);
            cr_assert(arrays_same(view, part[i]));
            first += part[i]->dim[axis];
            array_release(view);
            array_release(part[i]);
        }
        cr_assert_eq(all->dim[axis], first);
        array_release(all);
    }
}

Test(array_shape, stacking)
{
    Error err = {0};
    Shape u = shape_make(1, 3), none = {0};
    Array *c = counting_make(&u), *number = counting_make(&none);
    Array *rows = array_stack((Array *[]){c, c}, 2, &err);
    Shape two = shape_make(2, 2, 3), got = shape_of(rows);
    cr_assert(shape_equal(&two, &got) && array_int_at(rows, 4) == 1);
    Array *numbers = array_stack((Array *[]){number, number, number}, 3, &err);
    cr_assert(numbers->rank == 1 && numbers->size == 3);
    Array *all[] = {c, number, rows, numbers};
    for (int i = 0; i < 4; i++) array_release(all[i]);
}

Test(array_shape, joining_too_much)
{
    Error err = {0};
    Shape one = shape_make(1, 1), large = {1, {INT64_C(1) << 59}};
    Array *a = counting_make(&one), *many = array_broadcast(a, &large, &err), *part[16];
    for (int i = 0; i < 16; i++) part[i] = many;
    cr_assert_null(array_concat(part, 16, 0, &err));
    expect_error(&err, ERR_MEMORY, "concat: the parts are too large together");
    array_release(many);
    array_release(a);
}

Test(array_shape, broadcasting_down)
{
    Error err = {0};
    Shape wide = shape_make(2, 2, 3), narrow = shape_make(1, 3);
    Array *a = counting_make(&wide), *b = counting_make(&narrow);
    cr_assert_null(array_broadcast(a, &narrow, &err));
    expect_error(&err, ERR_SHAPE, "shape 2×3 does not broadcast to shape 3");
    cr_assert_not(array_assign(b, a, &err));
    expect_error(&err, ERR_SHAPE, "shape 2×3 does not broadcast to shape 3");
    array_release(a);
    array_release(b);
}

Test(array_shape, stacking_too_deep)
{
    Error err = {0};
    Shape s = {8, {1, 1, 1, 1, 1, 1, 1, 1}};
    Array *a = counting_make(&s);
    cr_assert_null(array_stack(&a, 1, &err));
    expect_error(&err, ERR_SHAPE, "stacking parts of rank 8 gives more than 8 axes");
    array_release(a);
}

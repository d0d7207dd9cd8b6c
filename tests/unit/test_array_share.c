/* Copy on write: who is given a copy. */
#include <criterion/criterion.h>

#include "array/array.h"
#include "array/index/index.h"
#include "array_support.h"

TestSuite(array_share, .fini = expect_nothing_alive);

static Array *row_of(Array *a, int64_t i)
{
    Error err = {0};
    Shape s = shape_of(a);
    IndexTerm at = {.kind = INDEX_AT, .start = i};
    Selection *row = selection_new(&s, &at, 1, &err);
    Array *v = selection_read(a, row, &err);
    selection_release(row);
    return v;
}

Test(array_share, the_only_owner_writes_in_place)
{
    Error err = {0};
    Shape s = shape_make(2, 3, 4);
    Array *a = counting_make(&s), *before = a;
    void *data = a->data;
    cr_assert(array_unshare(&a, &err));
    cr_assert(a == before && a->data == data);
    array_release(a);
}

Test(array_share, small_views_are_moved_out)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 4);
    Array *a = counting_make(&s), *row = row_of(a, 1), *other = row_of(a, 2);
    void *data = a->data;
    cr_assert_eq(a->buffer->n_viewers, 3);
    cr_assert(array_unshare(&a, &err));
    cr_assert_eq(a->data, data);
    cr_assert_eq(a->buffer->n_viewers, 1);
    array_ints(a)[4] = 99;
    cr_assert(array_int_at(row, 0) == 4 && array_int_at(other, 3) == 11);
    array_release(a);
    array_release(row);
    array_release(other);
}

Test(array_share, a_small_view_of_a_large_array_is_copied)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 4);
    Array *a = counting_make(&s), *row = row_of(a, 1);
    void *data = a->data;
    cr_assert(array_unshare(&row, &err));
    array_ints(row)[0] = 99;
    cr_assert(a->data == data && array_int_at(a, 4) == 4);
    array_release(a);
    array_release(row);
}

Test(array_share, views_that_add_up_to_the_array_make_it_move)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 4);
    Array *a = counting_make(&s), *row[4];
    for (int i = 0; i < 4; i++) row[i] = row_of(a, i);
    void *data = a->data;
    cr_assert(array_unshare(&a, &err));
    cr_assert_neq(a->data, data);
    cr_assert_eq(row[0]->data, data);
    array_release(a);
    for (int i = 0; i < 4; i++) array_release(row[i]);
}

Test(array_share, a_second_reference_means_a_copy)
{
    Error err = {0};
    Shape s = shape_make(1, 4);
    Array *a = counting_make(&s), *b = array_retain(a);
    cr_assert(array_unshare(&a, &err));
    cr_assert_neq(a, b);
    array_ints(a)[0] = 9;
    cr_assert_eq(array_int_at(b, 0), 0);
    cr_assert_eq(b->head.refs, 1);
    array_release(a);
    array_release(b);
}

Test(array_share, the_last_view_of_a_large_buffer_is_written_in_place)
{
    Error err = {0};
    Shape s = shape_make(2, 4, 4);
    Array *a = counting_make(&s), *row = row_of(a, 3);
    array_release(a);
    void *data = row->data;
    cr_assert(array_unshare(&row, &err));
    cr_assert_eq(row->data, data);
    array_release(row);
}

Test(array_share, broadcast_views)
{
    Error err = {0};
    Shape s = shape_make(1, 4), wide = shape_make(2, 1000, 4);
    Array *a = counting_make(&s), *v = array_broadcast(a, &wide, &err);
    cr_assert(array_unshare(&a, &err));
    array_ints(a)[1] = 50;
    cr_assert_eq(array_int_at(v, 401), 1);
    cr_assert_eq(v->stride[0], 0, "still broadcast");
    cr_assert(array_unshare(&v, &err));
    array_ints(v)[0] = 7;
    cr_assert(v->contiguous && array_int_at(v, 4) == 0);
    array_release(a);
    array_release(v);
}

Test(array_share, a_broadcast_view_moves_out_with_its_distinct_elements)
{
    Error err = {0};
    Shape s = shape_make(2, 100, 4), wide = shape_make(2, 1000, 4);
    Array *a = counting_make(&s), *row = row_of(a, 2), *v = array_broadcast(row, &wide, &err);
    array_release(row);
    void *data = a->data;
    cr_assert(array_unshare(&a, &err));
    cr_assert_eq(a->data, data);
    cr_assert_eq(v->buffer->bytes, 4 * sizeof(int64_t));
    array_ints(a)[8] = -1;
    cr_assert(array_int_at(v, 0) == 8 && array_int_at(v, 3999) == 11);
    array_release(a);
    array_release(v);
}

/* Many headers on few buffers, written at random: every one must keep its own elements. */
Test(array_share, random_histories)
{
    enum { N = 12 };
    random_start(3);
    Error err = {0};
    Array *a[N], *model[N];
    Shape s = shape_make(2, 5, 6);
    for (int i = 0; i < N; i++) {
        a[i] = random_array(DT_INT, &s);
        model[i] = array_copy(a[i], &err);
    }
    for (int round = 0; round < 5000; round++) {
        int i = (int)random_below(N), k = (int)random_below(N);
        if (random_below(2)) {
            Array *next;
            switch (random_below(3)) {
            case 0: next = array_retain(a[k]); break;
            case 1: next = array_transpose(a[k], (int[]){1, 0}); break;
            default: next = random_below(2) ? array_view(a[k]) : random_array(DT_INT, &s);
            }
            Array *plain = array_copy(next, &err);
            array_release(a[i]);
            array_release(model[i]);
            a[i] = next;
            model[i] = plain;
        } else {
            int64_t at = random_below(a[i]->size);
            cr_assert(array_unshare(&a[i], &err));
            array_ints(a[i])[array_offset(a[i], at)] = round;
            array_ints(model[i])[at] = round;
        }
        for (int j = 0; j < N; j++) cr_assert(arrays_same(a[j], model[j]));
    }
    for (int i = 0; i < N; i++) {
        array_release(a[i]);
        array_release(model[i]);
    }
}

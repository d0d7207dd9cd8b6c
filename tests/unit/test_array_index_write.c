#include <criterion/criterion.h>

#include "array/index/index.h"
#include "array_support.h"

TestSuite(array_index_write, .fini = expect_nothing_alive);

#define VALUES(...) ((int64_t[]){__VA_ARGS__})

static Selection *select_one(const Array *a, IndexTerm term)
{
    Error err = {0};
    Shape s = shape_of(a);
    Selection *selection = selection_new(&s, &term, 1, &err);
    cr_assert_not_null(selection, "%s", err.message);
    return selection;
}

static Selection *select_slice(const Array *a, int64_t start, int64_t stop)
{
    IndexTerm t = {
        .kind = INDEX_SLICE, .has_start = true, .has_stop = true, .start = start, .stop = stop};
    return select_one(a, t);
}

static void expect_ints(const Array *a, int n, const int64_t *value)
{
    cr_assert_eq(a->size, n);
    for (int i = 0; i < n; i++) cr_assert_eq(array_int_at(a, i), value[i], "element %d", i);
}

Test(array_index_write, overlapping_views)
{
    Error err = {0};
    Shape s = shape_make(1, 5);
    for (int extra = 0; extra < 2; extra++) {
        Array *t = counting_make(&s), *held = extra ? array_retain(t) : NULL;
        Selection *to = select_slice(t, 1, 5), *from = select_slice(t, 0, 4);
        Array *v = selection_read(t, from, &err);
        cr_assert(selection_write(&t, to, v, &err));
        expect_ints(t, 5, VALUES(0, 0, 1, 2, 3));
        expect_ints(v, 4, VALUES(0, 1, 2, 3));
        if (held) expect_ints(held, 5, VALUES(0, 1, 2, 3, 4));
        array_release(v);
        array_release(held);
        array_release(t);
        selection_release(to);
        selection_release(from);
    }
}

Test(array_index_write, an_array_into_itself)
{
    Error err = {0};
    Shape s = shape_make(1, 5);
    Array *y = counting_make(&s), *idx = ints_make(&s, VALUES(4, 3, 2, 1, 0));
    Selection *gather = select_one(y, (IndexTerm){.kind = INDEX_ARRAY, .array = idx});
    cr_assert(selection_write(&y, gather, y, &err));
    expect_ints(y, 5, VALUES(4, 3, 2, 1, 0));
    Selection *back = select_one(y, (IndexTerm){.kind = INDEX_SLICE, .has_step = true, .step = -1});
    cr_assert(selection_write(&y, back, y, &err));
    expect_ints(y, 5, VALUES(0, 1, 2, 3, 4));
    cr_assert(selection_add(&y, back, y, &err));
    expect_ints(y, 5, VALUES(4, 4, 4, 4, 4));
    selection_release(gather);
    selection_release(back);
    array_release(y);
    array_release(idx);
}

Test(array_index_write, a_transpose_into_its_array)
{
    Error err = {0};
    Shape s = shape_make(2, 3, 3);
    Array *a = counting_make(&s), *t = array_transpose(a, (int[]){1, 0});
    Selection *all = selection_new(&s, NULL, 0, &err);
    cr_assert(selection_write(&a, all, t, &err));
    expect_ints(a, 9, VALUES(0, 3, 6, 1, 4, 7, 2, 5, 8));
    expect_ints(t, 9, VALUES(0, 3, 6, 1, 4, 7, 2, 5, 8));
    selection_release(all);
    array_release(a);
    array_release(t);
}

Test(array_index_write, the_array_takes_the_wider_type)
{
    Error err = {0};
    Shape s = shape_make(1, 3);
    double half = 0.5;
    int64_t seven = 7;
    bool yes = true;
    Array f = array_scalar(DT_FLOAT, &half), i = array_scalar(DT_INT, &seven);
    Array b = array_scalar(DT_BOOL, &yes);
    Array *a = array_zeros(DT_BOOL, &s, &err);
    Selection *at = select_one(a, (IndexTerm){.kind = INDEX_AT, .start = 1});
    cr_assert(selection_write(&a, at, &b, &err) && a->dtype == DT_BOOL && array_int_at(a, 1) == 1);
    cr_assert(selection_write(&a, at, &i, &err) && a->dtype == DT_INT && array_int_at(a, 1) == 7);
    cr_assert(selection_write(&a, at, &b, &err) && a->dtype == DT_INT && array_int_at(a, 1) == 1);
    cr_assert(selection_write(&a, at, &f, &err) && a->dtype == DT_FLOAT &&
              array_float_at(a, 1) == 0.5);
    cr_assert(selection_write(&a, at, &i, &err) && a->dtype == DT_FLOAT &&
              array_float_at(a, 1) == 7);
    array_release(a);
    a = array_zeros(DT_BOOL, &s, &err);
    Array *held = array_retain(a);
    cr_assert(selection_add(&a, at, &b, &err) && a->dtype == DT_INT && array_int_at(a, 1) == 1);
    cr_assert(held->dtype == DT_BOOL && array_int_at(held, 1) == 0);
    array_release(held);
    array_release(a);
    selection_release(at);
}

Test(array_index_write, shapes_must_fit)
{
    Error err = {0};
    Shape s = shape_make(2, 3, 4), three = shape_make(1, 3), deep = shape_make(2, 1, 4);
    Array *a = counting_make(&s), *v = counting_make(&three), *d = counting_make(&deep);
    Selection *row = select_one(a, (IndexTerm){.kind = INDEX_AT, .start = 1});
    cr_assert_not(selection_write(&a, row, v, &err));
    expect_error(&err, ERR_SHAPE, "shape 3 does not fit in a selection of shape 4");
    cr_assert_not(selection_write(&a, row, d, &err));
    expect_error(&err, ERR_SHAPE, "shape 1×4 does not fit in a selection of shape 4");
    cr_assert_not(selection_add(&a, row, v, &err));
    expect_error(&err, ERR_SHAPE, "shape 3 does not fit");
    Selection *at = select_one(v, (IndexTerm){.kind = INDEX_AT, .start = 1});
    cr_assert_not(selection_write(&v, at, d, &err));
    expect_error(&err, ERR_SHAPE, "an array of shape 1×4 does not fit in a single element");
    Array *release[] = {a, v, d};
    for (int k = 0; k < 3; k++) array_release(release[k]);
    selection_release(row);
    selection_release(at);
}

Test(array_index_write, repeated_positions)
{
    Error err = {0};
    Shape s = shape_make(1, 3), five = shape_make(1, 5);
    Array *a = array_zeros(DT_INT, &s, &err), *idx = ints_make(&five, VALUES(0, 0, 1, 1, 2));
    Array *v = ints_make(&five, VALUES(1, 2, 3, 4, 5));
    Selection *sel = select_one(a, (IndexTerm){.kind = INDEX_ARRAY, .array = idx});
    cr_assert(selection_write(&a, sel, v, &err));
    expect_ints(a, 3, VALUES(2, 4, 5));
    cr_assert(selection_add(&a, sel, v, &err));
    expect_ints(a, 3, VALUES(5, 11, 10));
    Array *wins = selection_winners(sel, &err);
    expect_ints(wins, 5, VALUES(0, 1, 0, 1, 1));
    array_release(wins);
    selection_release(sel);
    array_ints(idx)[0] = 2;
    array_ints(idx)[2] = 0;
    idx->dim[0] = 3;
    array_update_layout(idx);
    array_ints(idx)[1] = 1;
    sel = select_one(a, (IndexTerm){.kind = INDEX_ARRAY, .array = idx});
    cr_assert_null(selection_winners(sel, &err));
    cr_assert_not(error_is_set(&err));
    selection_release(sel);
    array_release(a);
    array_release(v);
    array_release(idx);
}

Test(array_index_write, an_overflow_changes_nothing)
{
    Error err = {0};
    Shape s = shape_make(1, 3);
    Array *a = ints_make(&s, VALUES(1, INT64_MAX, 3)), *v = ints_make(&s, VALUES(5, 1, 5));
    Selection *all = selection_new(&s, NULL, 0, &err);
    cr_assert_not(selection_add(&a, all, v, &err));
    expect_error(&err, ERR_MATH, "Int overflow in 9223372036854775807 + 1");
    expect_ints(a, 3, VALUES(1, INT64_MAX, 3));
    Array *b = array_zeros(DT_BOOL, &s, &err);
    array_bools(b)[1] = true;
    cr_assert_not(selection_add(&b, all, a, &err));
    error_clear(&err);
    cr_assert_eq(b->dtype, DT_BOOL);
    selection_release(all);
    array_release(a);
    array_release(b);
    array_release(v);
}

static Selection *random_selection(const Array *a, Array **index)
{
    IndexTerm term[MAX_RANK];
    Error err = {0};
    Shape s = shape_of(a);
    int n = (int)random_below(s.rank + 1);
    int gather = random_below(2) ? (int)random_below(s.rank + 1) : -1;
    for (int k = 0; k < n; k++) {
        term[k] =
            (IndexTerm){.kind = INDEX_SLICE, .has_step = true, .step = random_below(2) ? 1 : -2};
        if (k != gather || s.dim[k] == 0) continue;
        Shape shape = shape_make(1, (int)random_below(5));
        *index = counting_make(&shape);
        for (int64_t i = 0; i < (*index)->size; i++) array_ints(*index)[i] = random_below(s.dim[k]);
        term[k] = (IndexTerm){.kind = INDEX_ARRAY, .array = *index};
    }
    Selection *sel = selection_new(&s, term, n, &err);
    cr_assert_not_null(sel);
    return sel;
}

/* Flat positions of everything selected, by reading from an array that holds them. */
static Array *positions_of(const Selection *sel)
{
    Error err = {0};
    Array *count = counting_make(&sel->source), *p = selection_read(count, sel, &err);
    Array *flat = array_contiguous(p, &err);
    array_release(count);
    array_release(p);
    return flat;
}

Test(array_index_write, random_against_elementwise_stores)
{
    random_start(7);
    Error err = {0};
    for (int round = 0; round < 3000; round++) {
        Shape s = random_shape(3, 5);
        Array *a = random_array((DType)random_below(3), &s), *index = NULL;
        Array *held = random_below(3) ? NULL : random_below(2) ? array_view(a) : array_retain(a);
        Array *before = held ? array_copy(held, &err) : NULL;
        Selection *sel = random_selection(a, &index);
        Shape part = sel->shape;
        for (int k = 0; k < part.rank; k++) part.dim[k] = random_below(4) ? part.dim[k] : 1;
        Array *v = random_array((DType)random_below(3), &part);
        DType t = a->dtype > v->dtype ? a->dtype : v->dtype;
        bool add = random_below(2);
        if (add && t == DT_BOOL) t = DT_INT;
        Array *wanted = array_convert(a, t, &err), *wide = array_broadcast(v, &sel->shape, &err);
        cr_assert(array_unshare(&wanted, &err));
        Array *position = positions_of(sel);
        for (int64_t i = 0; i < position->size; i++) {
            int64_t p = array_ints(position)[i];
            double x = array_float_at(wide, i) + (add ? array_float_at(wanted, p) : 0.0);
            if (!add) x = array_float_at(wide, i);
            if (t == DT_FLOAT) array_floats(wanted)[p] = x;
            if (t == DT_INT) array_ints(wanted)[p] = (int64_t)x;
            if (t == DT_BOOL) array_bools(wanted)[p] = x != 0;
        }
        cr_assert(add ? selection_add(&a, sel, v, &err) : selection_write(&a, sel, v, &err));
        cr_assert(arrays_same(a, wanted));
        if (held) cr_assert(arrays_same(held, before));
        Array *release[] = {a, index, held, before, v, wanted, wide, position};
        for (int k = 0; k < 8; k++) array_release(release[k]);
        selection_release(sel);
    }
}

Test(array_index_write, filling_rows_keeps_the_buffer)
{
    Error err = {0};
    Shape s = shape_make(2, 100, 8);
    Array *a = counting_make(&s);
    void *data = a->data;
    for (int64_t i = 1; i < 100; i++) {
        Selection *to = select_one(a, (IndexTerm){.kind = INDEX_AT, .start = i});
        Selection *from = select_one(a, (IndexTerm){.kind = INDEX_AT, .start = i - 1});
        Array *row = selection_read(a, from, &err);
        cr_assert(selection_write(&a, to, row, &err));
        array_release(row);
        selection_release(to);
        selection_release(from);
    }
    cr_assert_eq(a->data, data);
    cr_assert_eq(array_int_at(a, 799), 7);
    array_release(a);
}

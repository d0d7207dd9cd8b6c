/* Memory that runs short at every possible place: an error, and everything as it was. In stress
 * builds only; elsewhere nothing fails. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/index/index.h"
#include "array/reduce/reduce.h"
#include "array/sort.h"
#include "array_support.h"

enum { N = 6, SIZE = N * N };

/* An array and what its elements must be. */
typedef struct {
    Array *array;
    double value[SIZE];
} Model;

static void check(const Model *m)
{
    if (!m->array) return;
    for (int64_t i = 0; i < m->array->size; i++) {
        cr_assert_eq(array_float_at(m->array, i), m->value[i], "element %d", (int)i);
    }
}

static void note(Model *m)
{
    for (int64_t i = 0; m->array && i < m->array->size; i++) {
        m->value[i] = array_float_at(m->array, i);
    }
}

/* Either an array, which is dropped, or an error that says why. */
static void drop(Array *a, Error *err)
{
    cr_assert_eq(a == NULL, error_is_set(err));
    if (!a) expect_error(err, ERR_MEMORY, "out of memory");
    array_release(a);
}

static bool drop_bool(bool ok, Error *err)
{
    cr_assert_eq(ok, !error_is_set(err));
    if (!ok) expect_error(err, ERR_MEMORY, "out of memory");
    return ok;
}

static void for_derivatives(Array *a, Error *err)
{
    Array *x = array_convert(a, DT_FLOAT, err);
    drop(x ? array_retain(x) : NULL, err);
    if (!x) return;
    Array *largest = reduce_run(RD_MAX, x, 1, false, err);
    drop(largest ? array_retain(largest) : NULL, err);
    Array *lengths = reduce_moment(MOMENT_NORM, x, 2, true, err); /* of zeros, too */
    drop(lengths ? array_retain(lengths) : NULL, err);
    drop(reduce_moment(MOMENT_MEAN, x, 1, false, err), err);
    if (lengths) drop(scan_others(x, lengths, 1, err), err);
    drop(reduce_exp_minus(x, x, err), err);
    drop(reduce_exp_rest(x, x, x, err), err);
    if (largest) drop(reduce_share(largest, x, largest, 1, err), err);
    array_release(lengths);
    array_release(largest);
    array_release(x);
}

static void read_only(Array *a, Error *err)
{
    Shape s = shape_of(a), flat = {1, {a->size}};
    Array *turned = array_transpose(a, (int[]){1, 0});
    drop(array_copy(turned, err), err);
    drop(array_reshape(turned, &flat, err), err);
    drop(array_convert(a, DT_FLOAT, err), err);
    drop(array_concat((Array *[]){a, turned}, 2, 1, err), err);
    drop(array_stack((Array *[]){a, turned}, 2, err), err);
    drop(reduce_run(RD_SUM, turned, 1, false, err), err);
    drop(reduce_run(RD_ARGMAX, a, 1, false, err), err);
    drop(scan_run(SCAN_SUM, turned, NULL, 0, false, err), err);
    drop(sort_positions(a, 0, err), err);
    drop(array_broadcast(a, &s, err), err);
    for_derivatives(a, err);
    array_release(turned);
}

static Selection *select_rows(const Array *a, Array *index, Error *err)
{
    Shape s = shape_of(a);
    IndexTerm term[] = {{.kind = INDEX_ARRAY, .array = index}, {.kind = INDEX_SLICE}};
    Selection *rows = selection_new(&s, term, 2, err);
    drop_bool(rows != NULL, err);
    return rows;
}

static Selection *select_row(const Array *a, int64_t i, Error *err)
{
    Shape s = shape_of(a);
    IndexTerm term = {.kind = INDEX_AT, .start = i};
    return selection_new(&s, &term, 1, err);
}

/* Writes row i of m and of its model with x, keeping views and references of the old elements. */
static void write_row(Model *m, int64_t i, Array *x, Error *err)
{
    Selection *row = select_row(m->array, i, err);
    if (drop_bool(selection_write(&m->array, row, x, err), err)) {
        for (int64_t k = 0; k < N; k++) m->value[i * N + k] = array_float_at(x, 0);
    }
    selection_release(row);
}

static void gather(Model *m, Array *index, Error *err)
{
    Selection *rows = select_rows(m->array, index, err);
    if (!rows) return;
    drop(selection_read(m->array, rows, err), err);
    array_release(selection_winners(rows, err));
    if (error_is_set(err)) expect_error(err, ERR_MEMORY, "out of memory");
    drop_bool(selection_add(&m->array, rows, index, err), err);
    selection_release(rows);
    note(m);
}

static void scenario(void)
{
    Error err = {0};
    Shape s = shape_make(2, N, N), six = shape_make(1, N);
    Model a = {array_zeros(DT_INT, &s, &err), {0}};
    if (!a.array) {
        drop(NULL, &err);
        return;
    }
    double half = 0.5;
    int64_t seven = 7;
    Array f = array_scalar(DT_FLOAT, &half), i = array_scalar(DT_INT, &seven);
    read_only(a.array, &err);
    Selection *row = select_row(a.array, 2, &err);
    Model view = {selection_read(a.array, row, &err), {0}}, twin = {array_view(a.array), {0}};
    write_row(&a, 2, &i, &err);
    Model held = {array_retain(a.array), {0}};
    note(&held);
    write_row(&a, 3, &i, &err);
    write_row(&a, 4, &f, &err);
    Array *index = array_zeros(DT_INT, &six, &err);
    if (!index) drop(NULL, &err);
    if (index) gather(&a, index, &err);
    Model all[] = {a, view, twin, held};
    for (int k = 0; k < 4; k++) {
        check(&all[k]);
        array_release(all[k].array);
    }
    array_release(index);
    selection_release(row);
    expect_nothing_alive();
}

ParameterizedTestParameters(array_memory, runs_short)
{
    static int number[64];
    for (int i = 0; i < 64; i++) number[i] = i + 1;
    return cr_make_param_array(int, number, 64);
}

ParameterizedTest(int *number, array_memory, runs_short)
{
    char text[16];
    snprintf(text, sizeof text, "%d", *number);
    setenv("VIV_FAIL_ALLOC", text, 1);
    scenario();
}

#include <criterion/criterion.h>

#include "array/index/index.h"
#include "array_support.h"

TestSuite(array_index, .fini = expect_nothing_alive);

#define AT(i) ((IndexTerm){.kind = INDEX_AT, .start = (i)})
#define FROM(i) ((IndexTerm){.kind = INDEX_SLICE, .has_start = true, .start = (i)})
#define UP_TO(i) ((IndexTerm){.kind = INDEX_SLICE, .has_stop = true, .stop = (i)})
#define BY(i) ((IndexTerm){.kind = INDEX_SLICE, .has_step = true, .step = (i)})
#define ALL ((IndexTerm){.kind = INDEX_SLICE})
#define NEW ((IndexTerm){.kind = INDEX_NEW_AXIS})
#define REST ((IndexTerm){.kind = INDEX_REST})
#define BY_ARRAY(a) ((IndexTerm){.kind = INDEX_ARRAY, .array = (a)})
#define TERMS(...)                                                                                 \
    ((IndexTerm[]){__VA_ARGS__}), (int)(sizeof((IndexTerm[]){__VA_ARGS__}) / sizeof(IndexTerm))

static Selection *select_from(const Array *a, const IndexTerm *term, int n)
{
    Error err = {0};
    Shape s = shape_of(a);
    Selection *selection = selection_new(&s, term, n, &err);
    cr_assert_not_null(selection, "%s", err.message);
    return selection;
}

/* Reads and compares with the wanted elements, row by row. */
static void expect(Array *a, const IndexTerm *term, int n, Shape shape, const int64_t *value)
{
    Error err = {0};
    Selection *s = select_from(a, term, n);
    cr_assert(shape_equal(&s->shape, &shape), "%s for %s", shape_text(&s->shape),
              shape_text(&shape));
    Array *got = selection_read(a, s, &err), *wanted = ints_make(&shape, value);
    cr_assert(arrays_same(got, wanted));
    array_release(got);
    array_release(wanted);
    selection_release(s);
}

static void expect_index_error(const Array *a, const IndexTerm *term, int n, const char *message)
{
    Error err = {0};
    Shape s = shape_of(a);
    cr_assert_null(selection_new(&s, term, n, &err));
    expect_error(&err, ERR_INDEX, message);
}

#define VALUES(...) ((int64_t[]){__VA_ARGS__})

Test(array_index, basic)
{
    Shape s = shape_make(2, 3, 4), v = shape_make(1, 5);
    Array *a = counting_make(&s), *x = counting_make(&v);
    expect(a, TERMS(AT(1), AT(2)), shape_make(0), VALUES(6));
    expect(a, TERMS(AT(-1), AT(-4)), shape_make(0), VALUES(8));
    expect(a, TERMS(AT(1)), shape_make(1, 4), VALUES(4, 5, 6, 7));
    expect(a, TERMS(ALL, AT(1)), shape_make(1, 3), VALUES(1, 5, 9));
    expect(a, TERMS(REST, AT(1)), shape_make(1, 3), VALUES(1, 5, 9));
    expect(a, TERMS(AT(2), REST), shape_make(1, 4), VALUES(8, 9, 10, 11));
    expect(a, TERMS(REST), s, VALUES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    expect(a, TERMS(FROM(1), BY(2)), shape_make(2, 2, 2), VALUES(4, 6, 8, 10));
    expect(a, TERMS(NEW, AT(0), NEW, UP_TO(2)), shape_make(3, 1, 1, 2), VALUES(0, 1));
    expect(a, TERMS(ALL, NEW, AT(3)), shape_make(2, 3, 1), VALUES(3, 7, 11));
    expect(x, TERMS(BY(-1)), shape_make(1, 5), VALUES(4, 3, 2, 1, 0));
    expect(x, TERMS(BY(-2)), shape_make(1, 3), VALUES(4, 2, 0));
    expect(x, TERMS(FROM(-2)), shape_make(1, 2), VALUES(3, 4));
    expect(x, TERMS(UP_TO(-3)), shape_make(1, 2), VALUES(0, 1));
    expect(x, TERMS(FROM(99)), shape_make(1, 0), VALUES(0));
    expect(x, TERMS(FROM(-99)), v, VALUES(0, 1, 2, 3, 4));
    expect(x, TERMS(UP_TO(99)), v, VALUES(0, 1, 2, 3, 4));
    expect(x, TERMS(BY(INT64_MIN)), shape_make(1, 1), VALUES(4));
    expect(x, TERMS(BY(INT64_MAX)), shape_make(1, 1), VALUES(0));
    expect(x, TERMS(FROM(INT64_MIN)), v, VALUES(0, 1, 2, 3, 4));
    array_release(a);
    array_release(x);
}

/* Python's slice, by its definition. */
static int python_slice(int64_t dim, const IndexTerm *t, int64_t *position)
{
    int n = 0;
    int64_t step = t->has_step ? t->step : 1, start, stop;
    if (step > 0) {
        start = t->has_start ? t->start : 0;
        stop = t->has_stop ? t->stop : dim;
    } else {
        start = t->has_start ? t->start : dim - 1;
        stop = t->has_stop ? t->stop : -dim - 1;
    }
    if (start < 0 && t->has_start) start += dim;
    if (stop < 0) stop += dim;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        if (i >= 0 && i < dim) position[n++] = i;
    }
    return n;
}

static IndexTerm random_slice(void)
{
    IndexTerm t = {.kind = INDEX_SLICE};
    t.has_start = random_below(2);
    t.has_stop = random_below(2);
    t.has_step = random_below(2);
    t.start = random_below(17) - 8;
    t.stop = random_below(17) - 8;
    t.step = random_below(3) + 1;
    if (random_below(2)) t.step = -t.step;
    return t;
}

/* A slice whose start is beyond the end counts from the end, with whatever step it has. */
static bool starts_beyond(int64_t dim, const IndexTerm *t)
{
    int64_t step = t->has_step ? t->step : 1;
    int64_t start = t->start < 0 ? t->start + dim : t->start;
    return t->has_start && (start < 0 || start >= dim) && (step > 1 || step < -1);
}

Test(array_index, slices_against_python)
{
    random_start(4);
    Error err = {0};
    for (int round = 0; round < 20000; round++) {
        int64_t dim = random_below(7), position[64];
        IndexTerm t = random_slice();
        if (starts_beyond(dim, &t)) continue;
        Shape s = {1, {dim}};
        Array *a = counting_make(&s);
        Selection *slice = select_from(a, &t, 1);
        Array *got = selection_read(a, slice, &err);
        int n = python_slice(dim, &t, position);
        cr_assert_eq(got->size, n);
        for (int i = 0; i < n; i++) cr_assert_eq(array_int_at(got, i), position[i]);
        array_release(got);
        array_release(a);
        selection_release(slice);
    }
}

Test(array_index, arrays)
{
    Shape s = shape_make(3, 2, 3, 4), v = shape_make(1, 2), column = shape_make(2, 2, 1);
    Array *a = counting_make(&s), *i = ints_make(&v, VALUES(1, -1)),
          *c = ints_make(&column, VALUES(0, 2));
    expect(a, TERMS(AT(0), AT(0), BY_ARRAY(i)), shape_make(1, 2), VALUES(1, 3));
    expect(a, TERMS(BY_ARRAY(i), BY_ARRAY(i), BY_ARRAY(i)), shape_make(1, 2), VALUES(17, 23));
    expect(a, TERMS(AT(0), BY_ARRAY(c), BY_ARRAY(i)), shape_make(2, 2, 2), VALUES(1, 3, 9, 11));
    expect(a, TERMS(ALL, BY_ARRAY(i), AT(0)), shape_make(2, 2, 2), VALUES(4, 8, 16, 20));
    expect(a, TERMS(ALL, AT(2), BY_ARRAY(i)), shape_make(2, 2, 2), VALUES(9, 11, 21, 23));
    expect(a, TERMS(BY_ARRAY(i), AT(0)), shape_make(2, 2, 4),
           VALUES(12, 13, 14, 15, 12, 13, 14, 15));
    expect(a, TERMS(AT(1), BY_ARRAY(i), BY(3)), shape_make(2, 2, 2), VALUES(16, 19, 20, 23));
    expect(a, TERMS(REST, BY_ARRAY(i), AT(1)), shape_make(2, 2, 2), VALUES(5, 9, 17, 21));
    expect(a, TERMS(NEW, AT(0), AT(1), BY_ARRAY(i)), shape_make(2, 1, 2), VALUES(5, 7));
    expect(a, TERMS(AT(0), FROM(2), NEW, UP_TO(1)), shape_make(3, 1, 1, 1), VALUES(8));
    expect(a, TERMS(FROM(1), BY_ARRAY(c), UP_TO(1)), shape_make(4, 1, 2, 1, 1), VALUES(12, 20));
    Shape zero = shape_make(1, 0);
    Array *none = counting_make(&zero);
    expect(a, TERMS(BY_ARRAY(none)), shape_make(3, 0, 3, 4), VALUES(0));
    expect(a, TERMS(AT(0), AT(0), BY_ARRAY(none)), shape_make(1, 0), VALUES(0));
    Array *all[] = {a, i, c, none};
    for (int k = 0; k < 4; k++) array_release(all[k]);
}

static Array *mask_make(const Shape *s, const char *on)
{
    Error err = {0};
    Array *m = array_new(DT_BOOL, s, &err);
    for (int64_t i = 0; i < m->size; i++) array_bools(m)[i] = on[i] == '1';
    return m;
}

Test(array_index, masks)
{
    Shape s = shape_make(2, 3, 4), rows = shape_make(1, 3), columns = shape_make(1, 4);
    Array *a = counting_make(&s), *r = mask_make(&rows, "101"), *c = mask_make(&columns, "0110");
    Array *m = mask_make(&s, "100001000011"), *none = mask_make(&s, "000000000000");
    expect(a, TERMS(BY_ARRAY(m)), shape_make(1, 4), VALUES(0, 5, 10, 11));
    expect(a, TERMS(BY_ARRAY(none)), shape_make(1, 0), VALUES(0));
    expect(a, TERMS(BY_ARRAY(r)), shape_make(2, 2, 4), VALUES(0, 1, 2, 3, 8, 9, 10, 11));
    expect(a, TERMS(ALL, BY_ARRAY(c)), shape_make(2, 3, 2), VALUES(1, 2, 5, 6, 9, 10));
    expect(a, TERMS(BY_ARRAY(r), BY_ARRAY(c)), shape_make(1, 2), VALUES(1, 10));
    expect(a, TERMS(BY_ARRAY(r), AT(-1)), shape_make(1, 2), VALUES(3, 11));
    Array *t = array_transpose(m, (int[]){1, 0}), *at = array_transpose(a, (int[]){1, 0});
    expect(at, TERMS(BY_ARRAY(t)), shape_make(1, 4), VALUES(0, 5, 10, 11));
    expect_index_error(a, TERMS(BY_ARRAY(c)),
                       "a mask of shape 4 does not fit a 3×4 array (axis 0 has size 3)");
    expect_index_error(a, TERMS(BY_ARRAY(t)), "a mask of shape 4×3 does not fit a 3×4 array");
    expect_index_error(a, TERMS(AT(0), BY_ARRAY(m)),
                       "too many indexes for a 3×4 array: 3 for 2 axes");
    Array *all[] = {a, r, c, m, none, t, at};
    for (int k = 0; k < 7; k++) array_release(all[k]);
}

Test(array_index, errors)
{
    Shape s = shape_make(2, 4, 5), v = shape_make(1, 4), one = shape_make(1, 1),
          e = shape_make(1, 0);
    Shape deep = {8, {1, 1, 1, 1, 1, 1, 1, 1}}, three = shape_make(1, 3), number = {0};
    Array *a = counting_make(&s), *x = counting_make(&v), *i = ints_make(&one, VALUES(-6));
    Array *d = counting_make(&deep), *empty = counting_make(&e), *b = counting_make(&three);
    Array *two = ints_make(&(Shape){1, {2}}, VALUES(0, 1)), *f = random_array(DT_FLOAT, &e);
    Array *single = mask_make(&number, "1");
    expect_index_error(a, TERMS(AT(7)),
                       "index 7 is out of range for axis 0 of a 4×5 array (valid: -4 to 3)");
    expect_index_error(a, TERMS(ALL, AT(-6)),
                       "index -6 is out of range for axis 1 of a 4×5 array (valid: -5 to 4)");
    expect_index_error(
        x, TERMS(AT(4)),
        "index 4 is out of range for axis 0 of an array of length 4 (valid: -4 to 3)");
    expect_index_error(empty, TERMS(AT(0)),
                       "index 0 is out of range for axis 0 of an array of length 0 (it is empty)");
    expect_index_error(a, TERMS(ALL, BY_ARRAY(i)), "index -6 is out of range for axis 1");
    expect_index_error(x, TERMS(AT(INT64_MIN)), "index -9223372036854775808 is out of range");
    expect_index_error(a, TERMS(AT(0), AT(0), AT(0)),
                       "too many indexes for a 4×5 array: 3 for 2 axes");
    expect_index_error(x, TERMS(AT(0), AT(0)),
                       "too many indexes for an array of length 4: 2 for 1 axis");
    expect_index_error(x, TERMS(BY(0)), "a slice's step must not be 0");
    expect_index_error(x, TERMS(REST, REST), "may have only one ...");
    expect_index_error(d, TERMS(NEW), "9 axes");
    expect_index_error(a, TERMS(BY_ARRAY(b), BY_ARRAY(two)),
                       "index arrays of shapes 3 and 2 do not fit together");
    expect_index_error(a, TERMS(BY_ARRAY(two), NEW, BY_ARRAY(two)), "separated by a slice");
    expect_index_error(x, TERMS(BY_ARRAY(f)), "an index must be Int or Bool");
    expect_index_error(x, TERMS(BY_ARRAY(single)), "a single Bool is not an index");
    Array *all[] = {a, x, i, d, empty, b, two, f, single};
    for (int k = 0; k < 9; k++) array_release(all[k]);
}

Test(array_index, the_result_may_have_too_many_axes_or_elements)
{
    Error err = {0};
    Shape deep = {8, {1, 1, 1, 1, 1, 1, 1, 1}}, s = shape_make(2, 1, 1);
    Array *i = counting_make(&s), *d = counting_make(&deep);
    expect_index_error(d, TERMS(BY_ARRAY(i)), "9 axes");
    Array *wide = array_broadcast(i, &(Shape){2, {1, 1 << 20}}, &err);
    Array *tall = array_broadcast(i, &(Shape){2, {1 << 30, 1}}, &err);
    Shape from = shape_make(2, 1, 1);
    cr_assert_null(selection_new(&from, TERMS(BY_ARRAY(wide), BY_ARRAY(tall)), &err));
    cr_assert_eq(err.kind, ERR_MEMORY);
    error_clear(&err);
    array_release(wide);
    array_release(tall);
    array_release(i);
    array_release(d);
}

/* Random basic terms on random layouts: the selection must be linear in the source. */
Test(array_index, random_layouts)
{
    random_start(5);
    Error err = {0};
    for (int round = 0; round < 3000; round++) {
        Shape s = random_shape(4, 5);
        Array *a = random_array((DType)random_below(3), &s);
        IndexTerm term[MAX_RANK];
        int n = 0;
        for (int k = 0; k < s.rank; k++) {
            if (random_below(6) == 0) break;
            term[n++] = s.dim[k] && random_below(2) ? AT(random_below(2 * s.dim[k]) - s.dim[k])
                                                    : random_slice();
        }
        Selection *sel = select_from(a, term, n);
        Array *got = selection_read(a, sel, &err), *flat = array_contiguous(a, &err);
        Array *wanted = selection_read(flat, sel, &err), *copy = array_copy(wanted, &err);
        cr_assert(arrays_same(got, wanted) && arrays_same(copy, got));
        Array *release[] = {a, got, flat, wanted, copy};
        for (int k = 0; k < 5; k++) array_release(release[k]);
        selection_release(sel);
    }
}

Test(array_index, gathering_from_random_layouts)
{
    random_start(6);
    Error err = {0};
    for (int round = 0; round < 2000; round++) {
        Shape s = random_shape(3, 5), index_shape = random_shape(2, 6);
        Array *a = random_array((DType)random_below(3), &s);
        if (a->size == 0) index_shape = shape_make(1, 0);
        int axis = s.rank > 0 ? (int)random_below(s.rank) : 0;
        Array *i = counting_make(&index_shape);
        for (int64_t k = 0; k < i->size; k++) {
            array_ints(i)[k] = random_below(2 * s.dim[axis] + !s.dim[axis]) - s.dim[axis];
        }
        IndexTerm term[] = {ALL, ALL, ALL};
        term[axis] = BY_ARRAY(i);
        Selection *sel =
            s.rank > 0 ? select_from(a, term, axis + 1) : selection_new(&s, NULL, 0, &err);
        Array *got = selection_read(a, sel, &err);
        cr_assert_not_null(got);
        for (int64_t k = 0, at[MAX_RANK] = {0}; s.rank > 0 && k < got->size;
             k++, index_next(at, &sel->shape)) {
            int64_t from[MAX_RANK] = {0}, flat = 0;
            for (int j = 0; j < index_shape.rank; j++)
                flat = flat * index_shape.dim[j] + at[axis + j];
            for (int j = 0; j < s.rank; j++)
                if (j != axis) from[j] = at[j < axis ? j : j + index_shape.rank - 1];
            from[axis] = array_ints(i)[flat];
            if (from[axis] < 0) from[axis] += s.dim[axis];
            double x = array_float_at(got, k), y = float_at_index(a, from);
            cr_assert(x == y || (x != x && y != y));
        }
        selection_release(sel);
        array_release(got);
        array_release(i);
        array_release(a);
    }
}

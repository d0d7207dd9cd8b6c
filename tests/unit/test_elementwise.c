/* Elementwise kernels: types, broadcasting over every layout against a plain reference, the rules
 * of Int arithmetic, errors. */
#include <criterion/criterion.h>
#include <math.h>

#include "array/elementwise/elementwise.h"
#include "array_support.h"

TestSuite(elementwise, .fini = expect_nothing_alive);

static Array *apply1(Elementwise f, Array *x, Error *err)
{
    return elementwise_run(f, &x, err);
}

static Array *apply2(Elementwise f, Array *x, Array *y, Error *err)
{
    return elementwise_run(f, (Array *[]){x, y}, err);
}

/* ---- every function, every type, every layout ---- */

static void convert_element(const Array *a, const int64_t *index, DType t, void *out)
{
    double x = float_at_index(a, index);
    if (t == DT_FLOAT) *(double *)out = x;
    if (t == DT_INT) *(int64_t *)out = (int64_t)x;
    if (t == DT_BOOL) *(bool *)out = x != 0;
}

/* The index into a that broadcasting gives for an index into the result. */
static void own_index(const Array *a, const Shape *s, const int64_t *index, int64_t *own)
{
    int missing = s->rank - a->rank;
    for (int k = 0; k < a->rank; k++) own[k] = a->dim[k] == 1 ? 0 : index[k + missing];
}

/* One element of the result, by applying f to single elements. NULL on failure. */
static Array *reference_element(Elementwise f, Array *const *in, const Shape *s,
                                const int64_t *index, Error *err)
{
    union {
        double f;
        int64_t i;
        bool b;
    } value[3];
    Array number[3], *operand[3];
    for (int k = 0; k < elementwise_info[f].arity; k++) {
        int64_t own[MAX_RANK];
        own_index(in[k], s, index, own);
        convert_element(in[k], own, in[k]->dtype, &value[k]);
        number[k] = array_scalar(in[k]->dtype, &value[k]);
        operand[k] = &number[k];
    }
    return elementwise_run(f, operand, err);
}

static bool same_element(const Array *whole, const int64_t *index, const Array *one)
{
    int64_t none[MAX_RANK] = {0};
    double x = float_at_index(whole, index), y = float_at_index(one, none);
    return (x != x && y != y) || (x == y && signbit(x) == signbit(y));
}

static void compare_with_elements(Elementwise f, Array *const *in)
{
    Error err = {0};
    Array *whole = elementwise_run(f, in, &err);
    if (!whole) {
        cr_expect(err.kind == ERR_MATH || err.kind == ERR_TYPE || err.kind == ERR_SHAPE);
        error_clear(&err);
        return;
    }
    Shape s = shape_of(whole);
    int64_t index[MAX_RANK] = {0};
    if (whole->size > 0) {
        do {
            Array *one = reference_element(f, in, &s, index, &err);
            /* Int ** Int is Float as a whole when one exponent is negative. */
            bool same_type = one && (one->dtype == whole->dtype || f == EW_POW);
            cr_expect(one && same_type && same_element(whole, index, one), "%s of shape %s",
                      elementwise_info[f].name, shape_text(&s));
            array_release(one);
            error_clear(&err);
        } while (index_next(index, &s));
    }
    array_release(whole);
}

/* s with some axes 1 and some leading ones missing, which broadcasts back. */
static Shape narrowed(const Shape *s)
{
    Shape out = {.rank = s->rank - (int)random_below(s->rank + 1)};
    for (int k = 0; k < out.rank; k++) {
        out.dim[k] = random_below(3) ? s->dim[k + s->rank - out.rank] : 1;
    }
    return out;
}

Test(elementwise, layouts_and_types_agree_with_single_elements)
{
    random_start(11);
    for (int round = 0; round < 60; round++) {
        for (int f = 0; f < EW_COUNT; f++) {
            Shape s = random_shape(4, 5);
            Array *in[3];
            for (int k = 0; k < elementwise_info[f].arity; k++) {
                Shape own = narrowed(&s);
                in[k] = random_array((DType)random_below(3), &own);
            }
            compare_with_elements((Elementwise)f, in);
            for (int k = 0; k < elementwise_info[f].arity; k++) array_release(in[k]);
        }
    }
}

Test(elementwise, long_runs_and_chunks)
{
    random_start(12);
    const int64_t sizes[] = {1, 3, 4, 7, 8, 255, 256, 257, 1000};
    for (int i = 0; i < 9; i++) {
        Shape s = shape_make(2, 3, (int)sizes[i]), row = shape_make(1, (int)sizes[i]);
        Shape column = shape_make(2, 3, 1);
        Array *a = random_array(DT_FLOAT, &s), *b = random_array(DT_INT, &row);
        Array *c = random_array(DT_BOOL, &column);
        compare_with_elements(EW_SUB, (Array *[]){a, b});
        compare_with_elements(EW_SUB, (Array *[]){c, b});
        compare_with_elements(EW_EXP, &a);
        compare_with_elements(EW_WHERE, (Array *[]){a, b, c});
        array_release(a);
        array_release(b);
        array_release(c);
    }
}

/* Longer than the stretch between two looks at the interrupt flag. */
Test(elementwise, very_long_run)
{
    Error err = {0};
    Shape s = shape_make(1, (1 << 21) + 3);
    Array *x = counting_make(&s), *sum = apply2(EW_ADD, x, x, &err);
    int64_t wrong = 0;
    for (int64_t i = 0; i < x->size; i++) wrong += array_ints(sum)[i] != 2 * i;
    cr_expect_eq(wrong, 0);
    array_release(x);
    array_release(sum);
}

/* ---- types ---- */

static void expect_type(Elementwise f, DType x, DType y, DType want)
{
    cr_expect_eq(elementwise_type(f, (DType[]){x, y, DT_BOOL}), want, "%s of %d, %d",
                 elementwise_info[f].name, x, y);
}

Test(elementwise, types)
{
    expect_type(EW_ADD, DT_BOOL, DT_BOOL, DT_INT);
    expect_type(EW_ADD, DT_INT, DT_FLOAT, DT_FLOAT);
    expect_type(EW_NEG, DT_BOOL, DT_BOOL, DT_INT);
    expect_type(EW_MAX, DT_BOOL, DT_BOOL, DT_BOOL);
    expect_type(EW_MAX, DT_BOOL, DT_INT, DT_INT);
    expect_type(EW_DIV, DT_INT, DT_INT, DT_FLOAT);
    expect_type(EW_POW, DT_INT, DT_INT, DT_INT);
    expect_type(EW_POW, DT_INT, DT_FLOAT, DT_FLOAT);
    expect_type(EW_EXP, DT_INT, DT_BOOL, DT_FLOAT);
    expect_type(EW_FLOOR, DT_FLOAT, DT_BOOL, DT_INT);
    expect_type(EW_ISNAN, DT_INT, DT_BOOL, DT_BOOL);
    expect_type(EW_LT, DT_INT, DT_FLOAT, DT_BOOL);
    expect_type(EW_NOT, DT_BOOL, DT_BOOL, DT_BOOL);
    expect_type(EW_AND, DT_BOOL, DT_INT, DT_INT);
    expect_type(EW_TO_FLOAT, DT_BOOL, DT_BOOL, DT_FLOAT);
    expect_type(EW_TO_INT, DT_FLOAT, DT_BOOL, DT_INT);
    cr_expect_eq(elementwise_type(EW_WHERE, (DType[]){DT_INT, DT_FLOAT, DT_BOOL}), DT_FLOAT);
}

Test(elementwise, type_errors)
{
    Error err = {0};
    Shape s = shape_make(1, 2);
    Array *x = random_uniform(&s), *i = counting_make(&s);
    cr_expect_null(apply2(EW_AND, x, i, &err));
    expect_error(&err, ERR_TYPE, "&");
    cr_expect_null(apply1(EW_NOT, x, &err));
    expect_error(&err, ERR_TYPE, "~");
    cr_expect_null(elementwise_run(EW_WHERE, (Array *[]){x, x, i}, &err));
    expect_error(&err, ERR_TYPE, "where");
    array_release(x);
    array_release(i);
}

Test(elementwise, shapes_that_do_not_broadcast)
{
    Error err = {0};
    Shape s = shape_make(2, 2, 3), t = shape_make(1, 4);
    Array *x = random_uniform(&s), *y = random_uniform(&t);
    cr_expect_null(apply2(EW_ADD, x, y, &err));
    expect_error(&err, ERR_SHAPE, "2×3 and 4");
    cr_expect_null(apply2(EW_ADD, y, x, &err));
    expect_error(&err, ERR_SHAPE, "4 and 2×3");
    array_release(x);
    array_release(y);
}

/* ---- Ints ---- */

static bool int_result(Elementwise f, int64_t x, int64_t y, int64_t *out, Error *err)
{
    Array a = array_scalar(DT_INT, &x), b = array_scalar(DT_INT, &y);
    Array *r = apply2(f, &a, &b, err);
    if (!r) return false;
    cr_expect(r->dtype == DT_INT && r->rank == 0);
    *out = array_ints(r)[0];
    array_release(r);
    return true;
}

static void expect_int(Elementwise f, int64_t x, int64_t y, int64_t want)
{
    Error err = {0};
    int64_t got = 0;
    bool ok = int_result(f, x, y, &got, &err);
    cr_expect(ok && got == want, "%lld %s %lld gave %lld", (long long)x, elementwise_info[f].name,
              (long long)y, (long long)got);
    error_clear(&err);
}

static void expect_int_error(Elementwise f, int64_t x, int64_t y, const char *part)
{
    Error err = {0};
    int64_t got;
    cr_expect_not(int_result(f, x, y, &got, &err));
    expect_error(&err, ERR_MATH, part);
}

Test(elementwise, int_division_floors)
{
    for (int64_t x = -7; x <= 7; x++) {
        for (int64_t y = -3; y <= 3; y++) {
            if (y == 0) continue;
            int64_t q = (int64_t)floor((double)x / (double)y);
            expect_int(EW_FLOORDIV, x, y, q);
            expect_int(EW_MOD, x, y, x - q * y);
        }
    }
    expect_int(EW_MOD, INT64_MIN, -1, 0);
    expect_int(EW_FLOORDIV, INT64_MIN, 1, INT64_MIN);
    expect_int_error(EW_FLOORDIV, 5, 0, "Int division by zero");
    expect_int_error(EW_MOD, 5, 0, "Int division by zero");
    expect_int_error(EW_FLOORDIV, INT64_MIN, -1, "Int overflow");
}

Test(elementwise, int_overflow_is_an_error)
{
    expect_int(EW_MUL, 300000, 300000, 90000000000);
    expect_int(EW_POW, 100, 8, 10000000000000000);
    expect_int(EW_POW, -2, 63, INT64_MIN);
    expect_int(EW_POW, 0, 0, 1);
    expect_int(EW_POW, 3, 39, 4052555153018976267);
    expect_int_error(EW_POW, 3, 40, "Int overflow in 3 ** 40");
    expect_int_error(EW_POW, 2, 63, "Int overflow in 2 ** 63");
    expect_int_error(EW_ADD, INT64_MAX, 1, "Int overflow in 9223372036854775807 + 1");
    expect_int_error(EW_SUB, INT64_MIN, 1, "Int overflow");
    expect_int_error(EW_MUL, 3037000500, 3037000500, "Int overflow in 3037000500 * 3037000500");
    expect_int(EW_ADD, INT64_MAX, INT64_MIN, -1);
}

Test(elementwise, int_unary_overflow)
{
    Error err = {0};
    int64_t least = INT64_MIN;
    Array x = array_scalar(DT_INT, &least);
    cr_expect_null(apply1(EW_NEG, &x, &err));
    expect_error(&err, ERR_MATH, "Int overflow in -(-9223372036854775808)");
    cr_expect_null(apply1(EW_ABS, &x, &err));
    expect_error(&err, ERR_MATH, "Int overflow in abs(");
}

Test(elementwise, overflow_names_the_first_bad_element)
{
    Error err = {0};
    Shape s = shape_make(1, 1000);
    Array *x = counting_make(&s);
    array_ints(x)[700] = INT64_MAX - 5;
    array_ints(x)[900] = INT64_MAX;
    cr_expect_null(apply2(EW_ADD, x, x, &err));
    expect_error(&err, ERR_MATH, "Int overflow in 9223372036854775802 + 9223372036854775802");
    array_release(x);
}

Test(elementwise, negative_exponents_give_floats)
{
    Error err = {0};
    Shape s = shape_make(1, 3);
    Array *x = ints_make(&s, (int64_t[]){2, 10, 3}), *y = ints_make(&s, (int64_t[]){-1, -5, 2});
    Array *r = apply2(EW_POW, x, y, &err);
    Array *want = floats_make(&s, (double[]){0.5, 1e-5, 9});
    cr_expect(r && arrays_same(r, want));
    array_release(r);
    array_release(want);
    array_release(x);
    array_release(y);
}

Test(elementwise, large_ints_compare_exactly)
{
    Error err = {0};
    int64_t x = ((int64_t)1 << 53) + 1, y = (int64_t)1 << 53;
    double z = 0x1p53;
    Array a = array_scalar(DT_INT, &x), b = array_scalar(DT_INT, &y);
    Array c = array_scalar(DT_FLOAT, &z);
    Array *exact = apply2(EW_GT, &a, &b, &err), *rounded = apply2(EW_EQ, &a, &c, &err);
    cr_expect(array_bools(exact)[0] && array_bools(rounded)[0]);
    array_release(exact);
    array_release(rounded);
}

/* ---- Floats to Ints ---- */

static void expect_rounded(Elementwise f, double x, int64_t want)
{
    Error err = {0};
    Array a = array_scalar(DT_FLOAT, &x);
    Array *r = apply1(f, &a, &err);
    cr_expect(r && r->dtype == DT_INT && array_ints(r)[0] == want, "%s(%g)",
              elementwise_info[f].name, x);
    array_release(r);
}

Test(elementwise, rounding)
{
    const double x[] = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.6, -2.6};
    const int64_t even[] = {-2, -2, 0, 0, 2, 2, 3, -3};
    for (int i = 0; i < 8; i++) {
        expect_rounded(EW_ROUND, x[i], even[i]);
        expect_rounded(EW_FLOOR, x[i], (int64_t)floor(x[i]));
        expect_rounded(EW_CEIL, x[i], (int64_t)ceil(x[i]));
        expect_rounded(EW_TRUNC, x[i], (int64_t)x[i]);
        expect_rounded(EW_TO_INT, x[i], (int64_t)x[i]);
    }
    expect_rounded(EW_FLOOR, -0x1p63, INT64_MIN);
    expect_rounded(EW_ROUND, 0x1.fffffffffffffp62, 9223372036854774784);
}

Test(elementwise, what_fits_no_int)
{
    Error err = {0};
    double x[] = {NAN, 0x1p63, -INFINITY, 1e300};
    const char *text[] = {"nan does not fit an Int", "9.223372036854776e18 does not fit an Int",
                          "-inf does not fit an Int", "1e300 does not fit an Int"};
    for (int i = 0; i < 4; i++) {
        Array a = array_scalar(DT_FLOAT, &x[i]);
        cr_expect_null(apply1(EW_FLOOR, &a, &err));
        expect_error(&err, ERR_MATH, text[i]);
        cr_expect_null(apply1(EW_TO_INT, &a, &err));
        expect_error(&err, ERR_MATH, text[i]);
    }
}

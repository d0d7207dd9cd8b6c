/* The tape: programs of several operations, single elements, updates in place, what is recorded and
 * what is given back. */
#include <criterion/criterion.h>

#include "ad/tape.h"
#include "array_support.h"
#include "base/interrupt.h"
#include "gradient_check.h"

TestSuite(tape, .fini = expect_nothing_alive);

static Value item(Value tuple, int i)
{
    return tuple.tuple->item[i];
}

static Value floats(int n)
{
    Shape s = {1, {n}};
    Array *a = array_new(DT_FLOAT, &s, &(Error){0});
    for (int i = 0; i < n; i++) array_floats(a)[i] = random_between(0.5, 1.5);
    return value_arr(a);
}

static Value zeros(int rank, int64_t rows, int64_t columns)
{
    Shape s = {rank, {rows, columns}};
    return value_arr(array_zeros(DT_FLOAT, &s, &(Error){0}));
}

static Value tuple_take(Value a, Value b)
{
    Tuple *t = tuple_new(2);
    t->item[0] = a;
    t->item[1] = b;
    return value_tuple(t);
}

/* ---- programs; each takes (an array of 4, a number) ---- */

/* *v = *v op w, both consumed */
static bool apply_take(Ad *ad, OpCode op, Value *v, Value w)
{
    Value made;
    bool ok = op_apply2(ad, op, *v, w, &made);
    value_release(*v);
    value_release(w);
    *v = made;
    return ok;
}

static Value element(Ad *ad, Value x, int64_t at)
{
    Value made;
    cr_assert(op_element(ad, x, at, &made));
    return made;
}

/* x[1] x[1] s + x[3] */
static bool read_elements(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    *y = element(ad, item(x, 0), 1);
    return apply_take(ad, OP_MUL, y, element(ad, item(x, 0), 1)) &&
           apply_take(ad, OP_MUL, y, item(x, 1)) &&
           apply_take(ad, OP_ADD, y, element(ad, item(x, 0), 3));
}

/* a = x x; a[0] = s; a[2] += s s; a[0] += a[1]; a[3] = 7 */
static bool write_elements(Ad *ad, const Function *self, Value x, Value *y)
{
    Value s = item(x, 1), square;
    (void)self;
    return op_apply2(ad, OP_MUL, item(x, 0), item(x, 0), y) &&
           op_update_element(ad, OP_SET_INDEX, y, 0, s) && op_apply2(ad, OP_MUL, s, s, &square) &&
           op_update_element(ad, OP_ADD_INDEX, y, 2, square) &&
           op_update_element(ad, OP_ADD_INDEX, y, 0, element(ad, *y, 1)) &&
           op_update_element(ad, OP_SET_INDEX, y, 3, value_float(7));
}

/* h = zeros; h[t] = x[t] + s h[t - 1] */
static bool recurrence(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    *y = zeros(1, 4, 0);
    for (int t = 0; t < 4; t++) {
        Value next = element(ad, *y, (t + 3) % 4);
        if (!apply_take(ad, OP_MUL, &next, item(x, 1)) ||
            !apply_take(ad, OP_ADD, &next, element(ad, item(x, 0), t)) ||
            !op_update_element(ad, OP_SET_INDEX, y, t, next))
            return false;
    }
    return true;
}

static Selection *row(const Value *array, int64_t at)
{
    IndexTerm term = {.kind = INDEX_AT, .start = at};
    Shape s = value_shape(*array);
    Selection *made = selection_new(&s, &term, 1, &(Error){0});
    cr_assert_not_null(made);
    return made;
}

static bool set_row(Ad *ad, OpCode op, Value *table, int64_t at, Value v)
{
    Selection *where = row(table, at);
    bool ok = op_update(ad, op, table, where, v);
    selection_release(where);
    return ok;
}

static Value get_row(Ad *ad, Value table, int64_t at)
{
    Value made;
    Selection *where = row(&table, at);
    cr_assert(op_index(ad, table, where, &made));
    selection_release(where);
    return made;
}

/* P[0] = x; P[i + 1] = s P[i]; P[1] += x */
static bool write_rows(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    *y = zeros(2, 3, 4);
    bool ok = set_row(ad, OP_SET_INDEX, y, 0, item(x, 0));
    for (int i = 0; ok && i < 2; i++) {
        Value next = get_row(ad, *y, i);
        ok = apply_take(ad, OP_MUL, &next, item(x, 1)) && set_row(ad, OP_SET_INDEX, y, i + 1, next);
        value_release(next);
    }
    return ok && set_row(ad, OP_ADD_INDEX, y, 1, item(x, 0));
}

/* a = x x; b = a; a[1] = s; a b: b keeps the old elements */
static bool write_a_copy(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    Value b;
    if (!op_apply2(ad, OP_MUL, item(x, 0), item(x, 0), y)) return false;
    b = value_retain(*y);
    return op_update_element(ad, OP_SET_INDEX, y, 1, item(x, 1)) && apply_take(ad, OP_MUL, y, b);
}

static Value slice(Ad *ad, Value x, int64_t from, int64_t to, Selection **where)
{
    IndexTerm term = {
        .kind = INDEX_SLICE, .has_start = true, .has_stop = true, .start = from, .stop = to};
    Shape s = value_shape(x);
    Value made;
    *where = selection_new(&s, &term, 1, ad->err);
    cr_assert(op_index(ad, x, *where, &made));
    return made;
}

/* t = x s; t[1:] = t[:-1] */
static bool overlapping(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    Selection *from, *to;
    if (!op_apply2(ad, OP_MUL, item(x, 0), item(x, 1), y)) return false;
    Value head = slice(ad, *y, 0, 3, &from), tail = slice(ad, *y, 1, 4, &to);
    bool ok = op_update(ad, OP_SET_INDEX, y, to, head);
    selection_release(from);
    selection_release(to);
    value_release(head);
    value_release(tail);
    return ok;
}

/* y = x + x; (y x + y) + x: one cotangent handed to several inputs */
static bool shared_sums(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    Value a = item(x, 0), twice;
    if (!op_apply2(ad, OP_ADD, a, a, &twice)) return false;
    return op_apply2(ad, OP_MUL, twice, a, y) && apply_take(ad, OP_ADD, y, twice) &&
           apply_take(ad, OP_ADD, y, value_retain(a));
}

/* Numbers only: s s - s / (s + s) */
static bool numbers(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    Value s = item(x, 1), ratio = s, sum;
    return op_apply2(ad, OP_ADD, s, s, &sum) && apply_take(ad, OP_DIV, &ratio, sum) &&
           op_apply2(ad, OP_MUL, s, s, y) && apply_take(ad, OP_SUB, y, ratio);
}

/* Several results: (x s, (s, x[2])) */
static bool structured(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)self;
    Value scaled;
    if (!op_apply2(ad, OP_MUL, item(x, 0), item(x, 1), &scaled)) return false;
    *y = tuple_take(scaled, tuple_take(item(x, 1), element(ad, item(x, 0), 2)));
    return true;
}

/* The inputs themselves, and a constant. */
static bool identity(Ad *ad, const Function *self, Value x, Value *y)
{
    (void)ad, (void)self;
    *y = tuple_take(value_retain(x), value_float(3));
    return true;
}

static const Function programs[] = {
    {.name = "read_elements", .call = read_elements},
    {.name = "write_elements", .call = write_elements},
    {.name = "recurrence", .call = recurrence},
    {.name = "write_rows", .call = write_rows},
    {.name = "write_a_copy", .call = write_a_copy},
    {.name = "overlapping", .call = overlapping},
    {.name = "shared_sums", .call = shared_sums},
    {.name = "numbers", .call = numbers},
    {.name = "structured", .call = structured},
    {.name = "identity", .call = identity},
};

enum { N_PROGRAMS = sizeof programs / sizeof programs[0] };

static void expect_right(const Function *f, const char *name, Value x)
{
    CheckResult r = check_both_orders(f, x);
    cr_expect(r.worst <= CHECK_TOLERANCE, "%s: %s", name, r.where);
}

Test(tape, programs_to_second_order)
{
    random_start(10);
    for (int i = 0; i < N_PROGRAMS; i++) {
        Value x = tuple_take(floats(4), value_float(0.7));
        expect_right(&programs[i], programs[i].name, x);
        value_release(x);
    }
}

/* Derivatives of derivatives of derivatives, in every mix of modes. */
Test(tape, programs_to_third_order)
{
    random_start(11);
    for (int i = 0; i < N_PROGRAMS; i++) {
        Error err = {0};
        Ad ad = {.err = &err};
        const Function *f = &programs[i];
        Function reverse = reverse_derivative(f), forward = forward_derivative(f);
        Value x = tuple_take(floats(4), value_float(0.7)), y;
        cr_assert(f->call(&ad, f, x, &y));
        Value at_w = tuple_take(value_retain(x), random_like(&ad, y)),
              at_v = tuple_take(value_retain(x), random_like(&ad, x));
        expect_right(&reverse, f->name, at_w);
        expect_right(&forward, f->name, at_v);
        value_release(at_w);
        value_release(at_v);
        value_release(x);
        value_release(y);
        ad_free(&ad);
    }
}

/* ---- what is recorded ---- */

Test(tape, only_what_depends_on_the_input_is_recorded)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value x, y, z;
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, value_float(2), &x));
    size_t before = ad_tape_nodes(&ad);
    cr_assert(op_apply2(&ad, OP_MUL, value_float(3), value_float(4), &y));
    cr_assert(op_apply2(&ad, OP_LT, x, value_float(4), &z));
    cr_expect_eq(ad_tape_nodes(&ad), before, "constants and comparisons are not recorded");
    cr_assert(op_apply2(&ad, OP_MUL, x, y, &z));
    cr_expect_eq(ad_tape_nodes(&ad), before + 1);
    ad_close(&ad);
    ad_free(&ad);
    cr_expect_eq(ad.depth, 0);
}

Test(tape, an_input_that_is_not_used_has_zeros)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value in = tuple_take(floats(2), tuple_take(value_int(3), zeros(2, 0, 3))), x, g;
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, in, &x));
    cr_assert(ad_sweep(&ad, value_float(1), value_float(1)) && ad_gradient(&ad, x, &g));
    ad_close(&ad);
    ad_free(&ad);
    Shape two = {1, {2}}, empty = {2, {0, 3}}, first = value_shape(item(g, 0)),
          third = value_shape(item(item(g, 1), 1));
    cr_expect(shape_equal(&first, &two) && array_float_at(item(g, 0).arr, 1) == 0);
    cr_expect_eq(item(item(g, 1), 0).kind, VAL_NONE, "an Int has no gradient");
    cr_expect(shape_equal(&third, &empty));
    value_release(in);
    value_release(x);
    value_release(g);
}

/* ---- depth ---- */

static double slope_of_chain(int steps, OpCode op, double by)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value x, y, g;
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, value_float(1), &x));
    y = x;
    for (int i = 0; i < steps; i++) cr_assert(apply_take(&ad, op, &y, value_float(by)));
    cr_assert(ad_sweep(&ad, y, value_float(1)) && ad_gradient(&ad, x, &g));
    ad_close(&ad);
    ad_free(&ad);
    return g.f;
}

Test(tape, long_chains_need_no_stack)
{
    cr_expect_float_eq(slope_of_chain(200000, OP_MUL, 1.000001), 1.2214026, 1e-6);
    cr_expect_eq(slope_of_chain(1000000, OP_ADD, 1), 1);
}

Test(tape, a_chain_that_is_dropped_needs_no_stack_either)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value in = floats(9), x, y;
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, in, &x));
    y = value_retain(x);
    for (int i = 0; i < 200000; i++) cr_assert(apply_take(&ad, OP_MUL, &y, value_float(1.000001)));
    ad_close(&ad);
    ad_free(&ad);
    value_release(in);
    value_release(x);
    value_release(y);
}

Test(tape, nesting_has_a_limit)
{
    Error err = {0};
    Ad ad = {.err = &err};
    for (int i = 0; i < MAX_LEVELS; i++)
        cr_assert(i % 2 ? ad_open_forward(&ad) : ad_open_reverse(&ad));
    cr_expect_not(ad_open_reverse(&ad));
    cr_expect_eq(ad.depth, MAX_LEVELS);
    expect_error(&err, ERR_DEPTH, "nested too deeply");
    while (ad.depth) ad_close(&ad);
    ad_free(&ad);
}

/* ---- failures ---- */

Test(tape, a_failed_update_leaves_its_target_as_it_was)
{
    for (int forward = 0; forward < 2; forward++) {
        Error err = {0};
        Ad ad = {.err = &err};
        Value in = floats(4), wrong = floats(3), x, y;
        cr_assert(forward ? ad_open_forward(&ad) && ad_track_tangent(&ad, in, in, &x)
                          : ad_open_reverse(&ad) && ad_track(&ad, in, &x));
        cr_assert(op_apply2(&ad, OP_MUL, x, x, &y));
        Selection *where;
        Value head = slice(&ad, y, 0, 2, &where);
        cr_expect_not(op_update(&ad, OP_SET_INDEX, &y, where, wrong));
        expect_error(&err, ERR_SHAPE, "");
        Value first = element(&ad, y, 0);
        cr_expect_eq(first.f, array_float_at(in.arr, 0) * array_float_at(in.arr, 0));
        if (forward) {
            Value tangent;
            cr_assert(ad_tangent(&ad, first, &tangent));
            cr_expect_float_eq(tangent.f, 2 * first.f, 1e-12);
        }
        ad_close(&ad);
        ad_free(&ad);
        selection_release(where);
        Value made[] = {in, wrong, x, y, head};
        for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) value_release(made[i]);
    }
}

Test(tape, cotangents_and_tangents_must_fit)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value in = floats(4), other = floats(3), x;
    cr_assert(ad_open_forward(&ad));
    cr_expect_not(ad_track_tangent(&ad, in, other, &x));
    expect_error(&err, ERR_SHAPE, "the tangent must be shaped");
    ad_close(&ad);
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, in, &x));
    cr_expect_not(ad_sweep(&ad, x, other));
    expect_error(&err, ERR_SHAPE, "the cotangent must be shaped");
    ad_close(&ad);
    ad_free(&ad);
    value_release(in);
    value_release(other);
    value_release(x);
}

Test(tape, an_interrupted_sweep_leaves_nothing_open)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value in = floats(9), x, y, w = value_retain(in);
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, in, &x));
    y = value_retain(x);
    for (int i = 0; i < 5000; i++) cr_assert(apply_take(&ad, OP_MUL, &y, value_retain(x)));
    interrupt_flag = 1;
    cr_expect_not(ad_sweep(&ad, y, w));
    expect_error(&err, ERR_INTERRUPT, "");
    ad_close(&ad);
    ad_free(&ad);
    cr_expect_eq(slope_of_chain(3, OP_MUL, 2), 8);
    Value made[] = {in, x, y, w};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) value_release(made[i]);
}

/* ---- several sweeps of one tape ---- */

static void expect_gradient(Ad *ad, Value x, Value y, double seed, double want)
{
    Value g;
    cr_assert(ad_sweep(ad, y, value_float(seed)) && ad_gradient(ad, x, &g));
    cr_expect_float_eq(g.f, want, 1e-12);
    ad_forget_cotangents(ad);
}

Test(tape, a_kept_tape_can_be_swept_again)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value x, in = tuple_take(floats(4), value_float(0.7)), y;
    cr_assert(ad_open_reverse(&ad) && ad_track(&ad, in, &x));
    cr_assert(numbers(&ad, NULL, x, &y));
    ad_keep_tape(&ad);
    for (int i = 1; i < 4; i++) expect_gradient(&ad, item(x, 1), y, i, 1.4 * i);
    ad_close(&ad);
    ad_free(&ad);
    value_release(in);
    value_release(x);
}

/* Every derivative rule, in every mode, to second order; and that the check would notice. */
#include <criterion/criterion.h>

#include "ad/rule.h"
#include "array_support.h"
#include "gradient_cases.h"
#include "value/structure.h"

TestSuite(gradient, .fini = expect_nothing_alive);

static void check_case(const Case *c)
{
    Function f = case_function(c);
    Value x = case_inputs(c);
    CheckResult r = check_both_orders(&f, x);
    cr_expect(r.worst <= CHECK_TOLERANCE, "%s: %s", case_text(c), r.where);
    value_release(x);
}

Test(gradient, elementwise_rules)
{
    elementwise_cases(check_case);
}

Test(gradient, reduction_and_scan_rules)
{
    reduce_cases(check_case);
}

Test(gradient, matrix_product_rules)
{
    matmul_cases(check_case);
}

Test(gradient, shape_rules)
{
    shape_cases(check_case);
}

Test(gradient, index_rules)
{
    index_cases(check_case);
}

Test(gradient, linear_algebra_rules)
{
    linalg_cases(check_case);
}

Test(gradient, fused_expressions)
{
    fused_cases(check_case);
}

/* ---- operations without a derivative ---- */

typedef struct {
    OpCode op;
    int arity;
    bool takes_floats; /* else Bools, which can't be tracked */
} ConstantRow;

static const ConstantRow constant_rows[] = {
    {OP_SIGN, 1, true},      {OP_FLOOR, 1, true},   {OP_CEIL, 1, true},    {OP_ROUND, 1, true},
    {OP_TRUNC, 1, true},     {OP_ISNAN, 1, true},   {OP_ISINF, 1, true},   {OP_ISFINITE, 1, true},
    {OP_NOT, 1, false},      {OP_TO_INT, 1, true},  {OP_TO_BOOL, 1, true}, {OP_FLOORDIV, 2, true},
    {OP_HEAVISIDE, 2, true}, {OP_EQ, 2, true},      {OP_NE, 2, true},      {OP_LT, 2, true},
    {OP_LE, 2, true},        {OP_GT, 2, true},      {OP_GE, 2, true},      {OP_AND, 2, false},
    {OP_OR, 2, false},       {OP_ANY, 1, true},     {OP_ALL, 1, true},     {OP_ARGMAX, 1, true},
    {OP_ARGMIN, 1, true},    {OP_ARGSORT, 1, true}, {OP_SCALES, 1, true},
};

enum { N_CONSTANT_ROWS = sizeof constant_rows / sizeof constant_rows[0] };

static void expect_constant(const ConstantRow *row)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Value v =
        row->takes_floats ? random_input((Shape){1, {3}}, -2, 2) : bool_input((Shape){1, {3}});
    Value x, y, in[2];
    OpAttr attr = {.axes = 1};
    for (int forward = 0; forward < 2; forward++) {
        cr_assert(forward ? ad_open_forward(&ad) && ad_track_tangent(&ad, v, v, &x)
                          : ad_open_reverse(&ad) && ad_track(&ad, v, &x));
        in[0] = in[1] = x;
        cr_assert(op_apply(&ad, row->op, in, row->arity, &attr, &y), "%s: %s", op_rows[row->op].id,
                  err.message);
        cr_expect_eq(y.level, 0, "%s gives a tracked result", op_rows[row->op].id);
        value_release(x);
        value_release(y);
        ad_close(&ad);
    }
    value_release(v);
    ad_free(&ad);
}

Test(gradient, operations_without_a_rule_give_constants)
{
    for (int i = 0; i < N_CONSTANT_ROWS; i++) expect_constant(&constant_rows[i]);
}

/* ---- completeness ---- */

static bool has_case[OP_COUNT];

static void mark_case(const Case *c)
{
    has_case[c->op] = true;
}

Test(gradient, every_row_of_the_table_is_checked)
{
    elementwise_cases(mark_case);
    reduce_cases(mark_case);
    matmul_cases(mark_case);
    shape_cases(mark_case);
    index_cases(mark_case);
    linalg_cases(mark_case);
    fused_cases(mark_case);
    bool is_constant[OP_COUNT] = {false};
    for (int i = 0; i < N_CONSTANT_ROWS; i++) is_constant[constant_rows[i].op] = true;
    for (int op = 0; op < OP_COUNT; op++) {
        bool has_rule = rule_rows[op].reverse != NULL;
        cr_expect_eq(has_rule, rule_rows[op].forward != NULL, "%s has a rule for one mode only",
                     op_rows[op].id);
        cr_expect(has_rule || is_constant[op],
                  "%s has no rule: list it among the constant operations", op_rows[op].id);
        cr_expect(!has_rule || has_case[op], "%s has a rule and no case that checks it",
                  op_rows[op].id);
    }
}

/* ---- that the check can fail ---- */

/* Structures leaf by leaf. */
static bool plain_leaf(void *context, const Value *leaf, int n, Value *out)
{
    (void)context, (void)n;
    *out = value_retain(ad_plain(leaf[0]));
    return true;
}

/* v with a derivative that is 0.1 % too long: c + 1.001 (v - c), where c is v as a constant. */
static bool stretch_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    Value rest = {0}, longer = {0};
    (void)n;
    bool ok = op_apply2(ad, OP_SUB, leaf[0], ad_plain(leaf[0]), &rest) &&
              op_apply2(ad, OP_MUL, rest, value_float(1.001), &longer) &&
              op_apply2(ad, OP_ADD, ad_plain(leaf[0]), longer, out);
    value_release(rest);
    value_release(longer);
    return ok;
}

/* v with a second derivative that is wrong by 0.001: v + 0.0005 (v - c)². */
static bool bend_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    Value rest = {0}, square = {0}, bent = {0};
    (void)n;
    bool ok = op_apply2(ad, OP_SUB, leaf[0], ad_plain(leaf[0]), &rest) &&
              op_apply2(ad, OP_MUL, rest, rest, &square) &&
              op_apply2(ad, OP_MUL, square, value_float(0.0005), &bent) &&
              op_apply2(ad, OP_ADD, leaf[0], bent, out);
    value_release(rest);
    value_release(square);
    value_release(bent);
    return ok;
}

static StructureLeaf *const *spoiler(const Function *self)
{
    return self->context;
}

static bool call_spoiled(Ad *ad, const Function *self, Value x, Value *y)
{
    Value good;
    if (!self->inner->call(ad, self->inner, x, &good)) return false;
    bool ok = structure_map(&good, 1, false, *spoiler(self), ad, y, ad->err);
    value_release(good);
    return ok;
}

static StructureLeaf *const stretch = stretch_leaf, *const bend = bend_leaf,
                            *const cut = plain_leaf;

static Function spoiled(const Function *f, StructureLeaf *const *how)
{
    return (Function){.name = f->name, .call = call_spoiled, .inner = f, .context = how};
}

/* A table of a number and two rows would do; these are one of every family. */
static void expect_caught(const Case *c)
{
    Function f = case_function(c), longer = spoiled(&f, &stretch), lost = spoiled(&f, &cut),
             bent = spoiled(&f, &bend);
    Value x = case_inputs(c);
    cr_expect_leq(check_both_orders(&f, x).worst, CHECK_TOLERANCE, "%s is right", f.name);
    cr_expect_gt(check_derivative(&longer, x).worst, CHECK_TOLERANCE, "%s, 0.1 %% off", f.name);
    cr_expect_gt(check_derivative(&lost, x).worst, CHECK_TOLERANCE, "%s, cut off", f.name);
    cr_expect_leq(check_derivative(&bent, x).worst, CHECK_TOLERANCE, "%s, bent, once", f.name);
    cr_expect_gt(check_both_orders(&bent, x).worst, CHECK_TOLERANCE, "%s, bent, twice", f.name);
    value_release(x);
}

Test(gradient, the_check_catches_a_derivative_that_is_a_thousandth_off)
{
    Shape table = {2, {2, 3}}, square = {2, {3, 3}};
    OpAttr rows = {.axes = 1}, along = {.axis = 1};
    random_start(6);
    offer(expect_caught, (Case){OP_EXP, 1, {random_input(table, -1, 1)}, 0, 0});
    offer(expect_caught,
          (Case){OP_DIV, 2, {random_input(table, 1, 2), random_input(table, 1, 2)}, 0, 0});
    offer(expect_caught, (Case){OP_PROD, 1, {random_input(table, 1, 2)}, &rows, 0});
    offer(expect_caught, (Case){OP_CUMPROD, 1, {random_input(table, 1, 2)}, &along, 0});
    offer(expect_caught,
          (Case){OP_MATMUL, 2, {random_input(square, 1, 2), random_input(square, 1, 2)}, 0, 0});
    offer(expect_caught, (Case){OP_MUL, 2, {value_float(1.5), value_float(-0.5)}, 0, 0});
}

/* The derivative of a fused expression in one pass against its steps recorded and swept, to the
 * bit, for every function that can be a step, at ordinary values and at edges. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "ad/elementwise_gradient.h"
#include "ad/fused.h"
#include "array_support.h"
#include "gradient_cases.h"

enum { LONG = 333 };

static Error err;
static Ad ad = {.err = &err};

static void end(void)
{
    ad_free(&ad);
    expect_nothing_alive();
}

TestSuite(fused_gradient, .fini = end);

static Value column(bool with_edges)
{
    static const double edge[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1e308};
    Array *a = array_new(DT_FLOAT, &(Shape){1, {LONG}}, &err);
    for (int i = 0; i < LONG; i++)
        array_floats(a)[i] = with_edges && random_below(5) == 0
                                 ? edge[random_below(8)]
                                 : (double)random_below(900) / 600 - 0.5;
    return value_arr(a);
}

static void check_same(Value pass, Value steps, const char *what)
{
    Array *a = pass.arr, *b = array_contiguous(steps.arr, &err);
    cr_assert_eq(a->size, b->size);
    for (int64_t i = 0; i < a->size; i++) {
        double x = array_floats(a)[i], y = array_floats(b)[i];
        cr_assert(memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y),
                  "%s, element %lld: %a, not %a", what, (long long)i, x, y);
    }
    array_release(b);
}

static void one_pass(const ElementwiseGradient *g, const TileProgram *p, const Value *leaf,
                     Value cotangent, const Value *initial, Array **out)
{
    int n = p->n_leaves;
    Value result;
    cr_assert(fused_run_steps(&ad, p, leaf, &result));
    Array *read[TILE_LEAVES], scratch[TILE_LEAVES];
    double constant[TILE_LEAVES];
    Shape s = {1, {LONG}};
    for (int i = 0; i < n; i++) read[i] = value_operand(&leaf[i], &scratch[i]);
    read[n] = cotangent.arr;
    read[n + 1] = result.arr;
    int at = n + 2;
    for (int i = 0; i < 2; i++)
        if (g->added >> i & 1) read[at++] = initial[i].arr;
    for (int i = 0; i < g->n_constants; i++, at++) {
        constant[i] = g->constant[i];
        scratch[at] = array_scalar(DT_FLOAT, &constant[i]);
        read[at] = &scratch[at];
    }
    for (int i = 0; i < g->program->n_outputs; i++) out[i] = array_new(DT_FLOAT, &s, &err);
    cr_assert(tile_run(g->program, read, &s, out, &err));
    value_release(result);
}

static void check_choice(TileProgram *p, const Value *leaf, Value cotangent, unsigned wanted,
                         unsigned added, const char *what)
{
    Value there[2] = {column(false), column(false)}, given[FUSED_LEAVES] = {0};
    Value *place[FUSED_LEAVES] = {NULL};
    Array *out[TILE_OUTPUTS];
    int n = 0;
    const ElementwiseGradient *g = elementwise_gradient(&ad, p, wanted, added);
    cr_assert(g, "%s is not traced", what);
    cr_assert_eq(g, elementwise_gradient(&ad, p, wanted, added), "made once");
    one_pass(g, p, leaf, cotangent, there, out);
    for (int i = 0; i < 2; i++) {
        if (added >> i & 1) given[i] = value_retain(there[i]);
        if (wanted >> i & 1) place[i] = &given[i];
    }
    cr_assert(fused_replay(&ad, p, leaf, cotangent, place));
    for (int i = 0; i < 2; i++) {
        value_release(there[i]);
        if (!(wanted >> i & 1)) continue;
        check_same(value_arr(out[n]), given[i], what);
        array_release(out[n++]);
        value_release(given[i]);
    }
}

static void check(TileProgram *p, bool with_edges, const char *what)
{
    Value leaf[3] = {column(with_edges), column(with_edges), value_float(0.75)};
    Value cotangent = column(with_edges);
    for (unsigned wanted = 1; wanted < 4; wanted++)
        for (unsigned added = 0; added < 4; added++)
            if ((added & wanted) == added) check_choice(p, leaf, cotangent, wanted, added, what);
    value_release(leaf[0]);
    value_release(leaf[1]);
    value_release(cotangent);
}

static void check_steps(const TileStep *step, int n, const char *what)
{
    TileProgram *p = program_of_steps(3, step, n);
    check(p, false, what);
    check(p, true, what);
    elementwise_program_free(p);
}

Test(fused_gradient, every_function)
{
    static const uint8_t binary[] = {EW_ADD, EW_SUB, EW_MUL,   EW_DIV,
                                     EW_MAX, EW_MIN, EW_ATAN2, EW_POW};
    random_start(5);
    for (int f = EW_SQRT; f <= EW_ABS; f++) { /* f(x) y - x */
        const TileStep step[] = {{(uint8_t)f, {0, 0, 0}}, {EW_MUL, {3, 1, 0}}, {EW_SUB, {4, 0, 0}}};
        check_steps(step, 3, elementwise_info[f].name);
    }
    for (size_t i = 0; i < sizeof binary; i++) { /* f(x, y) / (x + 0.75) */
        const TileStep step[] = {{binary[i], {0, 1, 0}}, {EW_ADD, {0, 2, 0}}, {EW_DIV, {3, 4, 0}}};
        check_steps(step, 3, elementwise_info[binary[i]].name);
    }
}

/* Sums, of which a leaf's cotangent is the result's own or nothing at all. */
Test(fused_gradient, what_is_handed_on)
{
    const TileStep sum[] = {{EW_ADD, {0, 1, 0}}, {EW_ADD, {3, 2, 0}}};
    const TileStep sign[] = {{EW_NEG, {0, 0, 0}}, {EW_SUB, {3, 1, 0}}};
    random_start(6);
    check_steps(sum, 2, "x + y + 0.75");
    check_steps(sign, 2, "-x - y");
}

static uint8_t any(int n_leaves, int step)
{
    return (uint8_t)(random_below(3) ? n_leaves + step - 1 : random_below(n_leaves + step));
}

Test(fused_gradient, random_programs)
{
    static const uint8_t f[] = {EW_ADD, EW_SUB,  EW_MUL,  EW_DIV, EW_NEG,
                                EW_EXP, EW_TANH, EW_SQRT, EW_MAX};
    int checked = 0;
    random_start(7);
    for (int i = 0; i < 300; i++) {
        TileStep step[FUSED_STEPS];
        int n = 2 + (int)random_below(FUSED_STEPS - 1);
        for (int k = 0; k < n; k++)
            step[k] = (TileStep){f[random_below(sizeof f)], {any(3, k), any(3, k), 0}};
        step[0].operand[0] = 0;
        step[0].operand[1] = 1;
        TileProgram *p = program_of_steps(3, step, n);
        bool too_long = false;
        for (unsigned wanted = 1; wanted < 4; wanted++)
            for (unsigned added = 0; added < 4; added++)
                too_long |=
                    (added & wanted) == added && !elementwise_gradient(&ad, p, wanted, added);
        if (!too_long) check(p, i % 2, "a random program");
        checked += !too_long;
        elementwise_program_free(p);
    }
    cr_assert_gt(checked, 150);
}

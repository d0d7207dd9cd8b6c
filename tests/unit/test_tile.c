/* Tile programs against their steps one by one, to the bit: random programs of every instruction,
 * lengths around a tile's, edges of the guarded operations, leaves that repeat. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "array/elementwise/tile.h"
#include "array_support.h"
#include "base/mem.h"

TestSuite(tile);

enum { LONGEST = 3 * TILE_LONGEST + 5, VALUES = TILE_LEAVES + TILE_STEPS };

static const uint8_t floats_to_floats[] = {
    EW_ADD, EW_SUB,  EW_MUL, EW_DIV, EW_MUL_NO_NAN, EW_DIV_NO_NAN,
    EW_NEG, EW_ADD,  EW_SUB, EW_MUL, EW_MUL_NO_NAN, EW_DIV_NO_NAN,
    EW_EXP, EW_SQRT, EW_MAX, EW_ABS, EW_TANH};

typedef struct {
    int n_leaves, n_steps, n_outputs;
    TileStep step[TILE_STEPS];
    uint8_t output[TILE_OUTPUTS];
    double value[VALUES][LONGEST]; /* truths in bytes */
    bool repeats[TILE_LEAVES];
} Trial;

static double some_number(void)
{
    static const double edge[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e308, 5e-324, 1.0};
    if (random_below(6) == 0) return edge[random_below(8)];
    return (double)(random_below(4000) - 2000) / 512.0;
}

static uint8_t any_float(const Trial *t, int step)
{
    uint8_t v;
    do v = (uint8_t)random_below(t->n_leaves + step);
    while (v >= t->n_leaves && t->step[v - t->n_leaves].f >= EW_EQ &&
           t->step[v - t->n_leaves].f <= EW_GE);
    return v;
}

/* Most steps go on from the last result. */
static uint8_t likely_float(const Trial *t, int step)
{
    int before = t->n_leaves + step - 1;
    bool is_truth = step > 0 && t->step[step - 1].f >= EW_EQ && t->step[step - 1].f <= EW_GE;
    return random_below(2) && !is_truth ? (uint8_t)before : any_float(t, step);
}

static void make_trial(Trial *t)
{
    t->n_leaves = 1 + (int)random_below(6);
    t->n_steps = 1 + (int)random_below(40);
    for (int i = 0; i < t->n_steps; i++) {
        TileStep *s = &t->step[i];
        *s = (TileStep){floats_to_floats[random_below(sizeof floats_to_floats)],
                        {likely_float(t, i), likely_float(t, i), 0}};
        if (i + 2 < t->n_steps && random_below(8) == 0) { /* where(x < y, …) */
            s->f = EW_LT;
            t->step[i + 1] = (TileStep){
                EW_WHERE, {any_float(t, i), any_float(t, i), (uint8_t)(t->n_leaves + i)}};
            i++;
        }
    }
    t->n_outputs = 1 + (int)random_below(4);
    for (int i = 0; i < t->n_outputs; i++) t->output[i] = any_float(t, t->n_steps);
    t->output[random_below(t->n_outputs)] = likely_float(t, t->n_steps);
    for (int i = 0; i < t->n_leaves; i++) {
        t->repeats[i] = random_below(4) == 0;
        for (int k = 0; k < LONGEST; k++)
            t->value[i][k] = t->repeats[i] && k ? t->value[i][0] : some_number();
    }
    for (int i = 0; i < t->n_steps; i++) {
        const TileStep *s = &t->step[i];
        simd_loop(SIMD_SCALAR, (Elementwise)s->f,
                  DT_FLOAT)(t->value[s->operand[0]], t->value[s->operand[1]],
                            t->value[s->operand[2]], t->value[t->n_leaves + i], LONGEST);
    }
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/* n Floats, or one that repeats, as an array over memory of the caller's. */
static Array line(double *data, int64_t n, bool repeats)
{
    Array a = array_scalar(DT_FLOAT, data);
    a.rank = 1;
    a.dim[0] = a.size = n;
    a.stride[0] = !repeats;
    a.contiguous = !repeats;
    return a;
}

static TileProgram *compile(SimdLevel level, int n_leaves, const TileStep *step, int n_steps,
                            const uint8_t *output, int n_outputs)
{
    TileSource source = {n_leaves, n_steps, n_outputs, step, output, NULL, false};
    return tile_compile(level, &source);
}

static void check_trial(Trial *t, SimdLevel level, int64_t n)
{
    static double made[TILE_OUTPUTS][LONGEST + 1];
    Array leaf[TILE_LEAVES], out[TILE_OUTPUTS], *leaves[TILE_LEAVES], *outs[TILE_OUTPUTS];
    Error err = {0};
    TileProgram *p = compile(level, t->n_leaves, t->step, t->n_steps, t->output, t->n_outputs);
    cr_assert(p);
    for (int i = 0; i < t->n_leaves; i++) {
        leaf[i] = line(t->value[i], n, t->repeats[i]);
        leaves[i] = &leaf[i];
    }
    for (int i = 0; i < t->n_outputs; i++) {
        out[i] = line(made[i], n, false);
        outs[i] = &out[i];
        made[i][n] = 77.0;
    }
    cr_assert(tile_run(p, leaves, &(Shape){1, {n}}, outs, &err));
    mem_free(p);
    for (int i = 0; i < t->n_outputs; i++) {
        for (int64_t k = 0; k < n; k++)
            cr_assert(same(made[i][k], t->value[t->output[i]][k]),
                      "output %d at %lld of %lld: %a, not %a", i, (long long)k, (long long)n,
                      made[i][k], t->value[t->output[i]][k]);
        cr_assert_eq(made[i][n], 77.0, "written past the end");
    }
}

Test(tile, random_programs)
{
    static Trial t;
    random_start(31);
    for (int i = 0; i < 1500; i++) {
        make_trial(&t);
        int64_t n = i % 3 ? random_below(LONGEST + 1) : TILE_LONGEST * (1 + i % 2);
        for (int level = SIMD_SCALAR; level < SIMD_LEVELS; level++)
            if (simd_supported((SimdLevel)level)) check_trial(&t, (SimdLevel)level, n);
    }
}

Test(tile, what_does_not_fit_is_refused)
{
    TileStep step[TILE_STEPS + 1];
    uint8_t output = 0;
    for (int i = 0; i <= TILE_STEPS; i++) step[i] = (TileStep){EW_NEG, {0, 0, 0}};
    TileProgram *p = compile(SIMD_SCALAR, 1, step, TILE_STEPS, &output, 1);
    cr_assert(p);
    mem_free(p);
    cr_assert_not(compile(SIMD_SCALAR, 1, step, TILE_STEPS + 1, &output, 1));
    step[0].f = EW_AND;
    output = 1;
    cr_assert_not(compile(SIMD_SCALAR, 1, step, 1, &output, 1), "no Float loop");
    output = 0;
    for (int i = 0; i < TILE_STEPS; i++) step[i] = (TileStep){EW_EXP, {0, 0, 0}};
    step[TILE_STEPS - 1] = (TileStep){EW_ADD, {1, 2, 0}};
    p = compile(SIMD_SCALAR, 1, step, TILE_STEPS, &output, 1);
    cr_assert(p);
    mem_free(p);
}

/* The result takes the place of an operand. */
Test(tile, in_place)
{
    TileStep step[] = {{EW_MUL, {0, 1, 0}}, {EW_ADD, {2, 0, 0}}};
    uint8_t output = 3;
    double x[200], y[200];
    for (int i = 0; i < 200; i++) x[i] = i, y[i] = 0.5 * i;
    Array a = line(x, 200, false), b = line(y, 200, false), *leaf[] = {&a, &b}, *out = &a;
    for (int level = SIMD_SCALAR; level < SIMD_LEVELS; level++) {
        if (!simd_supported((SimdLevel)level)) continue;
        TileProgram *p = compile((SimdLevel)level, 2, step, 2, &output, 1);
        for (int i = 0; i < 200; i++) x[i] = i;
        cr_assert(tile_run(p, leaf, &(Shape){1, {200}}, &out, NULL));
        mem_free(p);
        for (int i = 0; i < 200; i++) cr_assert_eq(x[i], i * (0.5 * i) + i);
    }
}

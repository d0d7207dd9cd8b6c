/* Tile programs against their steps one by one, to the bit: random programs of every instruction,
 * lengths around a tile's, edges of the guarded operations, leaves that repeat. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "array/elementwise/tile.h"
#include "array_support.h"

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
                EW_WHERE, {(uint8_t)(t->n_leaves + i), any_float(t, i), any_float(t, i)}};
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

static void check_trial(const Trial *t, SimdLevel level, int64_t n)
{
    static TileProgram p;
    static double made[TILE_OUTPUTS][LONGEST + 1];
    TileLeaf leaf[TILE_LEAVES];
    double *out[TILE_OUTPUTS];
    cr_assert(tile_compile(&p, level, t->n_leaves, t->step, t->n_steps, t->output, t->n_outputs));
    for (int i = 0; i < t->n_leaves; i++) leaf[i] = (TileLeaf){t->value[i], t->repeats[i]};
    for (int i = 0; i < t->n_outputs; i++) {
        out[i] = made[i];
        made[i][n] = 77.0;
    }
    static TileRun r;
    tile_begin(&r, &p);
    tile_run(&r, leaf, out, n);
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
    static TileProgram p;
    TileStep step[TILE_STEPS + 1];
    uint8_t output = 0;
    for (int i = 0; i <= TILE_STEPS; i++) step[i] = (TileStep){EW_NEG, {0, 0, 0}};
    cr_assert(tile_compile(&p, SIMD_SCALAR, 1, step, TILE_STEPS, &output, 1));
    cr_assert_not(tile_compile(&p, SIMD_SCALAR, 1, step, TILE_STEPS + 1, &output, 1));
    step[0].f = EW_AND;
    cr_assert_not(tile_compile(&p, SIMD_SCALAR, 1, step, 1, &output, 1), "no Float loop");
    for (int i = 0; i < TILE_STEPS; i++) step[i] = (TileStep){EW_EXP, {0, 0, 0}};
    step[TILE_STEPS - 1] = (TileStep){EW_ADD, {1, 2, 0}};
    cr_assert(tile_compile(&p, SIMD_SCALAR, 1, step, TILE_STEPS, &output, 1));
}

/* The result takes the place of an operand. */
Test(tile, in_place)
{
    static TileProgram p;
    TileStep step[] = {{EW_MUL, {0, 1, 0}}, {EW_ADD, {2, 0, 0}}};
    uint8_t output = 3;
    double x[200], y[200];
    for (int i = 0; i < 200; i++) x[i] = i, y[i] = 0.5 * i;
    for (int level = SIMD_SCALAR; level < SIMD_LEVELS; level++) {
        if (!simd_supported((SimdLevel)level)) continue;
        cr_assert(tile_compile(&p, (SimdLevel)level, 2, step, 2, &output, 1));
        double *out = x;
        for (int i = 0; i < 200; i++) x[i] = i;
        static TileRun r;
        tile_begin(&r, &p);
        tile_run(&r, (TileLeaf[]){{x, false}, {y, false}}, &out, 200);
        for (int i = 0; i < 200; i++) cr_assert_eq(x[i], i * (0.5 * i) + i);
    }
}

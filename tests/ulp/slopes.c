/* Derivatives against differences in so many digits that nothing is lost by them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ad/ad.h"
#include "ulp.h"

/* ---- exact derivatives ---- */

/* A step is so small that what a difference neglects, its square against that of the distance to the next
 * pole, is far below one unit; and there are bits enough for second differences of functions that are
 * almost constant. */
enum { BITS = 1700, STEP_BITS = 140 };

typedef struct {
    mpfr_t x[3], y[3], f[3][3], step[2]; /* a step back, at the point, a step forth */
    mpfr_t slope[3][3];                  /* [m][n]: m times by x, n times by y */
    mpfr_t largest;
} Stencil;

static void stencil_init(Stencil *s)
{
    mpfr_inits2(BITS, s->step[0], s->step[1], s->largest, (mpfr_ptr)NULL);
    for (int i = 0; i < 3; i++) {
        mpfr_inits2(BITS, s->x[i], s->y[i], (mpfr_ptr)NULL);
        for (int j = 0; j < 3; j++) mpfr_inits2(BITS, s->f[i][j], s->slope[i][j], (mpfr_ptr)NULL);
    }
}

static void stencil_clear(Stencil *s)
{
    mpfr_clears(s->step[0], s->step[1], s->largest, (mpfr_ptr)NULL);
    for (int i = 0; i < 3; i++) {
        mpfr_clears(s->x[i], s->y[i], (mpfr_ptr)NULL);
        for (int j = 0; j < 3; j++) mpfr_clears(s->f[i][j], s->slope[i][j], (mpfr_ptr)NULL);
    }
}

static void find_lengths(const Row *row, double x, double y, double *length)
{
    length[0] = x = fabs(x);
    length[1] = y = fabs(y);
    if (row->length == SMOOTH) length[0] = fmax(x, 1);
    if (row->length == WAVE) length[0] = 1;
    if (row->length == POWER) length[1] = fmax(y, 1);
    if (row->length == ANGLE) length[0] = length[1] = fmax(x, y);
}

static void place(mpfr_t *x, mpfr_t step, double at, double length)
{
    mpfr_set_d(x[1], at, MPFR_RNDN);
    mpfr_set_d(step, length, MPFR_RNDN);
    mpfr_div_2ui(step, step, STEP_BITS, MPFR_RNDN);
    mpfr_sub(x[0], x[1], step, MPFR_RNDN);
    mpfr_add(x[2], x[1], step, MPFR_RNDN);
}

/* r = Σ weight[i] value[i] / by, or 0 where nothing but rounding is left of it. */
static void difference(mpfr_t r, mpfr_t *const *value, const int *weight, int n, mpfr_t by)
{
    mpfr_t term;
    mpfr_init2(term, BITS);
    long top = LONG_MIN;
    mpfr_set_zero(r, 1);
    for (int i = 0; i < n; i++) {
        if (mpfr_regular_p(*value[i]) && mpfr_get_exp(*value[i]) > top)
            top = mpfr_get_exp(*value[i]);
        mpfr_mul_si(term, *value[i], weight[i], MPFR_RNDN);
        mpfr_add(r, r, term, MPFR_RNDN);
    }
    if (mpfr_regular_p(r) && mpfr_get_exp(r) < top - BITS + 20) mpfr_set_zero(r, 1);
    mpfr_div(r, r, by, MPFR_RNDN);
    mpfr_clear(term);
}

static void differentiate_along(Stencil *s, mpfr_t *back, mpfr_t *here, mpfr_t *forth, mpfr_t step,
                                mpfr_t first, mpfr_t second)
{
    static const int one[] = {-1, 1}, two[] = {1, -2, 1};
    mpfr_mul_ui(s->largest, step, 2, MPFR_RNDN);
    difference(first, (mpfr_t *const[]){back, forth}, one, 2, s->largest);
    mpfr_sqr(s->largest, step, MPFR_RNDN);
    difference(second, (mpfr_t *const[]){back, here, forth}, two, 3, s->largest);
}

static void differentiate(Stencil *s, const Row *row, double x, double y)
{
    static const int mixed[] = {1, -1, -1, 1};
    double length[2];
    find_lengths(row, x, y, length);
    place(s->x, s->step[0], x, length[0]);
    place(s->y, s->step[1], y, length[1]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (row->smooth)
                row->smooth(s->f[i][j], s->x[i], s->y[j], MPFR_RNDN);
            else if (row->two || j == 1)
                exact_value(row, s->f[i][j], s->x[i], s->y[j]);
    differentiate_along(s, &s->f[0][1], &s->f[1][1], &s->f[2][1], s->step[0], s->slope[1][0],
                        s->slope[2][0]);
    if (!row->two) return;
    differentiate_along(s, &s->f[1][0], &s->f[1][1], &s->f[1][2], s->step[1], s->slope[0][1],
                        s->slope[0][2]);
    mpfr_mul(s->largest, s->step[0], s->step[1], MPFR_RNDN);
    mpfr_mul_ui(s->largest, s->largest, 4, MPFR_RNDN);
    mpfr_t *corner[] = {&s->f[0][0], &s->f[0][2], &s->f[2][0], &s->f[2][2]};
    difference(s->slope[1][1], corner, mixed, 4, s->largest);
}

static bool is_inside(mpfr_srcptr v, int limit)
{
    return mpfr_regular_p(v) && labs((long)mpfr_get_exp(v)) < limit;
}

/* Whether the powers of x that are factors of a derivative of x ** y are within the range, where they have
 * all their digits. */
static bool has_factors(Stencil *s, int by_x, int by_y)
{
    if (by_y && !is_inside(s->f[1][1], 1000)) return false;
    if (by_x && by_y)
        return is_inside(s->slope[1][0], 1000) && is_inside(s->slope[0][1], 1000) &&
               is_inside(s->x[1], 1021);
    mpfr_set(s->largest, s->slope[by_x][by_y], MPFR_RNDN);
    for (int i = 0; i < by_x; i++) mpfr_div(s->largest, s->largest, s->y[1], MPFR_RNDN);
    return is_inside(s->largest, 1000);
}

/* What is not asked for: a derivative by the exponent of a negative base, where 0 wins over NaN; a second
 * derivative of an angle where both first ones overflow; and a finite number above 2^1000, whose factors may
 * overflow. */
static bool is_let_go(Stencil *s, const Row *row, double got, int by_x, int by_y)
{
    mpfr_srcptr exact = s->slope[by_x][by_y];
    if (mpfr_nan_p(exact)) return got == 0;
    if (mpfr_zero_p(exact)) return false;
    if (by_x + by_y == 2 && row->length == ANGLE && mpfr_get_exp(s->slope[1][0]) > 1024 &&
        mpfr_get_exp(s->slope[0][1]) > 1024)
        return true;
    if (row->length == POWER) return !has_factors(s, by_x, by_y);
    return isinf(got) && mpfr_get_exp(exact) > 1000 && (got < 0) == mpfr_signbit(exact);
}

/* How far off a derivative is. Near the end of the range its factors may have fewer digits, so units are
 * not counted smaller than 2^−1064. */
static double slope_distance(Stencil *s, const Row *row, double got, int by_x, int by_y)
{
    mpfr_srcptr exact = s->slope[by_x][by_y];
    if (is_let_go(s, row, got, by_x, by_y)) return 0;
    mpfr_set_zero(s->largest, 1);
    if (row->largest && by_x == 1 && by_y == 1)
        row->largest(s->largest, s->slope[1][0], s->slope[0][1], s->y[1]);
    return distance(got, exact, s->largest, -1064);
}

/* ---- the derivatives to be measured ---- */

/* One way to a derivative: innermost first. */
typedef struct {
    int order, variable[2];
    bool is_forward[2];
} Path;

static void require(bool ok, const Ad *ad)
{
    if (ok) return;
    fprintf(stderr, "%s\n", ad->err->message);
    exit(1);
}

static Value ones_like(Ad *ad, Value v)
{
    if (v.kind != VAL_ARR) return value_float(1.0);
    Shape s = value_shape(v);
    Array *ones = array_new(DT_FLOAT, &s, ad->err);
    require(ones != NULL, ad);
    for (int64_t i = 0; i < ones->size; i++) array_floats(ones)[i] = 1.0;
    return value_arr(ones);
}

static Value slope(Ad *ad, OpCode op, const Path *p, int order, const Value *x)
{
    Value y, made = {0}, in[2] = {x[0], x[1]};
    if (order == 0) {
        require(op_apply(ad, op, x, op_rows[op].arity, NULL, &y), ad);
        return y;
    }
    int v = p->variable[order - 1];
    bool is_forward = p->is_forward[order - 1];
    Value ones = ones_like(ad, x[v]); /* of the result's shape, too */
    if (is_forward)
        require(ad_open_forward(ad) && ad_track_tangent(ad, x[v], ones, &in[v]), ad);
    else
        require(ad_open_reverse(ad) && ad_track(ad, x[v], &in[v]), ad);
    y = slope(ad, op, p, order - 1, in);
    if (is_forward)
        require(ad_tangent(ad, y, &made), ad);
    else
        require(ad_sweep(ad, y, ones) && ad_gradient(ad, in[v], &made), ad);
    value_release(ones);
    value_release(y);
    value_release(in[v]);
    ad_close(ad);
    return made;
}

/* ---- all of them at all points ---- */

enum { MOST_PATHS = 20, ENOUGH = 4096 /* elements for rules to run as tile programs */ };

static int paths_of(const Row *row, Path *path)
{
    int n = 0, variables = row->two ? 2 : 1;
    for (int inner = 0; inner < variables; inner++) {
        for (int way = 0; way < 2; way++) path[n++] = (Path){1, {inner}, {way}};
        for (int outer = 0; outer < variables; outer++)
            for (int way = 0; way < 4; way++)
                path[n++] = (Path){2, {inner, outer}, {way & 1, way >> 1}};
    }
    return n;
}

static Value draw_points(Ad *ad, const Range *r, long n)
{
    Array *a = array_new(DT_FLOAT, &(Shape){1, {n < ENOUGH ? ENOUGH : n}}, ad->err);
    require(a != NULL, ad);
    double *x = array_floats(a);
    for (int64_t i = 0; i < a->size; i++) x[i] = i < n ? draw(r) : x[i - n];
    return value_arr(a);
}

/* The same bits, or NaN both. */
static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static double of_numbers(Ad *ad, OpCode op, const Path *p, double x, double y)
{
    Value in[2] = {value_float(x), value_float(y)};
    return slope(ad, op, p, p->order, in).f;
}

static void measure_point(Stencil *s, Ad *ad, const Row *row, const Path *path, int n,
                          const double *got, double x, double y, Worst *worst)
{
    OpCode op = op_of_elementwise(row->f);
    differentiate(s, row, x, y);
    for (int i = 0; i < n; i++) {
        const Path *p = &path[i];
        int by_y = p->variable[0] + (p->order == 2 ? p->variable[1] : 0);
        double units = slope_distance(s, row, got[i], p->order - by_y, by_y);
        if (!is_same(of_numbers(ad, op, p, x, y), got[i])) units = INFINITY;
        consider(&worst[p->order - 1], units, x, y);
    }
}

double measure_slopes(const Row *row, long points)
{
    Error err = {0};
    Ad ad = {.err = &err};
    Stencil s;
    Path path[MOST_PATHS];
    Worst worst[2] = {{0}};
    int n = paths_of(row, path);
    Value made[MOST_PATHS], x[2] = {draw_points(&ad, &row->x, points),
                                    draw_points(&ad, row->two ? &row->y : &row->x, points)};
    for (int i = 0; i < n; i++)
        made[i] = slope(&ad, op_of_elementwise(row->f), &path[i], path[i].order, x);
    stencil_init(&s);
    for (long k = 0; k < points; k++) {
        double got[MOST_PATHS];
        for (int i = 0; i < n; i++) got[i] = array_float_at(made[i].arr, k);
        measure_point(&s, &ad, row, path, n, got, array_float_at(x[0].arr, k),
                      array_float_at(x[1].arr, k), worst);
    }
    print_worst(row, "first", &worst[0]);
    print_worst(row, "second", &worst[1]);
    stencil_clear(&s);
    for (int i = 0; i < n; i++) value_release(made[i]);
    for (int i = 0; i < 2; i++) value_release(x[i]);
    ad_free(&ad);
    return fmax(worst[0].units, worst[1].units);
}

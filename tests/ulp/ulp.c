/* ulp [POINTS]: fails where a function is off by more than 1 unit in the last place, or a derivative by
 * more than 4. */
#include "ulp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "array/elementwise/number.h"

static double uniform(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

double draw(const Range *r)
{
    double u = uniform();
    if (r->spread == EVEN) return r->low + (r->high - r->low) * u;
    double x = exp(log(r->low) + (log(r->high) - log(r->low)) * u);
    return r->spread == BOTH_SIGNS && uniform() < 0.5 ? -x : x;
}

double distance(double got, const mpfr_t exact, const mpfr_t largest, int lowest)
{
    double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (isnan(nearest) || isnan(got)) return isnan(nearest) && isnan(got) ? 0 : INFINITY;
    if (isinf(nearest) || isinf(got) || got == nearest) return got == nearest ? 0 : INFINITY;
    mpfr_srcptr size = mpfr_cmpabs(exact, largest) < 0 ? largest : exact;
    long unit = mpfr_zero_p(size) ? lowest : (long)mpfr_get_exp(size) - 53;
    mpfr_t d;
    mpfr_init2(d, mpfr_get_prec(exact));
    mpfr_d_sub(d, got, exact, MPFR_RNDN);
    mpfr_div_2si(d, d, unit < lowest ? lowest : unit, MPFR_RNDN);
    double units = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return units;
}

void consider(Worst *worst, double units, double x, double y)
{
    if (!(units <= worst->units)) *worst = (Worst){units, x, y};
}

void print_worst(const Row *row, const char *what, const Worst *worst)
{
    printf("%-8s [%g, %g]", elementwise_info[row->f].name, row->x.low, row->x.high);
    if (row->two) printf(" [%g, %g]", row->y.low, row->y.high);
    printf(" %s: %.3f at %a", what, worst->units, worst->x);
    printf(row->two ? " %a\n" : "\n", worst->y);
}

double measure_value(const Row *row, long points)
{
    enum { BITS = 200 };
    mpfr_t x, y, exact;
    mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
    mpfr_init2(exact, BITS);
    Worst worst = {0};
    for (long i = 0; i < points; i++) {
        double first = draw(&row->x), second = row->two ? draw(&row->y) : 0;
        mpfr_set_d(x, first, MPFR_RNDN);
        mpfr_set_d(y, second, MPFR_RNDN);
        exact_value(row, exact, x, y);
        double got = elementwise_number(row->f, first, second);
        consider(&worst, distance(got, exact, exact, -1074), first, second);
    }
    print_worst(row, "value", &worst);
    mpfr_clears(x, y, exact, (mpfr_ptr)NULL);
    return worst.units;
}

int main(int argc, char **argv)
{
    long points = argc > 1 ? atol(argv[1]) : 20000;
    double value = 0, slope = 0;
    printf("%s, %ld points a range\n", simd_name(), points);
    for (int i = 0; i < n_rows; i++) {
        value = fmax(value, measure_value(&rows[i], points));
        slope = fmax(slope, measure_slopes(&rows[i], points));
    }
    printf("worst value: %.3f, worst derivative: %.3f\n", value, slope);
    return value > 1 || slope > 4;
}

/* How far the elementwise functions and their derivatives are from the exact ones, in units in the last
 * place, against MPFR over the whole domain of each. Half a unit is perfect. */
#ifndef TESTS_ULP_H
#define TESTS_ULP_H

#include <mpfr.h>
#include <stdbool.h>

#include "array/elementwise/elementwise.h"

typedef enum { EVEN, MAGNITUDES, BOTH_SIGNS } Spread;

typedef struct {
    double low, high;
    Spread spread; /* evenly, or evenly in the exponent */
} Range;

/* What the length is over which a function of x and y changes, and with it the step of a difference. */
typedef enum {
    SCALED, /* |x|, and |y|: singular at 0 */
    SMOOTH, /* at least 1 */
    WAVE,   /* 1 */
    POWER,  /* |x|, and at least 1 in y */
    ANGLE,  /* the larger of |x| and |y|, in both */
} Length;

/* One function over one range of each operand. */
typedef struct {
    Elementwise f;
    int (*one)(mpfr_t, const mpfr_t, mpfr_rnd_t); /* of one operand, or of two */
    int (*two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    Range x, y;
    Length length;
    /* With the same derivatives, but without the jump of two; or NULL. */
    int (*smooth)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    /* Of a mixed second derivative that is a difference, its larger term, from the first ones. */
    void (*largest)(mpfr_t, const mpfr_t fx, const mpfr_t fy, const mpfr_t y);
} Row;

extern const Row rows[];
extern const int n_rows;

/* The exact function, to r's precision. */
void exact_value(const Row *row, mpfr_t r, const mpfr_t x, const mpfr_t y);

/* The next of a fixed sequence of random points. */
double draw(const Range *r);

/* In units in the last place of the larger of exact and largest, or 2^lowest if that is more. */
double distance(double got, const mpfr_t exact, const mpfr_t largest, int lowest);

typedef struct {
    double units, x, y;
} Worst;

void consider(Worst *worst, double units, double x, double y);
/* "tanh [-20, 20] what: 0.5 at 0x1p0" */
void print_worst(const Row *row, const char *what, const Worst *worst);

double measure_value(const Row *row, long points);
/* The largest of all first and second derivatives, in all mixes of forward and reverse mode, which give the
 * same bits for an array as for numbers. */
double measure_slopes(const Row *row, long points);

#endif

/* Comparing two values for a check: what fails, where, and by how much. */
#ifndef BUILTINS_COMPARE_H
#define BUILTINS_COMPARE_H

#include "value/value.h"

typedef enum { REL_EQ, REL_CLOSE, REL_LT, REL_LE, REL_GT, REL_GE } Relation;

typedef struct {
    Relation relation;
    double rtol, atol; /* of REL_CLOSE */
    bool equal_nan;
} Criterion;

/* A pair that fails. */
typedef struct {
    StrBuf path;  /* where it is: ".layers[2].W[0, 3]", or empty */
    Value a, b;   /* numbers, or parts of what is compared; borrowed */
    double gap;   /* |a − b|; nan when one of them is */
    double worth; /* how bad it is, for telling the worst */
} Failure;

typedef struct {
    char *misfit; /* why the two can't be compared part by part ("shapes 1×2 and 2×2 differ"), or
                     NULL */
    StrBuf path;  /* where that is */
    int64_t compared, failed;
    Failure first, worst; /* when failed > 0 */
} Findings;

/* Fills *f (zeroed before). REL_EQ and REL_CLOSE walk structures; the orderings take numbers,
 * arrays and strings. Shapes must be equal: nothing is broadcast. False only when nested too deeply
 * or out of memory. */
bool compare_values(const Criterion *c, Value a, Value b, Findings *f, Error *err);
static inline bool findings_pass(const Findings *f)
{
    return !f->misfit && f->failed == 0;
}
void findings_free(Findings *f);
/* How many Floats lie between x and y, which are finite: their distance in units in the last place.
 */
uint64_t float_steps(double x, double y);

#endif

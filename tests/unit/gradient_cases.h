/* The operations as functions to differentiate: one Case is one operation applied to given inputs.
 * Each family of operations has a file of cases; test_gradient.c walks them all. */
#ifndef TESTS_GRADIENT_CASES_H
#define TESTS_GRADIENT_CASES_H

#include "gradient_check.h"

enum { MAX_INPUTS = 8 };

typedef struct {
    OpCode op;
    int n;
    Value in[MAX_INPUTS];
    const OpAttr *attr; /* or NULL */
    unsigned wrt;       /* bit mask: the inputs that are differentiated by */
    unsigned fixed;     /* and those that never are */
} Case;

typedef void CaseVisitor(const Case *c);

/* Each calls visit for every case of its family, and frees what it made. */
void elementwise_cases(CaseVisitor *visit);
void reduce_cases(CaseVisitor *visit);
void matmul_cases(CaseVisitor *visit);
void shape_cases(CaseVisitor *visit);
void index_cases(CaseVisitor *visit);
void linalg_cases(CaseVisitor *visit);
void fused_cases(CaseVisitor *visit);

/* Calls visit with c for every choice of inputs to differentiate by (Floats only), in every memory
 * layout. The inputs are consumed. */
void offer(CaseVisitor *visit, Case c);

/* The case as a function of the tuple of the inputs in wrt. */
Function case_function(const Case *c);
Value case_inputs(const Case *c);
/* "MUL 2×3 3 by 1": borrowed until the next call. */
const char *case_text(const Case *c);

/* ---- inputs ---- */

/* A Float for rank 0, else an array; uniform in [lo, hi). */
Value random_input(Shape s, double lo, double hi);
/* No two elements of the inputs of one case, numbered by which, are closer than 0.07: for
 * operations with kinks at ties. */
Value spread_input(Shape s, double lo, int which);
Value int_input(Shape s, int64_t lo, int64_t hi);
Value bool_input(Shape s);

#endif

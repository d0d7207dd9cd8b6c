/* What the sources of array/linalg/linalg.h share. */
#ifndef ARRAY_LINALG_PARTS_H
#define ARRAY_LINALG_PARTS_H

#include "array/array.h"

/* Square matrices as contiguous Floats. */
typedef struct {
    Array *a; /* owned */
    Shape shape, batch;
    int64_t n, count;
} Stack;

bool stack_start(Stack *s, Array *a, const char *what, Error *err);
static inline double *stack_matrix(const Stack *s, int64_t i)
{
    return array_floats(s->a) + i * s->n * s->n;
}
/* Which matrix a message is about: "the matrix", or "matrix [1, 0] of the stack". */
void stack_write_which(StrBuf *out, const Shape *batch, int64_t i);

typedef enum { FULL, LOWER, UPPER } SystemForm;

/* One matrix, factored if it is no triangle. */
typedef struct {
    int64_t n;
    double *lu;
    int64_t *pivot;
    SystemForm form;
    size_t bytes;
} System;

bool system_start(System *s, int64_t n, Error *err);
void system_end(System *s);
bool system_factor(System *s, const double *a, Error *err);

#endif

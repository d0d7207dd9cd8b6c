/* Bools by the run. */
#ifndef ARRAY_TRUTH_H
#define ARRAY_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

/* How many of n are true. */
int64_t truth_count(const bool *x, int64_t n);

#endif

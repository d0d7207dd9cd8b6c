/* What the tape holds of a custom call. Private to this floor. */
#ifndef AD_CUSTOM_NODE_H
#define AD_CUSTOM_NODE_H

#include "ad/custom.h"
#include "ad/tape.h"

typedef struct Custom {
    CustomRule rule;
    Value result; /* the result's structure, as seen from below */
    uint32_t n_outputs;
    int n;
    Value arg[]; /* as given, tracked */
} Custom;

/* Runs the pullback with the outputs' cotangents, if any arrived. */
bool custom_sweep(Ad *ad, int depth, uint32_t number);
void custom_drop(Custom *custom);

#endif

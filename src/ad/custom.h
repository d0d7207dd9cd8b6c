/* Functions with a derivative of their own: a call is one node, whose pullback is somebody else's
 * (a hand-written adjoint).
 *
 * A custom node is followed by one output node for every Float leaf of the result. The sweep leaves
 * the outputs' cotangents in place until it reaches the custom node, which hands all of them to the
 * pullback at once. */
#ifndef AD_CUSTOM_H
#define AD_CUSTOM_H

#include "ad/ad.h"

typedef struct {
    void *context;
    Value function; /* what the callbacks belong to; retained by the node */
    /* The result for n arguments. */
    bool (*primal)(void *context, Value function, const Value *arg, int n, Value *out);
    /* The cotangents of n arguments (owned), given the result's; none for one that has none. Must
     * be linear in cotangent. */
    bool (*pullback)(void *context, Value function, const Value *arg, int n, Value cotangent,
                     Value *given);
    /* Fails, with the reason, when given does not fit argument i. */
    bool (*misfit)(void *context, Value function, int i, Value arg, Value given);
} CustomRule;

/* Calls rule's primal and records the call on every level that a leaf of an argument is tracked by.
 * What functions among the arguments captured does not count and must not be tracked.
 * Forward levels go through the transpose of the pullback: J u is the gradient of <pullback(w), u>
 * by w. */
bool ad_custom(Ad *ad, const CustomRule *rule, const Value *arg, int n, Value *out);

#endif

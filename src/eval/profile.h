/* What a run costs, line by line and call by call.
 *
 * The places of ad/watch.h get their meaning here: they form the tree of calls, in which a place is
 * a function under its caller's function, or a line of the function it hangs under. Time is charged
 * to lines; functions only group them. A caller's line is charged for evaluating arguments and
 * binding them, the callee's lines for the rest. */
#ifndef EVAL_PROFILE_H
#define EVAL_PROFILE_H

#include "ad/watch.h"

enum { PROFILE_DEEPEST = 128 }; /* calls deeper than this are charged as if made at this depth */

typedef struct {
    uint32_t parent;   /* a function's caller, a line's function; 0: the root */
    uint32_t position; /* in the source (syntax/source.h) */
    const char *name;  /* of a function; NULL: anonymous */
    bool is_line;
    int depth;
} ProfilePlace;

typedef struct Profile {
    Watch watch; /* its places' tallies; watch.op: the operations' */
    Ad *ad;
    VEC_OF(ProfilePlace) place; /* by number; 0 is the root, charged for loading and parsing */
    uint32_t function;          /* that runs */
    uint32_t *bucket;           /* hash table of numbers, by parent and position; 0: free */
    uint32_t n_buckets;         /* a power of two */
} Profile;

/* What a call changes. */
typedef struct {
    uint32_t function, at;
    int busy;
} ProfileCall;

/* Measures from here on what ad and its evaluator do. */
Profile *profile_new(Ad *ad);
/* Charges what has passed since the last move. */
void profile_stop(Profile *p);
void profile_free(Profile *p);

/* A line of the running function runs from here on; gives the one that did. */
uint32_t profile_line(Profile *p, uint32_t position);
void profile_back(Profile *p, uint32_t before);
/* A function, which must outlive p, is called, or a file run; then profile_leave goes back. */
ProfileCall profile_enter(Profile *p, uint32_t position, const char *name);
void profile_leave(Profile *p, ProfileCall caller);

#endif

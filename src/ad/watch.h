/* Measuring what runs: time and array memory by place, and by operation.
 *
 * A place is a number that the evaluator gives meaning to (a line under a stack of calls). At every
 * moment one place runs, in one phase; moving to another charges what has passed since the last
 * move, so a place's time is its own and not that of what it calls. Tapes remember, in runs, by
 * which place their nodes were recorded: the backward sweep is charged to the same places.
 *
 * ad->watch is NULL unless somebody measures. Operations on single numbers are counted but not
 * timed, because reading the clock takes longer than they do. */
#ifndef AD_WATCH_H
#define AD_WATCH_H

#include "ad/ad.h"
#include "base/vec.h"

typedef enum {
    PHASE_PLAIN,
    PHASE_RECORD, /* places: a derivative is open; operations: an operand is tracked */
    PHASE_SWEEP,
    PHASE_COUNT
} Phase;

typedef struct {
    uint64_t times[PHASE_COUNT], ns[PHASE_COUNT], bytes[PHASE_COUNT];
} Tally;

typedef struct Watch {
    Tally op[OP_COUNT];
    VEC_OF(Tally) place; /* number 0: outside of every other */
    uint32_t at;         /* the place that runs */
    Phase phase;
    int sweeping; /* sweeps under way */
    int busy;     /* inside of an operation or a rule: what it is made of is not counted apart */
    uint64_t since, bytes_since;
} Watch;

/* An operation under way. */
typedef struct {
    Tally *tally; /* NULL: part of another one */
    Phase phase;
    bool is_timed;
    uint64_t since, bytes_since;
} WatchedOp;

/* Starts measuring, at place 0. */
void watch_start(Ad *ad, Watch *w);
/* Charges what has passed; nothing is measured from here on. */
void watch_stop(Ad *ad);
/* The phase that places are in now. */
Phase watch_phase(const Ad *ad);
/* Charges what has passed. place runs from here on, in the phase that ad is in now. */
void watch_move(Ad *ad, uint32_t place);

/* Around an operation; in are its inputs. */
WatchedOp watch_begin(Ad *ad, OpCode op, const Value *in, int n);
/* Around the rule of a node of op; OP_COUNT for a node without. */
WatchedOp watch_begin_rule(Ad *ad, OpCode op);
void watch_end(Ad *ad, const WatchedOp *o);
/* An operation on a single number. */
void watch_count(Ad *ad, OpCode op, bool is_tracked);

#endif

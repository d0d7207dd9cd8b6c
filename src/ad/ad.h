/* Derivatives: levels, the tape, and op_apply, through which every operation on numbers and arrays
 * goes.
 *
 * Why tracking is part of a Value: a tracked value is its primal plus a node number, the dual
 * number of operator overloading, at no allocation. op_apply looks at the highest level among its
 * inputs, peels that level off, applies the operation one level lower (where an outer derivative
 * may record it too), and pushes one node on the level's tape. That recursion is all that nesting
 * in any mix needs; a derivative can't be confused with another's because each has a level of its
 * own. (Siskind and Pearlmutter, "Nesting forward-mode AD in a functional framework", 2008; Radul
 * et al., "You only linearize once", 2023.)
 *
 * Nothing outside this floor looks at level or node, except to pass a Value on. */
#ifndef AD_AD_H
#define AD_AD_H

#include "base/vec.h"
#include "ops/op.h"

enum { MAX_LEVELS = 100 };

typedef struct Level Level;

typedef struct Ad {
    Level *level[MAX_LEVELS + 1]; /* 1 … depth are open */
    int depth;
    Error *err;
    Level *spare;        /* a closed one, the largest, whose memory is for the next */
    VEC_OF(Value) pool;  /* temporaries of the rules that run (rule.h) */
    struct Watch *watch; /* watch.h; NULL: nothing is measured */
    struct Trace *trace; /* elementwise_gradient.h; NULL: nothing is traced */
} Ad;

/* Whether no derivative tracks a value, or two. */
static inline bool value_is_plain(Value v)
{
    return !v.level;
}
static inline bool value_is_plain_float(const Value *v)
{
    return v->kind == VAL_FLOAT && !v->level;
}
static inline bool values_are_plain(Value a, Value b)
{
    return !(a.level | b.level);
}

/* ---- applying operations (apply.c) ---- */

/* Applies op to n borrowed inputs; *out is owned by the caller. Records on every level that an
 * input is tracked by. */
bool op_apply(Ad *ad, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out);
/* x with the selected elements replaced (SET_INDEX) or increased (ADD_INDEX) by v, in place where
 * *target is not shared: a row costs a row. *target is consumed and replaced; on failure it is as
 * it was. */
bool op_update(Ad *ad, OpCode op, Value *target, const Selection *selection, Value v);

static inline bool op_apply1(Ad *ad, OpCode op, Value x, Value *out)
{
    return op_apply(ad, op, &x, 1, NULL, out);
}
static inline bool op_apply2(Ad *ad, OpCode op, Value x, Value y, Value *out)
{
    Value in[2] = {x, y};
    return op_apply(ad, op, in, 2, NULL, out);
}
/* + - * / of two Floats, or of a Float and an Int, of which one is tracked, for the usual case that
 * their primals are plain; false, with nothing done, where the general op_apply is needed. */
bool op_numbers(Ad *ad, OpCode op, Value x, Value y, Value *out);
/* x as Floats: x itself, retained, when it is, so that nothing is copied or recorded. */
static inline bool op_to_float(Ad *ad, Value x, Value *out)
{
    if (!value_is_float(x)) return op_apply1(ad, OP_TO_FLOAT, x, out);
    *out = value_retain(x);
    return true;
}
bool op_reduce(Ad *ad, OpCode op, Value x, unsigned axes, bool keepdims, Value *out);
bool op_reshape(Ad *ad, Value x, const Shape *s, Value *out);
bool op_broadcast(Ad *ad, Value x, const Shape *s, Value *out);
/* x[selection] */
bool op_index(Ad *ad, Value x, Selection *selection, Value *out);
/* The element of x at flat row-major position offset: x[i, j] without the cost of a Selection. */
bool op_element(Ad *ad, Value x, int64_t offset, Value *out);
/* x[i, j] = v (SET_INDEX) or += v (ADD_INDEX) for a number v, as op_update. */
bool op_update_element(Ad *ad, OpCode op, Value *target, int64_t offset, Value v);

/* v without any tracking. The payload of a tracked value is plain, so nothing is computed. */
static inline Value ad_plain(Value v)
{
    v.level = 0;
    v.node = 0;
    return v;
}

/* ---- opening and closing derivatives (level.c) ---- */

/* Opens a reverse level on top; fails (ERR_DEPTH) when too many are open. */
bool ad_open_reverse(Ad *ad);
/* Opens a forward level on top. */
bool ad_open_forward(Ad *ad);
/* Closes the topmost level and frees its tape. */
void ad_close(Ad *ad);

/* At the end: frees what is kept for the next tape. */
void ad_free(Ad *ad);

/* v as seen from below the topmost level. Borrowed: the same payload. */
Value ad_peel(const Ad *ad, Value v);

/* ---- reverse mode (structure.c, sweep.c) ---- */

/* x with every Float leaf (in numbers, arrays, tuples, maps, structs) made an input of the topmost,
 * reverse level. */
bool ad_track(Ad *ad, Value x, Value *tracked);
/* Sweeps the topmost tape backwards from results (a structure) seeded with cotangents of the same
 * structure. Interrupts are answered. seed is borrowed. */
bool ad_sweep(Ad *ad, Value result, Value seed);
/* The same in two steps: several results are seeded, then one sweep runs. */
bool ad_sweep_part(Ad *ad, Value result, Value seed);
bool ad_sweep_run(Ad *ad);
/* For several sweeps of one tape: before the first, keep what sweeps otherwise free; between them,
 * forget the cotangents. */
void ad_keep_tape(Ad *ad);
void ad_forget_cotangents(Ad *ad);
/* After the sweep: the structure of tracked (what ad_track returned) with its cotangents: zeros
 * where nothing arrived, none for leaves that are not Float. */
bool ad_gradient(Ad *ad, Value tracked, Value *gradient);

/* ---- forward mode ---- */

/* x with every Float leaf given the tangent at the same place of dx. A structure or shape that does
 * not fit is an error. */
bool ad_track_tangent(Ad *ad, Value x, Value dx, Value *tracked);
/* The tangents of a result's structure: zeros where it does not depend, none for leaves that are
 * not Float. */
bool ad_tangent(Ad *ad, Value result, Value *tangent);
/* A structure as seen from below the topmost level. Owned. */
bool ad_peel_structure(Ad *ad, Value v, Value *out);

/* How many nodes the topmost tape holds, and its bytes: for tests and profiling. */
size_t ad_tape_nodes(const Ad *ad);

#endif

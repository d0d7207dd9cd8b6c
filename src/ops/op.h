/* What an operation on numbers and arrays is, and its application to plain operands. Derivatives
 * are one floor up (ad/). */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "array/index/index.h"
#include "value/value.h"

typedef enum {
#define OP(code, ...) OP_##code,
#include "ops/op_list.h"
#undef OP
    OP_COUNT
} OpCode;

enum { VARIADIC = -1 };

/* What a derivative rule reads. */
enum { SAVE_X = 1, SAVE_Y = 2, SAVE_Z = 4, SAVE_OUT = 8 };

/* What an operation is told besides its inputs; which members count depends on the operation. */
typedef struct OpAttr {
    unsigned axes;   /* reductions: bit mask */
    bool keepdims;   /* reductions */
    bool backwards;  /* recurrence */
    bool transposed; /* solve: with the transposed matrix */
    int axis;        /* arg reductions, scans, concat, argsort */
    /* Elementwise, of plain operands only: bit i says that the caller drops input i, whose memory may
     * become the result's if nobody else holds it. */
    unsigned may_overwrite;
    Selection *selection;               /* index operations */
    const struct FusedProgram *program; /* fused; outlives every use */
    /* reshape, broadcast: the new shape; transpose: dim holds the permutation. Last, because a copy
     * ends with the sizes that are there. */
    Shape shape;
} OpAttr;

typedef struct OpRow OpRow;
typedef bool (*OpKernel)(const OpRow *row, const Value *in, int n, const OpAttr *attr, Value *out,
                         Error *err);

struct OpRow {
    const char *id;   /* "ADD" */
    const char *name; /* as messages name it */
    int arity;
    OpKernel kernel;
    int detail;
    uint8_t saves_for_x, saves_for_y;
    const char *doc;
};

extern const OpRow op_rows[OP_COUNT];

/* Applies op to n inputs, ignoring any tracking. Operands that are no numbers or arrays are an
 * ERR_TYPE naming the operation and the types; kernels' errors are passed on. attr may be NULL for
 * operations that need none. */
bool op_eval(OpCode op, const Value *in, int n, const OpAttr *attr, Value *out, Error *err);
/* SET_INDEX and ADD_INDEX on a plain *target, in place where it is not shared. */
bool op_eval_update(OpCode op, Value *target, const Selection *selection, Value v, Error *err);

#endif

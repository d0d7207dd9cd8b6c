/* What an operation on numbers and arrays is, and its application to plain operands. Derivatives
 * are one floor up (ad/). */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "array/elementwise/function.h"
#include "array/index/index.h"
#include "value/value.h"

typedef enum {
#define OP(code, ...) OP_##code,
#include "ops/op_list.h"
#undef OP
    OP_COUNT
} OpCode;

enum { VARIADIC = -1 };

/* What a derivative rule reads: the result, and inputs. */
enum { SAVE_OUT = 1, SAVE_X = 2, SAVE_Y = 4, SAVE_Z = 8 };
static inline unsigned save_input(int i)
{
    return 2u << i;
}

/* What an operation is told besides its inputs; which members count depends on the operation. */
typedef struct OpAttr {
    unsigned axes;   /* reductions, share: bit mask */
    bool keepdims;   /* reductions */
    bool backwards;  /* scans */
    bool transposed; /* solve: with the transposed matrix */
    int axis;        /* arg reductions, scans, concat, argsort */
    /* Elementwise, of plain operands only: bit i says that the caller drops input i, whose memory may
     * become the result's if nobody else holds it. */
    unsigned may_overwrite;
    Selection *selection;        /* index operations */
    struct TileProgram *program; /* fused; outlives every use */
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

bool kernel_elementwise(const OpRow *row, const Value *in, int n, const OpAttr *attr, Value *out,
                        Error *err);
/* Whether op is one elementwise function (op_rows[op].detail), or a program of several. */
static inline bool op_is_elementwise(OpCode op)
{
    return op_rows[op].kernel == kernel_elementwise;
}
/* The operation that an elementwise function is. */
OpCode op_of_elementwise(Elementwise f);

/* Applies op to n inputs, ignoring any tracking. Operands that are no numbers or arrays are an
 * ERR_TYPE naming the operation and the types; kernels' errors are passed on. attr may be NULL for
 * operations that need none. */
bool op_eval(OpCode op, const Value *in, int n, const OpAttr *attr, Value *out, Error *err);
/* SET_INDEX and ADD_INDEX on a plain *target, in place where it is not shared. */
bool op_eval_update(OpCode op, Value *target, const Selection *selection, Value v, Error *err);

#endif

/* Elementwise work on arrays: one element of the result from one element of each operand, with
 * broadcasting. A function alone or an expression of several, it is a tile program (tile.h), and run.c
 * picks how to run it. Loops are compiled once per instruction set and give the same bits at every
 * width, and for a number as for an array. */
#ifndef ARRAY_ELEMENTWISE_ELEMENTWISE_H
#define ARRAY_ELEMENTWISE_ELEMENTWISE_H

#include "array/elementwise/tile.h"

/* Applies f to n = arity operands, or a program to its leaves (program is not NULL; f is ignored). Fails with
 * ERR_SHAPE (broadcast), ERR_TYPE, ERR_MEMORY or as tile_run. The result is contiguous; rank 0 when all
 * operands are. Bit i of may_overwrite: the caller drops operand i, whose memory becomes the result's
 * when it fits and nobody else sees it. */
Array *elementwise_apply(Elementwise f, const TileProgram *program, Array *const *in,
                         unsigned may_overwrite, Error *err);
static inline Array *elementwise_run(Elementwise f, Array *const *in, Error *err)
{
    return elementwise_apply(f, NULL, in, 0, err);
}

/* The shape to which n operands broadcast: nearly always that of one of them, else made in room. NULL:
 * ERR_SHAPE. */
const Shape *elementwise_shape(Array *const *in, int n, Shape *room, Error *err);

/* An array, or a number where array is NULL. */
typedef struct {
    const Array *array;
    double number;
} SmallOperand;

/* elementwise_apply of f to n ≤ 2 operands: one or two arrays of a few Floats, of one shape and
 * contiguous. *out is NULL and err set when memory is short. False, with nothing done, for others: what
 * elementwise_apply finds out about them takes as long as the work. */
bool elementwise_run_few(Elementwise f, const SmallOperand *operand, int n, Array **out,
                         Error *err);
/* to += v, both contiguous Floats of one size; to must be writable in place. */
void elementwise_add_into(Array *to, const Array *v);
/* The type of f's result for operands of these types (of Ints raised to Ints: while no exponent is
 * negative). */
DType elementwise_type(Elementwise f, const DType *in);
/* Whether every step of a program meets a Float, so that Ints among its leaves (is_float tells; it has
 * room for the steps, too) are converted: Ints alone are checked for overflow, one operation after the
 * other. */
bool elementwise_meets_floats(const TileStep *step, int n_leaves, int n_steps, bool *is_float);

#endif

/* Steps that builtins rearrange arrays with, and what the files of the topic share: arrange.c moves
 * and repeats, join.c joins and splits, matrix.c works on matrices and masks. */
#ifndef BUILTINS_ARRANGE_H
#define BUILTINS_ARRANGE_H

#include "eval/builtin.h"

/* Takes an array that was made (NULL: that failed) and filled, if ok; what is not goes, and the result is
 * false. */
static inline bool give_array(bool ok, Array *made, Value *out)
{
    *out = value_from_array_take(array_if(ok, made));
    return value_is_set(*out);
}

/* Steps on an owned value, so that a builtin is a chain of them: *v is replaced by the result, or
 * released and left unset when the step fails. */
bool then_reshape(Interp *in, Value *v, const Shape *s);
bool then_ravel(Interp *in, Value *v);
bool then_broadcast(Interp *in, Value *v, const Shape *s);
bool then_index(Interp *in, Value *v, const IndexTerm *term, int n);

/* v with start:stop along axis; a view. */
bool slice_axis(Interp *in, Value v, int axis, int64_t start, int64_t stop, Value *out);
/* The number 0 of a type. */
Value zero_of(DType t);
/* Keyword k as an axis that defaults to 0; none is no axis. */
bool kw_axis_or_first(Interp *in, const Args *a, int k, const Shape *s, int *axis);
/* "shape 2×3", or "a number". */
const char *shape_phrase(const Shape *s);

/* The array's part of split: split(x, parts, axis = 0), axis being the first keyword. Gives a tuple
 * of views. */
bool split_array(Interp *in, const Args *a, Value *out);

BuiltinFunction concat_builtin, stack_builtin;
BuiltinFunction pad_builtin, diag_builtin, tril_builtin, triu_builtin, outer_builtin;
BuiltinFunction where_builtin, clip_builtin;

#endif

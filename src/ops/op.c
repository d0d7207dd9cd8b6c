#include "ops/op.h"

#include "array/elementwise/elementwise.h"
#include "array/reduce/reduce.h"
#include "ops/kernels.h"

const OpRow op_rows[OP_COUNT] = {
#define OP(code, op_name, n, run, what, x, y, reverse, forward, text)                              \
    [OP_##code] = {.id = #code,                                                                    \
                   .name = op_name,                                                                \
                   .arity = n,                                                                     \
                   .kernel = kernel_##run,                                                         \
                   .detail = what,                                                                 \
                   .saves_for_x = x,                                                               \
                   .saves_for_y = y,                                                               \
                   .doc = text},
#include "ops/op_list.h"
#undef OP
};

OpCode op_of_elementwise(Elementwise f)
{
    int op = 0;
    while (!op_is_elementwise((OpCode)op) || op_rows[op].detail != (int)f) op++;
    return (OpCode)op;
}

static __attribute__((cold, noinline)) bool refuse_operands(const OpRow *row, const Value *in,
                                                            int n, Error *err)
{
    for (int i = 0; i < n; i++) {
        if (value_is_numeric(in[i])) continue;
        if (n == 2)
            return error_set(err, ERR_TYPE, "%s takes numbers and arrays, not %s and %s", row->name,
                             value_type_name(in[0]), value_type_name(in[1]));
        return error_set(err, ERR_TYPE, "%s takes numbers and arrays, not %s", row->name,
                         value_type_name(in[i]));
    }
    return true;
}

bool op_eval(OpCode op, const Value *in, int n, const OpAttr *attr, Value *out, Error *err)
{
    const OpRow *row = &op_rows[op];
    bool numeric = true;
    for (int i = 0; i < n; i++) numeric &= value_is_numeric(in[i]);
    return (numeric || refuse_operands(row, in, n, err)) && row->kernel(row, in, n, attr, out, err);
}

bool op_eval_update(OpCode op, Value *target, const Selection *selection, Value v, Error *err)
{
    if (target->kind != VAL_ARR)
        return error_set(err, ERR_TYPE, "%s can't be indexed", value_type_name(*target));
    if (!value_is_numeric(v))
        return error_set(err, ERR_TYPE, "an array's elements must be numbers, not %s",
                         value_type_name(v));
    Array scratch;
    Array *operand = value_operand(&v, &scratch);
    return op == OP_SET_INDEX ? selection_write(&target->arr, selection, operand, err)
                              : selection_add(&target->arr, selection, operand, err);
}

/* What operations refuse that the floors above never give them. */
#include <criterion/criterion.h>

#include "array_support.h"
#include "ops/op.h"

TestSuite(op, .fini = expect_nothing_alive);

Test(op, operands_that_are_no_numbers)
{
    Error err = {0};
    Value in[2] = {value_str(str_of("a")), value_float(1.0)}, out;
    cr_assert_not(op_eval(OP_SIN, in, 1, NULL, &out, &err));
    expect_error(&err, ERR_TYPE, "sin takes numbers and arrays, not Str");
    cr_assert_not(op_eval(OP_ADD, in, 2, NULL, &out, &err));
    expect_error(&err, ERR_TYPE, "+ takes numbers and arrays, not Str and Float");
    value_release(in[0]);
}

Test(op, updates_have_no_result)
{
    Error err = {0};
    Value in[2] = {value_float(1.0), value_float(2.0)}, out;
    cr_assert_not(op_eval(OP_SET_INDEX, in, 2, NULL, &out, &err));
    expect_error(&err, ERR_TYPE, "index = is an update");
}

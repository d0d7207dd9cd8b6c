#include <math.h>

#include "builtins/topics.h"

static bool inf_constant(Interp *in, const Args *a, Value *out)
{
    (void)in, (void)a;
    *out = value_float(INFINITY);
    return true;
}

static bool nan_constant(Interp *in, const Args *a, Value *out)
{
    (void)in, (void)a;
    *out = value_float(NAN);
    return true;
}

static bool pi_constant(Interp *in, const Args *a, Value *out)
{
    (void)in, (void)a;
    *out = value_float(3.14159265358979323846);
    return true;
}

static bool args_constant(Interp *in, const Args *a, Value *out)
{
    (void)a;
    *out = in->args ? value_retain(value_tuple(in->args)) : value_tuple(tuple_new(0));
    return true;
}

const Builtin builtins_constants[] = {
    {"inf", "inf", "The Float above every number. -inf is below every number.", inf_constant},
    {"nan", "nan",
     "The Float that is no number: what 0.0 / 0.0 gives. It equals nothing, itself included; isnan "
     "finds it.",
     nan_constant},
    {"pi", "pi", "The Float nearest to the circle's circumference over its diameter.", pi_constant},
    {"args", "args",
     "What was written after the file on the command line, as a tuple of strings; empty in tests "
     "and in the REPL.",
     args_constant},
    {0},
};

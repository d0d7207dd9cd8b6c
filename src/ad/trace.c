#include "ad/trace.h"

#include <string.h>

enum { CONSTANT = TILE_LEAVES, STEP = CONSTANT + TILE_LEAVES }; /* numbers until all are known */

_Static_assert(STEP + TILE_STEPS < 256, "numbers fit into a byte");

Value trace_input(Trace *t, int i, Error *err)
{
    Array *a = array_new(DT_FLOAT, &(Shape){1, {1}}, err);
    if (!a) return (Value){0};
    array_floats(a)[0] = 0.75; /* inside the domain of most functions */
    t->input[i] = array_retain(a);
    t->n_inputs = i + 1;
    return value_arr(a);
}

static int number_of(const Trace *t, const Array *a)
{
    for (int i = t->n_steps - 1; i >= 0; i--)
        if (t->made[i] == a) return STEP + i;
    for (int i = 0; i < t->n_inputs; i++)
        if (t->input[i] == a) return i;
    return -1;
}

static int constant(Trace *t, double v)
{
    for (int i = 0; i < t->n_constants; i++)
        if (memcmp(&t->constant[i], &v, sizeof v) == 0) return CONSTANT + i;
    if (t->n_inputs + t->n_constants == TILE_LEAVES) return -1;
    t->constant[t->n_constants] = v;
    return CONSTANT + t->n_constants++;
}

static int operand(Trace *t, Value v)
{
    if (v.kind == VAL_ARR) return number_of(t, v.arr);
    if (v.kind == VAL_FLOAT) return constant(t, v.f);
    return v.kind == VAL_INT ? constant(t, (double)v.i) : -1;
}

/* The elementwise function of an operation; false for one of another kind. */
static bool function_of(OpCode op, Elementwise *f)
{
    *f = op == OP_WHERE ? EW_WHERE : (Elementwise)op_rows[op].detail;
    return op == OP_WHERE || op_rows[op].kernel == op_rows[OP_ADD].kernel;
}

static bool note(Trace *t, OpCode op, const Value *in, int n, Value out)
{
    Elementwise f;
    if (!function_of(op, &f) || t->n_steps == TILE_STEPS) return false;
    TileStep s = {(uint8_t)f, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        int place = f == EW_WHERE ? (i + 1) % 3 : i; /* the condition is the last input, but the
                                                        first operand */
        int number = operand(t, in[i]);
        bool is_condition = f == EW_WHERE && place == 0;
        bool is_truth = in[i].kind == VAL_ARR && in[i].arr->dtype == DT_BOOL;
        if (number < 0 || is_truth != is_condition) return false;
        s.operand[place] = (uint8_t)number;
    }
    t->made[t->n_steps] = array_retain(out.arr);
    t->step[t->n_steps++] = s;
    return true;
}

bool trace_op(Trace *t, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out,
              Error *err)
{
    if (!op_eval(op, in, n, attr, out, err)) return false;
    if (out->kind != VAL_ARR) return true; /* of numbers alone: a constant */
    /* A number spread over the one element that there is. */
    if (op == OP_BROADCAST && in[0].kind == VAL_FLOAT && out->arr->size == 1) {
        Value once[2] = {in[0], value_float(1.0)};
        if (!note(t, OP_MUL, once, 2, *out)) t->failed = true;
        return true;
    }
    if (!note(t, op, in, n, *out)) t->failed = true;
    return true;
}

/* A number as tile_compile counts: inputs, constants, steps. */
static uint8_t settled(const Trace *t, int number)
{
    if (t->given_input && number == STEP + t->given_step) return (uint8_t)t->given_input;
    if (number >= STEP) return (uint8_t)(number - STEP + t->n_inputs + t->n_constants);
    return (uint8_t)(number >= CONSTANT ? number - CONSTANT + t->n_inputs : number);
}

int trace_value(const Trace *t, Value v)
{
    int number = v.kind == VAL_ARR ? number_of(t, v.arr) : -1;
    return number < 0 ? -1 : settled(t, number);
}

void trace_number(Trace *t)
{
    for (int i = 0; i < t->n_steps; i++)
        for (int k = 0; k < 3; k++) t->step[i].operand[k] = settled(t, t->step[i].operand[k]);
}

void trace_free(Trace *t)
{
    for (int i = 0; i < t->n_inputs; i++) array_release(t->input[i]);
    for (int i = 0; i < t->n_steps; i++) array_release(t->made[i]);
}

#include "ad/trace.h"

#include <string.h>

enum { CONSTANT = TILE_LEAVES, STEP = CONSTANT + TILE_LEAVES }; /* numbers until all are known */

_Static_assert(STEP + TILE_STEPS < 256, "numbers fit into a byte");

Value trace_input(Trace *t, int i, DType type, Error *err)
{
    Array *a = array_zeros(type, &(Shape){1, {1}}, err);
    if (!a) return (Value){0};
    if (type == DT_FLOAT) array_floats(a)[0] = 0.75; /* inside the domain of most functions */
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

static bool note(Trace *t, OpCode op, const Value *in, int n, Value out)
{
    if (!op_is_elementwise(op) || t->n_steps == TILE_STEPS) return false;
    TileStep s = {(uint8_t)op_rows[op].detail, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        int number = operand(t, in[i]);
        if (number < 0) return false;
        s.operand[i] = (uint8_t)number;
    }
    t->made[t->n_steps] = array_retain(out.arr);
    t->step[t->n_steps++] = s;
    return true;
}

static bool reads_trace(const Trace *t, const Value *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i].kind == VAL_ARR && number_of(t, in[i].arr) >= 0) return true;
    return false;
}

bool trace_op(Trace *t, OpCode op, const Value *in, int n, const OpAttr *attr, Value *out,
              Error *err)
{
    if (!op_eval(op, in, n, attr, out, err)) return false;
    /* A number spread over the one element that there is. */
    bool spreads = op == OP_BROADCAST && in[0].kind == VAL_FLOAT && out->kind == VAL_ARR;
    Value once[2] = {in[0], value_float(1.0)};
    if (spreads)
        t->failed |= !note(t, OP_MUL, once, 2, *out);
    else if (out->kind == VAL_ARR || reads_trace(t, in, n))
        t->failed |= out->kind != VAL_ARR || !note(t, op, in, n, *out);
    return true; /* what numbers alone give is a constant */
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

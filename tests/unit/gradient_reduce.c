/* Reductions over every set of axes, and scans along every axis. */
#include <criterion/criterion.h>

#include "array_support.h"
#include "gradient_cases.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const Shape shapes[] = {{0}, {1, {3}}, {2, {2, 3}}, {3, {2, 1, 3}}, {3, {2, 3, 2}}};

typedef Value MakeInput(Shape s);

static Value around_zero(Shape s)
{
    return random_input(s, -2, 2);
}

static Value away_from_zero(Shape s)
{
    return random_input(s, 1, 2);
}

static Value apart(Shape s)
{
    return spread_input(s, -1, 0);
}

/* Every third element is 0: where a rule that divides would fail. */
static Value with_zeros(Shape s)
{
    Array *a = array_zeros(DT_FLOAT, &s, &(Error){0});
    for (int64_t i = 0; i < a->size; i++)
        array_floats(a)[i] = i % 3 == 1 ? 0.0 : random_between(0.5, 2);
    return value_from_array_take(a);
}

static Value all_zeros(Shape s)
{
    return value_from_array_take(array_zeros(DT_FLOAT, &s, &(Error){0}));
}

static void over_axes(CaseVisitor *visit, OpCode op, MakeInput *make)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (unsigned axes = 0; axes < 1u << shapes[i].rank; axes++)
            for (int keep = 0; keep < 2; keep++) {
                OpAttr attr = {.axes = axes, .keepdims = keep};
                offer(visit, (Case){op, 1, {make(shapes[i])}, &attr, 0, 0});
            }
}

static void of_nothing(CaseVisitor *visit, OpCode op)
{
    Shape none = {2, {0, 3}};
    for (unsigned axes = 0; axes < 4; axes++) {
        OpAttr attr = {.axes = axes};
        offer(visit, (Case){op, 1, {random_input(none, 0, 1)}, &attr, 0, 0});
    }
}

static void along_axes(CaseVisitor *visit, OpCode op, MakeInput *make)
{
    static const Shape of[] = {{1, {4}}, {1, {1}}, {2, {2, 3}}, {3, {2, 1, 3}}, {2, {0, 3}}};
    for (size_t i = 0; i < COUNT(of); i++)
        for (int axis = 0; axis < of[i].rank; axis++)
            for (int backwards = 0; backwards < 2; backwards++) {
                OpAttr attr = {.axis = axis, .backwards = backwards};
                offer(visit, (Case){op, 1, {make(of[i])}, &attr, 0, 0});
            }
}

static void others_cases(CaseVisitor *visit, MakeInput *make)
{
    static const Shape of[] = {{1, {4}},       {1, {1}},    {2, {3, 2}}, {2, {2, 3}},
                               {3, {2, 5, 3}}, {2, {2, 5}}, {2, {0, 3}}};
    for (size_t i = 0; i < COUNT(of); i++)
        for (int axis = 0; axis < of[i].rank; axis++) {
            Shape one = of[i];
            OpAttr attr = {.axis = axis};
            one.dim[axis] = 1;
            offer(visit, (Case){OP_OTHERS, 2, {make(of[i]), around_zero(one)}, &attr, 0, 0});
        }
}

/* Of an array with ties, and its maximum, with and without the reduced axes. */
static void share_cases(CaseVisitor *visit)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (unsigned axes = 0; axes < 1u << shapes[i].rank; axes++)
            for (int keep = 0; keep < 2; keep++) {
                OpAttr attr = {.axes = axes, .keepdims = keep};
                Value from = all_zeros(shapes[i]), largest;
                Array scratch, *a = value_operand(&from, &scratch);
                for (int64_t k = 0; k < a->size; k++) array_floats(a)[k] = (double)(k * k % 4);
                cr_assert(op_eval(OP_MAX, &from, 1, &attr, &largest, &(Error){0}));
                Value v = random_input(value_shape(largest), -1, 1);
                offer(visit, (Case){OP_SHARE, 3, {v, from, largest}, &attr, 0, 6});
            }
}

static void exp_cases(CaseVisitor *visit)
{
    static const Shape from[] = {{0}, {1, {3}}, {2, {2, 3}}, {2, {2, 3}}, {2, {2, 3}}};
    static const Shape taken[] = {{0}, {1, {1}}, {2, {2, 1}}, {2, {1, 3}}, {0}};
    for (size_t i = 0; i < COUNT(from); i++) {
        Value x = around_zero(from[i]), y = around_zero(taken[i]), v = around_zero(from[i]);
        value_retain(x), value_retain(y);
        offer(visit, (Case){OP_EXP_MINUS, 2, {x, y}, NULL, 0, 0});
        offer(visit, (Case){OP_EXP_REST, 3, {v, x, y}, NULL, 0, 6});
    }
}

static void recurrence_cases(CaseVisitor *visit)
{
    static const Shape of[] = {{1, {4}}, {1, {1}}, {2, {2, 3}}, {3, {2, 1, 3}}, {2, {0, 3}}};
    for (size_t i = 0; i < COUNT(of); i++)
        for (int axis = 0; axis < of[i].rank; axis++)
            for (int backwards = 0; backwards < 2; backwards++) {
                OpAttr attr = {.axis = axis, .backwards = backwards};
                Value x = around_zero(of[i]), y = around_zero(of[i]);
                offer(visit, (Case){OP_RECURRENCE, 2, {x, y}, &attr, 0, 0});
            }
}

void reduce_cases(CaseVisitor *visit)
{
    random_start(2);
    over_axes(visit, OP_SUM, around_zero);
    over_axes(visit, OP_PROD, around_zero);
    over_axes(visit, OP_PROD, with_zeros);
    over_axes(visit, OP_PROD, all_zeros);
    over_axes(visit, OP_MAX, apart);
    over_axes(visit, OP_MIN, apart);
    over_axes(visit, OP_MEAN, around_zero);
    over_axes(visit, OP_NORM, away_from_zero);
    over_axes(visit, OP_RMS, away_from_zero);
    over_axes(visit, OP_MEAN_SQUARE, around_zero);
    of_nothing(visit, OP_SUM);
    of_nothing(visit, OP_PROD);
    of_nothing(visit, OP_NORM);
    share_cases(visit);
    exp_cases(visit);
    along_axes(visit, OP_CUMSUM, around_zero);
    along_axes(visit, OP_CUMPROD, around_zero);
    along_axes(visit, OP_CUMPROD, with_zeros);
    others_cases(visit, around_zero);
    others_cases(visit, with_zeros);
    recurrence_cases(visit);
}

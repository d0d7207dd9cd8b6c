/* Elementwise operations: every row on its domain, over every pair of shapes that broadcasts. */
#include "array_support.h"
#include "gradient_cases.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

typedef struct {
    double lo, hi;
} Domain;

typedef struct {
    OpCode op;
    Domain x, y;
} Row;

static const Row one_operand[] = {
    {OP_NEG, {-2, 2}, {0, 0}},           {OP_POS, {-2, 2}, {0, 0}},
    {OP_ABS, {0.1, 2}, {0, 0}},          {OP_ABS, {-2, -0.1}, {0, 0}},
    {OP_SQRT, {0.1, 4}, {0, 0}},         {OP_EXP, {-2, 2}, {0, 0}},
    {OP_EXPM1, {-2, 2}, {0, 0}},         {OP_LOG, {0.1, 4}, {0, 0}},
    {OP_LOG1P, {-0.8, 3}, {0, 0}},       {OP_LOG2, {0.1, 4}, {0, 0}},
    {OP_LOG10, {0.1, 4}, {0, 0}},        {OP_SIN, {-4, 4}, {0, 0}},
    {OP_COS, {-4, 4}, {0, 0}},           {OP_TAN, {-1.2, 1.2}, {0, 0}},
    {OP_ASIN, {-0.9, 0.9}, {0, 0}},      {OP_ACOS, {-0.9, 0.9}, {0, 0}},
    {OP_ATAN, {-3, 3}, {0, 0}},          {OP_SINH, {-2, 2}, {0, 0}},
    {OP_COSH, {-2, 2}, {0, 0}},          {OP_TANH, {-2, 2}, {0, 0}},
    {OP_ERF, {-2, 2}, {0, 0}},           {OP_SIGMOID, {-4, 4}, {0, 0}},
    {OP_SOFTPLUS, {-4, 4}, {0, 0}},      {OP_TO_FLOAT, {-2, 2}, {0, 0}},
    {OP_SECH_SQUARED, {-2, 2}, {0, 0}},  {OP_BELL, {-2, 2}, {0, 0}},
    {OP_SQUARE_FROM_1, {-2, 2}, {0, 0}}, {OP_SQRT_SLOPE, {0.1, 4}, {0, 0}},
};

/* The remainder's domains lie between two jumps. */
static const Row two_operands[] = {
    {OP_ADD, {-2, 2}, {-2, 2}},           {OP_SUB, {-2, 2}, {-2, 2}},
    {OP_MUL, {-2, 2}, {-2, 2}},           {OP_MUL_NO_NAN, {-2, 2}, {-2, 2}},
    {OP_DIV, {-2, 2}, {0.3, 2}},          {OP_DIV, {-2, 2}, {-2, -0.3}},
    {OP_DIV_NO_NAN, {-2, 2}, {0.3, 2}},   {OP_MOD, {2.1, 2.3}, {0.9, 1}},
    {OP_MOD, {-2.3, -2.1}, {0.9, 1}},     {OP_MOD, {2.1, 2.3}, {-1, -0.9}},
    {OP_POW, {0.3, 2}, {-2, 3}},          {OP_ATAN2, {0.3, 2}, {0.3, 2}},
    {OP_ATAN2, {-2, -0.3}, {-2, -0.3}},   {OP_INVERSION, {0.3, 2}, {0.3, 2}},
    {OP_INVERSION, {-2, -0.3}, {0.3, 2}}, {OP_POW_LESS_1, {0.3, 2}, {-2, 3}},
    {OP_POW_LESS_2, {0.3, 2}, {-2, 3}},   {OP_MASKED, {-2, -0.3}, {-2, 2}},
};

static const OpCode with_ties[] = {OP_MAXIMUM, OP_MINIMUM};

static const Shape pairs[][2] = {
    {{0}, {0}},
    {{1, {3}}, {1, {3}}},
    {{2, {2, 3}}, {2, {2, 3}}},
    {{2, {2, 3}}, {1, {3}}},
    {{1, {3}}, {2, {2, 3}}},
    {{2, {2, 3}}, {2, {1, 3}}},
    {{2, {2, 1}}, {2, {1, 3}}},
    {{2, {3, 1}}, {2, {1, 3}}},
    {{0}, {2, {2, 3}}},
    {{2, {2, 3}}, {0}},
    {{1, {1}}, {1, {3}}},
    {{3, {2, 1, 3}}, {2, {4, 1}}},
    {{2, {0, 3}}, {1, {3}}},
    {{2, {1, 3}}, {2, {0, 3}}},
};

static const Shape single[] = {{0}, {1, {3}}, {2, {2, 3}}, {2, {0, 3}}, {3, {2, 1, 3}}};

static void unary_cases(CaseVisitor *visit, const Row *row)
{
    for (size_t i = 0; i < COUNT(single); i++)
        offer(visit, (Case){row->op, 1, {random_input(single[i], row->x.lo, row->x.hi)}, 0, 0});
}

static void binary_cases(CaseVisitor *visit, const Row *row)
{
    for (size_t i = 0; i < COUNT(pairs); i++) {
        Value x = random_input(pairs[i][0], row->x.lo, row->x.hi),
              y = random_input(pairs[i][1], row->y.lo, row->y.hi);
        offer(visit, (Case){row->op, 2, {x, y}, 0, 0});
    }
}

static void tie_cases(CaseVisitor *visit, OpCode op)
{
    for (size_t i = 0; i < COUNT(pairs); i++) {
        Value x = spread_input(pairs[i][0], -0.5, 0), y = spread_input(pairs[i][1], -0.5, 1);
        offer(visit, (Case){op, 2, {x, y}, 0, 0});
    }
}

/* Ints and Bools on the other side, as programs have them. */
static void mixed_cases(CaseVisitor *visit)
{
    Shape number = {0}, row = {1, {3}}, table = {2, {2, 3}};
    static const OpCode ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW, OP_MAXIMUM, OP_MINIMUM};
    for (size_t i = 0; i < COUNT(ops); i++) {
        OpCode op = ops[i];
        offer(visit, (Case){op, 2, {random_input(table, 1.2, 1.8), int_input(row, 1, 4)}, 0, 0});
        offer(visit, (Case){op, 2, {random_input(number, 1.2, 1.8), int_input(row, 1, 4)}, 0, 0});
        offer(visit, (Case){op, 2, {int_input(table, 1, 4), random_input(row, 1.2, 1.8)}, 0, 0});
        offer(visit, (Case){op, 2, {value_int(3), random_input(row, 1.2, 1.8)}, 0, 0});
        offer(visit, (Case){op, 2, {random_input(number, 1.2, 1.8), value_int(2)}, 0, 0});
        offer(visit, (Case){op, 2, {value_int(2), random_input(number, 1.2, 1.8)}, 0, 0});
    }
    offer(visit, (Case){OP_MUL, 2, {random_input(table, 1, 2), bool_input(row)}, 0, 0});
    offer(visit, (Case){OP_ADD, 2, {value_bool(true), random_input(number, 1, 2)}, 0, 0});
}

/* Powers of negative and of zero bases, by the base: polynomials. */
static void power_cases(CaseVisitor *visit)
{
    Shape number = {0}, row = {1, {3}};
    for (int64_t p = 0; p <= 4; p++) {
        offer(visit, (Case){OP_POW, 2, {random_input(row, -2, -0.5), value_int(p)}, 0, 0});
        offer(visit, (Case){OP_POW, 2, {random_input(row, 0, 1e-300), value_int(p)}, 0, 0});
        offer(visit, (Case){OP_POW, 2, {value_float(0.0), value_int(p)}, 0, 0});
    }
    offer(visit, (Case){OP_POW, 2, {random_input(number, -2, -0.5), value_int(-1)}, 0, 0});
    offer(visit, (Case){OP_POW, 2, {random_input(row, -2, -0.5), value_int(-2)}, 0, 0});
}

static void where_cases(CaseVisitor *visit)
{
    static const Shape triples[][3] = {
        {{0}, {0}, {0}},
        {{1, {3}}, {1, {3}}, {1, {3}}},
        {{2, {2, 3}}, {1, {3}}, {2, {2, 1}}},
        {{0}, {2, {2, 3}}, {1, {3}}},
        {{2, {3, 1}}, {2, {1, 3}}, {0}},
        {{1, {3}}, {0}, {2, {2, 1}}},
        {{2, {0, 3}}, {1, {3}}, {0}},
    };
    for (size_t i = 0; i < COUNT(triples); i++) {
        Value x = random_input(triples[i][0], -2, 2), y = random_input(triples[i][1], -2, 2);
        offer(visit, (Case){OP_WHERE, 3, {x, y, bool_input(triples[i][2])}, 0, 0});
    }
    Shape row = {1, {3}};
    offer(visit,
          (Case){OP_WHERE, 3, {random_input(row, -2, 2), value_int(1), bool_input(row)}, 0, 0});
}

void elementwise_cases(CaseVisitor *visit)
{
    random_start(1);
    for (size_t i = 0; i < COUNT(one_operand); i++) unary_cases(visit, &one_operand[i]);
    for (size_t i = 0; i < COUNT(two_operands); i++) binary_cases(visit, &two_operands[i]);
    for (size_t i = 0; i < COUNT(with_ties); i++) tie_cases(visit, with_ties[i]);
    mixed_cases(visit);
    power_cases(visit);
    where_cases(visit);
}

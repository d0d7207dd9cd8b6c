/* Operations that move elements: reshape, transpose, broadcast, concat, stack. */
#include "array_support.h"
#include "gradient_cases.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static Value input(Shape s)
{
    return random_input(s, -2, 2);
}

static void reshape_cases(CaseVisitor *visit)
{
    static const Shape change[][2] = {
        {{2, {2, 3}}, {1, {6}}},
        {{1, {6}}, {3, {3, 1, 2}}},
        {{2, {2, 3}}, {2, {2, 3}}},
        {{0}, {2, {1, 1}}},
        {{1, {1}}, {0}},
        {{2, {0, 3}}, {3, {2, 0, 5}}},
    };
    for (size_t i = 0; i < COUNT(change); i++) {
        OpAttr attr = {.shape = change[i][1]};
        offer(visit, (Case){OP_RESHAPE, 1, {input(change[i][0])}, &attr, 0});
    }
}

static void transpose_cases(CaseVisitor *visit)
{
    static const struct {
        Shape of, permutation;
    } row[] = {
        {{2, {2, 3}}, {2, {1, 0}}},
        {{2, {2, 3}}, {2, {0, 1}}},
        {{3, {2, 3, 4}}, {3, {1, 2, 0}}},
        {{3, {2, 3, 4}}, {3, {2, 0, 1}}},
        {{4, {2, 1, 3, 2}}, {4, {3, 0, 2, 1}}},
        {{1, {3}}, {1, {0}}},
        {{2, {0, 3}}, {2, {1, 0}}},
        {{0}, {0}},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        OpAttr attr = {.shape = row[i].permutation};
        offer(visit, (Case){OP_TRANSPOSE, 1, {input(row[i].of)}, &attr, 0});
    }
}

static void broadcast_cases(CaseVisitor *visit)
{
    static const Shape change[][2] = {
        {{0}, {2, {2, 3}}},
        {{1, {3}}, {2, {2, 3}}},
        {{2, {2, 1}}, {3, {4, 2, 3}}},
        {{2, {1, 1}}, {2, {2, 3}}},
        {{2, {2, 3}}, {2, {2, 3}}},
        {{1, {1}}, {2, {0, 3}}},
        {{3, {2, 1, 3}}, {3, {2, 4, 3}}},
    };
    for (size_t i = 0; i < COUNT(change); i++) {
        OpAttr attr = {.shape = change[i][1]};
        offer(visit, (Case){OP_BROADCAST, 1, {input(change[i][0])}, &attr, 0});
    }
}

static void concat_cases(CaseVisitor *visit)
{
    OpAttr rows = {.axis = 0}, columns = {.axis = 1}, deep = {.axis = 2};
    Shape a = {2, {2, 3}}, b = {2, {1, 3}}, c = {2, {2, 1}}, none = {2, {0, 3}}, v = {1, {2}};
    Shape d = {3, {1, 2, 2}}, e = {3, {1, 2, 1}};
    offer(visit, (Case){OP_CONCAT, 1, {input(a)}, &rows, 0});
    offer(visit, (Case){OP_CONCAT, 2, {input(a), input(b)}, &rows, 0});
    offer(visit, (Case){OP_CONCAT, 3, {input(c), input(a), input(c)}, &columns, 0});
    offer(visit, (Case){OP_CONCAT, 2, {input(d), input(e)}, &deep, 0});
    offer(visit, (Case){OP_CONCAT, 3, {input(a), input(none), input(b)}, &rows, 0});
    offer(visit, (Case){OP_CONCAT, 2, {input(a), int_input(b, 0, 5)}, &rows, 0});
    offer(visit, (Case){OP_CONCAT,
                        6,
                        {input(v), input(v), int_input(v, 0, 5), input(v), input(v), input(v)},
                        &rows,
                        0});
}

static void stack_cases(CaseVisitor *visit)
{
    Shape number = {0}, v = {1, {3}}, a = {2, {2, 3}}, none = {1, {0}};
    offer(visit, (Case){OP_STACK, 1, {input(number)}, 0, 0});
    offer(visit, (Case){OP_STACK, 2, {input(number), input(number)}, 0, 0});
    offer(visit, (Case){OP_STACK, 3, {input(number), value_int(3), input(number)}, 0, 0});
    offer(visit, (Case){OP_STACK, 2, {input(v), input(v)}, 0, 0});
    offer(visit, (Case){OP_STACK, 3, {input(a), int_input(a, 0, 5), input(a)}, 0, 0});
    offer(visit, (Case){OP_STACK, 2, {input(none), input(none)}, 0, 0});
    Case many = {.op = OP_STACK, .n = MAX_INPUTS};
    for (int i = 0; i < MAX_INPUTS; i++) many.in[i] = input(number);
    offer(visit, many);
}

void shape_cases(CaseVisitor *visit)
{
    random_start(4);
    reshape_cases(visit);
    transpose_cases(visit);
    broadcast_cases(visit);
    concat_cases(visit);
    stack_cases(visit);
}

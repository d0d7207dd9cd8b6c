/* The matrix product in every combination of ranks. */
#include "array_support.h"
#include "gradient_cases.h"

static const Shape pairs[][2] = {
    {{1, {3}}, {1, {3}}},
    {{2, {2, 3}}, {1, {3}}},
    {{1, {2}}, {2, {2, 3}}},
    {{2, {2, 3}}, {2, {3, 4}}},
    {{2, {1, 3}}, {2, {3, 1}}},
    {{1, {3}}, {3, {2, 3, 4}}},
    {{3, {2, 4, 3}}, {1, {3}}},
    {{2, {2, 3}}, {3, {2, 3, 4}}},
    {{3, {2, 4, 3}}, {2, {3, 2}}},
    {{3, {2, 2, 3}}, {3, {2, 3, 2}}},
    {{3, {1, 2, 3}}, {3, {4, 3, 2}}},
    {{4, {2, 1, 2, 3}}, {3, {3, 3, 2}}},
    {{4, {2, 2, 1, 3}}, {1, {3}}},
    {{2, {2, 0}}, {2, {0, 3}}},
    {{2, {0, 2}}, {2, {2, 3}}},
    {{1, {0}}, {1, {0}}},
};

void matmul_cases(CaseVisitor *visit)
{
    random_start(3);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Value x = random_input(pairs[i][0], -2, 2), y = random_input(pairs[i][1], -2, 2);
        offer(visit, (Case){OP_MATMUL, 2, {x, y}, 0, 0});
    }
    Value x = random_input((Shape){2, {2, 3}}, -2, 2), y = int_input((Shape){2, {3, 2}}, -3, 3);
    offer(visit, (Case){OP_MATMUL, 2, {value_retain(x), value_retain(y)}, 0, 0});
    offer(visit, (Case){OP_MATMUL, 2, {y, x}, 0, 0});
}

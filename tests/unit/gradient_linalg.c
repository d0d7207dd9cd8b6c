/* Linear algebra: stacks of matrices, singular ones where they are allowed. */
#include "array_support.h"
#include "gradient_cases.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static Value input(Shape s)
{
    return random_input(s, -1, 1);
}

/* Well conditioned: random, with 3 on the diagonals. */
static Value matrices(Shape s)
{
    Value v = random_input(s, -1, 1);
    int64_t n = s.rank < 2 ? 0 : s.dim[s.rank - 1];
    for (int64_t i = 0; n > 0 && i < v.arr->size; i++)
        if (i % n == i / n % n) array_floats(v.arr)[i] += 3;
    return v;
}

static void solve_cases(CaseVisitor *visit)
{
    static const Shape pairs[][2] = {
        {{2, {3, 3}}, {2, {3, 2}}},       {{2, {1, 1}}, {2, {1, 1}}},
        {{2, {4, 4}}, {2, {4, 1}}},       {{3, {2, 3, 3}}, {3, {2, 3, 2}}},
        {{2, {3, 3}}, {3, {2, 3, 2}}},    {{3, {2, 3, 3}}, {2, {3, 2}}},
        {{3, {1, 2, 2}}, {3, {3, 2, 2}}}, {{2, {0, 0}}, {2, {0, 2}}},
    };
    OpAttr transposed = {.transposed = true};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        Value a = matrices(pairs[i][0]), b = input(pairs[i][1]);
        offer(visit, (Case){OP_SOLVE, 2, {value_retain(a), value_retain(b)}, 0, 0});
        offer(visit, (Case){OP_SOLVE, 2, {a, b}, &transposed, 0});
    }
}

static const Shape stacks[] = {
    {2, {1, 1}}, {2, {2, 2}}, {2, {3, 3}}, {2, {4, 4}}, {3, {2, 3, 3}}, {2, {0, 0}},
};

/* Rank n − 1, n − 2 and 0. */
static Value singular(int kind)
{
    static const double rows[3][9] = {
        {1, 2, 3, 4, 5, 6, 5, 7, 9}, {1, 2, 3, 2, 4, 6, -1, -2, -3}, {0}};
    return value_arr(floats_make(&(Shape){2, {3, 3}}, rows[kind]));
}

static void det_cases(CaseVisitor *visit)
{
    for (int kind = 0; kind < 3; kind++) {
        offer(visit, (Case){OP_DET, 1, {singular(kind)}, 0, 0});
        offer(visit, (Case){OP_COFACTOR, 1, {singular(kind)}, 0, 0});
    }
    for (size_t i = 0; i < COUNT(stacks); i++) {
        Value a = input(stacks[i]);
        offer(visit, (Case){OP_DET, 1, {value_retain(a)}, 0, 0});
        offer(visit, (Case){OP_COFACTOR, 1, {a}, 0, 0});
    }
}

static void along_cases(CaseVisitor *visit)
{
    static const Shape pairs[][2] = {
        {{3, {1, 3, 3}}, {4, {1, 1, 3, 3}}},
        {{3, {1, 4, 4}}, {4, {2, 1, 4, 4}}},
        {{3, {2, 3, 3}}, {4, {2, 2, 3, 3}}},
        {{3, {1, 2, 2}}, {4, {3, 1, 2, 2}}},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        Value a = input(pairs[i][0]), along = input(pairs[i][1]);
        offer(visit, (Case){OP_COFACTOR_ALONG, 2, {a, along}, 0, 0});
    }
}

void linalg_cases(CaseVisitor *visit)
{
    random_start(7);
    solve_cases(visit);
    det_cases(visit);
    along_cases(visit);
    for (size_t i = 0; i < COUNT(stacks); i++) {
        offer(visit, (Case){OP_INV, 1, {matrices(stacks[i])}, 0, 0});
        offer(visit, (Case){OP_CHOLESKY, 1, {matrices(stacks[i])}, 0, 0});
    }
}

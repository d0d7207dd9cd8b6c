/* Elementwise expressions that run in one pass: the derivative replays their steps in blocks. */
#include "ad/elementwise_gradient.h"
#include "array_support.h"
#include "gradient_cases.h"

/* Leaves 0 … 2, steps from 3 on. x y / (x² + 2), exp(−x) tanh(y) + x, and a chain of one operand.
 */
static const struct {
    int n_leaves, n_steps;
    TileStep step[6];
} programs[] = {
    {3, 4, {{EW_MUL, {0, 1}}, {EW_MUL, {0, 0}}, {EW_ADD, {4, 2}}, {EW_DIV, {3, 5}}}},
    {3,
     6,
     {{EW_NEG, {0, 0}},
      {EW_EXP, {3, 3}},
      {EW_TANH, {1, 1}},
      {EW_MUL, {4, 5}},
      {EW_ADD, {6, 0}},
      {EW_MUL, {7, 2}}}},
    {3, 3, {{EW_SIN, {0, 0}}, {EW_MAX, {3, 1}}, {EW_SUB, {4, 2}}}},
};

/* One leaf more than a block of them, so that the last block is short. */
static const Shape shapes[] = {{1, {7}}, {2, {2, 3}}, {3, {3, 1, 1400}}, {2, {0, 3}}};

static void visit_choices(CaseVisitor *visit, Case c)
{
    for (c.wrt = 1; c.wrt < 4; c.wrt++) visit(&c);
    for (int i = 0; i < c.n; i++) value_release(c.in[i]);
}

void fused_cases(CaseVisitor *visit)
{
    random_start(8);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        OpAttr attr = {.program = program_of_steps(programs[i].n_leaves, programs[i].step,
                                                   programs[i].n_steps)};
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
            Value x = random_input(shapes[k], 0.3, 1.2), y = random_input(shapes[k], 1.5, 2.5);
            visit_choices(visit, (Case){OP_FUSED, 3, {x, y, value_int(2)}, &attr, 0});
            x = random_input(shapes[k], 0.3, 1.2), y = random_input(shapes[k], 1.5, 2.5);
            visit_choices(visit, (Case){OP_FUSED, 3, {x, y, value_float(0.7)}, &attr, 0});
        }
        elementwise_program_free(attr.program);
    }
}

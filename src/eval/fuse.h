/* Large elementwise expressions run in one pass: recognising them. */
#ifndef EVAL_FUSE_H
#define EVAL_FUSE_H

#include "ad/fused.h"
#include "eval/interp.h"

/* A leaf that is a variable, or one that a leaf is made of. */
typedef struct {
    uint32_t slot;
    uint16_t bit; /* 1 << leaf; 0: the end */
    uint8_t leaf;
    bool is_global;
} FusedVariable;

/* A step on plain numbers (fuse_numbers.c). */
typedef struct {
    uint8_t code, a, b;
} NumberStep;

/* What is known of one expression. */
typedef struct FusedPlan {
    int numbers;   /* how often the expression may still turn out not to be one of plain numbers */
    unsigned ints; /* the variables that held Ints the last time, each of which meets a Float */
    bool is_arithmetic; /* + - * / and negation alone */
    bool is_idle;       /* too many fruitless looks: fusing is not asked again */
    bool has_arrays;    /* as far as its variables told when it was made */
    bool has_product;   /* a leaf is a matrix product, which may be large */
    int misses;         /* looks that found no large array */
    int n_leaves, n_steps;
    FusedVariable variable[FUSED_LEAVES + 1];
    NumberStep code[FUSED_STEPS];         /* what to do with numbers, if it is arithmetic */
    double x[FUSED_LEAVES + FUSED_STEPS]; /* the constants, and room for the numbers of a run */
    TileStep step[FUSED_STEPS];           /* the last one's result is the expression's */
    TileProgram *program;                 /* of them, once it has been wanted; owned */
    const Ast *node;
    const Ast *leaf[FUSED_LEAVES];
    uint8_t before[FUSED_LEAVES];      /* how many steps come before a leaf */
    const Ast *step_node[FUSED_STEPS]; /* for messages */
} FusedPlan;

#define PLAN_NONE ((FusedPlan *)-1) /* there is nothing to fuse */

/* The plan of an operator or a call: NULL until somebody has looked. */
static inline FusedPlan **fuse_plan_of(const Frame *f, const Ast *e)
{
    return &f->plan[e->serial];
}

/* A module's table: room for the plans of expressions with lower numbers; all given back. */
void fuse_plans_grow(Module *m, uint32_t n);
void fuse_plans_free(Module *m);

/* Tries e, an operator or a call. Fuses when it has several elementwise steps, one of its variables
 * holds a large array, and the values that its leaves turn out to have allow it; *done tells
 * whether *out (or the error) is the expression's. */
bool fuse_try(Interp *in, Frame *f, const Ast *e, Value *out, bool *done);
/* Evaluates the expression of a plan that may be one of numbers: in one go when every leaf is a constant or a
 * variable that holds a plain number and every step meets a Float, else as eval_general does. The
 * same operations in the same order: the same bits. */
bool fuse_numbers(Interp *in, Frame *f, FusedPlan *plan, Value *out);

/* Whether it is worth asking. Cheap, for it is asked at every operator. */
static inline bool fuse_may(const Frame *f, const Ast *e)
{
    const FusedPlan *plan = *fuse_plan_of(f, e);
    return !plan || (plan != PLAN_NONE && !plan->is_idle);
}

/* Its plan, if e may be an expression of numbers; else NULL. */
static inline FusedPlan *fuse_numbers_plan(const Frame *f, const Ast *e)
{
    FusedPlan *plan = *fuse_plan_of(f, e);
    return plan && plan != PLAN_NONE && plan->numbers > 0 ? plan : NULL;
}

#endif

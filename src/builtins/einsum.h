/* einsum: what a specification says, and how it is computed. */
#ifndef BUILTINS_EINSUM_H
#define BUILTINS_EINSUM_H

#include "eval/builtin.h"

/* An axis has a label: a letter, A to Z and a to z, or one of those that "..." stands for, which
 * are counted from the last one on: AXIS_LABEL + MAX_RANK − 1 is the last. */
enum { AXIS_LABEL = 52, MAX_LABELS = AXIS_LABEL + MAX_RANK };

typedef struct {
    int n;
    int label[MAX_RANK];
} Labels;

typedef struct {
    int n; /* operands */
    Labels *operand;
    Labels out;
    int64_t size[MAX_LABELS]; /* −1 for a label that does not occur */
} Einsum;

/* Reads argument 0, a Str, as a specification for the other arguments; free e->operand with
 * mem_free, also after a failure. */
bool einsum_read(Interp *in, const Args *a, Einsum *e);

BuiltinFunction einsum_builtin;

static inline uint64_t labels_mask(const Labels *l)
{
    uint64_t mask = 0;
    for (int i = 0; i < l->n; i++) mask |= (uint64_t)1 << l->label[i];
    return mask;
}

#endif

/* Indexing and fields (subscript.c). */
#ifndef EVAL_SUBSCRIPT_H
#define EVAL_SUBSCRIPT_H

#include "eval/interp.h"

bool eval_index(Interp *in, Frame *f, const Ast *e, Value *out);
bool eval_field(Interp *in, Frame *f, const Ast *e, Value *out);

/* An evaluated subscript list. */
typedef struct {
    int n;
    IndexTerm term[2 * MAX_RANK + 2];
    Value value[2 * MAX_RANK + 2]; /* owned */
    bool all_ints;                 /* every item is a plain Int */
} Subscript;

bool subscript_eval(Interp *in, Frame *f, const Ast *e, Subscript *s);
void subscript_free(Subscript *s);
/* For all_ints with as many items as axes: the flat offset. */
bool subscript_offset(Interp *in, const Array *a, const Subscript *s, int64_t *offset);
/* e is the AST_INDEX, for spans. */
Selection *subscript_select(Interp *in, const Ast *e, const Array *a, Subscript *s);
/* The error of a field or a module's name that is not there. */
bool no_such_field(Interp *in, const Ast *e, Value v);
/* The error of a key that a map does not have. */
bool missing_key(Interp *in, const struct Map *m, Value key);
/* An Int index into something with len parts; negative counts from the end. */
bool position_in(Interp *in, Value index, int64_t len, const char *what, int64_t *at);

/* Fails for e, an index into a tuple, string or map v that is none or several; false. */
bool not_one_index(Interp *in, const Ast *e, Value v);

#endif

/* Statements and loops (statement.c, loop.c). */
#ifndef EVAL_STATEMENT_H
#define EVAL_STATEMENT_H

#include "eval/interp.h"

typedef enum { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_ERROR } Flow;

/* Row i of an array of rank 1 or more. */
bool array_row(Interp *in, Value array, int64_t i, Value *row);

Flow exec(Interp *in, Frame *f, const Ast *s);
/* A block's statements, until one does not go on to the next. */
static inline Flow exec_block(Interp *in, Frame *f, const Ast *block)
{
    const AstList *list = &block->list;
    for (int i = 0; i < list->len; i++) {
        Flow result = exec(in, f, list->item[i]);
        if (result != FLOW_NEXT) return result;
    }
    return FLOW_NEXT;
}
Flow exec_for(Interp *in, Frame *f, const Ast *s);
bool eval_comprehension(Interp *in, Frame *f, const Ast *e, Value *out);
bool define_struct(Interp *in, Frame *f, const StructDecl *decl);

#endif

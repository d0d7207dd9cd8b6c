/* Annotations and shape contracts (contract.c). */
#ifndef EVAL_CONTRACT_H
#define EVAL_CONTRACT_H

#include "eval/interp.h"

/* Whose annotation is checked: a function's parameters or a struct's fields. */
typedef struct {
    const char *owner;  /* the function's or struct's name */
    const Param *param; /* all of them: they tell who bound a size first */
    const Value *value; /* theirs */
    int n_params;
    int self;                     /* the one being checked; −1: the result */
    const FunctionDecl *function; /* of a result */
} Contract;

/* Checks one value against an annotation, converts an Int where a Float is wanted, and binds the
 * sizes that it names first. */
bool contract_check(Interp *in, Frame *f, const Annotation *type, const Contract *c, Value *v);
/* Notes the contract of a function whose result breaks it. */
void contract_note(Interp *in, const FunctionDecl *function);
/* A field's annotation, checked when the program assigns it. */
bool field_check(Interp *in, const StructType *type, const Param *field, Value *v);

#endif

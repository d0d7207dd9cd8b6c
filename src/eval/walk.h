/* The tree walker's own functions, shared between its files. */
#ifndef EVAL_WALK_H
#define EVAL_WALK_H

#include "eval/builtin.h"

typedef enum { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_ERROR } Flow;

/* ---- expressions (expr.c) ---- */

/* The value of an expression, owned. A failure has e's span unless something inside knew better. */
bool eval(Interp *in, Frame *f, const Ast *e, Value *out);
/* The value of an expression without counting where it can be avoided: a variable's slot itself
 * (nothing that an expression can do changes a variable), else *temporary, which the caller clears.
 * NULL on failure. */
const Value *eval_borrow(Interp *in, Frame *f, const Ast *e, Value *temporary);
/* A condition's value; must be a Bool. */
bool eval_condition(Interp *in, Frame *f, const Ast *e, bool *truth);
/* Sets the span and returns false. */
bool fail_at(Interp *in, const Ast *e);

/* ---- operators (operator.c) ---- */

bool eval_binary(Interp *in, Frame *f, const Ast *e, Value *out);
/* The same, whatever the operands are. */
bool eval_general(Interp *in, Frame *f, const Ast *e, Value *out);
bool eval_unary(Interp *in, Frame *f, const Ast *e, Value *out);
/* op a on a value; op is not NOT. */
bool apply_unary(Interp *in, Operator op, Value a, Value *out);
/* The operation of an operator on numbers and arrays, NULL of one that is none (in, not). */
const OpRow *operator_row(Operator op);
/* a op b on values. */
bool apply_operator(Interp *in, Operator op, Value a, Value b, Value *out);
/* The same, where the caller drops a: its memory may become the result's if nobody else holds it.
 */
bool apply_operator_overwriting(Interp *in, Operator op, Value a, Value b, Value *out);
/* Adds "a is Arr 4×5, b is …" to the error. */
void note_operands(Interp *in, const Ast *a, Value va, const Ast *b, Value vb);

/* ---- indexing (subscript.c) ---- */

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

/* ---- assignment (assign.c) ---- */

/* Takes v. */
bool assign_take(Interp *in, Frame *f, const Ast *target, Value v);
bool augment(Interp *in, Frame *f, const Ast *e);

/* ---- calls (call.c, construct.c, contract.c) ---- */

bool eval_call(Interp *in, Frame *f, const Ast *e, Value *out);
bool eval_function(Interp *in, Frame *f, const FunctionDecl *decl, Value *out);

/* Arguments of one call: positional values, then keyword ones; all owned by whoever holds the Call.
 */
typedef struct {
    Value *value;
    int n, n_positional;
    const Symbol *kw_name; /* n − n_positional of them */
    const Ast *site;       /* or NULL */
} Call;

/* Consumes the call's values. */
bool call_take(Interp *in, Value fn, Call *call, Value *out);
bool call_closure_take(Interp *in, Function *fn, Call *call, Value *out);
bool construct_take(Interp *in, StructType *type, Call *call, Value *out);
bool call_builtin_take(Interp *in, const Builtin *b, Call *call, Value *out);
/* Frees what is left of a call's values. */
void call_free(Call *call);
/* Argument i in the text, and the name of keyword argument k; nowhere without a text. */
Span argument_span(const Call *call, int i);
Span keyword_span(const Call *call, int k);
/* The argument that parameter i got, in the text; nowhere for a default, or without a text. */
Span parameter_span(const Call *call, const Param *param, int i);
/* Spreads a call's values over the callee's parameters (unset where not given): counts, keywords
 * and doubles are checked. */
bool bind_arguments(Interp *in, Call *call, const Callee *callee, Value *slot);
void release_values(Value *v, int n);

/* Whose annotation is checked: a function's parameters or a struct's fields. */
typedef struct {
    const char *owner;  /* the function's or struct's name */
    const Param *param; /* all of them: they tell who bound a size first */
    const Value *value; /* theirs */
    int n_params;
    int self; /* the one being checked; −1: the result */
} Contract;

/* Checks one value against an annotation, converts an Int where a Float is wanted, and binds the
 * sizes that it names first. */
bool contract_check(Interp *in, Frame *f, const Annotation *type, const Contract *c, Value *v);
/* A field's annotation, checked when the program assigns it. */
bool field_check(Interp *in, const StructType *type, const Param *field, Value *v);

/* ---- statements (statement.c, loop.c) ---- */

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

/* ---- modules (module.c) ---- */

bool import_names(Interp *in, Frame *f, const Ast *s);
Module *module_new(Interp *in, const char *path);
/* The path of a text that no file has, in the folder where its imports are looked for. */
char *module_path_in(const char *folder, const char *name);
/* Parses and resolves a text against the module's names; NULL on failure. */
SyntaxFile *module_parse(Interp *in, Module *m, const ModuleText *text, bool is_repl);
/* Runs its statements. value (may be NULL) receives what a last expression gives. */
bool module_run_file(Interp *in, Module *m, const SyntaxFile *file, const char *frame_name,
                     Value *value);
/* A value for every name. */
void module_grow_values(Module *m);
/* Takes v. */
void module_set(Module *m, uint32_t slot, Value v);
/* At the interpreter's end: first every module's values, then the modules, whose syntax trees the
 * values point into. */
void module_release_values(Module *m);
void module_free(Module *m);

#endif

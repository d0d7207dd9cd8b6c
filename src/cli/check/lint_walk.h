/* Between the files of lint.
 *
 * The walk knows of an expression the kinds of value that it may have, and no more than is certain:
 * those of literals, of annotated parameters and results, of variables that are assigned once. What
 * can't work is found by trying it: the evaluator gets samples of all those kinds, and where it
 * refuses every one, its error is the finding. */
#ifndef CLI_CHECK_LINT_WALK_H
#define CLI_CHECK_LINT_WALK_H

#include "cli/check/lint_program.h"
#include "eval/call.h"
#include "eval/contract.h"
#include "eval/import.h"

#define KIND(kind) ((Kinds)(1u << (kind)))
enum {
    KINDS_SCALAR = 1u << VAL_BOOL | 1u << VAL_INT | 1u << VAL_FLOAT,
    KINDS_NUMERIC = KINDS_SCALAR | 1u << VAL_ARR,
    KINDS_ANY = (1u << (VAL_MODULE + 1)) - (1u << VAL_NONE),
};

typedef struct {
    Kinds kinds;
    uint8_t bindings; /* 0, 1, or 2 for more: then its kinds are not known */
    bool is_read;
    bool is_used;                  /* is_read, not only inside assert_error */
    Span assigned;                 /* by a plain `x = …`, the last one */
    const Ast *definition;         /* of a local def, or NULL */
    const Ast *value;              /* where it is assigned once: what, or NULL */
    int first_finding, n_findings; /* in the body of its def */
} Variable;

/* The variables of a function, a test or the top level. */
typedef struct LintScope {
    Variable *variable;
    uint32_t n;
    const Symbol *name;
    const FunctionDecl *function; /* whose results are checked, or NULL */
    bool is_adjoint;
    bool returns; /* there is a return */
    struct LintScope *outer;
} LintScope;

typedef struct {
    LintProgram *program;
    Interp *in;
    Module *m;
    ErrorList *findings;
    Variable *global;
    LintScope *scope;
    VEC_OF(const Ast *) chain; /* what waits for its left operand */
    bool in_function, in_test; /* the statement at hand */
    int expects_error;         /* inside so many calls of assert_error: no errors, then */
} Lint;

/* ---- lint.c ---- */

/* Adds a warning; returns it, for a hint. */
Error *lint_warn(Lint *l, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds the evaluator's error, or drops it where errors are expected. It may have no span yet. */
void lint_take_error(Lint *l, Span span);
void lint_warn_shadow(Lint *l, Symbol name, Span span);
void lint_block(Lint *l, const Ast *block);
/* What is assigned: value is NULL where the text does not show it. */
void lint_target(Lint *l, const Ast *target, const Ast *value, Kinds kinds);

/* ---- lint_scope.c ---- */

void scope_open(Lint *l, LintScope *s, uint32_t n, const Symbol *name);
/* Warns of what was assigned and never read, and takes back what was found in functions that are
 * only expected to fail. */
void scope_close(Lint *l);
/* Takes back the findings in functions that are only read as an argument of assert_error. */
void variables_settle(Lint *l, const Variable *v, uint32_t n);
void variable_read(Lint *l, Variable *v);
/* Where a name lives; NULL for a builtin. */
Variable *variable_of(Lint *l, const NameRef *name);
/* The tuple or array literal that e is, or that its variable was assigned; else NULL. */
const Ast *shown_items(Lint *l, const Ast *e);
/* Counts what the statements of a scope bind, before they are walked. */
void count_bindings(Lint *l, const Ast *block);
/* The variable of a name's binding gets its kinds, if there is no other binding. */
void variable_bind(Lint *l, const NameRef *name, Kinds kinds);

/* ---- lint_expression.c ---- */

/* Walks an expression (NULL is fine): marks what it reads, checks it, gives its kinds. */
Kinds lint_expression(Lint *l, const Ast *e);
void lint_condition(Lint *l, const Ast *e);
void lint_head(Lint *l, const LoopHead *head);
void lint_annotation(Lint *l, const Annotation *a);
void lint_function(Lint *l, const FunctionDecl *f, bool is_adjoint);
/* Params with their annotations and defaults, of a function or a struct named owner. */
void lint_params(Lint *l, const char *owner, const Param *param, int n, uint32_t n_slots);

/* ---- lint_kinds.c ---- */

/* What an annotation takes, and what the value is then: an Int becomes a Float. */
Kinds kinds_accepted(const Annotation *a);
Kinds kinds_annotated(const Annotation *a);
Kinds kinds_of_unary(Operator op, Kinds a);
Kinds kinds_of_binary(Operator op, Kinds a, Kinds b);
Kinds kinds_of_element(Kinds indexed, const Ast *index);
Kinds kinds_of_builtin(const char *name);

/* ---- lint_try.c ---- */

/* A stand-in for an operand: a name with the operand's place in the text. */
Ast try_operand(const Ast *e, uint32_t slot);
/* Whether an expression is a literal throughout, and its value; a failure is in in->err. */
bool is_constant(const Ast *e);
bool constant_value(Lint *l, const Ast *e, Value *out);
/* A value of the shape that an array literal shows, owned; false where none shows. */
bool shown_array(Lint *l, const Ast *e, Value *out);

typedef bool Attempt(Interp *in, Frame *f, const Ast *what);
/* A value of the kind that a message names of these, owned; unset where there is no sample. */
Value sample_value(Lint *l, Kinds kinds);
/* Makes the attempt with samples of the operands' kinds in the frame's slots (a literal is its own
 * sample). Where every combination fails as one of the wrong type, the error is a finding. */
void try_kinds(Lint *l, Attempt *attempt, const Ast *what, const Ast *const *operand,
               const Kinds *kinds, int n);
bool attempt_expression(Interp *in, Frame *f, const Ast *expression);
bool attempt_condition(Interp *in, Frame *f, const Ast *expression);
bool attempt_statement(Interp *in, Frame *f, const Ast *statement);

/* ---- lint_call.c ---- */

/* What is certain about a call; arg are its arguments' kinds. Gives the result's kinds. */
Kinds lint_call(Lint *l, const Ast *call, Kinds callee, const Kinds *arg);
/* Whether a value can't have an annotated type; the contract says whose it is. */
void lint_contract(Lint *l, Frame *f, const Annotation *type, const Contract *c, Value *slot,
                   const Ast *e, Kinds kinds);
/* What a function returns; NULL is none, where its end is reached. */
void lint_result(Lint *l, const Ast *e, Kinds kinds);
/* Whether a call expects its arguments to fail: it is one of assert_error, or of a function that
 * hands a parameter on to it. */
bool call_expects_error(Lint *l, const Ast *call);
#endif

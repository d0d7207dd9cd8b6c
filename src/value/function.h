/* Functions and modules. */
#ifndef VALUE_FUNCTION_H
#define VALUE_FUNCTION_H

#include "syntax/ast.h"
#include "syntax/resolve.h"
#include "value/value.h"

struct Builtin; /* eval/builtin.h */

typedef enum {
    FN_CLOSURE, /* a def, with what it captured */
    FN_BUILTIN, /* a function of the registry */
    FN_STRUCT,  /* a struct's constructor */
    FN_BOUND,   /* a builtin with its first argument given: grad(f) */
} FunctionVariant;

enum { FEW_SLOTS = 48 }; /* of variables, which have room on the stack */

typedef struct Function {
    Obj head;
    uint8_t variant;
    bool is_plain; /* a closure of at most FEW_SLOTS variables without annotations, defaults,
                      captures and adjoint: its calls bind positions to slots and no more */
    union {
        struct {
            const FunctionDecl *decl;
            struct Module *module;
            struct Function *adjoint; /* its hand-written adjoint, or NULL; owned */
        } closure;
        const struct Builtin *builtin; /* also of FN_BOUND */
        StructType *type;
    };
    int n_captured;
    Value captured[]; /* FN_BOUND: the given argument */
} Function;

typedef enum {
    MODULE_OPENING, /* its text is being read, or that of a file which it imports */
    MODULE_OPEN,    /* read, with all that it imports; nothing of it has run */
    MODULE_LOADED,  /* it has run, or is a session */
    MODULE_STALE,   /* it failed, or is to be read anew: the next import reads the file again */
} ModuleState;

/* A file's names and values. Modules live as long as the interpreter; functions refer to theirs
 * without counting. */
typedef struct Module {
    Obj head;
    char *path;       /* of its file, "" for text */
    const char *name; /* how it is called in messages: the last part of its import path */
    GlobalTable globals;
    Value *value; /* globals.names.len of them */
    int cap;
    uint8_t state;            /* ModuleState */
    struct Module **imported; /* by global: the module that it stands for whenever it is read, or
                                 NULL; not of a session */
    struct FusedPlan *
        *plan; /* what the evaluator knows of expressions, by their numbers (eval/fuse.h) */
    uint32_t n_plans;
    VEC_OF(SyntaxFile *) files; /* one, or in the REPL one an input */
} Module;

Function *function_closure(const FunctionDecl *decl, Module *module);
/* Gives the closure f an adjoint in place of what it has; takes over the reference. */
void function_give_adjoint(Function *f, Function *adjoint);
Function *function_builtin(const struct Builtin *builtin);
Function *function_struct(StructType *type);
Function *function_bound(const struct Builtin *builtin, Value first);
/* A closure or a bound builtin once more, with captured values that are still unset. */
Function *function_like(const Function *f);
const char *function_name(const Function *f);

static inline Value value_fn(Function *f)
{
    return (Value){.kind = VAL_FN, .fn = f};
}

#endif

/* Names to slots, before anything runs.
 *
 * A variable belongs to the function, test or file that assigns it. Function bodies see the
 * enclosing functions' locals as captured copies, then the file's names, then the builtins.
 * Everything that can be wrong with a name without running is reported here: unknown names (with
 * the nearest one), `A[0] = …` on the file's A, a name defined twice, two tests of one name,
 * `return` at top level, break outside a loop, a size in a contract that clashes with a parameter,
 * an import inside a function, an adjoint without its function. */
#ifndef SYNTAX_RESOLVE_H
#define SYNTAX_RESOLVE_H

#include "base/error.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/symbol_map.h"

/* The names of one file (or REPL session), in slot order. It outlives the SyntaxFiles resolved
 * against it. */
typedef struct {
    Symbol name;
    Span defined_at;    /* of the first assignment, def, struct or import */
    bool is_definition; /* by def or struct: a second one is an error (but in the REPL) */
    bool is_assigned;   /* false: only named so far, by a function in the REPL */
    bool is_hidden;     /* passed on from a private file: lists leave it out */
    bool is_rebound;    /* by a second assignment, definition, loop or import (not in the REPL) */
    const char
        *doc; /* the `##` lines above a definition or assignment; owned by the file's arena */
} GlobalName;

/* Whether an import's path, "a.b", names a private part of the files beside it: a file whose name begins
 * with _. */
bool module_path_is_private(const char *path);

/* Whether lists of a module's names show one. */
static inline bool global_is_listed(const GlobalName *g)
{
    return g->name->text[0] != '_' && !g->is_hidden;
}

typedef struct {
    VEC_OF(GlobalName) names;
    SymbolMap slots; /* the resolver's index of names */
} GlobalTable;

typedef struct {
    GlobalTable *globals;
    bool is_repl; /* redefinitions are fine; functions may name what comes later */
    /* The index of a builtin, or -1; and the i-th builtin's name or NULL past the end (for
     * suggestions). */
    int (*builtin_index)(Symbol name);
    const char *(*builtin_name)(int index);
    bool (*is_library_module)(Symbol name); /* of the standard library */
} ResolveContext;

/* Fills the resolver's fields of every node. On failure the globals are as they were. */
bool resolve_file(SyntaxFile *file, ResolveContext *context, Error *err);
/* Whether adjoint has f's parameters and one more. In the REPL f may be known at run time only. */
bool adjoint_check_params(const FunctionDecl *adjoint, const FunctionDecl *f, Error *err);
/* The slot of a global name, or -1. */
int global_find(const GlobalTable *globals, Symbol name);
/* The slot of a name that is assigned by other means than a text, made if it is new. */
uint32_t global_assign(GlobalTable *globals, Symbol name);
void global_table_free(GlobalTable *globals);

/* The names as they are at one moment, to go back to. */
typedef struct {
    GlobalName *name;
    int len;
} GlobalSnapshot;

GlobalSnapshot global_snapshot(const GlobalTable *globals);
void global_restore(GlobalTable *globals, const GlobalSnapshot *snapshot);
void global_snapshot_free(GlobalSnapshot *snapshot);

#endif

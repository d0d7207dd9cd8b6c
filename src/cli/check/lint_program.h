/* The files that are checked together. */
#ifndef CLI_CHECK_LINT_PROGRAM_H
#define CLI_CHECK_LINT_PROGRAM_H

#include "eval/interp.h"

/* What a module's names are defined as; found once for all files that import it. */
typedef struct DefinitionTable DefinitionTable;

/* A set of ValueKinds. */
typedef uint16_t Kinds;

enum { TRIED_ARGUMENTS = 3, TRIED_CALLS = 64 };

/* A call of a builtin that nothing can be said against. */
typedef struct {
    const struct Builtin *builtin;
    int n;
    Kinds kinds[TRIED_ARGUMENTS];
    Symbol name[TRIED_ARGUMENTS]; /* NULL: positional */
} TriedCall;

typedef struct {
    Interp *in; /* opens them, and is asked what would fail; runs nothing of them */
    VEC_OF(DefinitionTable *) tables;
    TriedCall tried[TRIED_CALLS]; /* some of the last ones, by what they are */
} LintProgram;

/* The def or struct that a name stands for whenever it is read; node is NULL where it is not known.
 */
typedef struct {
    const Ast *node;
    Module *home; /* whose names its text means */
} Definition;

/* The definition of a global of a module. */
Definition definition_of_global(LintProgram *p, Module *m, int slot);
void lint_program_free(LintProgram *p);

#endif

/* What can be said about a program without running it, beyond what opening it refuses. */
#ifndef CLI_CHECK_LINT_H
#define CLI_CHECK_LINT_H

#include "cli/check/lint_program.h"

/* Adds errors (calls of known functions with wrong arguments, operators and contracts that can't
 * work, results that an adjoint can't have) and warnings (what is assigned or imported and never
 * used, what can't be reached, what shadows a builtin) of an open module, in the order of the
 * text. */
void lint_module(LintProgram *p, Module *m, ErrorList *findings);

#endif

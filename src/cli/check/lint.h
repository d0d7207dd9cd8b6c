/* What can be said about a program without running it, beyond what the parser and the resolver
 * refuse. */
#ifndef CLI_CHECK_LINT_H
#define CLI_CHECK_LINT_H

#include "cli/check/lint_findings.h"
#include "syntax/resolve.h"

/* Adds errors (calls of known functions with wrong counts or keywords, shape contracts that can't
 * hold) and warnings (what is assigned or imported and never used, what can't be reached, what
 * shadows a builtin), in the order of the text. file must be resolved. */
void lint_file(const SyntaxFile *file, const GlobalTable *globals, LintFindings *findings);
void lint_free(LintFindings *findings);

#endif

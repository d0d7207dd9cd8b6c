/* Between the files of lint. */
#ifndef CLI_CHECK_LINT_WALK_H
#define CLI_CHECK_LINT_WALK_H

#include "cli/check/lint_findings.h"
#include "syntax/resolve.h"

/* The variables of a function, a test or the top level. */
typedef struct LintScope {
    bool *is_read;
    Span *assigned; /* by a plain `x = …`, the last one */
    uint32_t n;
    const Symbol *name;
    struct LintScope *outer;
} LintScope;

typedef struct {
    const GlobalTable *globals;
    LintFindings *findings;
    bool *global_is_read;
    const Ast **definition; /* of each global: its one def or struct, or NULL */
    LintScope *scope;
    bool in_function, in_test; /* the statement at hand */
} Lint;

/* Adds a finding; returns it, for a hint. */
Error *lint_add(Lint *l, bool is_warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Checks a call whose callee is known (lint_call.c). */
void lint_call(Lint *l, const Ast *call);

#endif

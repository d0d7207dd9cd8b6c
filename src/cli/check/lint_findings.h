/* What lint reports: errors and warnings, in the order of the text. */
#ifndef CLI_CHECK_LINT_FINDINGS_H
#define CLI_CHECK_LINT_FINDINGS_H

#include "base/error.h"

typedef VEC_OF(Error) LintFindings;

#endif

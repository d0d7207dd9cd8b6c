/* What a failed check says: the sources of its arguments, their values, and where they differ. */
#ifndef BUILTINS_CHECK_REPORT_H
#define BUILTINS_CHECK_REPORT_H

#include "builtins/compare.h"
#include "eval/builtin.h"

/* Fails with ERR_ASSERT: the builtin's name, " failed", and the text, which begins with ": " or
 * " at ". */
bool check_fail(Interp *in, const Args *a, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Argument i as the program has it, on one line. */
void check_write_source(StrBuf *out, const Args *a, int i);
/* v as a literal on one line, cut after so many characters. */
void check_write_value(StrBuf *out, Value v, int longest);
/* Fails with what a comparison of arguments 0 and 1 found. */
bool check_report(Interp *in, const Args *a, const Criterion *c, const Findings *f);

#endif

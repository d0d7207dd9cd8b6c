/* One test block, run and reported. */
#ifndef CLI_TEST_BLOCK_H
#define CLI_TEST_BLOCK_H

#include "eval/interp.h"

typedef enum { TEST_PASSED, TEST_FAILED, TEST_INTERRUPTED } TestOutcome;

/* Runs a block of a loaded module and prints its line, and under it what failed. What it prints is
 * shown only then. Nothing of it reaches the next one. */
TestOutcome test_block_run(Interp *in, Module *module, const TestDecl *test, bool colour);
/* A line of the report, for something that is no block. */
void test_line_print(bool ok, const char *name, double seconds, bool colour);
/* Prints why, with the output that belongs to it, and clears the error, the derivative levels that
 * are open, and the output. */
TestOutcome test_failure_settle(Interp *in, StrBuf *output, bool colour);
/* Seconds, of a clock that only goes forward. */
double monotonic_seconds(void);

#endif

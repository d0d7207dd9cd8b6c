/* One test block, run. */
#ifndef CLI_TEST_BLOCK_H
#define CLI_TEST_BLOCK_H

#include "cli/test/result.h"
#include "eval/interp.h"

/* A test's name as it can be printed; owned. */
char *test_shown_name(const TestDecl *test);
/* Runs a block of a loaded module. What it prints is kept for its result. Nothing of it reaches the
 * next one: its error, its output and its derivative levels end here. */
TestResult test_block_run(Interp *in, Module *module, const TestDecl *test, bool colour);
/* A failure out of the interpreter's error, with the output that belongs to it; both are cleared.
 */
void test_failure_settle(Interp *in, StrBuf *output, bool colour, TestResult *r);

#endif

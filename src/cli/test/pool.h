/* Running the tests of many files, some at a time. */
#ifndef CLI_TEST_POOL_H
#define CLI_TEST_POOL_H

#include "cli/find.h"
#include "cli/test/options.h"
#include "cli/test/result.h"

/* Called for every result, in the order of the files; and, with TEST_RUNNING, when a test has been
 * running for a while. */
typedef void TestSink(void *context, const TestResult *r);

/* Runs every test of the files and fills report. With fail_fast, stops after the first failure;
 * Ctrl-C stops too. */
void pool_run(const FileList *files, const TestOptions *o, bool colour, TestReport *report,
              TestSink *sink, void *context);

#endif

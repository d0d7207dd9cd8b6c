/* The report of viv test, in each of its formats. */
#ifndef CLI_TEST_REPORT_H
#define CLI_TEST_REPORT_H

#include "cli/test/options.h"
#include "cli/test/result.h"

typedef struct {
    const TestOptions *o;
    int n_files;
    bool colour;
    bool is_terminal, shows_progress;
    const char *file; /* whose results were printed last */
    int count;
} Reporter;

/* A TestSink: pretty and tap print as results come, the others wait for the end. */
void report_result(void *reporter, const TestResult *r);
/* The end of the report, with the slowest tests and the closing line. */
void report_end(Reporter *r, const TestReport *report);

#endif

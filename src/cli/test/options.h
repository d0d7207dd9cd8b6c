/* The options of viv test. */
#ifndef CLI_TEST_OPTIONS_H
#define CLI_TEST_OPTIONS_H

#include <stdbool.h>

#include "cli/cli.h"
#include "cli/test/filter.h"

typedef enum { FORMAT_PRETTY, FORMAT_TAP, FORMAT_JUNIT, FORMAT_JSON } TestFormat;

typedef struct {
    TestFilters filters;
    bool list, fail_fast, watch, quiet;
    int jobs, slowest;
    double timeout; /* seconds; 0: none */
    TestFormat format;
    char **path; /* what is no option */
    int n_paths;
} TestOptions;

/* Reads them; STATUS_OK, or STATUS_USAGE after a message. Free with test_options_free, also then. */
int test_options_read(TestOptions *o, int argc, char **argv);
void test_options_free(TestOptions *o);

extern const CommandOption test_options[];

#endif

/* What became of one test, and its line in a report. */
#ifndef CLI_TEST_RESULT_H
#define CLI_TEST_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

typedef enum {
    TEST_PASSED,
    TEST_FAILED,
    TEST_INTERRUPTED,
    TEST_CRASHED,   /* its process ended */
    TEST_TIMED_OUT, /* its process was killed */
    TEST_RUNNING,   /* no outcome yet: for a progress line */
} TestOutcome;

typedef struct {
    const char *file; /* borrowed; NULL in a session */
    char *name;
    uint32_t line; /* 0: the file itself */
    TestOutcome outcome;
    double seconds;
    /* NULL when it passed */
    char *failure;        /* the diagnostic, for people */
    char *message, *kind; /* of the error */
    char *fields;         /* all of the error, in JSON */
    char *output;         /* what it printed, NULL also when that is nothing */
} TestResult;

typedef struct {
    VEC_OF(TestResult) result;
    int passed, failed;
    bool interrupted;
    double seconds;
} TestReport;

void test_result_free(TestResult *r);
/* Fills in why it failed. */
void test_result_fail(TestResult *r, const Error *err, bool colour);
/* Takes r's strings. */
void test_report_add(TestReport *report, TestResult r);
void test_report_free(TestReport *report);
/* The line of a person's report, and under it why it failed and how to run it again. */
void test_result_print(const TestResult *r, bool colour);
/* Where its file says so: 1 for the file itself. */
uint32_t test_result_line(const TestResult *r);
/* Seconds, of a clock that only goes forward. */
double monotonic_seconds(void);

#endif

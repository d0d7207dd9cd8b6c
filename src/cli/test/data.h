/* Reports for other programs. */
#ifndef CLI_TEST_DATA_H
#define CLI_TEST_DATA_H

#include "cli/test/result.h"

/* One line of TAP 13, and the diagnostic of a failure as comments; number counts from 1. */
void tap_print(const TestResult *t, int number);
/* Whole reports: one testsuite for each file; one object. */
void junit_print(const TestReport *report);
void json_print(const TestReport *report);
const char *test_outcome_text(TestOutcome outcome);

#endif

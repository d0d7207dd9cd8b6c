#include "cli/test_block.h"

#include <string.h>
#include <time.h>

#include "syntax/diagnostic.h"

double monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Text indented under a failed test's line. */
static void print_indented(const char *text)
{
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        printf("        %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static void print_failure(Interp *in, const StrBuf *output, bool colour)
{
    StrBuf text = {0};
    if (in->err.kind == ERR_EXIT) {
        error_note(&in->err, in->is_test ? "under viv test nothing may end the program"
                                         : "a test may not end the session");
        in->err.kind = ERR_USER;
    }
    diagnostic_write(&text, &in->err, colour);
    print_indented(strbuf_str(&text));
    if (output->len) {
        puts("        it printed:");
        print_indented(strbuf_str(output));
    }
    strbuf_free(&text);
}

void test_line_print(bool ok, const char *name, double seconds, bool colour)
{
    const char *paint = !colour ? "" : ok ? "\033[32m" : "\033[1;31m";
    printf("  %s%s%s %s (%.2f ms)\n", paint, ok ? "ok  " : "FAIL", colour ? "\033[0m" : "", name,
           1e3 * seconds);
}

TestOutcome test_failure_settle(Interp *in, StrBuf *output, bool colour)
{
    TestOutcome outcome = in->err.kind == ERR_INTERRUPT ? TEST_INTERRUPTED : TEST_FAILED;
    print_failure(in, output, colour);
    error_clear(&in->err);
    while (in->ad.depth) ad_close(&in->ad);
    strbuf_free(output);
    return outcome;
}

TestOutcome test_block_run(Interp *in, Module *module, const TestDecl *test, bool colour)
{
    StrBuf output = {0}, *capture = in->capture;
    in->capture = &output;
    double start = monotonic_seconds();
    bool ok = module_run_test(in, module, test);
    test_line_print(ok, test->name, monotonic_seconds() - start, colour);
    in->capture = capture;
    if (!ok) return test_failure_settle(in, &output, colour);
    strbuf_free(&output);
    return TEST_PASSED;
}

/* viv test: every test block of every file, in isolation, with a report. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/cli.h"
#include "cli/find.h"
#include "cli/test_block.h"

typedef struct {
    int passed, failed;
    bool interrupted;
    bool colour;
} Report;

static const char *paint(const Report *r, const char *code)
{
    return r->colour ? code : "";
}

static void count(Report *r, TestOutcome outcome)
{
    r->passed += outcome == TEST_PASSED;
    r->failed += outcome != TEST_PASSED;
    r->interrupted |= outcome == TEST_INTERRUPTED;
}

static void run_tests_of(Interp *in, Module *m, Report *r)
{
    const AstList *list = &m->files.item[0]->body->list;
    for (int i = 0; i < list->len && !r->interrupted; i++)
        if (list->item[i]->kind == AST_TEST)
            count(r, test_block_run(in, m, list->item[i]->test, r->colour));
}

/* A file has an interpreter of its own. One whose top level fails is one failure. */
static void run_file(const char *path, Report *r)
{
    Interp *in = interp_new();
    StrBuf output = {0};
    in->is_test = true;
    in->capture = &output;
    printf("%s%s%s\n", paint(r, "\033[1m"), path, paint(r, "\033[0m"));
    Module *m = module_load_file(in, path);
    if (m) {
        strbuf_free(&output);
        run_tests_of(in, m, r);
    } else {
        test_line_print(false, "the file itself", 0.0, r->colour);
        count(r, test_failure_settle(in, &output, r->colour));
    }
    interp_free(in);
    fflush(stdout);
}

static int close_report(const Report *r, double seconds)
{
    if (r->interrupted) puts("interrupted");
    if (r->passed + r->failed == 0) puts("no tests ran");
    printf("%s%d passed, %d failed%s", paint(r, r->failed ? "\033[1;31m" : "\033[32m"), r->passed,
           r->failed, paint(r, "\033[0m"));
    puts("");
    if (r->colour) printf("in %.1f ms\n", 1e3 * seconds);
    if (r->interrupted) return STATUS_INTERRUPTED;
    return r->failed || r->passed == 0 ? STATUS_FAILED : STATUS_OK;
}

static bool collect(FileList *files, int argc, char **argv, Error *err)
{
    if (argc == 0) return find_files(files, ".", err);
    for (int i = 0; i < argc; i++)
        if (!find_files(files, argv[i], err)) return false;
    return true;
}

int command_test(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (argv[i][0] == '-')
            return usage_error("test has no option %s; viv help test shows what it takes", argv[i]);
    FileList files = {0};
    Error err = {0};
    Report report = {.colour = use_colour(STDOUT_FILENO)};
    int status;
    double start = monotonic_seconds();
    if (collect(&files, argc, argv, &err)) {
        for (int i = 0; i < files.path.len && !report.interrupted; i++)
            run_file(files.path.item[i], &report);
        status = close_report(&report, monotonic_seconds() - start);
    } else {
        usage_error("%s", err.message);
        status = STATUS_FAILED;
    }
    error_clear(&err);
    file_list_free(&files);
    return status;
}

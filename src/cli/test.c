/* viv test: every test block of every file, in isolation, with a report. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/cli.h"
#include "cli/find.h"
#include "syntax/diagnostic.h"

typedef struct {
    int passed, failed;
    bool interrupted;
    bool colour;
} Report;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *paint(const Report *r, const char *code)
{
    return r->colour ? code : "";
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

static void print_failure(Interp *in, const Report *r, const StrBuf *output)
{
    StrBuf text = {0};
    if (in->err.kind == ERR_EXIT) {
        error_note(&in->err, "under viv test nothing may end the program");
        in->err.kind = ERR_USER;
    }
    diagnostic_write(&text, &in->err, r->colour);
    print_indented(strbuf_str(&text));
    if (output->len) {
        puts("        it printed:");
        print_indented(strbuf_str(output));
    }
    strbuf_free(&text);
}

static void print_line(const Report *r, bool ok, const char *name, double seconds)
{
    printf("  %s%s%s %s (%.2f ms)\n", paint(r, ok ? "\033[32m" : "\033[1;31m"),
           ok ? "ok  " : "FAIL", paint(r, "\033[0m"), name, 1e3 * seconds);
}

/* Nothing of one test reaches the next: its error, its output and its derivative levels end here.
 */
static void settle(Interp *in, Report *r, StrBuf *output)
{
    r->interrupted |= in->err.kind == ERR_INTERRUPT;
    error_clear(&in->err);
    while (in->ad.depth) ad_close(&in->ad);
    strbuf_free(output);
}

static void run_test(Interp *in, Module *m, const TestDecl *test, Report *r)
{
    StrBuf output = {0};
    in->capture = &output;
    double start = now();
    bool ok = module_run_test(in, m, test);
    print_line(r, ok, test->name, now() - start);
    if (ok)
        r->passed++;
    else {
        r->failed++;
        print_failure(in, r, &output);
    }
    settle(in, r, &output);
}

static void run_tests_of(Interp *in, Module *m, Report *r)
{
    const AstList *list = &m->files.item[0]->body->list;
    for (int i = 0; i < list->len && !r->interrupted; i++)
        if (list->item[i]->kind == AST_TEST) run_test(in, m, list->item[i]->test, r);
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
        r->failed++;
        print_line(r, false, "the file itself", 0.0);
        print_failure(in, r, &output);
        settle(in, r, &output);
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
    double start = now();
    if (collect(&files, argc, argv, &err)) {
        for (int i = 0; i < files.path.len && !report.interrupted; i++)
            run_file(files.path.item[i], &report);
        status = close_report(&report, now() - start);
    } else {
        usage_error("%s", err.message);
        status = STATUS_FAILED;
    }
    error_clear(&err);
    file_list_free(&files);
    return status;
}

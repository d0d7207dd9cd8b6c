#include "cli/test/result.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/json.h"
#include "syntax/diagnostic.h"

double monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void test_result_free(TestResult *r)
{
    mem_free(r->name);
    mem_free(r->failure);
    mem_free(r->message);
    mem_free(r->kind);
    mem_free(r->fields);
    mem_free(r->output);
}

void test_result_fail(TestResult *r, const Error *err, bool colour)
{
    StrBuf text = {0}, fields = {0};
    const char *message = err->message ? err->message : "", *kind = json_error_kind(err);
    diagnostic_write(&text, err, colour);
    json_write_error(&fields, err, r->file);
    r->failure = strbuf_take(&text);
    r->fields = strbuf_take(&fields);
    r->message = mem_strndup(message, strlen(message));
    r->kind = mem_strndup(kind, strlen(kind));
}

void test_report_add(TestReport *report, TestResult r)
{
    if (r.outcome == TEST_INTERRUPTED) { /* it has neither passed nor failed */
        report->interrupted = true;
        test_result_free(&r);
        return;
    }
    report->passed += r.outcome == TEST_PASSED;
    report->failed += r.outcome != TEST_PASSED;
    VEC_PUSH(&report->result, r);
}

void test_report_free(TestReport *report)
{
    for (int i = 0; i < report->result.len; i++) test_result_free(&report->result.item[i]);
    VEC_FREE(&report->result);
}

uint32_t test_result_line(const TestResult *r)
{
    return r->line ? r->line : 1;
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

/* A name as a shell takes it: in single quotes. */
static void print_quoted(const char *name)
{
    putchar('\'');
    for (; *name; name++) {
        if (*name == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*name);
    }
    putchar('\'');
}

void test_result_print(const TestResult *r, bool colour)
{
    bool ok = r->outcome == TEST_PASSED;
    const char *paint = !colour ? "" : ok ? "\033[32m" : "\033[1;31m";
    printf("  %s%s%s %s (%.2f ms)\n", paint, ok ? "ok  " : "FAIL", colour ? "\033[0m" : "", r->name,
           1e3 * r->seconds);
    if (r->failure) print_indented(r->failure);
    if (r->output) {
        puts("        it printed:");
        print_indented(r->output);
    }
    if (ok || !r->file || r->line == 0 || r->outcome == TEST_INTERRUPTED) return;
    printf("        again: viv test %s --filter ", r->file);
    print_quoted(r->name);
    putchar('\n');
}

#include "cli/test/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"

/* ---- text for other programs ---- */

/* XML has no way to write most control characters. */
static void print_xml_text(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++) {
        switch (*p) {
        case '<': fputs("&lt;", stdout); break;
        case '>': fputs("&gt;", stdout); break;
        case '&': fputs("&amp;", stdout); break;
        case '"': fputs("&quot;", stdout); break;
        default:
            if (*p >= 0x20 || *p == '\n' || *p == '\t') putchar(*p);
        }
    }
}

static const char *outcome_text(TestOutcome o)
{
    static const char *const text[] = {"passed",  "failed",    "interrupted",
                                       "crashed", "timed out", "running"};
    return text[o];
}

/* ---- tap: https://testanything.org/tap-version-13-specification.html ---- */

static void print_tap(Reporter *r, const TestResult *t)
{
    if (r->count == 1) puts("TAP version 13");
    printf("%sok %d - %s: ", t->outcome == TEST_PASSED ? "" : "not ", r->count, t->file);
    for (const char *p = t->name; *p; p++) {
        if (*p == '#' || *p == '\\') putchar('\\');
        putchar(*p == '\n' ? ' ' : *p);
    }
    putchar('\n');
    const char *lines = t->failure ? t->failure : "";
    while (*lines) {
        size_t len = strcspn(lines, "\n");
        printf("# %.*s\n", (int)len, lines);
        lines += len + (lines[len] == '\n');
    }
}

/* ---- junit and json, at the end ---- */

static void print_junit_case(const TestResult *t)
{
    fputs("    <testcase classname=\"", stdout);
    print_xml_text(t->file);
    fputs("\" name=\"", stdout);
    print_xml_text(t->name);
    printf("\" time=\"%.6f\"", t->seconds);
    if (t->outcome == TEST_PASSED) {
        puts("/>");
        return;
    }
    printf(">\n      <failure message=\"%s\">", outcome_text(t->outcome));
    print_xml_text(t->failure);
    puts("</failure>");
    if (t->output) {
        fputs("      <system-out>", stdout);
        print_xml_text(t->output);
        puts("</system-out>");
    }
    puts("    </testcase>");
}

static void print_junit(const TestReport *report)
{
    int n = report->result.len;
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    printf("  <testsuite name=\"viv\" tests=\"%d\" failures=\"%d\" errors=\"0\" time=\"%.6f\">\n",
           n, report->failed, report->seconds);
    for (int i = 0; i < n; i++) print_junit_case(&report->result.item[i]);
    puts("  </testsuite>\n</testsuites>");
}

static void print_json_case(const TestResult *t, bool last)
{
    fputs("    {\"file\": ", stdout);
    json_print_text(t->file);
    printf(", \"line\": %u, \"name\": ", t->line);
    json_print_text(t->name);
    printf(", \"outcome\": \"%s\", \"seconds\": %.6f", outcome_text(t->outcome), t->seconds);
    if (t->failure) {
        fputs(", \"failure\": ", stdout);
        json_print_text(t->failure);
    }
    if (t->output) {
        fputs(", \"output\": ", stdout);
        json_print_text(t->output);
    }
    printf("}%s\n", last ? "" : ",");
}

static void print_json(const TestReport *report)
{
    int n = report->result.len;
    printf("{\n  \"passed\": %d, \"failed\": %d, \"seconds\": %.6f,\n  \"tests\": [\n",
           report->passed, report->failed, report->seconds);
    for (int i = 0; i < n; i++) print_json_case(&report->result.item[i], i == n - 1);
    puts("  ]\n}");
}

/* ---- for people ---- */

static const char *paint(const Reporter *r, const char *code)
{
    return r->colour ? code : "";
}

static void print_pretty(Reporter *r, const TestResult *t)
{
    if (!r->file || strcmp(r->file, t->file) != 0)
        printf("%s%s%s\n", paint(r, "\033[1m"), t->file, paint(r, "\033[0m"));
    r->file = t->file;
    test_result_print(t, r->colour);
    fflush(stdout);
}

static int slower_first(const void *a, const void *b)
{
    double x = (*(const TestResult *const *)a)->seconds,
           y = (*(const TestResult *const *)b)->seconds;
    return (x < y) - (x > y);
}

static void print_slowest(const TestReport *report, int n)
{
    int all = report->result.len;
    const TestResult **order = mem_alloc((size_t)all * sizeof *order);
    for (int i = 0; i < all; i++) order[i] = &report->result.item[i];
    qsort(order, (size_t)all, sizeof *order, slower_first);
    puts("slowest:");
    for (int i = 0; i < n && i < all; i++)
        printf("  %9.2f ms  %s: %s\n", 1e3 * order[i]->seconds, order[i]->file, order[i]->name);
    mem_free(order);
}

static void print_no_tests(const Reporter *r)
{
    if (r->n_files == 0)
        puts("no tests ran: there is no .viv file");
    else if (r->o->filter)
        printf("no tests ran: the name of none contains %s\n", r->o->filter);
    else
        puts("no tests ran: a test is written test \"name\" { assert(1 < 2) }");
}

static void close_pretty(Reporter *r, const TestReport *report)
{
    if (r->o->slowest && report->result.len) print_slowest(report, r->o->slowest);
    if (report->interrupted) puts("interrupted");
    if (report->result.len == 0 && !report->interrupted) print_no_tests(r);
    printf("%s%d passed, %d failed%s\n", paint(r, report->failed ? "\033[1;31m" : "\033[32m"),
           report->passed, report->failed, paint(r, "\033[0m"));
    if (r->colour) printf("in %.1f ms\n", 1e3 * report->seconds);
}

/* On a terminal, the test that is running stands on the last line until there is something to say.
 */
static void clear_progress(Reporter *r)
{
    if (r->shows_progress) fputs("\r\033[K", stdout);
    r->shows_progress = false;
}

static void show_progress(Reporter *r, const TestResult *t)
{
    if (!r->is_terminal || r->o->format != FORMAT_PRETTY) return;
    clear_progress(r);
    printf("  %d done, running: %.60s", r->count, t->name);
    fflush(stdout);
    r->shows_progress = true;
}

void report_result(void *reporter, const TestResult *t)
{
    Reporter *r = reporter;
    if (t->outcome == TEST_RUNNING) {
        show_progress(r, t);
        return;
    }
    clear_progress(r);
    r->count++;
    if (r->o->format == FORMAT_PRETTY) print_pretty(r, t);
    if (r->o->format == FORMAT_TAP) print_tap(r, t);
}

void report_end(Reporter *r, const TestReport *report)
{
    clear_progress(r);
    switch (r->o->format) {
    case FORMAT_PRETTY: close_pretty(r, report); break;
    case FORMAT_TAP: printf("%s1..%d\n", r->count ? "" : "TAP version 13\n", r->count); break;
    case FORMAT_JUNIT: print_junit(report); break;
    case FORMAT_JSON: print_json(report); break;
    }
    fflush(stdout);
}

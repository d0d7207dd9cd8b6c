#include "cli/test/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/test/data.h"

static const char *paint(const Reporter *r, const char *code)
{
    return r->colour ? code : "";
}

static void print_pretty(Reporter *r, const TestResult *t)
{
    if (r->o->quiet && t->outcome == TEST_PASSED) return;
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

static void print_filters(const TestFilters *filters)
{
    for (int i = 0; i < filters->len; i++) {
        const TestFilter *f = &filters->item[i];
        fputs(i ? ", and " : "", stdout);
        if (f->line)
            printf("none holds line %u of %s", f->line, f->text);
        else
            printf("the name of none contains %s", f->text);
    }
    putchar('\n');
}

static void print_no_tests(const Reporter *r)
{
    fputs("no tests ran: ", stdout);
    if (r->o->filters.len)
        print_filters(&r->o->filters);
    else if (r->n_files == 0)
        puts("there is no .viv file");
    else
        puts("a test is written test \"name\" { assert(1 < 2) }");
}

/* ---- what failed, once more, where it may have scrolled away ---- */

static int count_lines(const char *text)
{
    int n = 0;
    for (; text && *text; text++) n += *text == '\n';
    return n;
}

/* A report of one file that fits on a screen shows its failures as it is. */
static bool is_long(const TestReport *report)
{
    enum { SCREEN = 24 };
    int lines = 0;
    const TestResult *t = report->result.item;
    for (int i = 0; i < report->result.len; i++) {
        if (strcmp(t[i].file, t[0].file) != 0) return true;
        lines += 1 + count_lines(t[i].failure) + count_lines(t[i].output);
    }
    return lines > SCREEN;
}

static void print_failed(const Reporter *r, const TestReport *report)
{
    puts("failed:");
    for (int i = 0; i < report->result.len; i++) {
        const TestResult *t = &report->result.item[i];
        if (t->outcome == TEST_PASSED) continue;
        printf("  %s%s:%u%s %s\n", paint(r, "\033[1m"), t->file, test_result_line(t),
               paint(r, "\033[0m"), t->name);
    }
}

static void close_pretty(Reporter *r, const TestReport *report)
{
    if (r->o->slowest && report->result.len) print_slowest(report, r->o->slowest);
    if (report->failed && !r->o->quiet && is_long(report)) print_failed(r, report);
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
    if (r->o->format == FORMAT_TAP) tap_print(t, r->count);
}

void report_end(Reporter *r, const TestReport *report)
{
    clear_progress(r);
    switch (r->o->format) {
    case FORMAT_PRETTY: close_pretty(r, report); break;
    case FORMAT_TAP: printf("%s1..%d\n", r->count ? "" : "TAP version 13\n", r->count); break;
    case FORMAT_JUNIT: junit_print(report); break;
    case FORMAT_JSON: json_print(report); break;
    }
    fflush(stdout);
}

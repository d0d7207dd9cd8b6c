#include "cli/test/data.h"

#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "syntax/text_width.h"

const char *test_outcome_text(TestOutcome outcome)
{
    static const char *const text[] = {"passed",  "failed",    "interrupted",
                                       "crashed", "timed out", "running"};
    return text[outcome];
}

static void print_and_free(StrBuf *out)
{
    fputs(strbuf_str(out), stdout);
    strbuf_free(out);
}

/* ---- tap: https://testanything.org/tap-version-13-specification.html ---- */

void tap_print(const TestResult *t, int number)
{
    if (number == 1) puts("TAP version 13");
    printf("%sok %d - %s: ", t->outcome == TEST_PASSED ? "" : "not ", number, t->file);
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

/* ---- junit ---- */

/* What XML 1.0 can't hold becomes U+FFFD; line ends and tabs are written so that they survive in an
 * attribute. */
static void write_xml(StrBuf *out, const char *text)
{
    for (const char *p = text, *end = text + strlen(text); p < end;) {
        unsigned code = text_next(&p, end);
        if (strchr("<>&\"\n\t\r", (int)code) && code < 0x80)
            strbuf_printf(out, "&#%u;", code);
        else
            strbuf_code_point(out, code < 0x20 || code == 0xFFFE || code == 0xFFFF ? 0xFFFD : code);
    }
}

static void write_attribute(StrBuf *out, const char *name, const char *text)
{
    strbuf_printf(out, " %s=\"", name);
    write_xml(out, text);
    strbuf_char(out, '"');
}

static void write_element(StrBuf *out, const char *name, const char *text)
{
    write_xml(out, text);
    strbuf_printf(out, "</%s>\n", name);
}

static void write_junit_case(StrBuf *out, const TestResult *t)
{
    strbuf_text(out, "    <testcase");
    write_attribute(out, "classname", t->file);
    write_attribute(out, "name", t->name);
    write_attribute(out, "file", t->file);
    strbuf_printf(out, " line=\"%u\" time=\"%.6f\"", test_result_line(t), t->seconds);
    if (t->outcome == TEST_PASSED) {
        strbuf_text(out, "/>\n");
        return;
    }
    strbuf_text(out, ">\n      <failure");
    write_attribute(out, "message", t->message);
    write_attribute(out, "type", t->kind);
    strbuf_char(out, '>');
    write_element(out, "failure", t->failure);
    if (t->output) {
        strbuf_text(out, "      <system-out>");
        write_element(out, "system-out", t->output);
    }
    strbuf_text(out, "    </testcase>\n");
}

/* Adds up results up to the first one of another file. */
static TestReport sum_of_file(const TestResult *first, int n)
{
    TestReport sum = {0};
    for (int i = 0; i < n && strcmp(first[i].file, first->file) == 0; i++) {
        sum.passed += first[i].outcome == TEST_PASSED;
        sum.failed += first[i].outcome != TEST_PASSED;
        sum.seconds += first[i].seconds;
    }
    return sum;
}

static void write_counts(StrBuf *out, const TestReport *report)
{
    strbuf_printf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" time=\"%.6f\">\n",
                  report->passed + report->failed, report->failed, report->seconds);
}

void junit_print(const TestReport *report)
{
    StrBuf out = {0};
    const TestResult *t = report->result.item;
    strbuf_text(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"viv\"");
    write_counts(&out, report);
    for (int i = 0, n = report->result.len; i < n;) {
        TestReport sum = sum_of_file(&t[i], n - i);
        strbuf_text(&out, "  <testsuite");
        write_attribute(&out, "name", t[i].file);
        write_counts(&out, &sum);
        for (int end = i + sum.passed + sum.failed; i < end; i++) write_junit_case(&out, &t[i]);
        strbuf_text(&out, "  </testsuite>\n");
    }
    strbuf_text(&out, "</testsuites>\n");
    print_and_free(&out);
}

/* ---- json ---- */

static void write_json_case(StrBuf *out, const TestResult *t)
{
    strbuf_text(out, "    {\"file\": ");
    json_write_text(out, t->file);
    strbuf_printf(out, ", \"line\": %u, \"name\": ", test_result_line(t));
    json_write_text(out, t->name);
    strbuf_printf(out, ", \"outcome\": \"%s\", \"duration\": %.6f, \"failure\": %s, \"output\": ",
                  test_outcome_text(t->outcome), t->seconds, t->fields ? t->fields : "null");
    json_write_text(out, t->output);
    strbuf_char(out, '}');
}

void json_print(const TestReport *report)
{
    StrBuf out = {0};
    strbuf_printf(&out, "{\n  \"passed\": %d, \"failed\": %d, \"duration\": %.6f,\n  \"tests\": [",
                  report->passed, report->failed, report->seconds);
    for (int i = 0; i < report->result.len; i++) {
        strbuf_text(&out, i ? ",\n" : "\n");
        write_json_case(&out, &report->result.item[i]);
    }
    strbuf_text(&out, "\n  ]\n}\n");
    print_and_free(&out);
}

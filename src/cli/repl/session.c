#include "cli/repl/session.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/describe.h"
#include "cli/test/block.h"
#include "eval/read_file.h"
#include "value/text.h"

/* ---- life ---- */

void session_open(Session *s)
{
    s->in = interp_new();
    s->module = module_new_session(s->in, ".");
}

void session_close(Session *s)
{
    interp_free(s->in);
    transcript_free(&s->transcript);
    for (int i = 0; i < s->loaded.len; i++) mem_free(s->loaded.item[i]);
    for (int i = 0; i < s->saved.len; i++) mem_free(s->saved.item[i]);
    VEC_FREE(&s->loaded);
    VEC_FREE(&s->saved);
    strbuf_free(&s->input);
    mem_free(s->last_input);
}

void session_reset(Session *s)
{
    Session fresh = {.editor = s->editor, .colour = s->colour, .first_line = s->first_line};
    TextStyle style = s->in->style;
    session_close(s);
    *s = fresh;
    session_open(s);
    s->in->style = style;
}

/* ---- failing ---- */

bool session_fail(Session *s)
{
    bool leaves = s->in->err.kind == ERR_EXIT;
    int status = report_error(s->in);
    if (!leaves && s->editor) return false;
    s->is_over = true;
    s->status = status;
    return false;
}

bool session_complain(Session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    if (s->editor) return false;
    s->is_over = true;
    s->status = STATUS_FAILED;
    return false;
}

/* ---- showing ---- */

/* What a value's text does not tell: an array's shape, a function's parameters. As a comment, so
 * that the whole can be pasted back. */
static void print_remark(const Session *s, Value v, const StrBuf *text)
{
    enum { ONE_LINE = 72 };
    if (!s->editor || (v.kind != VAL_ARR && v.kind != VAL_FN)) return;
    StrBuf remark = {0};
    describe_type(&remark, v);
    bool fits = text->len + remark.len <= ONE_LINE && !memchr(text->data, '\n', text->len);
    printf("%s%s# %s%s", fits ? "  " : "\n", s->colour ? "\033[2m" : "", strbuf_str(&remark),
           s->colour ? "\033[0m" : "");
    strbuf_free(&remark);
}

static bool print_value(Session *s, Value v)
{
    StrBuf text = {0};
    TextStyle style = interp_style(s->in, stdout);
    bool ok = value_show_literal(&text, v, &style, &s->in->err);
    if (ok) {
        fwrite(text.data, 1, text.len, stdout);
        print_remark(s, v, &text);
        putchar('\n');
    }
    strbuf_free(&text);
    return ok || session_fail(s);
}

/* Takes v, which becomes _. */
static bool answer(Session *s, Value v)
{
    if (!value_is_set(v) || v.kind == VAL_NONE) return true;
    module_assign(s->module, symbol_of("_"), v);
    return print_value(s, v);
}

static bool run_tests(Session *s, const SyntaxFile *file, StatementList *failed)
{
    TestOutcome outcome = TEST_PASSED;
    const AstList *list = &file->body->list;
    for (int i = 0; i < list->len && outcome != TEST_INTERRUPTED; i++) {
        if (list->item[i]->kind != AST_TEST) continue;
        TestResult r = test_block_run(s->in, s->module, list->item[i]->test, s->colour);
        test_result_print(&r, s->colour);
        outcome = r.outcome;
        test_result_free(&r);
        if (outcome != TEST_PASSED) VEC_PUSH(failed, i);
    }
    if (failed->len == 0 || s->editor) return failed->len == 0;
    s->is_over = true;
    s->status = outcome == TEST_INTERRUPTED ? STATUS_INTERRUPTED : STATUS_FAILED;
    return false;
}

/* ---- running ---- */

/* The prompt belongs at the start of a line. */
static void end_line(Session *s)
{
    if (s->editor && s->in->line_is_open) putchar('\n');
    s->in->line_is_open = false;
}

static bool run(Session *s, const ModuleText *text, int file_number)
{
    Value v;
    StatementList failed = {0};
    double start = monotonic_seconds();
    bool ok = module_run_input(s->in, s->module, text, &v);
    s->seconds = monotonic_seconds() - start;
    end_line(s);
    if (!ok) return session_fail(s);
    const SyntaxFile *file = s->module->files.item[s->module->files.len - 1];
    bool sets_last = value_is_set(v) && v.kind != VAL_NONE;
    if (file_number == 0)
        ok = answer(s, v);
    else
        value_release(v);
    ok &= run_tests(s, file, &failed);
    transcript_add(&s->transcript, file, &failed, file_number, sets_last);
    VEC_FREE(&failed);
    fflush(stdout);
    return ok;
}

bool session_run(Session *s, const char *text, size_t len)
{
    StrBuf name = {0};
    if (s->editor)
        strbuf_printf(&name, "<repl %d>", ++s->n_inputs);
    else
        strbuf_text(&name, "<stdin>");
    ModuleText input = {
        .name = name.data, .text = text, .len = len, .first_line = s->editor ? 1 : s->first_line};
    bool ok = run(s, &input, 0);
    strbuf_free(&name);
    return ok;
}

bool session_load(Session *s, int index)
{
    StrBuf text = {0};
    const char *path = s->loaded.item[index];
    if (!read_file(path, &text, &s->in->err)) return session_fail(s);
    char *folder = mem_strndup(path, strlen(path));
    ModuleText input = {.name = path,
                        .text = strbuf_str(&text),
                        .len = text.len,
                        .first_line = 1,
                        .folder = dirname(folder)};
    bool ok = run(s, &input, index + 1);
    mem_free(folder);
    strbuf_free(&text);
    return ok;
}

/* Text in, outcome as text out: a tree as an S-expression, or the whole diagnostic. */
#ifndef TEST_SYNTAX_HELPERS_H
#define TEST_SYNTAX_HELPERS_H

#include <criterion/criterion.h>
#include <string.h>

#include "syntax/ast_print.h"
#include "syntax/diagnostic.h"
#include "syntax/parse.h"
#include "syntax/resolve.h"
#include "syntax/text_width.h"

static const char *const test_builtins[] = {"print", "sum", "sqrt", "len", "items", NULL};

static inline const char *test_builtin_name(int index)
{
    return test_builtins[index];
}

static inline int test_builtin_index(Symbol name)
{
    for (int i = 0; test_builtins[i]; i++) {
        if (strcmp(test_builtins[i], name->text) == 0) return i;
    }
    return -1;
}

static inline bool test_no_module(Symbol name)
{
    (void)name;
    return false;
}

static inline ResolveContext test_context(GlobalTable *globals)
{
    return (ResolveContext){globals, false, test_builtin_index, test_builtin_name, test_no_module};
}

/* "incomplete: " in front of what more text could complete. */
static inline char *test_complaint(const Error *err)
{
    StrBuf out = {0};
    cr_assert(error_is_set(err), "a failure without an error");
    if (err->kind == ERR_INCOMPLETE) strbuf_text(&out, "incomplete: ");
    diagnostic_write(&out, err, false);
    return strbuf_take(&out);
}

static inline char *test_outcome_n(const char *text, size_t len, bool resolve)
{
    SyntaxFile file = {0};
    Error err = {0};
    GlobalTable globals = {0};
    ResolveContext context = test_context(&globals);
    bool ok = parse_source(source_add("t", text, len), &file, &err) &&
              (!resolve || resolve_file(&file, &context, &err));
    StrBuf out = {0};
    if (ok) ast_print(&out, file.body);
    char *outcome = ok ? strbuf_take(&out) : test_complaint(&err);
    error_clear(&err);
    global_table_free(&globals);
    syntax_file_free(&file);
    return outcome;
}

static inline char *test_outcome(const char *text, bool resolve)
{
    return test_outcome_n(text, strlen(text), resolve);
}

/* The tree of a text, without the block around it. */
static inline void expect_tree(const char *text, const char *tree)
{
    char *outcome = test_outcome(text, false);
    StrBuf wanted = {0};
    strbuf_printf(&wanted, "(block%s%s)", *tree ? " " : "", tree);
    cr_expect_str_eq(outcome, strbuf_str(&wanted), "%s\n gave %s\n not  %s", text, outcome,
                     strbuf_str(&wanted));
    strbuf_free(&wanted);
    mem_free(outcome);
}

static inline void expect_start(const char *text, const char *outcome, const char *wanted)
{
    cr_expect(strncmp(outcome, wanted, strlen(wanted)) == 0, "%s\n gave %s\n not  %s", text,
              outcome, wanted);
}

/* The beginning of the diagnostic of a text that does not parse. */
static inline void expect_error(const char *text, const char *complaint)
{
    char *outcome = test_outcome(text, false);
    expect_start(text, outcome, complaint);
    mem_free(outcome);
}

/* The same for one that parses and does not resolve. */
static inline void expect_name_error(const char *text, const char *complaint)
{
    char *outcome = test_outcome(text, true);
    expect_start(text, outcome, complaint);
    mem_free(outcome);
}

static inline void expect_resolved(const char *text)
{
    expect_name_error(text, "(block");
}

#endif

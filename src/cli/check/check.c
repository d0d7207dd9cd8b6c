/* viv check: what is wrong with programs, without running them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/check/lint.h"
#include "cli/cli.h"
#include "cli/find.h"
#include "cli/json.h"
#include "eval/read_file.h"
#include "syntax/diagnostic.h"
#include "syntax/source.h"

const CommandOption check_options[] = {
    {"--format", "pretty|json", "the report: pretty is for people, json for editors"},
    COLOR_OPTION,
    {0},
};

typedef struct {
    LintProgram program;
    bool is_json;
    int errors, warnings, files;
} Check;

/* ---- one file ---- */

static Module *open_path(Interp *in, const char *path)
{
    StrBuf text = {0};
    if (strcmp(path, "-") != 0) return module_open_file(in, path);
    Module *m = read_file(path, &text, &in->err)
                    ? module_open_text(in, "<stdin>", strbuf_str(&text), text.len, ".")
                    : NULL;
    strbuf_free(&text);
    return m;
}

/* What is wrong with a file, and with what it imports as far as that keeps it from running. */
static void find_problems(LintProgram *p, const char *path, ErrorList *findings)
{
    Interp *in = p->in;
    in->problems = findings;
    Module *m = open_path(in, path);
    in->problems = NULL;
    if (error_is_set(&in->err)) VEC_PUSH(findings, in->err);
    in->err = (Error){0};
    if (m) lint_module(p, m, findings);
}

/* ---- reports ---- */

static void print_finding(const Error *e)
{
    StrBuf text = {0};
    diagnostic_write(&text, e, use_colour(STDOUT_FILENO));
    fputs(strbuf_str(&text), stdout);
    strbuf_free(&text);
}

static void print_finding_json(const char *path, const Error *e, bool first)
{
    StrBuf text = {0};
    json_write_error(&text, e, path);
    printf("%s\n  %s", first ? "" : ",", strbuf_str(&text));
    strbuf_free(&text);
}

static void check_file(const char *path, Check *c)
{
    ErrorList findings = {0};
    find_problems(&c->program, path, &findings);
    for (int i = 0; i < findings.len; i++) {
        if (c->is_json)
            print_finding_json(path, &findings.item[i], c->errors + c->warnings == 0);
        else
            print_finding(&findings.item[i]);
        c->errors += !findings.item[i].is_warning;
        c->warnings += findings.item[i].is_warning;
        error_clear(&findings.item[i]);
    }
    c->files++;
    VEC_FREE(&findings);
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static int check_all(int n, char **path, Check *c)
{
    FileList files = {0};
    Error err = {0};
    int status = STATUS_OK;
    for (int i = 0; i < n; i++) {
        if (strcmp(path[i], "-") == 0)
            VEC_PUSH(&files.path, mem_strndup("-", 1));
        else if (!find_files(&files, path[i], &err))
            status = usage_error("%s", err.message);
        error_clear(&err);
    }
    c->program.in = interp_new();
    if (c->is_json) fputs("[", stdout);
    for (int i = 0; i < files.path.len; i++) check_file(files.path.item[i], c);
    if (c->is_json)
        puts(c->errors + c->warnings ? "\n]" : "]");
    else
        printf("%d file%s: %d error%s, %d warning%s\n", c->files, plural(c->files), c->errors,
               plural(c->errors), c->warnings, plural(c->warnings));
    lint_program_free(&c->program);
    interp_free(c->program.in);
    file_list_free(&files);
    return status != STATUS_OK || c->errors ? STATUS_FAILED : STATUS_OK;
}

int command_check(int argc, char **argv)
{
    static char here[] = ".";
    char *default_path[] = {here};
    Check c = {0};
    int n = 0;
    for (int i = 0; i < argc; i++) {
        const char *value;
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[n++] = argv[i];
            continue;
        }
        const CommandOption *o = option_read("check", check_options, argc, argv, &i, &value);
        if (!o) return STATUS_USAGE;
        if (strcmp(o->flag, "--format") == 0) c.is_json = option_choice(o, value) == 1;
    }
    return n ? check_all(n, argv, &c) : check_all(1, default_path, &c);
}

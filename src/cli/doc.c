/* viv doc: entries of the builtins, of the standard library and of programs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/describe.h"
#include "cli/doc_file.h"
#include "eval/builtin.h"

const CommandOption doc_options[] = {
    {"--names", NULL, "every name that has an entry, or that the file has, a line each"},
    {"--markdown", NULL, "the reference of the builtins, docs/builtins.md"},
    COLOR_OPTION,
    {0},
};

/* The text of docs/builtins.md, which tests/builtins_doc.py holds against it. */
static void write_reference(StrBuf *out)
{
    strbuf_text(
        out,
        "# Builtins\n\n"
        "Every function and constant that needs no import, by topic. This page is made from the entries that `viv doc NAME` shows,\n"
        "by `viv doc --markdown`.\n\n"
        "In a signature `[x]` may be left out, `xs…` stands for any number of arguments, and what has a default is given by keyword. Numbers\n"
        "are accepted wherever arrays are. Derivatives pass through a function unless its entry says otherwise.\n\n");
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++) {
        strbuf_printf(out, "- %s:", t->title);
        for (const Builtin *b = t->table; b->name; b++)
            strbuf_printf(out, " [%s](#%s)", b->name, b->name);
        strbuf_char(out, '\n');
    }
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++) {
        strbuf_printf(out, "\n## %s\n", t->title);
        for (const Builtin *b = t->table; b->name; b++) {
            strbuf_printf(out, "\n### %s\n\n", b->name);
            if (strcmp(b->signature, b->name) != 0) strbuf_printf(out, "`%s`\n\n", b->signature);
            strbuf_printf(out, "%s\n", b->doc);
        }
    }
}

/* What a name that nothing has may have meant: the program of this folder. */
static void advise_file(StrBuf *out, const char *name)
{
    StrBuf path = {0};
    strbuf_printf(&path, "%s.viv", name);
    if (access(path.data, R_OK) == 0)
        strbuf_printf(out, "; the names of the file: viv doc %s", path.data);
    strbuf_free(&path);
}

static int write_entry(StrBuf *out, const char *name)
{
    Interp *in = interp_new();
    int status = STATUS_OK;
    if (!describe_name(out, in, NULL, name)) {
        describe_unknown(out, in, NULL, name);
        advise_file(out, name);
        usage_error("%s", strbuf_str(out));
        out->len = 0;
        status = STATUS_FAILED;
    }
    interp_free(in);
    return status;
}

static int write_file(StrBuf *out, const char *path, const char *name)
{
    Error err = {0};
    if (doc_file_write(out, path, name, &err)) return STATUS_OK;
    if (span_is_set(err.span)) return report_diagnostic(&err);
    usage_error("%s", err.message);
    error_clear(&err);
    return STATUS_FAILED;
}

static void write_line(void *out, const char *name)
{
    strbuf_printf(out, "%s\n", name);
}

static void write_names(StrBuf *out, const char *path)
{
    if (path) {
        doc_file_each_name(path, write_line, out);
        return;
    }
    Interp *in = interp_new();
    describe_each_name(in, NULL, write_line, out);
    interp_free(in);
}

static int write_words(StrBuf *out, const char *first, const char *second)
{
    if (!first)
        describe_topics(out);
    else if (doc_is_file(first))
        return write_file(out, first, second);
    else if (second)
        return usage_error("doc takes one name, or a file and one of its names: viv doc %s, or "
                           "viv doc FILE.viv %s",
                           first, second);
    else
        return write_entry(out, first);
    return STATUS_OK;
}

int command_doc(int argc, char **argv)
{
    StrBuf text = {0};
    const char *word[2] = {0}, *value;
    bool markdown = false, names = false;
    int n = 0;
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] != '-') {
            if (n == 2) return usage_error("doc takes a file and a name of it, and no more");
            word[n++] = argv[i];
            continue;
        }
        const CommandOption *o = option_read("doc", doc_options, argc, argv, &i, &value);
        if (!o) return STATUS_USAGE;
        markdown |= strcmp(o->flag, "--markdown") == 0;
        names |= strcmp(o->flag, "--names") == 0;
    }
    int status = STATUS_OK;
    if (markdown)
        write_reference(&text);
    else if (names)
        write_names(&text, word[0]);
    else
        status = write_words(&text, word[0], word[1]);
    fwrite(strbuf_str(&text), 1, text.len, stdout);
    strbuf_free(&text);
    return status;
}

/* viv doc: entries of the builtins and of the standard library. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/describe.h"
#include "eval/builtin.h"

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

static int write_entry(StrBuf *out, const char *name)
{
    Interp *in = interp_new();
    int status = STATUS_OK;
    if (!describe_name(out, in, NULL, name)) {
        describe_unknown(out, in, NULL, name);
        usage_error("%s", strbuf_str(out));
        out->len = 0;
        status = STATUS_FAILED;
    }
    interp_free(in);
    return status;
}

int command_doc(int argc, char **argv)
{
    StrBuf text = {0};
    int status = STATUS_OK;
    if (argc == 0)
        describe_topics(&text);
    else if (strcmp(argv[0], "--markdown") == 0)
        write_reference(&text);
    else
        status = write_entry(&text, argv[0]);
    fwrite(strbuf_str(&text), 1, text.len, stdout);
    strbuf_free(&text);
    return status;
}

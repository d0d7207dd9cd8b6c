/* viv doc: the registry's entries in the terminal. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"
#include "eval/builtin.h"

/* Text wrapped at spaces to lines of width columns. */
static void print_wrapped(const char *text, int indent, int width)
{
    int column = 0;
    for (const char *word = text; *word;) {
        size_t len = strcspn(word, " ");
        if (column && column + 1 + (int)len > width) {
            putchar('\n');
            column = 0;
        }
        if (column == 0)
            column = printf("%*s", indent, "");
        else
            column += printf(" ");
        printf("%.*s", (int)len, word);
        column += (int)len;
        word += len + (word[len] == ' ');
    }
    putchar('\n');
}

static void list_topics(void)
{
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++) {
        StrBuf names = {0};
        printf("%s\n", t->title);
        for (const Builtin *b = t->table; b->name; b++)
            strbuf_printf(&names, "%s%s", names.len ? " " : "", b->name);
        print_wrapped(strbuf_str(&names), 2, 78);
        strbuf_free(&names);
    }
}

int command_doc(int argc, char **argv)
{
    if (argc == 0) {
        list_topics();
        return STATUS_OK;
    }
    int index = builtin_index(symbol_of(argv[0]));
    if (index >= 0) {
        const Builtin *b = builtin_at(index);
        printf("%s\n", b->signature);
        print_wrapped(b->doc, 4, 78);
        return STATUS_OK;
    }
    Suggest near = suggest_start(argv[0]);
    const char *name;
    for (int i = 0; (name = builtin_name(i)); i++) suggest_offer(&near, name);
    if (near.best)
        usage_error("there is no builtin %s; did you mean %s?", argv[0], near.best);
    else
        usage_error("there is no builtin %s; viv doc lists them", argv[0]);
    return STATUS_FAILED;
}

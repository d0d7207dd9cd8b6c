/* The manual page viv(1), in mdoc, from the table of commands. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/generated.h"

/* When what the page says last changed. */
#define MANUAL_DATE "December 1, 2026"

enum { WIDTH = 72 };

/* A word for roff: backslashes are its own, hyphens stay hyphens, and a line must not begin with a
 * dot or a quote. */
static void print_word(const char *word, size_t len, bool begins_line)
{
    if (begins_line && (*word == '.' || *word == '\'')) fputs("\\&", stdout);
    for (size_t i = 0; i < len; i++) {
        if (word[i] == '\\')
            fputs("\\e", stdout);
        else if (word[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(word[i]);
    }
}

/* Filled lines, a new one for every sentence, as mdoc wants them. */
static void print_text(const char *text)
{
    size_t column = 0;
    bool ends_sentence = false;
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (column && (ends_sentence || column + 1 + len > WIDTH)) {
            putchar('\n');
            column = 0;
        }
        if (column) putchar(' ');
        print_word(text, len, column == 0);
        column += len + 1;
        ends_sentence = len > 0 && text[len - 1] == '.';
        text += len;
        while (*text == ' ' || *text == '\n') text++;
    }
    putchar('\n');
}

static void print_option(const CommandOption *o)
{
    printf(".It Fl \\-%s", o->flag + 2);
    if (o->argument) printf(" Ar %s", o->argument);
    puts("");
    print_text(o->text);
}

static void print_command(const Command *c)
{
    printf(".It Ic %s\n", c->synopsis);
    print_text(c->details);
    if (!c->options) return;
    puts(".Bl -tag -width Ds");
    for (const CommandOption *o = c->options; o->flag; o++) print_option(o);
    puts(".El");
}

static void print_environment(void)
{
    static const char *const row[][2] = {
        {"VIV_PATH",
         "Folders, separated by colons, in which imports are looked for after the importing file's."},
        {"VIV_STDLIB", "A folder that stands in for the standard library inside the program."},
        {"VIV_SIMD",
         "scalar, avx2 or avx512: forces a lower instruction set. Results do not depend on it."},
        {"COLUMNS", "How long lines are where arrays are printed; else as long as the terminal's."},
        {"VISUAL, EDITOR", "What :edit runs in the interactive session."},
        {"NO_COLOR", "When not empty, output is never coloured."},
        {"XDG_STATE_HOME", "Where the history of the interactive session is kept, in viv/history."},
    };
    puts(".Sh ENVIRONMENT\n.Bl -tag -width XDG_STATE_HOME");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        printf(".It Ev %s\n", row[i][0]);
        print_text(row[i][1]);
    }
    puts(".El");
}

void manual_print(void)
{
    puts(
        ".Dd " MANUAL_DATE
        "\n.Dt VIV 1\n.Os\n.Sh NAME\n.Nm viv\n.Nd array programs and their derivatives\n.Sh SYNOPSIS");
    puts(
        ".Nm\n.Op Ar command Op Ar argument ...\n.Nm\n.Fl e Ar text Op Ar argument ...\n.Nm\n.Fl \\-version");
    puts(
        ".Sh DESCRIPTION\n.Nm\nruns programs over arrays and differentiates any function of them.\n"
        "Without a command it starts an interactive session.\nThe commands are:\n.Bl -tag -width Ds");
    for (const Command *c = commands; c->name; c++) print_command(c);
    puts(".El");
    print_environment();
    puts(".Sh EXIT STATUS");
    print_text(
        "0 on success, 1 for any failure of the program, its file or its tests, "
        "2 for wrong usage of the command, 70 for a mistake of viv's own, 130 for an interrupt.");
    puts(
        ".Sh EXAMPLES\nRun a program, then its tests:\n.Bd -literal -offset indent\nviv run model.viv\nviv test model.viv\n.Ed\n.Pp\n"
        "A derivative from the command line:\n.Bd -literal -offset indent\n"
        "viv \\-e \\(aqprint(value_and_grad(def(x) = x * x, 3.0))\\(aq\n.Ed");
}

/* The table of commands, and the help that is made from it. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/generated.h"
#include "cli/test/options.h"
#include "eval/builtin.h"

static const CommandOption help_options[] = {
    {"--man", NULL, "the manual page, in mdoc"},
    {"--completion", "bash|zsh|fish", "completions for a shell"},
    {0},
};

const Command commands[] = {
    {"run", "run [OPTION…] FILE [ARG…]", "run a program",
     "Runs a file's top level. FILE may be - for standard input; -e TEXT runs TEXT (also as viv -e TEXT).\n"
     "The program sees ARG… as args. Test blocks are checked for names, but not run.",
     command_run, run_options, WORDS_PROGRAM},
    {"test", "test [OPTION…] [PATH…]", "run the test blocks of files and folders",
     "Finds every .viv file below each PATH (default: this folder) in sorted order, runs its top level once, then each test block\n"
     "by itself. A file that is named twice runs once. What a test prints is shown only when it fails; where the report is long,\n"
     "the tests that failed are listed once more at its end. Fails when a test fails, or when there is none.",
     command_test, test_options, WORDS_PATHS},
    {"check", "check [OPTION…] [PATH…]", "look for mistakes without running",
     "Reports what is wrong with files, or every .viv file below a folder (default: this one), without running them: syntax, unknown\n"
     "names, imports that fail, also further in, and calls, operators, contracts and adjoints that can't work; and warns of variables\n"
     "and imports that are never used, code that can't be reached, values that are not used, and names that hide a builtin. Fails on\n"
     "errors. PATH may be - for standard input.",
     command_check, check_options, WORDS_PATHS},
    {"fmt", "fmt [OPTION…] PATH…", "lay out programs",
     "Brings files, or every .viv file below a folder, into the one layout: a statement a line, of up to 100 columns; longer ones are\n"
     "broken at their outermost operators or brackets. A comma at the end of a list keeps its lines, a block of one statement may\n"
     "stay on one, comments stay. What it says never changes: that is checked before anything is written. PATH may be - to read\n"
     "standard input and write standard output.",
     command_fmt, fmt_options, WORDS_PATHS},
    {"repl", "[repl]", "an interactive session",
     "Starts a session; viv alone does the same. Enter runs an input that is whole, else it begins the next line. :help lists the\n"
     "session's commands, Tab completes, Up recalls, Ctrl-D leaves.",
     command_repl, NULL, WORDS_NONE},
    {"doc", "doc [FILE] [NAME]", "what a word, a builtin, or a function is",
     "Prints the entry of a name: its signature and what it does. NAME is a word of the language, a builtin, a module of the standard\n"
     "library or a name in one, as nn.linear. viv doc FILE.viv lists what a program defines, with the comments above it that begin\n"
     "with ##, and viv doc FILE.viv NAME shows one of these. Nothing of the file runs.\n"
     "viv doc alone lists the words of the language, and the builtins by topic.",
     command_doc, doc_options, WORDS_NAMES},
    {"help", "help [COMMAND]", "this text, or a command's",
     "Prints the commands, or one command's details.", command_help, help_options, WORDS_COMMAND},
    {0},
};

/* Padding counts characters, not bytes: a synopsis may hold "…". */
static void print_usage(const char *synopsis, const char *summary)
{
    enum { WIDTH = 25 };
    int width = 0;
    for (const char *p = synopsis; *p; p++) width += (*p & 0xC0) != 0x80;
    printf("  viv %s%*s %s\n", synopsis, width < WIDTH ? WIDTH - width : 0, "", summary);
}

static void print_overview(void)
{
    puts("viv " VIV_VERSION ": array programs and their derivatives\n\nusage:");
    for (const Command *c = commands; c->name; c++) print_usage(c->synopsis, c->summary);
    print_usage("-e TEXT", "run a text");
    print_usage("--version", "the version");
    puts(
        "\nIn a program: value_and_grad(f, x) gives f's value and gradient; test \"…\" { } blocks hold them to what you expect.\n"
        "viv help COMMAND tells more about a command, viv doc NAME about a builtin or a word of the language, as viv doc adjoint,\n"
        "and viv doc FILE.viv about what a program defines.");
}

static int option_width(const CommandOption *o)
{
    return (int)(strlen(o->flag) + (o->argument ? 1 + strlen(o->argument) : 0));
}

static void print_options(const CommandOption *options)
{
    int widest = 19;
    for (const CommandOption *o = options; o && o->flag; o++)
        if (option_width(o) > widest) widest = option_width(o);
    if (options) puts("\noptions:");
    for (const CommandOption *o = options; o && o->flag; o++)
        printf("  %s%s%s%*s  %s\n", o->flag, o->argument ? " " : "", o->argument ? o->argument : "",
               widest - option_width(o), "", o->text);
}

static int print_generated(int argc, char **argv)
{
    int i = 0;
    const char *value;
    const CommandOption *o = option_read("help", help_options, argc, argv, &i, &value);
    if (!o) return STATUS_USAGE;
    if (!value)
        manual_print();
    else
        completion_print(value);
    return STATUS_OK;
}

int command_help(int argc, char **argv)
{
    if (argc == 0) {
        print_overview();
        return STATUS_OK;
    }
    if (argv[0][0] == '-') return print_generated(argc, argv);
    Suggest near = suggest_start(argv[0]);
    for (const Command *c = commands; c->name; c++) {
        if (strcmp(c->name, argv[0]) == 0) {
            printf("viv %s: %s\n\n%s\n", c->synopsis, c->summary, c->details);
            print_options(c->options);
            return STATUS_OK;
        }
        suggest_offer(&near, c->name);
    }
    if (builtin_index(symbol_of(argv[0])) >= 0) return command_doc(argc, argv);
    if (near.best)
        return usage_error("there is no command %s; did you mean %s?", argv[0], near.best);
    return usage_error("there is no command %s; viv help lists them", argv[0]);
}

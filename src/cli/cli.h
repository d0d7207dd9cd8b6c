/* The commands of the viv binary. Each gets the arguments after its name and gives the exit status:
 * 0, 1 for a failure of the program, its file or its tests, 130 for Ctrl-C, 2 for wrong usage, 70
 * for a mistake of Viv's own. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>

#include "eval/interp.h"

enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INTERNAL = 70,
    STATUS_INTERRUPTED = 130
};

typedef int CommandFunction(int argc, char **argv);

/* One option of a command. A table of them ends with a row of NULLs. */
typedef struct {
    const char *flag;
    const char *argument; /* how its value is called: FILE for a path, the values themselves as
                             "a|b|c"; NULL: it has none */
    const char *text;
} CommandOption;

/* Of every command that writes diagnostics; option_read sees to it. */
#define COLOR_OPTION                                                                               \
    {                                                                                              \
        "--color", "auto|always|never", "colour what is printed; auto: on a terminal"              \
    }

/* The option at argv[*i], with its value ("--flag VALUE" or "--flag=VALUE"), which is one of those
 * that the table lists; *i moves to the last word of it. NULL after a message. */
const CommandOption *option_read(const char *command, const CommandOption *table, int argc,
                                 char **argv, int *i, const char **value);
/* Which of the values of o, "a|b|c", a text is: its number from 0, or -1. */
int option_choice(const CommandOption *o, const char *text);

/* What the words after a command and its options are. */
typedef enum {
    WORDS_NONE,
    WORDS_PROGRAM, /* a program, then words of its own */
    WORDS_PATHS,   /* programs and folders */
    WORDS_NAMES,   /* a name that viv doc knows, or a program and a name of its */
    WORDS_COMMAND,
} CommandWords;

/* One command: the truth that dispatch, help, the man page and the completions are made from. */
typedef struct {
    const char *name;
    const char *synopsis; /* after "viv " */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs for `viv help NAME` */
    CommandFunction *run;
    const CommandOption *options; /* or NULL */
    CommandWords words;
} Command;

/* Ends with a row of NULLs. */
extern const Command commands[];

CommandFunction command_run, command_test, command_fmt, command_check, command_repl, command_doc,
    command_help;
extern const CommandOption run_options[], fmt_options[], check_options[], doc_options[];

/* "viv: …" on stderr; returns STATUS_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints an error on stderr and clears it; returns STATUS_FAILED. */
int report_diagnostic(Error *err);
/* Prints the interpreter's error on stderr, clears it, and gives the exit status that goes with it.
 */
int report_error(Interp *in);
/* Whether diagnostics on this stream are coloured: as --color says, or else on a terminal that can,
 * without NO_COLOR. */
bool use_colour(int fd);
/* What --color says: auto, always or never. */
void choose_colour(const char *when);

#endif

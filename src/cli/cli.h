/* The commands of the viv binary. Each gets the arguments after its name and gives the exit status:
 * 0, 1 for a failure of the program, its file or its tests, 130 for Ctrl-C, 2 for wrong usage. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>

#include "eval/interp.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_INTERRUPTED = 130 };

typedef int CommandFunction(int argc, char **argv);

/* One option of a command. A table of them ends with a row of NULLs. */
typedef struct {
    const char *flag;
    const char *argument; /* how its value is called; NULL: it has none */
    const char *text;
} CommandOption;

/* The option at argv[*i], with its value ("--flag VALUE" or "--flag=VALUE"); *i moves to the last
 * word of it. NULL after a message. */
const CommandOption *option_read(const char *command, const CommandOption *table, int argc,
                                 char **argv, int *i, const char **value);

/* One command: the truth that dispatch, help, the man page and the completions are made from. */
typedef struct {
    const char *name;
    const char *synopsis; /* after "viv " */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs for `viv help NAME` */
    CommandFunction *run;
    const CommandOption *options; /* or NULL */
} Command;

/* Ends with a row of NULLs. */
extern const Command commands[];

CommandFunction command_run, command_test, command_fmt, command_check, command_repl, command_doc,
    command_help;
extern const CommandOption run_options[], fmt_options[], check_options[];

/* "viv: …" on stderr; returns STATUS_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the interpreter's error on stderr, clears it, and gives the exit status that goes with it.
 */
int report_error(Interp *in);
/* Whether diagnostics on this stream are coloured: a terminal that can, and no NO_COLOR. */
bool use_colour(int fd);

#endif

/* The commands of the viv binary. Each gets the arguments after its name and gives the exit status:
 * 0, 1 for a failure of the program, its file or its tests, 130 for Ctrl-C, 2 for wrong usage. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>

#include "eval/interp.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_INTERRUPTED = 130 };

typedef int CommandFunction(int argc, char **argv);

/* One command: the truth that dispatch and help are made from. */
typedef struct {
    const char *name;
    const char *synopsis; /* after "viv " */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs for `viv help NAME` */
    CommandFunction *run;
} Command;

/* Ends with a row of NULLs. */
extern const Command commands[];

CommandFunction command_run, command_test, command_repl, command_doc, command_help;

/* "viv: …" on stderr; returns STATUS_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the interpreter's error on stderr, clears it, and gives the exit status that goes with it.
 */
int report_error(Interp *in);
/* Whether diagnostics on this stream are coloured: a terminal that can, and no NO_COLOR. */
bool use_colour(int fd);

#endif

/* The commands of a session: what begins with a colon. */
#ifndef CLI_REPL_COMMAND_H
#define CLI_REPL_COMMAND_H

#include "cli/repl/session.h"

typedef bool SessionCommandFunction(Session *s, const char *argument);

/* One command: the truth that dispatch, completion and :help are made from. */
typedef struct {
    const char *name;     /* with its colon */
    const char *argument; /* "FILE"; "[NAME]" for one that may be left out; "" for none */
    const char *summary;
    SessionCommandFunction *run;
} SessionCommand;

/* Ends with a row of NULLs. */
extern const SessionCommand session_commands[];

/* The command that a word names, or begins the name of; NULL when there is none or more than one.
 */
const SessionCommand *session_command_find(const char *word, size_t len);
/* Runs a line that begins with a colon. */
bool session_command(Session *s, const char *line);

#endif

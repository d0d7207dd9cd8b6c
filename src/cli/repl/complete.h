/* What Tab offers: commands, files, modules, members, names. */
#ifndef CLI_REPL_COMPLETE_H
#define CLI_REPL_COMPLETE_H

#include "cli/repl/line/line.h"

/* context is a Session. */
void session_complete(void *session, Completions *c);

#endif

/* What Tab offers: commands, files, modules, members, names. */
#ifndef CLI_REPL_COMPLETE_H
#define CLI_REPL_COMPLETE_H

#include "cli/repl/line.h"

/* context is a Session. */
CompleteFunction session_complete;

#endif

/* Reading lines from a terminal: editing, history, completion, pasted blocks. Knows nothing of Viv;
 * its source is the only one that knows libedit. */
#ifndef CLI_REPL_LINE_H
#define CLI_REPL_LINE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/repl/candidates.h"

typedef struct LineEditor LineEditor;

typedef enum {
    LINE_READ,
    LINE_END,         /* Ctrl-D on an empty line, or the terminal is gone */
    LINE_INTERRUPTED, /* Ctrl-C */
} LineResult;

/* Finds where the word before the cursor begins, and what it may become. */
typedef void CompleteFunction(void *context, Completions *c);

/* history_path may be NULL. The file is made when the first line is remembered. */
LineEditor *line_open(const char *history_path, bool colour, CompleteFunction *complete,
                      void *context);
/* Appends a line without its end; what was pasted or recalled may hold several. A blank is put
 * after the prompt. */
LineResult line_read(LineEditor *editor, const char *prompt, StrBuf *out);
/* Adds an entry to the history and its file. */
void line_remember(LineEditor *editor, const char *text);
void line_close(LineEditor *editor);

#endif

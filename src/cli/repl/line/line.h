/* Reading entries of one or more lines from a terminal: editing, history, completion, pasted
 * blocks. Knows nothing of Viv; its sources are the only ones that know libedit. */
#ifndef CLI_REPL_LINE_LINE_H
#define CLI_REPL_LINE_LINE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/repl/line/candidates.h"

typedef struct LineEditor LineEditor;

typedef enum {
    LINE_READ,
    LINE_END,         /* Ctrl-D on an empty line, or the terminal is gone */
    LINE_INTERRUPTED, /* Ctrl-C, or Ctrl-D twice in an entry of several lines */
} LineResult;

/* What only the owner of an editor knows. */
typedef struct {
    void *context;
    /* Finds where the word before the cursor begins, and what it may become. */
    void (*complete)(void *context, Completions *c);
    /* Whether Enter ends the entry; else it goes on on the next line. */
    bool (*is_whole)(void *context, const char *text);
} LineOwner;

/* history_path may be NULL. The file is made when the first entry is remembered. */
LineEditor *line_open(const char *history_path, bool colour, LineOwner owner);
/* Appends an entry without its last line end. */
LineResult line_read(LineEditor *editor, StrBuf *out);
/* Adds an entry to the history and its file. */
void line_remember(LineEditor *editor, const char *text);
void line_close(LineEditor *editor);

#endif

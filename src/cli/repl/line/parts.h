/* Shared by the sources of the line editor.
 *
 * libedit edits one buffer and shows a prompt before its first line only. So each further line of
 * the buffer begins with MORE_PROMPT: the functions here put it there, take it away with the line
 * break before it, and keep the cursor out of it. */
#ifndef CLI_REPL_LINE_PARTS_H
#define CLI_REPL_LINE_PARTS_H

#include <histedit.h>
#include <signal.h>

#include "cli/repl/line/line.h"

#define FIRST_PROMPT ">>> "
#define MORE_PROMPT "... "
enum { PROMPT_WIDTH = 4, CTRL_C = 3, CTRL_D = 4 };

/* Keys that no terminal sends. */
#define KEY_ACCEPT "\033[9001~"
#define KEY_SHOW "\033[9002~"

struct LineEditor {
    EditLine *el;
    LineOwner owner;
    StrBuf prompt;
    int prompt_width;
    bool colour;
    bool has_escapes; /* the terminal knows them */
    bool was_interrupted;
    wchar_t key, key_before; /* typed last */
    sigset_t signals;        /* those that are blocked but while we wait for a key */
    sigset_t while_waiting;
    StrBuf below; /* what KEY_SHOW shows below the entry */
    size_t back;  /* where the cursor goes after that */
    History *history;
    const char *history_path; /* NULL: it is not kept */
    int recalled;             /* which entry is edited, 1 the last; 0 a new one */
    StrBuf unfinished;        /* the new one, while others are looked at */
};

LineEditor *line_editor_of(EditLine *el);
/* Ends with a blank. In libedit's copy what takes no room on the screen stands between two \1. */
void line_set_prompt(LineEditor *e, const char *prompt);

/* ---- buffer.c: positions count characters of libedit's buffer ---- */

size_t buffer_len(EditLine *el);
size_t buffer_cursor(EditLine *el);
/* The first position of a line behind its prompt, and the last one. */
size_t buffer_line_start(EditLine *el, size_t at);
size_t buffer_line_end(EditLine *el, size_t at);
void buffer_go(EditLine *el, size_t at);
/* Removes [from, to) and leaves the cursor there. */
void buffer_remove(EditLine *el, size_t from, size_t to);
/* Inserts text, whose lines get their prompts, at the cursor; false when there is no room. */
bool buffer_insert(EditLine *el, const char *text);
void buffer_set(EditLine *el, const char *text);
/* Appends the text without prompts; where the cursor is in it. */
size_t buffer_text(EditLine *el, StrBuf *text);
/* Appends a text without the prompts in it. */
void line_strip_prompts(StrBuf *out, const char *text, size_t len);
/* Clears the entry on the screen, where it has not been changed yet since it was drawn, on a screen
 * as wide as it is now; draws it from the cursor on, which is where this or a new line has left it.
 */
void buffer_erase(LineEditor *e);
void buffer_draw(LineEditor *e);

/* ---- keys.c ---- */

void line_bind_keys(EditLine *el);

/* ---- history.c ---- */

void history_open(LineEditor *e, const char *path);
/* Puts the entry before (1) or after (-1) the edited one into the buffer; false: there is none. */
bool history_recall(LineEditor *e, int step);
/* Incremental search, a function of a key. */
unsigned char history_search_key(EditLine *el, int key);

#endif

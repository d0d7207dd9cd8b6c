#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/repl/line/parts.h"

enum { HISTORY_SIZE = 2000 };

/* A file that is no history of libedit's is left alone. */
void history_open(LineEditor *e, const char *path)
{
    HistEvent event;
    e->history = history_init();
    e->history_path = path;
    history(e->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(e->history, &event, H_SETUNIQUE, 1);
    if (!path || access(path, F_OK) != 0) return;
    int n = history(e->history, &event, H_LOAD, path);
    if (n < 0) e->history_path = NULL;
    if (n > 2 * HISTORY_SIZE) history(e->history, &event, H_SAVE, path);
}

/* By way of a history that holds nothing else: how many entries H_NSAVE_FP writes is another number
 * than it is told in some versions. */
static void append_to_file(const LineEditor *e, const char *text)
{
    int fd = open(e->history_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "a");
    if (!file) {
        if (fd >= 0) close(fd);
        return;
    }
    HistEvent event;
    History *one = history_init();
    history(one, &event, H_SETSIZE, 1);
    history(one, &event, H_ENTER, text);
    fseek(file, 0, SEEK_END); /* libedit writes its first line where it finds itself at 0 */
    history(one, &event, H_SAVE_FP, file);
    history_end(one);
    fclose(file);
}

void line_remember(LineEditor *e, const char *text)
{
    HistEvent event;
    bool is_again = history(e->history, &event, H_FIRST) == 0 && strcmp(event.str, text) == 0;
    if (is_again || history(e->history, &event, H_ENTER, text) < 0) return;
    if (e->history_path) append_to_file(e, text);
}

/* ---- recalling ---- */

/* The n-th last entry, 0 the edited one; NULL when there is none. */
static const char *entry(LineEditor *e, int n)
{
    HistEvent event;
    if (n == 0) return strbuf_str(&e->unfinished);
    int found = history(e->history, &event, H_FIRST);
    while (found == 0 && --n > 0) found = history(e->history, &event, H_NEXT);
    return found == 0 && n == 0 ? event.str : NULL;
}

static void leave_new_entry(LineEditor *e)
{
    if (e->recalled) return;
    e->unfinished.len = 0;
    buffer_text(e->el, &e->unfinished);
}

bool history_recall(LineEditor *e, int step)
{
    if (e->recalled + step < 0) return false;
    leave_new_entry(e);
    const char *text = entry(e, e->recalled + step);
    if (!text) return false;
    e->recalled += step;
    buffer_set(e->el, text);
    return true;
}

/* ---- searching ---- */

/* The next entry from n on that holds what is looked for; 0: none. */
static int find_entry(LineEditor *e, int n, const char *wanted)
{
    for (const char *text; (text = entry(e, n)); n++)
        if (strstr(text, wanted)) return n;
    return 0;
}

typedef struct {
    LineEditor *e;
    StrBuf wanted;
    int at; /* the entry that is shown */
} Search;

static void show(Search *s, const char *prompt)
{
    const char *text = entry(s->e, s->at);
    buffer_erase(s->e);
    line_set_prompt(s->e, prompt);
    buffer_set(s->e->el, text);
    buffer_draw(s->e);
}

static void show_search(Search *s)
{
    StrBuf prompt = {0};
    bool found = !s->wanted.len || strstr(entry(s->e, s->at), s->wanted.data);
    strbuf_printf(&prompt, "%s \"%s\": ", found ? "search" : "no", strbuf_str(&s->wanted));
    show(s, prompt.data);
    strbuf_free(&prompt);
}

static void shorten(StrBuf *text)
{
    while (text->len && (text->data[--text->len] & 0xC0) == 0x80) continue;
    if (text->data) text->data[text->len] = '\0';
}

/* Whether the search goes on. */
static bool search_step(Search *s, wchar_t c)
{
    enum { CTRL_R = 18, BACKSPACE = 8, DELETE = 127, BLANK = 32 };
    int from = s->at ? s->at : 1;
    if (c == CTRL_R) {
        from = s->at + 1;
    } else if (c == BACKSPACE || c == DELETE) {
        shorten(&s->wanted);
        from = 1;
    } else if (c >= BLANK) {
        strbuf_code_point(&s->wanted, (unsigned)c);
    } else {
        return false;
    }
    int found = s->wanted.len ? find_entry(s->e, from, s->wanted.data) : 0;
    if (found) s->at = found;
    return true;
}

/* Other keys end the search and do what they do; Ctrl-C and Ctrl-G go back to where it began. */
unsigned char history_search_key(EditLine *el, int key)
{
    enum { CTRL_G = 7 };
    LineEditor *e = line_editor_of(el);
    wchar_t c = (wchar_t)key;
    if (!e->has_escapes) return CC_ERROR;
    leave_new_entry(e);
    Search s = {.e = e, .at = e->recalled};
    do show_search(&s);
    while (el_wgetc(el, &c) == 1 && search_step(&s, c));
    bool goes_back = c == CTRL_C || c == CTRL_G;
    if (goes_back) s.at = e->recalled;
    e->recalled = s.at;
    show(&s, FIRST_PROMPT);
    const char again[] = {(char)c, '\0'};
    if (!goes_back) el_push(el, again);
    strbuf_free(&s.wanted);
    return CC_NORM;
}

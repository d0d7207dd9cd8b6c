#include "cli/repl/line.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"

enum { HISTORY_SIZE = 2000, CTRL_C = 3 };

struct LineEditor {
    EditLine *el;
    History *history;
    const char *history_path; /* NULL: it is not kept */
    StrBuf prompt;
    bool colour;
    bool has_escapes; /* the terminal knows bracketed paste */
    bool was_interrupted;
    sigset_t signals; /* those that are blocked but while we wait for a key */
    sigset_t while_waiting;
    CompleteFunction *complete;
    void *context;
};

static LineEditor *editor_of(EditLine *el)
{
    void *data = NULL;
    el_get(el, EL_CLIENTDATA, &data);
    return data;
}

/* ---- keys and signals ---- */

static volatile sig_atomic_t has_resized, has_continued;

static void on_change(int signal)
{
    if (signal == SIGWINCH) has_resized = 1;
    if (signal == SIGCONT) has_continued = 1;
}

static void paste_mode(const LineEditor *e, bool on)
{
    if (!e->has_escapes) return;
    fputs(on ? "\033[?2004h" : "\033[?2004l", stdout);
    fflush(stdout);
}

/* A window of another size, or a shell that had the terminal meanwhile. */
static void heed_changes(const LineEditor *e)
{
    if (has_resized) {
        has_resized = 0;
        el_resize(e->el);
    }
    if (has_continued) {
        has_continued = 0;
        el_set(e->el, EL_PREP_TERM, 0); /* libedit believes that it is still prepared */
        el_set(e->el, EL_PREP_TERM, 1);
        paste_mode(e, true);
        el_set(e->el, EL_REFRESH);
    }
}

/* Signals arrive inside ppoll only, so none is missed between a look at its flag and the wait. */
static int read_byte(const LineEditor *e, unsigned char *byte)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        heed_changes(e);
        if (interrupt_flag) {
            interrupt_flag = 0;
            *byte = CTRL_C;
            return 1;
        }
        if (ppoll(&input, 1, NULL, &e->while_waiting) < 0) {
            if (errno != EINTR) return -1;
            continue;
        }
        ssize_t n = read(STDIN_FILENO, byte, 1);
        if (n >= 0 || errno != EINTR) return (int)n;
    }
}

static int read_key(EditLine *el, wchar_t *key)
{
    mbstate_t state = {0};
    for (;;) {
        unsigned char byte;
        int n = read_byte(editor_of(el), &byte);
        if (n != 1) return n;
        size_t len = mbrtowc(key, (const char *)&byte, 1, &state);
        if (len == (size_t)-2) continue;
        if (len == (size_t)-1) *key = 0xFFFD;
        return 1;
    }
}

/* ---- functions of keys ---- */

/* Ends the line where its last line ends on the screen, as Enter does. */
static unsigned char cancel_key(EditLine *el, int key)
{
    (void)key;
    const LineInfo *line = el_line(el);
    el_cursor(el, (int)(line->lastchar - line->cursor));
    el_insertstr(el, "^C");
    editor_of(el)->was_interrupted = true;
    el_push(el, "\n");
    return CC_REFRESH;
}

static bool ends_with(const StrBuf *b, const char *end)
{
    size_t len = strlen(end);
    return b->len >= len && memcmp(b->data + b->len - len, end, len) == 0;
}

/* Without the sequence at the end, escapes and last newlines: Enter is the user's to press. */
static void tidy_paste(StrBuf *text, size_t at_end)
{
    size_t n = 0;
    for (size_t i = 0; i + at_end < text->len; i++)
        if (text->data[i] != 033) text->data[n++] = text->data[i];
    while (n && text->data[n - 1] == '\n') n--;
    text->len = n;
    if (text->data) text->data[n] = '\0';
}

/* What the terminal sends between ESC[200~ and ESC[201~ is text, whatever is in it. */
static unsigned char paste_key(EditLine *el, int key)
{
    static const char end[] = "\033[201~";
    StrBuf text = {0};
    wchar_t c = (wchar_t)key;
    while (!ends_with(&text, end) && el_wgetc(el, &c) == 1 && c != CTRL_C) {
        if (c == L'\r') c = L'\n';
        if (c >= 0x20 || c == L'\n' || c == L'\t' || c == 033)
            strbuf_code_point(&text, (unsigned)c);
    }
    if (c == CTRL_C) {
        strbuf_free(&text);
        return cancel_key(el, key);
    }
    tidy_paste(&text, ends_with(&text, end) ? strlen(end) : 0);
    int failed = text.len ? el_insertstr(el, text.data) : 0;
    strbuf_free(&text);
    return failed ? CC_ERROR : CC_REFRESH;
}

/* ---- completion ---- */

static unsigned char insert_completion(EditLine *el, Completions *c)
{
    if (c->item.len == 0) return CC_ERROR;
    StrBuf more = {0};
    completions_settle(c, &more);
    bool has_more = more.len && el_insertstr(el, more.data) == 0;
    strbuf_free(&more);
    if (has_more) return CC_REFRESH;
    if (c->item.len == 1) return CC_NORM;
    completions_print(c);
    return CC_REDISPLAY;
}

static bool is_blank_before(const char *text, size_t cursor)
{
    while (cursor && (text[cursor - 1] == ' ' || text[cursor - 1] == '\t')) cursor--;
    return cursor == 0 || text[cursor - 1] == '\n';
}

static unsigned char complete_key(EditLine *el, int key)
{
    (void)key;
    LineEditor *e = editor_of(el);
    const LineInfo *line = el_line(el);
    char *text = mem_strndup(line->buffer, (size_t)(line->lastchar - line->buffer));
    Completions c = {.text = text, .cursor = (size_t)(line->cursor - line->buffer)};
    unsigned char result;
    if (is_blank_before(text, c.cursor)) {
        result = el_insertstr(el, "    ") ? CC_ERROR : CC_REFRESH;
    } else {
        c.word = c.cursor;
        e->complete(e->context, &c);
        result = insert_completion(el, &c);
    }
    completions_free(&c);
    mem_free(text);
    return result;
}

/* ---- the history ---- */

/* A file that is no history of libedit's is left alone. */
static void load_history(LineEditor *e)
{
    HistEvent event;
    history(e->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(e->history, &event, H_SETUNIQUE, 1);
    if (!e->history_path || access(e->history_path, F_OK) != 0) return;
    int n = history(e->history, &event, H_LOAD, e->history_path);
    if (n < 0) e->history_path = NULL;
    if (n > 2 * HISTORY_SIZE) history(e->history, &event, H_SAVE, e->history_path);
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

/* ---- life ---- */

static char *prompt_text(EditLine *el)
{
    return editor_of(el)->prompt.data;
}

/* Between two \1 stands what takes no room on the screen. */
static void set_prompt(LineEditor *e, const char *prompt)
{
    e->prompt.len = 0;
    strbuf_printf(&e->prompt, e->colour ? "\1\033[1;34m\1%s\1\033[0m\1 " : "%s ", prompt);
}

static void bind_keys(EditLine *el)
{
    static const char *const keys[][2] = {
        {"^I", "viv-complete"},        {"^C", "viv-cancel"},
        {"\\e[200~", "viv-paste"},     {"^R", "em-inc-search-prev"},
        {"^W", "ed-delete-prev-word"}, {"\\e[3~", "ed-delete-next-char"},
        {"\\e[H", "ed-move-to-beg"},   {"\\e[1~", "ed-move-to-beg"},
        {"\\e[F", "ed-move-to-end"},   {"\\e[4~", "ed-move-to-end"},
        {"\\e[1;5C", "em-next-word"},  {"\\e[1;5D", "ed-prev-word"},
    };
    /* The wide form keeps the names it is given; the narrow one keeps copies that nobody frees. */
    el_wset(el, EL_ADDFN, L"viv-complete", L"Complete a name", complete_key);
    el_wset(el, EL_ADDFN, L"viv-cancel", L"Abandon the line", cancel_key);
    el_wset(el, EL_ADDFN, L"viv-paste", L"Insert pasted text", paste_key);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        el_set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

static void catch_changes(LineEditor *e)
{
    struct sigaction action = {.sa_handler = on_change, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    sigemptyset(&e->signals);
    sigaddset(&e->signals, SIGINT);
    sigaddset(&e->signals, SIGWINCH);
    sigaddset(&e->signals, SIGCONT);
}

LineEditor *line_open(const char *history_path, bool colour, CompleteFunction *complete,
                      void *context)
{
    /* Texts are UTF-8 whatever the environment says; nothing but characters follows a locale. */
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
    LineEditor *e = mem_calloc(1, sizeof *e);
    const char *terminal = getenv("TERM");
    e->has_escapes = terminal && *terminal && strcmp(terminal, "dumb") != 0;
    e->colour = colour;
    e->history_path = history_path;
    e->complete = complete;
    e->context = context;
    catch_changes(e);
    e->history = history_init();
    load_history(e);
    e->el = el_init("viv", stdin, stdout, stderr);
    el_set(e->el, EL_CLIENTDATA, e);
    el_set(e->el, EL_SIGNAL, 0);
    el_set(e->el, EL_EDITOR, "emacs");
    el_set(e->el, EL_HIST, history, e->history);
    el_set(e->el, EL_GETCFN, read_key);
    el_source(e->el, NULL);
    el_set(e->el, EL_PROMPT_ESC, prompt_text, '\1');
    bind_keys(e->el);
    return e;
}

LineResult line_read(LineEditor *e, const char *prompt, StrBuf *out)
{
    int n = 0;
    set_prompt(e, prompt);
    e->was_interrupted = false;
    has_continued = 0; /* while a program ran */
    fflush(stderr);
    sigprocmask(SIG_BLOCK, &e->signals, &e->while_waiting);
    /* libedit would print the prompt first, and the terminal echo what is typed until then. */
    el_set(e->el, EL_PREP_TERM, 1);
    paste_mode(e, true);
    const char *line = el_gets(e->el, &n);
    paste_mode(e, false);
    sigprocmask(SIG_SETMASK, &e->while_waiting, NULL);
    if (e->was_interrupted) return LINE_INTERRUPTED;
    if (!line || n <= 0) {
        puts("");
        return LINE_END;
    }
    strbuf_bytes(out, line, (size_t)n - (line[n - 1] == '\n'));
    return LINE_READ;
}

void line_close(LineEditor *e)
{
    if (!e) return;
    el_end(e->el);
    history_end(e->history);
    strbuf_free(&e->prompt);
    mem_free(e);
}

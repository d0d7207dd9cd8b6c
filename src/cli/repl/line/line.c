#include "cli/repl/line/line.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/interrupt.h"
#include "cli/repl/line/parts.h"
#include "syntax/text_width.h"

LineEditor *line_editor_of(EditLine *el)
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
static void heed_changes(LineEditor *e)
{
    if (has_resized) {
        has_resized = 0;
        el_resize(e->el);
        buffer_erase(e);
        buffer_draw(e);
    }
    if (has_continued) {
        has_continued = 0;
        el_set(e->el, EL_PREP_TERM, 0); /* libedit believes that it is still prepared */
        el_set(e->el, EL_PREP_TERM, 1);
        paste_mode(e, true);
        buffer_draw(e);
    }
}

/* Signals arrive inside ppoll only, so none is missed between a look at its flag and the wait. */
static int read_byte(LineEditor *e, unsigned char *byte)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        heed_changes(e);
        if (interrupt_ends) return 0;
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
    LineEditor *e = line_editor_of(el);
    mbstate_t state = {0};
    for (;;) {
        unsigned char byte;
        int n = read_byte(e, &byte);
        if (n != 1) return n;
        size_t len = mbrtowc(key, (const char *)&byte, 1, &state);
        if (len == (size_t)-2) continue;
        if (len == (size_t)-1) *key = 0xFFFD;
        e->key_before = e->key;
        e->key = *key;
        return 1;
    }
}

/* ---- life ---- */

static char *prompt_text(EditLine *el)
{
    return line_editor_of(el)->prompt.data;
}

void line_set_prompt(LineEditor *e, const char *prompt)
{
    int len = (int)strlen(prompt) - 1; /* the last blank is not coloured */
    e->prompt.len = 0;
    e->prompt_width = display_width(prompt, strlen(prompt));
    if (e->colour)
        strbuf_printf(&e->prompt, "\1\033[1;34m\1%.*s\1\033[0m\1 ", len, prompt);
    else
        strbuf_text(&e->prompt, prompt);
}

static void catch_changes(LineEditor *e)
{
    struct sigaction action = {.sa_handler = on_change, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    sigemptyset(&e->signals);
    sigaddset(&e->signals, SIGINT);
    sigaddset(&e->signals, SIGTERM);
    sigaddset(&e->signals, SIGHUP);
    sigaddset(&e->signals, SIGWINCH);
    sigaddset(&e->signals, SIGCONT);
}

LineEditor *line_open(const char *history_path, bool colour, LineOwner owner)
{
    /* Texts are UTF-8 whatever the environment says; nothing but characters follows a locale. */
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
    LineEditor *e = mem_calloc(1, sizeof *e);
    const char *terminal = getenv("TERM");
    e->has_escapes = terminal && *terminal && strcmp(terminal, "dumb") != 0;
    e->colour = colour;
    e->owner = owner;
    catch_changes(e);
    history_open(e, history_path);
    e->el = el_init("viv", stdin, stdout, stderr);
    el_set(e->el, EL_CLIENTDATA, e);
    el_set(e->el, EL_SIGNAL, 0);
    el_set(e->el, EL_EDITOR, "emacs");
    el_set(e->el, EL_GETCFN, read_key);
    el_source(e->el, NULL);
    el_set(e->el, EL_PROMPT_ESC, prompt_text, '\1');
    line_bind_keys(e->el);
    return e;
}

static const char *read_buffer(LineEditor *e, int *n)
{
    fflush(stderr);
    sigprocmask(SIG_BLOCK, &e->signals, &e->while_waiting);
    /* libedit would print the prompt first, and the terminal echo what is typed until then. */
    el_set(e->el, EL_PREP_TERM, 1);
    paste_mode(e, true);
    const char *line = el_gets(e->el, n);
    paste_mode(e, false);
    sigprocmask(SIG_SETMASK, &e->while_waiting, NULL);
    return line;
}

LineResult line_read(LineEditor *e, StrBuf *out)
{
    int n = 0;
    line_set_prompt(e, FIRST_PROMPT);
    e->was_interrupted = false;
    e->recalled = 0;
    e->key = 0;
    has_continued = 0; /* while a program ran */
    const char *line = read_buffer(e, &n);
    if (e->was_interrupted) return LINE_INTERRUPTED;
    if (!line || n <= 0) {
        puts("");
        return LINE_END;
    }
    line_strip_prompts(out, line, (size_t)n - (line[n - 1] == '\n'));
    return LINE_READ;
}

void line_close(LineEditor *e)
{
    if (!e) return;
    el_end(e->el);
    history_end(e->history);
    strbuf_free(&e->prompt);
    strbuf_free(&e->below);
    strbuf_free(&e->unfinished);
    mem_free(e);
}

/* viv repl: the interactive session, on a terminal or from whatever standard input is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/cli.h"
#include "cli/repl/command.h"
#include "cli/repl/complete.h"
#include "syntax/parse.h"

typedef struct {
    Session session;
    /* without a terminal: the line that getline read, whether it is still to be given, its number
     */
    char *line;
    size_t cap;
    ssize_t len;
    bool is_held;
    uint32_t line_number;
} Repl;

/* ---- lines ---- */

static LineResult next_plain_line(Repl *r)
{
    if (!r->is_held) {
        r->len = getline(&r->line, &r->cap, stdin);
        r->line_number++;
    }
    r->is_held = false;
    if (interrupt_flag) return LINE_INTERRUPTED;
    if (r->len < 0) return LINE_END;
    size_t len = (size_t)r->len;
    strbuf_bytes(&r->session.input, r->line, len - (len && r->line[len - 1] == '\n'));
    return LINE_READ;
}

static LineResult next_line(Repl *r)
{
    Session *s = &r->session;
    if (!s->input.len) s->first_line = r->line_number + !r->is_held;
    LineResult result = next_plain_line(r);
    if (result == LINE_READ) strbuf_char(&s->input, '\n');
    return result;
}

/* ---- inputs ---- */

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* Documentation waits for what it documents. */
static bool ends_in_doc(const StrBuf *b)
{
    size_t start = b->len - 1;
    while (start && b->data[start - 1] != '\n') start--;
    return strncmp(b->data + start + strspn(b->data + start, " \t"), "##", 2) == 0;
}

static bool begins_with_else(const char *line)
{
    line += strspn(line, " \t");
    return strncmp(line, "else", 4) == 0 && strchr(" \t{\n", line[4]);
}

/* Whether an else may follow: asked of the parser, by adding one. */
static bool can_take_else(const StrBuf *input)
{
    static const char rest[] = "else {";
    StrBuf text = {0};
    strbuf_bytes(&text, input->data, input->len);
    strbuf_text(&text, rest);
    bool ok = parse_is_incomplete(text.data, text.len);
    strbuf_free(&text);
    return ok;
}

/* At a terminal an if runs at once; from a file its else may stand on the next line. */
static bool else_follows(Repl *r)
{
    const StrBuf *input = &r->session.input;
    if (!strstr(input->data, "if") || !can_take_else(input)) return false;
    r->len = getline(&r->line, &r->cap, stdin);
    r->line_number++;
    r->is_held = true;
    return r->len > 0 && (is_blank(r->line) || begins_with_else(r->line));
}

/* What the parser does not want more of; input ends with a newline. */
static bool is_whole(const StrBuf *input)
{
    return input->data[0] == ':' || is_blank(input->data) ||
           !(ends_in_doc(input) || parse_is_incomplete(input->data, input->len));
}

/* Reads lines until they are a whole program. */
static LineResult read_lines(Repl *r)
{
    StrBuf *input = &r->session.input;
    OpenBrackets brackets = {0};
    LineResult result;
    for (;;) {
        size_t before = input->len;
        result = next_line(r);
        if (result != LINE_READ) break;
        /* Not all is parsed again for every line of a long literal. */
        if (parse_leaves_open(&brackets, input->data + before, input->len - before)) continue;
        if (is_whole(input) && !else_follows(r)) break;
    }
    VEC_FREE(&brackets.frames);
    return result == LINE_END && input->len ? LINE_READ : result;
}

static bool entry_is_whole(void *context, const char *text)
{
    (void)context;
    StrBuf input = {0};
    strbuf_text(&input, text);
    strbuf_char(&input, '\n');
    bool ok = is_whole(&input);
    strbuf_free(&input);
    return ok;
}

static LineResult read_input(Repl *r)
{
    Session *s = &r->session;
    s->input.len = 0;
    if (!s->editor) return read_lines(r);
    LineResult result = line_read(s->editor, &s->input);
    strbuf_char(&s->input, '\n');
    return result;
}

/* The words that are tried first by whoever does not know the commands. */
static const char *plain_command(const Session *s, const char *text)
{
    static const char *const words[][2] = {
        {"help\n", ":help"}, {"quit\n", ":quit"}, {"exit\n", ":quit"}, {"exit()\n", ":quit"}};
    for (size_t i = 0; s->editor && i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i][0]) != 0) continue;
        Symbol name = symbol_intern(text, strcspn(text, "(\n"));
        return global_find(&s->module->globals, name) < 0 ? words[i][1] : NULL;
    }
    return NULL;
}

static void run_input(Session *s)
{
    while (s->input.len && s->input.data[s->input.len - 1] == '\n') s->input.len--;
    s->input.data[s->input.len] = '\0';
    if (s->editor) line_remember(s->editor, s->input.data);
    strbuf_char(&s->input, '\n');
    const char *command = s->input.data[0] == ':' ? s->input.data : plain_command(s, s->input.data);
    if (command) {
        session_command(s, command);
        return;
    }
    mem_free(s->last_input);
    s->last_input = mem_strndup(s->input.data, s->input.len);
    session_run(s, s->input.data, s->input.len);
}

static void loop(Repl *r)
{
    Session *s = &r->session;
    while (!s->is_over && !interrupt_ends) {
        LineResult result = read_input(r);
        if (result == LINE_INTERRUPTED && !s->editor) s->status = STATUS_INTERRUPTED;
        if (result == LINE_END || (result == LINE_INTERRUPTED && !s->editor)) return;
        if (result == LINE_READ && !is_blank(s->input.data)) run_input(s);
    }
}

/* ---- the session ---- */

static bool make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    return access(path, F_OK) == 0;
}

/* Where the history is kept; NULL when there is no place for it. */
static char *history_path(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    StrBuf path = {0};
    if (state && *state == '/')
        strbuf_printf(&path, "%s/viv/", state);
    else if (home && *home)
        strbuf_printf(&path, "%s/.local/state/viv/", home);
    else
        return NULL;
    if (make_folders(path.data)) strbuf_text(&path, "history");
    return strbuf_take(&path);
}

static void run_interactively(Repl *r)
{
    Session *s = &r->session;
    char *history = history_path();
    s->colour = use_colour(STDOUT_FILENO);
    LineOwner owner = {s, session_complete, entry_is_whole};
    s->editor = line_open(history, s->colour, owner);
    puts("viv " VIV_VERSION ": array programs and their derivatives. :help lists commands.");
    loop(r);
    line_close(s->editor);
    mem_free(history);
}

int command_repl(int argc, char **argv)
{
    if (argc) return usage_error("repl takes no argument, but got %s", argv[0]);
    Repl r = {0};
    session_open(&r.session);
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        run_interactively(&r);
    else
        loop(&r);
    session_close(&r.session);
    free(r.line);
    return r.session.status;
}

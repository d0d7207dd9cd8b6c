#include "cli/repl/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suggest.h"
#include "cli/describe.h"
#include "cli/entry.h"
#include "cli/repl/edit.h"

/* ---- help ---- */

static bool run_doc(Session *s, const char *argument)
{
    StrBuf text = {0};
    bool ok = true;
    if (!*argument)
        describe_topics(&text);
    else
        ok = describe_name(&text, s->in, s->module, argument);
    fputs(strbuf_str(&text), stdout);
    if (!ok) {
        describe_unknown(&text, s->in, s->module, argument);
        session_complain(s, "%s", strbuf_str(&text));
    }
    strbuf_free(&text);
    return ok;
}

static bool run_help(Session *s, const char *argument)
{
    const SessionCommand *command =
        argument[0] == ':' ? session_command_find(argument, strlen(argument)) : NULL;
    if (command) {
        printf("%s %s\n    %s\n", command->name, command->argument, command->summary);
        return true;
    }
    if (*argument) return run_doc(s, argument);
    enum { SUMMARY_COLUMN = 17 };
    StrBuf text = {0}, lead = {0};
    for (const SessionCommand *c = session_commands; c->name; c++) {
        lead.len = 0;
        strbuf_printf(&lead, "  %s %s", c->name, c->argument);
        entry_write_wrapped(&text, strbuf_str(&lead), SUMMARY_COLUMN, c->summary);
    }
    strbuf_char(&text, '\n');
    entry_write_wrapped(&text, "", 0,
                        "_ is the last value. Test blocks run at once. Names may be defined again. "
                        "Tab completes, Up recalls, Ctrl-R searches, Ctrl-C stops, Ctrl-D leaves. "
                        "Enter goes on where an input is not complete, Alt-Enter where it is.");
    fputs(strbuf_str(&text), stdout);
    strbuf_free(&lead);
    strbuf_free(&text);
    return true;
}

/* ---- looking at values ---- */

static bool run_type(Session *s, const char *argument)
{
    Value v;
    ModuleText input = {.name = s->editor ? "<repl>" : "<stdin>",
                        .text = argument,
                        .len = strlen(argument),
                        .first_line = s->editor ? 1 : s->first_line};
    if (!module_run_input(s->in, s->module, &input, &v)) return session_fail(s);
    if (!value_is_set(v)) return session_complain(s, ":type takes an expression");
    StrBuf text = {0};
    describe_type(&text, v);
    puts(strbuf_str(&text));
    strbuf_free(&text);
    value_release(v);
    return true;
}

static bool run_time(Session *s, const char *argument)
{
    if (!session_run(s, argument, strlen(argument))) return false;
    if (s->seconds >= 1.0)
        printf("%.2f s\n", s->seconds);
    else if (s->seconds >= 1e-3)
        printf("%.2f ms\n", 1e3 * s->seconds);
    else
        printf("%.1f µs\n", 1e6 * s->seconds);
    return true;
}

static bool is_shown(const Session *s, int i)
{
    const GlobalName *name = &s->module->globals.names.item[i];
    return strcmp(name->name->text, "_") != 0 && value_is_set(s->module->value[i]);
}

static bool run_vars(Session *s, const char *argument)
{
    (void)argument;
    enum { NAME_WIDTH = 12 };
    int shown = 0;
    for (int i = 0; i < s->module->globals.names.len; i++) {
        if (!is_shown(s, i)) continue;
        Value v = s->module->value[i];
        StrBuf text = {0};
        if (value_is_number(v) || v.kind == VAL_STR)
            value_describe(&text, v);
        else
            describe_type(&text, v);
        printf("%-*s %s\n", NAME_WIDTH, s->module->globals.names.item[i].name->text,
               strbuf_str(&text));
        strbuf_free(&text);
        shown++;
    }
    if (!shown) puts("no names yet");
    return true;
}

static bool run_reset(Session *s, const char *argument)
{
    (void)argument;
    session_reset(s);
    return true;
}

/* ---- files ---- */

/* ~/ is the home folder. */
static void write_path(StrBuf *path, const char *argument)
{
    const char *home = strncmp(argument, "~/", 2) == 0 ? getenv("HOME") : NULL;
    strbuf_printf(path, "%s%s", home ? home : "", home ? argument + 1 : argument);
}

/* The path of a program, whose ending may be left out. */
static char *program_path(const char *argument)
{
    StrBuf path = {0};
    write_path(&path, argument);
    if (access(path.data, F_OK) == 0) return strbuf_take(&path);
    strbuf_text(&path, ".viv");
    if (access(path.data, F_OK) != 0) path.data[path.len -= strlen(".viv")] = '\0';
    return strbuf_take(&path);
}

static int index_of_file(const Session *s, const char *path)
{
    for (int i = 0; i < s->loaded.len; i++)
        if (strcmp(s->loaded.item[i], path) == 0) return i;
    return -1;
}

static bool can_be_read(const char *path)
{
    struct stat about;
    return access(path, R_OK) == 0 && stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

/* A file with a mistake is remembered, so that :reload tries it again; a mistyped name is not. */
static bool run_load(Session *s, const char *argument)
{
    char *path = program_path(argument);
    int i = index_of_file(s, path);
    bool is_new = i < 0;
    if (is_new) {
        i = s->loaded.len;
        VEC_PUSH(&s->loaded, path);
    } else {
        mem_free(path);
    }
    bool ok = session_load(s, i);
    if (is_new && !ok && !can_be_read(s->loaded.item[i])) mem_free(s->loaded.item[--s->loaded.len]);
    return ok;
}

static bool run_reload(Session *s, const char *argument)
{
    (void)argument;
    bool ok = module_reload_imports(s->in, s->module) || session_fail(s);
    for (int i = 0; i < s->loaded.len && !s->is_over; i++) {
        ok &= session_load(s, i);
        if (s->editor && ok) printf("reloaded %s\n", s->loaded.item[i]);
    }
    return ok;
}

static bool was_saved(const Session *s, const char *path)
{
    for (int i = 0; i < s->saved.len; i++)
        if (strcmp(s->saved.item[i], path) == 0) return true;
    return false;
}

static bool write_file(const char *path, const StrBuf *text)
{
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool ok = fwrite(strbuf_str(text), 1, text->len, file) == text->len;
    return (fclose(file) == 0) && ok;
}

/* What another hand wrote is not overwritten. */
static bool save_to(Session *s, const char *path)
{
    if (access(path, F_OK) == 0 && !was_saved(s, path))
        return session_complain(s, "%s exists already; :save writes to a new file", path);
    StrBuf text = {0};
    transcript_write(&text, &s->transcript);
    bool ok = write_file(path, &text);
    strbuf_free(&text);
    if (!ok) return session_complain(s, "%s: %s", path, strerror(errno));
    if (!was_saved(s, path)) VEC_PUSH(&s->saved, mem_strndup(path, strlen(path)));
    return true;
}

static bool run_save(Session *s, const char *argument)
{
    StrBuf path = {0};
    write_path(&path, argument);
    bool ok = save_to(s, path.data);
    strbuf_free(&path);
    return ok;
}

/* What :edit begins with: the last input, or what made a name what it is. */
static bool find_text(Session *s, const char *name, StrBuf *text)
{
    if (!*name) {
        strbuf_text(text, s->last_input ? s->last_input : "");
        return true;
    }
    return transcript_find(text, &s->transcript, symbol_of(name)) ||
           session_complain(s, "%s was not defined in this session", name);
}

static bool run_edit(Session *s, const char *argument)
{
    StrBuf before = {0}, text = {0};
    bool ok = find_text(s, argument, &before) &&
              (edit_text(strbuf_str(&before), &text) ||
               session_complain(s, "the editor could not be run; EDITOR names it"));
    strbuf_free(&before);
    if (ok && text.len) {
        mem_free(s->last_input);
        s->last_input = mem_strndup(text.data, text.len);
        if (s->editor) line_remember(s->editor, s->last_input);
        ok = session_run(s, text.data, text.len);
    }
    strbuf_free(&text);
    return ok;
}

/* ---- settings ---- */

static bool run_set(Session *s, const char *argument)
{
    static const char name[] = "precision";
    int *digits = &s->in->style.digits, end = 0, value = 0;
    if (!*argument) {
        if (*digits)
            printf("%s %d\n", name, *digits);
        else
            printf("%s full\n", name);
        return true;
    }
    size_t len = strcspn(argument, " ");
    if (len != strlen(name) || strncmp(argument, name, len) != 0)
        return session_complain(s, ":set knows precision, not %.*s", (int)len, argument);
    argument += len + strspn(argument + len, " ");
    bool is_number = sscanf(argument, "%d%n", &value, &end) == 1 && !argument[end];
    if (strcmp(argument, "full") == 0)
        *digits = 0;
    else if (is_number && value >= 1 && value <= 17)
        *digits = value;
    else
        return session_complain(s, ":set precision takes 1 to 17 digits, or full");
    return true;
}

static bool run_quit(Session *s, const char *argument)
{
    (void)argument;
    s->is_over = true;
    return true;
}

/* ---- the table ---- */

const SessionCommand session_commands[] = {
    {":help", "[NAME]", "this list; with a name what :doc tells", run_help},
    {":doc", "[NAME]", "what a word, a builtin, a name of yours or a module is; alone: lists them",
     run_doc},
    {":type", "EXPR", "the type of a value, with its shapes", run_type},
    {":time", "EXPR", "run it, and say how long that took", run_time},
    {":load", "FILE", "run a file in this session, with its tests", run_load},
    {":reload", "", "load the same files again, and what was imported", run_reload},
    {":vars", "", "your names, with types and shapes", run_vars},
    {":reset", "", "forget everything", run_reset},
    {":save", "FILE", "write what succeeded so far as a file", run_save},
    {":edit", "[NAME]", "change the last input, or what defines a name, in $EDITOR, and run it",
     run_edit},
    {":set", "[NAME VALUE]",
     "how values are shown: precision 4 for 4 digits, precision full for all; alone: what is set",
     run_set},
    {":quit", "", "leave", run_quit},
    {0},
};

const SessionCommand *session_command_find(const char *word, size_t len)
{
    const SessionCommand *found = NULL;
    int n = 0;
    for (const SessionCommand *c = session_commands; c->name; c++) {
        if (strncmp(c->name, word, len) != 0) continue;
        if (strlen(c->name) == len) return c;
        found = c;
        n++;
    }
    return n == 1 && len > 1 ? found : NULL;
}

static bool unknown_command(Session *s, const char *word, size_t len)
{
    StrBuf name = {0};
    strbuf_bytes(&name, word, len);
    Suggest near = suggest_start(name.data);
    for (const SessionCommand *c = session_commands; c->name; c++) suggest_offer(&near, c->name);
    if (near.best)
        session_complain(s, "there is no command %s; did you mean %s?", name.data, near.best);
    else
        session_complain(s, "there is no command %s; :help lists them", name.data);
    strbuf_free(&name);
    return false;
}

bool session_command(Session *s, const char *line)
{
    size_t len = strcspn(line, " \t\n");
    const SessionCommand *c = session_command_find(line, len);
    if (!c) return unknown_command(s, line, len);
    const char *argument = line + len;
    argument += strspn(argument, " \t\n");
    size_t end = strlen(argument);
    while (end && strchr(" \t\n", argument[end - 1])) end--;
    if (!*c->argument && end) return session_complain(s, "%s takes no argument", c->name);
    if (!end && *c->argument && *c->argument != '[')
        return session_complain(s, "%s takes an argument: %s %s", c->name, c->name, c->argument);
    char *copy = mem_strndup(argument, end);
    bool ok = c->run(s, copy);
    mem_free(copy);
    fflush(stdout);
    return ok;
}

#include "cli/repl/complete.h"

#include <dirent.h>
#include <string.h>

#include "cli/describe.h"
#include "cli/repl/command.h"
#include "eval/builtin.h"
#include "eval/signature.h"
#include "eval/stdlib.h"
#include "value/map.h"

/* ---- words ---- */

static bool is_name_byte(char c)
{
    unsigned char u = (unsigned char)c;
    return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' ||
           u >= 0x80;
}

static size_t name_start(const char *text, size_t end)
{
    while (end && is_name_byte(text[end - 1])) end--;
    return end;
}

static void add_part(Completions *c, const char *text, size_t len)
{
    char *part = mem_strndup(text, len);
    completions_add(c, part);
    mem_free(part);
}

/* ---- files ---- */

static bool has_ending(const char *name, const char *ending)
{
    size_t len = strlen(name), end = strlen(ending);
    return len > end && strcmp(name + len - end, ending) == 0;
}

static bool is_folder(const char *folder, const char *name)
{
    StrBuf path = {0};
    strbuf_printf(&path, "%s/%s", folder, name);
    DIR *d = opendir(path.data);
    if (d) closedir(d);
    strbuf_free(&path);
    return d != NULL;
}

/* Entries of a folder; only folders and files with the ending, where one is given. */
static void add_entries(Completions *c, const char *folder, const char *ending)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *entry; (entry = readdir(d));) {
        const char *name = entry->d_name;
        if (name[0] == '.' && c->text[c->word] != '.') continue;
        bool folds = is_folder(folder, name);
        StrBuf text = {0};
        strbuf_printf(&text, "%s%s", name, folds ? "/" : "");
        if (folds || !ending || has_ending(name, ending)) completions_add(c, text.data);
        strbuf_free(&text);
    }
    closedir(d);
}

/* The path begins at start and ends at the cursor; its last part is completed. */
static void complete_file(Completions *c, size_t start, const char *ending)
{
    size_t slash = c->cursor;
    while (slash > start && c->text[slash - 1] != '/') slash--;
    c->word = slash;
    StrBuf folder = {0};
    strbuf_bytes(&folder, c->text + start, slash - start);
    add_entries(c, slash > start ? folder.data : ".", ending);
    strbuf_free(&folder);
}

/* ---- names ---- */

static const char *const keywords[] = {"def", "return", "test",  "struct",   "for",    "while",
                                       "if",  "else",   "break", "continue", "import", "and",
                                       "or",  "not",    "in",    "true",     "false",  "none",
                                       "to",  "from",   "by",    "as",       "adjoint"};

/* Private names of another file are out of reach. */
static void add_globals(Completions *c, const Module *m, bool is_own)
{
    for (int i = 0; i < m->globals.names.len; i++) {
        const GlobalName *name = &m->globals.names.item[i];
        if (value_is_set(m->value[i]) && (is_own || global_is_listed(name)))
            completions_add(c, name->name->text);
    }
}

static void complete_member(Completions *c, const Value *v)
{
    if (v && v->kind == VAL_MODULE) add_globals(c, v->module, false);
    if (!v || v->kind != VAL_STRUCT) return;
    for (int i = 0; i < v->strukt->type->n_fields; i++)
        completions_add(c, struct_field_name(v->strukt->type, i)->text);
}

/* Parameters and variables of the function that is being typed are names too. */
static void add_words(Completions *c, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t end = i;
        while (end < len && is_name_byte(text[end])) end++;
        bool is_number = text[i] >= '0' && text[i] <= '9';
        bool is_word = end > i && !is_number && !(text == c->text && end == c->cursor);
        if (is_word) add_part(c, text + i, end - i);
        i = end > i ? end : i + 1;
    }
}

static void complete_name(Session *s, Completions *c)
{
    if (c->word == c->cursor) return;
    add_globals(c, s->module, true);
    add_words(c, c->text, strlen(c->text));
    const char *name;
    for (int i = 0; (name = builtin_name(i)); i++) completions_add(c, name);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) completions_add(c, keywords[i]);
}

/* Where the dotted path begins that ends there. */
static size_t path_start(const char *text, size_t end)
{
    size_t start = name_start(text, end);
    while (start && text[start - 1] == '.') start = name_start(text, start - 1);
    return start;
}

/* ---- arguments and keys ---- */

static void add_keyword(Completions *c, const char *name)
{
    StrBuf text = {0};
    strbuf_printf(&text, "%s = ", name);
    completions_add(c, text.data);
    strbuf_free(&text);
}

static void add_keywords_of_builtin(Completions *c, const Builtin *b)
{
    const char *name;
    for (int k = 0; (name = signature_keyword(b, k)); k++) add_keyword(c, name);
}

static void add_keywords_of(Completions *c, const Function *f)
{
    if (f->variant == FN_BUILTIN || f->variant == FN_BOUND) {
        add_keywords_of_builtin(c, f->builtin);
    } else if (f->variant == FN_STRUCT) {
        for (int i = 0; i < f->type->n_fields; i++)
            add_keyword(c, struct_field_name(f->type, i)->text);
    } else {
        for (int i = 0; i < f->closure.decl->n_params; i++)
            add_keyword(c, f->closure.decl->param[i].name->text);
    }
}

/* What an argument may be called, where the word begins one of a call that is open there. */
static void complete_keyword(Session *s, Completions *c, size_t open)
{
    size_t before = c->word;
    while (before && strchr(" \n", c->text[before - 1])) before--;
    if (!open || c->text[open - 1] != '(' || !strchr("(,", c->text[before - 1])) return;
    size_t start = path_start(c->text, open - 1), len = open - 1 - start;
    if (!len) return;
    const Value *v = describe_find(s->module, c->text + start, len);
    int builtin = builtin_index(symbol_intern(c->text + start, len));
    if (v && v->kind == VAL_FN)
        add_keywords_of(c, v->fn);
    else if (!v && builtin >= 0)
        add_keywords_of_builtin(c, builtin_at(builtin));
}

/* m["…, where m is a map; keys that would have to be written with escapes are left out. */
static bool complete_key(Session *s, Completions *c, size_t quote)
{
    if (quote < 2 || c->text[quote - 2] != '[') return false;
    size_t start = path_start(c->text, quote - 2);
    const Value *v = describe_find(s->module, c->text + start, quote - 2 - start);
    if (!v || v->kind != VAL_MAP) return false;
    c->word = quote;
    c->ending = "\"]";
    for (int i = 0; i < v->map->len; i++) {
        Value key = v->map->entry[i].key;
        if (key.kind == VAL_STR && !strpbrk(key.str->text, "\"\\\n\t\r"))
            completions_add(c, key.str->text);
    }
    return true;
}

static void complete_path(Session *s, Completions *c, size_t open)
{
    c->word = name_start(c->text, c->cursor);
    size_t start = path_start(c->text, c->cursor);
    if (start < c->word) {
        complete_member(c, describe_find(s->module, c->text + start, c->word - 1 - start));
        return;
    }
    complete_keyword(s, c, open);
    complete_name(s, c);
}

/* ---- what stands before the word ---- */

static void complete_command(Completions *c)
{
    const SessionCommand *only = session_command_find(c->text, c->cursor);
    c->word = 0;
    c->ending = only && *only->argument ? " " : NULL;
    for (const SessionCommand *s = session_commands; s->name; s++) completions_add(c, s->name);
}

/* What is open at the cursor. */
typedef struct {
    size_t quote;   /* where the text of a string begins; 0: there is none */
    size_t bracket; /* behind the innermost bracket; 0: there is none */
} Open;

static Open find_open(const Completions *c)
{
    Open open = {0};
    VEC_OF(size_t) brackets = {0};
    for (size_t i = 0; i < c->cursor; i++) {
        char at = c->text[i];
        if (open.quote && at == '\\')
            i++;
        else if (at == '"')
            open.quote = open.quote ? 0 : i + 1;
        else if (open.quote)
            continue;
        else if (at == '#')
            i += strcspn(c->text + i, "\n");
        else if (strchr("([{", at))
            VEC_PUSH(&brackets, i + 1);
        else if (strchr(")]}", at) && brackets.len)
            brackets.len--;
    }
    if (brackets.len) open.bracket = brackets.item[brackets.len - 1];
    VEC_FREE(&brackets);
    return open;
}

static size_t line_start(const Completions *c)
{
    size_t start = c->cursor;
    while (start && c->text[start - 1] != '\n') start--;
    return start;
}

/* The word after import or from, files of this folder included. */
static bool complete_module(Completions *c)
{
    const char *line = c->text + line_start(c);
    size_t word = name_start(c->text, c->cursor);
    size_t before = (size_t)(c->text + word - line);
    bool is_module = (before == 7 && strncmp(line, "import ", 7) == 0) ||
                     (before == 5 && strncmp(line, "from ", 5) == 0);
    if (!is_module) return false;
    c->word = word;
    for (const StdlibFile *f = stdlib_files; f->name; f++)
        if (!module_path_is_private(f->name)) completions_add(c, f->name);
    DIR *d = opendir(".");
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (has_ending(entry->d_name, ".viv"))
            add_part(c, entry->d_name, strlen(entry->d_name) - strlen(".viv"));
    if (d) closedir(d);
    return true;
}

/* Where the names of a from … import that goes on to the cursor come from; NULL if there is none. */
static const char *open_import(const Completions *c, size_t word, size_t *len)
{
    const char *from = NULL, *end = c->text + word;
    for (const char *line = c->text; line && line < end; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "from ", 5) == 0) from = line + 5;
    }
    *len = from ? strcspn(from, " \n") : 0;
    if (!from || strncmp(from + *len, " import ", 8) != 0) return NULL;
    for (const char *at = from + *len + 8; at < end; at++)
        if (!is_name_byte(*at) && !strchr(" ,(\n", *at)) return NULL;
    return from;
}

/* A name of the module that the import names: one that the session has, or of the library. */
static bool complete_imported(Session *s, Completions *c)
{
    size_t len, word = name_start(c->text, c->cursor);
    const char *path = open_import(c, word, &len);
    if (!path) return false;
    const Value *known = describe_find(s->module, path, len);
    bool is_module = known && known->kind == VAL_MODULE;
    const Module *m =
        is_module ? known->module : describe_library(s->in, symbol_intern(path, len)->text);
    c->word = word;
    if (m) add_globals(c, m, false);
    return true;
}

void session_complete(void *context, Completions *c)
{
    Session *s = context;
    Open open = find_open(c);
    size_t first = strcspn(c->text, " ");
    bool is_command = c->text[0] == ':';
    if (is_command && c->cursor <= first) {
        complete_command(c);
    } else if (is_command && strncmp(c->text, ":load ", 6) == 0) {
        complete_file(c, first + strspn(c->text + first, " "), ".viv");
    } else if (is_command && strncmp(c->text, ":save ", 6) == 0) {
        complete_file(c, first + strspn(c->text + first, " "), NULL);
    } else if (open.quote) {
        if (!complete_key(s, c, open.quote)) complete_file(c, open.quote, NULL);
    } else if (!complete_module(c) && !complete_imported(s, c)) {
        complete_path(s, c, open.bracket);
    }
}

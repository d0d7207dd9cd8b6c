#include "eval/import.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "eval/builtin.h"
#include "eval/module.h"
#include "eval/read_file.h"
#include "eval/stdlib.h"
#include "syntax/other_language_hints.h"
#include "syntax/source.h"

/* ---- opening ---- */

/* Whether the work goes on after a failure, which is noted then. */
static bool goes_on(Interp *in)
{
    if (!in->problems) return false;
    if (error_is_set(&in->err)) VEC_PUSH(in->problems, in->err);
    in->err = (Error){0};
    return true;
}

/* A module that was opened before; where problems are noted, also one that could not be. */
static Module *opened(Interp *in, const char *path)
{
    for (int i = 0; i < in->modules.len; i++) {
        Module *m = in->modules.item[i];
        bool fits = m->state == MODULE_OPEN || m->state == MODULE_LOADED ||
                    (m->state == MODULE_STALE && in->problems);
        if (fits && strcmp(m->path, path) == 0) return m;
    }
    return NULL;
}

static bool check_cycle(Interp *in, const char *path)
{
    for (int i = 0; i < in->opening.len; i++) {
        if (strcmp(in->opening.item[i]->path, path) != 0) continue;
        StrBuf cycle = {0};
        for (int k = i; k < in->opening.len; k++)
            strbuf_printf(&cycle, "%s → ", in->opening.item[k]->name);
        error_set(&in->err, ERR_NAME, "these files import each other in a circle: %s%s",
                  strbuf_str(&cycle), in->opening.item[i]->name);
        error_hint(&in->err, "move what both need into a file of its own");
        strbuf_free(&cycle);
        return false;
    }
    return true;
}

static Module *open_text(Interp *in, const char *path, const char *name, const char *text,
                         size_t len)
{
    Module *m = module_new(in, path);
    VEC_PUSH(&in->opening, m);
    ModuleText source = {.name = name, .text = text, .len = len, .first_line = 1};
    bool ok = module_parse(in, m, &source, false) != NULL;
    in->opening.len--;
    m->state = ok ? MODULE_OPEN : MODULE_STALE;
    return ok ? m : NULL;
}

Module *module_open_file(Interp *in, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) {
        error_set(&in->err, ERR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    Module *m = opened(in, real);
    if (m) return m->state == MODULE_STALE ? NULL : m;
    StrBuf text = {0};
    if (check_cycle(in, real) && read_file(path, &text, &in->err))
        m = open_text(in, real, path, strbuf_str(&text), text.len);
    strbuf_free(&text);
    return m;
}

char *module_path_in(const char *folder, const char *name)
{
    StrBuf path = {0};
    strbuf_printf(&path, "%s/%s", folder, name);
    return strbuf_take(&path);
}

Module *module_open_text(Interp *in, const char *name, const char *text, size_t len,
                         const char *folder)
{
    char *path = module_path_in(folder, name);
    Module *m = open_text(in, path, name, text, len);
    mem_free(path);
    return m;
}

/* ---- finding ---- */

static bool is_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* folder/a/b.viv for a.b; NULL when there is no such file. */
static char *candidate(const char *folder, const char *path)
{
    StrBuf name = {0};
    strbuf_printf(&name, "%s/", folder);
    for (const char *p = path; *p; p++) strbuf_char(&name, *p == '.' ? '/' : *p);
    strbuf_text(&name, ".viv");
    if (is_file(strbuf_str(&name))) return strbuf_take(&name);
    strbuf_free(&name);
    return NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return realpath(a, real_a) && realpath(b, real_b) && strcmp(real_a, real_b) == 0;
}

/* Takes a file that was found, and gives the path that messages name it by: beside the importing
 * file as that one is named, where both lead to the same file. */
static char *as_named(char *found, const Module *from, const char *path)
{
    const char *name =
        source_locate(from->files.item[from->files.len - 1]->span.start).source->name;
    char *copy = mem_strndup(name, strlen(name));
    char *near = candidate(strchr(name, '/') ? dirname(copy) : ".", path);
    mem_free(copy);
    if (!near || !is_same_file(near, found)) {
        mem_free(near);
        return found;
    }
    mem_free(found);
    if (strncmp(near, "./", 2) == 0) memmove(near, near + 2, strlen(near) - 1);
    return near;
}

static char *find_import(Interp *in, const Module *from, const char *path)
{
    char *copy = mem_strndup(from->path, strlen(from->path));
    char *found = candidate(dirname(copy), path);
    mem_free(copy);
    for (int i = 0; !found && in->search_path && in->search_path[i]; i++)
        found = candidate(in->search_path[i], path);
    const char *stdlib = getenv("VIV_STDLIB");
    if (!found && stdlib) found = candidate(stdlib, path);
    return found ? as_named(found, from, path) : NULL;
}

bool module_is_embedded(Symbol name)
{
    for (const StdlibFile *s = stdlib_files; s->name; s++)
        if (strcmp(s->name, name->text) == 0) return true;
    return false;
}

static Module *open_embedded(Interp *in, const StdlibFile *s)
{
    StrBuf name = {0};
    strbuf_printf(&name, "<stdlib>/%s.viv", s->name);
    Module *m = opened(in, strbuf_str(&name));
    if (!m && check_cycle(in, strbuf_str(&name)))
        m = open_text(in, strbuf_str(&name), strbuf_str(&name), s->text, s->len);
    strbuf_free(&name);
    return m;
}

static bool no_module(Interp *in, const char *path)
{
    error_set(&in->err, ERR_NAME, "there is no module %s", path);
    Suggest near = suggest_start(path);
    for (const StdlibFile *s = stdlib_files; s->name; s++)
        if (!module_path_is_private(s->name)) suggest_offer(&near, s->name);
    const char *advice = foreign_module(path);
    if (advice)
        error_hint(&in->err, "%s", advice);
    else if (near.best)
        error_hint(&in->err, "did you mean %s?", near.best);
    error_note(
        &in->err,
        "looked beside the importing file, in the folders of VIV_PATH, and in the standard library");
    return false;
}

static Module *open_named(Interp *in, const Module *from, const char *path)
{
    char *file = find_import(in, from, path);
    if (file) {
        Module *m = module_open_file(in, file);
        mem_free(file);
        return m;
    }
    for (const StdlibFile *s = stdlib_files; s->name; s++)
        if (strcmp(s->name, path) == 0) return open_embedded(in, s);
    no_module(in, path);
    return NULL;
}

/* ---- names ---- */

bool module_offers(const Module *m, Symbol name)
{
    return name->text[0] != '_' && global_find(&m->globals, name) >= 0;
}

/* The module of the standard library that defines a name, or NULL. */
static const char *library_home(Interp *in, Symbol name)
{
    const char *home = NULL;
    Error pending = in->err;
    ErrorList *problems = in->problems;
    in->err = (Error){0};
    in->problems = NULL;
    for (const StdlibFile *s = stdlib_files; s->name && !home; s++) {
        const Module *m = module_path_is_private(s->name) ? NULL : open_embedded(in, s);
        int slot = m && module_offers(m, name) ? global_find(&m->globals, name) : -1;
        if (slot >= 0 && m->globals.names.item[slot].is_definition) home = s->name;
        error_clear(&in->err);
    }
    in->err = pending;
    in->problems = problems;
    return home;
}

/* The names of which the wanted one is a part. */
static bool hint_longer(Interp *in, const Module *m, Symbol wanted)
{
    enum { SHOWN = 6, SHORTEST = 3 };
    StrBuf names = {0};
    int n = 0;
    for (int i = 0; wanted->len >= SHORTEST && i < m->globals.names.len && n < SHOWN; i++) {
        Symbol name = m->globals.names.item[i].name;
        if (!global_is_listed(&m->globals.names.item[i]) || !strstr(name->text, wanted->text))
            continue;
        strbuf_printf(&names, "%s%s", n++ ? ", " : "", name->text);
    }
    if (n) error_hint(&in->err, "%s has %s", m->name, strbuf_str(&names));
    strbuf_free(&names);
    return n > 0;
}

bool no_such_name(Interp *in, const Module *m, Symbol name, Span span)
{
    if (module_offers(m, name)) {
        error_set_at(&in->err, ERR_NAME, span, "%s of module %s has no value", name->text, m->name);
        return error_hint(&in->err, "it is assigned in a part of the file that has not run");
    }
    error_set_at(&in->err, ERR_NAME, span, "module %s has no name %s", m->name, name->text);
    if (name->text[0] == '_')
        return error_hint(&in->err, "names that begin with _ are private to their file");
    if (builtin_index(name) >= 0)
        return error_hint(&in->err, "%s is a builtin and needs no import", name->text);
    const char *home = library_home(in, name);
    if (home && strcmp(home, m->name) != 0)
        return error_hint(&in->err, "it is in %s: from %s import (%s)", home, home, name->text);
    const char *advice = foreign_name(name->text);
    if (advice) return error_hint(&in->err, "%s", advice);
    Suggest near = suggest_start(name->text);
    for (int i = 0; i < m->globals.names.len; i++) {
        const GlobalName *other = &m->globals.names.item[i];
        if (global_is_listed(other)) suggest_offer(&near, other->name->text);
    }
    bool is_typo = near.best && strstr(near.best, name->text);
    if (!is_typo && hint_longer(in, m, name)) return false;
    return near.best && error_hint(&in->err, "did you mean %s?", near.best);
}

/* ---- linking ---- */

/* Opens what an import names. A problem further in has the way there in its trace. */
static Module *open_import(Interp *in, const Module *m, const Ast *s)
{
    int before = in->problems ? in->problems->len : 0;
    Module *found = open_named(in, m, s->import->path);
    for (int i = before; in->problems && i < in->problems->len; i++)
        error_trace(&in->problems->item[i], "an import", s->span);
    if (found || !error_is_set(&in->err)) return found;
    if (span_is_set(in->err.span)) error_trace(&in->err, "an import", s->span);
    error_locate(&in->err, s->import->path_span);
    return NULL;
}

static void note_imported(Module *m, uint32_t slot, Module *what)
{
    if (m->imported && !m->globals.names.item[slot].is_rebound) m->imported[slot] = what;
}

static bool link_import(Interp *in, Module *m, const Ast *s)
{
    ImportDecl *decl = s->import;
    Module *from = decl->module = open_import(in, m, s);
    if (!from) return goes_on(in);
    if (s->kind == AST_IMPORT) note_imported(m, decl->slot, from);
    for (int i = 0; i < decl->n_items; i++) {
        const ImportedName *item = &decl->item[i];
        if (module_offers(from, item->name)) {
            int slot = global_find(&from->globals, item->name);
            note_imported(m, item->slot, module_imported(from, slot));
        } else if (!no_such_name(in, from, item->name, item->span) && !goes_on(in)) {
            return false;
        }
    }
    return true;
}

Module *module_imported(const Module *m, int slot)
{
    return m->imported ? m->imported[slot] : NULL;
}

/* Members of names that stand for modules must be there. */
static bool link_members(Interp *in, const Module *m, const SyntaxFile *file)
{
    const Module *of = NULL; /* what the member before stands for: the next may be one of it */
    for (int i = 0; i < file->n_members; i++) {
        const Ast *e = file->member[i], *target = e->field.target;
        if (target->kind == AST_NAME) of = module_imported(m, (int)target->name.slot);
        if (!of) continue;
        if (module_offers(of, e->field.name)) {
            of = module_imported(of, global_find(&of->globals, e->field.name));
            continue;
        }
        no_such_name(in, of, e->field.name, e->field.name_span);
        if (!goes_on(in)) return false;
        of = NULL;
    }
    return true;
}

bool module_link(Interp *in, Module *m, const SyntaxFile *file)
{
    bool is_session = m->state == MODULE_LOADED;
    const AstList *list = &file->body->list;
    if (!is_session) m->imported = mem_calloc((size_t)m->globals.names.len, sizeof *m->imported);
    for (int i = 0; i < list->len; i++) {
        const Ast *s = list->item[i];
        bool is_import = s->kind == AST_IMPORT || s->kind == AST_FROM_IMPORT;
        if (is_import && !link_import(in, m, s)) return false;
    }
    return link_members(in, m, file);
}

/* ---- running ---- */

static bool import_name(Interp *in, Module *to, Module *from, const ImportedName *item)
{
    Value *found = module_find(from, item->name);
    if (!found) return no_such_name(in, from, item->name, item->span);
    module_set(to, item->slot, value_retain(*found));
    return true;
}

bool import_names(Interp *in, Frame *f, const Ast *s)
{
    const ImportDecl *decl = s->import;
    Module *m = decl->module;
    if (!module_run(in, m)) {
        if (span_is_set(in->err.span)) error_trace(&in->err, "an import", s->span);
        return false;
    }
    if (s->kind == AST_IMPORT) {
        m->head.refs++;
        module_set(f->module, decl->slot, (Value){.kind = VAL_MODULE, .module = m});
        return true;
    }
    for (int i = 0; i < decl->n_items; i++)
        if (!import_name(in, f->module, m, &decl->item[i])) return false;
    return true;
}

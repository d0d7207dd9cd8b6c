/* Files as modules: finding, loading, importing. */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/fuse.h"
#include "eval/module.h"
#include "eval/profile.h"
#include "eval/read_file.h"
#include "eval/statement.h"
#include "eval/stdlib.h"
#include "syntax/other_language_hints.h"
#include "syntax/parse.h"
#include "syntax/source.h"

/* ---- module objects ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

Module *module_new(Interp *in, const char *path)
{
    Module *m = mem_calloc(1, sizeof *m);
    m->head.refs = 1;
    m->path = mem_strndup(path, strlen(path));
    const char *name = last_part(path);
    const char *dot = strrchr(name, '.');
    m->name = symbol_intern(name, dot && dot > name ? (size_t)(dot - name) : strlen(name))->text;
    VEC_PUSH(&in->modules, m);
    return m;
}

/* Functions keep pointers to their module and its syntax trees, so both live until the interpreter
 * ends. */
void module_release_values(Module *m)
{
    for (int i = 0; i < m->cap; i++) value_clear(&m->value[i]);
}

void module_free(Module *m)
{
    for (int i = 0; i < m->files.len; i++) {
        syntax_file_free(m->files.item[i]);
        mem_free(m->files.item[i]);
    }
    VEC_FREE(&m->files);
    fuse_plans_free(m);
    global_table_free(&m->globals);
    mem_free(m->value);
    mem_free(m->path);
    mem_free(m);
}

void module_grow_values(Module *m)
{
    int n = m->globals.names.len;
    if (n <= m->cap) return;
    m->value = mem_realloc(m->value, (size_t)n * sizeof *m->value);
    memset(m->value + m->cap, 0, (size_t)(n - m->cap) * sizeof *m->value);
    m->cap = n;
}

Value *module_find(Module *m, Symbol name)
{
    if (name->text[0] == '_') return NULL;
    int slot = global_find(&m->globals, name);
    return slot >= 0 && slot < m->cap && value_is_set(m->value[slot]) ? &m->value[slot] : NULL;
}

/* ---- running ---- */

SyntaxFile *module_parse(Interp *in, Module *m, const ModuleText *text, bool is_repl)
{
    const Source *source = source_add_part(text->name, text->text, text->len, text->first_line);
    if (!source) {
        error_set(&in->err, ERR_MEMORY, "%s: too much source text", text->name);
        return NULL;
    }
    SyntaxFile *file = mem_calloc(1, sizeof *file);
    file->next_serial = m->n_plans;
    VEC_PUSH(&m->files, file);
    ResolveContext context = {.globals = &m->globals,
                              .is_repl = is_repl,
                              .builtin_index = builtin_index,
                              .builtin_name = builtin_name,
                              .is_library_module = module_is_embedded};
    if (!parse_source(source, file, &in->err) || !resolve_file(file, &context, &in->err))
        return NULL;
    module_grow_values(m);
    fuse_plans_grow(m, file->next_serial);
    return file;
}

static Flow run_statements(Interp *in, Frame *f, const SyntaxFile *file, Value *value)
{
    const AstList *list = &file->body->list;
    for (int i = 0; i < list->len; i++) {
        const Ast *s = list->item[i];
        if (value && i == list->len - 1 && s->kind == AST_EXPRESSION)
            return eval(in, f, s->unary.operand, value) ? FLOW_NEXT : FLOW_ERROR;
        if (exec(in, f, s) == FLOW_ERROR) return FLOW_ERROR;
    }
    return FLOW_NEXT;
}

bool module_run_file(Interp *in, Module *m, const SyntaxFile *file, const char *frame_name,
                     Value *value)
{
    Value *slot = mem_calloc(file->n_slots, sizeof *slot);
    Frame f = {.slot = slot, .module = m, .plan = m->plan, .name = frame_name};
    ProfileCall outside = {0};
    if (in->profile) outside = profile_enter(in->profile, file->body->span.start, frame_name);
    bool ok = run_statements(in, &f, file, value) != FLOW_ERROR;
    if (in->profile) profile_leave(in->profile, outside);
    release_values(slot, (int)file->n_slots);
    mem_free(slot);
    return ok;
}

static Module *load(Interp *in, const char *path, const char *name, const char *text, size_t len)
{
    Module *m = module_new(in, path);
    VEC_PUSH(&in->loading, m);
    ModuleText source = {.name = name, .text = text, .len = len, .first_line = 1};
    SyntaxFile *file = module_parse(in, m, &source, false);
    bool ok = file && module_run_file(in, m, file, "the file", NULL);
    in->loading.len--;
    m->is_loaded = ok;
    return ok ? m : NULL;
}

static Module *loaded(Interp *in, const char *path)
{
    for (int i = 0; i < in->modules.len; i++) {
        Module *m = in->modules.item[i];
        if (m->is_loaded && strcmp(m->path, path) == 0) return m;
    }
    return NULL;
}

static bool check_cycle(Interp *in, const char *path)
{
    for (int i = 0; i < in->loading.len; i++) {
        if (strcmp(in->loading.item[i]->path, path) != 0) continue;
        StrBuf cycle = {0};
        for (int k = i; k < in->loading.len; k++)
            strbuf_printf(&cycle, "%s → ", in->loading.item[k]->name);
        error_set(&in->err, ERR_NAME, "these files import each other in a circle: %s%s",
                  strbuf_str(&cycle), in->loading.item[i]->name);
        error_hint(&in->err, "move what both need into a file of its own");
        strbuf_free(&cycle);
        return false;
    }
    return true;
}

Module *module_load_file(Interp *in, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) {
        error_set(&in->err, ERR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    Module *m = loaded(in, real);
    if (m || !check_cycle(in, real)) return m;
    StrBuf text = {0};
    m = read_file(path, &text, &in->err) ? load(in, real, path, strbuf_str(&text), text.len) : NULL;
    strbuf_free(&text);
    return m;
}

char *module_path_in(const char *folder, const char *name)
{
    StrBuf path = {0};
    strbuf_printf(&path, "%s/%s", folder, name);
    return strbuf_take(&path);
}

Module *module_load_text(Interp *in, const char *name, const char *text, size_t len,
                         const char *folder)
{
    char *path = module_path_in(folder, name);
    Module *m = load(in, path, name, text, len);
    mem_free(path);
    return m;
}

/* ---- tests ---- */

bool module_run_test(Interp *in, Module *m, const TestDecl *test)
{
    StrBuf name = {0};
    strbuf_printf(&name, "test \"%s\"", test->name);
    Value *slot = mem_calloc(test->n_slots, sizeof *slot);
    Value result = {0};
    Frame f = {
        .slot = slot, .module = m, .plan = m->plan, .name = strbuf_str(&name), .result = &result};
    RandomState random = in->random;
    in->random = (RandomState){0};
    bool ok = exec_block(in, &f, test->body) != FLOW_ERROR;
    in->random = random;
    value_release(result);
    release_values(slot, (int)test->n_slots);
    mem_free(slot);
    strbuf_free(&name);
    return ok;
}

/* ---- imports ---- */

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

static Module *import_embedded(Interp *in, const char *path, bool *exists)
{
    *exists = false;
    for (const StdlibFile *s = stdlib_files; s->name; s++) {
        if (strcmp(s->name, path) != 0) continue;
        *exists = true;
        StrBuf name = {0};
        strbuf_printf(&name, "<stdlib>/%s.viv", s->name);
        Module *m = loaded(in, strbuf_str(&name));
        if (!m && check_cycle(in, strbuf_str(&name)))
            m = load(in, strbuf_str(&name), strbuf_str(&name), s->text, s->len);
        strbuf_free(&name);
        return m;
    }
    return NULL;
}

static bool no_module(Interp *in, const char *path)
{
    error_set(&in->err, ERR_NAME, "there is no module %s", path);
    Suggest near = suggest_start(path);
    for (const StdlibFile *s = stdlib_files; s->name; s++) suggest_offer(&near, s->name);
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

Module *module_import(Interp *in, Module *from, const char *path)
{
    char *file = find_import(in, from, path);
    if (file) {
        Module *m = module_load_file(in, file);
        mem_free(file);
        return m;
    }
    bool exists;
    Module *m = import_embedded(in, path, &exists);
    if (!exists) no_module(in, path);
    return m;
}

void module_set(Module *m, uint32_t slot, Value v)
{
    Value old = m->value[slot];
    m->value[slot] = v;
    value_release(old);
}

static bool import_name(Interp *in, Module *to, Module *from, const ImportedName *item)
{
    Value *found = module_find(from, item->name);
    if (found) {
        module_set(to, item->slot, value_retain(*found));
        return true;
    }
    error_set_at(&in->err, ERR_NAME, item->span, "module %s has no name %s", from->name,
                 item->name->text);
    if (item->name->text[0] == '_')
        return error_hint(&in->err, "names that begin with _ are private to their file");
    Suggest near = suggest_start(item->name->text);
    for (int i = 0; i < from->globals.names.len; i++) {
        const char *name = from->globals.names.item[i].name->text;
        if (name[0] != '_') suggest_offer(&near, name);
    }
    if (near.best) error_hint(&in->err, "did you mean %s?", near.best);
    return false;
}

bool import_names(Interp *in, Frame *f, const Ast *s)
{
    const ImportDecl *decl = s->import;
    Module *m = module_import(in, f->module, decl->path);
    if (!m) {
        if (span_is_set(in->err.span)) error_trace(&in->err, "an import", s->span);
        error_locate(&in->err, decl->path_span);
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

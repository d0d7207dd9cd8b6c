#include "cli/doc_file.h"

#include <string.h>

#include "base/suggest.h"
#include "cli/entry.h"
#include "eval/read_file.h"
#include "syntax/parse.h"

bool doc_is_file(const char *word)
{
    size_t len = strlen(word);
    return strchr(word, '/') || (len > 4 && strcmp(word + len - 4, ".viv") == 0);
}

static bool read_syntax(const char *path, SyntaxFile *file, Error *err)
{
    StrBuf text = {0};
    bool ok = read_file(path, &text, err);
    const Source *source = ok ? source_add(path, strbuf_str(&text), text.len) : NULL;
    strbuf_free(&text);
    if (!source) return ok ? error_set(err, ERR_MEMORY, "%s is too large", path) : false;
    return parse_source(source, file, err);
}

/* ---- what a file defines ---- */

typedef struct {
    const char *name;
    const Ast *statement;
} Definition;

typedef VEC_OF(Definition) Definitions;

static void add(Definitions *all, Symbol name, const Ast *statement)
{
    Definition d = {name->text, statement};
    VEC_PUSH(all, d);
}

static void add_targets(Definitions *all, const Ast *target, const Ast *statement)
{
    if (target->kind == AST_NAME) add(all, target->name.name, statement);
    if (target->kind != AST_TUPLE) return;
    for (int i = 0; i < target->list.len; i++) add_targets(all, target->list.item[i], statement);
}

static Definitions definitions_of(const SyntaxFile *file)
{
    Definitions all = {0};
    for (int i = 0; file->body && i < file->body->list.len; i++) {
        const Ast *s = file->body->list.item[i];
        if (s->kind == AST_DEF) add(&all, s->function->name, s);
        if (s->kind == AST_STRUCT) add(&all, s->structure->name, s);
        if (s->kind == AST_ASSIGN) add_targets(&all, s->assign.target, s);
        if (s->kind == AST_FROM_IMPORT)
            for (int k = 0; k < s->import->n_items; k++) add(&all, s->import->item[k].as, s);
    }
    return all;
}

/* ---- entries ---- */

static const char *doc_of(const SyntaxFile *file, const Ast *s)
{
    for (int i = 0; i < file->n_docs; i++)
        if (file->doc[i].position == s->span.start) return file->doc[i].text;
    return NULL;
}

/* A variable's entry is its assignment, when that is a short line. */
static void write_assignment(StrBuf *out, const Ast *s)
{
    enum { SHORT = 76 };
    size_t len;
    const char *text = source_text(s->span, &len);
    if (len <= SHORT && !memchr(text, '\n', len)) {
        entry_write_source(out, s->span);
    } else {
        entry_write_source(out, s->assign.target->span);
        strbuf_text(out, " = …");
    }
}

static void write_statement(StrBuf *out, const SyntaxFile *file, const Ast *s)
{
    if (s->kind == AST_DEF)
        entry_write_source(out, s->function->head_span);
    else if (s->kind == AST_STRUCT)
        entry_write_source(out, s->span);
    else
        write_assignment(out, s);
    strbuf_char(out, '\n');
    entry_write_doc(out, doc_of(file, s));
}

/* Functions, structs and documented variables, but for private ones. */
static void write_all(StrBuf *out, const char *path, const SyntaxFile *file)
{
    Definitions all = definitions_of(file);
    const Ast *last = NULL;
    strbuf_printf(out, "%s\n", path);
    entry_write_head(out, file->span);
    for (int i = 0; i < all.len; i++) {
        const Ast *s = all.item[i].statement;
        bool is_shown = s->kind == AST_DEF || s->kind == AST_STRUCT ||
                        (s->kind == AST_ASSIGN && doc_of(file, s));
        if (!is_shown || s == last || all.item[i].name[0] == '_') continue;
        write_statement(out, file, s);
        last = s;
    }
    VEC_FREE(&all);
}

/* ---- one name ---- */

/* The statement that defines a name: of several assignments, the first with documentation. */
static const Ast *find(const Definitions *all, const SyntaxFile *file, const char *name)
{
    const Ast *found = NULL;
    for (int i = 0; i < all->len; i++) {
        const Ast *s = all->item[i].statement;
        if (strcmp(all->item[i].name, name) != 0) continue;
        if (!found || (!doc_of(file, found) && doc_of(file, s))) found = s;
    }
    return found;
}

static bool fail_imported(const char *path, const ImportDecl *import, const char *name, Error *err)
{
    for (int i = 0; i < import->n_items; i++)
        if (strcmp(import->item[i].as->text, name) == 0)
            error_set(err, ERR_NAME, "%s of %s is %s of the module %s", name, path,
                      import->item[i].name->text, import->path);
    return false;
}

static bool fail_unknown(const char *path, const Definitions *all, const char *name, Error *err)
{
    Suggest near = suggest_start(name);
    for (int i = 0; i < all->len; i++) suggest_offer(&near, all->item[i].name);
    if (near.best)
        return error_set(err, ERR_NAME, "%s has nothing named %s; did you mean %s?", path, name,
                         near.best);
    return error_set(err, ERR_NAME, "%s has nothing named %s; viv doc %s lists what it has", path,
                     name, path);
}

static bool write_one(StrBuf *out, const char *path, const SyntaxFile *file, const char *name,
                      Error *err)
{
    Definitions all = definitions_of(file);
    const Ast *s = find(&all, file, name);
    bool ok = true;
    if (!s)
        ok = fail_unknown(path, &all, name, err);
    else if (s->kind == AST_FROM_IMPORT)
        ok = fail_imported(path, s->import, name, err);
    else
        write_statement(out, file, s);
    VEC_FREE(&all);
    return ok;
}

bool doc_file_write(StrBuf *out, const char *path, const char *name, Error *err)
{
    SyntaxFile file = {0};
    bool ok = read_syntax(path, &file, err);
    if (ok && name)
        ok = write_one(out, path, &file, name, err);
    else if (ok)
        write_all(out, path, &file);
    syntax_file_free(&file);
    return ok;
}

void doc_file_each_name(const char *path, NameSink *each, void *context)
{
    SyntaxFile file = {0};
    Error ignored = {0};
    if (read_syntax(path, &file, &ignored)) {
        Definitions all = definitions_of(&file);
        for (int i = 0; i < all.len; i++) each(context, all.item[i].name);
        VEC_FREE(&all);
    }
    error_clear(&ignored);
    syntax_file_free(&file);
}

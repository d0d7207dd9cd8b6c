#include "cli/describe.h"

#include <string.h>

#include "base/suggest.h"
#include "cli/entry.h"
#include "cli/words.h"
#include "eval/builtin.h"
#include "eval/stdlib.h"
#include "syntax/other_language_hints.h"
#include "syntax/source.h"
#include "value/map.h"
#include "value/text.h"

/* ---- types ---- */

enum { PARTS_SHOWN = 8, DEEPEST = 3 };

static void write_function(StrBuf *out, const Function *f)
{
    if (f->variant == FN_CLOSURE)
        entry_write_source(out, f->closure.decl->head_span);
    else if (f->variant == FN_STRUCT)
        entry_write_source(out, f->type->decl->span);
    else
        strbuf_text(out, f->builtin->signature);
}

static void write_type(StrBuf *out, Value v, int depth);

static void write_label(StrBuf *out, Value structure, int i)
{
    Error ignored = {0};
    if (structure.kind == VAL_STRUCT)
        strbuf_printf(out, "%s: ", struct_field_name(structure.strukt->type, i)->text);
    if (structure.kind != VAL_MAP) return;
    value_write_literal(out, structure.map->entry[i].key, 0, &ignored);
    strbuf_text(out, ": ");
}

static Value part(Value structure, int i)
{
    if (structure.kind == VAL_TUPLE) return structure.tuple->item[i];
    return structure.kind == VAL_MAP ? structure.map->entry[i].value : structure.strukt->field[i];
}

static void write_parts(StrBuf *out, Value v, int depth)
{
    int n = v.kind == VAL_TUPLE ? v.tuple->len
            : v.kind == VAL_MAP ? v.map->len
                                : v.strukt->type->n_fields;
    strbuf_printf(out, "%s %s", value_type_name(v), v.kind == VAL_MAP ? "{" : "(");
    for (int i = 0; i < n && i < PARTS_SHOWN; i++) {
        if (i) strbuf_text(out, ", ");
        write_label(out, v, i);
        write_type(out, part(v, i), depth + 1);
    }
    if (n > PARTS_SHOWN) strbuf_printf(out, ", … %d in all", n);
    strbuf_text(out, v.kind == VAL_MAP ? "}" : ")");
}

static void write_type(StrBuf *out, Value v, int depth)
{
    bool has_parts = v.kind == VAL_TUPLE || v.kind == VAL_MAP || v.kind == VAL_STRUCT;
    if (has_parts && depth < DEEPEST)
        write_parts(out, v, depth);
    else if (v.kind == VAL_FN && depth == 0)
        write_function(out, v.fn);
    else if (v.kind == VAL_ARR)
        value_describe(out, v);
    else if (v.kind == VAL_MODULE)
        strbuf_printf(out, "Module %s", v.module->name);
    else
        strbuf_text(out, value_type_name(v));
}

void describe_type(StrBuf *out, Value v)
{
    write_type(out, v, 0);
}

/* ---- finding ---- */

static const Value *member(const Value *v, Symbol name)
{
    if (v->kind == VAL_MODULE) return module_find(v->module, name);
    if (v->kind != VAL_STRUCT) return NULL;
    int i = struct_field_index(v->strukt->type, name);
    return i < 0 ? NULL : &v->strukt->field[i];
}

const Value *describe_find(const Module *m, const char *path, size_t len)
{
    size_t n = strcspn(path, ".");
    if (n > len) n = len;
    int slot = global_find(&m->globals, symbol_intern(path, n));
    const Value *v = slot >= 0 && value_is_set(m->value[slot]) ? &m->value[slot] : NULL;
    while (v && n < len) {
        const char *name = path + n + 1;
        size_t more = strcspn(name, ".");
        if (more > len - n - 1) more = len - n - 1;
        v = member(v, symbol_intern(name, more));
        n += 1 + more;
    }
    return v;
}

/* ---- entries ---- */

static void write_builtin(StrBuf *out, const Builtin *b)
{
    strbuf_printf(out, "%s\n", b->signature);
    entry_write_doc(out, b->doc);
}

static void write_word(StrBuf *out, const LanguageWord *word)
{
    strbuf_printf(out, "%s\n", word->form);
    entry_write_doc(out, word->doc);
}

/* The documentation that a value carries itself. */
static const char *own_doc(Value v)
{
    if (v.kind != VAL_FN) return NULL;
    if (v.fn->variant == FN_CLOSURE) return v.fn->closure.decl->doc;
    return v.fn->variant == FN_STRUCT ? v.fn->type->decl->doc : v.fn->builtin->doc;
}

/* The value of a module's i-th name, if lists show it; else NULL. */
static const Value *listed(Module *m, int i)
{
    const GlobalName *name = &m->globals.names.item[i];
    const Value *v = global_is_listed(name) ? module_find(m, name->name) : NULL;
    return v && v->kind != VAL_MODULE ? v : NULL;
}

/* The module that a name is passed on from; NULL for the module's own and for what is none of a module. */
static const Module *origin(const Module *m, const GlobalName *name, Value v)
{
    if (name->is_definition || v.kind != VAL_FN) return NULL;
    const Module *from = v.fn->variant == FN_STRUCT    ? v.fn->type->module
                         : v.fn->variant == FN_CLOSURE ? v.fn->closure.module
                                                       : NULL;
    return from == m ? NULL : from;
}

/* The names that a module defines (from is NULL), or passes on from another one. */
static void write_names(StrBuf *out, Module *m, const Module *from)
{
    for (int i = 0; i < m->globals.names.len; i++) {
        const GlobalName *name = &m->globals.names.item[i];
        const Value *v = listed(m, i);
        if (!v || origin(m, name, *v) != from || (!from && !name->is_definition)) continue;
        const char *doc = own_doc(*v) ? own_doc(*v) : name->doc;
        entry_write_row(out, name->name->text, doc ? doc : "");
    }
}

static void write_module(StrBuf *out, Module *m)
{
    VEC_OF(const Module *) written = {0};
    strbuf_printf(out, "import %s\n", m->name);
    if (m->files.len) entry_write_head(out, m->files.item[0]->span);
    write_names(out, m, NULL);
    for (int i = 0; i < m->globals.names.len; i++) {
        const Value *v = listed(m, i);
        const Module *from = v ? origin(m, &m->globals.names.item[i], *v) : NULL;
        bool is_new = from != NULL;
        for (int k = 0; k < written.len; k++) is_new &= written.item[k] != from;
        if (!is_new) continue;
        VEC_PUSH(&written, from);
        strbuf_printf(out, "  from %s\n", from->name);
        write_names(out, m, from);
    }
    VEC_FREE(&written);
}

static void write_value(StrBuf *out, const char *path, Value v, const char *doc)
{
    if (v.kind == VAL_MODULE) {
        write_module(out, v.module);
        return;
    }
    if (v.kind != VAL_FN) strbuf_printf(out, "%s: ", path);
    describe_type(out, v);
    strbuf_char(out, '\n');
    entry_write_doc(out, own_doc(v) ? own_doc(v) : doc);
}

static bool describe_own(StrBuf *out, const Module *m, const char *path)
{
    const Value *v = describe_find(m, path, strlen(path));
    if (!v) return false;
    int slot = global_find(&m->globals, symbol_of(path));
    write_value(out, path, *v, slot >= 0 ? m->globals.names.item[slot].doc : NULL);
    return true;
}

/* ---- the standard library ---- */

/* A session that has imported a module, which stays loaded until the interpreter is freed. NULL
 * when the module does not run. */
static const Module *importing(Interp *in, const char *module)
{
    StrBuf text = {0};
    strbuf_printf(&text, "import %s", module);
    Module *scratch = module_new_session(in, ".");
    ModuleText input = {.name = "<doc>", .text = text.data, .len = text.len, .first_line = 1};
    Value none;
    bool ok = module_run_input(in, scratch, &input, &none);
    error_clear(&in->err);
    strbuf_free(&text);
    return ok ? scratch : NULL;
}

Module *describe_library(Interp *in, const char *name)
{
    const Module *scratch = module_is_embedded(symbol_of(name)) ? importing(in, name) : NULL;
    const Value *v = scratch ? describe_find(scratch, name, strlen(name)) : NULL;
    return v && v->kind == VAL_MODULE ? v->module : NULL;
}

/* The i-th name of a module, if the module defines it and others may use it; else NULL. */
static const Value *library_definition(Module *m, int i)
{
    const GlobalName *name = &m->globals.names.item[i];
    return name->is_definition ? module_find(m, name->name) : NULL;
}

/* A function or struct of any of the modules, by its own name. */
static bool describe_definition(StrBuf *out, Interp *in, Symbol name)
{
    bool found = false;
    for (const StdlibFile *s = stdlib_files; s->name; s++) {
        Module *m = module_path_is_private(s->name) ? NULL : describe_library(in, s->name);
        int slot = m ? global_find(&m->globals, name) : -1;
        const Value *v = slot >= 0 ? library_definition(m, slot) : NULL;
        if (!v) continue;
        strbuf_printf(out, "from %s import (%s)\n", s->name, name->text);
        write_value(out, name->text, *v, NULL);
        found = true;
    }
    return found;
}

static bool describe_imported(StrBuf *out, Interp *in, const char *path)
{
    size_t len = strcspn(path, ".");
    for (const StdlibFile *s = stdlib_files; s->name; s++) {
        if (strncmp(s->name, path, len) != 0 || s->name[len]) continue;
        const Module *scratch = importing(in, s->name);
        return scratch && describe_own(out, scratch, path);
    }
    return !path[len] && describe_definition(out, in, symbol_of(path));
}

/* A module, and its names with and without the module's before them. */
static void each_of_library(Interp *in, const StdlibFile *s, NameSink *each, void *context)
{
    if (module_path_is_private(s->name)) return;
    Module *m = describe_library(in, s->name);
    each(context, s->name);
    for (int i = 0; m && i < m->globals.names.len; i++) {
        const Symbol own = m->globals.names.item[i].name;
        if (!listed(m, i)) continue;
        StrBuf name = {0};
        strbuf_printf(&name, "%s.%s", s->name, own->text);
        each(context, symbol_of(strbuf_str(&name))->text);
        strbuf_free(&name);
        if (library_definition(m, i)) each(context, own->text);
    }
}

/* ---- names ---- */

bool describe_name(StrBuf *out, Interp *in, const Module *session, const char *path)
{
    if (session && describe_own(out, session, path)) return true;
    const LanguageWord *word = word_find(path);
    if (word) {
        write_word(out, word);
        return true;
    }
    int index = builtin_index(symbol_of(path));
    if (index < 0) return describe_imported(out, in, path);
    write_builtin(out, builtin_at(index));
    return true;
}

void describe_each_name(Interp *in, const Module *session, NameSink *each, void *context)
{
    for (const LanguageWord *w = language_words; w->text; w++) each(context, w->text);
    for (int i = 0; session && i < session->globals.names.len; i++)
        if (session->globals.names.item[i].is_assigned)
            each(context, session->globals.names.item[i].name->text);
    const char *name;
    for (int i = 0; (name = builtin_name(i)); i++) each(context, name);
    for (const StdlibFile *s = stdlib_files; s->name; s++) each_of_library(in, s, each, context);
}

/* Only a name with a dot is near to one with a dot. */
static void offer(void *suggest, const char *name)
{
    Suggest *near = suggest;
    if (!strchr(near->wanted, '.') == !strchr(name, '.')) suggest_offer(near, name);
}

void describe_unknown(StrBuf *out, Interp *in, const Module *session, const char *path)
{
    Suggest near = suggest_start(path);
    strbuf_printf(out, "there is nothing named %s", path);
    const char *advice = foreign_name(path);
    if (advice) {
        strbuf_printf(out, "; %s", advice);
        return;
    }
    describe_each_name(in, session, offer, &near);
    if (near.best) strbuf_printf(out, "; did you mean %s?", near.best);
}

void describe_topics(StrBuf *out)
{
    StrBuf names = {0};
    for (const LanguageWord *w = language_words; w->text; w++)
        strbuf_printf(&names, "%s%s", names.len ? " " : "", w->text);
    strbuf_text(out, "Words of the language\n");
    entry_write_wrapped(out, "", 2, strbuf_str(&names));
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++) {
        names.len = 0;
        for (const Builtin *b = t->table; b->name; b++)
            strbuf_printf(&names, "%s%s", names.len ? " " : "", b->name);
        strbuf_printf(out, "%s\n", t->title);
        entry_write_wrapped(out, "", 2, strbuf_str(&names));
    }
    names.len = 0;
    for (const StdlibFile *s = stdlib_files; s->name; s++)
        if (!module_path_is_private(s->name))
            strbuf_printf(&names, "%s%s", names.len ? " " : "", s->name);
    strbuf_text(out, "modules to import\n");
    entry_write_wrapped(out, "", 2, strbuf_str(&names));
    strbuf_free(&names);
}

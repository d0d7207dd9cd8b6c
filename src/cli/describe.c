#include "cli/describe.h"

#include <string.h>

#include "base/suggest.h"
#include "cli/words.h"
#include "eval/builtin.h"
#include "eval/stdlib.h"
#include "syntax/other_language_hints.h"
#include "syntax/source.h"
#include "value/map.h"
#include "value/text.h"

enum { TEXT_WIDTH = 78, ENTRY_INDENT = 4, NAME_COLUMN = 22 };

/* ---- types ---- */

enum { PARTS_SHOWN = 8, DEEPEST = 3 };

/* Source text on one line: blanks and line ends are one blank, and none inside of parentheses. */
static void write_source(StrBuf *out, Span span)
{
    size_t len;
    const char *text = source_text(span, &len);
    bool is_blank = false;
    for (size_t i = 0; i < len; i++) {
        if (strchr(" \t\r\n", text[i])) {
            is_blank = true;
            continue;
        }
        char last = out->len ? out->data[out->len - 1] : '(';
        if (text[i] == ')' && is_blank && last == ',')
            out->len--;
        else if (is_blank && text[i] != ')' && last != '(')
            strbuf_char(out, ' ');
        strbuf_char(out, text[i]);
        is_blank = false;
    }
}

static void write_function(StrBuf *out, const Function *f)
{
    if (f->variant == FN_CLOSURE)
        write_source(out, f->closure.decl->head_span);
    else if (f->variant == FN_STRUCT)
        write_source(out, f->type->decl->span);
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

static int characters(const char *text, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* What stands between two ` is one word. */
static size_t word_length(const char *word)
{
    size_t len = 0;
    bool is_code = false;
    for (; word[len] && word[len] != '\n' && (is_code || word[len] != ' '); len++)
        is_code ^= word[len] == '`';
    return len;
}

/* Words in lines; the first one begins with lead, the others with as many blanks. A line that is
 * empty, or begins with a blank, begins a new one. */
static void write_wrapped(StrBuf *out, const char *lead, int indent, const char *text)
{
    int column = indent;
    if ((int)strlen(lead) >= indent && indent > 0)
        strbuf_printf(out, "%s\n%*s", lead, indent, "");
    else
        strbuf_printf(out, "%-*s", indent, lead);
    for (const char *word = text; *word;) {
        size_t len = word_length(word);
        int width = characters(word, len);
        if (column > indent && column + 1 + width > TEXT_WIDTH) {
            strbuf_printf(out, "\n%*s", indent, "");
            column = indent;
        }
        if (column > indent && len) strbuf_char(out, ' ');
        strbuf_bytes(out, word, len);
        column += width + (column > indent);
        word += len;
        bool breaks = word[0] == '\n' && (word[1] == '\n' || word[1] == ' ');
        if (breaks) strbuf_printf(out, "\n%*s", indent, "");
        if (breaks) column = indent;
        word += strspn(word, " \n");
    }
    strbuf_char(out, '\n');
}

static void write_entry(StrBuf *out, const char *doc)
{
    if (doc) write_wrapped(out, "", ENTRY_INDENT, doc);
}

static void write_builtin(StrBuf *out, const Builtin *b)
{
    strbuf_printf(out, "%s\n", b->signature);
    write_entry(out, b->doc);
}

static void write_word(StrBuf *out, const LanguageWord *word)
{
    strbuf_printf(out, "%s\n", word->form);
    write_entry(out, word->doc);
}

/* The documentation that a value carries itself. */
static const char *own_doc(Value v)
{
    if (v.kind != VAL_FN) return NULL;
    if (v.fn->variant == FN_CLOSURE) return v.fn->closure.decl->doc;
    return v.fn->variant == FN_STRUCT ? v.fn->type->decl->doc : v.fn->builtin->doc;
}

static void write_first_sentence(StrBuf *out, const char *name, const char *doc)
{
    StrBuf lead = {0}, sentence = {0};
    strbuf_printf(&lead, "%*s%s", ENTRY_INDENT, "", name);
    const char *end = doc;
    while (*end && !(end[0] == '.' && strchr(" \n", end[1]))) end++;
    strbuf_bytes(&sentence, doc, (size_t)(end - doc) + (*end == '.'));
    write_wrapped(out, strbuf_str(&lead), NAME_COLUMN, strbuf_str(&sentence));
    strbuf_free(&lead);
    strbuf_free(&sentence);
}

static bool is_imported(const Module *m, const GlobalName *name, Value v)
{
    if (name->is_definition || v.kind != VAL_FN) return false;
    if (v.fn->variant == FN_STRUCT) return true;
    return v.fn->variant == FN_CLOSURE && v.fn->closure.module != m;
}

/* The functions and structs that a module passes on from files that it imports. */
static void write_imported(StrBuf *out, Module *m)
{
    StrBuf names = {0};
    strbuf_text(&names, "and from other files:");
    size_t none = names.len;
    for (int i = 0; i < m->globals.names.len; i++) {
        const GlobalName *name = &m->globals.names.item[i];
        const Value *v = module_find(m, name->name);
        if (v && is_imported(m, name, *v)) strbuf_printf(&names, " %s", name->name->text);
    }
    if (names.len > none) write_wrapped(out, "", ENTRY_INDENT, strbuf_str(&names));
    strbuf_free(&names);
}

/* The comment that a file begins with. */
static void write_head(StrBuf *out, const Module *m)
{
    if (!m->files.len) return;
    StrBuf head = {0};
    size_t len;
    const char *line = source_text(m->files.item[0]->span, &len), *end = line + len;
    while (line < end && line[0] == '#' && line[1] != '#') {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        line += strspn(line, "# ");
        if (line < stop) strbuf_bytes(&head, line, (size_t)(stop - line) + (stop < end));
        line = stop + (stop < end);
    }
    if (head.len) write_entry(out, strbuf_str(&head));
    strbuf_free(&head);
}

static void write_module(StrBuf *out, Module *m)
{
    strbuf_printf(out, "import %s\n", m->name);
    write_head(out, m);
    for (int i = 0; i < m->globals.names.len; i++) {
        const GlobalName *name = &m->globals.names.item[i];
        const Value *v = module_find(m, name->name);
        if (!v || v->kind == VAL_MODULE || !name->is_definition) continue;
        const char *doc = own_doc(*v) ? own_doc(*v) : name->doc;
        write_first_sentence(out, name->name->text, doc ? doc : "");
    }
    write_imported(out, m);
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
    write_entry(out, own_doc(v) ? own_doc(v) : doc);
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

/* A module of the standard library. */
static Module *library_module(Interp *in, const char *name)
{
    const Module *scratch = importing(in, name);
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
        Module *m = library_module(in, s->name);
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

/* With the module's name before it, if the wanted name has one too. */
static void offer_library(Suggest *near, Interp *in, const StdlibFile *s)
{
    bool dotted = strchr(near->wanted, '.') != NULL;
    Module *m = library_module(in, s->name);
    suggest_offer(near, s->name);
    for (int i = 0; m && i < m->globals.names.len; i++) {
        const Symbol own = m->globals.names.item[i].name;
        const Value *v = dotted ? module_find(m, own) : library_definition(m, i);
        if (!v || v->kind == VAL_MODULE) continue;
        StrBuf name = {0};
        strbuf_printf(&name, "%s%s%s", dotted ? s->name : "", dotted ? "." : "", own->text);
        suggest_offer(near, symbol_of(strbuf_str(&name))->text);
        strbuf_free(&name);
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

void describe_unknown(StrBuf *out, Interp *in, const Module *session, const char *path)
{
    Suggest near = suggest_start(path);
    strbuf_printf(out, "there is nothing named %s", path);
    const char *advice = foreign_name(path);
    if (advice) {
        strbuf_printf(out, "; %s", advice);
        return;
    }
    for (const LanguageWord *w = language_words; w->text; w++) suggest_offer(&near, w->text);
    for (int i = 0; session && i < session->globals.names.len; i++)
        if (session->globals.names.item[i].is_assigned)
            suggest_offer(&near, session->globals.names.item[i].name->text);
    const char *name;
    for (int i = 0; (name = builtin_name(i)); i++) suggest_offer(&near, name);
    for (const StdlibFile *s = stdlib_files; s->name; s++) offer_library(&near, in, s);
    if (near.best) strbuf_printf(out, "; did you mean %s?", near.best);
}

void describe_topics(StrBuf *out)
{
    StrBuf names = {0};
    for (const LanguageWord *w = language_words; w->text; w++)
        strbuf_printf(&names, "%s%s", names.len ? " " : "", w->text);
    strbuf_text(out, "Words of the language\n");
    write_wrapped(out, "", 2, strbuf_str(&names));
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++) {
        names.len = 0;
        for (const Builtin *b = t->table; b->name; b++)
            strbuf_printf(&names, "%s%s", names.len ? " " : "", b->name);
        strbuf_printf(out, "%s\n", t->title);
        write_wrapped(out, "", 2, strbuf_str(&names));
    }
    names.len = 0;
    for (const StdlibFile *s = stdlib_files; s->name; s++)
        strbuf_printf(&names, "%s%s", names.len ? " " : "", s->name);
    strbuf_text(out, "modules to import\n");
    write_wrapped(out, "", 2, strbuf_str(&names));
    strbuf_free(&names);
}

/* Files as modules: their names and values, and running them. */
#include <string.h>

#include "base/interrupt.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/fuse.h"
#include "eval/import.h"
#include "eval/module.h"
#include "eval/profile.h"
#include "eval/statement.h"
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
    mem_free(m->imported);
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
    return module_link(in, m, file) ? file : NULL;
}

/* What came during a statement that was done too soon to notice it. */
static bool not_interrupted(Interp *in, const Ast *s)
{
    return interrupt_poll(&in->err) || fail_at(in, s);
}

static bool run_statements(Interp *in, Frame *f, const SyntaxFile *file, Value *value)
{
    const AstList *list = &file->body->list;
    for (int i = 0; i < list->len; i++) {
        const Ast *s = list->item[i];
        bool is_value = value && i == list->len - 1 && s->kind == AST_EXPRESSION;
        bool ok = is_value ? eval(in, f, s->unary.operand, value) : exec(in, f, s) != FLOW_ERROR;
        if (ok && not_interrupted(in, s)) continue;
        if (ok && is_value) value_clear(value);
        return false;
    }
    return true;
}

bool module_run_file(Interp *in, Module *m, const SyntaxFile *file, const char *frame_name,
                     Value *value)
{
    Value *slot = mem_calloc(file->n_slots, sizeof *slot);
    Frame f = {.slot = slot, .module = m, .plan = m->plan, .name = frame_name};
    ProfileCall outside = {0};
    if (in->profile) outside = profile_enter(in->profile, file->body->span.start, frame_name);
    bool ok = run_statements(in, &f, file, value);
    if (in->profile) profile_leave(in->profile, outside);
    release_values(slot, (int)file->n_slots);
    mem_free(slot);
    return ok;
}

bool module_run(Interp *in, Module *m)
{
    if (m->state == MODULE_LOADED) return true;
    if (!module_run_file(in, m, m->files.item[0], "the file", NULL)) return false;
    m->state = MODULE_LOADED;
    return true;
}

void module_drop_unrun(Interp *in)
{
    for (int i = 0; i < in->modules.len; i++)
        if (in->modules.item[i]->state != MODULE_LOADED) in->modules.item[i]->state = MODULE_STALE;
}

/* Takes what was opened, or NULL. */
static Module *loaded(Interp *in, Module *m)
{
    if (m && module_run(in, m)) return m;
    module_drop_unrun(in);
    return NULL;
}

Module *module_load_file(Interp *in, const char *path)
{
    return loaded(in, module_open_file(in, path));
}

Module *module_load_text(Interp *in, const char *name, const char *text, size_t len,
                         const char *folder)
{
    return loaded(in, module_open_text(in, name, text, len, folder));
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

void module_set(Module *m, uint32_t slot, Value v)
{
    Value old = m->value[slot];
    m->value[slot] = v;
    value_release(old);
}

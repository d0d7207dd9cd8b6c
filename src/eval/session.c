/* Sessions: a module that runs one input after the other, as the REPL does. */
#include "eval/module.h"

Module *module_new_session(Interp *in, const char *folder)
{
    char *path = module_path_in(folder, "<repl>");
    Module *m = module_new(in, path);
    mem_free(path);
    m->state = MODULE_LOADED;
    return m;
}

/* ---- what a failing input must not change ---- */

typedef struct {
    GlobalSnapshot names;
    Value *value;
    int n_values;
    RandomState random;
} Before;

static Before remember(const Interp *in, const Module *m)
{
    Before b = {global_snapshot(&m->globals), NULL, m->cap, in->random};
    b.value = mem_alloc((size_t)b.n_values * sizeof *b.value);
    for (int i = 0; i < b.n_values; i++) b.value[i] = value_retain(m->value[i]);
    return b;
}

static void go_back(Interp *in, Module *m, const Before *b)
{
    for (int i = 0; i < m->cap; i++) {
        Value old = i < b->n_values ? value_retain(b->value[i]) : (Value){0};
        value_release(m->value[i]);
        m->value[i] = old;
    }
    global_restore(&m->globals, &b->names);
    in->random = b->random;
    while (in->ad.depth) ad_close(&in->ad);
}

static void forget(Before *b)
{
    for (int i = 0; i < b->n_values; i++) value_release(b->value[i]);
    mem_free(b->value);
    global_snapshot_free(&b->names);
}

/* ---- running ---- */

/* The session's path tells where imports are looked for: for one input it may be another folder. */
static char *enter_folder(Module *m, const char *folder)
{
    char *own = m->path;
    if (folder) m->path = module_path_in(folder, "<repl>");
    return own;
}

static void leave_folder(Module *m, char *own)
{
    if (m->path != own) mem_free(m->path);
    m->path = own;
}

bool module_run_input(Interp *in, Module *m, const ModuleText *input, Value *value)
{
    *value = (Value){0};
    Before before = remember(in, m);
    char *own = enter_folder(m, input->folder);
    SyntaxFile *file = module_parse(in, m, input, true);
    bool ok = file && module_run_file(in, m, file, "the input", value);
    leave_folder(m, own);
    if (!ok) {
        module_drop_unrun(in);
        go_back(in, m, &before);
    }
    forget(&before);
    return ok;
}

void module_assign(Module *m, Symbol name, Value value)
{
    uint32_t slot = global_assign(&m->globals, name);
    module_grow_values(m);
    module_set(m, slot, value);
}

/* ---- reading imported files again ---- */

static bool is_embedded(const Module *m)
{
    return m->path[0] == '<';
}

bool module_reload_imports(Interp *in, Module *m)
{
    for (int i = 0; i < in->modules.len; i++) {
        Module *other = in->modules.item[i];
        if (other != m && !is_embedded(other)) other->state = MODULE_STALE;
    }
    for (int i = 0; i < m->globals.names.len; i++) {
        if (m->value[i].kind != VAL_MODULE || is_embedded(m->value[i].module)) continue;
        Module *again = module_load_file(in, m->value[i].module->path);
        if (!again) return false;
        again->head.refs++;
        module_set(m, (uint32_t)i, (Value){.kind = VAL_MODULE, .module = again});
    }
    return true;
}

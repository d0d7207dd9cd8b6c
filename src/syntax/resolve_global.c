#include <string.h>

#include "syntax/resolver.h"

int global_find(const GlobalTable *globals, Symbol name)
{
    return symbol_map_get(&globals->slots, name);
}

void global_table_free(GlobalTable *globals)
{
    VEC_FREE(&globals->names);
    symbol_map_free(&globals->slots);
}

GlobalSnapshot global_snapshot(const GlobalTable *globals)
{
    GlobalSnapshot s = {mem_alloc((size_t)globals->names.len * sizeof *s.name), globals->names.len};
    if (s.len) memcpy(s.name, globals->names.item, (size_t)s.len * sizeof *s.name);
    return s;
}

void global_restore(GlobalTable *globals, const GlobalSnapshot *snapshot)
{
    int len = snapshot->len;
    if (len) memcpy(globals->names.item, snapshot->name, (size_t)len * sizeof *snapshot->name);
    globals->names.len = len;
    symbol_map_free(&globals->slots);
    for (int i = 0; i < len; i++) symbol_map_put(&globals->slots, snapshot->name[i].name, i);
}

void global_snapshot_free(GlobalSnapshot *snapshot)
{
    mem_free(snapshot->name);
    *snapshot = (GlobalSnapshot){0};
}

static uint32_t global_add(GlobalTable *globals, GlobalName global)
{
    int slot = globals->names.len;
    VEC_PUSH(&globals->names, global);
    symbol_map_put(&globals->slots, global.name, slot);
    return (uint32_t)slot;
}

bool module_path_is_private(const char *path)
{
    const char *last = strrchr(path, '.');
    return (last ? last[1] : path[0]) == '_';
}

uint32_t global_assign(GlobalTable *globals, Symbol name)
{
    int slot = global_find(globals, name);
    GlobalName global = {.name = name, .is_assigned = true};
    if (slot < 0) return global_add(globals, global);
    globals->names.item[slot] = global;
    return (uint32_t)slot;
}

uint32_t global_declare(Resolver *r, GlobalName global)
{
    GlobalTable *globals = r->context->globals;
    int slot = global_find(globals, global.name);
    if (slot < 0) return global_add(globals, global);
    GlobalName *known = &globals->names.item[slot];
    if (r->context->is_repl || !known->is_assigned) {
        *known = global;
    } else {
        known->is_definition |= global.is_definition;
        known->is_rebound = true;
        if (!known->doc) known->doc = global.doc;
    }
    return (uint32_t)slot;
}

int global_bound(const Resolver *r, Symbol name)
{
    int slot = global_find(r->context->globals, name);
    if (slot < 0 || r->context->globals->names.item[slot].is_assigned) return slot;
    /* Only named so far, by a function: other functions may name it too. */
    return r->scope->kind == SCOPE_FUNCTION ? slot : -1;
}

const char *global_doc(const Resolver *r, Span statement)
{
    const SyntaxFile *file = r->file;
    int low = 0, high = file->n_docs;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (file->doc[middle].position < statement.start)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < file->n_docs && file->doc[low].position == statement.start;
    return found ? file->doc[low].text : NULL;
}

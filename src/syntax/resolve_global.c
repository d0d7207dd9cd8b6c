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

uint32_t global_declare(Resolver *r, GlobalName global)
{
    GlobalTable *globals = r->context->globals;
    int slot = global_find(globals, global.name);
    if (slot < 0) {
        slot = globals->names.len;
        VEC_PUSH(&globals->names, global);
        symbol_map_put(&globals->slots, global.name, slot);
        return (uint32_t)slot;
    }
    GlobalName *known = &globals->names.item[slot];
    if (r->context->is_repl || !known->is_assigned) {
        *known = global;
    } else {
        known->is_definition |= global.is_definition;
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

#include "cli/check/lint_program.h"

#include "base/mem.h"

struct DefinitionTable {
    const Module *of;
    Definition item[]; /* by global */
};

static void find_definition(LintProgram *p, Module *m, const Ast *s, Definition *item)
{
    if (s->kind == AST_DEF) item[s->function->target_slot] = (Definition){s, m};
    if (s->kind == AST_STRUCT) item[s->structure->target_slot] = (Definition){s, m};
    if (s->kind != AST_FROM_IMPORT || !s->import->module) return;
    Module *from = s->import->module;
    for (int i = 0; i < s->import->n_items; i++) {
        int slot = global_find(&from->globals, s->import->item[i].name);
        if (slot >= 0) item[s->import->item[i].slot] = definition_of_global(p, from, slot);
    }
}

static DefinitionTable *table_of(LintProgram *p, Module *m)
{
    for (int i = 0; i < p->tables.len; i++)
        if (p->tables.item[i]->of == m) return p->tables.item[i];
    size_t n = (size_t)m->globals.names.len;
    DefinitionTable *t = mem_calloc(1, sizeof *t + n * sizeof *t->item);
    t->of = m;
    VEC_PUSH(&p->tables, t);
    const AstList *list = &m->files.item[0]->body->list;
    for (int i = 0; i < list->len; i++) find_definition(p, m, list->item[i], t->item);
    return t;
}

Definition definition_of_global(LintProgram *p, Module *m, int slot)
{
    if (m->globals.names.item[slot].is_rebound) return (Definition){0};
    return table_of(p, m)->item[slot];
}

void lint_program_free(LintProgram *p)
{
    for (int i = 0; i < p->tables.len; i++) mem_free(p->tables.item[i]);
    VEC_FREE(&p->tables);
}

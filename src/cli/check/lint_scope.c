/* Variables: what binds them, and what is known of them. */
#include "base/mem.h"
#include "cli/check/lint_walk.h"

void scope_open(Lint *l, LintScope *s, uint32_t n, const Symbol *name)
{
    *s = (LintScope){.n = n, .name = name, .outer = l->scope};
    s->variable = mem_calloc(n, sizeof *s->variable);
    for (uint32_t i = 0; i < n; i++) s->variable[i].kinds = KINDS_ANY;
    l->scope = s;
}

static void take_back(Lint *l, const Variable *v)
{
    for (int i = 0; i < v->n_findings; i++) {
        Error *found = &l->findings->item[v->first_finding + i];
        if (!found->is_warning) error_clear(found);
    }
}

void variables_settle(Lint *l, const Variable *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i].is_read && !v[i].is_used) take_back(l, &v[i]);
}

void scope_close(Lint *l)
{
    LintScope *s = l->scope;
    variables_settle(l, s->variable, s->n);
    for (uint32_t i = 0; i < s->n && s->name; i++) {
        const Variable *v = &s->variable[i];
        if (!v->is_read && span_is_set(v->assigned) && s->name[i] && s->name[i]->text[0] != '_')
            lint_warn(l, v->assigned, "%s is assigned and never read", s->name[i]->text);
    }
    mem_free(s->variable);
    l->scope = s->outer;
}

Variable *variable_of(Lint *l, const NameRef *name)
{
    if (name->scope == SCOPE_GLOBAL) return &l->global[name->slot];
    return name->scope == SCOPE_LOCAL ? &l->scope->variable[name->slot] : NULL;
}

void variable_read(Lint *l, Variable *v)
{
    v->is_read = true;
    v->is_used |= !l->expects_error;
}

const Ast *shown_items(Lint *l, const Ast *e)
{
    const Variable *v = e && e->kind == AST_NAME ? variable_of(l, &e->name) : NULL;
    if (v && v->bindings <= 1) e = v->value;
    return e && (e->kind == AST_TUPLE || e->kind == AST_ARRAY) ? e : NULL;
}

void variable_bind(Lint *l, const NameRef *name, Kinds kinds)
{
    Variable *v = variable_of(l, name);
    if (v->bindings <= 1) v->kinds = kinds;
}

/* ---- counting ---- */

static void count(Variable *v)
{
    if (v->bindings < 2) v->bindings++;
}

static void count_target(Lint *l, const Ast *target)
{
    if (target->kind == AST_NAME) count(variable_of(l, &target->name));
    if (target->kind != AST_TUPLE) return;
    for (int i = 0; i < target->list.len; i++) count_target(l, target->list.item[i]);
}

static void count_imports(Lint *l, const Ast *s)
{
    if (s->kind == AST_IMPORT) count(&l->global[s->import->slot]);
    for (int i = 0; i < s->import->n_items; i++) count(&l->global[s->import->item[i].slot]);
}

static void count_def(Lint *l, const FunctionDecl *f)
{
    NameRef name = {f->name, f->target_scope, f->target_slot};
    count(variable_of(l, &name));
}

static void count_branches(Lint *l, const Ast *s)
{
    for (; s && s->kind == AST_IF; s = s->branch.otherwise) count_bindings(l, s->branch.then);
    if (s) count_bindings(l, s);
}

static void count_statement(Lint *l, const Ast *s)
{
    switch (s->kind) {
    case AST_ASSIGN:
    case AST_AUGMENT: count_target(l, s->assign.target); break;
    case AST_DEF: count_def(l, s->function); break;
    case AST_STRUCT: count(&l->global[s->structure->target_slot]); break;
    case AST_IMPORT:
    case AST_FROM_IMPORT: count_imports(l, s); break;
    case AST_FOR:
        count_target(l, s->loop.head.target);
        count_bindings(l, s->loop.body);
        break;
    case AST_WHILE: count_bindings(l, s->branch.then); break;
    case AST_IF: count_branches(l, s); break;
    case AST_BLOCK: count_bindings(l, s); break;
    default: break;
    }
}

void count_bindings(Lint *l, const Ast *block)
{
    for (int i = 0; i < block->list.len; i++) count_statement(l, block->list.item[i]);
}

#include "cli/check/lint.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/check/lint_walk.h"
#include "eval/builtin.h"

/* ---- findings ---- */

Error *lint_add(Lint *l, bool is_warning, Span span, const char *format, ...)
{
    StrBuf text = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&text, format, args);
    va_end(args);
    Error e = {
        .kind = ERR_NAME, .span = span, .is_warning = is_warning, .message = strbuf_take(&text)};
    VEC_PUSH(l->findings, e);
    return &l->findings->item[l->findings->len - 1];
}

void lint_free(LintFindings *findings)
{
    for (int i = 0; i < findings->len; i++) error_clear(&findings->item[i]);
    VEC_FREE(findings);
}

/* ---- scopes ---- */

static void scope_open(Lint *l, LintScope *s, uint32_t n, const Symbol *name)
{
    *s = (LintScope){.n = n, .name = name, .outer = l->scope};
    s->is_read = mem_calloc(n, sizeof *s->is_read);
    s->assigned = mem_calloc(n, sizeof *s->assigned);
    l->scope = s;
}

static void scope_close(Lint *l)
{
    LintScope *s = l->scope;
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->is_read[i] && span_is_set(s->assigned[i]) && s->name[i] &&
            s->name[i]->text[0] != '_')
            lint_add(l, true, s->assigned[i], "%s is assigned and never read", s->name[i]->text);
    mem_free(s->is_read);
    mem_free(s->assigned);
    l->scope = s->outer;
}

static void warn_shadow(Lint *l, Symbol name, Span span)
{
    if (name && builtin_index(name) >= 0)
        lint_add(l, true, span, "%s hides the builtin of this name", name->text);
}

static void mark_read(Lint *l, const NameRef *name)
{
    if (name->scope == SCOPE_LOCAL && name->slot < l->scope->n)
        l->scope->is_read[name->slot] = true;
    if (name->scope == SCOPE_GLOBAL) l->global_is_read[name->slot] = true;
}

/* ---- expressions ---- */

static void walk(Lint *l, const Ast *e);
static void walk_block(Lint *l, const Ast *block);

static void walk_list(Lint *l, const AstList *list)
{
    for (int i = 0; i < list->len; i++) walk(l, list->item[i]);
}

static void walk_annotation(Lint *l, const Annotation *a)
{
    for (int i = 0; a && i < a->len; i++)
        if (a->item[i].builtin == TYPE_STRUCT) mark_read(l, &a->item[i].type);
}

static void walk_function(Lint *l, const FunctionDecl *f)
{
    LintScope scope;
    for (int i = 0; i < f->n_captures; i++)
        if (f->capture[i].outer_slot < l->scope->n)
            l->scope->is_read[f->capture[i].outer_slot] = true;
    scope_open(l, &scope, f->n_slots, f->slot_name);
    for (int i = 0; i < f->n_params; i++) {
        warn_shadow(l, f->param[i].name, f->param[i].span);
        walk_annotation(l, f->param[i].type);
        walk(l, f->param[i].default_value);
    }
    walk_annotation(l, f->result);
    bool outer = l->in_function;
    l->in_function = true;
    if (f->body->kind == AST_BLOCK)
        walk_block(l, f->body);
    else
        walk(l, f->body);
    l->in_function = outer;
    scope_close(l);
}

static void walk_target(Lint *l, const Ast *target, bool is_plain)
{
    if (target->kind == AST_NAME) {
        if (is_plain && target->name.scope == SCOPE_LOCAL && target->name.slot < l->scope->n)
            l->scope->assigned[target->name.slot] = target->span;
        if (is_plain) warn_shadow(l, target->name.name, target->span);
    } else if (target->kind == AST_TUPLE) {
        for (int i = 0; i < target->list.len; i++) walk_target(l, target->list.item[i], false);
    } else {
        walk(l, target);
    }
}

static void walk_head(Lint *l, const LoopHead *head)
{
    walk(l, head->from);
    walk(l, head->to);
    walk(l, head->by);
    walk(l, head->each);
    walk_target(l, head->target, false);
}

static void walk_call(Lint *l, const Ast *e)
{
    for (int i = 0; i < e->call.n_args; i++) walk(l, e->call.arg[i].value);
    lint_call(l, e);
}

static void walk_map(Lint *l, const Ast *e)
{
    for (int i = 0; i < e->map.len; i++) {
        walk(l, e->map.key[i]);
        walk(l, e->map.value[i]);
    }
}

static void walk_fstring(Lint *l, const Ast *e)
{
    for (int i = 0; i < e->fstring.len; i++) walk(l, e->fstring.item[i].value);
}

static void walk_comprehension(Lint *l, const Ast *e)
{
    walk_head(l, &e->comprehension.head);
    walk(l, e->comprehension.filter);
    walk(l, e->comprehension.element);
}

/* What lies to the left is followed in a loop: chains there have no limit. */
static void walk(Lint *l, const Ast *e)
{
    while (e) {
        switch (e->kind) {
        case AST_NAME: mark_read(l, &e->name); return;
        case AST_FSTRING: walk_fstring(l, e); return;
        case AST_ARRAY:
        case AST_TUPLE: walk_list(l, &e->list); return;
        case AST_MAP: walk_map(l, e); return;
        case AST_UNARY: e = e->unary.operand; break;
        case AST_BINARY:
        case AST_AND:
        case AST_OR:
            walk(l, e->binary.right);
            e = e->binary.left;
            break;
        case AST_CHOICE:
            walk(l, e->choice.cond);
            walk(l, e->choice.then);
            e = e->choice.otherwise;
            break;
        case AST_CALL:
            walk_call(l, e);
            e = e->call.callee;
            break;
        case AST_INDEX:
            walk_list(l, &e->index.items);
            e = e->index.target;
            break;
        case AST_SLICE:
            walk(l, e->slice.start);
            walk(l, e->slice.stop);
            e = e->slice.step;
            break;
        case AST_FIELD: e = e->field.target; break;
        case AST_COMPREHENSION: walk_comprehension(l, e); return;
        case AST_LAMBDA: walk_function(l, e->function); return;
        default: return;
        }
    }
}

/* ---- statements ---- */

static void walk_test(Lint *l, const TestDecl *t)
{
    LintScope scope;
    scope_open(l, &scope, t->n_slots, t->slot_name);
    l->in_test = true;
    walk_block(l, t->body);
    l->in_test = false;
    scope_close(l);
}

static void walk_struct(Lint *l, const StructDecl *s)
{
    LintScope scope;
    scope_open(l, &scope, s->n_slots, NULL);
    for (int i = 0; i < s->n_fields; i++) {
        walk_annotation(l, s->field[i].type);
        walk(l, s->field[i].default_value);
    }
    l->scope->n = 0;
    scope_close(l);
}

static void walk_if(Lint *l, const Ast *s)
{
    for (; s && s->kind == AST_IF; s = s->branch.otherwise) {
        walk(l, s->branch.cond);
        walk_block(l, s->branch.then);
    }
    if (s) walk_block(l, s);
}

static void walk_statement(Lint *l, const Ast *s)
{
    switch (s->kind) {
    case AST_EXPRESSION:
    case AST_RETURN: walk(l, s->unary.operand); break;
    case AST_ASSIGN:
        walk(l, s->assign.value);
        walk_target(l, s->assign.target, true);
        break;
    case AST_AUGMENT:
        walk(l, s->assign.value);
        walk_target(l, s->assign.target, false);
        break;
    case AST_DEF:
        warn_shadow(l, s->function->name, s->function->name_span);
        walk_function(l, s->function);
        break;
    case AST_ADJOINT: walk_function(l, s->function); break;
    case AST_STRUCT: walk_struct(l, s->structure); break;
    case AST_TEST: walk_test(l, s->test); break;
    case AST_FOR:
        walk_head(l, &s->loop.head);
        walk_block(l, s->loop.body);
        break;
    case AST_WHILE:
        walk(l, s->branch.cond);
        walk_block(l, s->branch.then);
        break;
    case AST_IF: walk_if(l, s); break;
    case AST_BLOCK: walk_block(l, s); break;
    default: break;
    }
}

/* Whether a value is computed for nothing: no call in its place could do anything. */
static bool is_idle(const Ast *e)
{
    switch (e->kind) {
    case AST_NONE:
    case AST_BOOL:
    case AST_INT:
    case AST_FLOAT:
    case AST_STR:
    case AST_FSTRING:
    case AST_NAME:
    case AST_ARRAY:
    case AST_TUPLE:
    case AST_MAP:
    case AST_UNARY:
    case AST_BINARY:
    case AST_INDEX:
    case AST_FIELD:
    case AST_LAMBDA: return true;
    default: return false;
    }
}

static void warn_idle(Lint *l, const Ast *e, bool is_last)
{
    if (!is_idle(e)) return;
    Error *found = lint_add(l, true, e->span, "this value is not used");
    if (e->kind == AST_STR)
        error_hint(found, "a comment begins with #");
    else if (is_last && l->in_function)
        error_hint(found, "write return before it");
    else if (l->in_test)
        error_hint(found, "assert(…), assert_eq(a, b) and assert_close(a, b) hold what should be");
    else
        error_hint(found, "print(x) shows a value, x = … keeps it");
}

static void walk_block(Lint *l, const Ast *block)
{
    bool ended = false;
    for (int i = 0; i < block->list.len; i++) {
        const Ast *s = block->list.item[i];
        if (ended) {
            lint_add(l, true, s->span, "this can't be reached");
            ended = false;
        }
        if (s->kind == AST_EXPRESSION) warn_idle(l, s->unary.operand, i + 1 == block->list.len);
        walk_statement(l, s);
        ended |= (s->kind == AST_RETURN || s->kind == AST_BREAK || s->kind == AST_CONTINUE) &&
                 i + 1 < block->list.len;
    }
}

/* ---- the file ---- */

/* A global that one def or struct defines and nothing else assigns is known for what it is. */
static void find_definitions(Lint *l, const Ast *body)
{
    for (int i = 0; i < body->list.len; i++) {
        const Ast *s = body->list.item[i];
        if (s->kind == AST_DEF) l->definition[s->function->target_slot] = s;
        if (s->kind == AST_STRUCT) l->definition[s->structure->target_slot] = s;
    }
    for (int i = 0; i < body->list.len; i++) {
        const Ast *s = body->list.item[i];
        if (s->kind == AST_ASSIGN && s->assign.target->kind == AST_NAME &&
            s->assign.target->name.scope == SCOPE_GLOBAL)
            l->definition[s->assign.target->name.slot] = NULL;
    }
}

static void warn_unused_imports(Lint *l, const Ast *body)
{
    for (int i = 0; i < body->list.len; i++) {
        const Ast *s = body->list.item[i];
        if (s->kind == AST_IMPORT && !l->global_is_read[s->import->slot])
            lint_add(l, true, s->span, "%s is imported and never used", s->import->as->text);
        for (int k = 0; s->kind == AST_FROM_IMPORT && k < s->import->n_items; k++) {
            const ImportedName *item = &s->import->item[k];
            if (!l->global_is_read[item->slot])
                lint_add(l, true, item->span, "%s is imported and never used", item->as->text);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = ((const Error *)a)->span.start, y = ((const Error *)b)->span.start;
    return (x > y) - (x < y);
}

void lint_file(const SyntaxFile *file, const GlobalTable *globals, LintFindings *findings)
{
    size_t n = (size_t)globals->names.len;
    Lint l = {.globals = globals, .findings = findings};
    LintScope top;
    l.global_is_read = mem_calloc(n, sizeof *l.global_is_read);
    l.definition = mem_calloc(n, sizeof *l.definition);
    find_definitions(&l, file->body);
    scope_open(&l, &top, file->n_slots, file->slot_name);
    walk_block(&l, file->body);
    scope_close(&l);
    warn_unused_imports(&l, file->body);
    mem_free(l.global_is_read);
    mem_free(l.definition);
    if (findings->len)
        qsort(findings->item, (size_t)findings->len, sizeof *findings->item, by_place);
}

/* Statements, and the whole of a file. */
#include "cli/check/lint.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/check/lint_walk.h"
#include "eval/assign.h"

/* ---- findings ---- */

Error *lint_warn(Lint *l, Span span, const char *format, ...)
{
    StrBuf text = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&text, format, args);
    va_end(args);
    Error e = {.kind = ERR_NAME, .span = span, .is_warning = true, .message = strbuf_take(&text)};
    VEC_PUSH(l->findings, e);
    return &l->findings->item[l->findings->len - 1];
}

void lint_take_error(Lint *l, Span span)
{
    Error *err = &l->in->err;
    error_locate(err, span);
    if (!l->expects_error && error_is_set(err)) {
        VEC_PUSH(l->findings, *err);
        *err = (Error){0};
    }
    error_clear(err);
}

void lint_warn_shadow(Lint *l, Symbol name, Span span)
{
    if (name && builtin_index(name) >= 0)
        lint_warn(l, span, "%s hides the builtin of this name", name->text);
}

/* ---- assignment ---- */

void lint_annotation(Lint *l, const Annotation *a)
{
    for (int i = 0; a && i < a->len; i++)
        if (a->item[i].builtin == TYPE_STRUCT) variable_of(l, &a->item[i].type)->is_read = true;
}

/* A tuple of as many values as the text shows, or a sample. */
static void check_unpacked(Lint *l, const Ast *target, const Ast *value, Kinds kinds)
{
    enum { UNPACKED = 1u << VAL_ARR | 1u << VAL_TUPLE, FEW = 16 };
    const Ast *shown = shown_items(l, value);
    int n = target->list.len;
    if (n > FEW ||
        (shown ? shown->list.len == n : (kinds & UNPACKED) || (kinds & KIND(VAL_STRUCT))))
        return;
    Value v = shown ? value_tuple(tuple_new(shown->list.len)) : sample_value(l, kinds);
    Ast name[FEW], *item[FEW], tried = {.kind = AST_TUPLE, .span = target->span};
    Value slot[FEW] = {0};
    Frame f = {.slot = slot, .module = l->m, .plan = l->m->plan};
    for (int i = 0; i < n; i++) {
        name[i] = try_operand(target->list.item[i], (uint32_t)i);
        item[i] = &name[i];
    }
    tried.list = (AstList){item, n};
    if (!assign_take(l->in, &f, &tried, v)) lint_take_error(l, target->span);
    release_values(slot, n);
}

static void lint_unpack(Lint *l, const Ast *target, const Ast *value, Kinds kinds)
{
    check_unpacked(l, target, value, kinds);
    bool shows = value && value->kind == AST_TUPLE && value->list.len == target->list.len;
    for (int i = 0; i < target->list.len; i++)
        lint_target(l, target->list.item[i], shows ? value->list.item[i] : NULL, KINDS_ANY);
}

void lint_target(Lint *l, const Ast *target, const Ast *value, Kinds kinds)
{
    if (target->kind == AST_NAME) {
        variable_bind(l, &target->name, kinds);
        variable_of(l, &target->name)->value = value;
    } else if (target->kind == AST_TUPLE)
        lint_unpack(l, target, value, kinds);
    else
        lint_expression(l, target);
}

static void lint_assign(Lint *l, const Ast *s)
{
    const Ast *target = s->assign.target;
    Kinds kinds = lint_expression(l, s->assign.value);
    if (target->kind == AST_NAME) {
        if (target->name.scope == SCOPE_LOCAL)
            variable_of(l, &target->name)->assigned = target->span;
        lint_warn_shadow(l, target->name.name, target->span);
    }
    lint_target(l, target, s->assign.value, kinds);
}

static void lint_augment(Lint *l, const Ast *s)
{
    lint_expression(l, s->assign.value);
    if (s->assign.target->kind != AST_NAME) lint_expression(l, s->assign.target);
}

/* ---- definitions ---- */

static void lint_def(Lint *l, const Ast *s)
{
    const FunctionDecl *f = s->function;
    NameRef name = {f->name, f->target_scope, f->target_slot};
    Variable *v = variable_of(l, &name);
    lint_warn_shadow(l, f->name, f->name_span);
    variable_bind(l, &name, KIND(VAL_FN));
    if (v->bindings <= 1) v->definition = s;
    int first = l->findings->len;
    lint_function(l, f, false);
    v->first_finding = first;
    v->n_findings = l->findings->len - first;
}

static void lint_test(Lint *l, const TestDecl *t)
{
    LintScope scope;
    scope_open(l, &scope, t->n_slots, t->slot_name);
    count_bindings(l, t->body);
    l->in_test = true;
    lint_block(l, t->body);
    l->in_test = false;
    scope_close(l);
}

static void lint_struct(Lint *l, const StructDecl *s)
{
    LintScope scope;
    scope_open(l, &scope, s->n_slots, NULL);
    lint_params(l, s->name->text, s->field, s->n_fields, (uint32_t)(s->n_fields + s->n_size_names));
    scope_close(l);
    l->global[s->target_slot].kinds = KIND(VAL_FN);
}

static void lint_import(Lint *l, const Ast *s)
{
    if (s->kind == AST_IMPORT) l->global[s->import->slot].kinds = KIND(VAL_MODULE);
    for (int i = 0; i < s->import->n_items; i++) {
        int slot = (int)s->import->item[i].slot;
        bool is_known = definition_of_global(l->program, l->m, slot).node != NULL;
        l->global[slot].kinds = is_known ? KIND(VAL_FN) : KINDS_ANY;
    }
}

/* ---- statements ---- */

static void lint_if(Lint *l, const Ast *s)
{
    for (; s && s->kind == AST_IF; s = s->branch.otherwise) {
        lint_condition(l, s->branch.cond);
        lint_block(l, s->branch.then);
    }
    if (s) lint_block(l, s);
}

static void lint_return(Lint *l, const Ast *s)
{
    l->scope->returns = true;
    lint_result(l, s->unary.operand, lint_expression(l, s->unary.operand));
}

static void lint_statement(Lint *l, const Ast *s)
{
    switch (s->kind) {
    case AST_EXPRESSION: lint_expression(l, s->unary.operand); break;
    case AST_RETURN: lint_return(l, s); break;
    case AST_ASSIGN: lint_assign(l, s); break;
    case AST_AUGMENT: lint_augment(l, s); break;
    case AST_DEF: lint_def(l, s); break;
    case AST_ADJOINT: lint_function(l, s->function, true); break;
    case AST_STRUCT: lint_struct(l, s->structure); break;
    case AST_TEST: lint_test(l, s->test); break;
    case AST_IMPORT:
    case AST_FROM_IMPORT: lint_import(l, s); break;
    case AST_FOR:
        lint_head(l, &s->loop.head);
        lint_block(l, s->loop.body);
        break;
    case AST_WHILE:
        lint_condition(l, s->branch.cond);
        lint_block(l, s->branch.then);
        break;
    case AST_IF: lint_if(l, s); break;
    case AST_BLOCK: lint_block(l, s); break;
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
    Error *found = lint_warn(l, e->span, "this value is not used");
    if (e->kind == AST_STR)
        error_hint(found, "a comment begins with #");
    else if (is_last && l->in_function)
        error_hint(found, "write return before it");
    else if (l->in_test)
        error_hint(found, "assert(…), assert_eq(a, b) and assert_close(a, b) hold what should be");
    else
        error_hint(found, "print(x) shows a value, x = … keeps it");
}

void lint_block(Lint *l, const Ast *block)
{
    bool ended = false;
    for (int i = 0; i < block->list.len; i++) {
        const Ast *s = block->list.item[i];
        if (ended) {
            lint_warn(l, s->span, "this can't be reached");
            ended = false;
        }
        if (s->kind == AST_EXPRESSION) warn_idle(l, s->unary.operand, i + 1 == block->list.len);
        lint_statement(l, s);
        ended |= (s->kind == AST_RETURN || s->kind == AST_BREAK || s->kind == AST_CONTINUE) &&
                 i + 1 < block->list.len;
    }
}

/* ---- the file ---- */

/* A file of nothing but from … import and tests is there to pass names on. */
static bool only_gathers(const Ast *body)
{
    for (int i = 0; i < body->list.len; i++) {
        int kind = body->list.item[i]->kind;
        if (kind != AST_FROM_IMPORT && kind != AST_TEST) return false;
    }
    return true;
}

static void warn_unused_imports(Lint *l, const Ast *body)
{
    if (only_gathers(body)) return;
    for (int i = 0; i < body->list.len; i++) {
        const Ast *s = body->list.item[i];
        if (s->kind == AST_IMPORT && s->import->module && !l->global[s->import->slot].is_read)
            lint_warn(l, s->span, "%s is imported and never used", s->import->as->text);
        for (int k = 0; s->kind == AST_FROM_IMPORT && k < s->import->n_items; k++) {
            const ImportedName *item = &s->import->item[k];
            bool exists = s->import->module && module_offers(s->import->module, item->name);
            if (exists && !l->global[item->slot].is_read)
                lint_warn(l, item->span, "%s is imported and never used", item->as->text);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = ((const Error *)a)->span.start, y = ((const Error *)b)->span.start;
    return (x > y) - (x < y);
}

/* What was taken back. */
static void drop_cleared(ErrorList *findings)
{
    int n = 0;
    for (int i = 0; i < findings->len; i++)
        if (error_is_set(&findings->item[i])) findings->item[n++] = findings->item[i];
    findings->len = n;
}

void lint_module(LintProgram *p, Module *m, ErrorList *findings)
{
    const SyntaxFile *file = m->files.item[0];
    size_t n = (size_t)m->globals.names.len;
    Lint l = {.program = p, .in = p->in, .m = m, .findings = findings};
    LintScope top;
    l.global = mem_calloc(n, sizeof *l.global);
    for (size_t i = 0; i < n; i++) l.global[i].kinds = KINDS_ANY;
    scope_open(&l, &top, file->n_slots, file->slot_name);
    count_bindings(&l, file->body);
    lint_block(&l, file->body);
    scope_close(&l);
    variables_settle(&l, l.global, (uint32_t)n);
    warn_unused_imports(&l, file->body);
    drop_cleared(findings);
    mem_free(l.global);
    VEC_FREE(&l.chain);
    if (findings->len)
        qsort(findings->item, (size_t)findings->len, sizeof *findings->item, by_place);
}

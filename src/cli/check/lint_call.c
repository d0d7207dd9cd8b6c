/* Calls of functions that are known, and contracts: the evaluator's own checks, asked beforehand. */
#include <string.h>

#include "base/mem.h"
#include "cli/check/lint_walk.h"
#include "eval/adjoint.h"
#include "eval/signature.h"

/* ---- definitions ---- */

static Definition definition_of(Lint *l, const Ast *e)
{
    if (e->kind == AST_NAME && e->name.scope == SCOPE_GLOBAL)
        return definition_of_global(l->program, l->m, (int)e->name.slot);
    if (e->kind == AST_NAME && e->name.scope == SCOPE_LOCAL) {
        const Variable *v = variable_of(l, &e->name);
        return (Definition){v->bindings <= 1 ? v->definition : NULL, l->m};
    }
    const Ast *of = e->kind == AST_FIELD ? e->field.target : NULL;
    if (!of || of->kind != AST_NAME || of->name.scope != SCOPE_GLOBAL) return (Definition){0};
    Module *m = module_imported(l->m, (int)of->name.slot);
    int slot = m && module_offers(m, e->field.name) ? global_find(&m->globals, e->field.name) : -1;
    return slot < 0 ? (Definition){0} : definition_of_global(l->program, m, slot);
}

/* ---- contracts ---- */

/* The value that the text shows: a literal's, or zeros of its shape. */
static bool shown(Lint *l, const Ast *e, Value *out)
{
    if (!is_constant(e)) return shown_array(l, e, out);
    if (constant_value(l, e, out)) return true;
    error_clear(&l->in->err);
    return false;
}

void lint_contract(Lint *l, Frame *f, const Annotation *type, const Contract *c, Value *slot,
                   const Ast *e, Kinds kinds)
{
    Interp *in = l->in;
    bool is_shown = shown(l, e, slot);
    if (!is_shown && ((kinds & kinds_accepted(type)) || kinds == KIND(VAL_STRUCT))) return;
    if (!is_shown) *slot = sample_value(l, kinds);
    if (!contract_check(in, f, type, c, slot)) {
        if (!is_constant(e)) {
            error_drop_notes(&in->err);
            if (c->function) contract_note(in, c->function);
        }
        lint_take_error(l, e->span);
        value_clear(slot);
    }
    if (!is_shown) value_clear(slot);
}

static void lint_cotangents(Lint *l, const FunctionDecl *adjoint, const Ast *e, Kinds kinds)
{
    int n = adjoint->n_params - 1;
    const Ast *shown = shown_items(l, e);
    bool is_tuple = shown && shown->kind == AST_TUPLE;
    if (n == 1 ? e != NULL
               : (is_tuple ? shown->list.len == n : kinds & (KIND(VAL_TUPLE) | KIND(VAL_STRUCT))))
        return;
    StrBuf given = {0};
    Value v = sample_value(l, kinds);
    strbuf_text(&given, value_type_name(v));
    if (is_tuple) strbuf_printf(&given, " of %d", shown->list.len);
    adjoint_wrong_count(l->in, adjoint->name->text, n, strbuf_str(&given));
    value_release(v);
    strbuf_free(&given);
    lint_take_error(l, e ? e->span : adjoint->head_span);
}

void lint_result(Lint *l, const Ast *e, Kinds kinds)
{
    const FunctionDecl *f = l->scope->function;
    if (!e) kinds = KIND(VAL_NONE);
    if (f && l->scope->is_adjoint) lint_cotangents(l, f, e, kinds);
    if (!f || !f->result || l->scope->is_adjoint) return;
    Value *slot = mem_calloc(f->n_slots, sizeof *slot), v = {0};
    Frame frame = {.slot = slot, .module = l->m, .plan = l->m->plan};
    Contract c = {f->name ? f->name->text : "def", f->param, slot, f->n_params, -1, f};
    if (e) {
        lint_contract(l, &frame, f->result, &c, &v, e, kinds);
    } else {
        v = value_none();
        if (!contract_check(l->in, &frame, f->result, &c, &v)) lint_take_error(l, f->head_span);
    }
    value_release(v);
    mem_free(slot);
}

/* ---- binding ---- */

/* A call as the text has it, with none for every argument: what binds them to parameters looks at
 * their number and names only. */
typedef struct {
    Call call;
    Value few_values[8];
    Symbol few_names[8];
} TextCall;

static void text_call(TextCall *t, const Ast *e)
{
    enum { FEW = sizeof t->few_values / sizeof *t->few_values };
    int n = e->call.n_args;
    Value *v = n <= FEW ? t->few_values : mem_alloc((size_t)n * sizeof *v);
    Symbol *name = n <= FEW ? t->few_names : mem_alloc((size_t)n * sizeof *name);
    t->call = (Call){
        .value = v, .n = n, .n_positional = e->call.n_positional, .kw_name = name, .site = e};
    for (int i = 0; i < n; i++) v[i] = value_none();
    for (int i = e->call.n_positional; i < n; i++)
        name[i - e->call.n_positional] = e->call.arg[i].name;
}

static void text_call_free(TextCall *t)
{
    if (t->call.value == t->few_values) return;
    mem_free(t->call.value);
    mem_free((void *)(uintptr_t)t->call.kw_name);
}

/* ---- builtins ---- */

/* Whether a call only computes: nothing of it would be left behind. */
static bool only_computes(const Builtin *b)
{
    for (const BuiltinTopic *t = builtins_topics(); t->table; t++)
        for (const Builtin *other = t->table; t->is_pure && other->name; other++)
            if (other == b) return true;
    return false;
}

static bool attempt_builtin(Interp *in, Frame *f, const Ast *e)
{
    TextCall t;
    Value v;
    text_call(&t, e);
    for (int i = 0; i < e->call.n_args; i++) t.call.value[i] = value_retain(f->slot[i]);
    bool ok = call_builtin_take(in, builtin_at((int)e->call.callee->name.slot), &t.call, &v);
    if (ok) value_release(v);
    text_call_free(&t);
    return ok;
}

/* Where a call like this one is remembered. */
static TriedCall *tried_place(LintProgram *p, const TriedCall *t)
{
    uintptr_t hash = (uintptr_t)t->builtin / sizeof *t->builtin;
    for (int i = 0; i < t->n; i++) hash = hash * 31 + t->kinds[i];
    return &p->tried[hash % TRIED_CALLS];
}

static void lint_builtin_types(Lint *l, const Ast *e, const Kinds *arg)
{
    const Ast *operand[TRIED_ARGUMENTS];
    TriedCall call;
    int n = e->call.n_args;
    memset(&call, 0, sizeof call);
    call.builtin = builtin_at((int)e->call.callee->name.slot);
    call.n = n;
    if (n == 0 || n > TRIED_ARGUMENTS) return;
    for (int i = 0; i < n; i++) {
        if (arg[i] & (KIND(VAL_FN) | KIND(VAL_STRUCT))) return;
        operand[i] = e->call.arg[i].value;
        call.kinds[i] = arg[i];
        call.name[i] = e->call.arg[i].name;
    }
    TriedCall *place = tried_place(l->program, &call);
    if (memcmp(place, &call, sizeof call) == 0 || !only_computes(call.builtin)) return;
    int before = l->findings->len;
    try_kinds(l, attempt_builtin, e, operand, arg, n);
    if (l->findings->len == before && !l->expects_error) *place = call;
}

static Kinds lint_builtin(Lint *l, const Ast *e, const Kinds *arg)
{
    const Builtin *b = builtin_at((int)e->call.callee->name.slot);
    TextCall t;
    Args a;
    if (signature_of(b)->is_constant) return KINDS_ANY;
    text_call(&t, e);
    if (!builtin_bind(l->in, b, &t.call, &a))
        lint_take_error(l, e->span);
    else
        lint_builtin_types(l, e, arg);
    text_call_free(&t);
    return kinds_of_builtin(b->name);
}

/* ---- functions and structs ---- */

static const Ast *argument_of(const Ast *e, const Param *param, int i, int *at)
{
    for (*at = 0; *at < e->call.n_args; ++*at) {
        const Argument *a = &e->call.arg[*at];
        if (a->name ? a->name == param->name : *at == i) return a->value;
    }
    return NULL;
}

/* The annotations of the arguments that are given, in a frame for the sizes they name. */
static void lint_annotated(Lint *l, const Ast *e, const Callee *c, Module *home, uint32_t n_slots,
                           bool is_struct, const Kinds *arg)
{
    Value *slot = mem_calloc((size_t)n_slots + 1, sizeof *slot);
    Value *value = is_struct ? mem_calloc((size_t)c->n + 1, sizeof *value) : slot;
    Frame f = {.slot = slot, .module = home, .plan = home->plan, .name = c->name};
    for (int i = 0; i < c->n; i++) {
        int at;
        const Ast *given = c->param[i].type ? argument_of(e, &c->param[i], i, &at) : NULL;
        Contract contract = {c->name, c->param, value, c->n, i, NULL};
        if (given) lint_contract(l, &f, c->param[i].type, &contract, &value[i], given, arg[at]);
    }
    release_values(slot, (int)n_slots);
    mem_free(slot);
    if (!is_struct) return;
    release_values(value, c->n);
    mem_free(value);
}

static void lint_known(Lint *l, const Ast *e, const Callee *c, Module *home, uint32_t n_slots,
                       bool is_struct, const Kinds *arg)
{
    Value *bound = mem_calloc((size_t)c->n + 1, sizeof *bound);
    TextCall t;
    text_call(&t, e);
    if (!bind_arguments(l->in, &t.call, c, bound))
        lint_take_error(l, e->span);
    else
        lint_annotated(l, e, c, home, n_slots, is_struct, arg);
    text_call_free(&t);
    mem_free(bound);
}

/* ---- any call ---- */

/* The first argument of an assert_error is a parameter of f. */
static bool hands_on(const FunctionDecl *f, const Ast *e)
{
    if (e->kind != AST_CALL || !ast_expects_error(e) || e->call.n_args == 0) return false;
    const Ast *given = e->call.arg[0].value;
    return given->kind == AST_NAME && given->name.scope == SCOPE_LOCAL &&
           given->name.slot < (uint32_t)f->n_params;
}

bool call_expects_error(Lint *l, const Ast *e)
{
    const Ast *d = definition_of(l, e->call.callee).node;
    if (ast_expects_error(e)) return true;
    if (!d || d->kind != AST_DEF) return false;
    const Ast *body = d->function->body;
    if (body->kind != AST_BLOCK) return hands_on(d->function, body);
    for (int i = 0; i < body->list.len; i++) {
        const Ast *s = body->list.item[i];
        if (s->kind == AST_EXPRESSION && hands_on(d->function, s->unary.operand)) return true;
    }
    return false;
}

static void check_callable(Lint *l, const Ast *e, Kinds callee)
{
    const Ast *target = e->call.callee;
    if (callee & KIND(VAL_FN)) return;
    Ast name = try_operand(target, 0), tried = {.kind = AST_CALL, .span = e->span};
    tried.call.callee = &name;
    try_kinds(l, attempt_expression, &tried, &target, &callee, 1);
}

Kinds lint_call(Lint *l, const Ast *e, Kinds callee, const Kinds *arg)
{
    const Ast *target = e->call.callee;
    if (target->kind == AST_NAME && target->name.scope == SCOPE_BUILTIN)
        return lint_builtin(l, e, arg);
    Definition d = definition_of(l, target);
    if (d.node && d.node->kind == AST_DEF) {
        const FunctionDecl *f = d.node->function;
        Callee c = {f->name->text, "parameter", f->param, f->n_params};
        lint_known(l, e, &c, d.home, f->n_slots, false, arg);
        return kinds_annotated(f->result);
    }
    if (d.node) {
        const StructDecl *s = d.node->structure;
        Callee c = {s->name->text, "field", s->field, s->n_fields};
        lint_known(l, e, &c, d.home, (uint32_t)s->n_size_names, true, arg);
        return KIND(VAL_STRUCT);
    }
    check_callable(l, e, callee);
    return KINDS_ANY;
}

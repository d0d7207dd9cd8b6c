#include <string.h>

#include "base/interrupt.h"
#include "base/stack.h"
#include "base/suggest.h"
#include "eval/adjoint.h"
#include "eval/call.h"
#include "eval/contract.h"
#include "eval/expression.h"
#include "eval/fuse.h"
#include "eval/operator.h"
#include "eval/profile.h"
#include "eval/statement.h"

enum { FEW_ARGUMENTS = 16 };

void release_values(Value *v, int n)
{
    for (int i = 0; i < n; i++) value_release(v[i]);
}

void call_free(Call *call)
{
    release_values(call->value, call->n);
    call->n = call->n_positional = 0;
}

/* ---- binding ---- */

Span argument_span(const Call *call, int i)
{
    return call->site ? call->site->call.arg[i].value->span : (Span){0};
}

Span keyword_span(const Call *call, int k)
{
    return call->site ? call->site->call.arg[k].name_span : (Span){0};
}

Span parameter_span(const Call *call, const Param *param, int i)
{
    if (!call->site) return (Span){0};
    const Argument *arg = call->site->call.arg;
    for (int k = 0; k < call->site->call.n_args; k++)
        if (arg[k].name ? arg[k].name == param->name : k == i) return arg[k].value->span;
    return (Span){0};
}

static void note_parameters(Interp *in, const Callee *c)
{
    StrBuf text = {0};
    for (int i = 0; i < c->n; i++)
        strbuf_printf(&text, "%s%s%s", i ? ", " : "", c->param[i].name->text,
                      c->param[i].default_value ? " = …" : "");
    bool is_anonymous = strchr(c->name, ' ') != NULL;
    if (strcmp(c->part, "field") == 0)
        error_note(&in->err, c->n ? "its fields are %s" : "it has no fields", strbuf_str(&text));
    else
        error_note(&in->err, "its signature is %s(%s)", is_anonymous ? "def" : c->name,
                   strbuf_str(&text));
    strbuf_free(&text);
}

static bool too_many(Interp *in, const Call *call, const Callee *c)
{
    error_set(&in->err, ERR_TYPE, "%s takes %d argument%s, not %d", c->name, c->n,
              c->n == 1 ? "" : "s", call->n);
    error_locate(&in->err, argument_span(call, c->n));
    note_parameters(in, c);
    return false;
}

static bool bind_keyword(Interp *in, Call *call, int k, const Callee *c, Value *slot)
{
    Symbol name = call->kw_name[k - call->n_positional];
    for (int i = 0; i < c->n; i++) {
        if (c->param[i].name != name) continue;
        if (value_is_set(slot[i])) {
            error_set(&in->err, ERR_TYPE, "%s is given twice in this call of %s", name->text,
                      c->name);
            error_locate(&in->err, keyword_span(call, k));
            return false;
        }
        slot[i] = call->value[k];
        call->value[k] = (Value){0};
        return true;
    }
    error_set(&in->err, ERR_TYPE, "%s has no %s %s", c->name, c->part, name->text);
    error_locate(&in->err, keyword_span(call, k));
    Suggest near = suggest_start(name->text);
    for (int i = 0; i < c->n; i++) suggest_offer(&near, c->param[i].name->text);
    if (near.best) error_hint(&in->err, "did you mean %s?", near.best);
    note_parameters(in, c);
    return false;
}

bool bind_arguments(Interp *in, Call *call, const Callee *c, Value *slot)
{
    if (call->n_positional > c->n) return too_many(in, call, c);
    for (int i = 0; i < call->n_positional; i++) slot[i] = call->value[i];
    for (int i = call->n_positional; i < c->n; i++) slot[i] = (Value){0};
    memset(call->value, 0, (size_t)call->n_positional * sizeof(Value));
    for (int k = call->n_positional; k < call->n; k++)
        if (!bind_keyword(in, call, k, c, slot)) return false;
    for (int i = 0; i < c->n; i++) {
        if (value_is_set(slot[i]) || c->param[i].default_value) continue;
        error_set(&in->err, ERR_TYPE, "%s needs a value for its %s %s", c->name, c->part,
                  c->param[i].name->text);
        note_parameters(in, c);
        return false;
    }
    return true;
}

/* ---- closures ---- */

static bool fill_defaults(Interp *in, Frame *f, const FunctionDecl *decl)
{
    for (int i = 0; i < decl->n_params; i++) {
        if (value_is_set(f->slot[i])) continue;
        /* Evaluated aside, so that a default can't see the parameters being filled. */
        Value v;
        if (!eval(in, f, decl->param[i].default_value, &v)) return false;
        f->slot[i] = v;
    }
    return true;
}

static bool check_parameters(Interp *in, Frame *f, const FunctionDecl *decl, const Call *call)
{
    for (int i = 0; i < decl->n_params; i++) {
        if (!decl->param[i].type) continue;
        Contract c = {frame_name(f), decl->param, f->slot, decl->n_params, i, NULL};
        if (contract_check(in, f, decl->param[i].type, &c, &f->slot[i])) continue;
        error_locate(&in->err, parameter_span(call, &decl->param[i], i));
        return false;
    }
    return true;
}

static __attribute__((noinline)) bool block_value(Interp *in, Frame *f, const Ast *block,
                                                  Value *out)
{
    f->result = out;
    Flow flow = exec_block(in, f, block);
    if (flow == FLOW_NEXT) {
        *out = value_none();
        in->returned = NULL;
    }
    return flow != FLOW_ERROR;
}

const Ast *returned_expression(const Interp *in, const FunctionDecl *decl)
{
    const Ast *body = decl->body, *s = in->returned;
    if (body->kind != AST_BLOCK) return body;
    bool is_inside = s && s->span.start >= body->span.start && s->span.end <= body->span.end;
    return is_inside ? s->unary.operand : NULL;
}

static inline bool body_value(Interp *in, Frame *f, const FunctionDecl *decl, Value *out)
{
    const Ast *body = decl->body;
    return body->kind == AST_BLOCK ? block_value(in, f, body, out) : eval(in, f, body, out);
}

static __attribute__((cold, noinline)) bool run_body_profiled(Interp *in, Frame *f,
                                                              const FunctionDecl *decl, Value *out)
{
    const char *name = decl->name ? decl->name->text : NULL;
    ProfileCall caller = profile_enter(in->profile, decl->span.start, name);
    if (decl->body->kind != AST_BLOCK) profile_line(in->profile, decl->body->span.start);
    bool ok = body_value(in, f, decl, out);
    profile_leave(in->profile, caller);
    return ok;
}

static inline bool run_body(Interp *in, Frame *f, const FunctionDecl *decl, Value *out)
{
    return in->profile ? run_body_profiled(in, f, decl, out) : body_value(in, f, decl, out);
}

/* Sizes that the result's contract names: kept before the body, which may assign variables of
 * these names, and put back after it. */
static int result_sizes(const Frame *f, const FunctionDecl *decl, Value *kept, bool put_back)
{
    int n = 0;
    for (int i = 0; decl->result && i < decl->result->len; i++) {
        const TypeAlternative *t = &decl->result->item[i];
        for (int k = 0; k < t->n_dims; k++) {
            if (t->dim[k].kind != DIM_NAME) continue;
            Value *slot = &f->slot[t->dim[k].slot];
            if (put_back) {
                value_release(*slot);
                *slot = kept[n];
            } else if (kept) {
                kept[n] = slot->kind == VAL_INT ? *slot : (Value){0};
            }
            n++;
        }
    }
    return n;
}

static bool check_result(Interp *in, Frame *f, const FunctionDecl *decl, Value *out)
{
    Contract c = {frame_name(f), decl->param, f->slot, decl->n_params, -1, decl};
    if (contract_check(in, f, decl->result, &c, out)) return true;
    const Ast *returned = returned_expression(in, decl);
    error_locate(&in->err, returned ? returned->span : decl->head_span);
    value_clear(out);
    return false;
}

static bool run_checked(Interp *in, Frame *f, const FunctionDecl *decl, Value *out)
{
    if (!decl->result) return run_body(in, f, decl, out);
    int n = result_sizes(f, decl, NULL, false);
    Value *kept = __builtin_alloca((size_t)(n ? n : 1) * sizeof *kept);
    result_sizes(f, decl, kept, false);
    if (!run_body(in, f, decl, out)) return false;
    result_sizes(f, decl, kept, true);
    return check_result(in, f, decl, out);
}

static void set_captures(Frame *f, const Function *fn)
{
    const FunctionDecl *decl = fn->closure.decl;
    for (int i = 0; i < decl->n_captures; i++)
        f->slot[decl->capture[i].inner_slot] = value_retain(fn->captured[i]);
    if (decl->self_slot >= 0)
        f->slot[decl->self_slot] = value_retain(value_fn((Function *)(uintptr_t)fn));
}

static bool run_closure(Interp *in, Function *fn, Call *call, Value *slot, Value *out)
{
    const FunctionDecl *decl = fn->closure.decl;
    Frame f = {.slot = slot,
               .module = fn->closure.module,
               .plan = fn->closure.module->plan,
               .function = fn};
    memset(slot, 0, decl->n_slots * sizeof *slot);
    bool use_adjoint = false;
    Callee c = {function_name(fn), "parameter", decl->param, decl->n_params};
    bool ok = bind_arguments(in, call, &c, slot);
    if (ok) {
        set_captures(&f, fn);
        ok = fill_defaults(in, &f, decl) && check_parameters(in, &f, decl, call) &&
             adjoint_wanted(in, fn, call, slot, &use_adjoint);
        if (use_adjoint)
            ok = ok && adjoint_call(in, fn, slot, out);
        else
            ok = ok && run_checked(in, &f, decl, out);
    }
    release_values(slot, (int)decl->n_slots);
    call_free(call);
    return ok;
}

bool call_closure_take(Interp *in, Function *fn, Call *call, Value *out)
{
    if (!stack_check(&in->err, "calls") || !interrupt_poll(&in->err)) {
        call_free(call);
        return false;
    }
    uint32_t n = fn->closure.decl->n_slots;
    if (n <= FEW_SLOTS) {
        Value slot[FEW_SLOTS];
        return run_closure(in, fn, call, slot, out);
    }
    Value *slot = mem_alloc(n * sizeof *slot);
    bool ok = run_closure(in, fn, call, slot, out);
    mem_free(slot);
    return ok;
}

bool eval_function(Interp *in, Frame *f, const FunctionDecl *decl, Value *out)
{
    (void)in;
    Function *fn = function_closure(decl, f->module);
    for (int i = 0; i < decl->n_captures; i++)
        fn->captured[i] = value_retain(f->slot[decl->capture[i].outer_slot]);
    *out = value_fn(fn);
    return true;
}

/* ---- calls of any function value ---- */

/* grad(f)(x, …): the bound argument goes before the call's own. */
static bool call_bound_take(Interp *in, Function *fn, Call *call, Value *out)
{
    Value *v = mem_alloc((size_t)(call->n + 1) * sizeof *v);
    v[0] = value_retain(fn->captured[0]);
    memcpy(v + 1, call->value, (size_t)call->n * sizeof *v);
    Call longer = {.value = v,
                   .n = call->n + 1,
                   .n_positional = call->n_positional + 1,
                   .kw_name = call->kw_name};
    bool ok = call_builtin_take(in, fn->builtin, &longer, out);
    mem_free(v);
    return ok;
}

bool call_take(Interp *in, Value fn, Call *call, Value *out)
{
    if (fn.kind != VAL_FN) {
        error_set(&in->err, ERR_TYPE, "%s can't be called", value_type_name(fn));
        call_free(call);
        return false;
    }
    switch (fn.fn->variant) {
    case FN_BUILTIN: return call_builtin_take(in, fn.fn->builtin, call, out);
    case FN_STRUCT: return construct_take(in, fn.fn->type, call, out);
    case FN_BOUND: return call_bound_take(in, fn.fn, call, out);
    default: return call_closure_take(in, fn.fn, call, out);
    }
}

bool call_value(Interp *in, Value fn, const Value *pos, int n, const Symbol *kw_name,
                const Value *kw, int n_kw, Value *out)
{
    Value few[FEW_ARGUMENTS];
    int total = n + n_kw;
    Value *v = total <= FEW_ARGUMENTS ? few : mem_alloc((size_t)total * sizeof *v);
    for (int i = 0; i < n; i++) v[i] = value_retain(pos[i]);
    for (int i = 0; i < n_kw; i++) v[n + i] = value_retain(kw[i]);
    Call call = {.value = v, .n = total, .n_positional = n, .kw_name = kw_name};
    bool ok = call_take(in, fn, &call, out);
    if (v != few) mem_free(v);
    return ok;
}

/* ---- call expressions ---- */

static bool eval_arguments(Interp *in, Frame *f, const Ast *e, Value *v, Symbol *names)
{
    for (int i = 0; i < e->call.n_args; i++) {
        if (!eval(in, f, e->call.arg[i].value, &v[i])) {
            release_values(v, i);
            return false;
        }
        if (i >= e->call.n_positional) names[i - e->call.n_positional] = e->call.arg[i].name;
    }
    return true;
}

static bool call_with(Interp *in, Frame *f, const Ast *e, const Value *callee, Value *v,
                      Symbol *names, Value *out)
{
    if (!eval_arguments(in, f, e, v, names)) return false;
    Call call = {.value = v,
                 .n = e->call.n_args,
                 .n_positional = e->call.n_positional,
                 .kw_name = names,
                 .site = e};
    bool ok = callee
                  ? call_take(in, *callee, &call, out)
                  : call_builtin_take(in, builtin_at((int)e->call.callee->name.slot), &call, out);
    if (ok) return true;
    /* A failure somewhere else has its span already; then this call is a line of the trace. */
    Span at = in->err.span;
    bool is_inside = at.start >= e->span.start && at.end <= e->span.end;
    if (span_is_set(at) && !is_inside) error_trace(&in->err, frame_name(f), e->span);
    return fail_at(in, e);
}

/* The callee of a call that needs no more than its positions bound to slots, or NULL. */
static Function *plain_callee(const Frame *f, const Ast *e)
{
    const Ast *target = e->call.callee;
    if (target->kind != AST_NAME || target->name.scope == SCOPE_BUILTIN) return NULL;
    Value v = target->name.scope == SCOPE_GLOBAL ? f->module->value[target->name.slot]
                                                 : f->slot[target->name.slot];
    if (v.kind != VAL_FN || !v.fn->is_plain) return NULL;
    const FunctionDecl *decl = v.fn->closure.decl;
    bool fits = e->call.n_args == decl->n_params && e->call.n_positional == decl->n_params;
    return fits ? v.fn : NULL;
}

static __attribute__((cold, noinline)) bool fail_plain(Interp *in, const Frame *f, const Ast *e)
{
    if (span_is_set(in->err.span)) error_trace(&in->err, frame_name(f), e->span);
    return fail_at(in, e);
}

static inline __attribute__((always_inline)) bool call_in(Interp *in, Frame *f, const Ast *e,
                                                          Function *fn, Value *slot, Value *out)
{
    const FunctionDecl *decl = fn->closure.decl;
    Value *end = slot, *given = slot + decl->n_params;
    for (const Argument *arg = e->call.arg; end < given; arg++, end++) {
        const Ast *a = arg->value;
        if (a->kind == AST_BINARY ? eval_binary(in, f, a, end) : eval(in, f, a, end)) continue;
        release_values(slot, (int)(end - slot));
        return fail_at(in, e);
    }
    for (given = slot + decl->n_slots; end < given; end++) *end = (Value){0};
    Frame own = {.slot = slot,
                 .module = fn->closure.module,
                 .plan = fn->closure.module->plan,
                 .function = fn};
    fn->head.refs++; /* it may be the last owner of itself (f = g inside f) */
    bool ok = run_body(in, &own, decl, out);
    for (Value *v = slot; v < end; v++) value_release(*v);
    value_release(value_fn(fn));
    if (__builtin_expect(ok, true)) return true;
    return fail_plain(in, f, e);
}

static __attribute__((noinline)) bool call_in_many(Interp *in, Frame *f, const Ast *e, Function *fn,
                                                   Value *out)
{
    Value slot[FEW_SLOTS];
    return call_in(in, f, e, fn, slot, out);
}

/* Most functions have a few variables, and deep recursion should not use up the stack with room for
 * more. */
static bool call_plain(Interp *in, Frame *f, const Ast *e, Function *fn, Value *out)
{
    enum { VERY_FEW_SLOTS = 6 };
    if (!stack_check(&in->err, "calls") || !interrupt_poll(&in->err)) return fail_at(in, e);
    if (fn->closure.decl->n_slots > VERY_FEW_SLOTS) return call_in_many(in, f, e, fn, out);
    Value slot[VERY_FEW_SLOTS];
    return call_in(in, f, e, fn, slot, out);
}

static __attribute__((noinline)) bool call_any(Interp *in, Frame *f, const Ast *e, Value *out)
{
    if (!stack_check(&in->err, "calls")) return fail_at(in, e);
    if (fuse_may(f, e)) {
        bool done, fused = fuse_try(in, f, e, out, &done);
        if (done) return fused;
    }
    const Ast *target = e->call.callee;
    Value temporary = {0};
    const Value *callee = NULL;
    if (target->kind != AST_NAME || target->name.scope != SCOPE_BUILTIN) {
        callee = eval_borrow(in, f, target, &temporary);
        if (!callee) return false;
    }
    /* The callee may be the last owner of itself (f = g inside f): hold it while it runs. */
    Value held = callee ? value_retain(*callee) : (Value){0};
    value_clear(&temporary);
    int n = e->call.n_args;
    bool ok;
    if (n <= FEW_ARGUMENTS) {
        Value v[FEW_ARGUMENTS];
        Symbol names[FEW_ARGUMENTS];
        ok = call_with(in, f, e, callee ? &held : NULL, v, names, out);
    } else {
        Value *v = mem_alloc((size_t)n * sizeof *v);
        Symbol *names = mem_alloc((size_t)n * sizeof *names);
        ok = call_with(in, f, e, callee ? &held : NULL, v, names, out);
        mem_free(v);
        mem_free(names);
    }
    value_release(held);
    return ok;
}

bool eval_call(Interp *in, Frame *f, const Ast *e, Value *out)
{
    Function *plain = plain_callee(f, e);
    return plain ? call_plain(in, f, e, plain, out) : call_any(in, f, e, out);
}

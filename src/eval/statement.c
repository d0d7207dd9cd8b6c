#include "eval/statement.h"
#include "base/interrupt.h"
#include "eval/assign.h"
#include "eval/call.h"
#include "eval/expression.h"
#include "eval/import.h"
#include "eval/module.h"
#include "eval/operator.h"
#include "eval/profile.h"

static Flow flow(bool ok)
{
    return ok ? FLOW_NEXT : FLOW_ERROR;
}

/* One function a kind of statement, none of them inlined: what a statement of one kind needs of the
 * stack and the registers, another need not pay for. */
#define STATEMENT static __attribute__((noinline)) Flow

STATEMENT exec_expression(Interp *in, Frame *f, const Ast *s)
{
    Value v;
    if (!eval(in, f, s->unary.operand, &v)) return FLOW_ERROR;
    value_release(v);
    return FLOW_NEXT;
}

static __attribute__((noinline)) Flow assign_any(Interp *in, Frame *f, const Ast *s)
{
    Value v;
    const Ast *target = s->assign.target;
    if (!eval(in, f, s->assign.value, &v)) return FLOW_ERROR;
    if (target->kind == AST_NAME && target->name.scope == SCOPE_LOCAL) {
        Value *slot = &f->slot[target->name.slot], old = *slot;
        value_move(slot, &v);
        value_release(old);
        return FLOW_NEXT;
    }
    return flow(assign_take(in, f, s->assign.target, v) || fail_at(in, s->assign.target));
}

/* What a variable with nothing to release is assigned is computed right into it, where operands are
 * all read before the result is written. */
STATEMENT exec_assign(Interp *in, Frame *f, const Ast *s)
{
    const Ast *target = s->assign.target, *e = s->assign.value;
    if (target->kind != AST_NAME || target->name.scope != SCOPE_LOCAL || e->kind != AST_BINARY)
        return assign_any(in, f, s);
    Value *slot = &f->slot[target->name.slot];
    if (slot->kind >= VAL_STR) return assign_any(in, f, s);
    if (eval_binary(in, f, e, slot)) return FLOW_NEXT;
    *slot = (Value){0};
    return FLOW_ERROR;
}

STATEMENT exec_def(Interp *in, Frame *f, const Ast *s)
{
    const FunctionDecl *decl = s->function;
    Value v;
    if (!eval_function(in, f, decl, &v)) return FLOW_ERROR;
    Value *place = decl->target_scope == SCOPE_GLOBAL ? &f->module->value[decl->target_slot]
                                                      : &f->slot[decl->target_slot];
    Value old = *place;
    *place = v;
    value_release(old);
    return FLOW_NEXT;
}

/* A function that others hold too becomes one of its own. */
static void unshare_function(Value *place)
{
    if (place->fn->head.refs == 1) return;
    Function *own = function_closure(place->fn->closure.decl, place->fn->closure.module);
    value_release(*place);
    place->fn = own;
}

static bool is_file_function(Value v, Symbol name)
{
    return v.kind == VAL_FN && v.fn->variant == FN_CLOSURE && v.fn->n_captured == 0 &&
           v.fn->closure.decl->name == name;
}

/* The adjoint belongs to the function that the file's name holds now. */
static bool attach_adjoint(Interp *in, Frame *f, const Ast *s)
{
    Value *place = &f->module->value[s->function->target_slot];
    if (!is_file_function(*place, s->function->name))
        return error_set_at(&in->err, ERR_TYPE, s->function->name_span,
                            "%s is no longer the function of its def: an adjoint must come before",
                            s->function->name->text);
    Value adjoint;
    if (!adjoint_check_params(s->function, place->fn->closure.decl, &in->err) ||
        !eval_function(in, f, s->function, &adjoint))
        return false;
    unshare_function(place);
    function_give_adjoint(place->fn, adjoint.fn);
    return true;
}

STATEMENT exec_adjoint(Interp *in, Frame *f, const Ast *s)
{
    return flow(attach_adjoint(in, f, s));
}

STATEMENT exec_struct(Interp *in, Frame *f, const Ast *s)
{
    return flow(define_struct(in, f, s->structure));
}

STATEMENT exec_augment(Interp *in, Frame *f, const Ast *s)
{
    return flow(augment(in, f, s));
}

STATEMENT exec_import(Interp *in, Frame *f, const Ast *s)
{
    return flow(import_names(in, f, s));
}

STATEMENT exec_nested(Interp *in, Frame *f, const Ast *s)
{
    return exec_block(in, f, s);
}

STATEMENT no_statement(Interp *in, const Ast *s)
{
    return flow(foreign_node(in, s));
}

STATEMENT exec_return(Interp *in, Frame *f, const Ast *s)
{
    if (!s->unary.operand)
        *f->result = value_none();
    else if (!eval(in, f, s->unary.operand, f->result))
        return FLOW_ERROR;
    in->returned = s;
    return FLOW_RETURN;
}

/* An else-if chain is walked in a loop, so that a long one costs no stack. */
STATEMENT exec_if(Interp *in, Frame *f, const Ast *s)
{
    while (s && s->kind == AST_IF) {
        bool truth;
        if (!eval_condition(in, f, s->branch.cond, &truth)) return FLOW_ERROR;
        if (truth) return exec_block(in, f, s->branch.then);
        s = s->branch.otherwise;
    }
    return s ? exec_block(in, f, s) : FLOW_NEXT;
}

STATEMENT exec_while(Interp *in, Frame *f, const Ast *s)
{
    for (;;) {
        bool truth;
        if (!interrupt_poll(&in->err)) return flow(fail_at(in, s->branch.cond));
        if (!eval_condition(in, f, s->branch.cond, &truth)) return FLOW_ERROR;
        if (!truth) return FLOW_NEXT;
        Flow result = exec_block(in, f, s->branch.then);
        if (result == FLOW_BREAK) return FLOW_NEXT;
        if (result == FLOW_RETURN || result == FLOW_ERROR) return result;
    }
}

/* Calls nothing but a last function, so that it saves no registers. */
static inline Flow run_statement(Interp *in, Frame *f, const Ast *s)
{
    switch (s->kind) {
    case AST_EXPRESSION: return exec_expression(in, f, s);
    case AST_ASSIGN: return exec_assign(in, f, s);
    case AST_AUGMENT: return exec_augment(in, f, s);
    case AST_DEF: return exec_def(in, f, s);
    case AST_ADJOINT: return exec_adjoint(in, f, s);
    case AST_STRUCT: return exec_struct(in, f, s);
    case AST_TEST: return FLOW_NEXT;
    case AST_FOR: return exec_for(in, f, s);
    case AST_WHILE: return exec_while(in, f, s);
    case AST_IF: return exec_if(in, f, s);
    case AST_RETURN: return exec_return(in, f, s);
    case AST_BREAK: return FLOW_BREAK;
    case AST_CONTINUE: return FLOW_CONTINUE;
    case AST_IMPORT:
    case AST_FROM_IMPORT: return exec_import(in, f, s);
    case AST_BLOCK: return exec_nested(in, f, s);
    default: return no_statement(in, s);
    }
}

static __attribute__((cold, noinline)) Flow exec_profiled(Interp *in, Frame *f, const Ast *s)
{
    if (s->kind == AST_BLOCK) return exec_block(in, f, s);
    uint32_t before = profile_line(in->profile, s->span.start);
    Flow result = run_statement(in, f, s);
    profile_back(in->profile, before);
    return result;
}

Flow exec(Interp *in, Frame *f, const Ast *s)
{
    return in->profile ? exec_profiled(in, f, s) : run_statement(in, f, s);
}

#include "base/interrupt.h"
#include "eval/profile.h"
#include "eval/walk.h"

static Flow flow(bool ok)
{
    return ok ? FLOW_NEXT : FLOW_ERROR;
}

static bool exec_expression(Interp *in, Frame *f, const Ast *s)
{
    Value v;
    if (!eval(in, f, s->unary.operand, &v)) return false;
    value_release(v);
    return true;
}

static bool exec_assign(Interp *in, Frame *f, const Ast *s)
{
    Value v;
    const Ast *target = s->assign.target;
    if (!eval(in, f, s->assign.value, &v)) return false;
    if (target->kind == AST_NAME && target->name.scope == SCOPE_LOCAL) {
        Value *slot = &f->slot[target->name.slot], old = *slot;
        *slot = v;
        value_release(old);
        return true;
    }
    return assign_take(in, f, s->assign.target, v) || fail_at(in, s->assign.target);
}

static bool exec_def(Interp *in, Frame *f, const Ast *s)
{
    const FunctionDecl *decl = s->function;
    Value v;
    if (!eval_function(in, f, decl, &v)) return false;
    Value *place = decl->target_scope == SCOPE_GLOBAL ? &f->module->value[decl->target_slot]
                                                      : &f->slot[decl->target_slot];
    Value old = *place;
    *place = v;
    value_release(old);
    return true;
}

/* A function that others hold too becomes one of its own. */
static void unshare_function(Value *place)
{
    if (place->fn->head.refs == 1) return;
    Function *own = function_closure(place->fn->closure.decl, place->fn->closure.module);
    value_release(*place);
    place->fn = own;
}

/* The adjoint belongs to the function that the file's name holds now. */
static bool exec_adjoint(Interp *in, Frame *f, const Ast *s)
{
    Value *place = &f->module->value[s->function->target_slot];
    if (place->kind != VAL_FN || place->fn->variant != FN_CLOSURE)
        return error_set_at(&in->err, ERR_TYPE, s->span,
                            "an adjoint must come after the def of its function");
    Value adjoint;
    if (!eval_function(in, f, s->function, &adjoint)) return false;
    unshare_function(place);
    if (place->fn->closure.adjoint) value_release(value_fn(place->fn->closure.adjoint));
    place->fn->closure.adjoint = adjoint.fn;
    return true;
}

static Flow exec_return(Interp *in, Frame *f, const Ast *s)
{
    Value v = value_none();
    if (s->unary.operand && !eval(in, f, s->unary.operand, &v)) return FLOW_ERROR;
    f->result = v;
    return FLOW_RETURN;
}

/* An else-if chain is walked in a loop, so that a long one costs no stack. */
static Flow exec_if(Interp *in, Frame *f, const Ast *s)
{
    while (s && s->kind == AST_IF) {
        bool truth;
        if (!eval_condition(in, f, s->branch.cond, &truth)) return FLOW_ERROR;
        if (truth) return exec_block(in, f, s->branch.then);
        s = s->branch.otherwise;
    }
    return s ? exec_block(in, f, s) : FLOW_NEXT;
}

static Flow exec_while(Interp *in, Frame *f, const Ast *s)
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

Flow exec_block(Interp *in, Frame *f, const Ast *block)
{
    for (int i = 0; i < block->list.len; i++) {
        Flow result = exec(in, f, block->list.item[i]);
        if (result != FLOW_NEXT) return result;
    }
    return FLOW_NEXT;
}

static inline Flow run_statement(Interp *in, Frame *f, const Ast *s)
{
    switch (s->kind) {
    case AST_EXPRESSION: return flow(exec_expression(in, f, s));
    case AST_ASSIGN: return flow(exec_assign(in, f, s));
    case AST_AUGMENT: return flow(exec_augment(in, f, s));
    case AST_DEF: return flow(exec_def(in, f, s));
    case AST_ADJOINT: return flow(exec_adjoint(in, f, s));
    case AST_STRUCT: return flow(define_struct(in, f, s->structure));
    case AST_TEST: return FLOW_NEXT;
    case AST_FOR: return exec_for(in, f, s);
    case AST_WHILE: return exec_while(in, f, s);
    case AST_IF: return exec_if(in, f, s);
    case AST_RETURN: return exec_return(in, f, s);
    case AST_BREAK: return FLOW_BREAK;
    case AST_CONTINUE: return FLOW_CONTINUE;
    case AST_IMPORT:
    case AST_FROM_IMPORT: return flow(exec_import(in, f, s));
    case AST_BLOCK: return exec_block(in, f, s);
    default: return flow(error_set_at(&in->err, ERR_SYNTAX, s->span, "this is not a statement"));
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

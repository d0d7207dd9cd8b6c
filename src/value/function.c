#include "value/function.h"

#include <string.h>

static Function *new_function(FunctionVariant variant, int n_captured)
{
    size_t size = sizeof(Function) + (size_t)n_captured * sizeof(Value);
    Function *f = pool_alloc(size);
    memset(f, 0, size);
    f->head.refs = 1;
    f->variant = variant;
    f->n_captured = n_captured;
    return f;
}

static bool is_plain(const FunctionDecl *decl)
{
    if (decl->result || decl->n_captures || decl->self_slot >= 0 || decl->n_slots > FEW_SLOTS)
        return false;
    for (int i = 0; i < decl->n_params; i++)
        if (decl->param[i].type || decl->param[i].default_value) return false;
    return true;
}

Function *function_closure(const FunctionDecl *decl, Module *module)
{
    Function *f = new_function(FN_CLOSURE, decl->n_captures);
    f->closure.decl = decl;
    f->is_plain = is_plain(decl);
    f->closure.module = module;
    return f;
}

void function_give_adjoint(Function *f, Function *adjoint)
{
    if (f->closure.adjoint) value_release(value_fn(f->closure.adjoint));
    f->closure.adjoint = adjoint;
    f->is_plain = false;
}

Function *function_builtin(const struct Builtin *builtin)
{
    Function *f = new_function(FN_BUILTIN, 0);
    f->builtin = builtin;
    return f;
}

Function *function_struct(StructType *type)
{
    Function *f = new_function(FN_STRUCT, 0);
    f->type = type;
    type->head.refs++;
    return f;
}

Function *function_bound(const struct Builtin *builtin, Value first)
{
    Function *f = new_function(FN_BOUND, 1);
    f->builtin = builtin;
    f->captured[0] = value_retain(first);
    return f;
}

Function *function_like(const Function *f)
{
    return f->variant == FN_BOUND ? function_bound(f->builtin, (Value){0})
                                  : function_closure(f->closure.decl, f->closure.module);
}

const char *function_name(const Function *f)
{
    if (f->variant == FN_STRUCT) return f->type->name->text;
    if (f->variant == FN_CLOSURE)
        return f->closure.decl->name ? f->closure.decl->name->text : "an anonymous function";
    /* A builtin's record begins with its name (eval/builtin.h), which this floor must not know. */
    return *(const char *const *)(const void *)f->builtin;
}

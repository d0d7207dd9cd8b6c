#include "syntax/resolver.h"

bool resolve_list(Resolver *r, AstList list)
{
    for (int i = 0; i < list.len; i++) {
        if (!resolve_expression(r, list.item[i])) return false;
    }
    return true;
}

static bool resolve_optional(Resolver *r, Ast *node)
{
    return !node || resolve_expression(r, node);
}

bool resolve_bounds(Resolver *r, LoopHead *head)
{
    return resolve_optional(r, head->from) && resolve_optional(r, head->to) &&
           resolve_optional(r, head->by) && resolve_optional(r, head->each);
}

/* ---- comprehensions: variables in hidden slots, in sight of element and filter only ---- */

static void bind_hidden(FrameScope *scope, Ast *target)
{
    if (target->kind == AST_NAME) {
        HiddenName hidden = {target->name.name, scope_slot(scope, NULL)};
        VEC_PUSH(&scope->hidden, hidden);
        target->name.scope = SCOPE_LOCAL;
        target->name.slot = hidden.slot;
        return;
    }
    for (int i = 0; i < target->list.len; i++) bind_hidden(scope, target->list.item[i]);
}

static bool resolve_comprehension(Resolver *r, Ast *node)
{
    FrameScope *scope = r->scope;
    if (!resolve_bounds(r, &node->comprehension.head)) return false;
    int outside = scope->hidden.len;
    bind_hidden(scope, node->comprehension.head.target);
    bool ok = resolve_expression(r, node->comprehension.element) &&
              resolve_optional(r, node->comprehension.filter);
    scope->hidden.len = outside;
    return ok;
}

/* ---- one small function a kind ---- */

static bool resolve_fstring(Resolver *r, Ast *node)
{
    for (int i = 0; i < node->fstring.len; i++) {
        if (!resolve_optional(r, node->fstring.item[i].value)) return false;
    }
    return true;
}

static bool resolve_map(Resolver *r, Ast *node)
{
    for (int i = 0; i < node->map.len; i++) {
        if (!resolve_expression(r, node->map.key[i])) return false;
        if (!resolve_expression(r, node->map.value[i])) return false;
    }
    return true;
}

static bool resolve_arguments(Resolver *r, Ast *node)
{
    int expected = ast_expects_error(node);
    r->expects_error += expected;
    for (int i = 0; i < node->call.n_args; i++) {
        if (!resolve_expression(r, node->call.arg[i].value)) return false;
    }
    r->expects_error -= expected;
    return true;
}

/* Chains are resolved from their left: the member that this one is of, was noted just now. */
static bool note_member(Resolver *r, const Ast *node)
{
    const Ast *of = node->field.target;
    bool is_noted = r->members.len && r->members.item[r->members.len - 1] == of;
    bool is_global = of->kind == AST_NAME && of->name.scope == SCOPE_GLOBAL;
    if ((is_noted || is_global) && !r->expects_error) VEC_PUSH(&r->members, node);
    return true;
}

static bool resolve_plain(Resolver *r, Ast *node)
{
    switch (node->kind) {
    case AST_NAME: return resolve_name(r, &node->name, node->span);
    case AST_FSTRING: return resolve_fstring(r, node);
    case AST_ARRAY:
    case AST_TUPLE: return resolve_list(r, node->list);
    case AST_MAP: return resolve_map(r, node);
    case AST_UNARY: return resolve_expression(r, node->unary.operand);
    case AST_CHOICE:
        return resolve_expression(r, node->choice.then) &&
               resolve_expression(r, node->choice.cond) &&
               resolve_expression(r, node->choice.otherwise);
    case AST_SLICE:
        return resolve_optional(r, node->slice.start) && resolve_optional(r, node->slice.stop) &&
               resolve_optional(r, node->slice.step);
    case AST_COMPREHENSION: return resolve_comprehension(r, node);
    case AST_LAMBDA: return resolve_function(r, node->function, NULL);
    default: return true;
    }
}

/* ---- chains of left operands, which may be of any length ---- */

static bool resolve_right(Resolver *r, Ast *node)
{
    switch (node->kind) {
    case AST_CALL: return resolve_arguments(r, node);
    case AST_INDEX: return resolve_list(r, node->index.items);
    case AST_FIELD: return note_member(r, node);
    default: return resolve_expression(r, node->binary.right);
    }
}

bool resolve_expression(Resolver *r, Ast *node)
{
    int below = r->chain.len;
    for (Ast *left; (left = ast_left(node)); node = left) VEC_PUSH(&r->chain, node);
    bool ok = resolve_plain(r, node);
    while (ok && r->chain.len > below) {
        Ast *waiting = VEC_POP(&r->chain);
        ok = resolve_right(r, waiting);
    }
    r->chain.len = below;
    return ok;
}

/* Expressions: what they read, what kinds of value they have, and what can't work. */
#include "cli/check/lint_walk.h"
#include "eval/signature.h"

/* ---- names ---- */

static Kinds lint_name(Lint *l, const NameRef *name)
{
    Variable *v = variable_of(l, name);
    if (!v)
        return signature_of(builtin_at((int)name->slot))->is_constant ? KINDS_ANY : KIND(VAL_FN);
    variable_read(l, v);
    return v->bindings <= 1 ? v->kinds : KINDS_ANY;
}

/* ---- what can't work ---- */

static void check_unary(Lint *l, const Ast *e, Kinds kinds)
{
    const Ast *operand = e->unary.operand;
    if (e->op != OPERATOR_INVERT && !(kinds & ~KINDS_NUMERIC)) return;
    Ast name = try_operand(operand, 0);
    Ast tried = {.kind = AST_UNARY, .op = e->op, .span = e->span};
    tried.unary.operand = &name;
    try_kinds(l, attempt_expression, &tried, &operand, &kinds, 1);
}

static void check_binary(Lint *l, const Ast *e, Kinds left, Kinds right)
{
    const Ast *operand[] = {e->binary.left, e->binary.right};
    Kinds kinds[] = {left, right};
    bool is_arithmetic = e->op <= OPERATOR_POW || (e->op >= OPERATOR_EQ && e->op <= OPERATOR_GE);
    if (is_arithmetic && !((left | right) & ~KINDS_NUMERIC)) return;
    Ast a = try_operand(operand[0], 0), b = try_operand(operand[1], 1);
    Ast tried = {.kind = AST_BINARY, .op = e->op, .span = e->span};
    tried.binary.left = &a;
    tried.binary.right = &b;
    try_kinds(l, attempt_expression, &tried, operand, kinds, 2);
}

static void check_condition(Lint *l, const Ast *e, Kinds kinds)
{
    if (kinds & KIND(VAL_BOOL)) return;
    Ast name = try_operand(e, 0);
    try_kinds(l, attempt_condition, &name, &e, &kinds, 1);
}

enum { KINDS_INDEXED = 1u << VAL_ARR | 1u << VAL_STR | 1u << VAL_TUPLE | 1u << VAL_MAP };

/* target[item], with samples for both. */
static void try_index(Lint *l, const Ast *e, const Ast *item, Kinds target_kinds, Kinds item_kinds)
{
    const Ast *operand[] = {e->index.target, item};
    Kinds kinds[] = {target_kinds, item_kinds};
    Ast target = try_operand(operand[0], 0), index = try_operand(item, 1), *items = &index;
    Ast tried = {.kind = AST_INDEX, .span = e->span};
    tried.index.target = &target;
    tried.index.items = (AstList){&items, 1};
    try_kinds(l, attempt_expression, &tried, operand, kinds, 2);
}

/* What is indexed must have parts, and a Float is no index of anything. */
static void lint_index(Lint *l, const Ast *e, Kinds target)
{
    const AstList *items = &e->index.items;
    for (int i = 0; i < items->len; i++) {
        const Ast *item = items->item[i];
        Kinds kinds = lint_expression(l, item);
        if (kinds == KIND(VAL_FLOAT) && (target & KINDS_INDEXED))
            try_index(l, e, item, target & KINDS_INDEXED, kinds);
    }
    if (!(target & KINDS_INDEXED)) try_index(l, e, e->index.target, target, KIND(VAL_INT));
}

static void check_field(Lint *l, const Ast *e, Kinds kinds)
{
    if (kinds & (KIND(VAL_STRUCT) | KIND(VAL_MODULE))) return;
    const Ast *target = e->field.target;
    Ast name = try_operand(target, 0), tried = {.kind = AST_FIELD, .span = e->span};
    tried.field.target = &name;
    tried.field.name = e->field.name;
    tried.field.name_span = e->field.name_span;
    try_kinds(l, attempt_expression, &tried, &target, &kinds, 1);
}

/* An array of literals is what it is: its parts fit or they don't. */
static void check_array(Lint *l, const Ast *e)
{
    Value v;
    if (!is_constant(e)) return;
    if (constant_value(l, e, &v))
        value_release(v);
    else
        lint_take_error(l, e->span);
}

/* ---- loops' heads ---- */

/* A head that has nothing but the part in question. */
static void check_head_part(Lint *l, const LoopHead *head, const Ast *part, Kinds kinds)
{
    Ast name = try_operand(part, 0), target = try_operand(head->target, 1);
    Ast zero = {.kind = AST_INT, .span = part->span};
    Ast body = {.kind = AST_BLOCK, .span = part->span};
    Ast tried = {.kind = AST_FOR, .span = part->span};
    tried.loop.head = (LoopHead){.kind = head->kind, .target = &target, .to = &zero};
    tried.loop.body = &body;
    if (part == head->each) tried.loop.head.each = &name;
    if (part == head->from) tried.loop.head.from = &name;
    if (part == head->to) tried.loop.head.to = &name;
    if (part == head->by) tried.loop.head.by = &name;
    try_kinds(l, attempt_statement, &tried, &part, &kinds, 1);
}

static void lint_bound(Lint *l, const LoopHead *head, const Ast *part)
{
    if (!part) return;
    Kinds kinds = lint_expression(l, part);
    if (!(kinds & KIND(VAL_INT))) check_head_part(l, head, part, kinds);
}

static Kinds lint_each(Lint *l, const LoopHead *head)
{
    Kinds kinds = lint_expression(l, head->each);
    if (!(kinds & KINDS_INDEXED)) check_head_part(l, head, head->each, kinds);
    if (kinds == KIND(VAL_ARR)) return KINDS_NUMERIC;
    return kinds == KIND(VAL_STR) ? KIND(VAL_STR) : KINDS_ANY;
}

void lint_head(Lint *l, const LoopHead *head)
{
    Kinds kinds = KIND(VAL_INT);
    lint_bound(l, head, head->from);
    lint_bound(l, head, head->to);
    lint_bound(l, head, head->by);
    if (head->kind == LOOP_EACH) kinds = lint_each(l, head);
    lint_target(l, head->target, NULL, kinds);
}

/* ---- functions ---- */

void lint_params(Lint *l, const char *owner, const Param *param, int n, uint32_t n_slots)
{
    for (int i = 0; i < n; i++) {
        lint_annotation(l, param[i].type);
        if (!param[i].default_value) continue;
        Kinds kinds = lint_expression(l, param[i].default_value);
        if (!param[i].type) continue;
        Value *slot = mem_calloc(n_slots, sizeof *slot);
        Frame f = {.slot = slot, .module = l->m, .plan = l->m->plan, .name = owner};
        Contract c = {owner, param, slot, n, i, NULL};
        int before = l->findings->len;
        lint_contract(l, &f, param[i].type, &c, &slot[i], param[i].default_value, kinds);
        /* It fails only where it is used. */
        if (l->findings->len > before) l->findings->item[before].is_warning = true;
        release_values(slot, (int)n_slots);
        mem_free(slot);
    }
}

/* What a function's frame holds before its body runs. */
static void bind_frame(Lint *l, const FunctionDecl *f, const LintScope *outer)
{
    Variable *v = l->scope->variable;
    for (int i = 0; i < f->n_params; i++)
        v[i] = (Variable){.kinds = kinds_annotated(f->param[i].type), .bindings = 1};
    for (int i = 0; i < f->n_captures; i++) {
        const Variable *from = &outer->variable[f->capture[i].outer_slot];
        v[f->capture[i].inner_slot] =
            from->bindings <= 1 ? *from : (Variable){.kinds = KINDS_ANY, .bindings = 2};
        v[f->capture[i].inner_slot].assigned = (Span){0};
        v[f->capture[i].inner_slot].n_findings = 0;
    }
    if (f->self_slot >= 0) v[f->self_slot].kinds = KIND(VAL_FN);
}

/* Whether a body's end is reached: no call and no loop that may never come back. */
static bool is_left_at_end(const Ast *block)
{
    for (int i = 0; i < block->list.len; i++) {
        int kind = block->list.item[i]->kind;
        if (kind == AST_EXPRESSION || kind == AST_WHILE || kind == AST_IF) return false;
    }
    return true;
}

void lint_function(Lint *l, const FunctionDecl *f, bool is_adjoint)
{
    LintScope scope, *outer = l->scope;
    for (int i = 0; i < f->n_captures; i++)
        variable_read(l, &outer->variable[f->capture[i].outer_slot]);
    scope_open(l, &scope, f->n_slots, f->slot_name);
    scope.function = f;
    scope.is_adjoint = is_adjoint;
    for (int i = 0; i < f->n_params; i++) lint_warn_shadow(l, f->param[i].name, f->param[i].span);
    lint_params(l, f->name ? f->name->text : "def", f->param, f->n_params, f->n_slots);
    lint_annotation(l, f->result);
    bind_frame(l, f, outer);
    bool in_function = l->in_function;
    l->in_function = true;
    if (f->body->kind == AST_BLOCK) {
        count_bindings(l, f->body);
        lint_block(l, f->body);
        if (!scope.returns && is_left_at_end(f->body)) lint_result(l, NULL, KIND(VAL_NONE));
    } else {
        lint_result(l, f->body, lint_expression(l, f->body));
    }
    l->in_function = in_function;
    scope_close(l);
}

/* ---- one small function a kind ---- */

static void lint_list(Lint *l, const AstList *list)
{
    for (int i = 0; i < list->len; i++) lint_expression(l, list->item[i]);
}

static Kinds lint_array(Lint *l, const Ast *e)
{
    lint_list(l, &e->list);
    check_array(l, e);
    return KIND(VAL_ARR);
}

static Kinds lint_tuple(Lint *l, const Ast *e)
{
    lint_list(l, &e->list);
    return KIND(VAL_TUPLE);
}

static Kinds lint_map(Lint *l, const Ast *e)
{
    for (int i = 0; i < e->map.len; i++) {
        lint_expression(l, e->map.key[i]);
        lint_expression(l, e->map.value[i]);
    }
    return KIND(VAL_MAP);
}

static Kinds lint_fstring(Lint *l, const Ast *e)
{
    for (int i = 0; i < e->fstring.len; i++) lint_expression(l, e->fstring.item[i].value);
    return KIND(VAL_STR);
}

static Kinds lint_comprehension(Lint *l, const Ast *e)
{
    lint_head(l, &e->comprehension.head);
    if (e->comprehension.filter) lint_condition(l, e->comprehension.filter);
    lint_expression(l, e->comprehension.element);
    return KIND(e->comprehension.is_tuple ? VAL_TUPLE : VAL_ARR);
}

static Kinds lint_unary(Lint *l, const Ast *e)
{
    if (e->op == OPERATOR_NOT) {
        lint_condition(l, e->unary.operand);
        return KIND(VAL_BOOL);
    }
    Kinds kinds = lint_expression(l, e->unary.operand);
    check_unary(l, e, kinds);
    return kinds_of_unary((Operator)e->op, kinds);
}

static Kinds lint_choice(Lint *l, const Ast *e)
{
    lint_condition(l, e->choice.cond);
    Kinds then = lint_expression(l, e->choice.then);
    return then | lint_expression(l, e->choice.otherwise);
}

static Kinds lint_slice(Lint *l, const Ast *e)
{
    lint_expression(l, e->slice.start);
    lint_expression(l, e->slice.stop);
    lint_expression(l, e->slice.step);
    return KINDS_ANY;
}

static Kinds lint_lambda(Lint *l, const Ast *e)
{
    lint_function(l, e->function, false);
    return KIND(VAL_FN);
}

/* What has nothing to its left. */
static Kinds lint_plain(Lint *l, const Ast *e)
{
    switch (e->kind) {
    case AST_NONE: return KIND(VAL_NONE);
    case AST_BOOL: return KIND(VAL_BOOL);
    case AST_INT: return KIND(VAL_INT);
    case AST_FLOAT: return KIND(VAL_FLOAT);
    case AST_STR: return KIND(VAL_STR);
    case AST_FSTRING: return lint_fstring(l, e);
    case AST_NAME: return lint_name(l, &e->name);
    case AST_ARRAY: return lint_array(l, e);
    case AST_TUPLE: return lint_tuple(l, e);
    case AST_MAP: return lint_map(l, e);
    case AST_UNARY: return lint_unary(l, e);
    case AST_CHOICE: return lint_choice(l, e);
    case AST_SLICE: return lint_slice(l, e);
    case AST_COMPREHENSION: return lint_comprehension(l, e);
    case AST_LAMBDA: return lint_lambda(l, e);
    default: return KINDS_ANY;
    }
}

/* ---- chains: what lies to the left has been walked ---- */

static Kinds lint_arguments(Lint *l, const Ast *e, Kinds callee)
{
    enum { FEW = 16 };
    Kinds few[FEW] = {0}, *kinds = few;
    int n = e->call.n_args;
    if (n > FEW) kinds = mem_calloc((size_t)n, sizeof *kinds);
    bool expects_error = call_expects_error(l, e);
    l->expects_error += expects_error;
    for (int i = 0; i < n; i++) kinds[i] = lint_expression(l, e->call.arg[i].value);
    l->expects_error -= expects_error;
    Kinds result = lint_call(l, e, callee, kinds);
    if (kinds != few) mem_free(kinds);
    return result;
}

static Kinds lint_right(Lint *l, const Ast *e, Kinds left)
{
    switch (e->kind) {
    case AST_CALL: return lint_arguments(l, e, left);
    case AST_INDEX: lint_index(l, e, left); return kinds_of_element(left, e);
    case AST_FIELD: check_field(l, e, left); return KINDS_ANY;
    case AST_AND:
    case AST_OR:
        check_condition(l, e->binary.left, left);
        lint_condition(l, e->binary.right);
        return KIND(VAL_BOOL);
    default: {
        Kinds right = lint_expression(l, e->binary.right);
        check_binary(l, e, left, right);
        return kinds_of_binary((Operator)e->op, left, right);
    }
    }
}

Kinds lint_expression(Lint *l, const Ast *e)
{
    int below = l->chain.len;
    if (!e) return KINDS_ANY;
    for (const Ast *left; (left = ast_left(e)); e = left) VEC_PUSH(&l->chain, e);
    Kinds kinds = lint_plain(l, e);
    while (l->chain.len > below) {
        e = VEC_POP(&l->chain);
        kinds = lint_right(l, e, kinds);
    }
    return kinds;
}

void lint_condition(Lint *l, const Ast *e)
{
    check_condition(l, e, lint_expression(l, e));
}

/* Assignment. A target's path (p.layers[2].W[0, :]) is walked down to the place that is written;
 * every container on the way is unshared first, so the write is in place where nobody else sees it.
 */
#include "eval/assign.h"
#include "base/stack.h"
#include "eval/contract.h"
#include "eval/expression.h"
#include "eval/operator.h"
#include "eval/statement.h"
#include "eval/subscript.h"
#include "value/map.h"

/* ---- places ---- */

static Value *variable_place(Frame *f, const Ast *e)
{
    return e->name.scope == SCOPE_GLOBAL ? &f->module->value[e->name.slot] : &f->slot[e->name.slot];
}

static Value *place_of(Interp *in, Frame *f, const Ast *e);

/* The place of a field in the struct at owner. */
static Value *member_place(Interp *in, const Ast *e, Value *owner)
{
    if (owner->kind == VAL_MODULE) {
        error_set_at(&in->err, ERR_TYPE, e->span, "the names of module %s can't be assigned",
                     owner->module->name);
        return NULL;
    }
    int i = owner->kind == VAL_STRUCT ? struct_field_index(owner->strukt->type, e->field.name) : -1;
    if (i < 0) {
        no_such_field(in, e, *owner);
        return NULL;
    }
    value_unshare(owner);
    return &owner->strukt->field[i];
}

static Value *field_place(Interp *in, Frame *f, const Ast *e)
{
    Value *owner = place_of(in, f, e->field.target);
    return owner ? member_place(in, e, owner) : NULL;
}

/* The place of a map's key (made when missing, if create) or of a tuple's element. */
static Value *element_place(Interp *in, const Ast *e, Value *v, const Subscript *s, bool create)
{
    if (s->n != 1 || !value_is_set(s->value[0])) {
        not_one_index(in, e, *v);
        return NULL;
    }
    if (v->kind == VAL_TUPLE) {
        int64_t at;
        if (!position_in(in, s->value[0], v->tuple->len, "Tuple", &at)) return NULL;
        value_unshare(v);
        return &v->tuple->item[at];
    }
    if (!map_key_check(s->value[0], &in->err)) return NULL;
    if (!create && !map_get(v->map, s->value[0])) {
        missing_key(in, v->map, s->value[0]);
        return NULL;
    }
    value_unshare(v);
    return map_put(v->map, s->value[0]);
}

static bool is_container(Interp *in, const Ast *e, Value v)
{
    if (v.kind == VAL_TUPLE || v.kind == VAL_MAP) return true;
    error_set_at(&in->err, ERR_TYPE, e->span, "%s can't be assigned by index", value_type_name(v));
    if (v.kind == VAL_STR)
        error_hint(&in->err, "strings don't change: build a new one, or use replace");
    return false;
}

static Value *index_place(Interp *in, Frame *f, const Ast *e)
{
    Value *v = place_of(in, f, e->index.target);
    Subscript s;
    if (!v) return NULL;
    if (v->kind == VAL_ARR) {
        error_set_at(&in->err, ERR_TYPE, e->span,
                     "a part of an array has no parts of its own to assign");
        error_hint(&in->err, "put all indexes between one pair of brackets: X[i, j] = …");
        return NULL;
    }
    if (!is_container(in, e, *v) || !subscript_eval(in, f, e, &s)) return NULL;
    Value *place = element_place(in, e, v, &s, false);
    subscript_free(&s);
    return place;
}

static Value *place_of(Interp *in, Frame *f, const Ast *e)
{
    if (!stack_check(&in->err, "paths")) return NULL;
    Value *place = NULL;
    switch (e->kind) {
    case AST_NAME:
        place = variable_place(f, e);
        if (!value_is_set(*place)) {
            unset_name(in, f->module, e);
            return NULL;
        }
        return place;
    case AST_FIELD: place = field_place(in, f, e); break;
    case AST_INDEX: place = index_place(in, f, e); break;
    default: foreign_node(in, e); break;
    }
    if (!place) fail_at(in, e);
    return place;
}

/* ---- writing ---- */

static void replace_take(Value *place, Value v)
{
    Value old = *place;
    *place = v;
    value_release(old);
}

static bool write_array_element(Interp *in, Value *array, const Subscript *s, OpCode op, Value v)
{
    int64_t offset;
    return subscript_offset(in, array->arr, s, &offset) &&
           op_update_element(&in->ad, op, array, offset, v);
}

/* array[s] = v or += v. */
static bool write_array(Interp *in, const Ast *e, Value *array, Subscript *s, OpCode op, Value v)
{
    if (!value_is_numeric(v)) {
        error_set(&in->err, ERR_TYPE, "an array's elements must be numbers, not %s",
                  value_type_name(v));
        return fail_at(in, e);
    }
    if (s->all_ints && s->n == array->arr->rank && value_is_number(v))
        return write_array_element(in, array, s, op, v);
    Selection *selection = subscript_select(in, e, array->arr, s);
    if (!selection) return false;
    bool ok = op_update(&in->ad, op, array, selection, v);
    selection_release(selection);
    return ok;
}

static bool write_index(Interp *in, Frame *f, const Ast *e, Value v)
{
    Value *target = place_of(in, f, e->index.target);
    Subscript s;
    if (!target || (target->kind != VAL_ARR && !is_container(in, e, *target)) ||
        !subscript_eval(in, f, e, &s))
        return false;
    bool ok;
    if (target->kind == VAL_ARR) {
        ok = write_array(in, e, target, &s, OP_SET_INDEX, v);
    } else {
        Value *place = element_place(in, e, target, &s, true);
        if (place) replace_take(place, value_retain(v));
        ok = place != NULL;
    }
    subscript_free(&s);
    return ok || fail_at(in, e);
}

/* A struct's field keeps its annotation. Takes v. */
static bool store_field_take(Interp *in, const Ast *e, const Value *owner, Value *place, Value v)
{
    const StructType *type = owner->strukt->type;
    const Param *field = &type->decl->field[struct_field_index(type, e->field.name)];
    if (field->type && !field_check(in, type, field, &v)) {
        value_release(v);
        return fail_at(in, e);
    }
    replace_take(place, v);
    return true;
}

static bool write_field(Interp *in, Frame *f, const Ast *e, Value v)
{
    Value *owner = place_of(in, f, e->field.target);
    Value *place = owner ? member_place(in, e, owner) : NULL;
    return place && store_field_take(in, e, owner, place, value_retain(v));
}

static bool assign_borrowed(Interp *in, Frame *f, const Ast *target, Value v);

static bool wrong_unpack(Interp *in, const Ast *target, int64_t have)
{
    return error_set_at(&in->err, ERR_VALUE, target->span,
                        "%lld value%s can't be unpacked into %d names", (long long)have,
                        have == 1 ? "" : "s", target->list.len);
}

static bool unpack_array(Interp *in, Frame *f, const Ast *target, Value v)
{
    if (v.arr->dim[0] != target->list.len) return wrong_unpack(in, target, v.arr->dim[0]);
    for (int i = 0; i < target->list.len; i++) {
        Value row;
        if (!array_row(in, v, i, &row)) return false;
        bool ok = assign_borrowed(in, f, target->list.item[i], row);
        value_release(row);
        if (!ok) return false;
    }
    return true;
}

static bool unpack(Interp *in, Frame *f, const Ast *target, Value v)
{
    if (v.kind == VAL_ARR) return unpack_array(in, f, target, v);
    if (v.kind != VAL_TUPLE) {
        error_set_at(&in->err, ERR_TYPE, target->span,
                     "only tuples and arrays can be unpacked, not %s", value_type_name(v));
        if (v.kind == VAL_STR || v.kind == VAL_MAP)
            error_hint(&in->err, "the pairs of a map are items(m): for k, v in items(m) { … }");
        return false;
    }
    if (v.tuple->len != target->list.len) return wrong_unpack(in, target, v.tuple->len);
    for (int i = 0; i < target->list.len; i++)
        if (!assign_borrowed(in, f, target->list.item[i], v.tuple->item[i])) return false;
    return true;
}

static bool assign_borrowed(Interp *in, Frame *f, const Ast *target, Value v)
{
    switch (target->kind) {
    case AST_NAME: replace_take(variable_place(f, target), value_retain(v)); return true;
    case AST_TUPLE: return unpack(in, f, target, v);
    case AST_INDEX: return write_index(in, f, target, v);
    case AST_FIELD: return write_field(in, f, target, v);
    default: return foreign_node(in, target);
    }
}

bool assign_take(Interp *in, Frame *f, const Ast *target, Value v)
{
    if (target->kind == AST_NAME) {
        replace_take(variable_place(f, target), v);
        return true;
    }
    bool ok = assign_borrowed(in, f, target, v);
    value_release(v);
    return ok;
}

/* ---- augmented assignment ---- */

/* place op= v, with the operands in the error's note. */
static bool augment_place(Interp *in, const Ast *e, Value *place, Value v)
{
    Value made;
    if (!apply_operator_overwriting(in, (Operator)e->op, *place, v, &made)) {
        if (!span_is_set(in->err.span))
            note_operands(in, e->assign.target, *place, e->assign.value, v);
        return fail_at(in, e);
    }
    replace_take(place, made);
    return true;
}

/* Adding counts repeated positions each time. */
static bool subtract_by_adding(Interp *in, const Ast *e, Value *array, Subscript *s, Value v)
{
    Value number = v, negated;
    /* As a Float first: the negative of an Int's 0 is 0, which would lose a zero's sign. */
    bool converts = value_is_float(*array) && !value_is_float(v);
    if (converts && !op_to_float(&in->ad, v, &number)) return false;
    bool ok = op_apply1(&in->ad, OP_NEG, number, &negated);
    if (converts) value_release(number);
    if (!ok) return false;
    ok = write_array(in, e->assign.target, array, s, OP_ADD_INDEX, negated);
    value_release(negated);
    return ok;
}

static bool repeated_indexes(Interp *in, const Selection *selection)
{
    Array *winners = selection->is_gather ? selection_winners(selection, &in->err) : NULL;
    if (!winners) return false;
    array_release(winners);
    return true;
}

static bool augment_selection(Interp *in, const Ast *e, Value *array, Selection *selection, Value v)
{
    Value old, made;
    if (!op_index(&in->ad, *array, selection, &old)) return false;
    bool ok = apply_operator(in, (Operator)e->op, old, v, &made);
    if (!ok) note_operands(in, e->assign.target, old, e->assign.value, v);
    value_release(old);
    if (!ok) return false;
    ok = op_update(&in->ad, OP_SET_INDEX, array, selection, made);
    value_release(made);
    return ok;
}

static bool augment_array(Interp *in, const Ast *e, Value *array, Subscript *s, Value v)
{
    if (!value_is_numeric(v))
        return error_set(&in->err, ERR_TYPE, "an array's elements must be numbers, not %s",
                         value_type_name(v));
    if (e->op == OPERATOR_ADD) return write_array(in, e->assign.target, array, s, OP_ADD_INDEX, v);
    bool subtracts = e->op == OPERATOR_SUB;
    if (subtracts && (value_is_float(*array) || value_is_float(v)))
        return subtract_by_adding(in, e, array, s, v);
    Selection *selection = subscript_select(in, e->assign.target, array->arr, s);
    if (!selection) return false;
    bool ok, repeats = repeated_indexes(in, selection);
    if (repeats && !subtracts) {
        error_set(&in->err, ERR_INDEX, "repeated indexes can be assigned by =, += and -= only");
        ok = error_hint(&in->err, "read, compute, and assign: X[idx] = X[idx] %s …",
                        operator_text((Operator)e->op));
    } else if (repeats) {
        ok = subtract_by_adding(in, e, array, s, v);
    } else {
        ok = !error_is_set(&in->err) && augment_selection(in, e, array, selection, v);
    }
    selection_release(selection);
    return ok;
}

static bool augment_index(Interp *in, Frame *f, const Ast *e, Value v)
{
    const Ast *target = e->assign.target;
    Value *container = place_of(in, f, target->index.target);
    Subscript s;
    if (!container || (container->kind != VAL_ARR && !is_container(in, target, *container)))
        return false;
    if (!subscript_eval(in, f, target, &s)) return false;
    bool ok;
    if (container->kind == VAL_ARR) {
        ok = augment_array(in, e, container, &s, v);
    } else {
        Value *place = element_place(in, target, container, &s, false);
        ok = place && augment_place(in, e, place, v);
    }
    subscript_free(&s);
    return ok || fail_at(in, target);
}

static bool augment_field(Interp *in, Frame *f, const Ast *e, Value v)
{
    const Ast *target = e->assign.target;
    Value *owner = place_of(in, f, target->field.target);
    Value *place = owner ? member_place(in, target, owner) : NULL;
    Value made;
    if (!place) return false;
    if (!apply_operator_overwriting(in, (Operator)e->op, *place, v, &made)) {
        if (!span_is_set(in->err.span)) note_operands(in, target, *place, e->assign.value, v);
        return fail_at(in, e);
    }
    return store_field_take(in, target, owner, place, made);
}

bool augment(Interp *in, Frame *f, const Ast *e)
{
    Value temporary = {0};
    const Value *v = eval_borrow(in, f, e->assign.value, &temporary);
    if (!v) return false;
    const Ast *target = e->assign.target;
    Value held = value_retain(*v);
    bool ok;
    if (target->kind == AST_INDEX) {
        ok = augment_index(in, f, e, held);
    } else if (target->kind == AST_FIELD) {
        ok = augment_field(in, f, e, held);
    } else {
        Value *place = place_of(in, f, target);
        ok = place && augment_place(in, e, place, held);
    }
    value_release(held);
    value_clear(&temporary);
    return ok;
}

/* Building structs. */
#include "eval/call.h"
#include "eval/contract.h"
#include "eval/expression.h"
#include "eval/statement.h"
#include <string.h>

enum { FEW_FIELDS = 32 };

static bool fill_defaults(Interp *in, StructType *type, Value *slot)
{
    Frame f = {
        .module = type->module, .plan = type->module->plan, .name = type->name->text, .slot = NULL};
    uint32_t n = type->decl->n_slots;
    bool ok = true;
    for (int i = 0; i < type->n_fields && ok; i++) {
        const Ast *value = type->decl->field[i].default_value;
        if (value_is_set(slot[i])) continue;
        f.slot = mem_calloc(n, sizeof(Value));
        ok = eval(in, &f, value, &slot[i]);
        if (!ok) slot[i] = (Value){0};
        release_values(f.slot, (int)n);
        mem_free(f.slot);
    }
    return ok;
}

/* A size that is named like an Int field must agree with it. */
static void bind_int_fields(const StructDecl *decl, const Value *field, Value *size)
{
    for (int k = 0; k < decl->n_size_names; k++)
        for (int i = 0; i < decl->n_fields; i++)
            if (decl->field[i].name == decl->size_name[k] && field[i].kind == VAL_INT)
                size[k] = field[i];
}

/* Sizes that the contracts name are bound within one construction: slots of a frame of their own.
 */
static bool check_fields(Interp *in, StructType *type, const Call *call, Value *field)
{
    const StructDecl *decl = type->decl;
    Value few[FEW_FIELDS] = {0};
    Value *size = decl->n_size_names <= FEW_FIELDS
                      ? few
                      : mem_calloc((size_t)decl->n_size_names, sizeof *size);
    Frame f = {
        .slot = size, .module = type->module, .plan = type->module->plan, .name = type->name->text};
    bool ok = true;
    bind_int_fields(decl, field, size);
    for (int i = 0; i < type->n_fields && ok; i++) {
        if (!decl->field[i].type) continue;
        Contract c = {f.name, decl->field, field, decl->n_fields, i, NULL};
        ok = contract_check(in, &f, decl->field[i].type, &c, &field[i]);
        if (!ok) error_locate(&in->err, parameter_span(call, &decl->field[i], i));
    }
    if (size != few) mem_free(size);
    return ok;
}

bool construct_take(Interp *in, StructType *type, Call *call, Value *out)
{
    Struct *s = struct_new(type);
    *out = (Value){.kind = VAL_STRUCT, .strukt = s};
    const StructDecl *decl = type->decl;
    Callee c = {type->name->text, "field", decl->field, decl->n_fields};
    bool ok = bind_arguments(in, call, &c, s->field) && fill_defaults(in, type, s->field) &&
              check_fields(in, type, call, s->field);
    call_free(call);
    if (!ok) value_clear(out);
    return ok;
}

bool field_check(Interp *in, const StructType *type, const Param *field, Value *v)
{
    const StructDecl *decl = type->decl;
    Value *size = mem_calloc((size_t)decl->n_size_names, sizeof *size);
    Frame f = {
        .slot = size, .module = type->module, .plan = type->module->plan, .name = type->name->text};
    Contract c = {f.name, field, v, 1, 0, NULL};
    bool ok = contract_check(in, &f, field->type, &c, v);
    mem_free(size);
    return ok;
}

bool define_struct(Interp *in, Frame *f, const StructDecl *decl)
{
    (void)in;
    StructType *type = pool_alloc(sizeof *type);
    *type = (StructType){.head.refs = 1,
                         .name = decl->name,
                         .n_fields = decl->n_fields,
                         .decl = decl,
                         .module = f->module};
    Value *place = &f->module->value[decl->target_slot];
    Value old = *place;
    *place = value_fn(function_struct(type));
    struct_type_release(type);
    value_release(old);
    return true;
}

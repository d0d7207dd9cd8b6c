/* Annotations: types and shape contracts. */
#include "eval/contract.h"

#include <string.h>

#include "syntax/source.h"

/* ---- types ---- */

static bool is_struct_of(const Frame *f, const TypeAlternative *t, Value v)
{
    if (v.kind != VAL_STRUCT) return false;
    Value type = f->module->value[t->type.slot];
    return type.kind == VAL_FN && type.fn->variant == FN_STRUCT && type.fn->type == v.strukt->type;
}

static bool has_type(const Frame *f, const TypeAlternative *t, Value v)
{
    switch (t->builtin) {
    case TYPE_NONE: return v.kind == VAL_NONE;
    case TYPE_BOOL: return v.kind == VAL_BOOL;
    case TYPE_INT: return v.kind == VAL_INT;
    case TYPE_FLOAT: return v.kind == VAL_FLOAT;
    case TYPE_STR: return v.kind == VAL_STR;
    case TYPE_ARR: return value_is_numeric(v);
    case TYPE_TUPLE: return v.kind == VAL_TUPLE;
    case TYPE_MAP: return v.kind == VAL_MAP;
    case TYPE_FN: return v.kind == VAL_FN;
    default: return is_struct_of(f, t, v);
    }
}

/* ---- shapes ---- */

/* The axis that dim k of n stands for in an array of this rank: those after `...` count from the
 * end. */
static int axis_of(const TypeAlternative *t, int k, int rank)
{
    for (int i = 0; i < k; i++)
        if (t->dim[i].kind == DIM_REST) return rank - (t->n_dims - k);
    return k;
}

static bool rank_fits(const TypeAlternative *t, int rank)
{
    bool rest = false;
    for (int i = 0; i < t->n_dims; i++) rest |= t->dim[i].kind == DIM_REST;
    return rest ? rank >= t->n_dims - 1 : rank == t->n_dims;
}

static bool dim_fits(const Frame *f, const Dim *d, int64_t size)
{
    if (d->kind == DIM_SIZE) return size == d->size;
    if (d->kind != DIM_NAME) return true;
    Value bound = f->slot[d->slot];
    return bound.kind != VAL_INT || bound.i == size;
}

/* Whether the shape fits; *wrong is the first dim that does not, −1 for the rank. A name may stand
 * twice in one contract. */
static bool shape_fits(const Frame *f, const TypeAlternative *t, const Shape *s, int *wrong)
{
    *wrong = -1;
    if (t->n_dims < 0) return true;
    if (!rank_fits(t, s->rank)) return false;
    for (int k = 0; k < t->n_dims; k++) {
        const Dim *d = &t->dim[k];
        *wrong = k;
        if (d->kind == DIM_REST) continue;
        int64_t size = s->dim[axis_of(t, k, s->rank)];
        if (!dim_fits(f, d, size)) return false;
        for (int j = 0; j < k; j++)
            if (d->kind == DIM_NAME && t->dim[j].kind == DIM_NAME && t->dim[j].name == d->name &&
                s->dim[axis_of(t, j, s->rank)] != size)
                return false;
    }
    return true;
}

static void bind_sizes(Frame *f, const TypeAlternative *t, const Shape *s)
{
    for (int k = 0; k < t->n_dims; k++)
        if (t->dim[k].kind == DIM_NAME && !value_is_set(f->slot[t->dim[k].slot]))
            f->slot[t->dim[k].slot] = value_int(s->dim[axis_of(t, k, s->rank)]);
}

/* ---- messages ---- */

static void write_subject(StrBuf *out, const Contract *c)
{
    if (c->self < 0)
        strbuf_printf(out, "the result of %s", c->owner);
    else
        strbuf_printf(out, "%s of %s", c->param[c->self].name->text, c->owner);
}

static void write_annotation(StrBuf *out, const Annotation *type)
{
    size_t len;
    const char *text = source_text(type->span, &len);
    strbuf_bytes(out, text, len);
}

static bool wrong_type(Interp *in, const Annotation *type, const Contract *c, Value v)
{
    StrBuf subject = {0}, wanted = {0}, given = {0};
    write_subject(&subject, c);
    write_annotation(&wanted, type);
    value_describe(&given, v);
    error_set(&in->err, ERR_TYPE, "%s must be %s, not %s", strbuf_str(&subject),
              strbuf_str(&wanted), value_type_name(v));
    if (v.kind >= VAL_BOOL && v.kind <= VAL_ARR)
        error_note(&in->err, "it is %s", strbuf_str(&given));
    bool takes_arrays = false;
    for (int i = 0; i < type->len; i++) takes_arrays |= type->item[i].builtin == TYPE_ARR;
    if (v.kind == VAL_TUPLE && takes_arrays)
        error_hint(&in->err, "an array is written [a, b]; stack(t) makes one of a tuple");
    if (v.kind == VAL_NONE)
        error_hint(&in->err, "write %s | None where none is allowed", strbuf_str(&wanted));
    strbuf_free(&subject);
    strbuf_free(&wanted);
    strbuf_free(&given);
    return false;
}

/* The parameter (before c->self) whose contract names this size: it bound it. viv check knows some
 * of the values only. */
static const Param *binder(const Contract *c, const Dim *d)
{
    int end = c->self < 0 ? c->n_params : c->self;
    for (int i = 0; i < end; i++) {
        const Annotation *a = value_is_set(c->value[i]) ? c->param[i].type : NULL;
        for (int j = 0; a && j < a->len; j++)
            for (int k = 0; k < a->item[j].n_dims; k++)
                if (a->item[j].dim[k].kind == DIM_NAME && a->item[j].dim[k].name == d->name)
                    return &c->param[i];
    }
    return NULL;
}

/* Whether a shape still has the size that it bound: the body may have assigned the parameter. */
static bool gives_size(const Param *binder, const Dim *d, const Shape *s, int64_t size)
{
    for (int i = 0; i < binder->type->len; i++) {
        const TypeAlternative *t = &binder->type->item[i];
        for (int k = 0; k < t->n_dims; k++)
            if (t->dim[k].kind == DIM_NAME && t->dim[k].name == d->name && rank_fits(t, s->rank) &&
                s->dim[axis_of(t, k, s->rank)] == size)
                return true;
    }
    return false;
}

/* As value_describe writes it. */
static void write_shape(StrBuf *out, const Shape *s)
{
    strbuf_text(out, s->rank ? "Arr " : "a number");
    shape_write(out, s);
}

static bool size_conflict(Interp *in, Frame *f, const Contract *c, const Dim *d, const Shape *s,
                          int64_t size)
{
    StrBuf subject = {0}, shape = {0}, other = {0};
    write_subject(&subject, c);
    write_shape(&shape, s);
    const Param *first = binder(c, d);
    Value bound = f->slot[d->slot];
    const char *name = d->name->text;
    if (first) {
        Shape fs = value_shape(c->value[first - c->param]);
        write_shape(&other, &fs);
        bool shows = gives_size(first, d, &fs, bound.i);
        error_set(&in->err, ERR_SHAPE, "%s is %s, so %s = %lld, but %s%s%s%s gave %s = %lld",
                  strbuf_str(&subject), strbuf_str(&shape), name, (long long)size,
                  first->name->text, shows ? " is " : "", shows ? strbuf_str(&other) : "",
                  shows ? ", which" : "", name, (long long)bound.i);
    } else if (bound.kind == VAL_INT) {
        error_set(&in->err, ERR_SHAPE, "%s is %s, so %s = %lld, but %s is %lld",
                  strbuf_str(&subject), strbuf_str(&shape), name, (long long)size, name,
                  (long long)bound.i);
    } else {
        error_set(&in->err, ERR_SHAPE, "%s is %s: its sizes named %s differ", strbuf_str(&subject),
                  strbuf_str(&shape), name);
    }
    strbuf_free(&subject);
    strbuf_free(&shape);
    strbuf_free(&other);
    return false;
}

static bool wrong_shape(Interp *in, Frame *f, const TypeAlternative *t, const Annotation *type,
                        const Contract *c, const Shape *s, int wrong)
{
    if (wrong >= 0 && t->dim[wrong].kind == DIM_NAME)
        return size_conflict(in, f, c, &t->dim[wrong], s, s->dim[axis_of(t, wrong, s->rank)]);
    StrBuf subject = {0}, wanted = {0}, shape = {0};
    write_subject(&subject, c);
    write_annotation(&wanted, type);
    write_shape(&shape, s);
    error_set(&in->err, ERR_SHAPE, "%s must be %s, but is %s", strbuf_str(&subject),
              strbuf_str(&wanted), strbuf_str(&shape));
    strbuf_free(&subject);
    strbuf_free(&wanted);
    strbuf_free(&shape);
    return false;
}

/* The head of the function, on one line. */
void contract_note(Interp *in, const FunctionDecl *decl)
{
    StrBuf head = {0};
    size_t len;
    const char *text = source_text(decl->head_span, &len);
    for (size_t i = 0; i < len; i++) {
        bool is_blank = strchr(" \t\r\n", text[i]) != NULL;
        if (!is_blank)
            strbuf_char(&head, text[i]);
        else if (head.len && head.data[head.len - 1] != ' ')
            strbuf_char(&head, ' ');
    }
    error_note(&in->err, "its contract is %s", strbuf_str(&head));
    strbuf_free(&head);
}

/* ---- the check ---- */

static bool to_float(Interp *in, Value *v)
{
    Value made;
    if (!op_to_float(&in->ad, *v, &made)) return false;
    *v = made;
    return true;
}

/* A size of an array: free is one that its name does not have yet. */
static inline bool has_size(const Frame *f, const Dim *d, int64_t size, bool *free)
{
    *free = d->kind == DIM_NAME && !value_is_set(f->slot[d->slot]);
    if (d->kind == DIM_ANY || *free) return true;
    if (d->kind == DIM_SIZE) return d->size == size;
    return d->kind == DIM_NAME && f->slot[d->slot].kind == VAL_INT && f->slot[d->slot].i == size;
}

/* Arr, Arr[n] or Arr[n, d] for an array of as many axes: what nearly every contract is. Binds;
 * false, with nothing done, where the general way is needed, also for its messages. */
static bool fits_plainly(Frame *f, const Annotation *type, Value v)
{
    const TypeAlternative *t = &type->item[0];
    bool first_free = false, free;
    if (type->len != 1 || t->builtin != TYPE_ARR || v.kind != VAL_ARR) return false;
    if (t->n_dims < 0) return true;
    if (t->n_dims != v.arr->rank || t->n_dims > 2) return false;
    for (int k = 0; k < t->n_dims; k++) {
        if (!has_size(f, &t->dim[k], v.arr->dim[k], &free)) return false;
        if (first_free && free && t->dim[0].slot == t->dim[1].slot) return false;
        first_free |= free;
    }
    if (first_free) {
        Shape s = shape_of(v.arr);
        bind_sizes(f, t, &s);
    }
    return true;
}

static bool check_generally(Interp *in, Frame *f, const Annotation *type, const Contract *c,
                            Value *v)
{
    const TypeAlternative *misfit = NULL;
    Shape s = value_is_numeric(*v) ? value_shape(*v) : (Shape){0};
    int wrong = -1;
    for (int i = 0; i < type->len; i++) {
        const TypeAlternative *t = &type->item[i];
        if (!has_type(f, t, *v)) continue;
        if (t->builtin != TYPE_ARR || shape_fits(f, t, &s, &wrong)) {
            if (t->builtin == TYPE_ARR) bind_sizes(f, t, &s);
            return true;
        }
        misfit = t;
    }
    if (misfit) return wrong_shape(in, f, misfit, type, c, &s, wrong);
    for (int i = 0; i < type->len; i++)
        if (type->item[i].builtin == TYPE_FLOAT && v->kind == VAL_INT) return to_float(in, v);
    return wrong_type(in, type, c, *v);
}

bool contract_check(Interp *in, Frame *f, const Annotation *type, const Contract *c, Value *v)
{
    if (fits_plainly(f, type, *v) || check_generally(in, f, type, c, v)) return true;
    if (c->function) contract_note(in, c->function);
    return false;
}

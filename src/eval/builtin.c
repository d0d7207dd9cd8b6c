#include "eval/builtin.h"

#include <stdarg.h>
#include <string.h>

#include "base/suggest.h"
#include "eval/call.h"
#include "eval/signature.h"
#include "syntax/source.h"

/* ---- the registry ---- */

static const BuiltinTopic *all_topics;
static const BuiltinAdvice *all_advice;
static VEC_OF(const Builtin *) records;
static struct {
    Symbol *name; /* open addressing on the symbol's hash */
    int *index;
    uint32_t cap;
} names;

static void names_build(void)
{
    names.cap = 64;
    while (names.cap < 2 * (uint32_t)records.len) names.cap *= 2;
    names.name = mem_calloc(names.cap, sizeof *names.name);
    names.index = mem_calloc(names.cap, sizeof *names.index);
    for (int i = 0; i < records.len; i++) {
        Symbol s = symbol_of(records.item[i]->name);
        uint32_t at = s->hash & (names.cap - 1);
        while (names.name[at]) at = (at + 1) & (names.cap - 1);
        names.name[at] = s;
        names.index[at] = i;
    }
}

void builtins_register(const BuiltinTopic *topics, const BuiltinAdvice *advice)
{
    all_topics = topics;
    all_advice = advice;
    for (; topics->table; topics++)
        for (const Builtin *b = topics->table; b->name; b++) VEC_PUSH(&records, b);
    names_build();
    signatures_start(records.len);
}

const BuiltinTopic *builtins_topics(void)
{
    return all_topics;
}

int builtin_index(Symbol name)
{
    uint32_t at = name->hash & (names.cap - 1);
    for (; names.name[at]; at = (at + 1) & (names.cap - 1))
        if (names.name[at] == name) return names.index[at];
    return -1;
}

const char *builtin_name(int index)
{
    return index < records.len ? records.item[index]->name : NULL;
}

const Builtin *builtin_at(int index)
{
    return records.item[index];
}

void builtins_free(void)
{
    signatures_free();
    VEC_FREE(&records);
    mem_free(names.name);
    mem_free(names.index);
    names.name = NULL;
    names.index = NULL;
}

/* ---- errors about arguments ---- */

static const Argument *site_argument(const Args *a, int i)
{
    if (!a->site || i < 0) return NULL;
    if (i < a->n) return i < a->site->call.n_positional ? &a->site->call.arg[i] : NULL;
    const char *wanted = signature_keyword(a->builtin, i - a->n);
    for (int k = a->site->call.n_positional; wanted && k < a->site->call.n_args; k++)
        if (strcmp(a->site->call.arg[k].name->text, wanted) == 0) return &a->site->call.arg[k];
    return NULL;
}

bool arg_failed(Interp *in, const Args *a, int i)
{
    const Argument *argument = site_argument(a, i);
    if (argument) error_locate(&in->err, argument->value->span);
    return false;
}

bool arg_error(Interp *in, const Args *a, int i, ErrorKind kind, const char *format, ...)
{
    StrBuf text = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&text, format, args);
    va_end(args);
    error_set(&in->err, kind, "%s", strbuf_str(&text));
    strbuf_free(&text);
    return arg_failed(in, a, i);
}

/* A tuple where an array is wanted. */
static bool hint_array(Interp *in, const Args *a, int i)
{
    const Argument *argument = site_argument(a, i);
    const Ast *e = argument ? argument->value : NULL;
    if (e && e->kind == AST_COMPREHENSION)
        return error_hint(&in->err, "write %s([x for x in v]): brackets make an array of it",
                          a->builtin->name);
    if (e && e->kind == AST_TUPLE)
        return error_hint(&in->err, "parentheses make a tuple; an array is written [1.0, 2.0]");
    return error_hint(&in->err, "stack(t) makes an array of a tuple's parts");
}

static bool wrong_kind(Interp *in, const Args *a, int i, const char *wanted)
{
    Value v = i < a->n ? a->pos[i] : a->kw[i - a->n];
    const char *name =
        i < a->n ? signature_parameter(a->builtin, i) : signature_keyword(a->builtin, i - a->n);
    StrBuf given = {0};
    value_describe(&given, v);
    arg_error(in, a, i, ERR_TYPE, "%s: %s must be %s, not %s", a->builtin->name, name, wanted,
              value_type_name(v));
    if (value_is_number(v) || v.kind == VAL_STR || v.kind == VAL_ARR)
        error_note(&in->err, "it is %s", strbuf_str(&given));
    strbuf_free(&given);
    if (v.kind == VAL_TUPLE && strstr(wanted, "array")) hint_array(in, a, i);
    return false;
}

/* ---- arguments of the kinds that builtins take ---- */

bool arg_int(Interp *in, const Args *a, int i, int64_t *v)
{
    if (a->pos[i].kind != VAL_INT) {
        wrong_kind(in, a, i, "an Int");
        if (a->pos[i].kind == VAL_FLOAT)
            error_hint(&in->err, "round(x), floor(x) or int(x) makes an Int");
        return false;
    }
    *v = a->pos[i].i;
    return true;
}

bool arg_float(Interp *in, const Args *a, int i, double *v)
{
    Value given = a->pos[i];
    if (!value_is_real(given)) return wrong_kind(in, a, i, "a number");
    *v = value_double(given);
    return true;
}

bool arg_str(Interp *in, const Args *a, int i, const Str **v)
{
    if (a->pos[i].kind != VAL_STR) return wrong_kind(in, a, i, "a Str");
    *v = a->pos[i].str;
    return true;
}

bool arg_numeric(Interp *in, const Args *a, int i)
{
    return value_is_numeric(a->pos[i]) || wrong_kind(in, a, i, "a number or an array");
}

bool arg_array(Interp *in, const Args *a, int i)
{
    return a->pos[i].kind == VAL_ARR || wrong_kind(in, a, i, "an array");
}

bool arg_function(Interp *in, const Args *a, int i)
{
    return a->pos[i].kind == VAL_FN || wrong_kind(in, a, i, "a function");
}

bool kw_bool(Interp *in, const Args *a, int k, bool otherwise, bool *v)
{
    *v = otherwise;
    if (!value_is_set(a->kw[k])) return true;
    if (a->kw[k].kind != VAL_BOOL) return wrong_kind(in, a, a->n + k, "true or false");
    *v = a->kw[k].b;
    return true;
}

bool kw_float(Interp *in, const Args *a, int k, double otherwise, double *v)
{
    Value given = a->kw[k];
    *v = otherwise;
    if (!value_is_set(given)) return true;
    if (!value_is_real(given)) return wrong_kind(in, a, a->n + k, "a number");
    *v = value_double(given);
    return true;
}

bool kw_str(Interp *in, const Args *a, int k, const Str **v)
{
    *v = NULL;
    if (!value_is_set(a->kw[k])) return true;
    if (a->kw[k].kind != VAL_STR) return wrong_kind(in, a, a->n + k, "a Str");
    *v = a->kw[k].str;
    return true;
}

static bool axis_of(Interp *in, const Args *a, int k, Value v, const Shape *s, int *axis)
{
    if (v.kind != VAL_INT) return wrong_kind(in, a, a->n + k, "an Int");
    return shape_axis(s, v.i, axis, &in->err) || arg_failed(in, a, a->n + k);
}

bool kw_axis(Interp *in, const Args *a, int k, const Shape *s, bool *given, int *axis)
{
    *given = value_is_set(a->kw[k]) && a->kw[k].kind != VAL_NONE;
    return !*given || axis_of(in, a, k, a->kw[k], s, axis);
}

bool kw_axes(Interp *in, const Args *a, int k, const Shape *s, unsigned *axes)
{
    Value v = a->kw[k];
    *axes = (1u << s->rank) - 1;
    if (!value_is_set(v) || v.kind == VAL_NONE) return true;
    *axes = 0;
    bool is_tuple = v.kind == VAL_TUPLE;
    for (int i = 0; i < (is_tuple ? v.tuple->len : 1); i++) {
        int axis;
        if (!axis_of(in, a, k, is_tuple ? v.tuple->item[i] : v, s, &axis)) return false;
        if (*axes >> axis & 1)
            return arg_error(in, a, a->n + k, ERR_VALUE, "%s: axis %d is named twice",
                             a->builtin->name, axis);
        *axes |= 1u << axis;
    }
    return true;
}

bool arg_shape(Interp *in, const Args *a, int i, bool allow_minus_one, Shape *s)
{
    const Value *size;
    int n;
    if (!arg_parts(in, a, i, &size, &n)) return false;
    if (n > MAX_RANK)
        return arg_error(in, a, i, ERR_SHAPE, "%s: a shape has at most %d sizes, this one has %d",
                         a->builtin->name, MAX_RANK, n);
    *s = (Shape){.rank = n};
    for (int k = 0; k < n; k++) {
        int at = a->n - i == n ? i + k : i;
        if (size[k].kind != VAL_INT)
            return arg_error(in, a, at, ERR_TYPE, "%s: a size must be an Int, not %s",
                             a->builtin->name, value_type_name(size[k]));
        if (size[k].i < (allow_minus_one ? -1 : 0))
            return arg_error(in, a, at, ERR_SHAPE, "%s: size %lld is negative", a->builtin->name,
                             (long long)size[k].i);
        s->dim[k] = size[k].i;
    }
    return true;
}

bool arg_parts(Interp *in, const Args *a, int i, const Value **part, int *n)
{
    (void)in;
    bool is_tuple = a->n - i == 1 && a->pos[i].kind == VAL_TUPLE;
    *part = is_tuple ? a->pos[i].tuple->item : a->pos + i;
    *n = is_tuple ? a->pos[i].tuple->len : a->n - i;
    return true;
}

const char *arg_source(const Args *a, int i, size_t *len)
{
    const Argument *argument = i < a->n ? site_argument(a, i) : NULL;
    return argument ? source_text(argument->value->span, len) : NULL;
}

/* ---- the call ---- */

static void hint_too_many(Interp *in, const Builtin *b, const Signature *s)
{
    for (const BuiltinAdvice *advice = all_advice; advice->name; advice++)
        if (strcmp(advice->name, b->name) == 0) error_hint(&in->err, "%s", advice->too_many);
    if (s->n_keywords)
        error_hint(&in->err, "%s is given by its name: write %s = …", s->keyword[0]->text,
                   s->keyword[0]->text);
}

static bool wrong_count(Interp *in, const Builtin *b, const Signature *s, const Call *call)
{
    StrBuf text = {0};
    signature_write_count(&text, b, call->n_positional);
    error_set(&in->err, ERR_TYPE, "%s", text.data);
    strbuf_free(&text);
    error_note(&in->err, "its signature is %s", b->signature);
    if (call->n_positional < s->min) return false;
    error_locate(&in->err, argument_span(call, s->max));
    hint_too_many(in, b, s);
    return false;
}

/* Keyword argument k of the call. */
static bool place_keyword(Interp *in, const Builtin *b, const Signature *s, Args *a,
                          const Call *call, int k_given)
{
    Symbol name = call->kw_name[k_given - call->n_positional];
    for (int k = 0; k < s->n_keywords; k++) {
        if (s->keyword[k] != name) continue;
        a->kw[k] = call->value[k_given];
        return true;
    }
    error_set(&in->err, ERR_TYPE, "%s has no keyword argument %s", b->name, name->text);
    error_locate(&in->err, keyword_span(call, k_given));
    error_note(&in->err, "its signature is %s", b->signature);
    Suggest near = suggest_start(name->text);
    for (int k = 0; k < s->n_keywords; k++) suggest_offer(&near, s->keyword[k]->text);
    if (near.best) error_hint(&in->err, "did you mean %s?", near.best);
    for (int i = 0; i < s->n_parameters; i++)
        if (s->parameter[i] == name)
            error_hint(&in->err, "%s is positional: write it without its name", name->text);
    return false;
}

bool builtin_bind(Interp *in, const Builtin *b, const Call *call, Args *a)
{
    const Signature *s = signature_of(b);
    *a = (Args){.pos = call->value, .n = call->n_positional, .site = call->site, .builtin = b};
    if (s->passes_keywords) {
        a->through_name = call->kw_name;
        a->through = call->value + call->n_positional;
        a->n_through = call->n - call->n_positional;
    } else {
        for (int k = a->n; k < call->n; k++)
            if (!place_keyword(in, b, s, a, call, k)) return false;
    }
    bool fits = a->n >= s->min && (s->max < 0 || a->n <= s->max);
    return fits || wrong_count(in, b, s, call);
}

bool call_builtin_take(Interp *in, const Builtin *b, Call *call, Value *out)
{
    Args a;
    bool ok = builtin_bind(in, b, call, &a) && b->function(in, &a, out);
    call_free(call);
    return ok;
}

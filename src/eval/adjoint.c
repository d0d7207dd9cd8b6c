#include "eval/adjoint.h"

#include <string.h>

#include "ad/custom.h"
#include "value/structure.h"

/* ---- when ---- */

static bool captured_is_tracked(Interp *in, const Function *owner, const Function *f,
                                const char *name)
{
    for (int i = 0; i < f->n_captured; i++) {
        int level;
        if (!ad_level_of(&in->ad, f->captured[i], &level)) return false;
        if (level == 0) continue;
        const char *captured = f->variant == FN_CLOSURE ? f->closure.decl->capture[i].name->text
                                                        : "something that is being differentiated";
        error_set(
            &in->err, ERR_TYPE,
            "%s has a hand-written adjoint, so the derivative through %s, which %s captured, would be lost",
            function_name(owner), captured, name);
        return error_hint(&in->err, "pass %s as an argument of %s", captured, function_name(owner));
    }
    return true;
}

bool adjoint_wanted(Interp *in, const Function *fn, const Value *arg, bool *use)
{
    const FunctionDecl *decl = fn->closure.decl;
    *use = false;
    if (!fn->closure.adjoint || in->plain_function == fn || in->ad.depth == 0) return true;
    for (int i = 0; i < decl->n_params; i++) {
        int level;
        if (arg[i].kind == VAL_FN &&
            !captured_is_tracked(in, fn, arg[i].fn, decl->param[i].name->text))
            return false;
        if (!ad_level_of(&in->ad, arg[i], &level)) return false;
        *use |= level > 0;
    }
    return true;
}

/* ---- the adjoint's answer ---- */

/* An error about what the adjoint returned is marked at its head. */
static bool wrong_answer(Interp *in, const Function *fn)
{
    error_locate(&in->err, fn->closure.adjoint->closure.decl->head_span);
    return false;
}

static bool wrong_count(Interp *in, const Function *fn, Value answer, int n)
{
    StrBuf given = {0};
    value_describe(&given, answer);
    error_set(
        &in->err, ERR_TYPE,
        "the adjoint of %s must return a tuple of %d cotangents, one for each parameter, not %s",
        function_name(fn), n, strbuf_str(&given));
    strbuf_free(&given);
    return wrong_answer(in, fn);
}

static bool spread_answer(Interp *in, const Function *fn, Value answer, Value *given)
{
    int n = fn->closure.decl->n_params;
    if (n == 1) {
        given[0] = value_retain(answer);
        return true;
    }
    if (answer.kind != VAL_TUPLE || answer.tuple->len != n) return wrong_count(in, fn, answer, n);
    for (int i = 0; i < n; i++) given[i] = value_retain(answer.tuple->item[i]);
    return true;
}

/* The cotangents of fn's parameters by its adjoint, n of them, owned; their count is checked. */
static bool adjoint_apply(Interp *in, Function *fn, const Value *arg, Value cotangent, Value *given)
{
    int n = fn->closure.decl->n_params;
    Value *all = mem_alloc((size_t)(n + 1) * sizeof *all), answer;
    memcpy(all, arg, (size_t)n * sizeof *all);
    all[n] = cotangent;
    bool ok = call_value(in, value_fn(fn->closure.adjoint), all, n + 1, NULL, NULL, 0, &answer);
    mem_free(all);
    if (!ok) return false;
    ok = spread_answer(in, fn, answer, given);
    value_release(answer);
    return ok;
}

/* ---- the rule that ad/custom.h asks for ---- */

static bool primal(void *context, Value function, const Value *arg, int n, Value *out)
{
    return call_value(context, function, arg, n, NULL, NULL, 0, out);
}

static bool pullback(void *context, Value function, const Value *arg, int n, Value cotangent,
                     Value *given)
{
    (void)n;
    return adjoint_apply(context, function.fn, arg, cotangent, given);
}

typedef struct {
    Interp *in;
    const Function *fn;
    const char *parameter;
} Fit;

static bool fit_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Fit *f = context;
    Value arg = leaf[0], given = leaf[1];
    (void)n;
    *out = value_none();
    if (!value_is_float(arg)) return true;
    Shape want = value_shape(arg),
          have = value_is_numeric(given) ? value_shape(given) : (Shape){.rank = -1};
    if (shape_equal(&want, &have)) return true;
    StrBuf a = {0}, b = {0};
    value_describe(&a, arg);
    value_describe(&b, given);
    error_set(&f->in->err, ERR_SHAPE,
              "the adjoint of %s must return a cotangent shaped like %s, %s, but it is %s",
              function_name(f->fn), f->parameter, strbuf_str(&a), strbuf_str(&b));
    if (given.kind == VAL_NONE)
        error_hint(&f->in->err,
                   "return gives the cotangent; for what has no influence it is zeros_like(%s)",
                   f->parameter);
    strbuf_free(&a);
    strbuf_free(&b);
    return false;
}

static bool misfit(void *context, Value function, int i, Value arg, Value given)
{
    Interp *in = context;
    Fit f = {in, function.fn, function.fn->closure.decl->param[i].name->text};
    Value pair[2] = {arg, given}, ignored;
    if (!structure_map(pair, 2, false, fit_leaf, &f, &ignored, &in->err)) {
        if (in->err.kind == ERR_TYPE)
            error_note(&in->err,
                       "the adjoint of %s returned another structure as the cotangent of %s",
                       function_name(f.fn), f.parameter);
        return wrong_answer(in, f.fn);
    }
    value_release(ignored);
    return true;
}

bool adjoint_call(Interp *in, Function *fn, const Value *arg, Value *out)
{
    CustomRule rule = {.context = in,
                       .function = value_fn(fn),
                       .primal = primal,
                       .pullback = pullback,
                       .misfit = misfit};
    return ad_custom(&in->ad, &rule, arg, fn->closure.decl->n_params, out);
}

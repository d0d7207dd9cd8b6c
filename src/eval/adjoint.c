#include "eval/adjoint.h"

#include <string.h>

#include "ad/custom.h"
#include "eval/call.h"
#include "value/structure.h"

/* ---- captured values, whose derivatives no adjoint gives ---- */

/* "a of inner, in g[0] of outer, in f of run" */
static void write_way(StrBuf *out, const Place *at)
{
    const char *before = "";
    for (const Place *capture; (capture = place_capture(at)); at = capture->outer) {
        strbuf_text(out, before);
        place_write(out, at);
        strbuf_printf(out, " of %s", function_name(capture->function));
        before = ", in ";
    }
}

static bool fail_captured(Interp *in, const Function *fn, const Place *at)
{
    const char *name = function_name(fn);
    const Place *capture = place_capture(at);
    StrBuf way = {0}, what = {0};
    place_write(&what, at);
    error_set(
        &in->err, ERR_TYPE,
        "%s has a hand-written adjoint, so the derivative through %s, which %s captured, would be lost",
        name, strbuf_str(&what), function_name(capture->function));
    write_way(&way, at);
    error_note(&in->err, "it is %s", strbuf_str(&way));
    strbuf_free(&way);
    strbuf_free(&what);
    return false;
}

static bool fail_argument(Interp *in, const Function *fn, const Place *at)
{
    StrBuf holder = {0};
    fail_captured(in, fn, at);
    while (place_capture(at)->outer) at = place_capture(at)->outer;
    place_write(&holder, at);
    error_hint(&in->err,
               "give %s a parameter for it, or hold it constant: pass stop_gradient(…) as %s",
               function_name(fn), strbuf_str(&holder));
    strbuf_free(&holder);
    return false;
}

static bool fail_result(Interp *in, const Function *fn, const Place *at)
{
    fail_captured(in, fn, at);
    return error_hint(&in->err, "return what it captured, and make the function after the call");
}

typedef struct {
    Interp *in;
    const Function *fn;
    bool found;
} Search;

static bool tracked_leaf(void *context, const Value *leaf, const Place *at)
{
    Search *s = context;
    if (value_is_plain(*leaf)) return true;
    s->found = true;
    bool is_captured = place_capture(at)->outer != NULL;
    return !is_captured || fail_argument(s->in, s->fn, at);
}

/* What a result's functions captured has been computed from arguments that look constant. */
static bool returned_leaf(void *context, const Value *leaf, const Place *at)
{
    Search *s = context;
    bool is_captured = place_capture(at)->outer != NULL;
    return !is_captured || !value_is_float(*leaf) || fail_result(s->in, s->fn, at);
}

bool adjoint_wanted(Interp *in, const Function *fn, const Call *call, const Value *arg, bool *use)
{
    const FunctionDecl *decl = fn->closure.decl;
    Search s = {in, fn, false};
    *use = false;
    if (!fn->closure.adjoint || in->plain_function == fn || in->ad.depth == 0) return true;
    for (int i = 0; i < decl->n_params; i++) {
        Place top = {.function = fn, .name = decl->param[i].name};
        if (structure_visit_captured(arg[i], &top, tracked_leaf, &s, &in->err)) continue;
        error_locate(&in->err, parameter_span(call, &decl->param[i], i));
        return false;
    }
    *use = s.found;
    return true;
}

/* ---- the adjoint's answer ---- */

/* An error about what the adjoint returned, for parameter i or as a whole (-1). */
static bool wrong_answer(Interp *in, const Function *fn, int i)
{
    const FunctionDecl *decl = fn->closure.adjoint->closure.decl;
    const Ast *e = returned_expression(in, decl);
    bool shows_parts = e && e->kind == AST_TUPLE && e->list.len == fn->closure.decl->n_params;
    if (i >= 0 && shows_parts) e = e->list.item[i];
    error_locate(&in->err, e ? e->span : decl->head_span);
    return false;
}

bool adjoint_wrong_count(Interp *in, const char *function, int n, const char *given)
{
    if (n == 1)
        return error_set(&in->err, ERR_TYPE,
                         "the adjoint of %s must return the cotangent of its parameter, not %s",
                         function, given);
    return error_set(
        &in->err, ERR_TYPE,
        "the adjoint of %s must return a tuple of %d cotangents, one for each parameter, not %s",
        function, n, given);
}

static bool spread_answer(Interp *in, const Function *fn, Value answer, Value *given)
{
    int n = fn->closure.decl->n_params;
    if (n == 1) {
        given[0] = value_retain(answer);
        return true;
    }
    if (answer.kind != VAL_TUPLE || answer.tuple->len != n) {
        StrBuf text = {0};
        value_describe(&text, answer);
        adjoint_wrong_count(in, function_name(fn), n, strbuf_str(&text));
        strbuf_free(&text);
        return wrong_answer(in, fn, -1);
    }
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
    Interp *in = context;
    Search s = {in, function.fn, false};
    Place top = {.function = function.fn, .name = symbol_of("the result")};
    if (!call_value(in, function, arg, n, NULL, NULL, 0, out)) return false;
    if (structure_visit_captured(*out, &top, returned_leaf, &s, &in->err)) return true;
    value_clear(out);
    return false;
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

static bool fit_leaf(void *context, const Value *leaf, const Place *at)
{
    const Fit *f = context;
    Value arg = leaf[0], given = leaf[1];
    if (!value_is_float(arg)) return true;
    Shape want = value_shape(arg),
          have = value_is_numeric(given) ? value_shape(given) : (Shape){.rank = -1};
    if (shape_equal(&want, &have)) return true;
    StrBuf a = {0}, b = {0}, where = {0};
    value_describe(&a, arg);
    value_describe(&b, given);
    strbuf_text(&where, f->parameter);
    place_write(&where, at);
    error_set(&f->in->err, ERR_SHAPE,
              "the adjoint of %s must return a cotangent shaped like %s, %s, but it is %s",
              function_name(f->fn), strbuf_str(&where), strbuf_str(&a), strbuf_str(&b));
    if (given.kind == VAL_NONE)
        error_hint(&f->in->err,
                   "return gives the cotangent; for what has no influence it is zeros_like(%s)",
                   strbuf_str(&where));
    strbuf_free(&where);
    strbuf_free(&a);
    strbuf_free(&b);
    return false;
}

static bool misfit(void *context, Value function, int i, Value arg, Value given)
{
    Interp *in = context;
    Fit f = {in, function.fn, function.fn->closure.decl->param[i].name->text};
    Value pair[2] = {arg, given};
    if (structure_visit(pair, 2, fit_leaf, &f, &in->err)) return true;
    if (in->err.kind == ERR_TYPE)
        error_note(&in->err, "the adjoint of %s returned another structure as the cotangent of %s",
                   function_name(f.fn), f.parameter);
    return wrong_answer(in, f.fn, i);
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

/* Calls of functions that are known: counts, keywords, and shapes of literals. */
#include "array/array.h"
#include "base/suggest.h"
#include "cli/check/lint_walk.h"
#include "eval/signature.h"

/* ---- builtins ---- */

static void check_builtin(Lint *l, const Ast *e)
{
    const Builtin *b = builtin_at((int)e->call.callee->name.slot);
    const Signature *s = signature_of(b);
    int n = e->call.n_positional;
    if (s->is_constant) return;
    if (n < s->min || (s->max >= 0 && n > s->max)) {
        StrBuf text = {0};
        signature_write_count(&text, b, n);
        Span span = n < s->min ? e->span : e->call.arg[s->max].value->span;
        Error *found = lint_add(l, false, span, "%s", text.data);
        error_note(found, "its signature is %s", b->signature);
        strbuf_free(&text);
    }
    for (int i = n; i < e->call.n_args && !s->passes_keywords; i++) {
        Symbol name = e->call.arg[i].name;
        bool known = false;
        for (int k = 0; k < s->n_keywords; k++) known |= s->keyword[k] == name;
        if (known) continue;
        Error *found = lint_add(l, false, e->call.arg[i].name_span, "%s has no keyword argument %s",
                                b->name, name->text);
        error_note(found, "its signature is %s", b->signature);
    }
}

/* ---- shapes that the text shows ---- */

/* The shape of a literal; false where it does not show. */
static bool literal_shape(const Ast *e, Shape *s)
{
    if (e->kind == AST_INT || e->kind == AST_FLOAT) {
        *s = shape_scalar();
        return true;
    }
    if (e->kind != AST_ARRAY) return false;
    Shape part = {0};
    if (e->list.len && !literal_shape(e->list.item[0], &part)) return false;
    if (part.rank == MAX_RANK) return false;
    *s = (Shape){.rank = part.rank + 1};
    s->dim[0] = e->list.len;
    for (int i = 0; i < part.rank; i++) s->dim[i + 1] = part.dim[i];
    return true;
}

/* Sizes that names of this call's contracts stand for. */
typedef struct {
    Symbol name[16];
    int64_t size[16];
    const Param *from[16];
    int n;
} Sizes;

static bool bind(Sizes *sizes, const Dim *d, int64_t size, const Param *param, int *at)
{
    for (*at = 0; *at < sizes->n; ++*at)
        if (sizes->name[*at] == d->name) return sizes->size[*at] == size;
    if (sizes->n == 16) return true;
    sizes->name[sizes->n] = d->name;
    sizes->from[sizes->n] = param;
    sizes->size[sizes->n++] = size;
    return true;
}

static void check_shape(Lint *l, const Param *param, const Ast *value, Sizes *sizes)
{
    Shape s;
    const TypeAlternative *t = param->type && param->type->len == 1 ? &param->type->item[0] : NULL;
    if (!t || t->builtin != TYPE_ARR || t->n_dims < 0 || !literal_shape(value, &s)) return;
    for (int k = 0; k < t->n_dims; k++)
        if (t->dim[k].kind == DIM_REST) return;
    if (t->n_dims != s.rank) {
        lint_add(l, false, value->span, "%s must have rank %d, not %d", param->name->text,
                 t->n_dims, s.rank);
        return;
    }
    for (int k = 0; k < s.rank; k++) {
        const Dim *d = &t->dim[k];
        long long size = (long long)s.dim[k];
        int at;
        if (d->kind == DIM_SIZE && d->size != s.dim[k])
            lint_add(l, false, value->span, "axis %d of %s must have size %lld, not %lld", k,
                     param->name->text, (long long)d->size, size);
        if (d->kind == DIM_NAME && !bind(sizes, d, s.dim[k], param, &at))
            lint_add(l, false, value->span, "%s is %lld here, but %s gave %s = %lld", d->name->text,
                     size, sizes->from[at]->name->text, d->name->text, (long long)sizes->size[at]);
    }
}

/* ---- functions and structs of the file ---- */

static int find_param(const Param *param, int n, Symbol name)
{
    for (int i = 0; i < n; i++)
        if (param[i].name == name) return i;
    return -1;
}

static void unknown_keyword(Lint *l, const Argument *a, const Callee *c)
{
    Error *found =
        lint_add(l, false, a->name_span, "%s has no %s %s", c->name, c->part, a->name->text);
    Suggest near = suggest_start(a->name->text);
    for (int i = 0; i < c->n; i++) suggest_offer(&near, c->param[i].name->text);
    if (near.best) error_hint(found, "did you mean %s?", near.best);
}

static void check_known(Lint *l, const Ast *e, const Callee *c)
{
    const Param *param = c->param;
    int n = c->n;
    Sizes sizes = {0};
    int given = e->call.n_positional;
    if (given > n) {
        lint_add(l, false, e->call.arg[n].value->span, "%s takes %d argument%s, not %d", c->name, n,
                 n == 1 ? "" : "s", e->call.n_args);
        return;
    }
    for (int i = 0; i < e->call.n_args; i++) {
        int at = i < given ? i : find_param(param, n, e->call.arg[i].name);
        if (at < 0)
            unknown_keyword(l, &e->call.arg[i], c);
        else if (i >= given && at < given)
            lint_add(l, false, e->call.arg[i].name_span, "%s is given twice", param[at].name->text);
        else
            check_shape(l, &param[at], e->call.arg[i].value, &sizes);
    }
    for (int i = given; i < n; i++) {
        bool has = param[i].default_value != NULL;
        for (int k = given; k < e->call.n_args; k++) has |= e->call.arg[k].name == param[i].name;
        if (!has)
            lint_add(l, false, e->span, "%s needs a value for its %s %s", c->name, c->part,
                     param[i].name->text);
    }
}

void lint_call(Lint *l, const Ast *e)
{
    const Ast *callee = e->call.callee;
    if (callee->kind != AST_NAME) return;
    if (callee->name.scope == SCOPE_BUILTIN) check_builtin(l, e);
    if (callee->name.scope != SCOPE_GLOBAL) return;
    const Ast *d = l->definition[callee->name.slot];
    if (d && d->kind == AST_DEF)
        check_known(l, e,
                    &(Callee){d->function->name->text, "parameter", d->function->param,
                              d->function->n_params});
    if (d && d->kind == AST_STRUCT)
        check_known(l, e,
                    &(Callee){d->structure->name->text, "field", d->structure->field,
                              d->structure->n_fields});
}

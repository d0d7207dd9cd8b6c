#include "syntax/ast_build.h"
#include "syntax/symbol_map.h"

/* ---- parameters and fields ---- */

Signature ast_signature(Token open, List *params, Token close, Annotation *result)
{
    Span span = span_join(open.span, result ? result->span : close.span);
    return (Signature){params, result, span};
}

Param *ast_parameter(ParseContext *cx, Token name, Annotation *type, Ast *default_value)
{
    Param *param = build_alloc(cx, sizeof *param);
    *param = (Param){name.name, name.span, type, default_value};
    return param;
}

/* No name twice. what: "parameter" or "field". Returns the depth of the defaults. */
static int check_params(ParseContext *cx, const Param *param, int len, const char *what)
{
    int depth = 0;
    SymbolMap seen = {0};
    for (int i = 0; i < len; i++) {
        if (symbol_map_get(&seen, param[i].name) >= 0)
            build_fail(cx, param[i].span, "two %ss are named %s", what, param[i].name->text);
        symbol_map_put(&seen, param[i].name, i);
        if (build_depth(param[i].default_value) > depth)
            depth = build_depth(param[i].default_value);
    }
    symbol_map_free(&seen);
    return depth;
}

static void check_defaults_last(ParseContext *cx, const Param *param, int len)
{
    for (int i = 1; i < len; i++) {
        if (param[i - 1].default_value && !param[i].default_value)
            build_fail(cx, param[i].span,
                       "the parameter %s needs a default, because the one before it has one",
                       param[i].name->text);
    }
}

/* ---- functions ---- */

static FunctionDecl *function_decl(ParseContext *cx, Token start, Signature signature, Expr body)
{
    FunctionDecl *f = build_alloc(cx, sizeof *f);
    f->span = span_join(start.span, body.span);
    f->head_span = span_join(start.span, signature.span);
    f->param = signature.params ? signature.params->item : NULL;
    f->n_params = signature.params ? signature.params->len : 0;
    f->result = signature.result;
    f->body = body.node;
    f->self_slot = -1;
    check_defaults_last(cx, f->param, f->n_params);
    return f;
}

static Ast *function_node(ParseContext *cx, AstKind kind, FunctionDecl *f)
{
    int depth = check_params(cx, f->param, f->n_params, "parameter");
    if (f->body->depth > depth) depth = f->body->depth;
    Ast *node = build_node(cx, kind, f->span, depth);
    node->function = f;
    return node;
}

Ast *ast_def(ParseContext *cx, AstKind kind, Token start, Token name, Signature signature,
             Expr body)
{
    FunctionDecl *f = function_decl(cx, start, signature, body);
    f->name = name.name;
    f->name_span = name.span;
    f->doc = lexer_doc(&cx->lexer, start.span.start);
    return function_node(cx, kind, f);
}

Expr ast_lambda(ParseContext *cx, Token start, Signature signature, Expr body)
{
    FunctionDecl *f = function_decl(cx, start, signature, body);
    return (Expr){function_node(cx, AST_LAMBDA, f), f->span};
}

/* ---- structs and tests ---- */

Ast *ast_struct(ParseContext *cx, Token start, Token name, List *fields, Token close)
{
    StructDecl *s = build_alloc(cx, sizeof *s);
    s->name = name.name;
    s->name_span = name.span;
    s->span = span_join(start.span, close.span);
    s->field = fields ? fields->item : NULL;
    s->n_fields = fields ? fields->len : 0;
    s->doc = lexer_doc(&cx->lexer, start.span.start);
    int depth = check_params(cx, s->field, s->n_fields, "field");
    Ast *node = build_node(cx, AST_STRUCT, s->span, depth);
    node->structure = s;
    return node;
}

Ast *ast_test(ParseContext *cx, Token start, Token name, Ast *body)
{
    TestDecl *t = build_alloc(cx, sizeof *t);
    t->name = name.text.ptr;
    t->name_span = name.span;
    t->body = body;
    Ast *node = build_node(cx, AST_TEST, span_join(start.span, body->span), body->depth);
    node->test = t;
    return node;
}

/* ---- annotations ---- */

Annotation *ast_annotation(ParseContext *cx, List *alternatives)
{
    Annotation *a = build_alloc(cx, sizeof *a);
    a->item = alternatives->item;
    a->len = alternatives->len;
    a->span = span_join(a->item[0].span, a->item[a->len - 1].span);
    return a;
}

static void check_dims(ParseContext *cx, const TypeAlternative *type)
{
    int rests = 0;
    for (int i = 0; i < type->n_dims; i++) rests += type->dim[i].kind == DIM_REST;
    if (rests > 1) build_fail(cx, type->span, "a shape may have only one ...");
    if (type->type.name != symbol_of("Arr"))
        build_fail(cx, type->span, "only Arr takes sizes, %s does not", type->type.name->text);
}

TypeAlternative *ast_type(ParseContext *cx, Token name, List *dims, Token last)
{
    TypeAlternative *type = build_alloc(cx, sizeof *type);
    type->type.name = name.name;
    type->span = span_join(name.span, last.span);
    type->dim = dims ? dims->item : NULL;
    type->n_dims = dims ? dims->len : -1;
    if (dims) check_dims(cx, type);
    return type;
}

Dim *ast_dim(ParseContext *cx, DimKind kind, Token token)
{
    Dim *dim = build_alloc(cx, sizeof *dim);
    dim->kind = kind;
    dim->span = token.span;
    if (kind == DIM_SIZE) dim->size = token.integer;
    if (kind != DIM_NAME) return dim;
    if (token.name == symbol_of("_"))
        dim->kind = DIM_ANY;
    else
        dim->name = token.name;
    return dim;
}

/* ---- imports ---- */

static ImportDecl *import_decl(ParseContext *cx, List *path)
{
    ImportDecl *import = build_alloc(cx, sizeof *import);
    const Token *part = path->item;
    StrBuf text = {0};
    for (int i = 0; i < path->len; i++) {
        if (i) strbuf_char(&text, '.');
        strbuf_text(&text, part[i].name->text);
    }
    import->path = symbol_of(strbuf_str(&text))->text;
    import->path_span = span_join(part[0].span, part[path->len - 1].span);
    import->as = part[path->len - 1].name;
    strbuf_free(&text);
    return import;
}

Ast *ast_import(ParseContext *cx, Token start, List *path, const Token *as)
{
    ImportDecl *import = import_decl(cx, path);
    if (as) import->as = as->name;
    Span end = as ? as->span : import->path_span;
    Ast *node = build_node(cx, AST_IMPORT, span_join(start.span, end), 0);
    node->import = import;
    return node;
}

Ast *ast_from_import(ParseContext *cx, Token start, List *path, List *items, const Token *close)
{
    ImportDecl *import = import_decl(cx, path);
    import->item = items->item;
    import->n_items = items->len;
    Span end = close ? close->span : import->item[import->n_items - 1].span;
    Ast *node = build_node(cx, AST_FROM_IMPORT, span_join(start.span, end), 0);
    node->import = import;
    return node;
}

ImportedName *ast_imported(ParseContext *cx, Token name, Token as)
{
    ImportedName *item = build_alloc(cx, sizeof *item);
    item->name = name.name;
    item->span = span_join(name.span, as.span);
    item->as = as.name;
    return item;
}

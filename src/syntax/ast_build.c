#include "syntax/ast_build.h"

#include <stdarg.h>
#include <string.h>

#include "syntax/symbol_map.h"

/* ---- the means ---- */

void *build_alloc(ParseContext *cx, size_t size)
{
    return size ? arena_zeroed(&cx->file->arena, size) : NULL;
}

/* Growing by doubling inside the arena wastes at most what the list takes. */
List *list_push(ParseContext *cx, List *list, const void *item, size_t size)
{
    if (!list) list = build_alloc(cx, sizeof *list);
    if (list->len == list->cap) {
        list->cap = list->cap ? list->cap * 2 : 2;
        void *bigger = arena_alloc(&cx->file->arena, (size_t)list->cap * size);
        if (list->len) memcpy(bigger, list->item, (size_t)list->len * size);
        list->item = bigger;
    }
    memcpy((char *)list->item + (size_t)list->len++ * size, item, size);
    return list;
}

bool build_fail(ParseContext *cx, Span span, const char *format, ...)
{
    if (error_is_set(cx->err)) return false;
    StrBuf message = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&message, format, args);
    va_end(args);
    error_set_at(cx->err, ERR_SYNTAX, span, "%s", strbuf_str(&message));
    strbuf_free(&message);
    return false;
}

#define UP_TO(member) (offsetof(Ast, member) + sizeof((Ast *)0)->member)

/* Most nodes are names and binary operations, a third of the size of the largest. */
static size_t node_size(AstKind kind)
{
    static const uint8_t sizes[AST_KIND_COUNT] = {
        [AST_NONE] = UP_TO(truth),
        [AST_BOOL] = UP_TO(truth),
        [AST_INT] = UP_TO(integer),
        [AST_FLOAT] = UP_TO(number),
        [AST_STR] = UP_TO(text),
        [AST_FSTRING] = UP_TO(fstring),
        [AST_NAME] = UP_TO(name),
        [AST_ARRAY] = UP_TO(list),
        [AST_TUPLE] = UP_TO(list),
        [AST_MAP] = UP_TO(map),
        [AST_UNARY] = UP_TO(unary),
        [AST_BINARY] = UP_TO(binary),
        [AST_AND] = UP_TO(binary),
        [AST_OR] = UP_TO(binary),
        [AST_CHOICE] = UP_TO(choice),
        [AST_CALL] = UP_TO(call),
        [AST_INDEX] = UP_TO(index),
        [AST_SLICE] = UP_TO(slice),
        [AST_ELLIPSIS] = UP_TO(truth),
        [AST_FIELD] = UP_TO(field),
        [AST_COMPREHENSION] = UP_TO(comprehension),
        [AST_LAMBDA] = UP_TO(function),
        [AST_EXPRESSION] = UP_TO(unary),
        [AST_ASSIGN] = UP_TO(assign),
        [AST_AUGMENT] = UP_TO(assign),
        [AST_DEF] = UP_TO(function),
        [AST_ADJOINT] = UP_TO(function),
        [AST_STRUCT] = UP_TO(structure),
        [AST_TEST] = UP_TO(test),
        [AST_FOR] = UP_TO(loop),
        [AST_WHILE] = UP_TO(branch),
        [AST_IF] = UP_TO(branch),
        [AST_RETURN] = UP_TO(unary),
        [AST_BREAK] = UP_TO(truth),
        [AST_CONTINUE] = UP_TO(truth),
        [AST_IMPORT] = UP_TO(import),
        [AST_FROM_IMPORT] = UP_TO(import),
        [AST_BLOCK] = UP_TO(list),
    };
    return sizes[kind];
}

Ast *build_node(ParseContext *cx, AstKind kind, Span span, int depth)
{
    Ast *node = build_alloc(cx, node_size(kind));
    node->kind = (uint8_t)kind;
    node->span = span;
    if (kind == AST_UNARY || kind == AST_BINARY || kind == AST_CALL)
        node->serial = cx->file->next_serial++;
    if (depth >= NESTING_LIMIT) {
        build_fail(cx, span, "nesting too deep (limit %d)", NESTING_LIMIT);
        depth = 0;
    }
    node->depth = (uint16_t)(depth + 1);
    return node;
}

int build_depth(const Ast *node)
{
    return node ? node->depth : 0;
}

int build_deeper(const Ast *a, const Ast *b)
{
    int x = build_depth(a), y = build_depth(b);
    return x > y ? x : y;
}

int build_list_depth(const List *list)
{
    int depth = 0;
    for (int i = 0; list && i < list->len; i++) {
        int d = build_depth(((Ast **)list->item)[i]);
        if (d > depth) depth = d;
    }
    return depth;
}

Expr build_expr(Ast *node)
{
    return (Expr){node, node->span};
}

AstList build_list(const List *list)
{
    return list ? (AstList){list->item, list->len} : (AstList){0};
}

/* ---- atoms ---- */

Expr ast_constant(ParseContext *cx, AstKind kind, Token token)
{
    return build_expr(build_node(cx, kind, token.span, 0));
}

Expr ast_truth(ParseContext *cx, Token token, bool truth)
{
    Expr e = ast_constant(cx, AST_BOOL, token);
    e.node->truth = truth;
    return e;
}

Expr ast_integer(ParseContext *cx, Span span, int64_t value)
{
    Ast *node = build_node(cx, AST_INT, span, 0);
    node->integer = value;
    return build_expr(node);
}

Expr ast_float(ParseContext *cx, Token token)
{
    Expr e = ast_constant(cx, AST_FLOAT, token);
    e.node->number = token.number;
    return e;
}

Expr ast_string(ParseContext *cx, Token token)
{
    Expr e = ast_constant(cx, AST_STR, token);
    e.node->text.ptr = token.text.ptr;
    e.node->text.len = token.text.len;
    return e;
}

Expr ast_name(ParseContext *cx, Token token)
{
    Expr e = ast_constant(cx, AST_NAME, token);
    e.node->name.name = token.name;
    return e;
}

Expr ast_parens(Token open, Expr inner, Token close)
{
    inner.node->in_parens = true;
    return (Expr){inner.node, span_join(open.span, close.span)};
}

/* ---- f-strings ---- */

List *ast_fstring_text(ParseContext *cx, List *parts, Token text)
{
    FStringPart part = {.text = text.text.ptr, .len = text.text.len, .spec = ""};
    return list_push(cx, parts, &part, sizeof part);
}

List *ast_fstring_value(ParseContext *cx, List *parts, Expr value, const Token *spec)
{
    FStringPart part = {.value = value.node, .spec = ""};
    if (spec) {
        part.spec = spec->text.ptr;
        part.spec_len = spec->text.len;
        part.spec_span = (Span){spec->span.start + 1, spec->span.end};
    }
    return list_push(cx, parts, &part, sizeof part);
}

Expr ast_fstring(ParseContext *cx, Token start, List *parts, Token end)
{
    int depth = 0, len = parts ? parts->len : 0;
    FStringPart *part = parts ? parts->item : NULL;
    for (int i = 0; i < len; i++) {
        if (build_depth(part[i].value) > depth) depth = build_depth(part[i].value);
    }
    Ast *node = build_node(cx, AST_FSTRING, span_join(start.span, end.span), depth);
    node->fstring.item = part;
    node->fstring.len = len;
    return build_expr(node);
}

/* ---- sequences ---- */

Expr ast_sequence(ParseContext *cx, AstKind kind, Token open, List *items, Token close)
{
    Span span = span_join(open.span, close.span);
    Ast *node = build_node(cx, kind, span, build_list_depth(items));
    node->in_parens = kind == AST_TUPLE;
    node->list = build_list(items);
    return build_expr(node);
}

Group ast_pair(ParseContext *cx, Expr first, Expr second)
{
    List *list = list_push(cx, NULL, &first.node, sizeof first.node);
    return ast_more(cx, (Group){list, first.span}, second);
}

Group ast_more(ParseContext *cx, Group group, Expr next)
{
    group.list = list_push(cx, group.list, &next.node, sizeof next.node);
    group.span = span_join(group.span, next.span);
    return group;
}

Expr ast_bare_tuple(ParseContext *cx, Group group)
{
    Ast *node = build_node(cx, AST_TUPLE, group.span, build_list_depth(group.list));
    node->list = build_list(group.list);
    return build_expr(node);
}

/* ---- maps ---- */

/* The key of a literal as bytes, a letter for its kind in front; false when it is none. */
static bool literal_key(StrBuf *out, const Ast *key)
{
    out->len = 0;
    switch (key->kind) {
    case AST_STR:
        strbuf_char(out, 's');
        strbuf_bytes(out, key->text.ptr, key->text.len);
        return true;
    case AST_INT: strbuf_printf(out, "i%lld", (long long)key->integer); return true;
    case AST_BOOL: strbuf_text(out, key->truth ? "bt" : "bf"); return true;
    default: return false;
    }
}

static void check_keys(ParseContext *cx, const MapPair *pair, int len)
{
    SymbolMap seen = {0};
    StrBuf text = {0};
    for (int i = 0; i < len; i++) {
        if (!literal_key(&text, pair[i].key)) continue;
        Symbol name = symbol_intern(text.data, text.len);
        if (symbol_map_get(&seen, name) >= 0) {
            size_t shown;
            const char *key = source_text(pair[i].key->span, &shown);
            build_fail(cx, pair[i].key->span, "the key %.*s is given twice in this map", (int)shown,
                       key);
            break;
        }
        symbol_map_put(&seen, name, i);
    }
    strbuf_free(&text);
    symbol_map_free(&seen);
}

Expr ast_map(ParseContext *cx, Token open, List *pairs, Token close)
{
    int depth = 0, len = pairs ? pairs->len : 0;
    const MapPair *pair = pairs ? pairs->item : NULL;
    Ast **key = build_alloc(cx, (size_t)len * sizeof *key);
    Ast **value = build_alloc(cx, (size_t)len * sizeof *value);
    for (int i = 0; i < len; i++) {
        key[i] = pair[i].key;
        value[i] = pair[i].value;
        if (build_depth(key[i]) > depth) depth = build_depth(key[i]);
        if (build_depth(value[i]) > depth) depth = build_depth(value[i]);
    }
    if (len > 1) check_keys(cx, pair, len);
    Ast *node = build_node(cx, AST_MAP, span_join(open.span, close.span), depth);
    node->map.key = key;
    node->map.value = value;
    node->map.len = len;
    return build_expr(node);
}

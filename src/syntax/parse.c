#include "syntax/parse.h"

#include <string.h>

#include "syntax/parser.h"
#include "viv_grammar.h"

/* A brace where an expression may begin is a map's; one that could open a block opens it. */
static int brace_token(ParseContext *cx, const void *parser)
{
    bool is_block = parser_can_shift(parser, TOK_LBRACE);
    bool is_map = !is_block && parser_can_shift(parser, TOK_LMAP);
    lexer_brace(&cx->lexer, is_map ? FRAME_MAP : FRAME_BLOCK);
    return is_map ? TOK_LMAP : TOK_LBRACE;
}

/* Feeds the parser token by token. A watchful parse asks before each token whether it fits, which
 * is the only moment at which a syntax error can be told with all that could have stood there. */
static bool parse_tokens(ParseContext *cx, void *parser, TokenList *tokens, bool is_watchful)
{
    SyntaxErrorSite site = {.cx = cx, .parser = parser, .previous = TOK_NEWLINE};
    for (;;) {
        site.code = lexer_next(&cx->lexer, &site.token);
        if (site.code == TOKEN_ERROR) return false;
        if (site.code == TOK_LBRACE) site.code = brace_token(cx, parser);
        if (is_watchful && !parser_can_shift(parser, site.code)) return syntax_error(&site), false;
        viv_parse(parser, site.code, site.token);
        if (cx->does_not_fit || error_is_set(cx->err)) return false;
        if (site.code == TOKEN_END) return true;
        if (tokens) VEC_PUSH(tokens, ((TokenMark){site.code, site.token.span}));
        site.previous = site.code;
        site.previous_token = site.token;
    }
}

static void keep_docs(ParseContext *cx)
{
    SyntaxFile *file = cx->file;
    file->n_docs = cx->lexer.docs.len;
    if (file->n_docs == 0) return;
    size_t size = (size_t)file->n_docs * sizeof *file->doc;
    file->doc = arena_alloc(&file->arena, size);
    memcpy(file->doc, cx->lexer.docs.item, size);
}

/* unfit tells a token that did not fit from every other failure. */
static bool parse_once(const Source *source, SyntaxFile *file, TokenList *tokens, Error *err,
                       bool is_watchful, bool *unfit)
{
    ParseContext cx = {.file = file, .err = err};
    file->span = (Span){source->base, source->base + source->len};
    lexer_start(&cx.lexer, source, &file->arena, err);
    void *parser = viv_parseAlloc(mem_alloc, &cx);
    bool ok = parse_tokens(&cx, parser, tokens, is_watchful);
    viv_parseFree(parser, mem_free);
    if (ok) keep_docs(&cx);
    lexer_free(&cx.lexer);
    *unfit = cx.does_not_fit;
    return ok;
}

/* Asking before each token costs as much as parsing does, so that is left to a second parse of the
 * texts that need it. */
bool parse_source_tokens(const Source *source, SyntaxFile *file, TokenList *tokens, Error *err)
{
    bool unfit;
    if (parse_once(source, file, tokens, err, false, &unfit)) return true;
    if (!unfit) return false;
    syntax_file_free(file);
    error_clear(err);
    return parse_once(source, file, NULL, err, true, &unfit);
}

bool parse_source(const Source *source, SyntaxFile *file, Error *err)
{
    return parse_source_tokens(source, file, NULL, err);
}

bool parse_is_incomplete(const char *text, size_t len)
{
    const Source *source = source_add("", text, len);
    if (!source) return false;
    SyntaxFile file = {0};
    Error err = {0};
    bool ok = parse_source(source, &file, &err);
    bool is_incomplete = !ok && err.kind == ERR_INCOMPLETE;
    error_clear(&err);
    syntax_file_free(&file);
    source_drop(source);
    return is_incomplete;
}

bool parse_leaves_open(OpenBrackets *b, const char *line, size_t len)
{
    const Source *source = b->is_unknown ? NULL : source_add("", line, len);
    if (!source) return false;
    Arena arena = {0};
    Error err = {0};
    Lexer lx;
    Token token;
    lexer_start(&lx, source, &arena, &err);
    for (int i = 0; i < b->frames.len; i++) VEC_PUSH(&lx.frames, b->frames.item[i]);
    int code;
    while ((code = lexer_next(&lx, &token)) > TOKEN_END)
        if (code == TOK_LBRACE) lexer_brace(&lx, FRAME_BLOCK);
    b->is_unknown = code == TOKEN_ERROR;
    b->frames.len = 0;
    for (int i = 0; i < lx.frames.len; i++) VEC_PUSH(&b->frames, lx.frames.item[i]);
    lexer_free(&lx);
    arena_free(&arena);
    error_clear(&err);
    source_drop(source);
    return !b->is_unknown && b->frames.len > 0;
}

void syntax_file_free(SyntaxFile *file)
{
    arena_free(&file->arena);
    *file = (SyntaxFile){.next_serial = file->next_serial};
}

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

static bool parse_tokens(ParseContext *cx, void *parser)
{
    SyntaxErrorSite site = {.cx = cx, .parser = parser, .previous = TOK_NEWLINE};
    for (;;) {
        site.code = lexer_next(&cx->lexer, &site.token);
        if (site.code == TOKEN_ERROR) return false;
        if (site.code == TOK_LBRACE) site.code = brace_token(cx, parser);
        if (!parser_can_shift(parser, site.code)) return syntax_error(&site), false;
        viv_parse(parser, site.code, site.token);
        if (error_is_set(cx->err)) return false;
        if (site.code == TOKEN_END) return true;
        site.previous = site.code;
        site.previous_token = site.token;
    }
}

static void keep_docs(ParseContext *cx)
{
    SyntaxFile *file = cx->file;
    file->n_docs = cx->lexer.docs.len;
    size_t size = (size_t)file->n_docs * sizeof *file->doc;
    file->doc = arena_alloc(&file->arena, size);
    if (size) memcpy(file->doc, cx->lexer.docs.item, size);
}

bool parse_source(const Source *source, SyntaxFile *file, Error *err)
{
    ParseContext cx = {.file = file, .err = err};
    file->span = (Span){source->base, source->base + source->len};
    lexer_start(&cx.lexer, source, &file->arena, err);
    void *parser = viv_parseAlloc(mem_alloc, &cx);
    bool ok = parse_tokens(&cx, parser);
    viv_parseFree(parser, mem_free);
    if (ok) keep_docs(&cx);
    lexer_free(&cx.lexer);
    return ok;
}

void syntax_file_free(SyntaxFile *file)
{
    arena_free(&file->arena);
    *file = (SyntaxFile){0};
}

#include "syntax/lexer.h"

#include <stdarg.h>
#include <string.h>

#include "viv_grammar.h"

void lexer_start(Lexer *lx, const Source *source, Arena *arena, Error *err)
{
    *lx = (Lexer){.source = source, .arena = arena, .err = err};
    lx->cursor = (Cursor)source->text;
    lx->limit = lx->cursor + source->len;
    lx->previous = TOK_NEWLINE;
    lx->last_end = source->base;
    lx->line_is_blank = true;
    lx->line = 1;
    if (source->len >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) lx->cursor += 3;
}

void lexer_free(Lexer *lx)
{
    VEC_FREE(&lx->frames);
    VEC_FREE(&lx->docs);
    strbuf_free(&lx->scratch);
    strbuf_free(&lx->doc);
}

Span lexer_span(const Lexer *lx, Cursor start, Cursor end)
{
    Cursor text = (Cursor)lx->source->text;
    uint32_t base = lx->source->base;
    return (Span){base + (uint32_t)(start - text), base + (uint32_t)(end - text)};
}

int lexer_fail(Lexer *lx, Cursor start, const char *format, ...)
{
    StrBuf message = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&message, format, args);
    va_end(args);
    error_set_at(lx->err, ERR_SYNTAX, lexer_span(lx, start, lx->cursor), "%s",
                 strbuf_str(&message));
    strbuf_free(&message);
    return TOKEN_ERROR;
}

/* ---- documentation ---- */

void lexer_comment(Lexer *lx, Cursor start)
{
    size_t len = (size_t)(lx->cursor - start);
    bool is_doc = len >= 2 && start[1] == '#' && !(len > 2 && start[2] == '#');
    if (!is_doc || !lx->line_is_blank) return;
    size_t skip = len > 2 && start[2] == ' ' ? 3 : 2;
    if (lx->doc_line + 1 == lx->line && lx->doc.len)
        strbuf_char(&lx->doc, '\n');
    else
        lx->doc.len = 0;
    strbuf_bytes(&lx->doc, (const char *)start + skip, len - skip);
    lx->doc_line = lx->line;
}

static char *arena_text(Lexer *lx, const char *text, size_t len)
{
    char *copy = arena_alloc(lx->arena, len + 1);
    if (len) memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static void attach_doc(Lexer *lx, uint32_t position)
{
    if (lx->doc_line + 1 == lx->line) {
        DocComment doc = {position, arena_text(lx, strbuf_str(&lx->doc), lx->doc.len)};
        VEC_PUSH(&lx->docs, doc);
    }
    lx->doc.len = 0;
}

const char *lexer_doc(const Lexer *lx, uint32_t position)
{
    int low = 0, high = lx->docs.len;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (lx->docs.item[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < lx->docs.len && lx->docs.item[low].position == position;
    return found ? lx->docs.item[low].text : NULL;
}

/* ---- plain tokens ---- */

int lexer_emit(Lexer *lx, Token *token, int code, Cursor start)
{
    token->span = lexer_span(lx, start, lx->cursor);
    lx->previous = code;
    if (code == TOK_NEWLINE) return code;
    if (lx->doc.len) attach_doc(lx, token->span.start);
    lx->last_end = token->span.end;
    lx->line_is_blank = false;
    return code;
}

static bool is_word(unsigned char c)
{
    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static bool is_text(Cursor start, Cursor end, const char *text)
{
    size_t len = strlen(text);
    return (size_t)(end - start) == len && memcmp(start, text, len) == 0;
}

int lexer_name(Lexer *lx, Token *token, Cursor start)
{
    token->name = symbol_intern((const char *)start, (size_t)(lx->cursor - start));
    int code = TOK_NAME;
    if (is_text(start, lx->cursor, "to"))
        code = TOK_TO;
    else if (is_text(start, lx->cursor, "by"))
        code = TOK_BY;
    else if (is_text(start, lx->cursor, "as"))
        code = TOK_AS;
    return lexer_emit(lx, token, code, start);
}

/* Whether a name comes next on the line; `x in`, `x if` go on with an operator instead. */
static bool name_follows(const Lexer *lx)
{
    static const char *const operators[] = {"in", "if", "and", "or", "not", "else"};
    Cursor start = lx->cursor;
    while (*start == ' ' || *start == '\t') start++;
    Cursor end = start;
    while (is_word(*end)) end++;
    if (end == start || (*start >= '0' && *start <= '9')) return false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (is_text(start, end, operators[i])) return false;
    }
    return true;
}

int lexer_opening_word(Lexer *lx, Token *token, int code, Cursor start)
{
    token->name = symbol_intern((const char *)start, (size_t)(lx->cursor - start));
    bool opens = lx->previous == TOK_NEWLINE || lx->previous == TOK_LBRACE;
    if (opens ? !name_follows(lx) : code == TOK_ADJOINT) code = TOK_NAME;
    return lexer_emit(lx, token, code, start);
}

int lexer_end(Lexer *lx, Token *token)
{
    if (lx->fstring.is_open) {
        return error_set_at(lx->err, lx->fstring.is_triple ? ERR_INCOMPLETE : ERR_SYNTAX,
                            lx->fstring.at, "the f-string ends inside its braces"),
               TOKEN_ERROR;
    }
    token->span = (Span){lx->last_end, lx->last_end};
    return TOKEN_END;
}

/* ---- newlines ---- */

/* Whether a statement can go on after this token, so that a newline behind it means nothing. */
static bool continues_statement(int code)
{
    switch (code) {
    case TOK_NEWLINE:
    case TOK_LBRACE:
    case TOK_COMMA:
    case TOK_ARROW:
    case TOK_IF:
    case TOK_ELSE:
    case TOK_AND:
    case TOK_OR:
    case TOK_NOT:
    case TOK_IN:
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_STAR:
    case TOK_SLASH:
    case TOK_FLOORDIV:
    case TOK_PERCENT:
    case TOK_POW:
    case TOK_AT:
    case TOK_AMP:
    case TOK_BAR:
    case TOK_EQ:
    case TOK_NE:
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE:
    case TOK_ASSIGN:
    case TOK_PLUS_ASSIGN:
    case TOK_MINUS_ASSIGN:
    case TOK_STAR_ASSIGN:
    case TOK_SLASH_ASSIGN:
    case TOK_FLOORDIV_ASSIGN:
    case TOK_PERCENT_ASSIGN:
    case TOK_POW_ASSIGN:
    case TOK_AT_ASSIGN:
    case TOK_AMP_ASSIGN:
    case TOK_BAR_ASSIGN: return true;
    default: return false;
    }
}

static bool else_follows(const Lexer *lx)
{
    Cursor c = lx->cursor;
    for (;;) {
        while (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n') c++;
        if (*c != '#') break;
        while (c < lx->limit && *c != '\n') c++;
    }
    return lx->limit - c >= 4 && memcmp(c, "else", 4) == 0 && !is_word(c[4]);
}

int lexer_newline(Lexer *lx, Token *token, Cursor start)
{
    lx->line++;
    lx->line_is_blank = true;
    if (lx->fstring.is_open && !lx->fstring.is_triple)
        return lexer_fail(lx, start, "the f-string ends inside its braces");
    bool in_brackets = lx->frames.len && lx->frames.item[lx->frames.len - 1].kind != FRAME_BLOCK;
    if (in_brackets || continues_statement(lx->previous) || else_follows(lx)) return 0;
    return lexer_emit(lx, token, TOK_NEWLINE, start);
}

/* ---- brackets ---- */

static int too_deep(Lexer *lx, Cursor start)
{
    return lexer_fail(lx, start, "nesting too deep (limit %d)", NESTING_LIMIT);
}

int lexer_open(Lexer *lx, Token *token, int code, FrameKind kind, Cursor start)
{
    if (lx->frames.len >= NESTING_LIMIT) return too_deep(lx, start);
    OpenBracket frame = {kind, lexer_span(lx, start, lx->cursor)};
    VEC_PUSH(&lx->frames, frame);
    return lexer_emit(lx, token, code, start);
}

void lexer_brace(Lexer *lx, FrameKind kind)
{
    lx->frames.item[lx->frames.len - 1].kind = kind;
}

static bool fits(FrameKind kind, int code)
{
    if (code == TOK_RPAREN) return kind == FRAME_PAREN;
    if (code == TOK_RSQUARE) return kind == FRAME_SQUARE;
    return kind == FRAME_MAP || kind == FRAME_BLOCK || kind == FRAME_HOLE;
}

static const char *opener_text(FrameKind kind)
{
    return kind == FRAME_PAREN ? "(" : kind == FRAME_SQUARE ? "[" : "{";
}

int lexer_close(Lexer *lx, Token *token, int code, Cursor start)
{
    if (lx->frames.len == 0) return lexer_fail(lx, start, "'%c' closes nothing", *start);
    OpenBracket top = lx->frames.item[lx->frames.len - 1];
    if (!fits(top.kind, code)) {
        Location at = source_locate(top.at.start);
        return lexer_fail(lx, start, "'%c' can't close the '%s' opened at line %u, column %u",
                          *start, opener_text(top.kind), at.line, at.column);
    }
    lx->frames.len--;
    if (top.kind != FRAME_HOLE) return lexer_emit(lx, token, code, start);
    lx->fstring.in_text = true;
    return lexer_emit(lx, token, TOK_FSTRING_CLOSE, start);
}

/* ---- strings ---- */

static void take_scratch(Lexer *lx, Token *token)
{
    token->text.len = lx->scratch.len;
    token->text.ptr = arena_text(lx, strbuf_str(&lx->scratch), lx->scratch.len);
    lx->scratch.len = 0;
}

int lexer_string(Lexer *lx, Token *token, bool is_triple, Cursor start)
{
    Span opening = lexer_span(lx, start, lx->cursor);
    lx->scratch.len = 0;
    if (lexer_piece(lx, TEXT_PLAIN, is_triple, opening) == PIECE_ERROR) return TOKEN_ERROR;
    lx->cursor += is_triple ? 3 : 1;
    take_scratch(lx, token);
    return lexer_emit(lx, token, TOK_STRING, start);
}

int lexer_fstring(Lexer *lx, Token *token, bool is_triple, Cursor start)
{
    if (lx->fstring.is_open) {
        lexer_fail(lx, start, "f-strings do not nest");
        error_hint(lx->err, "give the inner text a name first");
        return TOKEN_ERROR;
    }
    lx->fstring.is_open = lx->fstring.in_text = true;
    lx->fstring.is_triple = is_triple;
    lx->fstring.at = lexer_span(lx, start, lx->cursor);
    return lexer_emit(lx, token, TOK_FSTRING_START, start);
}

static int fstring_end(Lexer *lx, Token *token, PieceEnd end)
{
    Cursor start = lx->cursor;
    lx->cursor += end == PIECE_QUOTE && lx->fstring.is_triple ? 3 : 1;
    if (end == PIECE_CLOSE) {
        lexer_fail(lx, start, "a '}' that closes nothing in an f-string");
        error_hint(lx->err, "write }} for the character itself");
        return TOKEN_ERROR;
    }
    lx->fstring.in_text = false;
    if (end == PIECE_OPEN) return lexer_open(lx, token, TOK_FSTRING_OPEN, FRAME_HOLE, start);
    lx->fstring.is_open = false;
    return lexer_emit(lx, token, TOK_FSTRING_END, start);
}

static int fstring_text(Lexer *lx, Token *token)
{
    Cursor start = lx->cursor;
    lx->scratch.len = 0;
    PieceEnd end = lexer_piece(lx, TEXT_FSTRING, lx->fstring.is_triple, lx->fstring.at);
    if (end == PIECE_ERROR) return TOKEN_ERROR;
    if (lx->scratch.len == 0) return fstring_end(lx, token, end);
    take_scratch(lx, token);
    return lexer_emit(lx, token, TOK_FSTRING_TEXT, start);
}

static int spec(Lexer *lx, Token *token, Cursor start)
{
    lx->scratch.len = 0;
    PieceEnd end = lexer_piece(lx, TEXT_SPEC, lx->fstring.is_triple, lx->fstring.at);
    if (end == PIECE_ERROR) return TOKEN_ERROR;
    if (end == PIECE_OPEN) return lexer_fail(lx, start, "a format specification holds no braces");
    if (end == PIECE_QUOTE) return lexer_fail(lx, start, "the f-string ends inside its braces");
    const char *complaint = format_spec_complaint(strbuf_str(&lx->scratch), lx->scratch.len);
    if (complaint) {
        lexer_fail(lx, start + 1, "%s", complaint);
        error_hint(lx->err, "a format is [[fill]<>^=][+][width][,][.precision][d e f g x b %% s]");
        return TOKEN_ERROR;
    }
    take_scratch(lx, token);
    return lexer_emit(lx, token, TOK_FSTRING_SPEC, start);
}

int lexer_colon(Lexer *lx, Token *token, Cursor start)
{
    bool in_hole = lx->frames.len && lx->frames.item[lx->frames.len - 1].kind == FRAME_HOLE;
    return in_hole ? spec(lx, token, start) : lexer_emit(lx, token, TOK_COLON, start);
}

int lexer_next(Lexer *lx, Token *token)
{
    return lx->fstring.in_text ? fstring_text(lx, token) : lexer_scan(lx, token);
}

/* A token that does not fit, in words: what came, what could have come, and the likely reason. */
#include <string.h>

#include "syntax/other_language_hints.h"
#include "syntax/parser.h"
#include "viv_grammar.h"

typedef struct {
    int code;
    const char *text;
} TokenName;

/* The words that are keywords in places only stand together, NAME in front. */
_Static_assert(TOK_NAME < TOK_TO && TOK_TO < TOK_AS && TOK_AS < TOK_ADJOINT && TOK_ADJOINT < TOK_OR,
               "the order of %fallback in the grammar");

/* In the order in which a message lists them. */
static const TokenName delimiters[] = {
    {TOK_NAME, "a name"},       {TOK_STRING, "a string"}, {TOK_INT, "a size"},
    {TOK_LPAREN, "'('"},        {TOK_LBRACE, "'{'"},      {TOK_RPAREN, "')'"},
    {TOK_RSQUARE, "']'"},       {TOK_RBRACE, "'}'"},      {TOK_FSTRING_CLOSE, "'}'"},
    {TOK_COMMA, "','"},         {TOK_COLON, "':'"},       {TOK_ASSIGN, "'='"},
    {TOK_ARROW, "'->'"},        {TOK_ELLIPSIS, "'...'"},  {TOK_DOT, "'.'"},
    {TOK_TO, "'to'"},           {TOK_FROM, "'from'"},     {TOK_BY, "'by'"},
    {TOK_AS, "'as'"},           {TOK_IMPORT, "'import'"}, {TOK_IN, "'in'"},
    {TOK_ELSE, "'else'"},       {TOK_IF, "'if'"},         {TOK_FOR, "'for'"},
    {TOK_NEWLINE, "a new line"}};

static bool can(const SyntaxErrorSite *site, int code)
{
    return parser_can_shift(site->parser, code);
}

static bool can_begin_expression(const SyntaxErrorSite *site)
{
    return can(site, TOK_NAME) && can(site, TOK_LPAREN) && can(site, TOK_FLOAT);
}

static bool is_group(int code, const int *codes)
{
    for (; *codes; codes++) {
        if (*codes == code) return true;
    }
    return false;
}

/* Tokens that need no mention beside "an expression", "a statement" or "an operator". */
static bool is_implied(int code, bool expression, bool statement, bool has_operator)
{
    static const int starts[] = {TOK_NAME, TOK_STRING, TOK_INT, TOK_LPAREN, 0};
    static const int words[] = {TOK_FOR, TOK_IF, TOK_IMPORT, TOK_FROM, TOK_NEWLINE, 0};
    static const int operators[] = {TOK_LPAREN, TOK_IN, TOK_IF, TOK_DOT, 0};
    static const int contextual[] = {TOK_TO, TOK_FROM, TOK_BY, TOK_AS, 0};
    if (expression && (is_group(code, starts) || is_group(code, contextual))) return true;
    return (statement && is_group(code, words)) || (has_operator && is_group(code, operators));
}

typedef struct {
    const char *item[sizeof delimiters / sizeof *delimiters + 2];
    int len;
} Expected;

static Expected expected_tokens(const SyntaxErrorSite *site)
{
    Expected e = {.len = 0};
    bool expression = can_begin_expression(site);
    bool statement = expression && can(site, TOK_RETURN);
    bool has_operator = !expression && can(site, TOK_STAR);
    bool name_only = !expression && can(site, TOK_NAME);
    if (expression) e.item[e.len++] = statement ? "a statement" : "an expression";
    for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++) {
        int code = delimiters[i].code;
        if (is_implied(code, expression, statement, has_operator)) continue;
        if (name_only && code >= TOK_TO && code <= TOK_AS) continue;
        if (can(site, code)) e.item[e.len++] = delimiters[i].text;
    }
    if (has_operator) e.item[e.len++] = "an operator";
    return e;
}

static void write_expected(StrBuf *out, const SyntaxErrorSite *site)
{
    Expected e = expected_tokens(site);
    for (int i = 0; i < e.len; i++) {
        strbuf_text(out, i == 0 ? "; expected " : i + 1 == e.len ? " or " : ", ");
        strbuf_text(out, e.item[i]);
    }
}

static void write_token(StrBuf *out, const SyntaxErrorSite *site)
{
    enum { SHOWN = 40 };
    size_t len;
    const char *text = source_text(site->token.span, &len);
    bool is_string = site->code == TOK_STRING || site->code == TOK_FSTRING_START;
    if (site->code == TOK_NEWLINE && *text != ';')
        strbuf_text(out, "end of the line");
    else if (site->code == TOK_FSTRING_START)
        strbuf_text(out, "f-string");
    else if (len > SHOWN || memchr(text, '\n', len))
        strbuf_text(out, is_string ? "string" : "text");
    else if (is_string)
        strbuf_bytes(out, text, len);
    else
        strbuf_printf(out, "'%.*s'", (int)len, text);
}

/* ---- the likely reason ---- */

static bool is_any_word(int code)
{
    return code >= TOK_NAME && code <= TOK_ADJOINT;
}

static bool is_keyword(int code)
{
    static const int keywords[] = {TOK_DEF,    TOK_RETURN, TOK_TEST, TOK_STRUCT, TOK_FOR,
                                   TOK_WHILE,  TOK_IF,     TOK_ELSE, TOK_BREAK,  TOK_CONTINUE,
                                   TOK_IMPORT, TOK_AND,    TOK_OR,   TOK_NOT,    TOK_IN,
                                   TOK_TRUE,   TOK_FALSE,  TOK_NONE, 0};
    return is_group(code, keywords);
}

/* A word of another language just before the token, or the token itself. */
static const char *foreign_reason(const SyntaxErrorSite *site)
{
    const char *advice = NULL;
    if (is_any_word(site->previous)) advice = foreign_word(site->previous_token.name->text);
    if (!advice && is_any_word(site->code)) advice = foreign_word(site->token.name->text);
    return advice;
}

/* x => x * 2, at either character. */
static bool is_arrow(const SyntaxErrorSite *site)
{
    size_t len;
    const char *text = source_text(site->token.span, &len);
    return (site->code == TOK_ASSIGN && text[len] == '>') ||
           (site->code == TOK_GT && site->previous == TOK_ASSIGN);
}

/* Python's way to gather or spread arguments. */
static bool is_star_argument(const SyntaxErrorSite *site)
{
    bool is_star = site->code == TOK_STAR || site->code == TOK_POW;
    return is_star && (site->previous == TOK_LPAREN || site->previous == TOK_COMMA);
}

static const char *assignment_hint(const SyntaxErrorSite *site)
{
    if (can(site, TOK_LBRACE) && can(site, TOK_STAR)) return "to compare, write ==";
    if (can(site, TOK_NEWLINE)) return "a statement makes one assignment; to compare, write ==";
    return NULL;
}

static bool is_in_map(const SyntaxErrorSite *site)
{
    const Lexer *lx = &site->cx->lexer;
    return lx->frames.len && lx->frames.item[lx->frames.len - 1].kind == FRAME_MAP;
}

/* {k: v for …}, {x for …}, {1, 2} */
static const char *map_reason(const SyntaxErrorSite *site)
{
    if (can(site, TOK_RBRACE))
        return "a map is filled in a loop: m = {}; for k in v { m[k] = f(k) }";
    if (!can(site, TOK_COLON)) return NULL;
    return "there are no sets: an array is written [1, 2], a tuple (1, 2), a map {\"key\": value}";
}

/* A `for` that no comprehension has room for. */
static const char *comprehension_reason(const SyntaxErrorSite *site)
{
    bool ends_here = can(site, TOK_RSQUARE) || can(site, TOK_RPAREN);
    if (!ends_here) return NULL;
    if (!can(site, TOK_COMMA))
        return "a comprehension has one for: [[f(x, y) for y in b] for x in a] has a row for each x, "
               "and ravel makes one row of them";
    if (can(site, TOK_RSQUARE))
        return "give the element brackets of its own: [[x, y] for x, y in v]";
    return "write a comprehension in brackets of its own: [f(x) for x in v]";
}

static const char *likely_reason(const SyntaxErrorSite *site)
{
    const char *foreign = foreign_reason(site);
    if (foreign) return foreign;
    if (is_star_argument(site))
        return can_begin_expression(site)
                   ? "arguments are given one by one: f(x, y, scale = 2.0)"
                   : "the parameters of a function are a fixed list: pass a tuple or a map as one of them";
    if (is_arrow(site)) return foreign_word("lambda");
    if (site->code == TOK_COLON && can(site, TOK_LBRACE)) return "write a block in braces: { … }";
    if (site->code == TOK_NAME && site->previous == TOK_DEF)
        return "a function inside an expression has no name: def(x) = x * 2";
    if (is_in_map(site) && (site->code == TOK_FOR || site->code == TOK_COMMA))
        return map_reason(site);
    if (site->code == TOK_FOR) return comprehension_reason(site);
    if (site->code == TOK_ELSE) return "an else comes right after the } of its if";
    if (site->code == TOK_COMMA && can(site, TOK_NEWLINE))
        return "put a tuple in parentheses: (a, b)";
    if (site->code == TOK_NONE && can(site, TOK_NAME)) return "the type of none is None";
    if (is_keyword(site->code) && can(site, TOK_NAME) && !can_begin_expression(site))
        return "this word is a keyword and can't be a name";
    if (site->code == TOK_ASSIGN && is_keyword(site->previous))
        return "the word before it is a keyword and can't be a name";
    if (site->code == TOK_ASSIGN) return assignment_hint(site);
    if (site->code == TOK_FLOORDIV && can_begin_expression(site)) return "a comment begins with #";
    return NULL;
}

/* An opening bracket on an earlier line is often what is really missing its end. */
static void note_open_bracket(const SyntaxErrorSite *site)
{
    const Lexer *lx = &site->cx->lexer;
    int open = lx->frames.len;
    if (site->code == TOK_LBRACE || site->code == TOK_LMAP || site->code == TOK_LPAREN ||
        site->code == TOK_LSQUARE)
        open--; /* its own */
    if (open <= 0) return;
    Span span = lx->frames.item[open - 1].at;
    Location at = source_locate(span.start), here = source_locate(site->token.span.start);
    if (site->code != TOKEN_END && at.line == here.line) return;
    size_t len;
    const char *text = source_text(span, &len);
    error_note(site->cx->err, "the '%.*s' at line %u, column %u is still open", (int)len, text,
               at.line, at.column);
}

static void at_the_end(const SyntaxErrorSite *site)
{
    StrBuf message = {0};
    strbuf_text(&message, "the text ends too early");
    write_expected(&message, site);
    error_set_at(site->cx->err, ERR_INCOMPLETE, site->token.span, "%s", strbuf_str(&message));
    strbuf_free(&message);
}

static void in_the_middle(const SyntaxErrorSite *site)
{
    StrBuf message = {0};
    strbuf_text(&message, "unexpected ");
    write_token(&message, site);
    write_expected(&message, site);
    error_set_at(site->cx->err, ERR_SYNTAX, site->token.span, "%s", strbuf_str(&message));
    strbuf_free(&message);
    const char *reason = likely_reason(site);
    if (reason) error_hint(site->cx->err, "%s", reason);
}

void syntax_error(const SyntaxErrorSite *site)
{
    if (site->code == TOK_LEAST_INT) {
        error_set_at(site->cx->err, ERR_SYNTAX, site->token.span,
                     "9223372036854775808 does not fit an Int");
        error_hint(
            site->cx->err,
            "the largest Int is 9223372036854775807; the smallest is written -9223372036854775808");
        return;
    }
    if (site->code == TOKEN_END)
        at_the_end(site);
    else
        in_the_middle(site);
    note_open_bracket(site);
}

#include "syntax/layout.h"

#include <string.h>

#include "syntax/lexer.h"
#include "syntax/parse.h"
#include "viv_grammar.h"

enum { INDENT = 4 };

/* An open bracket. */
typedef struct {
    int code;
    int outer, inner; /* indentation of the line it stands on, and of the lines inside */
} Bracket;

typedef struct {
    const Source *source;
    StrBuf *out;
    VEC_OF(Bracket) brackets;
    int line_indent; /* of the line being written */
    bool at_start;   /* nothing of the text has been written */
    int previous;    /* code of the token before */
    bool previous_is_unary;
} Layout;

static bool is_one_of(int code, const int *set, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (set[i] == code) return true;
    return false;
}

#define IS_ONE_OF(code, ...)                                                                       \
    is_one_of(code, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static bool opens(int code)
{
    return IS_ONE_OF(code, TOK_LPAREN, TOK_LSQUARE, TOK_LBRACE, TOK_LMAP);
}

static bool closes(int code)
{
    return IS_ONE_OF(code, TOK_RPAREN, TOK_RSQUARE, TOK_RBRACE);
}

static int innermost(const Layout *l)
{
    return l->brackets.len ? l->brackets.item[l->brackets.len - 1].code : 0;
}

/* Whether a token ends something that an operator or a bracket could follow. */
static bool ends_operand(int code)
{
    return closes(code) || IS_ONE_OF(code, TOK_NAME, TOK_TO, TOK_BY, TOK_AS, TOK_FROM, TOK_ADJOINT,
                                     TOK_INT, TOK_LEAST_INT, TOK_FLOAT, TOK_STRING, TOK_FSTRING_END,
                                     TOK_NONE, TOK_TRUE, TOK_FALSE, TOK_ELLIPSIS);
}

/* ---- spaces ---- */

static bool wants_space_before_bracket(const Layout *l, bool had_space)
{
    if (IS_ONE_OF(l->previous, TOK_TO, TOK_BY, TOK_AS, TOK_FROM, TOK_ADJOINT))
        return had_space; /* a name, or a keyword */
    return !ends_operand(l->previous) && l->previous != TOK_DEF;
}

/* Whether a space stands between the previous token and this one, on one line. */
static bool wants_space(const Layout *l, int code, bool had_space)
{
    int before = l->previous;
    if (before == TOK_LBRACE || (code == TOK_RBRACE && innermost(l) == TOK_LBRACE)) return true;
    if (opens(before) || closes(code) || before == TOK_DOT || code == TOK_DOT) return false;
    if (code == TOK_COMMA || code == TOK_NEWLINE) return false;
    if (code == TOK_COLON && before == TOK_COMMA) return true; /* X[i, :] */
    if (code == TOK_COLON || before == TOK_COLON)
        return before == TOK_COLON && code != TOK_COLON && innermost(l) != TOK_LSQUARE;
    if (l->previous_is_unary) return false;
    if (code == TOK_LPAREN || code == TOK_LSQUARE) return wants_space_before_bracket(l, had_space);
    return true;
}

/* ---- lines ---- */

static void trim_line(Layout *l)
{
    while (l->out->len && l->out->data[l->out->len - 1] == ' ') l->out->data[--l->out->len] = '\0';
}

static void break_line(Layout *l, int indent, bool blank_before)
{
    trim_line(l);
    if (!l->at_start) strbuf_char(l->out, '\n');
    if (blank_before && !l->at_start) strbuf_char(l->out, '\n');
    strbuf_repeat(l->out, ' ', (size_t)indent);
    l->line_indent = indent;
    l->at_start = false;
}

static int inner_indent(const Layout *l)
{
    return l->brackets.len ? l->brackets.item[l->brackets.len - 1].inner : 0;
}

/* The indentation of a line that this token begins. A line that goes on with a statement stands one
 * step in. */
static int indent_of(const Layout *l, int code, bool continues_statement)
{
    if (closes(code) && l->brackets.len) return l->brackets.item[l->brackets.len - 1].outer;
    bool in_block = l->brackets.len == 0 || innermost(l) == TOK_LBRACE;
    return inner_indent(l) + (continues_statement && in_block && code != TOK_ELSE ? INDENT : 0);
}

/* ---- what stands between two tokens ---- */

typedef struct {
    int newlines; /* since the last token or comment */
    bool any_space;
} Gap;

static size_t comment_length(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && p[n] != '\n') n++;
    while (n && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r')) n--;
    return n;
}

static bool blank_wanted(const Layout *l, const Gap *g)
{
    return g->newlines > 1 && !(opens(l->previous) && l->previous != 0);
}

static void write_comment(Layout *l, const Gap *g, const char *text, size_t len)
{
    if (g->newlines == 0 && !l->at_start) {
        trim_line(l);
        strbuf_text(l->out, "  ");
    } else {
        break_line(l, inner_indent(l), blank_wanted(l, g));
    }
    strbuf_bytes(l->out, text, len);
    l->at_start = false;
}

/* Writes the comments of a gap; what is left says how the next token is to be set. */
static Gap write_gap(Layout *l, const char *p, const char *end)
{
    Gap g = {0};
    while (p < end) {
        if (*p == '#') {
            size_t len = comment_length(p, end);
            write_comment(l, &g, p, len);
            l->previous = TOK_NEWLINE; /* blank lines below a comment are the author's */
            g = (Gap){0};
            p += len;
            continue;
        }
        g.newlines += *p == '\n';
        g.any_space |= *p == ' ' || *p == '\t' || *p == '\n';
        p++;
    }
    return g;
}

/* ---- tokens ---- */

static void push_bracket(Layout *l, int code)
{
    Bracket b = {.code = code, .outer = l->line_indent, .inner = l->line_indent + INDENT};
    VEC_PUSH(&l->brackets, b);
}

/* A sign after `to` or `by`, which may be names as well, is what the author's spaces say. */
static bool is_unary(const Layout *l, int code, const char *text, size_t len, bool had_space,
                     bool begins)
{
    if (!IS_ONE_OF(code, TOK_PLUS, TOK_MINUS, TOK_TILDE)) return false;
    if (begins) return true;
    if (IS_ONE_OF(l->previous, TOK_TO, TOK_BY, TOK_FROM)) return had_space && text[len] != ' ';
    return !ends_operand(l->previous);
}

static void write_token(Layout *l, int code, const char *text, size_t len, bool had_space,
                        bool begins)
{
    l->previous_is_unary = is_unary(l, code, text, len, had_space, begins);
    strbuf_bytes(l->out, text, len);
    if (opens(code)) push_bracket(l, code);
    if (closes(code) && l->brackets.len) l->brackets.len--;
    l->previous = code;
}

/* Carriage returns of a literal over several lines are the file's, not the text's. */
static void write_literal(Layout *l, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] != '\r' || i + 1 == len || text[i + 1] != '\n') strbuf_char(l->out, text[i]);
}

static void place_token(Layout *l, const TokenMark *t, const Gap *g, bool continues_statement,
                        size_t end_offset)
{
    const char *text = l->source->text + (t->span.start - l->source->base);
    size_t len = end_offset - (size_t)(t->span.start - l->source->base);
    if (g->newlines > 0 || l->at_start)
        break_line(l, indent_of(l, t->code, continues_statement),
                   blank_wanted(l, g) && !closes(t->code));
    else if (wants_space(l, t->code, g->any_space))
        strbuf_char(l->out, ' ');
    if (t->code == TOK_STRING || t->code == TOK_FSTRING_START) {
        write_literal(l, text, len);
        l->previous = TOK_STRING;
        l->previous_is_unary = false;
    } else {
        write_token(l, t->code, text, len, g->any_space, !continues_statement);
    }
}

/* An f-string is one literal, from its start to its end. */
static int last_of(const TokenList *tokens, int i)
{
    if (tokens->item[i].code != TOK_FSTRING_START) return i;
    while (tokens->item[i].code != TOK_FSTRING_END) i++;
    return i;
}

/* A `;` that something follows on its line. */
static bool is_semicolon(const Layout *l, const TokenList *tokens, int i)
{
    const char *text = l->source->text;
    if (text[tokens->item[i].span.start - l->source->base] != ';' || i + 1 >= tokens->len)
        return false;
    for (size_t at = tokens->item[i].span.end - l->source->base; at < l->source->len; at++) {
        char c = text[at];
        if (c == '\n' || c == '#' || c == '}') return false;
        if (c != ' ' && c != '\t' && c != ';' && c != '\r') return true;
    }
    return false;
}

static void write_all(Layout *l, const TokenList *tokens)
{
    const char *text = l->source->text;
    size_t at = memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    bool ended = true, space = false;
    int newlines = 0;
    for (int i = 0; i < tokens->len; i++) {
        const TokenMark *t = &tokens->item[i];
        size_t start = t->span.start - l->source->base;
        if (start < at) continue;
        Gap g = write_gap(l, text + at, text + start);
        at = start;
        newlines = g.newlines > newlines ? g.newlines : newlines;
        space |= g.any_space;
        g.newlines = newlines;
        g.any_space = space;
        if (t->code == TOK_NEWLINE && !is_semicolon(l, tokens, i)) {
            ended = true;
            if (text[start] == ';') at++;
            continue;
        }
        int last = last_of(tokens, i);
        at = tokens->item[last].span.end - l->source->base;
        place_token(l, t, &g, !ended, at);
        ended = t->code == TOK_NEWLINE || t->code == TOK_LBRACE;
        newlines = 0;
        space = false;
        i = last;
    }
    write_gap(l, text + at, text + l->source->len);
    trim_line(l);
    if (!l->at_start) strbuf_char(l->out, '\n');
}

bool layout_source(const Source *source, StrBuf *out, Error *err)
{
    SyntaxFile file = {0};
    TokenList tokens = {0};
    bool ok = parse_source_tokens(source, &file, &tokens, err);
    if (ok) {
        Layout l = {.source = source, .out = out, .at_start = true, .previous = TOK_NEWLINE};
        write_all(&l, &tokens);
        VEC_FREE(&l.brackets);
    }
    VEC_FREE(&tokens);
    syntax_file_free(&file);
    return ok;
}

#include "syntax/layout/text.h"

#include <string.h>

#include "syntax/parse.h"
#include "syntax/text_width.h"
#include "viv_grammar.h"

/* An open bracket, and what the tokens in it have said so far. */
typedef struct {
    int open;       /* its item; -1: the file */
    bool is_struct; /* of a struct's fields */
    int loop;       /* the item of `for`, while its variables are read; else -1 */
    bool has_loop;  /* a comprehension's */
} Frame;

typedef struct {
    LayoutText *out;
    const Source *source;
    VEC_OF(Frame) frames;
    size_t at;         /* offset of what has not been read */
    bool has_newline;  /* a NEWLINE token came after the last item */
    LayoutItem *items; /* out->items.item */
} Reader;

static bool is_one_of(int code, const int *set, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (set[i] == code) return true;
    return false;
}

#define IS_ONE_OF(code, ...)                                                                       \
    is_one_of(code, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

bool layout_opens(int code)
{
    return IS_ONE_OF(code, TOK_LPAREN, TOK_LSQUARE, TOK_LBRACE, TOK_LMAP);
}

bool layout_closes(int code)
{
    return IS_ONE_OF(code, TOK_RPAREN, TOK_RSQUARE, TOK_RBRACE);
}

/* Words that are names as well. */
static bool is_soft_word(int code)
{
    return IS_ONE_OF(code, TOK_TO, TOK_BY, TOK_AS, TOK_FROM, TOK_ADJOINT);
}

static bool is_number(int code)
{
    return IS_ONE_OF(code, TOK_INT, TOK_LEAST_INT, TOK_FLOAT);
}

/* Whether a token ends something that an operator or a bracket could follow. */
static bool ends_operand(int code)
{
    return layout_closes(code) || is_soft_word(code) || is_number(code) ||
           IS_ONE_OF(code, TOK_NAME, TOK_STRING, TOK_NONE, TOK_TRUE, TOK_FALSE, TOK_ELLIPSIS);
}

/* ---- what stands between two tokens ---- */

static void read_comment(Reader *r, const char *p, const char *end, bool has_break, bool has_blank)
{
    LayoutComment c = {.text = p, .has_break = has_break, .has_blank = has_blank};
    while (p + c.len < end && p[c.len] != '\n') c.len++;
    while (c.len && strchr(" \t\r", p[c.len - 1])) c.len--;
    VEC_PUSH(&r->out->comments, c);
}

/* Comments, line breaks and semicolons before an item that begins at an offset. Whether there was
 * anything at all. */
static bool read_gap(Reader *r, LayoutItem *item, size_t end)
{
    const char *text = r->source->text;
    int newlines = 0;
    bool has_any = end > r->at;
    item->comment = r->out->comments.len;
    while (r->at < end) {
        newlines += text[r->at] == '\n';
        if (text[r->at++] != '#') continue;
        read_comment(r, text + r->at - 1, text + end, newlines > 0, newlines > 1);
        r->at += r->out->comments.item[r->out->comments.len - 1].len - 1;
        newlines = 0;
    }
    item->n_comments = r->out->comments.len - item->comment;
    item->has_break = newlines > 0;
    item->has_blank = newlines > 1;
    return has_any;
}

/* ---- spaces ---- */

static int bracket_of(const Reader *r)
{
    int open = r->frames.item[r->frames.len - 1].open;
    return open < 0 ? 0 : r->items[open].code;
}

/* Whether a space stands between two items on one line. */
static bool wants_space(const Reader *r, const LayoutItem *before, const LayoutItem *t,
                        bool had_space)
{
    int last = before->code, code = t->code, bracket = bracket_of(r);
    if (last == TOK_LBRACE || (code == TOK_RBRACE && bracket == TOK_LBRACE)) return true;
    if (code == TOK_DOT) return is_number(last); /* 1 .x, for 1.x is one wrong number */
    if (layout_opens(last) || layout_closes(code) || last == TOK_DOT) return false;
    if (code == TOK_COMMA) return false;
    if (code == TOK_COLON && last == TOK_COMMA) return true; /* X[i, :] */
    if (code == TOK_COLON || last == TOK_COLON)
        return last == TOK_COLON && code != TOK_COLON && bracket != TOK_LSQUARE;
    if (before->is_unary) return false;
    if (code != TOK_LPAREN && code != TOK_LSQUARE) return true;
    if (is_soft_word(last)) return had_space;
    return !ends_operand(last) && last != TOK_DEF;
}

/* A sign after `to` or `by`, which may be names as well, is what the author's spaces say. */
static bool is_unary(const LayoutItem *before, const LayoutItem *t, bool had_space)
{
    if (!IS_ONE_OF(t->code, TOK_PLUS, TOK_MINUS, TOK_TILDE)) return false;
    if (t->begins) return true;
    if (IS_ONE_OF(before->code, TOK_TO, TOK_BY, TOK_FROM))
        return had_space && !strchr(" \t\r\n", t->text[t->len]);
    return !ends_operand(before->code);
}

/* ---- where lines may be broken ---- */

static BreakRank operator_rank(int code)
{
    switch (code) {
    case TOK_COMMA: return BREAK_COMMA;
    case TOK_OR: return BREAK_OR;
    case TOK_AND: return BREAK_AND;
    case TOK_EQ:
    case TOK_NE:
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE:
    case TOK_IN: return BREAK_COMPARISON;
    case TOK_BAR: return BREAK_BAR;
    case TOK_AMP: return BREAK_AMP;
    case TOK_PLUS:
    case TOK_MINUS: return BREAK_SUM;
    case TOK_STAR:
    case TOK_SLASH:
    case TOK_FLOORDIV:
    case TOK_PERCENT:
    case TOK_AT: return BREAK_PRODUCT;
    default: return BREAK_NEVER;
    }
}

/* The variables of a loop and the word behind them are one piece. */
static BreakRank rank_of(Frame *frame, const LayoutItem *t, int i)
{
    if (t->code == TOK_FOR) frame->loop = i;
    if (frame->loop < 0) return t->is_unary ? BREAK_NEVER : operator_rank(t->code);
    if (i > frame->loop + 1 && IS_ONE_OF(t->code, TOK_IN, TOK_TO, TOK_FROM)) frame->loop = -1;
    return BREAK_NEVER;
}

/* A comprehension's clauses begin lines. The item before gets the rank. */
static void rank_clause(Reader *r, Frame *frame, int i)
{
    bool in_block = bracket_of(r) == TOK_LBRACE || frame->open < 0;
    if (in_block || i == 0) return;
    int code = r->items[i].code;
    if (code == TOK_FOR) frame->has_loop = true;
    if (code == TOK_FOR || (code == TOK_IF && frame->has_loop))
        r->items[i - 1].breaks = BREAK_CLAUSE;
}

/* An `else` that is no statement's: what follows it is neither a block nor an `if`. */
static void rank_choice(Reader *r, int i)
{
    if (i == 0 || r->items[i - 1].code != TOK_ELSE) return;
    if (!IS_ONE_OF(r->items[i].code, TOK_LBRACE, TOK_IF)) r->items[i - 1].breaks = BREAK_CHOICE;
}

/* ---- items ---- */

static void measure_text(LayoutItem *t)
{
    const char *line = memchr(t->text, '\n', t->len);
    t->last_width = -1;
    t->width = display_width(t->text, line ? (size_t)(line - t->text) : t->len);
    if (!line) return;
    const char *last = t->text + t->len;
    while (last[-1] != '\n') last--;
    t->last_width = display_width(last, (size_t)(t->text + t->len - last));
}

static void open_bracket(Reader *r, int i)
{
    const LayoutItem *before = &r->items[i - 1];
    LayoutItem *t = &r->items[i];
    Frame f = {.open = i, .loop = -1};
    bool follows = i > 0 && !t->has_space && !layout_opens(before->code) && !before->is_unary;
    f.is_struct = t->code == TOK_LBRACE && i >= 2 && r->items[i - 2].code == TOK_STRUCT;
    t->is_index = t->code == TOK_LSQUARE && follows;
    t->is_operand = t->code == TOK_LMAP || (t->code != TOK_LBRACE && !follows);
    VEC_PUSH(&r->frames, f);
}

static void close_bracket(Reader *r, int i)
{
    int open = VEC_POP(&r->frames).open;
    r->items[i].partner = open;
    r->items[open].partner = i;
}

static bool begins_statement(const Reader *r, int i)
{
    int code = r->items[i].code;
    if (layout_closes(code) || code == TOK_NEWLINE) return false;
    if (i == 0 || r->has_newline || r->items[i - 1].code == TOK_LBRACE) return true;
    return r->items[i - 1].code == TOK_COMMA && r->frames.item[r->frames.len - 1].is_struct;
}

/* Everything about an item that follows from those before it. */
static void settle_item(Reader *r, int i, bool had_space)
{
    static const LayoutItem start = {.code = TOK_NEWLINE};
    LayoutItem *t = &r->items[i];
    const LayoutItem *before = i > 0 ? t - 1 : &start;
    measure_text(t);
    t->partner = -1;
    t->begins = begins_statement(r, i);
    t->is_unary = is_unary(before, t, had_space);
    t->has_space = i > 0 && wants_space(r, before, t, had_space);
    t->at = i > 0 ? before->at + before->width + t->has_space : 0;
    rank_clause(r, &r->frames.item[r->frames.len - 1], i);
    rank_choice(r, i);
    t->breaks = rank_of(&r->frames.item[r->frames.len - 1], t, i);
    if (layout_opens(t->code)) open_bracket(r, i);
    if (layout_closes(t->code)) close_bracket(r, i);
}

static void add_item(Reader *r, int code, size_t start, size_t end)
{
    LayoutItem t = {.code = code, .text = r->source->text + start, .len = end - start};
    bool had_space = read_gap(r, &t, start);
    VEC_PUSH(&r->out->items, t);
    r->items = r->out->items.item;
    settle_item(r, r->out->items.len - 1, had_space);
    r->has_newline = false;
    r->at = end;
}

/* An f-string is one literal, from its start to its end. */
static int last_of(const TokenList *tokens, int i)
{
    if (tokens->item[i].code != TOK_FSTRING_START) return i;
    while (tokens->item[i].code != TOK_FSTRING_END) i++;
    return i;
}

static void read_items(Reader *r, const TokenList *tokens)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool has_mark = r->source->len >= 3 && memcmp(r->source->text, mark, 3) == 0;
    uint32_t base = r->source->base;
    Frame file = {.open = -1, .loop = -1};
    VEC_PUSH(&r->frames, file);
    r->at = has_mark ? 3 : 0;
    for (int i = 0; i < tokens->len; i++) {
        int code = tokens->item[i].code, first = i;
        i = last_of(tokens, i);
        r->has_newline |= code == TOK_NEWLINE;
        if (code == TOK_NEWLINE) continue;
        add_item(r, code == TOK_FSTRING_START ? TOK_STRING : code,
                 tokens->item[first].span.start - base, tokens->item[i].span.end - base);
    }
    add_item(r, TOK_NEWLINE, r->source->len, r->source->len);
    VEC_FREE(&r->frames);
}

/* ---- what stays broken ---- */

/* A block stays on the line it was written on if it is empty, one statement, or fields with commas
 * between them. */
static bool block_is_broken(const LayoutText *text, int open)
{
    const LayoutItem *t = text->items.item;
    int close = t[open].partner, statements = 0;
    if (close == open + 1) return t[close].n_comments > 0;
    for (int i = open + 1; i <= close; i++)
        if (t[i].has_break || t[i].n_comments || t[i].is_broken) return true;
    for (int i = open + 1; i < close; i++) {
        statements += t[i].begins && t[i - 1].code != TOK_COMMA;
        if (layout_opens(t[i].code)) i = t[i].partner;
    }
    return statements > 1;
}

/* A list stays broken for a comma at its end, a comment in it, or the rows of an array. */
static bool list_is_broken(const LayoutText *text, int open)
{
    const LayoutItem *t = text->items.item;
    int close = t[open].partner, commas = 0;
    bool has_clauses = false, has_rows = false;
    for (int i = open + 1; i <= close; i++) {
        if (t[i].n_comments) return true;
        has_rows |= t[i].has_break && t[i - 1].code == TOK_COMMA && i < close;
        if (i < close && layout_opens(t[i].code)) i = t[i].partner;
        has_clauses |= t[i].breaks == BREAK_CLAUSE;
        commas += t[i].code == TOK_COMMA;
    }
    if (t[open].is_index || has_clauses) return false;
    bool ends_in_comma = t[close - 1].code == TOK_COMMA;
    bool is_single = t[open].code == TOK_LPAREN && t[open].is_operand && commas == 1;
    return (ends_in_comma && !is_single) || (has_rows && t[open].code == TOK_LSQUARE);
}

/* From the inside out, for a block is broken when one in it is. */
static void settle_brackets(LayoutText *text)
{
    for (int i = text->items.len - 1; i >= 0; i--) {
        LayoutItem *t = &text->items.item[i];
        if (!layout_opens(t->code)) continue;
        t->is_broken = t->code == TOK_LBRACE ? block_is_broken(text, i) : list_is_broken(text, i);
    }
}

bool layout_text_read(LayoutText *text, const Source *source, Error *err)
{
    SyntaxFile file = {0};
    TokenList tokens = {0};
    bool ok = parse_source_tokens(source, &file, &tokens, err);
    if (ok) {
        Reader r = {.out = text, .source = source};
        read_items(&r, &tokens);
        settle_brackets(text);
    }
    VEC_FREE(&tokens);
    syntax_file_free(&file);
    return ok;
}

void layout_text_free(LayoutText *text)
{
    VEC_FREE(&text->items);
    VEC_FREE(&text->comments);
}

/* ---- comparing ---- */

/* `#!` and what only looks like a comment, as a line of `#`, stay as they are. */
bool layout_comment_lacks_blank(const LayoutComment *c, size_t *marks)
{
    size_t n = c->len > 1 && c->text[1] == '#' ? 2 : 1;
    *marks = n;
    return c->len > n && !strchr(" \t#!", c->text[n]);
}

/* Carriage returns at the ends of lines are the file's, not the text's. */
static bool same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i + 1 < a_len && a[i] == '\r' && a[i + 1] == '\n') i++;
        while (k + 1 < b_len && b[k] == '\r' && b[k + 1] == '\n') k++;
        if (i == a_len || k == b_len) return i == a_len && k == b_len;
        if (a[i++] != b[k++]) return false;
    }
}

static bool same_comment(const LayoutComment *a, const LayoutComment *b)
{
    size_t a_marks, b_marks;
    bool a_lacks = layout_comment_lacks_blank(a, &a_marks);
    bool b_lacks = layout_comment_lacks_blank(b, &b_marks);
    size_t a_skip = a_marks + (a_lacks != b_lacks && b_lacks);
    size_t b_skip = b_marks + (a_lacks != b_lacks && a_lacks);
    return a_marks == b_marks && a_skip <= a->len && b_skip <= b->len &&
           same_text(a->text + a_skip, a->len - a_skip, b->text + b_skip, b->len - b_skip);
}

static bool same_item(const LayoutText *a, const LayoutText *b, int i)
{
    const LayoutItem *x = &a->items.item[i], *y = &b->items.item[i];
    if (x->code != y->code || x->begins != y->begins || x->n_comments != y->n_comments)
        return false;
    for (int k = 0; k < x->n_comments; k++)
        if (!same_comment(&a->comments.item[x->comment + k], &b->comments.item[y->comment + k]))
            return false;
    return same_text(x->text, x->len, y->text, y->len);
}

int layout_text_difference(const LayoutText *a, const LayoutText *b)
{
    int n = a->items.len < b->items.len ? a->items.len : b->items.len;
    for (int i = 0; i < n; i++)
        if (!same_item(a, b, i)) return i;
    return a->items.len == b->items.len ? -1 : n;
}

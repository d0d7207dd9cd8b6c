#include "syntax/layout/lines.h"

#include "syntax/text_width.h"
#include "viv_grammar.h"

/* A statement is tried on one line. Where it does not fit it is broken at its loosest operators if
 * each piece then fits, else inside its widest bracket, and so on for what does not fit yet. A
 * block, or the rows of an array, that had to be opened for this are marked as broken and the
 * statement is laid out anew: what is written depends on nothing that writing it would change. */

enum { LINE_WIDTH = 100, INDENT = 4, TOO_WIDE = 1 << 30 };

typedef struct {
    LayoutItem *item;
    const LayoutComment *comment;
    StrBuf *out;
    int column;   /* of what is written next */
    int indent;   /* of the line being written */
    bool is_anew; /* something was marked: what follows in this statement would be in vain */
} Layout;

static void lay(Layout *l, int a, int b, int step);
static void write_list(Layout *l, int open);
static void write_block(Layout *l, int open);
static void write_statement(Layout *l, int a, int b, int indent);

/* ---- writing ---- */

static void break_line(Layout *l, int indent, bool with_blank)
{
    if (l->out->len) strbuf_text(l->out, with_blank ? "\n\n" : "\n");
    strbuf_repeat(l->out, ' ', (size_t)indent);
    l->column = l->indent = indent;
}

static void write_comment(Layout *l, const LayoutComment *c)
{
    size_t marks;
    bool lacks_blank = layout_comment_lacks_blank(c, &marks);
    strbuf_bytes(l->out, c->text, marks);
    if (lacks_blank) strbuf_char(l->out, ' ');
    strbuf_bytes(l->out, c->text + marks, c->len - marks);
}

/* The comments before an item; one on the line before stays there. Empty lines are the author's,
 * but none stands at the beginning or the end of a bracket. Whether there may be one now. */
static bool write_comments(Layout *l, int i, int indent, bool keeps_blank)
{
    const LayoutItem *t = &l->item[i];
    keeps_blank &= i > 0 && !layout_opens(t[-1].code);
    for (int k = 0; k < t->n_comments; k++) {
        const LayoutComment *c = &l->comment[t->comment + k];
        if (c->has_break || l->out->len == 0)
            break_line(l, indent, c->has_blank && keeps_blank);
        else
            strbuf_text(l->out, "  ");
        write_comment(l, c);
        keeps_blank = true;
    }
    return keeps_blank;
}

/* Begins a line for an item, below the comments before it. */
static void new_line(Layout *l, int i, int comment_indent, int indent, bool keeps_blank)
{
    const LayoutItem *t = &l->item[i];
    keeps_blank = write_comments(l, i, comment_indent, keeps_blank);
    break_line(l, indent, t->has_blank && keeps_blank && !layout_closes(t->code));
}

/* Carriage returns of a literal over several lines are the file's, not the text's. */
static void write_token(Layout *l, int i)
{
    const LayoutItem *t = &l->item[i];
    for (size_t k = 0; k < t->len; k++)
        if (t->text[k] != '\r' || k + 1 == t->len || t->text[k + 1] != '\n')
            strbuf_char(l->out, t->text[k]);
    l->column = t->last_width < 0 ? l->column + t->width : t->last_width;
}

static void write_space(Layout *l, int i)
{
    if (!l->item[i].has_space) return;
    strbuf_char(l->out, ' ');
    l->column++;
}

/* Items on one line, but for what is broken in any case. */
static void write_flat(Layout *l, int a, int b)
{
    for (int i = a; i < b && !l->is_anew; i++) {
        if (i > a && l->item[i].n_comments)
            new_line(l, i, l->indent, l->indent, false);
        else if (i > a)
            write_space(l, i);
        write_token(l, i);
        int close = l->item[i].partner;
        if (!l->item[i].is_broken || close >= b) continue;
        if (l->item[i].code == TOK_LBRACE)
            write_block(l, i);
        else
            write_list(l, i);
        if (!l->is_anew) write_token(l, close);
        i = close;
    }
}

/* ---- measuring ---- */

/* The column behind [a, b) when it is written flat from a column on, or TOO_WIDE. */
static int measure(const Layout *l, int a, int b, int column, int indent)
{
    for (int i = a; i < b; i++) {
        const LayoutItem *t = &l->item[i];
        if (i > a && t->n_comments) return TOO_WIDE;
        column += t->width + (i > a && t->has_space);
        if (column > LINE_WIDTH) return TOO_WIDE;
        if (t->last_width >= 0) column = t->last_width;
        if (!t->is_broken) continue;
        i = t->partner;
        column = indent + 1;
    }
    return column;
}

static bool fits(const Layout *l, int a, int b, int column, int indent)
{
    return measure(l, a, b, column, indent) != TOO_WIDE;
}

static bool fits_below(const Layout *l, int a, int b, int indent)
{
    return fits(l, a, b, indent, indent);
}

/* ---- what can be broken, outside of brackets ---- */

/* The closing bracket of an opening one, else the item itself: a walk that takes each goes over
 * what is in brackets. */
static int last_of(const Layout *l, int i)
{
    return layout_opens(l->item[i].code) ? l->item[i].partner : i;
}

static BreakRank loosest(const Layout *l, int a, int b)
{
    BreakRank rank = BREAK_NEVER;
    for (int i = last_of(l, a); i < b - 1; i = last_of(l, i + 1)) {
        BreakRank r = l->item[i].breaks;
        if (r != BREAK_NEVER && (rank == BREAK_NEVER || r < rank)) rank = r;
    }
    return rank;
}

/* Where the piece ends that begins at a. */
static int piece_end(const Layout *l, int a, int b, BreakRank rank)
{
    int i = last_of(l, a);
    while (i < b - 1 && l->item[i].breaks != rank) i = last_of(l, i + 1);
    return i < b - 1 ? i + 1 : b;
}

static bool pieces_fit(const Layout *l, int a, int b, BreakRank rank, int inner)
{
    int column = l->column, indent = l->indent;
    while (a < b) {
        int end = piece_end(l, a, b, rank);
        if (!fits(l, a, end, column, indent)) return false;
        column = indent = inner;
        a = end;
    }
    return true;
}

/* A single token that would be too wide on a line of its own as well. */
static bool is_hopeless(const Layout *l, int open)
{
    return l->item[open].partner == open + 2 &&
           l->indent + INDENT + l->item[open + 1].width > LINE_WIDTH;
}

/* The bracket to be broken, or -1. One of indexes only where there is no other. */
static int widest_bracket(const Layout *l, int a, int b)
{
    int best = -1, width = 0;
    for (int i = a; i < b; i = last_of(l, i) + 1) {
        const LayoutItem *t = &l->item[i];
        bool can_be = layout_opens(t->code) && t->code != TOK_LBRACE && !t->is_broken;
        if (!can_be || t->partner >= b || t->partner == i + 1 || is_hopeless(l, i)) continue;
        int w = l->item[t->partner].at - t->at - (t->is_index ? TOO_WIDE : 0);
        if (best >= 0 && w <= width) continue;
        best = i;
        width = w;
    }
    return best;
}

static bool is_assignment(int code)
{
    switch (code) {
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

/* The sign of an assignment, a keyword argument, a default or a function's body; 0: none. */
static int find_assignment(const Layout *l, int a, int b)
{
    for (int i = last_of(l, a); i < b - 1; i = last_of(l, i + 1))
        if (is_assignment(l->item[i].code)) return i;
    return 0;
}

static bool defines(const Layout *l, int a, int assignment)
{
    for (int i = a; i < assignment; i++)
        if (l->item[i].code == TOK_DEF || l->item[i].code == TOK_ADJOINT) return true;
    return false;
}

/* Opens the block of a line that does not fit. */
static bool open_block(Layout *l, int a, int b)
{
    for (int i = a; i < b; i = last_of(l, i) + 1) {
        LayoutItem *t = &l->item[i];
        if (t->code != TOK_LBRACE || t->is_broken || t->partner == i + 1) continue;
        t->is_broken = l->is_anew = true;
        return true;
    }
    return false;
}

/* ---- expressions over several lines ---- */

/* Names, numbers and such, of which several go on a line. */
static bool is_short(const Layout *l, int a, int b)
{
    enum { SHORT = 20 };
    const LayoutItem *last = &l->item[b - 1];
    for (int i = a; i < b; i++)
        if (layout_opens(l->item[i].code) || l->item[i].n_comments ||
            is_assignment(l->item[i].code))
            return false;
    bool is_name = l->item[a].code == TOK_NAME && a + 1 + (last->code == TOK_COMMA) == b;
    return is_name || (last->at + last->width - l->item[a].at <= SHORT && last->last_width < 0);
}

static bool goes_on_line(const Layout *l, int a, int b)
{
    return l->item[a].n_comments == 0 && fits(l, a, b, l->column + l->item[a].has_space, l->indent);
}

static void write_pieces(Layout *l, int a, int b, BreakRank rank, int step)
{
    int inner = l->indent + step;
    for (int i = a; i < b && !l->is_anew;) {
        int end = piece_end(l, i, b, rank);
        if (i > a && rank == BREAK_COMMA && goes_on_line(l, i, end))
            write_space(l, i);
        else if (i > a)
            new_line(l, i, inner, inner, false);
        lay(l, i, end, i > a ? INDENT : step + INDENT);
        i = end;
    }
}

static void write_around(Layout *l, int a, int open, int b, int step)
{
    lay(l, a, open + 1, step);
    if (l->is_anew) return;
    write_list(l, open);
    lay(l, l->item[open].partner, b, step);
}

static bool fits_around(const Layout *l, int a, int open, int b)
{
    return fits(l, a, open + 1, l->column, l->indent) &&
           fits(l, l->item[open].partner, b, l->indent, l->indent);
}

static void lay_expression(Layout *l, int a, int b, int step)
{
    BreakRank rank = loosest(l, a, b);
    int open = widest_bracket(l, a, b);
    bool breaks_bracket = open >= 0 && fits_around(l, a, open, b);
    if (rank && (!breaks_bracket || pieces_fit(l, a, b, rank, l->indent + step)))
        write_pieces(l, a, b, rank, step);
    else if (open >= 0)
        write_around(l, a, open, b, step);
    else
        write_flat(l, a, b);
}

/* The body of a function goes below its head if that helps; another right side only if it can't be
 * broken itself. */
static bool goes_below(const Layout *l, int a, int body, int b)
{
    bool helps = fits_below(l, body, b, l->indent + INDENT);
    bool has_operators = loosest(l, body, b) != BREAK_NEVER;
    if (l->item[body].n_comments) return true;
    if (defines(l, a, body - 1)) return helps || has_operators;
    return helps && !has_operators && widest_bracket(l, body, b) < 0 &&
           !find_assignment(l, body, b);
}

static void lay_assignment(Layout *l, int a, int sign, int b, int step)
{
    int body = sign + 1, inner = l->indent + INDENT;
    bool is_below = goes_below(l, a, body, b);
    lay(l, a, body, step);
    if (is_below)
        new_line(l, body, inner, inner, false);
    else
        write_space(l, body);
    lay(l, body, b, is_below ? 0 : step);
}

/* Writes [a, b) from the current column on. Lines that go on with it stand a step further in. */
static void lay(Layout *l, int a, int b, int step)
{
    if (l->is_anew) return;
    if (fits(l, a, b, l->column, l->indent)) {
        write_flat(l, a, b);
    } else if (!open_block(l, a, b)) {
        int sign = find_assignment(l, a, b);
        if (sign)
            lay_assignment(l, a, sign, b, step);
        else
            lay_expression(l, a, b, step);
    }
}

/* ---- lists ---- */

typedef enum { ONE_PER_LINE, IN_ROWS, FILLED } ListStyle;

/* Behind the comma of the item that begins at a. */
static int item_end(const Layout *l, int a, int close)
{
    while (a < close && l->item[a].code != TOK_COMMA) a = last_of(l, a) + 1;
    return a < close ? a + 1 : close;
}

/* Behind the row that begins at a, and whether it has several items. Lists that are broken for
 * their width only are one row. */
static int row_end(const Layout *l, int a, int open, bool *has_several)
{
    int close = l->item[open].partner, n = 0;
    do {
        a = item_end(l, a, close);
        n++;
    } while (a < close && !(l->item[open].is_broken && l->item[a].has_break));
    *has_several = n > 1;
    return a;
}

/* An array of arrays. */
static bool is_matrix(const Layout *l, int open)
{
    return l->item[open].code == TOK_LSQUARE && !l->item[open].is_index &&
           l->item[open + 1].code == TOK_LSQUARE;
}

/* Rows are kept if all fit. Others are filled if their items are short, or if the author had
 * several of them on a line. */
static ListStyle style_of(const Layout *l, int open, int inner)
{
    int close = l->item[open].partner;
    bool is_broken = l->item[open].is_broken, all_fit = true, all_short = true, any_several = false;
    for (int i = open + 1; i < close; i = item_end(l, i, close))
        all_short &= is_short(l, i, item_end(l, i, close));
    for (int i = open + 1, end; i < close; i = end) {
        bool has_several;
        end = row_end(l, i, open, &has_several);
        all_fit &= !has_several || fits_below(l, i, end, inner);
        any_several |= has_several;
    }
    if (all_fit && (is_broken || !is_matrix(l, open))) return IN_ROWS;
    return all_short || (is_broken && any_several) ? FILLED : ONE_PER_LINE;
}

/* The rows of an array stay, so they must be there before the statement is settled. */
static void mark_rows(Layout *l, int open, const int *row, int n_rows)
{
    LayoutItem *t = &l->item[open];
    bool is_array = t->code == TOK_LSQUARE && !t->is_index;
    if (!is_array || t->is_broken || n_rows < 2) return;
    for (int i = 0; i < n_rows; i++) l->item[row[i]].has_break = true;
    t->is_broken = l->is_anew = true;
}

static void write_items(Layout *l, int open, int inner)
{
    int close = l->item[open].partner;
    ListStyle style = style_of(l, open, inner);
    bool is_only = item_end(l, open + 1, close) == close;
    VEC_OF(int) rows = {0};
    for (int i = open + 1; i < close && !l->is_anew;) {
        int end = item_end(l, i, close);
        const LayoutItem *t = &l->item[i];
        bool is_row = l->item[open].is_broken && t->has_break;
        bool goes_on = (style == IN_ROWS && !is_row) ||
                       (style == FILLED && !t->has_blank && goes_on_line(l, i, end));
        if (i > open + 1 && goes_on) {
            write_space(l, i);
        } else {
            new_line(l, i, inner, inner, true);
            VEC_PUSH(&rows, i);
        }
        lay(l, i, end, is_only ? 0 : INDENT);
        i = end;
    }
    if (!l->is_anew) mark_rows(l, open, rows.item, rows.len);
    VEC_FREE(&rows);
}

/* The bracket at the end of a list that is opened and closed with it, as in f([ … ]) and
 * f(g( … )); -1 when there is none. A list without others has any such bracket, one with others a
 * literal that would have to be broken even on a line of its own. */
static int inner_bracket(const Layout *l, int open)
{
    int close = l->item[open].partner, last = open + 1;
    if (l->item[open].is_broken || !layout_closes(l->item[close - 1].code)) return -1;
    while (item_end(l, last, close) < close) last = item_end(l, last, close);
    int inner = l->item[close - 1].partner;
    bool is_literal = inner == last && l->item[inner].is_operand;
    bool is_call = last == open + 1 && !l->item[inner].is_index &&
                   l->item[inner].code != TOK_LBRACE && loosest(l, last, close) == BREAK_NEVER &&
                   !find_assignment(l, last, close);
    bool is_too_wide = !fits_below(l, last, close, l->indent + INDENT);
    bool helps = inner + 1 < close - 1 && fits(l, open + 1, inner + 1, l->column, l->indent);
    return (is_literal || is_call) && is_too_wide && helps ? inner : -1;
}

/* What stands in a list's brackets, and the line break before the closing one. */
static void write_list(Layout *l, int open)
{
    int close = l->item[open].partner, base = l->indent, inner = inner_bracket(l, open);
    if (inner >= 0) {
        write_flat(l, open + 1, inner + 1);
        write_list(l, inner);
        write_token(l, close - 1);
        return;
    }
    write_items(l, open, base + INDENT);
    if (!l->is_anew) new_line(l, close, base + INDENT, base, false);
}

/* ---- statements ---- */

static int statement_end(const Layout *l, int a, int b)
{
    do a = last_of(l, a) + 1;
    while (a < b && !l->item[a].begins);
    return a;
}

static bool is_branch(const Layout *l, int i)
{
    return l->item[i].code == TOK_ELSE && l->item[i].breaks == BREAK_NEVER;
}

/* The blocks of a statement are all on one line or all broken; in the first case its `else`s may
 * begin lines, all of them. */
static void settle_blocks(Layout *l, int a, int b)
{
    bool is_broken = false, has_lines = false;
    for (int i = a; i < b; i = last_of(l, i) + 1) {
        is_broken |= l->item[i].code == TOK_LBRACE && l->item[i].is_broken;
        has_lines |= is_branch(l, i) && l->item[i].has_break;
    }
    for (int i = a; i < b; i = last_of(l, i) + 1) {
        LayoutItem *t = &l->item[i];
        if (t->code == TOK_LBRACE) t->is_broken = is_broken;
        if (is_branch(l, i)) t->has_break = has_lines && !is_broken;
    }
}

/* A part of a statement on lines of its own: up to a broken block, or to an `else` that begins a
 * line. */
static int part_end(const Layout *l, int a, int b)
{
    for (int i = a; i < b; i = last_of(l, i) + 1) {
        const LayoutItem *t = &l->item[i];
        if (i > a && is_branch(l, i) && (t->has_break || t->n_comments)) return i;
        if (t->code == TOK_LBRACE && t->is_broken) return i + 1;
    }
    return b;
}

static void write_block(Layout *l, int open)
{
    int close = l->item[open].partner, base = l->indent, inner = base + INDENT;
    for (int i = open + 1; i < close;) {
        int end = statement_end(l, i, close);
        write_statement(l, i, end, inner);
        i = end;
    }
    new_line(l, close, inner, base, false);
}

static void try_statement(Layout *l, int a, int b, int indent)
{
    settle_blocks(l, a, b);
    new_line(l, a, indent, indent, true);
    while (a < b && !l->is_anew) {
        int end = part_end(l, a, b);
        bool has_block = l->item[end - 1].code == TOK_LBRACE;
        lay(l, a, end, has_block ? 2 * INDENT : INDENT);
        l->indent = indent;
        a = end;
        if (l->is_anew || a == b) return;
        if (has_block) {
            write_block(l, end - 1);
            a = l->item[end - 1].partner;
        } else {
            new_line(l, a, indent, indent, false);
        }
    }
}

static void write_statement(Layout *l, int a, int b, int indent)
{
    size_t start = l->out->len;
    do {
        l->out->len = start;
        l->is_anew = false;
        try_statement(l, a, b, indent);
    } while (l->is_anew);
}

void layout_write_lines(LayoutText *text, StrBuf *out)
{
    Layout l = {.item = text->items.item, .comment = text->comments.item, .out = out};
    int end = text->items.len - 1;
    for (int i = 0; i < end;) {
        int next = statement_end(&l, i, end);
        write_statement(&l, i, next, 0);
        i = next;
    }
    write_comments(&l, end, 0, true);
    if (out->len) strbuf_char(out, '\n');
}

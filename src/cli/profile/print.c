/* The tables of viv run --profile. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/report.h"
#include "syntax/source.h"
#include "syntax/text_width.h"

enum { MOST_ROWS = 20, MOST_TEXT = 48 };

typedef struct {
    uint32_t position; /* of a line's first statement */
    OpCode op;
    Tally tally;
} Row;

typedef VEC_OF(Row) Rows;

/* ---- sums ---- */

static uint64_t sum(const uint64_t *phase)
{
    uint64_t s = 0;
    for (int i = 0; i < PHASE_COUNT; i++) s += phase[i];
    return s;
}

static void add_costs(Tally *to, const Tally *t)
{
    for (int i = 0; i < PHASE_COUNT; i++) {
        to->ns[i] += t->ns[i];
        to->bytes[i] += t->bytes[i];
    }
}

static void add_all(Tally *to, const Tally *t)
{
    add_costs(to, t);
    for (int i = 0; i < PHASE_COUNT; i++) to->times[i] += t->times[i];
}

static Tally total_of(const Profile *p)
{
    Tally all = {0};
    for (int i = 0; i < p->watch.place.len; i++) add_costs(&all, &p->watch.place.item[i]);
    return all;
}

/* ---- rows ---- */

static int by_position(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

static int by_cost(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    uint64_t cost_x = sum(x->tally.ns), cost_y = sum(y->tally.ns);
    if (cost_x == cost_y) {
        cost_x = sum(x->tally.times);
        cost_y = sum(y->tally.times);
    }
    return (cost_x < cost_y) - (cost_x > cost_y);
}

/* One row a statement, from all stacks that reach it. */
static void collect_statements(const Profile *p, Rows *rows)
{
    for (int i = 0; i < p->place.len; i++) {
        if (!p->place.item[i].is_line) continue;
        Row row = {.position = p->place.item[i].position, .tally = p->watch.place.item[i]};
        VEC_PUSH(rows, row);
    }
    if (rows->len) qsort(rows->item, (size_t)rows->len, sizeof(Row), by_position);
    int n = 0;
    for (int i = 0; i < rows->len; i++) {
        if (n && rows->item[n - 1].position == rows->item[i].position)
            add_all(&rows->item[n - 1].tally, &rows->item[i].tally);
        else
            rows->item[n++] = rows->item[i];
    }
    rows->len = n;
}

/* Statements of one line become one row, which ran as often as the one that ran most. */
static void merge_lines(Rows *rows)
{
    Location last = {0};
    int n = 0;
    for (int i = 0; i < rows->len; i++) {
        const Row *row = &rows->item[i];
        Location at = source_locate(row->position);
        if (n && at.source == last.source && at.line == last.line) {
            Tally *t = &rows->item[n - 1].tally;
            add_costs(t, &row->tally);
            if (sum(row->tally.times) > sum(t->times))
                memcpy(t->times, row->tally.times, sizeof t->times);
        } else {
            rows->item[n++] = *row;
        }
        last = at;
    }
    rows->len = n;
}

/* The row of an operation that has the same name: rules have forms of their own of some. */
static Row *find_operation(const Rows *rows, int op)
{
    for (int i = 0; i < rows->len; i++) {
        const OpRow *a = &op_rows[rows->item[i].op], *b = &op_rows[op];
        if (a->arity == b->arity && strcmp(a->name, b->name) == 0) return &rows->item[i];
    }
    return NULL;
}

static void collect_operations(const Profile *p, Rows *rows)
{
    for (int op = 0; op < OP_COUNT; op++) {
        Row row = {.op = (OpCode)op, .tally = p->watch.op[op]}, *same = find_operation(rows, op);
        if (same)
            add_all(&same->tally, &row.tally);
        else if (sum(row.tally.times))
            VEC_PUSH(rows, row);
    }
}

/* ---- printing ---- */

static double milliseconds(uint64_t ns)
{
    return (double)ns / 1e6;
}

static void print_bytes(uint64_t bytes)
{
    static const char unit[][3] = {"B", "kB", "MB", "GB", "TB"};
    double v = (double)bytes;
    int i = 0;
    for (; v >= 999.5 && i < 4; i++) v /= 1000.0;
    if (i == 0)
        fprintf(stderr, "  %6.0f B", v);
    else
        fprintf(stderr, "  %5.*f %s", v < 99.5, v, unit[i]);
}

/* A time in milliseconds. What ran without one was not timed: operations on single numbers. */
static void print_time(uint64_t ns, uint64_t times, int width)
{
    char text[24] = "-";
    if (milliseconds(ns) >= 0.005)
        snprintf(text, sizeof text, "%.2f", milliseconds(ns));
    else if (ns || times)
        snprintf(text, sizeof text, "%s", ns ? "<0.01" : "not timed");
    fprintf(stderr, " %*s", width, text);
}

static void print_times(const Tally *t, uint64_t whole)
{
    uint64_t ns = sum(t->ns);
    print_time(ns, sum(t->times), 9);
    if (ns && whole)
        fprintf(stderr, " %5.1f%%", 100.0 * (double)ns / (double)whole);
    else
        fprintf(stderr, " %6s", "-");
    for (int i = 0; i < PHASE_COUNT; i++) print_time(t->ns[i], t->times[i], 9);
}

static void print_padded(const char *text, int width)
{
    int pad = width - display_width(text, strlen(text));
    fprintf(stderr, "%s%*s", text, pad > 0 ? pad : 0, "");
}

static void print_source(Location at)
{
    const char *text = at.source->text + at.line_start, *end = at.source->text + at.line_end;
    while (text < end && (*text == ' ' || *text == '\t')) text++;
    const char *stop = text;
    for (int n = 0; n < MOST_TEXT && stop < end; n++) text_next(&stop, end);
    fprintf(stderr, "  %.*s%s\n", (int)(stop - text), text, stop < end ? "…" : "");
}

static char *line_name(Location at)
{
    StrBuf name = {0};
    strbuf_printf(&name, "%s:%u", at.source->name, at.line);
    return strbuf_take(&name);
}

static void print_line(const Row *row, int width, uint64_t whole)
{
    Location at = source_locate(row->position);
    char *name = line_name(at);
    print_padded(name, width);
    mem_free(name);
    print_times(&row->tally, whole);
    fprintf(stderr, " %9llu", (unsigned long long)sum(row->tally.times));
    print_bytes(sum(row->tally.bytes));
    print_source(at);
}

/* The sum of what is not shown. */
static void print_rest(const Tally *rest, const char *what, int width, uint64_t whole)
{
    print_padded(what, width);
    print_times(rest, whole);
    fputs("          ", stderr);
    print_bytes(sum(rest->bytes));
    fputc('\n', stderr);
}

static int name_width(const Rows *rows)
{
    int width = 16;
    for (int i = 0; i < rows->len && i < MOST_ROWS; i++) {
        char *name = line_name(source_locate(rows->item[i].position));
        int own = display_width(name, strlen(name));
        if (own > width) width = own;
        mem_free(name);
    }
    return width;
}

static void print_lines(const Profile *p, uint64_t whole)
{
    Rows rows = {0};
    Tally rest = {0}, outside = p->watch.place.item[0];
    collect_statements(p, &rows);
    merge_lines(&rows);
    if (rows.len) qsort(rows.item, (size_t)rows.len, sizeof(Row), by_cost);
    int width = name_width(&rows);
    print_padded("by line", width);
    fputs("   self ms  share     plain    record     sweep     times     arrays  text\n", stderr);
    for (int i = 0; i < rows.len; i++) {
        if (i < MOST_ROWS)
            print_line(&rows.item[i], width, whole);
        else
            add_costs(&rest, &rows.item[i].tally);
    }
    if (rows.len > MOST_ROWS) print_rest(&rest, "other lines", width, whole);
    print_rest(&outside, "loading", width, whole);
    VEC_FREE(&rows);
}

static void print_operation(const Row *row, int width, uint64_t whole)
{
    const OpRow *op = &op_rows[row->op];
    char name[48];
    bool is_unary = op->arity == 1 && ispunct((unsigned char)op->name[0]);
    snprintf(name, sizeof name, "%s%s", is_unary ? "unary " : "", op->name);
    print_padded(name, width);
    print_times(&row->tally, whole);
    for (int i = 0; i < PHASE_COUNT; i++)
        fprintf(stderr, " %9llu", (unsigned long long)row->tally.times[i]);
    print_bytes(sum(row->tally.bytes));
    fputc('\n', stderr);
}

static void print_operations(const Profile *p, uint64_t whole)
{
    enum { WIDTH = 25 };
    Rows rows = {0};
    Tally rest = {0};
    collect_operations(p, &rows);
    if (rows.len == 0) return;
    fputc('\n', stderr);
    qsort(rows.item, (size_t)rows.len, sizeof(Row), by_cost);
    print_padded("by operation", WIDTH);
    fputs(
        "        ms  share     plain    record     sweep   plain n  record n   sweep n     arrays\n",
        stderr);
    for (int i = 0; i < rows.len; i++) {
        if (i < MOST_ROWS)
            print_operation(&rows.item[i], WIDTH, whole);
        else
            add_all(&rest, &rows.item[i].tally);
    }
    if (rows.len > MOST_ROWS) {
        print_padded("other operations", WIDTH);
        print_times(&rest, whole);
        fprintf(stderr, "%*s", 3 * 10, "");
        print_bytes(sum(rest.bytes));
        fputc('\n', stderr);
    }
    VEC_FREE(&rows);
}

/* The whole, and its parts by phase. */
static void print_total(const Tally *all)
{
    static const char *const name[] = {"plain", "recording", "sweeps"};
    fprintf(stderr, "profile: %.2f ms", milliseconds(sum(all->ns)));
    const char *between = ": ";
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (!all->ns[i]) continue;
        fprintf(stderr, "%s%s %.2f ms", between, name[i], milliseconds(all->ns[i]));
        between = ", ";
    }
    fputs("\n\n", stderr);
}

void profile_print(const Profile *p)
{
    Tally all = total_of(p);
    uint64_t whole = sum(all.ns);
    print_total(&all);
    print_lines(p, whole);
    print_operations(p, whole);
}

#include "array/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* printf and strtod take the decimal point from the locale; here it is never written nor read:
 * digits and exponent go in and out as d…de±x. */

enum { MOST_DIGITS = 17 };

/* ---- shortest digits ---- */

/* |x| = 0.d₁d₂… · 10^point */
typedef struct {
    char digit[MOST_DIGITS + 1];
    int len, point;
} Decimal;

/* The nearest decimal of len digits. */
static void decimal_nearest(Decimal *d, double x, int len)
{
    char text[48];
    snprintf(text, sizeof text, "%.*e", len - 1, x);
    d->len = 0;
    const char *c = text;
    for (; *c != 'e'; c++) {
        if (*c >= '0' && *c <= '9') d->digit[d->len++] = *c;
    }
    d->digit[d->len] = '\0';
    d->point = atoi(c + 1) + 1;
}

static bool decimal_reads_as(const Decimal *d, double x)
{
    char text[48];
    snprintf(text, sizeof text, "%se%d", d->digit, d->point - d->len);
    return strtod(text, NULL) == x;
}

/* One unit more in the last digit. */
static void decimal_next(Decimal *d)
{
    int i = d->len - 1;
    while (i >= 0 && d->digit[i] == '9') d->digit[i--] = '0';
    if (i >= 0) {
        d->digit[i]++;
    } else {
        d->digit[0] = '1';
        d->point++;
    }
}

/* x > 0. A normal number with a decimal of at most 15 digits has it as its nearest one of 15, so
 * fewer need no try. Below a power of two Floats are closer together than above it: there the next
 * decimal of 16 digits may read back although the nearest does not. */
static void decimal_shortest(Decimal *d, double x)
{
    int len = x < 0x1p-1022 ? 1 : 15;
    for (; len < MOST_DIGITS; len++) {
        decimal_nearest(d, x, len);
        if (decimal_reads_as(d, x)) break;
        if (len < 16) continue;
        decimal_next(d);
        if (decimal_reads_as(d, x)) break;
    }
    if (len == MOST_DIGITS) decimal_nearest(d, x, len);
    while (d->len > 1 && d->digit[d->len - 1] == '0') d->digit[--d->len] = '\0';
}

/* ---- writing ---- */

static void write_plain(StrBuf *out, const Decimal *d)
{
    if (d->point <= 0) {
        strbuf_text(out, "0.");
        strbuf_repeat(out, '0', (size_t)-d->point);
        strbuf_bytes(out, d->digit, (size_t)d->len);
    } else if (d->point >= d->len) {
        strbuf_bytes(out, d->digit, (size_t)d->len);
        strbuf_repeat(out, '0', (size_t)(d->point - d->len));
        strbuf_text(out, ".0");
    } else {
        strbuf_bytes(out, d->digit, (size_t)d->point);
        strbuf_char(out, '.');
        strbuf_text(out, d->digit + d->point);
    }
}

static void write_with_exponent(StrBuf *out, const Decimal *d)
{
    strbuf_char(out, d->digit[0]);
    if (d->len > 1) {
        strbuf_char(out, '.');
        strbuf_text(out, d->digit + 1);
    }
    strbuf_printf(out, "e%d", d->point - 1);
}

void float_write(StrBuf *out, double x)
{
    if (isnan(x)) {
        strbuf_text(out, "nan");
        return;
    }
    if (signbit(x)) strbuf_char(out, '-');
    x = fabs(x);
    if (isinf(x)) {
        strbuf_text(out, "inf");
    } else if (x < 0x1p53 && x == floor(x)) {
        strbuf_printf(out, "%lld.0", (long long)x);
    } else {
        Decimal d;
        decimal_shortest(&d, x);
        if (x >= 1e-4 && x < 1e16) {
            write_plain(out, &d);
        } else {
            write_with_exponent(out, &d);
        }
    }
}

/* ---- arrays ---- */

enum { WHOLE = 1000, SHOWN = 3 };

/* The texts of the elements shown, and how wide each column is. */
typedef struct {
    const Array *a;
    bool abbreviated;
    StrBuf text;
    VEC_OF(size_t) end; /* of each element's text */
    VEC_OF(size_t) width;
    int next; /* element to write */
} Table;

static bool is_cut(const Table *t, int axis)
{
    return t->abbreviated && t->a->dim[axis] > 2 * SHOWN;
}

/* The index after i among those shown. */
static int64_t after(const Table *t, int axis, int64_t i)
{
    return is_cut(t, axis) && i == SHOWN - 1 ? t->a->dim[axis] - SHOWN : i + 1;
}

static void write_element(StrBuf *out, const Array *a, int64_t offset)
{
    switch ((DType)a->dtype) {
    case DT_BOOL: strbuf_text(out, array_bools(a)[offset] ? "true" : "false"); break;
    case DT_INT: strbuf_printf(out, "%" PRId64, array_ints(a)[offset]); break;
    case DT_FLOAT: float_write(out, array_floats(a)[offset]); break;
    }
}

static void collect_element(Table *t, int column, int64_t offset)
{
    size_t start = t->text.len;
    write_element(&t->text, t->a, offset);
    size_t width = t->text.len - start;
    VEC_PUSH(&t->end, t->text.len);
    if (column == t->width.len) VEC_PUSH(&t->width, 0);
    if (t->width.item[column] < width) t->width.item[column] = width;
}

static void collect(Table *t, int axis, int64_t offset)
{
    int column = 0;
    for (int64_t i = 0; i < t->a->dim[axis]; i = after(t, axis, i)) {
        int64_t at = offset + i * t->a->stride[axis];
        if (axis == t->a->rank - 1) {
            collect_element(t, column++, at);
        } else {
            collect(t, axis + 1, at);
        }
    }
}

static void write_next(StrBuf *out, Table *t, int column)
{
    size_t start = t->next > 0 ? t->end.item[t->next - 1] : 0;
    size_t len = t->end.item[t->next++] - start;
    strbuf_repeat(out, ' ', t->width.item[column] - len);
    strbuf_bytes(out, t->text.data + start, len);
}

/* What stands between two parts: on one line, or on the next one under the first part. */
static void write_gap(StrBuf *out, const Table *t, int axis, int indent)
{
    if (axis == t->a->rank - 1) {
        strbuf_text(out, ", ");
    } else {
        strbuf_text(out, ",\n");
        strbuf_repeat(out, ' ', (size_t)(indent + axis + 1));
    }
}

static void write_axis(StrBuf *out, Table *t, int axis, int indent)
{
    int column = 0;
    strbuf_char(out, '[');
    for (int64_t i = 0; i < t->a->dim[axis]; i = after(t, axis, i)) {
        if (i > 0) write_gap(out, t, axis, indent);
        if (is_cut(t, axis) && i == t->a->dim[axis] - SHOWN) {
            strbuf_text(out, "…");
            write_gap(out, t, axis, indent);
        }
        if (axis == t->a->rank - 1) {
            write_next(out, t, column++);
        } else {
            write_axis(out, t, axis + 1, indent);
        }
    }
    strbuf_char(out, ']');
}

static void write_empty(StrBuf *out, const Array *a)
{
    if (a->rank == 1) {
        strbuf_text(out, "[]");
        return;
    }
    strbuf_text(out, "zeros(");
    for (int k = 0; k < a->rank; k++) {
        strbuf_printf(out, "%s%" PRId64, k > 0 ? ", " : "", a->dim[k]);
    }
    strbuf_char(out, ')');
}

void array_write(StrBuf *out, const Array *a, int indent)
{
    if (a->size == 0) {
        write_empty(out, a);
        return;
    }
    if (a->rank == 0) {
        write_element(out, a, 0);
        return;
    }
    Table t = {.a = a, .abbreviated = a->size > WHOLE};
    collect(&t, 0, 0);
    write_axis(out, &t, 0, indent);
    strbuf_free(&t.text);
    VEC_FREE(&t.end);
    VEC_FREE(&t.width);
}

/* ---- reading ---- */

typedef struct {
    const char *next, *end;
    StrBuf digits;
    bool ok;
} Reader;

static char peek(const Reader *r)
{
    return r->next < r->end ? *r->next : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits with single underscores between them, into r->digits; how many. */
static int64_t read_digits(Reader *r)
{
    int64_t n = 0;
    while (is_digit(peek(r))) {
        strbuf_char(&r->digits, *r->next++);
        n++;
        bool goes_on = peek(r) == '_' && r->next + 1 < r->end && is_digit(r->next[1]);
        if (goes_on) r->next++;
    }
    return n;
}

/* The exponent after e; very large ones stay very large. */
static int64_t read_exponent(Reader *r)
{
    enum { LARGE = 100000000 };
    r->next++;
    bool negative = peek(r) == '-';
    if (negative || peek(r) == '+') r->next++;
    r->ok &= is_digit(peek(r));
    int64_t value = 0;
    for (; is_digit(peek(r)); r->next++) {
        if (value < LARGE) value = value * 10 + (*r->next - '0');
    }
    return negative ? -value : value;
}

static double read_number(Reader *r)
{
    int64_t whole = read_digits(r), fraction = 0, exponent = 0;
    if (peek(r) == '.') {
        r->next++;
        fraction = read_digits(r);
    }
    r->ok &= whole + fraction > 0;
    if (peek(r) == 'e' || peek(r) == 'E') exponent = read_exponent(r);
    if (!r->ok) return 0;
    strbuf_printf(&r->digits, "e%" PRId64, exponent - fraction);
    return strtod(r->digits.data, NULL);
}

static bool is_word(const Reader *r, const char *word)
{
    return r->end - r->next == 3 && memcmp(r->next, word, 3) == 0;
}

bool float_read(const char *text, size_t len, double *x)
{
    Reader r = {.next = text, .end = text + len, .ok = true};
    bool negative = peek(&r) == '-';
    if (negative || peek(&r) == '+') r.next++;
    double value;
    if (is_word(&r, "inf") || is_word(&r, "nan")) {
        value = *r.next == 'i' ? (double)INFINITY : (double)NAN;
    } else {
        value = read_number(&r);
        r.ok &= r.next == r.end;
    }
    strbuf_free(&r.digits);
    if (r.ok) *x = negative ? -value : value;
    return r.ok;
}

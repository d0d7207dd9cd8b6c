#include "base/number_text.h"

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

/* Without zeros at its end. */
static void decimal_strip(Decimal *d)
{
    while (d->len > 1 && d->digit[d->len - 1] == '0') d->digit[--d->len] = '\0';
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
    decimal_strip(d);
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

/* What has no digits, and the sign of what has; false for the former. */
static bool write_sign(StrBuf *out, double x)
{
    if (isnan(x)) {
        strbuf_text(out, "nan");
        return false;
    }
    if (signbit(x)) strbuf_char(out, '-');
    if (isinf(x)) strbuf_text(out, "inf");
    return !isinf(x);
}

void float_write(StrBuf *out, double x)
{
    if (!write_sign(out, x)) return;
    x = fabs(x);
    if (x < 0x1p53 && x == floor(x)) {
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

void float_write_rounded(StrBuf *out, double x, int digits)
{
    if (digits <= 0 || digits >= MOST_DIGITS || x == 0.0) {
        float_write(out, x);
    } else if (write_sign(out, x)) {
        Decimal d;
        decimal_nearest(&d, fabs(x), digits);
        decimal_strip(&d);
        if (d.point > -4 && d.point <= digits) {
            write_plain(out, &d);
        } else {
            write_with_exponent(out, &d);
        }
    }
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

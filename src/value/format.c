#include "value/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array_text.h"
#include "base/number_text.h"
#include "value/text.h"

enum { LARGEST = 9999 }; /* width and precision */

typedef struct {
    const char *fill; /* one code point, fill_len bytes */
    size_t fill_len;
    char align;    /* < > ^ =, or 0: the default of numbers or of text */
    char sign;     /* + - or blank, or 0 */
    bool has_zero; /* 0 before the width */
    bool has_comma;
    int width;
    int precision; /* -1: none */
    char type;     /* 0: none */
} Spec;

/* ---- reading a specification ---- */

typedef struct {
    const char *text, *next, *end;
    Error *err;
} Reader;

static bool complain(const Reader *r, const char *reason)
{
    return error_set(r->err, ERR_VALUE, "\"%.*s\" is not a format specification: %s",
                     (int)(r->end - r->text), r->text, reason);
}

static bool take_one_of(Reader *r, const char *set, char *taken)
{
    if (r->next == r->end || *r->next == '\0' || !strchr(set, *r->next)) return false;
    *taken = *r->next++;
    return true;
}

static size_t character_len(const char *text, const char *end)
{
    size_t len = 1;
    while (text + len < end && ((unsigned char)text[len] & 0xC0) == 0x80) len++;
    return len;
}

static void read_fill_and_align(Reader *r, Spec *s)
{
    if (r->next == r->end) return;
    size_t len = character_len(r->next, r->end);
    Reader after = {.next = r->next + len, .end = r->end};
    if (take_one_of(&after, "<>^=", &s->align)) {
        s->fill = r->next;
        s->fill_len = len;
        r->next = after.next;
    } else {
        take_one_of(r, "<>^=", &s->align);
    }
}

/* Digits as a number, -1 when there are none. */
static bool read_number(Reader *r, int *number, const char *complaint)
{
    char digit;
    *number = -1;
    while (take_one_of(r, "0123456789", &digit)) {
        *number = (*number < 0 ? 0 : *number * 10) + (digit - '0');
        if (*number > LARGEST) return complain(r, complaint);
    }
    return true;
}

static bool read_precision(Reader *r, Spec *s)
{
    char point;
    if (!take_one_of(r, ".", &point)) return true;
    return read_number(r, &s->precision, "its precision is over 9999") &&
           (s->precision >= 0 || complain(r, "a precision is missing after the point"));
}

static bool read_type(Reader *r, Spec *s)
{
    if (r->next == r->end) return true;
    if (take_one_of(r, "defgxb%s", &s->type) && r->next == r->end) return true;
    StrBuf reason = {0};
    size_t len = character_len(r->next, r->end);
    if (s->type)
        strbuf_printf(&reason, "nothing may follow the type %c", s->type);
    else
        strbuf_printf(&reason, "'%.*s' is not a type (d e f g x b %% s)", (int)len, r->next);
    complain(r, strbuf_str(&reason));
    strbuf_free(&reason);
    return error_hint(r->err, "the order is [[fill]align][sign][0][width][,][.precision][type]");
}

static bool read_spec(Spec *s, const char *text, size_t len, Error *err)
{
    Reader r = {text, text, text + len, err};
    char zero;
    *s = (Spec){.precision = -1};
    read_fill_and_align(&r, s);
    take_one_of(&r, "+- ", &s->sign);
    s->has_zero = !s->fill && take_one_of(&r, "0", &zero);
    if (!read_number(&r, &s->width, "its width is over 9999")) return false;
    s->has_comma = take_one_of(&r, ",", &zero);
    return read_precision(&r, s) && read_type(&r, s);
}

/* ---- padding ---- */

static size_t count_characters(const char *text, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static void write_fill(StrBuf *out, const Spec *s, size_t count)
{
    if (!s->fill)
        strbuf_repeat(out, s->has_zero ? '0' : ' ', count);
    else
        for (size_t i = 0; i < count; i++) strbuf_bytes(out, s->fill, s->fill_len);
}

/* prefix (a sign) and text, filled up to the width. */
static void write_padded(StrBuf *out, const Spec *s, char align, const char *prefix,
                         const char *text, size_t len)
{
    size_t used = strlen(prefix) + count_characters(text, len);
    size_t missing = s->width > 0 && (size_t)s->width > used ? (size_t)s->width - used : 0;
    size_t before = align == '>' ? missing : align == '^' ? missing / 2 : 0;
    size_t between = align == '=' ? missing : 0;
    write_fill(out, s, before);
    strbuf_text(out, prefix);
    write_fill(out, s, between);
    strbuf_bytes(out, text, len);
    write_fill(out, s, missing - before - between);
}

/* ---- text ---- */

static const char *with_article(Value v)
{
    static char text[64];
    const char *name = value_type_name(v);
    if (v.kind == VAL_NONE) return "none";
    snprintf(text, sizeof text, "%s %s", strchr("AEIOaeio", *name) ? "an" : "a", name);
    return text;
}

/* What only numbers take is refused; the type s takes any value as text. */
static bool check_text(const Spec *s, Value v, Error *err)
{
    bool is_text = v.kind == VAL_STR || s->type == 's';
    if (s->type && s->type != 's') {
        error_set(err, ERR_VALUE, "'%c' formats %s, not %s", s->type,
                  strchr("dxb", s->type) ? "an Int" : "a number", with_article(v));
        return false;
    }
    const char *odd = s->sign                         ? "a sign"
                      : s->has_comma                  ? "','"
                      : s->align == '='               ? "the alignment '='"
                      : s->precision >= 0 && !is_text ? "a precision"
                                                      : NULL;
    if (!odd) return true;
    return error_set(err, ERR_VALUE, "%s formats a number, not %s", odd,
                     s->type == 's' ? "text" : with_article(v));
}

static bool format_text(StrBuf *out, const Spec *s, Value v, Error *err)
{
    StrBuf text = {0};
    bool ok = check_text(s, v, err) && value_write(&text, v, err);
    if (ok) {
        size_t len = 0;
        for (int n = 0; len < text.len && n != s->precision; n++)
            len += character_len(text.data + len, text.data + text.len);
        write_padded(out, s, s->align ? s->align : '<', "", strbuf_str(&text), len);
    }
    strbuf_free(&text);
    return ok;
}

/* ---- numbers ---- */

/* The digits of text before anything else in groups of three, after as many zeros as fill up
 * min_width. */
static void write_grouped(StrBuf *out, const char *text, size_t min_width)
{
    size_t n = strspn(text, "0123456789"), digits = n;
    while (digits + (digits ? (digits - 1) / 3 : 0) < min_width) digits++;
    for (size_t left = digits; left > 0; left--) {
        strbuf_char(out, left > n ? '0' : text[n - left]);
        if (left % 3 == 1 && left > 1) strbuf_char(out, ',');
    }
    strbuf_text(out, text + n);
}

/* A number from its sign and the text of its magnitude. */
static void write_number(StrBuf *out, const Spec *s, bool is_negative, const char *text)
{
    char sign = s->sign;
    if (is_negative)
        sign = '-';
    else if (sign == '-')
        sign = '\0';
    const char prefix[2] = {sign, '\0'};
    char align = s->align ? s->align : s->has_zero ? '=' : '>';
    StrBuf grouped = {0};
    if (s->has_comma && *text >= '0' && *text <= '9') {
        bool zeros = align == '=' && (s->has_zero || (s->fill_len == 1 && *s->fill == '0'));
        size_t others = strlen(prefix) + strlen(text) - strspn(text, "0123456789");
        bool fits = s->width > 0 && (size_t)s->width > others;
        write_grouped(&grouped, text, zeros && fits ? (size_t)s->width - others : 0);
        text = strbuf_str(&grouped);
    }
    write_padded(out, s, align, prefix, text, strlen(text));
    strbuf_free(&grouped);
}

static void write_binary(StrBuf *out, uint64_t x)
{
    int bits = 1;
    while (bits < 64 && x >> bits) bits++;
    while (bits-- > 0) strbuf_char(out, x >> bits & 1 ? '1' : '0');
}

static bool format_int(StrBuf *out, const Spec *s, int64_t i, Error *err)
{
    if (s->precision >= 0) {
        error_set(err, ERR_VALUE, "an Int takes no precision");
        return error_hint(err, "write '.%df' for %d decimals", s->precision, s->precision);
    }
    if (s->has_comma && s->type && s->type != 'd')
        return error_set(err, ERR_VALUE, "',' groups decimal digits, not those of '%c'", s->type);
    StrBuf text = {0};
    uint64_t magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    if (s->type == 'x')
        strbuf_printf(&text, "%" PRIx64, magnitude);
    else if (s->type == 'b')
        write_binary(&text, magnitude);
    else
        strbuf_printf(&text, "%" PRIu64, magnitude);
    write_number(out, s, i < 0, text.data);
    strbuf_free(&text);
    return true;
}

/* What printf wrote in b, with a point whatever the locale has for it. */
static void make_point(StrBuf *b)
{
    size_t to = 0;
    for (size_t i = 0; i < b->len; i++) {
        bool is_known = strchr("0123456789e+-", b->data[i]) != NULL;
        if (is_known)
            b->data[to++] = b->data[i];
        else if (to == 0 || b->data[to - 1] != '.')
            b->data[to++] = '.';
    }
    b->len = to;
    b->data[to] = '\0';
}

/* d digits with the point after the first `point` ones. */
static void write_point(StrBuf *out, const char *d, int n, int point, bool wants_fraction)
{
    if (point <= 0) {
        strbuf_text(out, "0.");
        strbuf_repeat(out, '0', (size_t)-point);
        strbuf_bytes(out, d, (size_t)n);
    } else if (point >= n) {
        strbuf_bytes(out, d, (size_t)n);
        strbuf_repeat(out, '0', (size_t)(point - n));
        if (wants_fraction) strbuf_text(out, ".0");
    } else {
        strbuf_bytes(out, d, (size_t)point);
        strbuf_char(out, '.');
        strbuf_bytes(out, d + point, (size_t)(n - point));
    }
}

/* precision significant digits without trailing zeros; plainly where the exponent is small. Without
 * a type a fraction is kept visible, so that a Float looks like one. */
static void write_general(StrBuf *out, double x, int precision, bool has_type)
{
    StrBuf digits = {0};
    if (precision == 0) precision = 1;
    strbuf_printf(&digits, "%.*e", precision - 1, x);
    make_point(&digits);
    char *e = strchr(digits.data, 'e');
    int point = atoi(e + 1) + 1, n = 0;
    for (char *c = digits.data; c < e; c++)
        if (*c != '.') digits.data[n++] = *c;
    while (n > 1 && digits.data[n - 1] == '0') n--;
    if (point > -4 && point <= precision - !has_type) {
        write_point(out, digits.data, n, point, !has_type);
    } else {
        write_point(out, digits.data, n, 1, false);
        strbuf_printf(out, "e%+03d", point - 1);
    }
    strbuf_free(&digits);
}

static void write_magnitude(StrBuf *out, const Spec *s, double x)
{
    int precision = s->precision >= 0 ? s->precision : 6;
    if (!isfinite(x)) {
        float_write(out, x);
    } else if (s->type == 'g' || (!s->type && s->precision >= 0)) {
        write_general(out, x, precision, s->type);
    } else if (!s->type) {
        float_write(out, x);
    } else {
        if (s->type == 'e')
            strbuf_printf(out, "%.*e", precision, x);
        else
            strbuf_printf(out, "%.*f", precision, x);
        make_point(out);
    }
    if (s->type == '%') strbuf_char(out, '%');
}

static bool format_float(StrBuf *out, const Spec *s, double x, Error *err)
{
    if (s->type && strchr("dxb", s->type)) {
        error_set(err, ERR_VALUE, "'%c' formats an Int, not a Float", s->type);
        return error_hint(err, "round(x) makes an Int; '.0f' shows a Float without its fraction");
    }
    StrBuf text = {0};
    if (s->type == '%') x *= 100.0;
    write_magnitude(&text, s, fabs(x));
    write_number(out, s, signbit(x) && !isnan(x), text.data);
    strbuf_free(&text);
    return true;
}

/* ---- any value ---- */

static bool format_value(StrBuf *out, const Spec *s, Value v, Error *err)
{
    bool is_text = !value_is_number(v) || s->type == 's' || (v.kind == VAL_BOOL && !s->type);
    if (is_text) return format_text(out, s, v, err);
    if (v.kind == VAL_FLOAT) return format_float(out, s, v.f, err);
    int64_t i = v.kind == VAL_INT ? v.i : v.b;
    bool as_float = s->type && strchr("efg%", s->type);
    return as_float ? format_float(out, s, (double)i, err) : format_int(out, s, i, err);
}

typedef struct {
    const Spec *spec;
    Error *err;
} ElementFormat;

static bool format_element(StrBuf *out, const Array *a, int64_t offset, void *context)
{
    const ElementFormat *f = context;
    Value v = a->dtype == DT_FLOAT ? value_float(array_floats(a)[offset])
              : a->dtype == DT_INT ? value_int(array_ints(a)[offset])
                                   : value_bool(array_bools(a)[offset]);
    return format_value(out, f->spec, v, f->err);
}

static bool format_array(StrBuf *out, const Spec *s, const Array *a, Error *err)
{
    ElementFormat f = {s, err};
    ArrayStyle style = {.element = format_element, .context = &f};
    return array_write(out, a, text_column(out, 0), &style);
}

bool value_format(StrBuf *out, Value v, const char *spec, size_t len, Error *err)
{
    Spec s;
    if (len == 0) return value_write(out, v, err);
    if (!read_spec(&s, spec, len, err)) return false;
    bool by_element = v.kind == VAL_ARR && s.type != 's';
    return by_element ? format_array(out, &s, v.arr, err) : format_value(out, &s, v, err);
}

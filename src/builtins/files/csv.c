#include "builtins/files/csv.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number_text.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* ---- reading ---- */

static bool starts_with_mark(const char *text, size_t len)
{
    return len >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0;
}

CsvReader csv_start(const char *text, size_t len, char separator)
{
    return (CsvReader){.at = text + (starts_with_mark(text, len) ? 3 : 0),
                       .end = text + len,
                       .separator = separator,
                       .starts_row = true,
                       .next_line = 1};
}

void csv_free(CsvReader *r)
{
    strbuf_free(&r->unquoted);
}

/* Skips one end of line (LF, CR LF or CR), if it is there. */
static bool skip_line_end(CsvReader *r)
{
    if (r->at == r->end || (*r->at != '\n' && *r->at != '\r')) return false;
    r->at += *r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
    r->next_line++;
    return true;
}

static void count_lines(CsvReader *r, const char *from, const char *to)
{
    for (; from < to; from++)
        if (*from == '\n' || (*from == '\r' && from[1] != '\n')) r->next_line++;
}

/* From the quote on: to the cell's closing one, a doubled one standing for itself. */
static bool read_quoted(CsvReader *r, Error *err)
{
    r->unquoted.len = 0;
    while (true) {
        const char *from = r->at + 1;
        const char *to = memchr(from, '"', (size_t)(r->end - from));
        if (!to)
            return error_set(err, ERR_IO,
                             "line %" PRId64 ", column %" PRId64 ": the quote does not end",
                             r->line, r->column);
        count_lines(r, from, to);
        r->at = to + 1;
        bool is_doubled = r->at < r->end && *r->at == '"';
        strbuf_bytes(&r->unquoted, from, (size_t)(to - from) + is_doubled);
        if (!is_doubled) break;
    }
    r->text = strbuf_str(&r->unquoted);
    r->len = r->unquoted.len;
    return true;
}

static void read_plain(CsvReader *r)
{
    r->text = r->at;
    while (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r') r->at++;
    r->len = (size_t)(r->at - r->text);
}

CsvToken csv_next(CsvReader *r, Error *err)
{
    if (r->starts_row) {
        while (skip_line_end(r))
            ;
        if (r->at == r->end) return CSV_END;
        r->starts_row = false;
        r->column = 0;
    }
    r->column++;
    r->line = r->next_line;
    if (r->at == r->end || *r->at != '"')
        read_plain(r);
    else if (!read_quoted(r, err))
        return CSV_ERROR;
    if (r->at < r->end && *r->at == r->separator) {
        r->at++;
        return CSV_CELL;
    }
    r->starts_row = skip_line_end(r) || r->at == r->end;
    if (r->starts_row) return CSV_LAST;
    error_set(err, ERR_IO, "line %" PRId64 ", column %" PRId64 ": text follows the closing quote",
              r->line, r->column);
    return CSV_ERROR;
}

/* ---- numbers ---- */

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *len)
{
    while (*len && is_blank(**text)) (*text)++, (*len)--;
    while (*len && is_blank((*text)[*len - 1])) (*len)--;
}

static bool is_digits(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return len > 0;
}

static bool read_int(const char *digits, size_t len, bool is_negative, int64_t *value)
{
    bool over = false;
    *value = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = is_negative ? '0' - digits[i] : digits[i] - '0';
        over |= __builtin_mul_overflow(*value, 10, value);
        over |= __builtin_add_overflow(*value, digit, value);
    }
    return !over;
}

/* Whether some Float has just these digits. */
static bool is_exact(const char *digits, size_t len)
{
    char exact[DBL_MAX_10_EXP + 3];
    double x;
    while (len && *digits == '0') digits++, len--;
    if (len == 0) return true;
    return float_read(digits, len, &x) && snprintf(exact, sizeof exact, "%.0f", x) == (int)len &&
           memcmp(exact, digits, len) == 0;
}

bool csv_whole(const char *text, size_t len, CsvWhole *x)
{
    enum { ALWAYS_EXACT = 15 };
    trim(&text, &len);
    if (len == 0) return false;
    bool is_negative = *text == '-';
    size_t sign = is_negative || *text == '+', n = len - sign;
    if (!is_digits(text + sign, n)) return false;
    x->is_int = read_int(text + sign, n, is_negative, &x->value);
    x->is_rounded = n > ALWAYS_EXACT && !is_exact(text + sign, n);
    return !is_negative || x->value != 0 || !x->is_int;
}

/* Up to 15 digits and a power of ten up to 22 are both exact in a double, so that one
 * multiplication or division rounds as float_read does, and much faster. */
static bool read_short(const char *text, size_t len, double *x)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int64_t value = 0;
    size_t i = *text == '-', digits = 0, fraction = 0;
    bool has_point = false, is_negative = i == 1;
    for (; i < len; i++) {
        char c = text[i];
        if (c == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (c < '0' || c > '9' || ++digits > 15) return false;
        value = value * 10 + (c - '0');
        fraction += has_point;
    }
    if (digits == 0) return false;
    double size = (double)value / power[fraction];
    *x = is_negative ? -size : size;
    return true;
}

static bool read_word(const char *text, size_t len, double *x)
{
    static const char *const missing[] = {"", "nan", "na", "n/a", "null"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (is_word(text, len, missing[i])) return *x = (double)NAN, true;
    bool is_negative = *text == '-';
    if (is_negative || *text == '+') text++, len--;
    *x = is_negative ? -(double)INFINITY : (double)INFINITY;
    return is_word(text, len, "inf") || is_word(text, len, "infinity");
}

bool csv_number(const char *text, size_t len, double *x)
{
    trim(&text, &len);
    if (len == 0) return read_word("", 0, x);
    if (read_short(text, len, x) || read_word(text, len, x)) return true;
    return !memchr(text, '_', len) && float_read(text, len, x);
}

/* ---- writing ---- */

void csv_write(StrBuf *out, const char *text, size_t len, char separator)
{
    bool is_plain = len > 0 && !starts_with_mark(text, len) && !memchr(text, separator, len);
    for (size_t i = 0; i < len && is_plain; i++)
        is_plain = text[i] != '"' && text[i] != '\n' && text[i] != '\r';
    if (is_plain) {
        strbuf_bytes(out, text, len);
        return;
    }
    strbuf_char(out, '"');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"') strbuf_char(out, '"');
        strbuf_char(out, text[i]);
    }
    strbuf_char(out, '"');
}

/* Numbers, escapes and format specifications: what the text of a literal stands for. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/lexer.h"
#include "viv_grammar.h"

static int digit_value(unsigned char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c - 'A' + 10;
}

static int int_too_big(Lexer *lx, Cursor start)
{
    lexer_fail(lx, start, "%.*s does not fit an Int", (int)(lx->cursor - start),
               (const char *)start);
    error_hint(lx->err, "the largest Int is 9223372036854775807; 1e20 is a Float");
    return TOKEN_ERROR;
}

/* The one magnitude that only a negative number has gets a token of its own, which the grammar
 * takes after a unary minus and nowhere else. */
int lexer_integer(Lexer *lx, Token *token, int base, Cursor start)
{
    uint64_t value = 0;
    for (Cursor c = base == 10 ? start : start + 2; c < lx->cursor; c++) {
        if (*c == '_') continue;
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_value(*c), &value))
            return int_too_big(lx, start);
    }
    if (value > (uint64_t)INT64_MAX + 1) return int_too_big(lx, start);
    bool is_least = value == (uint64_t)INT64_MAX + 1;
    token->integer = is_least ? INT64_MIN : (int64_t)value;
    return lexer_emit(lx, token, is_least ? TOK_LEAST_INT : TOK_INT, start);
}

/* strtod reads the decimal point of the user's locale; Viv's is a point everywhere. */
static double to_double(const char *text)
{
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c_locale);
    double number = strtod(text, NULL);
    uselocale(before);
    freelocale(c_locale);
    return number;
}

int lexer_float(Lexer *lx, Token *token, Cursor start)
{
    lx->scratch.len = 0;
    for (Cursor c = start; c < lx->cursor; c++) {
        if (*c != '_') strbuf_char(&lx->scratch, (char)*c);
    }
    token->number = to_double(strbuf_str(&lx->scratch));
    if (isinf(token->number)) {
        lexer_fail(lx, start, "%.*s does not fit a Float", (int)(lx->cursor - start),
                   (const char *)start);
        error_hint(lx->err, "the largest Float is about 1.8e308; infinity is written inf");
        return TOKEN_ERROR;
    }
    return lexer_emit(lx, token, TOK_FLOAT, start);
}

static bool is_ascii_letter(unsigned char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool has_stray_underscore(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool before = i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
        bool after = i + 1 < len && text[i + 1] >= '0' && text[i + 1] <= '9';
        if (text[i] == '_' && !(before && after)) return true;
    }
    return false;
}

static const char *prefix_complaint(const char *text, size_t len)
{
    char kind = (char)(text[1] | 32);
    if (kind == 'o') return "there are no octal numbers";
    if (len == 2) return "no digits follow the prefix";
    if (strpbrk(text, ".")) return "only decimal numbers have a fraction";
    if (strstr(text, "__") || text[2] == '_' || text[len - 1] == '_')
        return "an underscore must be between two digits";
    return kind == 'x' ? "its digits must be 0 to 9 or a to f" : "its digits must be 0 or 1";
}

static const char *number_complaint(const char *text, size_t len)
{
    if (len >= 2 && text[0] == '0' && strchr("xXbBoO", text[1])) return prefix_complaint(text, len);
    if (has_stray_underscore(text, len)) return "an underscore must be between two digits";
    if ((text[len - 1] | 32) == 'e' && len > 1 && !is_ascii_letter((unsigned char)text[len - 2]))
        return "the exponent has no digits";
    if (text[0] == '0' && text[1] >= '0' && text[1] <= '9')
        return "a whole number must not begin with 0";
    const char *point = strchr(text, '.');
    if (point && is_ascii_letter((unsigned char)point[1])) return "a number has no fields";
    if (point && strchr(point + 1, '.')) return "a number has only one decimal point";
    return "a name must not begin with a digit";
}

int lexer_bad_number(Lexer *lx, Cursor start)
{
    lx->scratch.len = 0;
    strbuf_bytes(&lx->scratch, (const char *)start, (size_t)(lx->cursor - start));
    const char *text = strbuf_str(&lx->scratch);
    return lexer_fail(lx, start, "'%s' is not a number: %s", text,
                      number_complaint(text, lx->scratch.len));
}

bool lexer_code_point(Lexer *lx, Cursor start)
{
    unsigned code = 0;
    for (Cursor c = start + 3; *c != '}'; c++) {
        code = code * 16 + (unsigned)digit_value(*c);
        if (code > 0x10FFFF) break;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
        lexer_fail(lx, start, "'%.*s' is not a Unicode character", (int)(lx->cursor - start),
                   (const char *)start);
        return false;
    }
    strbuf_code_point(&lx->scratch, code);
    return true;
}

/* ---- what no pattern knows ---- */

static unsigned decode(Cursor c)
{
    if (c[0] < 0x80) return c[0];
    if (c[0] < 0xE0) return (c[0] & 0x1Fu) << 6 | (c[1] & 0x3Fu);
    if (c[0] < 0xF0) return (c[0] & 0x0Fu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu);
    return (c[0] & 0x07u) << 18 | (c[1] & 0x3Fu) << 12 | (c[2] & 0x3Fu) << 6 | (c[3] & 0x3Fu);
}

static const char *advice_for(const char *text)
{
    static const char *const advice[][2] = {
        {"!", "write not x"},
        {"&&", "write a and b"},
        {"||", "write a or b"},
        {"'", "write strings between double quotes: \"text\""},
        {"?", "write a if c else b"},
        {"^", "a power is written x ** y"},
        {"\\", "inside ( ) an expression may go on over several lines"},
        {"<<", "write x * 2 ** n for x << n"},
        {">>", "write x // 2 ** n for x >> n"},
        {"<<=", "write x *= 2 ** n for x <<= n"},
        {">>=", "write x //= 2 ** n for x >>= n"},
        {"===", "write =="},
        {"!==", "write !="},
        {"×", "write *"},
        {"·", "write * or @"},
        {"÷", "write /"},
        {"−", "write - (the minus on the keyboard)"},
        {"≤", "write <="},
        {"≥", "write >="},
        {"≠", "write !="},
        {"“", "write strings between straight quotes: \"text\""},
        {"”", "write strings between straight quotes: \"text\""},
        {"‘", "write strings between straight quotes: \"text\""},
        {"’", "write strings between straight quotes: \"text\""},
    };
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (strcmp(advice[i][0], text) == 0) return advice[i][1];
    }
    return NULL;
}

static bool is_invisible(unsigned code)
{
    return code == 0xA0 || code == 0xAD || code == 0x1680 || (code >= 0x2000 && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202F) || (code >= 0x205F && code <= 0x2064) ||
           code == 0x3000 || code == 0xFEFF;
}

int lexer_unknown(Lexer *lx, Cursor start)
{
    unsigned code = decode(start);
    if (code == 0) return lexer_fail(lx, start, "a NUL byte in the text");
    if (code < 0x20 || (code >= 0x7F && code < 0xA0))
        return lexer_fail(lx, start, "a stray control character (U+%04X)", code);
    if (is_invisible(code)) return lexer_fail(lx, start, "an invisible character (U+%04X)", code);
    lx->scratch.len = 0;
    strbuf_bytes(&lx->scratch, (const char *)start, (size_t)(lx->cursor - start));
    bool is_operator = lx->scratch.len > 1 && code < 0x80;
    lexer_fail(lx, start, "%s '%s'", is_operator ? "there is no operator" : "unexpected character",
               strbuf_str(&lx->scratch));
    const char *advice = advice_for(strbuf_str(&lx->scratch));
    if (advice) error_hint(lx->err, "%s", advice);
    return TOKEN_ERROR;
}

int lexer_bad_byte(Lexer *lx, Cursor start)
{
    return lexer_fail(lx, start, "invalid UTF-8 (byte 0x%02X)", *start);
}

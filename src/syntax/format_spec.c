/* The shape of a format specification: [[fill]align][sign][0][width][,][.precision][type]. Whether
 * it suits the value is known only when the program runs. */
#include <string.h>

#include "syntax/lexer.h"

enum { MOST_DIGITS = 4 };

static size_t character_len(const char *text, const char *end)
{
    size_t len = 1;
    while (text + len < end && ((unsigned char)text[len] & 0xC0) == 0x80) len++;
    return len;
}

static bool is_one_of(const char *c, const char *end, const char *set)
{
    return c < end && *c && strchr(set, *c);
}

static const char *skip_align(const char *c, const char *end)
{
    if (c == end) return c;
    size_t fill = character_len(c, end);
    if (is_one_of(c + fill, end, "<>^=")) return c + fill + 1;
    return is_one_of(c, end, "<>^=") ? c + 1 : c;
}

static int skip_digits(const char **c, const char *end)
{
    int count = 0;
    while (*c < end && **c >= '0' && **c <= '9') {
        (*c)++;
        count++;
    }
    return count;
}

const char *format_spec_complaint(const char *spec, size_t len)
{
    const char *end = spec + len, *c = skip_align(spec, end);
    if (is_one_of(c, end, "+- ")) c++;
    if (skip_digits(&c, end) > MOST_DIGITS) return "the width of this format is too large";
    if (is_one_of(c, end, ",")) c++;
    bool has_precision = is_one_of(c, end, ".");
    if (has_precision) {
        c++;
        int digits = skip_digits(&c, end);
        if (digits == 0) return "a precision is missing after the point of this format";
        if (digits > MOST_DIGITS) return "the precision of this format is too large";
    }
    if (has_precision && is_one_of(c, end, "dxb")) return "a whole number takes no precision";
    if (is_one_of(c, end, "defgxb%s")) c++;
    return c == end ? NULL : "this is not a format specification";
}

#include <string.h>

#include "base/number_text.h"
#include "builtins/topics.h"
#include "builtins/utf8.h"
#include "value/text.h"

/* The text of argument 0, a Str, without white space around it. */
static const char *trimmed(const Str *s, size_t *len)
{
    const char *start = s->text, *end = s->text + s->len, *stop = start;
    for (const char *at = start; at < end;) {
        const char *before = at;
        bool is_space = is_white_space(utf8_next(&at));
        if (is_space && start == before)
            start = stop = at;
        else if (!is_space)
            stop = at;
    }
    *len = (size_t)(stop - start);
    return start;
}

static bool no_number(Interp *in, const Args *a, const char *what)
{
    StrBuf given = {0};
    value_describe(&given, a->pos[0]);
    arg_error(in, a, 0, ERR_VALUE, "%s: %s is not %s", a->builtin->name, strbuf_str(&given) + 4,
              what);
    strbuf_free(&given);
    return false;
}

static bool no_conversion(Interp *in, const Args *a, const char *wanted)
{
    return arg_error(in, a, 0, ERR_TYPE, "%s: x must be %s, not %s", a->builtin->name, wanted,
                     value_type_name(a->pos[0]));
}

/* A number or an array through one operation; the span of a failure is the argument. */
static bool convert(Interp *in, const Args *a, OpCode op, Value *out)
{
    if (op_apply1(&in->ad, op, a->pos[0], out)) return true;
    Error found = {0};
    error_move(&found, &in->err);
    arg_error(in, a, 0, found.kind, "%s: %s", a->builtin->name, found.message);
    error_clear(&found);
    return false;
}

/* ---- int, float, bool ---- */

typedef enum { READ_WHOLE, READ_TOO_LARGE, READ_NOTHING } Reading;

/* Decimal digits, single underscores between them, after an optional sign. */
static Reading read_int(const char *text, size_t len, int64_t *value)
{
    const char *end = text + len;
    bool negative = len && *text == '-', fits = true;
    if (len && (*text == '-' || *text == '+')) text++;
    uint64_t limit = (uint64_t)INT64_MAX + negative, magnitude = 0;
    bool after_digit = false;
    for (; text < end; text++) {
        bool is_digit = *text >= '0' && *text <= '9';
        if (!is_digit && !(*text == '_' && after_digit && text + 1 < end)) return READ_NOTHING;
        after_digit = is_digit;
        if (!is_digit) continue;
        uint64_t digit = (uint64_t)(*text - '0');
        fits = fits && magnitude <= (limit - digit) / 10;
        magnitude = fits ? magnitude * 10 + digit : 0;
    }
    if (!after_digit) return READ_NOTHING;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return fits ? READ_WHOLE : READ_TOO_LARGE;
}

static bool int_of_text(Interp *in, const Args *a, Value *out)
{
    size_t len;
    const char *text = trimmed(a->pos[0].str, &len);
    int64_t value;
    double as_float;
    switch (read_int(text, len, &value)) {
    case READ_WHOLE: *out = value_int(value); return true;
    case READ_TOO_LARGE: return no_number(in, a, "in the range of an Int (64 bits)");
    default: break;
    }
    no_number(in, a, "the text of an Int");
    if (float_read(text, len, &as_float))
        return error_hint(&in->err, "int(float(s)) reads a Float and drops its fraction");
    return false;
}

static bool int_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->pos[0].kind == VAL_STR) return int_of_text(in, a, out);
    if (value_is_numeric(a->pos[0])) return convert(in, a, OP_TO_INT, out);
    return no_conversion(in, a, "a number, an array or a Str");
}

static bool float_builtin(Interp *in, const Args *a, Value *out)
{
    if (value_is_numeric(a->pos[0])) return convert(in, a, OP_TO_FLOAT, out);
    if (a->pos[0].kind != VAL_STR) return no_conversion(in, a, "a number, an array or a Str");
    size_t len;
    const char *text = trimmed(a->pos[0].str, &len);
    double value;
    if (!float_read(text, len, &value)) return no_number(in, a, "the text of a number");
    *out = value_float(value);
    return true;
}

static bool bool_builtin(Interp *in, const Args *a, Value *out)
{
    if (value_is_numeric(a->pos[0])) return convert(in, a, OP_TO_BOOL, out);
    no_conversion(in, a, "a number or an array");
    if (a->pos[0].kind == VAL_STR)
        error_hint(&in->err, "write s != \"\" or s == \"true\", whichever is meant");
    else if (a->pos[0].kind == VAL_NONE)
        error_hint(&in->err, "write x != none");
    else if (a->pos[0].kind == VAL_TUPLE || a->pos[0].kind == VAL_MAP)
        error_hint(&in->err, "write len(x) != 0");
    return false;
}

/* ---- text ---- */

static bool str_builtin(Interp *in, const Args *a, Value *out)
{
    StrBuf text = {0};
    if (a->pos[0].kind == VAL_STR) {
        *out = value_retain(a->pos[0]);
        return true;
    }
    if (value_write(&text, a->pos[0], &in->err)) {
        *out = value_str(str_from_buffer(&text));
        return true;
    }
    strbuf_free(&text);
    return false;
}

static bool type_of_builtin(Interp *in, const Args *a, Value *out)
{
    (void)in;
    *out = value_str(str_of(value_type_name(a->pos[0])));
    return true;
}

static bool ord_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s;
    if (!arg_str(in, a, 0, &s)) return false;
    if (s->n_chars != 1) {
        arg_error(in, a, 0, ERR_VALUE, "ord takes one character, not %zu", s->n_chars);
        return error_hint(&in->err, "s[i] is one character of s");
    }
    const char *at = s->text;
    *out = value_int(utf8_next(&at));
    return true;
}

static bool chr_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t code;
    if (!arg_int(in, a, 0, &code)) return false;
    if (code < 0 || code > 0x10FFFF)
        return arg_error(in, a, 0, ERR_VALUE,
                         "chr: %lld is not a code point: they are 0 to 0x10ffff", (long long)code);
    if (code >= 0xD800 && code <= 0xDFFF)
        return arg_error(in, a, 0, ERR_VALUE,
                         "chr: 0x%llx is a surrogate, which stands for no character",
                         (long long)code);
    StrBuf text = {0};
    strbuf_code_point(&text, (unsigned)code);
    *out = value_str(str_from_buffer(&text));
    return true;
}

static bool bytes_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s;
    if (!arg_str(in, a, 0, &s)) return false;
    Shape shape = {.rank = 1, .dim = {(int64_t)s->len}};
    Array *bytes = array_new(DT_INT, &shape, &in->err);
    if (!bytes) return false;
    for (size_t i = 0; i < s->len; i++) array_ints(bytes)[i] = (unsigned char)s->text[i];
    *out = value_arr(bytes);
    return true;
}

const Builtin builtins_convert[] = {
    {"int", "int(x)",
     "x as an Int: a number or an array elementwise, its fraction dropped towards 0 (an error "
     "where no Int is near: nan, inf, 1e300), true as 1; a Str of decimal digits with an "
     "optional sign, white space around it allowed. Its derivative is 0. `int(\" -42 \")` is "
     "`-42`.",
     int_builtin, NULL, true},
    {"float", "float(x)",
     "x as a Float: a number or an array elementwise; a Str in any form a number is written or printed in (\"1e5\", \"-inf\", \"nan\"), "
     "white space around it allowed. Its derivative is 1.",
     float_builtin, NULL, true},
    {"bool", "bool(x)",
     "Whether x is not 0, elementwise for an array; nan is not 0. Strings and structures have "
     "no truth and are an error. `bool([0, 2])` is `[false, true]`.",
     bool_builtin},
    {"str", "str(x)",
     "The text that print shows for x. Floats keep every digit, so float(str(x)) is x; a Str is itself, without quotes.",
     str_builtin},
    {"type_of", "type_of(x)",
     "The name of the type of x: \"None\", \"Bool\", \"Int\", \"Float\", \"Str\", \"Arr\", "
     "\"Tuple\", \"Map\", \"Fn\", \"Module\", or the name of a struct. `type_of(1)` is `Int`.",
     type_of_builtin},
    {"ord", "ord(c)",
     "The code point of the single character c, an Int. The inverse of chr. `ord(\"é\")` is "
     "`233`.",
     ord_builtin},
    {"chr", "chr(code)",
     "The character with that code point, a Str of length 1. Surrogates and what is beyond "
     "0x10ffff are errors. `chr(233)` is `é`.",
     chr_builtin},
    {"bytes", "bytes(s)",
     "The UTF-8 bytes of s, an Int array of rank 1. `bytes(\"é\")` is `[195, 169]`.",
     bytes_builtin},
    {0},
};

#include <string.h>

#include "base/interrupt.h"
#include "builtins/arrange.h"
#include "builtins/topics.h"
#include "builtins/utf8.h"
#include "value/format.h"

static bool give_text(StrBuf *text, Value *out)
{
    *out = value_str(str_from_buffer(text));
    return true;
}

/* Of what was interrupted. */
static bool drop_text(StrBuf *text)
{
    strbuf_free(text);
    return false;
}

/* The first occurrence of part in the bytes from at to end, or NULL. */
static const char *find_bytes(const char *at, const char *end, const Str *part)
{
    if (part->len == 0) return at;
    while ((size_t)(end - at) >= part->len) {
        size_t starts = (size_t)(end - at) - part->len + 1;
        at = memchr(at, part->text[0], starts);
        if (!at) return NULL;
        if (memcmp(at, part->text, part->len) == 0) return at;
        at++;
    }
    return NULL;
}

static const char *text_end(const Str *s)
{
    return s->text + s->len;
}

/* A Str that is not empty, as argument i. */
static bool arg_part(Interp *in, const Args *a, int i, const char *name, const Str **part)
{
    if (!arg_str(in, a, i, part)) return false;
    if ((*part)->len > 0) return true;
    return arg_error(in, a, i, ERR_VALUE, "%s: %s is empty", a->builtin->name, name);
}

/* ---- split and join ---- */

typedef VEC_OF(Value) Parts;

static void add_part(Parts *parts, const char *from, const char *to)
{
    VEC_PUSH(parts, value_str(str_new(from, (size_t)(to - from))));
}

static Value tuple_of_parts(Parts *parts)
{
    Tuple *t = tuple_new(parts->len);
    for (int i = 0; i < parts->len; i++) t->item[i] = parts->item[i];
    VEC_FREE(parts);
    return value_tuple(t);
}

static bool split_at_white_space(Parts *parts, const Str *s, Error *err)
{
    const char *word = NULL;
    for (const char *at = s->text; at < text_end(s);) {
        const char *before = at;
        if (!interrupt_poll(err)) return false;
        bool is_space = is_white_space(utf8_next(&at));
        if (is_space && word) add_part(parts, word, before);
        if (is_space)
            word = NULL;
        else if (!word)
            word = before;
    }
    if (word) add_part(parts, word, text_end(s));
    return true;
}

static bool split_at(Parts *parts, const Str *s, const Str *separator, Error *err)
{
    const char *at = s->text;
    for (const char *found; (found = find_bytes(at, text_end(s), separator));) {
        if (!interrupt_poll(err)) return false;
        add_part(parts, at, found);
        at = found + separator->len;
    }
    add_part(parts, at, text_end(s));
    return true;
}

/* One name for arrays and strings: the first argument decides. */
static bool split_builtin(Interp *in, const Args *a, Value *out)
{
    if (a->pos[0].kind != VAL_STR && a->n == 2) return split_array(in, a, out);
    if (a->pos[0].kind != VAL_STR) {
        arg_error(in, a, 0, ERR_TYPE, "split: an array needs a number of parts, or places to cut");
        return error_hint(&in->err, "write split(x, 3) for 3 equal parts, or split(x, (2, 5)) to "
                                    "cut before positions 2 and 5");
    }
    if (value_is_set(a->kw[0])) return arg_error(in, a, a->n, ERR_TYPE, "split: a Str has no axis");
    const Str *separator = NULL;
    if (a->n == 2 && !arg_part(in, a, 1, "the separator", &separator))
        return error_hint(&in->err, "split(s) splits at white space");
    Parts parts = {0};
    bool ok = separator ? split_at(&parts, a->pos[0].str, separator, &in->err)
                        : split_at_white_space(&parts, a->pos[0].str, &in->err);
    *out = tuple_of_parts(&parts);
    if (!ok) value_clear(out);
    return ok;
}

static bool join_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *separator;
    StrBuf text = {0};
    if (a->pos[0].kind != VAL_TUPLE) {
        arg_error(in, a, 0, ERR_TYPE, "join: parts must be a tuple of strings, not %s",
                  value_type_name(a->pos[0]));
        if (a->pos[0].kind == VAL_STR && a->pos[1].kind == VAL_TUPLE)
            error_hint(&in->err, "the parts come first: join(parts, sep)");
        return false;
    }
    if (!arg_str(in, a, 1, &separator)) return false;
    const Tuple *parts = a->pos[0].tuple;
    for (int i = 0; i < parts->len; i++) {
        Value part = parts->item[i];
        if (!interrupt_poll(&in->err)) return drop_text(&text);
        if (part.kind != VAL_STR) {
            strbuf_free(&text);
            arg_error(in, a, 0, ERR_TYPE, "join: parts[%d] must be a Str, not %s", i,
                      value_type_name(part));
            return error_hint(&in->err, "str(x) makes a Str");
        }
        if (i) strbuf_bytes(&text, separator->text, separator->len);
        strbuf_bytes(&text, part.str->text, part.str->len);
    }
    return give_text(&text, out);
}

/* ---- finding and replacing ---- */

static bool replace_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s, *old, *new;
    StrBuf text = {0};
    if (!arg_str(in, a, 0, &s) || !arg_part(in, a, 1, "old", &old) || !arg_str(in, a, 2, &new))
        return false;
    const char *at = s->text;
    for (const char *found; (found = find_bytes(at, text_end(s), old)); at = found + old->len) {
        if (!interrupt_poll(&in->err)) return drop_text(&text);
        strbuf_bytes(&text, at, (size_t)(found - at));
        strbuf_bytes(&text, new->text, new->len);
    }
    strbuf_bytes(&text, at, (size_t)(text_end(s) - at));
    return give_text(&text, out);
}

static bool find_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s, *part;
    if (!arg_str(in, a, 0, &s) || !arg_str(in, a, 1, &part)) return false;
    const char *found = find_bytes(s->text, text_end(s), part);
    int64_t characters = 0;
    for (const char *at = s->text; found && at < found; characters++) {
        utf8_next(&at);
        if (!interrupt_poll(&in->err)) return false;
    }
    *out = value_int(found ? characters : -1);
    return true;
}

static bool startswith_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s, *prefix;
    if (!arg_str(in, a, 0, &s) || !arg_str(in, a, 1, &prefix)) return false;
    *out = value_bool(s->len >= prefix->len && memcmp(s->text, prefix->text, prefix->len) == 0);
    return true;
}

static bool endswith_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s, *suffix;
    if (!arg_str(in, a, 0, &s) || !arg_str(in, a, 1, &suffix)) return false;
    *out = value_bool(s->len >= suffix->len &&
                      memcmp(text_end(s) - suffix->len, suffix->text, suffix->len) == 0);
    return true;
}

/* ---- characters ---- */

static bool map_characters(Interp *in, const Args *a, unsigned (*f)(unsigned), Value *out)
{
    const Str *s;
    StrBuf text = {0};
    if (!arg_str(in, a, 0, &s)) return false;
    for (const char *at = s->text; at < text_end(s);) {
        if (!interrupt_poll(&in->err)) return drop_text(&text);
        strbuf_code_point(&text, f(utf8_next(&at)));
    }
    return give_text(&text, out);
}

static bool upper_builtin(Interp *in, const Args *a, Value *out)
{
    return map_characters(in, a, upper_case, out);
}

static bool lower_builtin(Interp *in, const Args *a, Value *out)
{
    return map_characters(in, a, lower_case, out);
}

/* Whether the character goes: one of chars, or white space when that is NULL. */
static bool is_stripped(const Str *chars, unsigned code)
{
    if (!chars) return is_white_space(code);
    for (const char *at = chars->text; at < text_end(chars);)
        if (utf8_next(&at) == code) return true;
    return false;
}

static bool strip_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *s, *chars = NULL;
    if (!arg_str(in, a, 0, &s) || (a->n == 2 && !arg_str(in, a, 1, &chars))) return false;
    const char *start = NULL, *stop = s->text;
    for (const char *at = s->text; at < text_end(s);) {
        const char *before = at;
        if (!interrupt_poll(&in->err)) return false;
        if (is_stripped(chars, utf8_next(&at))) continue;
        if (!start) start = before;
        stop = at;
    }
    *out = value_str(start ? str_new(start, (size_t)(stop - start)) : str_new("", 0));
    return true;
}

static bool format_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *spec;
    StrBuf text = {0};
    if (!arg_str(in, a, 1, &spec)) return false;
    if (value_format(&text, a->pos[0], spec->text, spec->len, &in->err))
        return give_text(&text, out);
    strbuf_free(&text);
    return false;
}

const Builtin builtins_text[] = {
    {"split", "split(x, [parts], axis = 0)",
     "Of a Str the tuple of its parts: between white space, or with a second Str between its "
     "occurrences (\"a,,b\" has an empty part in the middle). Of an array the tuple of its "
     "parts along axis: so many equal ones, or cut before each of the positions in a tuple. "
     "`split(\"a,,b\", \",\")` is `(\"a\", \"\", \"b\")`.",
     split_builtin},
    {"join", "join(parts, sep)",
     "The strings of the tuple parts in a row, with sep between them. The inverse of split(s, "
     "sep). `join((\"a\", \"b\"), \"-\")` is `a-b`.",
     join_builtin},
    {"replace", "replace(s, old, new)",
     "s with every occurrence of old (which must not be empty) replaced by new, from left to "
     "right. `replace(\"aaa\", \"aa\", \"b\")` is `ba`.",
     replace_builtin},
    {"find", "find(s, part)",
     "The index in s of the first character of the first occurrence of part, or -1. `part in s` "
     "asks only whether there is one. `find(\"hello\", \"l\")` is `2`.",
     find_builtin},
    {"upper", "upper(s)",
     "s with every letter in upper case, character by character and the same in every locale; what has no upper case of one "
     "character (ß) stays.",
     upper_builtin},
    {"lower", "lower(s)",
     "s with every letter in lower case, character by character and the same in every locale.",
     lower_builtin},
    {"strip", "strip(s, [chars])",
     "s without the white space at its ends, or without those characters at its ends that occur "
     "in chars. `strip(\"--x-\", \"-\")` is `x`.",
     strip_builtin},
    {"startswith", "startswith(s, prefix)",
     "Whether s begins with prefix; true for an empty one. `startswith(\"hello\", \"he\")` is "
     "`true`.",
     startswith_builtin},
    {"endswith", "endswith(s, suffix)",
     "Whether s ends with suffix; true for an empty one. `endswith(\"hello\", \"lo\")` is "
     "`true`.",
     endswith_builtin},
    {"format", "format(x, spec)",
     "The text of x by a format specification, [[fill]align][sign][0][width][,][.precision][type], as after the colon in an f-string: "
     "format(3.14159, \".2f\") is \"3.14\". Types: d x b for Ints, e f g % for numbers, s for anything. Of an array each "
     "element is formatted, but for s. An empty one gives str(x).",
     format_builtin},
    {0},
};

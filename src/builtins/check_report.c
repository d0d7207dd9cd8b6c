#include "builtins/check_report.h"

#include <math.h>
#include <string.h>

#include "base/number_text.h"
#include "value/text.h"

/* ---- texts of arguments ---- */

/* Appends text on one line, cut after so many characters; outside quotes the blanks that lay it out
 * go. */
static void write_short(StrBuf *out, const char *text, size_t len, int longest)
{
    bool in_quotes = false, is_escaped = false;
    char last = '\0';
    for (size_t i = 0; i < len; i++) {
        char c = text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i];
        if (c == ' ' && !in_quotes && (last == ' ' || last == '[')) continue;
        bool is_first_byte = ((unsigned char)c & 0xC0) != 0x80;
        if (is_first_byte && longest-- == 0) {
            strbuf_text(out, "…");
            return;
        }
        in_quotes ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        strbuf_char(out, c);
        last = c;
    }
}

void check_write_source(StrBuf *out, const Args *a, int i)
{
    size_t len;
    const char *source = arg_source(a, i, &len);
    if (source)
        write_short(out, source, len, 60);
    else
        strbuf_text(out, i == 0 ? "the first value" : "the second value");
}

void check_write_value(StrBuf *out, Value v, int longest)
{
    StrBuf text = {0};
    Error ignored = {0};
    value_write_literal(&text, v, 0, &ignored);
    write_short(out, strbuf_str(&text), text.len, longest);
    error_clear(&ignored);
    strbuf_free(&text);
}

/* Whether the source says the value itself, or is a literal of which the value is a part. */
static bool is_literal(const char *source, const char *value, bool is_part)
{
    return strcmp(source, value) == 0 || (is_part && strchr("[({", *source));
}

/* "SOURCE between VALUE", or VALUE alone when the source would add nothing; whether it was the
 * former. v is the argument or, at a place inside, a part of it. */
static bool write_named(StrBuf *out, const Args *a, int i, Value v, bool is_part,
                        const char *between)
{
    StrBuf source = {0}, value = {0};
    check_write_source(&source, a, i);
    check_write_value(&value, v, 200);
    bool is_named = !is_literal(strbuf_str(&source), strbuf_str(&value), is_part);
    if (is_named) strbuf_printf(out, "%s%s", strbuf_str(&source), between);
    strbuf_text(out, strbuf_str(&value));
    strbuf_free(&source);
    strbuf_free(&value);
    return is_named;
}

/* The value of an argument that its message has no room for and its source does not say. */
static void note_value(Interp *in, const Args *a, int i)
{
    Value v = a->pos[i];
    if (value_is_number(v)) return;
    StrBuf source = {0}, kind = {0}, value = {0};
    check_write_source(&source, a, i);
    check_write_value(&value, v, 300);
    if (v.kind == VAL_ARR) value_describe(&kind, v);
    if (!is_literal(strbuf_str(&source), strbuf_str(&value), false))
        error_note(&in->err, "%s is %s%s%s", strbuf_str(&source), strbuf_str(&kind),
                   kind.len ? ": " : "", strbuf_str(&value));
    strbuf_free(&source);
    strbuf_free(&kind);
    strbuf_free(&value);
}

bool check_fail(Interp *in, const Args *a, const char *format, ...)
{
    StrBuf text = {0};
    va_list args;
    va_start(args, format);
    strbuf_vprintf(&text, format, args);
    va_end(args);
    error_set(&in->err, ERR_ASSERT, "%s failed%s", a->builtin->name, strbuf_str(&text));
    strbuf_free(&text);
    return false;
}

/* ---- reports of comparisons ---- */

static const char *const relation_text[] = {
    [REL_EQ] = "not",    [REL_CLOSE] = "not close to", [REL_LT] = "not <",
    [REL_LE] = "not <=", [REL_GT] = "not >",           [REL_GE] = "not >="};

static const char *const operator_of[] = {
    [REL_EQ] = "==", [REL_LT] = "<", [REL_LE] = "<=", [REL_GT] = ">", [REL_GE] = ">="};

/* " at [0, 1]: X is 3.0, not 2.0" */
static void report_pair(Interp *in, const Args *a, const Failure *at, Relation relation)
{
    StrBuf text = {0};
    if (at->path.len) strbuf_printf(&text, " at %s", at->path.data);
    strbuf_text(&text, ": ");
    bool is_part = at->path.len > 0;
    bool is_named = write_named(&text, a, 0, at->a, is_part, " is ");
    strbuf_printf(&text, "%s%s ", is_named ? ", " : " is ", relation_text[relation]);
    write_named(&text, a, 1, at->b, is_part, ", which is ");
    check_fail(in, a, "%s", text.data);
    strbuf_free(&text);
}

static void write_gap(StrBuf *out, const Failure *at)
{
    enum { MANY_STEPS = 1000000 }; /* more say nothing that the gap does not */
    strbuf_text(out, "the gap is ");
    float_write(out, at->gap);
    if (at->a.kind != VAL_FLOAT || at->b.kind != VAL_FLOAT || !isfinite(at->a.f) ||
        !isfinite(at->b.f))
        return;
    uint64_t steps = float_steps(at->a.f, at->b.f);
    if (steps <= MANY_STEPS)
        strbuf_printf(out, ", %d unit%s in the last place", (int)steps, steps == 1 ? "" : "s");
}

static void note_pair(Interp *in, const char *which, const Failure *at)
{
    StrBuf note = {0};
    if (!value_is_number(at->a) || !(isfinite(at->gap) || *which)) return;
    if (*which) {
        strbuf_printf(&note, "the %s one is at %s: ", which, strbuf_str(&at->path));
        check_write_value(&note, at->a, 40);
        strbuf_text(&note, " and ");
        check_write_value(&note, at->b, 40);
        strbuf_text(&note, ", ");
    }
    write_gap(&note, at);
    error_note(&in->err, "%s", note.data);
    strbuf_free(&note);
}

static void note_tolerance(Interp *in, const Criterion *c, const Failure *at)
{
    StrBuf note = {0};
    if (c->relation != REL_CLOSE || !value_is_number(at->b)) return;
    Array scratch;
    double y = array_float_at(value_operand(&at->b, &scratch), 0);
    strbuf_text(&note, "allowed is atol + rtol * abs(b) = ");
    float_write(&note, c->atol + c->rtol * fabs(y));
    error_note(&in->err, "%s", note.data);
    strbuf_free(&note);
}

static void note_text_difference(Interp *in, const Failure *at)
{
    if (at->a.kind != VAL_STR) return;
    const Str *s = at->a.str, *t = at->b.str;
    size_t i = 0, n = 0;
    while (i < s->len && i < t->len && s->text[i] == t->text[i]) i++;
    for (size_t k = 0; k < i; k++) n += ((unsigned char)s->text[k] & 0xC0) != 0x80;
    bool inside = ((unsigned char)s->text[i] & 0xC0) == 0x80;
    error_note(&in->err, "they differ from character %zu on", n - inside);
}

static bool both_nan(const Failure *at)
{
    return at->a.kind == VAL_FLOAT && at->b.kind == VAL_FLOAT && isnan(at->a.f) && isnan(at->b.f);
}

/* The message shows the worst pair of near ones, else the first one. */
static bool report_failures(Interp *in, const Args *a, const Criterion *c, const Findings *f)
{
    bool shows_worst = c->relation == REL_CLOSE;
    const Failure *shown = shows_worst ? &f->worst : &f->first;
    const Failure *other = shows_worst ? &f->first : &f->worst;
    report_pair(in, a, shown, c->relation);
    if (f->compared > 1)
        error_note(&in->err, "%lld of %lld elements fail", (long long)f->failed,
                   (long long)f->compared);
    note_pair(in, "", shown);
    note_tolerance(in, c, shown);
    if (strcmp(strbuf_str(&shown->path), strbuf_str(&other->path)) != 0)
        note_pair(in, shows_worst ? "first" : "worst", other);
    note_text_difference(in, shown);
    note_value(in, a, 0);
    note_value(in, a, 1);
    if (both_nan(shown))
        error_hint(
            &in->err,
            "nan equals nothing, itself included: use isnan, or assert_close with equal_nan = true");
    return false;
}

/* An array against a number is meant for every element. */
static void hint_every_element(Interp *in, const Args *a, const Criterion *c)
{
    Value x = a->pos[0], y = a->pos[1];
    bool is_mixed =
        (x.kind == VAL_ARR && value_is_number(y)) || (value_is_number(x) && y.kind == VAL_ARR);
    if (!is_mixed || c->relation == REL_CLOSE) return;
    StrBuf left = {0}, right = {0};
    check_write_source(&left, a, 0);
    check_write_source(&right, a, 1);
    error_hint(&in->err, "for every element write assert(all(%s %s %s))", strbuf_str(&left),
               operator_of[c->relation], strbuf_str(&right));
    strbuf_free(&left);
    strbuf_free(&right);
}

bool check_report(Interp *in, const Args *a, const Criterion *c, const Findings *f)
{
    if (!f->misfit) return report_failures(in, a, c, f);
    check_fail(in, a, "%s%s: %s", f->path.len ? " at " : "", strbuf_str(&f->path), f->misfit);
    note_value(in, a, 0);
    note_value(in, a, 1);
    hint_every_element(in, a, c);
    return false;
}

#include <math.h>
#include <string.h>

#include "builtins/check_report.h"
#include "builtins/topics.h"
#include "value/text.h"

static bool check(Interp *in, const Args *a, const Criterion *c, Value *out)
{
    Findings f = {0};
    bool ok = compare_values(c, ad_plain(a->pos[0]), ad_plain(a->pos[1]), &f, &in->err);
    if (ok) ok = findings_pass(&f) || check_report(in, a, c, &f);
    findings_free(&f);
    *out = value_none();
    return ok;
}

/* ---- equality ---- */

static bool assert_eq_builtin(Interp *in, const Args *a, Value *out)
{
    return check(in, a, &(Criterion){.relation = REL_EQ}, out);
}

static bool assert_ne_builtin(Interp *in, const Args *a, Value *out)
{
    bool equal;
    StrBuf text = {0};
    *out = value_none();
    if (!value_equal(a->pos[0], a->pos[1], &equal, &in->err)) return false;
    if (!equal) return true;
    check_write_source(&text, a, 0);
    strbuf_text(&text, " and ");
    check_write_source(&text, a, 1);
    strbuf_text(&text, " are both ");
    check_write_value(&text, a->pos[0], 200);
    check_fail(in, a, ": %s", text.data);
    strbuf_free(&text);
    return false;
}

static bool tolerance(Interp *in, const Args *a, int k, double otherwise, double *v)
{
    if (!kw_float(in, a, k, otherwise, v)) return false;
    return *v >= 0 || arg_error(in, a, a->n + k, ERR_VALUE, "assert_close: %s must not be %s",
                                k == 0 ? "rtol" : "atol", isnan(*v) ? "nan" : "negative");
}

static bool assert_close_builtin(Interp *in, const Args *a, Value *out)
{
    enum { RTOL, ATOL, EQUAL_NAN };
    Criterion c = {.relation = REL_CLOSE};
    return tolerance(in, a, RTOL, 1e-9, &c.rtol) && tolerance(in, a, ATOL, 0.0, &c.atol) &&
           kw_bool(in, a, EQUAL_NAN, false, &c.equal_nan) && check(in, a, &c, out);
}

/* ---- order ---- */

static bool check_order(Interp *in, const Args *a, Relation relation, Value *out)
{
    for (int i = 0; i < 2; i++) {
        Value v = a->pos[i];
        if (value_is_numeric(v) || v.kind == VAL_STR) continue;
        return arg_error(in, a, i, ERR_TYPE, "%s orders numbers, arrays and strings, not %s",
                         a->builtin->name, value_type_name(v));
    }
    return check(in, a, &(Criterion){.relation = relation}, out);
}

static bool assert_lt_builtin(Interp *in, const Args *a, Value *out)
{
    return check_order(in, a, REL_LT, out);
}

static bool assert_le_builtin(Interp *in, const Args *a, Value *out)
{
    return check_order(in, a, REL_LE, out);
}

static bool assert_gt_builtin(Interp *in, const Args *a, Value *out)
{
    return check_order(in, a, REL_GT, out);
}

static bool assert_ge_builtin(Interp *in, const Args *a, Value *out)
{
    return check_order(in, a, REL_GE, out);
}

/* ---- conditions and errors ---- */

static bool assert_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *message = NULL;
    Value c = a->pos[0];
    *out = value_none();
    if (c.kind != VAL_BOOL) {
        arg_error(in, a, 0, ERR_TYPE, "assert: the condition must be a Bool, not %s",
                  value_type_name(c));
        return error_hint(&in->err, c.kind == VAL_ARR
                                        ? "all(…) or any(…) makes one Bool of an array"
                                    : value_is_number(c) ? "write x != 0"
                                                         : "compare it with something");
    }
    if (a->n == 2 && !arg_str(in, a, 1, &message)) return false;
    if (c.b) return true;
    StrBuf source = {0};
    check_write_source(&source, a, 0);
    if (message) {
        check_fail(in, a, ": %s", message->text);
        error_note(&in->err, "%s is false", source.data);
    } else {
        check_fail(in, a, ": %s is false", source.data);
    }
    strbuf_free(&source);
    return false;
}

/* in->err holds what f failed with: whether that was wanted. */
static bool judge_error(Interp *in, const Args *a, const Str *wanted)
{
    Error caught = {0};
    if (in->err.kind == ERR_EXIT || in->err.kind == ERR_INTERRUPT) return false;
    error_move(&caught, &in->err);
    bool ok = strstr(caught.message, wanted->text) != NULL;
    if (!ok) {
        StrBuf text = {0};
        value_write_literal(&text, a->pos[1], 0, &in->err);
        check_fail(in, a, ": the error does not say %s", text.data);
        error_note(&in->err, "it says: %s", caught.message);
        strbuf_free(&text);
    }
    error_clear(&caught);
    return ok;
}

static bool assert_error_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *wanted;
    Value result;
    *out = value_none();
    if (a->pos[0].kind != VAL_FN) {
        arg_error(in, a, 0, ERR_TYPE, "assert_error: f must be a function, not %s",
                  value_type_name(a->pos[0]));
        return error_hint(&in->err,
                          "write assert_error(def() = …, \"…\"): f is called with no arguments");
    }
    if (!arg_str(in, a, 1, &wanted)) return false;
    if (!call_value(in, a->pos[0], NULL, 0, NULL, NULL, 0, &result))
        return judge_error(in, a, wanted);
    StrBuf text = {0}, value = {0};
    check_write_source(&text, a, 0);
    check_write_value(&value, result, 200);
    value_release(result);
    check_fail(in, a, ": %s did not fail", text.data);
    error_note(&in->err, "it returned %s", value.data);
    error_note(&in->err, "an error that says \"%s\" was expected", wanted->text);
    strbuf_free(&text);
    strbuf_free(&value);
    return false;
}

const Builtin builtins_check[] = {
    {"assert", "assert(c, [message])",
     "Fails unless the Bool c is true. The error shows the source of c, or message, a Str, "
     "where there is one. An array is an error: say all(c) or any(c).",
     assert_builtin},
    {"assert_eq", "assert_eq(a, b)",
     "Fails unless a and b are equal: numbers and arrays by value and of equal shapes (1 equals 1.0, nan equals nothing), structures "
     "part by part. The message shows both sources and the first difference, the notes the worst one and the values.",
     assert_eq_builtin},
    {"assert_ne", "assert_ne(a, b)",
     "Fails where assert_eq(a, b) would pass. Values of different shapes or kinds are not equal.",
     assert_ne_builtin},
    {"assert_close", "assert_close(a, b, rtol = 1e-9, atol = 0.0, equal_nan = false)",
     "Fails unless abs(a - b) <= atol + rtol * abs(b) everywhere, in numbers, arrays of equal shapes, or structures of these. An infinity "
     "is close to itself only, nan to nan with equal_nan = true only. The message shows the worst place: where the gap is the largest multiple of what is allowed.",
     assert_close_builtin},
    {"assert_lt", "assert_lt(a, b)",
     "Fails unless a < b in every element; shapes must be equal, and nan is in no order. Also "
     "for two strings, by code points. The message shows the worst place.",
     assert_lt_builtin},
    {"assert_le", "assert_le(a, b)",
     "Fails unless a <= b in every element; shapes must be equal, and nan is in no order. Also "
     "for two strings, by code points. The message shows the worst place.",
     assert_le_builtin},
    {"assert_gt", "assert_gt(a, b)",
     "Fails unless a > b in every element; shapes must be equal, and nan is in no order. Also "
     "for two strings, by code points. The message shows the worst place.",
     assert_gt_builtin},
    {"assert_ge", "assert_ge(a, b)",
     "Fails unless a >= b in every element; shapes must be equal, and nan is in no order. Also "
     "for two strings, by code points. The message shows the worst place.",
     assert_ge_builtin},
    {"assert_error", "assert_error(f, text)",
     "Calls f without arguments and fails unless that fails with a message that contains text. Failed assertions and too deep recursion "
     "count as errors; exit and Ctrl-C are passed on.",
     assert_error_builtin},
    {0},
};

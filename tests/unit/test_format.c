#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "value/format.h"

static void expect(Value v, const char *spec, const char *wanted)
{
    StrBuf text = {0};
    Error err = {0};
    bool ok = value_format(&text, v, spec, strlen(spec), &err);
    cr_assert(ok, "%s: %s", spec, err.message);
    cr_assert_str_eq(strbuf_str(&text), wanted, "%s: \"%s\", not \"%s\"", spec, strbuf_str(&text),
                     wanted);
    strbuf_free(&text);
}

static void expect_error(Value v, const char *spec, const char *message)
{
    StrBuf text = {0};
    Error err = {0};
    cr_assert_not(value_format(&text, v, spec, strlen(spec), &err), "%s: %s", spec,
                  strbuf_str(&text));
    cr_assert_eq(err.kind, ERR_VALUE);
    cr_assert(strstr(err.message, message), "%s", err.message);
    error_clear(&err);
    strbuf_free(&text);
}

/* Rows were made with Python's format(), whose mini-language this is. */

static void expect_text(const char *s, const char *spec, const char *wanted)
{
    Value v = value_str(str_of(s));
    expect(v, spec, wanted);
    value_release(v);
}

Test(format, floats)
{
    expect(value_float(3.14159), ".2f", "3.14");
    expect(value_float(3.14159), "8.2f", "    3.14");
    expect(value_float(3.14159), "<8.2f", "3.14    ");
    expect(value_float(3.14159), "^9.2f", "  3.14   ");
    expect(value_float(3.14159), "=+9.2f", "+    3.14");
    expect(value_float(3.14159), "+.3e", "+3.142e+00");
    expect(value_float(-3.14159), "010.3f", "-00003.142");
    expect(value_float(1234567.891), ",.2f", "1,234,567.89");
    expect(value_float(1234567.891), "015,.1f", "0,001,234,567.9");
    expect(value_float(1234567.891), "014,.1f", "0,001,234,567.9");
    expect(value_float(1234567.891), ",", "1,234,567.891");
    expect(value_float(1e+22), ",.0f", "10,000,000,000,000,000,000,000");
    expect(value_float(1.2345e-05), "g", "1.2345e-05");
    expect(value_float(0.00012345), "g", "0.00012345");
    expect(value_float(123456789.0), "g", "1.23457e+08");
    expect(value_float(100000.0), "g", "100000");
    expect(value_float(1000000.0), "g", "1e+06");
    expect(value_float(999999.5), "g", "1e+06");
    expect(value_float(1e+100), ".3g", "1e+100");
    expect(value_float(0.0), "g", "0");
    expect(value_float(-0.0), ".1f", "-0.0");
    expect(value_float(-0.0), "g", "-0");
    expect(value_float(1e+16), ".20g", "10000000000000000");
    expect(value_float(0.5), "%", "50.000000%");
    expect(value_float(0.12345), ".1%", "12.3%");
    expect(value_float(2.675), ".2f", "2.67");
    expect(value_float(0.5), ".0f", "0");
    expect(value_float(1.5), ".0f", "2");
    expect(value_float(-0.4), ".0f", "-0");
    expect(value_float(INFINITY), ".2f", "inf");
    expect(value_float(-INFINITY), "8.1e", "    -inf");
    expect(value_float(INFINITY), "08", "00000inf");
    expect(value_float(-INFINITY), "020,.1%", "-000000000000000inf%");
    expect(value_float(NAN), "+.1f", "+nan");
    expect(value_float(NAN), "e", "nan");
    expect(value_float(INFINITY), "%", "inf%");
    expect(value_float(5e-324), ".3e", "4.941e-324");
    expect(value_float(0.1), ".25f", "0.1000000000000000055511151");
    expect(value_float(123.0), ".3", "1.23e+02");
    expect(value_float(12.0), ".3", "12.0");
    expect(value_float(1000000000000000.0), ".17", "1000000000000000.0");
    expect(value_float(3.0), "6", "   3.0");
    expect(value_float(3.0), "+", "+3.0");
    expect(value_float(1.5), "é>6", "ééé1.5");
    expect(value_float(12345.0), "0=12,.1f", "00,012,345.0");
    expect(value_float(12345.0), "0<12,.1f", "12,345.00000");
}

Test(format, ints)
{
    expect(value_int(42), "d", "42");
    expect(value_int(42), "5", "   42");
    expect(value_int(42), "<5", "42   ");
    expect(value_int(42), "^6", "  42  ");
    expect(value_int(-42), "05", "-0042");
    expect(value_int(42), "+", "+42");
    expect(value_int(42), " d", " 42");
    expect(value_int(42), "-d", "42");
    expect(value_int(1234567), ",", "1,234,567");
    expect(value_int(1234567), "012,", "0,001,234,567");
    expect(value_int(1234), "08,", "0,001,234");
    expect(value_int(1234), "07,", "001,234");
    expect(value_int(-1234567), "+,d", "-1,234,567");
    expect(value_int(255), "x", "ff");
    expect(value_int(-255), "x", "-ff");
    expect(value_int(255), "08x", "000000ff");
    expect(value_int(5), "b", "101");
    expect(value_int(0), "b", "0");
    expect(value_int(-6), "08b", "-0000110");
    expect(value_int(INT64_MIN), "d", "-9223372036854775808");
    expect(value_int(INT64_MIN), "x", "-8000000000000000");
    expect(value_int(INT64_MAX), ",d", "9,223,372,036,854,775,807");
    expect(value_int(7), ".2f", "7.00");
    expect(value_int(7), "e", "7.000000e+00");
    expect(value_int(7), "g", "7");
    expect(value_int(7), "%", "700.000000%");
    expect(value_int(7), "*^9", "****7****");
    expect(value_int(7), "日>4", "日日日7");
    expect(value_int(7), "=4", "   7");
    expect(value_int(7), "<04", "7000");
}

Test(format, texts)
{
    expect_text("ab", "5", "ab   ");
    expect_text("ab", ">5", "   ab");
    expect_text("ab", "^5", " ab  ");
    expect_text("ab", "*^7s", "**ab***");
    expect_text("äöü€", ".2", "äö");
    expect_text("äöü€", "6.3s", "äöü   ");
    expect_text("", ".0", "");
    expect_text("abc", ".0s", "");
    expect_text("ab", "05", "ab000");
    expect_text("日本", "é<4", "日本éé");
    expect_text("}", "{<3", "}{{");
}

Test(format, without_type_as_print_shows)
{
    expect(value_float(1e-7), "10", "      1e-7");
    expect(value_float(0.1), "", "0.1");
    expect(value_float(3.0), "", "3.0");
    expect(value_bool(true), "", "true");
    expect(value_bool(true), "6", "true  ");
    expect(value_bool(true), "d", "1");
    expect(value_bool(true), ".1f", "1.0");
    expect(value_none(), ">6", "  none");
    expect(value_int(12), "5s", "12   ");
    expect(value_float(0.125), ".3s", "0.1");
}

Test(format, large_precision)
{
    StrBuf text = {0};
    Error err = {0};
    cr_assert(value_format(&text, value_float(1e300), ".9999f", 6, &err));
    cr_assert_eq(text.len, 301 + 1 + 9999);
    strbuf_free(&text);
    expect_error(value_float(1.0), ".10000f", "precision is over 9999");
    expect_error(value_float(1.0), "99999999999999999999", "width is over 9999");
}

Test(format, what_does_not_fit)
{
    Value s = value_str(str_of("a"));
    expect_error(value_float(1.5), "d", "'d' formats an Int, not a Float");
    expect_error(value_float(1.5), "x", "'x' formats an Int, not a Float");
    expect_error(value_int(1), ".2", "an Int takes no precision");
    expect_error(value_int(1), ",x", "',' groups decimal digits");
    expect_error(s, "d", "'d' formats an Int, not a Str");
    expect_error(s, ".2f", "'f' formats a number, not a Str");
    expect_error(s, "+5", "a sign formats a number, not a Str");
    expect_error(s, ",", "',' formats a number, not a Str");
    expect_error(s, "=5", "the alignment '=' formats a number, not a Str");
    expect_error(value_none(), ".2", "a precision formats a number, not none");
    expect_error(value_int(1), "q", "\"q\" is not a format specification: 'q' is not a type");
    expect_error(value_int(1), "5é", "'é' is not a type");
    expect_error(value_int(1), ".f", "a precision is missing after the point");
    expect_error(value_int(1), "dd", "nothing may follow the type d");
    value_release(s);
}

/* The decimal point of the user's locale is never used. */
Test(format, locale)
{
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (int i = 0; i < 3; i++)
        if (setlocale(LC_ALL, name[i])) break;
    expect(value_float(1234.5), ",.2f", "1,234.50");
    expect(value_float(1.25e-10), ".2e", "1.25e-10");
    expect(value_float(1.25), "g", "1.25");
    expect(value_float(1.25), "", "1.25");
}

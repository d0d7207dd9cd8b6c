/* Numbers as text: the printing rules of the language, and that what is printed reads back. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array_text.h"
#include "array_support.h"
#include "base/number_text.h"

static void expect_text(double x, const char *want)
{
    StrBuf b = {0};
    float_write(&b, x);
    cr_expect_str_eq(strbuf_str(&b), want);
    strbuf_free(&b);
}

Test(number_text, floats)
{
    expect_text(0.1, "0.1");
    expect_text(3.0, "3.0");
    expect_text(-0.0, "-0.0");
    expect_text(100000.0, "100000.0");
    expect_text(1e-4, "0.0001");
    expect_text(0.00012345, "0.00012345");
    expect_text(9.99e-5, "9.99e-5");
    expect_text(1e-15, "1e-15");
    expect_text(1e15, "1000000000000000.0");
    expect_text(9999999999999998.0, "9999999999999998.0");
    expect_text(1e16, "1e16");
    expect_text(-1.5e22, "-1.5e22");
    expect_text(0.1 + 0.2, "0.30000000000000004");
    expect_text(1.0 / 3.0, "0.3333333333333333");
    expect_text(123456.789, "123456.789");
    expect_text(5e-324, "5e-324");
    expect_text(2.5e-323, "2.5e-323");
    expect_text(0x1.fffffffffffffp1023, "1.7976931348623157e308");
    expect_text(0x1p-1022, "2.2250738585072014e-308");
    expect_text(9007199254740993.0, "9007199254740992.0");
    expect_text(INFINITY, "inf");
    expect_text(-INFINITY, "-inf");
    expect_text(NAN, "nan");
    expect_text(-NAN, "nan");
}

/* Below a power of two the nearest decimal of 16 digits does not read back, the next one does. */
Test(number_text, powers_of_two)
{
    expect_text(0x1p-44, "5.684341886080802e-14");
    expect_text(0x1p-24, "5.960464477539063e-8");
    expect_text(0x1p70, "1.1805916207174113e21");
}

static bool reads(const char *text, double *x)
{
    return float_read(text, strlen(text), x);
}

static double random_bits(void)
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) bits = bits << 16 | (uint64_t)random_below(1 << 16);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void expect_round_trip(double x)
{
    StrBuf b = {0};
    double back;
    float_write(&b, x);
    cr_expect(reads(strbuf_str(&b), &back) && (back == x || x != x), "%a is %s", x, strbuf_str(&b));
    strbuf_free(&b);
}

Test(number_text, what_is_written_reads_back)
{
    random_start(41);
    for (int i = 0; i < 20000; i++) {
        expect_round_trip(random_bits());
        expect_round_trip((double)(random_below(1 << 30)) / 1000.0);
    }
    for (int e = -1074; e < 1024; e++) expect_round_trip(ldexp(1, e));
}

static int digits_of(const char *text)
{
    int n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && n == 0)) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        n++;
    }
    return n - zeros;
}

/* No decimal with fewer digits reads back. */
Test(number_text, what_is_written_is_shortest)
{
    random_start(42);
    for (int i = 0; i < 3000; i++) {
        double x = fabs(random_bits());
        if (!(x < INFINITY)) continue;
        StrBuf b = {0};
        float_write(&b, x);
        int digits = digits_of(strbuf_str(&b));
        char text[48];
        snprintf(text, sizeof text, "%.*e", digits > 1 ? digits - 2 : 0, x);
        cr_expect(digits <= 1 || strtod(text, NULL) != x, "%s", strbuf_str(&b));
        strbuf_free(&b);
    }
}

Test(number_text, reading)
{
    const struct {
        const char *text;
        double want;
    } good[] = {{"42", 42},
                {"+1.5", 1.5},
                {"-.5", -0.5},
                {"5.", 5},
                {"1e3", 1000},
                {"1.0e-15", 1e-15},
                {"1_000_000", 1e6},
                {"-inf", -INFINITY},
                {"inf", INFINITY},
                {"1E+2", 100},
                {"0.1", 0.1},
                {"1e999", INFINITY},
                {"1e-999", 0},
                {"007", 7},
                {"1e99999999999999", INFINITY},
                {"0e99999999999999", 0},
                {"0.000000000000000000000000000000001e33", 1}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double x = -1;
        cr_expect(reads(good[i].text, &x) && x == good[i].want, "%s read as %g", good[i].text, x);
    }
    double x;
    cr_expect(reads("nan", &x) && isnan(x));
    cr_expect(reads("-0.0", &x) && x == 0 && signbit(x));
    const char *bad[] = {"",       " 1",   "1 ",   "-",     ".",    "e5",    "1e",
                         "1e+",    "0x10", "1__0", "1_",    "_1",   "1.2.3", "infinity",
                         "nan(1)", "1,5",  "--1",  "1e5.0", "1_e5", "١"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_not(reads(bad[i], &x), "%s", bad[i]);
    }
}

Test(number_text, any_locale)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) return;
    double x;
    expect_text(1.5, "1.5");
    cr_expect(reads("2.25", &x) && x == 2.25);
    setlocale(LC_ALL, "C");
}

static void expect_rounded(double x, int digits, const char *want)
{
    StrBuf b = {0};
    float_write_rounded(&b, x, digits);
    cr_expect_str_eq(strbuf_str(&b), want);
    strbuf_free(&b);
}

Test(number_text, rounded)
{
    expect_rounded(1.0 / 3.0, 4, "0.3333");
    expect_rounded(-2.0 / 3.0, 1, "-0.7");
    expect_rounded(2.5, 4, "2.5");
    expect_rounded(3.0, 4, "3.0");
    expect_rounded(9999.6, 4, "1e4");
    expect_rounded(1234.0, 4, "1234.0");
    expect_rounded(12345.0, 3, "1.23e4");
    expect_rounded(0.00012344, 4, "0.0001234");
    expect_rounded(1e-5, 4, "1e-5");
    expect_rounded(1e300, 2, "1e300");
    expect_rounded(0.0, 4, "0.0");
    expect_rounded(-0.0, 4, "-0.0");
    expect_rounded((double)INFINITY, 4, "inf");
    expect_rounded((double)NAN, 4, "nan");
    expect_rounded(1.0 / 3.0, 0, "0.3333333333333333");
    expect_rounded(0.1, 17, "0.1");
}

/* ---- arrays ---- */

static const ArrayStyle in_full;

static void expect_array(Array *a, int indent, const char *want)
{
    StrBuf b = {0};
    cr_expect(array_write(&b, a, indent, &in_full));
    cr_expect_str_eq(strbuf_str(&b), want);
    strbuf_free(&b);
    array_release(a);
}

Test(number_text, arrays)
{
    Shape v = shape_make(1, 3), m = shape_make(2, 2, 2), c = shape_make(3, 2, 2, 2);
    expect_array(counting_make(&v), 0, "[0, 1, 2]");
    expect_array(floats_make(&v, (double[]){1, 22.5, -0.125}), 0, "[1.0, 22.5, -0.125]");
    expect_array(ints_make(&m, (int64_t[]){1, -20, 300, 4}), 0, "[[  1, -20],\n [300,   4]]");
    expect_array(floats_make(&m, (double[]){1, 2, 3, 4.25}), 4, "[[1.0,  2.0],\n     [3.0, 4.25]]");
    expect_array(counting_make(&c), 0, "[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]");
}

Test(number_text, bools_and_empties)
{
    Error err = {0};
    Shape v = shape_make(1, 2), none = shape_make(1, 0), flat = shape_make(2, 0, 3);
    Array *b = array_zeros(DT_BOOL, &v, &err);
    array_bools(b)[1] = true;
    expect_array(b, 0, "[false, true]");
    expect_array(array_zeros(DT_FLOAT, &none, &err), 0, "[]");
    expect_array(array_zeros(DT_FLOAT, &flat, &err), 0, "zeros(0, 3)");
}

Test(number_text, long_arrays_are_abbreviated)
{
    Shape v = shape_make(1, 1001), whole = shape_make(1, 1000), m = shape_make(2, 1001, 2);
    expect_array(counting_make(&v), 0, "[0, 1, 2, …, 998, 999, 1000]");
    expect_array(counting_make(&m), 0,
                 "[[   0,    1],\n [   2,    3],\n [   4,    5],\n …,\n [1996, 1997],\n "
                 "[1998, 1999],\n [2000, 2001]]");
    StrBuf b = {0};
    Array *a = counting_make(&whole);
    array_write(&b, a, 0, &in_full);
    cr_expect_null(strstr(strbuf_str(&b), "…"));
    strbuf_free(&b);
    array_release(a);
}

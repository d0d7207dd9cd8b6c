#include <locale.h>

#include "test_syntax_helpers.h"

Test(syntax_lexer, numbers)
{
    expect_tree("42; 1_000_000; 0xff; 0xFF_FF; 0b101; 0", "42 1000000 255 65535 5 0");
    expect_tree("1.0; .5; 5.; 1e5; 1E+5; 1.0e-15; 5.e1; 1_0.2_5",
                "1 0.5 5 100000 100000 1.0000000000000001e-15 50 10.25");
    expect_tree("X[1:.5]", "(index X (slice 1 0.5 _))");
    expect_tree("0xe+1", "(+ 14 1)");
    expect_tree("1e-400", "0");
}

Test(syntax_lexer, wrong_numbers_are_one_error_each)
{
    static const char *const wrong[] = {"1__0", "1_",    "1e",   "0x",    "0b2",  "0xg",  "007",
                                        "00",   "1.5.2", "3foo", "3.foo", "1..3", "1._0", "1e5.2",
                                        "0o17", "1e5x",  "5...", "0x1.5", "1_.5", "0x_1", "3é"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        StrBuf wanted = {0};
        strbuf_printf(&wanted, "t:1:1: error: '%s' is not a number: ", wrong[i]);
        expect_error(wrong[i], strbuf_str(&wanted));
        strbuf_free(&wanted);
    }
}

Test(syntax_lexer, ranges_of_numbers)
{
    expect_tree("9223372036854775807", "9223372036854775807");
    expect_tree("-9223372036854775808", "-9223372036854775808");
    expect_tree("a - -9223372036854775808", "(- a -9223372036854775808)");
    expect_error("9223372036854775808", "t:1:1: error: 9223372036854775808 does not fit an Int");
    expect_error("a - 9223372036854775808", "t:1:5: error: 9223372036854775808 does not fit");
    expect_error("-(9223372036854775808)", "t:1:3: error: 9223372036854775808 does not fit");
    expect_error("0x1_0000_0000_0000_0000", "t:1:1: error: 0x1_0000_0000_0000_0000 does not fit");
    expect_error("1e400", "t:1:1: error: 1e400 does not fit a Float");
}

Test(syntax_lexer, numbers_do_not_depend_on_the_locale)
{
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8");
    expect_tree("1.5", comma ? "1,5" : "1.5");
    setlocale(LC_ALL, "C");
    expect_tree("1.5", "1.5");
}

Test(syntax_lexer, strings)
{
    expect_tree("\"a\\n\\t\\\\\\\"\\0\\u{e9}\\u{1F600}\"", "\"a\\n\\x09\\\\\\\"\\x00é😀\"");
    expect_tree("\"\"", "\"\"");
    expect_tree("\"\"\"a\r\n\"b\" {x}\n\"\"\"", "\"a\\n\\\"b\\\" {x}\\n\"");
    expect_error("\"abc\n", "t:1:1: error: the string is not closed on its line");
    expect_error("x = \"a\\qb\"", "t:1:7: error: unknown escape '\\q' in a string\n   |\n"
                                  " 1 | x = \"a\\qb\"\n   |       ^^\n");
    expect_error("\"\\u{110000}\"", "t:1:2: error: '\\u{110000}' is not a Unicode character");
    expect_error("\"\\u{d800}\"", "t:1:2: error: '\\u{d800}' is not a Unicode character");
    expect_error("\"\\u{}\"", "t:1:2: error: unknown escape '\\u{'");
    expect_error("x = \"\"\"a\nb", "incomplete: t:1:5: error: this string is never closed");
}

Test(syntax_lexer, fstrings)
{
    expect_tree("f\"a {x + 1:.4f} {{}} {m[\"k\"]}\"",
                "(f \"a \" (+ x 1):.4f \" {} \" (index m \"k\"))");
    expect_tree("f\"\"", "(f)");
    expect_tree("f\"{ {1: 2}[1] }{X[1:2]}\"", "(f (index (map 1 2) 1) (index X (slice 1 2 _)))");
    expect_tree("f\"{x:*^+8,.2e}{y:>10}{z:08d}{w:.1%}{v:}\"", "(f x:*^+8,.2e y:>10 z:08d w:.1% v)");
    expect_tree("f\"\"\"{a\n+ b}\n\"\"\"", "(f (+ a b) \"\\n\")");
    expect_error("f\"{f\"a\"}\"", "t:1:4: error: f-strings do not nest");
    expect_error("f\"{x:.f}\"", "t:1:6: error: a precision is missing");
    expect_error("f\"{x:2q}\"", "t:1:6: error: this is not a format specification");
    expect_error("f\"{x:.2d}\"", "t:1:6: error: a whole number takes no precision");
    expect_error("f\"{x:{w}}\"", "t:1:5: error: a format specification holds no braces");
    expect_error("f\"{x\"", "t:1:5: error: the f-string ends inside its braces");
    expect_error("f\"{x\n}\"", "t:1:5: error: the f-string ends inside its braces");
    expect_error("f\"{x:\"", "t:1:5: error: the f-string ends inside its braces");
    expect_error("f\"a}\"", "t:1:4: error: a '}' that closes nothing");
    expect_error("f\"{}\"", "t:1:4: error: unexpected '}'; expected an expression\n");
    expect_error("f\"{a b}\"", "t:1:6: error: unexpected 'b'; expected '}' or an operator\n");
    expect_error("f\"\"\"{x", "incomplete: ");
}

Test(syntax_lexer, names_and_keywords)
{
    expect_tree("α = Wq + é_1 + 日本", "(= α (+ (+ Wq é_1) 日本))");
    expect_tree("definite = order + nota + inf", "(= definite (+ (+ order nota) inf))");
    expect_tree("from = to + by\nfrom[0] = as\nadjoint(f)\nadjoint = from in x",
                "(= from (+ to by)) (= (index from 0) as) (call adjoint f) "
                "(= adjoint (in from x))");
    expect_tree("for to to to { }", "(for (to to _ to _) (block))");
    expect_tree("for from from from to to by by { }", "(for (to from from to by) (block))");
    expect_tree("x.to.def_ = f(by = 1)", "(= (. (. x to) def_) (call f by=1))");
}

Test(syntax_lexer, stray_bytes)
{
    expect_error("x = 1\n y \xff", "t:2:4: error: invalid UTF-8 (byte 0xFF)");
    expect_error("\"\xed\xa0\x80\"", "t:1:2: error: invalid UTF-8 (byte 0xED)");
    expect_error("# \xc3", "t:1:3: error: invalid UTF-8 (byte 0xC3)");
    expect_error("x\x0c", "t:1:2: error: a stray control character (U+000C)");
    expect_error("x\ry", "t:1:2: error: a stray control character (U+000D)");
    expect_error("# \x1b", "t:1:3: error: a stray control character (U+001B)");
    expect_error("x = \xc2\xa0 1", "t:1:5: error: an invisible character (U+00A0)");
    expect_error("a $ b", "t:1:3: error: unexpected character '$'");
    char *outcome = test_outcome_n("x = \"\0\"", 7, false);
    expect_start("NUL", outcome, "t:1:6: error: a NUL byte in the text");
    mem_free(outcome);
}

Test(syntax_lexer, line_endings)
{
    expect_tree("\xEF\xBB\xBFx = 1\r\ny = 2", "(= x 1) (= y 2)");
    expect_error("\xEF\xBB\xBF$", "t:1:1: error: unexpected character '$'\n   |\n 1 | $\n   | ^\n");
    expect_tree("", "");
    expect_tree("# only a comment", "");
    expect_tree("x = 1.0 # c", "(= x 1)");
    expect_tree("\n\n;;x;\n;", "x");
}

Test(syntax_lexer, newlines_that_do_not_count)
{
    expect_tree("x = (1\n+ 2\n)\ny", "(= x (+ 1 2)) y");
    expect_tree("x =\n1 +\n\n# c\n2 and\nnot\na,\nb", "(= x (tuple (and (+ 1 2) (not a)) b))");
    expect_tree("x +=\n1", "(+= x 1)");
    expect_tree("def f() ->\nInt {\n}", "(def f () -> Int (block))");
}

Test(syntax_lexer, newline_before_else)
{
    expect_tree("if a { b }\n\n# c\nelse if c { d }\nelse { e }",
                "(if a (block b) (if c (block d) (block e)))");
    expect_tree("x = a if b\nelse c", "(= x (choice a b c))");
    expect_tree("if a { b }\nelsewhere", "(if a (block b)) elsewhere");
}

Test(syntax_lexer, newlines_in_anonymous_functions)
{
    expect_tree("f(def(x) {\ny = x\nreturn [y,\n1]\n}, 3)",
                "(call f (lambda (x) (block (= y x) (return (array y 1)))) 3)");
    expect_tree("x = {\n\"a\": def() {\nb\nc\n},\n\"d\": 1\n}",
                "(= x (map \"a\" (lambda () (block b c)) \"d\" 1))");
    expect_error("f(def() { a b })", "t:1:13: error: unexpected 'b'");
}

static const char *doc_of(const char *text, GlobalTable *globals, SyntaxFile *file,
                          const char *name)
{
    Error err = {0};
    ResolveContext context = test_context(globals);
    cr_assert(parse_source(source_add("t", text, strlen(text)), file, &err));
    cr_assert(resolve_file(file, &context, &err));
    return globals->names.item[global_find(globals, symbol_of(name))].doc;
}

Test(syntax_lexer, documentation)
{
    GlobalTable globals = {0};
    SyntaxFile file = {0};
    const char *text = "## not this\n\n## The square.\n##\n##   of x\ndef f(x) = x * x\n"
                       "### a ruler\nb = 1\n## A number.\nc = 2 ## trailing\nd = 3\n"
                       "## P\r\nstruct P { x }\n## lost\n# plain\ne = 1";
    cr_expect_str_eq(doc_of(text, &globals, &file, "f"), "The square.\n\n  of x");
    cr_expect_str_eq(globals.names.item[global_find(&globals, symbol_of("c"))].doc, "A number.");
    cr_expect_str_eq(globals.names.item[global_find(&globals, symbol_of("P"))].doc, "P");
    static const char *const bare[] = {"b", "d", "e"};
    for (int i = 0; i < 3; i++)
        cr_expect_null(globals.names.item[global_find(&globals, symbol_of(bare[i]))].doc);
    global_table_free(&globals);
    syntax_file_free(&file);
}

#include "test_syntax_helpers.h"

Test(syntax_error, names_what_could_have_stood_there)
{
    expect_error("x = 3 y = 4", "t:1:7: error: unexpected 'y'; expected ',', a new line or an "
                                "operator\n   |\n 1 | x = 3 y = 4\n   |       ^\n");
    expect_error("x = )", "t:1:5: error: ')' closes nothing");
    expect_error("x = *", "t:1:5: error: unexpected '*'; expected an expression\n");
    expect_error("f(1 2)", "t:1:5: error: unexpected '2'; expected ')', ',' or an operator\n");
    expect_error("for x of y { }",
                 "t:1:7: error: unexpected 'of'; expected ',', 'to', 'from' or 'in'\n");
    expect_error("import 3", "t:1:8: error: unexpected '3'; expected a name\n");
    expect_error("def f(x)\n{ }",
                 "t:1:9: error: unexpected end of the line; expected '{', '=' or '->'\n");
}

static void expect_hint(const char *text, const char *hint)
{
    char *outcome = test_outcome(text, true);
    StrBuf wanted = {0};
    strbuf_printf(&wanted, "\n   hint: %s", hint);
    cr_expect(strstr(outcome, strbuf_str(&wanted)) != NULL, "%s\n gave %s\n without %s", text,
              outcome, hint);
    strbuf_free(&wanted);
    mem_free(outcome);
}

Test(syntax_error, hints)
{
    expect_hint("if x = 3 { }", "to compare, write ==");
    expect_hint("if true:\n  x", "write a block in braces");
    expect_hint("if true { } elif x { }", "write else if");
    expect_hint("let x = 3", "an assignment needs no keyword");
    expect_hint("f = lambda x: x", "an anonymous function is written def(x)");
    expect_hint("fn f(x) { }", "a function is written def");
    expect_hint("a && b", "write a and b");
    expect_hint("a || b", "write a or b");
    expect_hint("!a", "write not x");
    expect_hint("'a'", "write strings between double quotes");
    expect_hint("a ? b : c", "write a if c else b");
    expect_hint("test = 3", "the word before it is a keyword");
    expect_hint("x.in", "this word is a keyword");
    expect_hint("// a comment", "a comment begins with #");
    expect_hint("print \"x\"", "print is a function");
    expect_hint("x = True", "write true");
    expect_hint("x = None", "write none");
    expect_hint("x = np.sum(1)", "the array functions need no prefix");
    expect_hint("x = prnt(1)", "did you mean print?");
    expect_hint("alpha = 1\nx = aplha", "did you mean alpha?");
}

Test(syntax_error, open_bracket_on_an_earlier_line)
{
    expect_error("x = f(1,\n2\ny = 3\n",
                 "t:3:1: error: unexpected 'y'; expected ')', ',' or an operator\n   |\n"
                 " 3 | y = 3\n   | ^\n   = the '(' at line 1, column 6 is still open\n");
    expect_error("if a {\nb", "incomplete: t:2:2: error: the text ends too early; expected "
                              "'}', ',', '=', a new line or an operator\n");
}

Test(syntax_error, carets_line_up)
{
    expect_name_error("x = \"é女\" + nosuch", "t:1:12: error: unknown name nosuch\n   |\n"
                                              " 1 | x = \"é女\" + nosuch\n"
                                              "   |             ^^^^^^\n");
    expect_name_error("if true {\n\tx = 1 +\tnosuch\n}", "t:2:10: error: unknown name nosuch\n"
                                                         "   |\n 2 | \tx = 1 +\tnosuch\n"
                                                         "   | \t       \t^^^^^^\n");
    /* e and a combining acute: two code points, one column */
    expect_name_error("e\xcc\x81 = nosuch", "t:1:6: error: unknown name nosuch\n   |\n"
                                            " 1 | e\xcc\x81 = nosuch\n   |     ^^^^^^\n");
    expect_name_error("x = 変数 + 1", "t:1:5: error: unknown name 変数\n   |\n"
                                      " 1 | x = 変数 + 1\n   |     ^^^^\n");
}

Test(syntax_error, several_lines_mark_the_first)
{
    expect_error("f(a,\nb) = 3", "t:1:1: error: can't assign to a call\n   |\n 1 | f(a,\n"
                                 "   | ^^^^\n");
}

Test(syntax_error, long_lines_are_cut)
{
    StrBuf text = {0};
    strbuf_text(&text, "x = \"");
    for (int i = 0; i < 300; i++) strbuf_text(&text, "é");
    strbuf_text(&text, "\" + nosuch + \"");
    strbuf_repeat(&text, 'b', 300);
    strbuf_text(&text, "\"");
    char *outcome = test_outcome(strbuf_str(&text), true);
    const char *line = strstr(outcome, " 1 | …");
    cr_assert_not_null(line, "%s", outcome);
    const char *end = strchr(line, '\n'), *carets = strchr(end + 1, '^');
    cr_expect_lt(display_width(line, (size_t)(end - line)), 170);
    const char *name = strstr(line, "nosuch");
    cr_expect_eq(display_width(line, (size_t)(name - line)),
                 display_width(end + 1, (size_t)(carets - end - 1)), "%s", outcome);
    cr_expect_eq(strncmp(carets, "^^^^^^\n", 7), 0);
    mem_free(outcome);
    strbuf_free(&text);
}

Test(syntax_error, notes_hint_and_trace)
{
    const Source *s = source_add("m.viv", "a\nb @ c\n", 8);
    Error err = {0};
    StrBuf out = {0};
    error_set_at(&err, ERR_SHAPE, (Span){s->base + 2, s->base + 7}, "sizes differ");
    error_note(&err, "b is Arr 4×5");
    error_hint(&err, "transpose it");
    error_trace(&err, "probe", (Span){s->base, s->base + 1});
    diagnostic_write(&out, &err, false);
    cr_expect_str_eq(strbuf_str(&out), "m.viv:2:1: error: sizes differ\n   |\n 2 | b @ c\n"
                                       "   | ^^^^^\n   = b is Arr 4×5\n   hint: transpose it\n"
                                       "   called by probe at m.viv:1:1\n");
    for (int i = 0; i < 100; i++) error_trace(&err, "f", (Span){s->base, s->base + 1});
    out.len = 0;
    diagnostic_write(&out, &err, false);
    cr_expect_not_null(strstr(strbuf_str(&out), "\n   … 37 calls left out\n"), "%s", out.data);
    error_clear(&err);
    strbuf_free(&out);
}

Test(syntax_error, without_a_place)
{
    Error err = {0};
    StrBuf out = {0};
    error_set(&err, ERR_IO, "cannot read %s", "x.viv");
    diagnostic_write(&out, &err, false);
    cr_expect_str_eq(strbuf_str(&out), "error: cannot read x.viv\n");
    out.len = 0;
    diagnostic_write(&out, &err, true);
    cr_expect_str_eq(strbuf_str(&out), "\033[1m\033[1;31merror:\033[0m cannot read x.viv\n");
    error_clear(&err);
    error_set(&err, ERR_INTERRUPT, "interrupted");
    out.len = 0;
    diagnostic_write(&out, &err, false);
    cr_expect_str_eq(strbuf_str(&out), "interrupted\n");
    error_clear(&err);
    strbuf_free(&out);
}

Test(syntax_error, control_characters_are_not_printed)
{
    char *outcome = test_outcome("x = \x1b[31m", false);
    cr_expect_null(strchr(outcome, 0x1b));
    mem_free(outcome);
}

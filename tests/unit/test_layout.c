/* The one layout: what it makes of odd texts. That it keeps what every program says, and settles, is
 * in test_layout_fuzz.c. */
#include <criterion/criterion.h>
#include <string.h>

#include "syntax/layout/layout.h"

static char *laid_out(const char *name, const char *text, size_t len)
{
    StrBuf out = {0};
    Error err = {0};
    const Source *source = source_add(name, text, len);
    bool ok = layout_source(source, &out, &err);
    cr_assert(ok, "%s: %s", name, err.message);
    return strbuf_take(&out);
}

/* The second time nothing changes. */
static void expect(const char *text, const char *wanted)
{
    for (int i = 0; i < 2; i++, text = wanted) {
        char *out = laid_out("text", text, strlen(text));
        cr_expect_str_eq(out, wanted, "%s\n--- and not\n%s", out, wanted);
        mem_free(out);
    }
    sources_free();
}

Test(layout, spaces_between_tokens)
{
    expect("x=1+2 *-y\n", "x = 1 + 2 * -y\n");
    expect("f ( a,b = 2 )[ 0 ] . c\n", "f(a, b = 2)[0].c\n");
    expect("X[ :,1 : n+1,::2 ]=m\n", "X[:, 1:n + 1, ::2] = m\n");
}

Test(layout, braces_of_maps_and_blocks)
{
    expect("m={ \"a\":1,\"b\" : {} }\n", "m = {\"a\": 1, \"b\": {}}\n");
    expect("if a{b()}else{}\n", "if a { b() } else { }\n");
    expect("def f() {\n}\n", "def f() { }\n");
    expect("struct P{x:Arr[n,_],y:Int=1}\n", "struct P { x: Arr[n, _], y: Int = 1 }\n");
}

Test(layout, a_statement_a_line)
{
    expect("x=1;y = 2\n", "x = 1\ny = 2\n");
    expect("def f(x) { return x }\n", "def f(x) { return x }\n");
    expect("def f(x) { y = x; return y }\n", "def f(x) {\n    y = x\n    return y\n}\n");
    expect("def f(x) { return x\n}\n", "def f(x) {\n    return x\n}\n");
    expect("def f(x) {\nif x {\nreturn 1\n}\n}\n",
           "def f(x) {\n    if x {\n        return 1\n    }\n}\n");
    expect("for i to 2 { for j to 2 { f(); g() } }\n",
           "for i to 2 {\n    for j to 2 {\n        f()\n        g()\n    }\n}\n");
}

Test(layout, branches_are_alike)
{
    expect("if a { b() } else if c { d() }\nelse { e() }\n",
           "if a { b() }\nelse if c { d() }\nelse { e() }\n");
    expect("if a { b() }\nelse {\nc()\n}\n", "if a {\n    b()\n} else {\n    c()\n}\n");
    expect("if a { b() } # why\nelse { c() }\n", "if a { b() }  # why\nelse { c() }\n");
}

Test(layout, what_fits_is_joined)
{
    expect("x = a +\nb\n", "x = a + b\n");
    expect("f(\na,\nb\n)\n", "f(a, b)\n");
    expect("m = {\"a\": 1,\n\n\"b\": 2}\n", "m = {\"a\": 1, \"b\": 2}\n");
    expect("r = 3 if x\nelse 4\n", "r = 3 if x else 4\n");
}

Test(layout, a_comma_at_the_end_keeps_a_list_broken)
{
    expect("y = f([\n1,\n2,\n])\n", "y = f([\n    1,\n    2,\n])\n");
    expect("f(a, b,)\n", "f(\n    a, b,\n)\n");
    expect("f(a,\nb, c,)\n", "f(\n    a,\n    b, c,\n)\n");
    expect("t = (1,)\nx[1,]\n", "t = (1,)\nx[1,]\n");
}

Test(layout, rows_of_an_array_stay)
{
    expect("X = [[1, 2],\n     [3, 4]]\n", "X = [\n    [1, 2],\n    [3, 4]\n]\n");
    expect("X = [\n1, 2, 3\n]\n", "X = [1, 2, 3]\n");
    expect("X = [x\nfor x in y]\n", "X = [x for x in y]\n");
}

#define LONG "a_rather_long_name_for_a_thing"
#define LONGER LONG "_and_for_yet_another_thing"

Test(layout, lines_are_broken_at_the_loosest_operators)
{
    expect("x = " LONG " * 2 + " LONG " * 3 + " LONG "\n",
           "x = " LONG " * 2 +\n    " LONG " * 3 +\n    " LONG "\n");
    expect("if " LONG " and " LONG " or " LONG " { f()\n}\n",
           "if " LONG " and " LONG " or\n        " LONG " {\n    f()\n}\n");
    expect("x = " LONGER " if " LONG " else " LONG "\n",
           "x = " LONGER " if " LONG " else\n    " LONG "\n");
    expect("a, b = " LONGER ", " LONG ", " LONG "\n",
           "a, b = " LONGER ", " LONG ",\n    " LONG "\n");
}

Test(layout, lines_are_broken_in_brackets)
{
    expect("y = f(" LONGER ", g(" LONG ", 1))\n", "y = f(\n    " LONGER ", g(" LONG ", 1)\n)\n");
    expect("y = f(" LONG " + 1, " LONG " + 1, g(" LONG " + 1))\n",
           "y = f(\n    " LONG " + 1,\n    " LONG " + 1,\n    g(" LONG " + 1)\n)\n");
    expect("y = f(" LONGER ")[" LONG ", " LONG "] + 1\n",
           "y = f(\n    " LONGER "\n)[" LONG ", " LONG "] + 1\n");
    expect("y = [f(" LONG ", " LONG ") for x in " LONG " if " LONG "]\n",
           "y = [\n    f(" LONG ", " LONG ")\n    for x in " LONG "\n    if " LONG "\n]\n");
}

Test(layout, functions_are_broken_after_their_head)
{
    expect("def f(x) = " LONG " + " LONG " + " LONG "\n",
           "def f(x) =\n    " LONG " + " LONG " + " LONG "\n");
    expect("for i to 3 { f(" LONGER ", " LONG ") }\n",
           "for i to 3 {\n    f(" LONGER ", " LONG ")\n}\n");
    expect("f(def(x) {\ny = x\nreturn y\n}, 2)\n", "f(def(x) {\n    y = x\n    return y\n}, 2)\n");
}

Test(layout, strings_are_not_broken)
{
    expect("s = \"" LONGER " " LONGER " " LONGER "\"\n",
           "s = \"" LONGER " " LONGER " " LONGER "\"\n");
    expect("f(\"\"\"" LONG "\n  x\"\"\")\n", "f(\"\"\"" LONG "\n  x\"\"\")\n");
    expect("f(\"" LONGER " " LONGER " " LONGER "\")\n",
           "f(\"" LONGER " " LONGER " " LONGER "\")\n");
}

Test(layout, a_number_before_a_field)
{
    expect("y = 1 .x\n", "y = 1 .x\n");
    expect("y = a . b\n", "y = a.b\n");
}

Test(layout, comments_stay)
{
    expect("# one\nx = 1# two\n\n\n\n# three\n", "# one\nx = 1  # two\n\n# three\n");
    expect("def f() {\n\n   # inside\n   x = 1\n\n}\n", "def f() {\n    # inside\n    x = 1\n}\n");
}

Test(layout, comments_have_a_blank)
{
    expect("#one\n##two\nx = 1 #three\n#!four\n# => 5\n#####\n#\n",
           "# one\n## two\nx = 1  # three\n#!four\n# => 5\n#####\n#\n");
}

Test(layout, comments_break_brackets)
{
    expect("f(a, # one\nb)\n", "f(\n    a,  # one\n    b\n)\n");
    expect("x = a + # one\nb\n", "x = a +  # one\n    b\n");
    expect("f( # none\n)\n", "f(  # none\n)\n");
}

Test(layout, signs_after_words_that_may_be_names)
{
    expect("for i from 3 to -1 by -1 { }\n", "for i from 3 to -1 by -1 { }\n");
    expect("x = to - 1\n", "x = to - 1\n");
    expect("y = 5\n-1\n", "y = 5\n-1\n");
}

Test(layout, line_endings_and_the_mark_at_the_beginning)
{
    expect("\xEF\xBB\xBFx = 1\r\ny = 2", "x = 1\ny = 2\n");
    expect("", "");
    expect("\n\n# only this", "# only this\n");
    expect("x", "x\n");
}

Test(layout, what_would_change_is_not_written)
{
    static const char *const others[] = {"x = 1 - 2\n",     "x = 1 + 2  # d\n", "x = 1 + 2\n",
                                         "x = 1 +\n",       "x = 1\n+2  # c\n", "",
                                         "x = 1 + 2 # c\ny"};
    const char text[] = "x=1+2#c\n";
    const Source *source = source_add("text", text, strlen(text));
    Error err = {0};
    cr_expect(layout_check(source, "x = 1 + 2  # c\n", 15, &err));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_expect_not(layout_check(source, others[i], strlen(others[i]), &err), "%s", others[i]);
        cr_expect_eq(err.kind, ERR_INTERNAL);
        error_clear(&err);
    }
    sources_free();
}

#include "test_syntax_helpers.h"

Test(syntax_parse, precedence)
{
    expect_tree("-2 ** 2", "(- (** 2 2))");
    expect_tree("2 ** -1 * 4", "(* (** 2 (- 1)) 4)");
    expect_tree("2 ** 3 ** 2", "(** 2 (** 3 2))");
    expect_tree("10 - 2 - 3", "(- (- 10 2) 3)");
    expect_tree("a or b and not c == d | e & f + g * -h ** 2",
                "(or a (and b (not (== c (| d (& e (+ f (* g (- (** h 2))))))))))");
    expect_tree("a @ b / c // d % e", "(% (// (/ (@ a b) c) d) e)");
    expect_tree("~a[0](1).b ** 2", "(~ (** (. (call (index a 0) 1) b) 2))");
    expect_tree("a if b else c if d else e", "(choice a b (choice c d e))");
    expect_tree("not a not in b", "(not (not in a b))");
    expect_tree("a and b in c or d", "(or (and a (in b c)) d)");
    expect_error("a == not b", "t:1:6: error: 'not' inside this expression needs parentheses");
    expect_error("-not b", "t:1:2: error: 'not' inside this expression");
    expect_tree("a == (not b)", "(== a (not b))");
}

Test(syntax_parse, comparisons_do_not_chain)
{
    expect_tree("(a < b) == c", "(== (< a b) c)");
    expect_tree("a == (b in c)", "(== a (in b c))");
    expect_error("x = a < b + 1 <= c",
                 "t:1:5: error: comparisons do not chain\n   |\n 1 | x = a < b + 1 <= c\n"
                 "   |     ^^^^^^^^^^^^^^\n   hint: write a < b + 1 and b + 1 <= c\n");
    expect_error("a in b not in c", "t:1:1: error: comparisons do not chain");
}

Test(syntax_parse, sequences)
{
    expect_tree("(); (a); (a,); (a, b,); [a,]; []; [[1, 2], [3]]",
                "(tuple) a (tuple a) (tuple a b) (array a) (array) (array (array 1 2) (array 3))");
    expect_tree("[f(x) for x in v if c]", "(array-of (call f x) (in x v) c)");
    expect_tree("(k for k, (a, b) in m)", "(tuple-of k (in (tuple k (tuple a b)) m))");
    expect_tree("[i for i from a to b by 2 if c]", "(array-of i (to i a b 2) c)");
    expect_tree("{}; {\"a\": 1, x + 1: 2,}", "(map) (map \"a\" 1 (+ x 1) 2)");
    expect_error("{\"a\": 1, 1: 2, \"a\": 2}", "t:1:16: error: the key \"a\" is given twice");
    expect_tree("{1: 0, true: 0, \"1\": 0}", "(map 1 0 true 0 \"1\" 0)");
    expect_error("[i for i to n for j to m]", "t:1:15: error: unexpected 'for'; expected ']'");
}

Test(syntax_parse, braces_of_maps_and_blocks)
{
    expect_tree("if {1: 2}[1] == {3: 4} { {5: 6} }",
                "(if (== (index (map 1 2) 1) (map 3 4)) (block (map 5 6)))");
    expect_tree("for k in {1: 2} { }", "(for (in k (map 1 2)) (block))");
    expect_tree("x = a if b else {1: 2}", "(= x (choice a b (map 1 2)))");
    expect_tree("return {}", "(return (map))");
    expect_tree("f = def() { {} }", "(= f (lambda () (block (map))))");
}

Test(syntax_parse, calls_and_indexes)
{
    expect_tree("f(a, b = 1, c = 2,)", "(call f a b=1 c=2)");
    expect_tree("X[1, :, ::2, a:b:c, ..., none, -1]",
                "(index X 1 (slice _ _ _) (slice _ _ 2) (slice a b c) ... none (- 1))");
    expect_error("f(a = 1, 2)", "t:1:10: error: a positional argument follows a keyword");
    expect_error("f(a = 1, a = 2)", "t:1:10: error: the argument a is given twice");
    expect_error("f(x for x in v)", "t:1:5: error: unexpected 'for'");
    expect_error("X[]", "t:1:3: error: unexpected ']'; expected an expression");
}

Test(syntax_parse, functions)
{
    expect_tree("def f(X: Arr[n, 3, _, ...], e: Float | None = 1e-6,) -> Arr[n] {\n}",
                "(def f (X:Arr[n,3,_,...] e:Float|None=9.9999999999999995e-07) -> Arr[n] (block))");
    expect_tree("def square(x) = x * x", "(def square (x) (* x x))");
    expect_tree("g = def(x, y = 2) = x + y", "(= g (lambda (x y=2) (+ x y)))");
    expect_tree("adjoint f(X, dY) = dY", "(adjoint f (X dY) dY)");
    expect_error("def f(a, a) = 1", "t:1:10: error: two parameters are named a");
    expect_error("def f(a = 1, b) = 1", "t:1:14: error: the parameter b needs a default");
    expect_error("def f(x: Int[3]) = 1", "t:1:10: error: only Arr takes sizes");
    expect_error("def f(x: Arr[..., ...]) = 1", "t:1:10: error: a shape may have only one ...");
    expect_error("x = def f(y) = y", "t:1:9: error: unexpected 'f'; expected '('");
}

Test(syntax_parse, structs_tests_imports)
{
    expect_tree("struct A { X: Arr, n: Int = 3\n\n y\n}", "(struct A (X:Arr n:Int=3 y))");
    expect_error("struct A { a, a }", "t:1:15: error: two fields are named a");
    expect_tree("test \"a \\\"b\\\"\" { assert(c) }", "(test \"a \"b\"\" (block (call assert c)))");
    expect_tree("import a.b\nimport a as c\nfrom a.b import x, y as z\nfrom a import (x,\n y,)",
                "(import a.b b) (import a c) (from a.b x:x y:z) (from a x:x y:y)");
}

Test(syntax_parse, loops)
{
    expect_tree("for i to n { }", "(for (to i _ n _) (block))");
    expect_tree("for i from a to b by s { break; continue }",
                "(for (to i a b s) (block (break) (continue)))");
    expect_tree("for k, v in a if b else c { }", "(for (in (tuple k v) (choice a b c)) (block))");
    expect_tree("while a { b }", "(while a (block b))");
    expect_error("for a, b to 3 { }", "t:1:5: error: a counting loop has one variable");
}

Test(syntax_parse, assignment)
{
    expect_tree("x, (y, z) = 1, (2, 3)", "(= (tuple x (tuple y z)) (tuple 1 (tuple 2 3)))");
    expect_tree("(x) = 1; (a, b), c = d", "(= x 1) (= (tuple (tuple a b) c) d)");
    expect_tree("p.layers[2].W[0, :] += g",
                "(+= (index (. (index (. p layers) 2) W) 0 (slice _ _ _)) g)");
    expect_tree(
        "a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a **= 1; a @= b; a &= b; a |= b",
        "(-= a 1) (*= a 1) (/= a 1) (//= a 1) (%= a 1) (**= a 1) (@= a b) (&= a b) (|= a b)");
}

Test(syntax_parse, what_cannot_be_assigned_to)
{
    expect_error("f(x) = 3", "t:1:1: error: can't assign to a call\n   |\n 1 | f(x) = 3\n"
                             "   | ^^^^\n");
    expect_error("f(x)[0].a = 3", "t:1:1: error: can't assign to a part of a call");
    expect_error("a, 1 = x", "t:1:4: error: can't assign to a literal");
    expect_error("none = 1", "t:1:1: error: can't assign to a literal");
    expect_error("[a, b] = c", "t:1:1: error: can't assign to an array literal");
    expect_error("a + b = c", "t:1:1: error: can't assign to the result of an operator");
    expect_error("a == b = c", "t:1:1: error: can't assign to a comparison");
    expect_error("() = c", "t:1:1: error: can't assign to nothing");
    expect_error("a, b += 1", "t:1:1: error: += changes one target, not a tuple");
    expect_error("a = b = c", "t:1:7: error: unexpected '='");
}

Test(syntax_parse, incomplete_texts)
{
    static const char *const beginnings[] = {
        "f = (1 +",   "if x {",        "[1,\n2",     "x +",        "x =\n",
        "def f(x",    "def f(x)",      "def f(x) =", "f(a, b = ",  "{\"a\":",
        "{\"a\": 1",  "for i",         "for i to",   "x = a if b", "struct A {",
        "test \"a\"", "from a",        "import",     "\"\"\"abc",  "x = f\"\"\"a",
        "a.b.",       "if x { } else", "not",        "x[1:",       "f(def(x) {\n return x\n"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        expect_error(beginnings[i], "incomplete: ");
}

Test(syntax_parse, wrong_texts_are_not_incomplete)
{
    static const char *const wrong[] = {"(1, 2]]", "x = = 1", "f(,",  "def 3", "if } {",   "x y",
                                        ")",       "\"abc",   "1 +)", "for 3", "x = 1 2 ("};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) expect_error(wrong[i], "t:1:");
    expect_error("x = (1, 2]]",
                 "t:1:10: error: ']' can't close the '(' opened at line 1, column 5");
    expect_error("def g(x) {  # a } in a comment, and \"{\" in a string\nreturn x\n}\n(1]",
                 "t:4:3: error: ']' can't close");
}

Test(syntax_parse, asking_leaves_nothing_behind)
{
    cr_expect(parse_is_incomplete("def f(x) {\n", 11));
    cr_expect_not(parse_is_incomplete("f(1)\n", 5));
    cr_expect_not(parse_is_incomplete("f(1]\n", 5));
    const Source *first = source_add("t", "a", 1);
    uint32_t base = first->base;
    source_drop(first);
    cr_expect_eq(source_add("t", "a", 1)->base, base);
}

Test(syntax_parse, part_of_a_text)
{
    const Source *part = source_add_part("<stdin>", "a\nb c\n", 6, 7);
    Location at = source_locate(part->base + 4);
    cr_expect_eq(at.line, 8);
    cr_expect_eq(at.column, 3);
}

Test(syntax_parse, spans)
{
    Error err = {0};
    SyntaxFile file = {0};
    const Source *source = source_add("t", "(a + b) * (c)\nf(x).y[0]", 23);
    cr_assert(parse_source(source, &file, &err));
    const Ast *product = file.body->list.item[0]->unary.operand;
    size_t len;
    source_text(product->span, &len);
    cr_expect_eq(len, strlen("(a + b) * (c)"));
    source_text(product->binary.left->span, &len);
    cr_expect_eq(len, strlen("a + b"));
    const Ast *index = file.body->list.item[1]->unary.operand;
    source_text(index->span, &len);
    cr_expect_eq(len, strlen("f(x).y[0]"));
    syntax_file_free(&file);
}

/* ---- depth ---- */

static char *repeated(const char *before, const char *unit, int count, const char *after)
{
    StrBuf text = {0};
    strbuf_text(&text, before);
    for (int i = 0; i < count; i++) strbuf_text(&text, unit);
    strbuf_text(&text, after);
    return strbuf_take(&text);
}

static bool is_too_deep(const char *before, const char *unit, int count, const char *after)
{
    char *text = repeated(before, unit, count, after);
    char *outcome = test_outcome(text, true);
    bool deep = strstr(outcome, "nesting too deep (limit 1000)") != NULL;
    cr_expect(deep || strncmp(outcome, "(block", 6) == 0, "%.40s… gave %.200s", text, outcome);
    mem_free(outcome);
    mem_free(text);
    return deep;
}

Test(syntax_parse, nesting_is_limited)
{
    static const char *const units[][3] = {
        {"(", "1", ")"},       {"[", "1", "]"},   {"{1: ", "1", "}"}, {"len(", "1", ")"},
        {"-", "1", ""},        {"not ", "1", ""}, {"2 ** ", "1", ""}, {"1 if 1 else ", "1", ""},
        {"def() = ", "1", ""}, {"~", "1", ""},    {"sum[", "1", "]"}, {"(", "1", ",)"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char *few = repeated(units[i][1], units[i][2], 900, "");
        char *many = repeated(units[i][1], units[i][2], 20000, "");
        cr_expect_not(is_too_deep("x = ", units[i][0], 900, few), "%s", units[i][0]);
        cr_expect(is_too_deep("x = ", units[i][0], 20000, many), "%s", units[i][0]);
        mem_free(few);
        mem_free(many);
    }
}

Test(syntax_parse, flat_chains_are_not)
{
    enum { MANY = 100000 };
    cr_expect_not(is_too_deep("x = ", "1 + ", MANY, "1"));
    cr_expect_not(is_too_deep("x = ", "true and ", MANY, "true"));
    cr_expect_not(is_too_deep("x = sum", ".b", MANY, ""));
    cr_expect_not(is_too_deep("x = sum", "()", MANY, ""));
    cr_expect_not(is_too_deep("x = sum", "[0]", MANY, ""));
    cr_expect_not(is_too_deep("if true { }", " else if true { }", 20000, ""));
    cr_expect_not(is_too_deep("x = [", "1, ", MANY, "]"));
    cr_expect_not(is_too_deep("", "x = 1\n", MANY, ""));
}

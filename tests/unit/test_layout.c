/* The one layout: what it makes of odd texts, and, for every program of the tree, that it keeps the
 * meaning and settles. */
#include <criterion/criterion.h>
#include <string.h>

#include "cli/find.h"
#include "eval/read_file.h"
#include "syntax/ast_print.h"
#include "syntax/layout.h"
#include "syntax/parse.h"

static char *laid_out(const char *name, const char *text, size_t len)
{
    StrBuf out = {0};
    Error err = {0};
    const Source *source = source_add(name, text, len);
    bool ok = layout_source(source, &out, &err);
    cr_assert(ok, "%s: %s", name, err.message);
    return strbuf_take(&out);
}

static char *tree_of(const char *name, const char *text)
{
    SyntaxFile file = {0};
    StrBuf out = {0};
    Error err = {0};
    const Source *source = source_add(name, text, strlen(text));
    cr_assert(parse_source(source, &file, &err), "%s, laid out: %s", name, err.message);
    ast_print(&out, file.body);
    syntax_file_free(&file);
    return strbuf_take(&out);
}

static void expect(const char *text, const char *wanted)
{
    char *out = laid_out("text", text, strlen(text));
    cr_expect_str_eq(out, wanted);
    mem_free(out);
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
    expect("struct P{x:Arr[n,_],y:Int=1}\n", "struct P { x: Arr[n, _], y: Int = 1 }\n");
}

Test(layout, lines_are_indented_by_their_brackets)
{
    expect("def f(x) {\nif x {\nreturn 1\n}\n}\n",
           "def f(x) {\n    if x {\n        return 1\n    }\n}\n");
    expect("y = f([\n1,\n2,\n])\n", "y = f([\n    1,\n    2,\n])\n");
    expect("x = a +\nb\n", "x = a +\n    b\n");
}

Test(layout, comments_stay)
{
    expect("# one\nx = 1# two\n\n\n\n# three\n", "# one\nx = 1  # two\n\n# three\n");
    expect("def f() {\n\n   # inside\n   x = 1\n\n}\n", "def f() {\n    # inside\n    x = 1\n}\n");
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
}

static void check_file(const char *path)
{
    StrBuf text = {0};
    Error err = {0};
    cr_assert(read_file(path, &text, &err), "%s", path);
    char *once = laid_out(path, strbuf_str(&text), text.len),
         *twice = laid_out(path, once, strlen(once));
    cr_expect_str_eq(once, twice, "%s: laid out twice, it changes again", path);
    /* The tree of a text with a byte order mark or carriage returns is that of the plain one. */
    char *before = tree_of(path, strbuf_str(&text)), *after = tree_of(path, once);
    cr_expect_str_eq(before, after, "%s: the layout changed its meaning", path);
    mem_free(once);
    mem_free(twice);
    mem_free(before);
    mem_free(after);
    strbuf_free(&text);
    sources_free();
}

Test(layout, keeps_the_meaning_of_every_program_and_settles)
{
    static const char *const folder[] = {"stdlib",    "tests/lang",  "tests/ad",
                                         "tests/ops", "tests/bench", "docs/examples"};
    FileList files = {0};
    Error err = {0};
    for (int i = 0; i < 6; i++) {
        StrBuf path = {0};
        strbuf_printf(&path, "%s/%s", VIV_SOURCE_DIR, folder[i]);
        cr_assert(find_files(&files, strbuf_str(&path), &err), "%s", err.message);
        strbuf_free(&path);
    }
    cr_expect_gt(files.path.len, 40);
    for (int i = 0; i < files.path.len; i++) check_file(files.path.item[i]);
    file_list_free(&files);
}

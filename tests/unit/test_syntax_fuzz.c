/* Random programs: whatever comes in, the floor neither crashes nor leaks, and says what is wrong.
 */
#include "test_syntax_helpers.h"

static uint64_t state;

/* xorshift64*: https://en.wikipedia.org/wiki/Xorshift */
static uint32_t next_random(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717u) >> 33) % below;
}

static const char *const pieces[] = {"x",
                                     "y",
                                     "f",
                                     "Arr",
                                     "Int",
                                     "1",
                                     "2.5",
                                     "\"s\"",
                                     "f\"a{",
                                     ":.2f",
                                     "}\"",
                                     "f\"",
                                     "\"\"\"",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     ",",
                                     ":",
                                     ".",
                                     "...",
                                     "=",
                                     "+=",
                                     "+",
                                     "-",
                                     "*",
                                     "**",
                                     "/",
                                     "@",
                                     "==",
                                     "<",
                                     "not",
                                     "and",
                                     "or",
                                     "in",
                                     "if",
                                     "else",
                                     "for",
                                     "while",
                                     "def",
                                     "return",
                                     "test",
                                     "struct",
                                     "break",
                                     "import",
                                     "from",
                                     "to",
                                     "by",
                                     "as",
                                     "none",
                                     "true",
                                     "adjoint",
                                     "->",
                                     "|",
                                     "&",
                                     "~",
                                     ";",
                                     "\n",
                                     "\n",
                                     "\n",
                                     "# c\n",
                                     "## d\n",
                                     " ",
                                     "9223372036854775808",
                                     "\xff",
                                     "é",
                                     "def f(x) {\n",
                                     "for i to n {",
                                     "x = ",
                                     "f(",
                                     "[x for x in ",
                                     "}\n",
                                     "if x { ",
                                     "\"t\" {"};

static void soup(StrBuf *text)
{
    text->len = 0;
    uint32_t len = 1 + next_random(40);
    for (uint32_t i = 0; i < len; i++) {
        strbuf_text(text, pieces[next_random(sizeof pieces / sizeof *pieces)]);
        if (next_random(3)) strbuf_char(text, ' ');
    }
}

Test(syntax_fuzz, token_soup)
{
    StrBuf text = {0};
    state = 20240229;
    for (int round = 0; round < 20000; round++) {
        soup(&text);
        mem_free(test_outcome_n(text.data, text.len, true));
        if (round % 100 == 0) sources_free();
    }
    strbuf_free(&text);
    sources_free();
    symbols_free();
}

static const char program[] =
    "from nn import (a, b as c,)\n## doc\nstruct P { W: Arr[n, m], k: Int = 3\n z }\n"
    "def f(X: Arr[n, d], eps: Float | None = 1e-6) -> Arr[n] {\n"
    "    for i, j in items({\"a\": [1, 2.0], 2: (3,)}) {\n        X[i, ::2, ...] += -j ** 2\n    }\n"
    "    if eps > 0 and not X { return X, eps } else if eps < 0 { break } else { y = f\"{X:.3f}!\" }\n"
    "    g = def(z) = z @ X if n else [q for q from 0 to n by 2 if q != 1]\n    return g(y, k = 2)\n}\n"
    "test \"t\" { assert(f(1)[0].x == 0xff) }\n";

/* A proper program with a few bytes changed, dropped or doubled. */
Test(syntax_fuzz, damaged_programs)
{
    StrBuf text = {0};
    state = 1618033988;
    for (int round = 0; round < 5000; round++) {
        text.len = 0;
        for (size_t i = 0; i + 1 < sizeof program; i++) {
            uint32_t what = next_random(200);
            if (what == 0) continue;
            if (what == 1) strbuf_char(&text, (char)next_random(256));
            strbuf_char(&text, program[i]);
            if (what == 2) strbuf_char(&text, program[next_random(sizeof program - 1)]);
        }
        mem_free(test_outcome_n(text.data, text.len, true));
        if (round % 100 == 0) sources_free();
    }
    strbuf_free(&text);
    sources_free();
    symbols_free();
}

/* Every beginning of a proper program is proper or incomplete, but where it cuts a token. */
Test(syntax_fuzz, beginnings)
{
    for (size_t len = 0; len < sizeof program; len++) {
        if (len && program[len - 1] != ' ' && program[len - 1] != '\n') continue;
        char *outcome = test_outcome_n(program, len, false);
        bool in_fstring = strstr(outcome, "f-string") != NULL;
        bool in_string = strstr(outcome, "string is not closed") != NULL;
        cr_expect(in_fstring || in_string || strncmp(outcome, "(block", 6) == 0 ||
                      strncmp(outcome, "incomplete: ", 12) == 0,
                  "%.*s\n%s", (int)len, program, outcome);
        mem_free(outcome);
    }
}

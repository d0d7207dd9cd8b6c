#include "cli/words.h"

#include <stddef.h>
#include <string.h>

#define FOR_FORM "for x in V { … }    for i to n { … }    for i from a to b by step { … }"
#define FOR_DOC                                                                                    \
    "Goes over the rows of an array, the items of a tuple, the keys of a map or the characters "   \
    "of a string; or counts: for i to 3 gives 0, 1, 2. items(m) gives a map's pairs: "             \
    "for k, v in items(m). In brackets it makes an array: [x * x for x in V if x > 0]."
#define IF_FORM "if x > 0 { … } else if x < 0 { … } else { … }"
#define IF_DOC                                                                                     \
    "Runs the block whose condition is true; a condition is a Bool. As an expression: "            \
    "a if x > 0 else b. For each element of an array it is where(X > 0, A, B)."
#define LOGIC_FORM "a and b    a or b    not a"
#define LOGIC_DOC                                                                                  \
    "Of Bools; the second is evaluated only if it is wanted. For the elements of arrays of Bools " \
    "they are & and |, with comparisons in parentheses: (X > 0) & (X < 1)."
#define LOOP_FORM "break    continue"
#define LOOP_DOC "break leaves the innermost loop, and continue goes on with its next round."
#define BOOL_DOC "The two Bools, which comparisons give and conditions want."
#define IMPORT_FORM "import nn    import nn as layers    from nn import (linear, relu2)"
#define IMPORT_DOC                                                                                 \
    "Makes a module's names known: nn.linear(X, W). A module is a file beside this one (model "    \
    "is model.viv) or one of the standard library."

const LanguageWord language_words[] = {
    {"def", "def f(x, scale = 1.0) { … }    def f(x) = x * 2    def(x) = x * 2",
     "Makes a function: with a block, whose result return gives; with an expression, which is the "
     "result; and without a name inside an expression. Parameters may have types and shapes: "
     "def f(X: Arr[n, d], k: Int = 3) -> Arr[n]."},
    {"return", "return x    return a, b    return",
     "Gives the result of a function and leaves it. A function without it gives none."},
    {"adjoint", "adjoint f(x, y, dZ) { return dX, dY }",
     "A backward pass of one's own, after def f(x, y): it replaces the generated derivative of f. "
     "Its parameters are those of f and then dZ, the cotangent of f's result; it returns the "
     "cotangent of each parameter, in order, and none for one that holds no Floats.\n\n"
     "def square(x) = x * x\n adjoint square(x, dy) { return 2.0 * x * dy }\n\n"
     "check_adjoint(square, 3.0) compares it with the generated one."},
    {"test", "test \"name\" { … }",
     "A test: viv test runs each, alone, and it fails where an assertion in it does. "
     "assert_close(grad(f, 3.0), 6.0) compares numbers and arrays; viv doc lists the others."},
    {"struct", "struct Point { x: Float, y: Float = 0.0 }",
     "A record: Point(1.0) or Point(x = 1.0, y = 2.0) makes one, p.x reads and p.x = 3.0 changes "
     "it. grad takes structs, and gives one of the same shape."},
    {"for", FOR_FORM, FOR_DOC},
    {"in", FOR_FORM "    k in m",
     FOR_DOC " As an operator it tells whether a map has a key, a tuple an item or a string a "
             "part."},
    {"while", "while x < 3 { … }", "Repeats a block as long as a condition is true."},
    {"break", LOOP_FORM, LOOP_DOC},
    {"continue", LOOP_FORM, LOOP_DOC},
    {"if", IF_FORM, IF_DOC},
    {"else", IF_FORM, IF_DOC},
    {"import", IMPORT_FORM, IMPORT_DOC},
    {"from", IMPORT_FORM, IMPORT_DOC},
    {"and", LOGIC_FORM, LOGIC_DOC},
    {"or", LOGIC_FORM, LOGIC_DOC},
    {"not", LOGIC_FORM, LOGIC_DOC},
    {"true", "true", BOOL_DOC},
    {"false", "false", BOOL_DOC},
    {"none", "none",
     "The value of nothing: what a function without return gives. x == none asks for it."},
    {0},
};

const LanguageWord *word_find(const char *text)
{
    for (const LanguageWord *w = language_words; w->text; w++)
        if (strcmp(w->text, text) == 0) return w;
    return NULL;
}

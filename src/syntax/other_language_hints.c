#include "syntax/other_language_hints.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *text, *advice;
} Foreign;

#define NO_PREFIX "the array functions need no prefix: sum(X)"
#define NO_DERIVATIVE_PREFIX "the derivatives need no prefix: grad(f, x)"
#define ANONYMOUS "an anonymous function is written def(x) = x * 2"
#define FUNCTION "a function is written def f(x) { … }"
#define ASSIGNMENT "an assignment needs no keyword: x = 1"
#define FILES "read_text(path) reads a file, and write_text(path, text) writes one"
#define FAILING "error(\"…\") ends the program with a message"
#define COUNTING "write for i to n { … }, with X[i] for the i-th entry"
#define EIGENVALUES                                                                                \
    "there are no eigenvalues; A @ v / norm(A @ v), repeated, comes to the largest one's vector v"
#define DECOMPOSITION "the only decomposition is cholesky(A); solve(A, b) and inv(A) need none"
#define LEAST_SQUARES "write solve(transpose(X) @ X, transpose(X) @ y)"
#define HELP ":doc NAME in a session, and viv doc NAME, tell what a name is"

static const char *find(const Foreign *table, const char *text)
{
    for (; table->text; table++)
        if (strcmp(table->text, text) == 0) return table->advice;
    return NULL;
}

const char *foreign_name(const char *name)
{
    static const Foreign names[] = {
        {"True", "write true"},
        {"False", "write false"},
        {"None", "write none"},
        {"null", "write none"},
        {"nil", "write none"},
        {"undefined", "write none"},
        {"np", NO_PREFIX},
        {"numpy", NO_PREFIX},
        {"jnp", NO_PREFIX},
        {"torch", NO_PREFIX},
        {"jax", NO_DERIVATIVE_PREFIX},
        {"autograd", NO_DERIVATIVE_PREFIX},
        {"math", "the functions of numbers need no prefix: sqrt(x)"},
        {"random", "rand(sizes…) and randn(sizes…) draw numbers"},
        {"sys", "the command line is args, and exit(status) leaves"},
        {"relu", "write max(x, 0.0)"},
        {"softmax",
         "nn.softmax_rows(X) does it for rows; for a vector write exp(x - logsumexp(x))"},
        {"ln", "the natural logarithm is log(x)"},
        {"pow", "a power is written x ** y"},
        {"append", "write concat(a, [x])"},
        {"println", "write print(x)"},
        {"printf", "write print(f\"{x:.2f}\")"},
        {"matmul", "a matrix product is written A @ B"},
        {"eig", EIGENVALUES},
        {"eigh", EIGENVALUES},
        {"eigvals", EIGENVALUES},
        {"eigvalsh", EIGENVALUES},
        {"svd", DECOMPOSITION},
        {"svdvals", DECOMPOSITION},
        {"qr", DECOMPOSITION},
        {"lu", DECOMPOSITION},
        {"schur", DECOMPOSITION},
        {"lstsq", LEAST_SQUARES},
        {"pinv", LEAST_SQUARES},
        {"slogdet", "write 2.0 * sum(log(diag(cholesky(A)))) for a positive definite A"},
        {"trace", "write sum(diag(A))"},
        {"maximum", "write max(x, y)"},
        {"minimum", "write min(x, y)"},
        {"array", "an array is written [1.0, 2.0]"},
        {"tensor", "an array is written [1.0, 2.0]"},
        {"list", "an array is written [1.0, 2.0], and a tuple (a, b)"},
        {"tuple", "a tuple is written (a, b)"},
        {"dict", "a map is written {\"key\": value}"},
        {"map", "write [f(x) for x in v]"},
        {"filter", "write [x for x in v if x > 0]"},
        {"vmap", "write [f(x) for x in X], which goes over the rows of X"},
        {"jit", "there is nothing to compile: call f itself"},
        {"gradient", "write grad(f, x)"},
        {"derivative", "write grad(f, x)"},
        {"enumerate", COUNTING},
        {"zip", COUNTING},
        {"type", "write type_of(x)"},
        {"typeof", "write type_of(x)"},
        {"isinstance", "write type_of(x) == \"Float\""},
        {"open", FILES},
        {"input", "read_text(\"-\") reads what is typed or piped in"},
        {"raise", FAILING},
        {"throw", FAILING},
        {"pass", "an empty block is written { }"},
        {"help", HELP},
        {0},
    };
    return find(names, name);
}

const char *foreign_word(const char *word)
{
    static const Foreign words[] = {
        {"elif", "write else if"},
        {"elseif", "write else if"},
        {"let", ASSIGNMENT},
        {"var", ASSIGNMENT},
        {"const", ASSIGNMENT},
        {"lambda", ANONYMOUS},
        {"fn", FUNCTION},
        {"func", FUNCTION},
        {"fun", FUNCTION},
        {"function", FUNCTION},
        {"class", "a record is written struct P { x: Float }"},
        {"print", "print is a function: print(x)"},
        {"assert", "assert is a function: assert(x > 0)"},
        {"is", "to compare, write =="},
        {"switch", "write if … { } else if … { }"},
        {"match", "write if … { } else if … { }"},
        {"raise", FAILING},
        {"throw", FAILING},
        {"try", "an error ends the program; assert_error(def() = f(x), \"…\") tests for one"},
        {"with", FILES},
        {"global", "a function can't change the file's names: return what is new"},
        {"nonlocal", "a function can't change names around it: return what is new"},
        {"del", "names stay; x = none lets go of a value"},
        {"help", HELP},
        {0},
    };
    return find(words, word);
}

const char *foreign_field(const char *name)
{
    static const Foreign fields[] = {
        {"T", "write transpose(X)"},
        {"append", "write concat(a, [x])"},
        {"extend", "write concat(a, b)"},
        {"push", "write concat(a, [x])"},
        {"length", "write len(x)"},
        {"dtype", "type_of(x) and print(x) show what an array holds"},
        {"astype", "write float(x) or int(x)"},
        {"copy", "values are copies already: y = x"},
        {"flatten", "write ravel(x)"},
        {"view", "write reshape(x, sizes…)"},
        {"matmul", "a matrix product is written A @ B"},
        {"detach", "write stop_gradient(x)"},
        {"grad", "write grad(f, x)"},
        {"backward", "write grad(f, x)"},
        {"item", "a number needs no conversion; X[0] is an entry of an array"},
        {0},
    };
    return find(fields, name);
}

const char *foreign_module(const char *name)
{
    static const char *const modules[] = {"numpy", "np",     "scipy", "jax",       "jnp",
                                          "torch", "math",   "cmath", "random",    "autograd",
                                          "os",    "typing", "sys",   "functools", NULL};
    size_t len = strcspn(name, ".");
    for (int i = 0; modules[i]; i++)
        if (strlen(modules[i]) == len && strncmp(modules[i], name, len) == 0)
            return "the builtins need no import: sum(X), randn(2, 3), grad(f, x); viv doc lists them";
    return NULL;
}

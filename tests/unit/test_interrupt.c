/* Ctrl-C is answered at once, whatever runs: every builtin and operation that can take long is
 * given large operands and interrupted soon after it began. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/interrupt.h"
#include "builtins/topics.h"
#include "eval/interp.h"
#include "syntax/source.h"

/* With sanitizers the same code is many times slower, which says nothing. */
#if defined(__SANITIZE_ADDRESS__) || defined(VIV_STRESS)
#define IS_SLOWED true
#elif defined(__has_feature)
#define IS_SLOWED __has_feature(address_sanitizer)
#else
#define IS_SLOWED false
#endif

/* What is promised is 50 ms (docs/internals.md). It is measured by the processor's time, for other
 * processes may be at work; what the kernel takes to clear new memory is allowed for. */
enum { SOON_US = 2000, MOST_MS = 200 };

static const char prelude[] = "N = 16000000\n"
                              "X = rand(N)\n"
                              "Y = rand(N)\n"
                              "P = X > 0.5\n"
                              "I = int(X * 1000.0)\n"
                              "where_to = permutation(N)\n"
                              "M = reshape(X, 4000, 4000)\n"
                              "L = reshape(X[0:8000000], 8000000, 1)\n"
                              "S = rand(300, 300) + 300.0 * eye(300)\n"
                              "SS = rand(40000, 12, 12) + 12.0 * eye(12)\n"
                              "text = join((\"abc, é\" for i to 2000000), \" \")\n"
                              "T = (i for i to 1000000)\n"
                              "U = (float(i) for i to 1000000)\n";

static const char *const calls[] = {
    "zeros(40000000) + 0.0",
    "ones(40000000)",
    "full(40000000, 2.5)",
    "full(40000000, true)",
    "eye(6000)",
    "range(40000000)",
    "linspace(0.0, 1.0, 20000000)",
    "rand(20000000)",
    "randn(10000000)",
    "randint(0, 10, 20000000)",
    "permutation(10000000)",
    "permutation(X)",
    "choice(X)",
    "choice(X, 10000000)",
    "transpose(M) + 0.0",
    "ravel(transpose(M))",
    "reshape(transpose(M), 16000000)",
    "concat(X, Y)",
    "concat(transpose(M), M, axis = 1)",
    "stack(X, Y)",
    "repeat(X, 3)",
    "repeat(M, 3, axis = 1)",
    "tile(X, 3)",
    "tile(M, 3, 1)",
    "flip(X) + 0.0",
    "roll(X, 5)",
    "roll(M, 5)",
    "pad(M, 3)",
    "diag(rand(6000))",
    "tril(M)",
    "triu(M)",
    "outer(X[0:5000], Y[0:5000])",
    "where(P, X, Y)",
    "where(P, I, 3)",
    "clip(X, 0.2, 0.8)",
    "dot(X, Y)",
    "X @ Y",
    "I @ I",
    "M @ X[0:4000]",
    "X[0:4000] @ M",
    "M @ M",
    "int(M * 100.0) @ int(M * 100.0)",
    "einsum(\"ij,kj->ik\", M, M)",
    "einsum(\"ij->j\", M)",
    "solve(rand(3000, 3000), rand(3000))",
    "solve(SS, rand(40000, 12, 1))",
    "cholesky(SS @ transpose(SS, 0, 2, 1))",
    "inv(M[0:2500, 0:2500])",
    "inv(SS)",
    "det(M[0:3000, 0:3000])",
    "det(SS)",
    "sum(X)",
    "sum(I)",
    "sum(P)",
    "sum(M, axis = 0)",
    "sum(M, axis = 1)",
    "sum(I + 0, axis = 0)",
    "sum(reshape(X, 4000000, 4), axis = 1)",
    "sum(reshape(X, 400, 100, 400), axis = 1)",
    "mean(M, axis = 0)",
    "mean(X)",
    "prod(M, axis = 0)",
    "max(X)",
    "max(M, axis = 0)",
    "max(M, axis = 1)",
    "max(I)",
    "min(M, axis = 0)",
    "var(X)",
    "std(M, axis = 0)",
    "std(M, axis = 1)",
    "any(X > 2.0)",
    "all(M < 2.0, axis = 0)",
    "argmax(X)",
    "argmin(M, axis = 0)",
    "argmin(M, axis = 1)",
    "argmax(I)",
    "cumsum(X)",
    "cumsum(M, axis = 0)",
    "cumsum(I)",
    "cumprod(X)",
    "logsumexp(X)",
    "logsumexp(M, axis = 0)",
    "norm(X)",
    "norm(M, axis = 1)",
    "sort(X)",
    "sort(I)",
    "sort(M)",
    "sort(M, axis = 0)",
    "argsort(X)",
    "unique(I)",
    "unique(X)",
    "searchsorted(range(1000), I)",
    "searchsorted(float(range(16000000)), X)",
    "int(X)",
    "float(I)",
    "bool(X)",
    "float(P)",
    "abs(X)",
    "sign(X)",
    "sqrt(X)",
    "exp(X)",
    "expm1(X)",
    "log(X)",
    "log1p(X)",
    "log2(X)",
    "log10(X)",
    "sin(X)",
    "cos(X)",
    "tan(X)",
    "asin(X)",
    "acos(X)",
    "atan(X)",
    "atan2(X, Y)",
    "sinh(X)",
    "cosh(X)",
    "tanh(X)",
    "erf(X)",
    "sigmoid(X)",
    "softplus(X)",
    "floor(X)",
    "ceil(X)",
    "round(X)",
    "trunc(X)",
    "isnan(X)",
    "isfinite(X)",
    "isinf(X)",
    "X ** Y",
    "I ** 2",
    "I // 7",
    "X % 0.3",
    "-X",
    "~P",
    "X == Y",
    "I < 3",
    "P & P",
    "X * 2.0 + Y",
    "L * rand(1, 3)",
    "M + transpose(M)",
    "X[where_to]",
    "I[where_to]",
    "M[:, 5:-5] + 0.0",
    "M[range(3999, -1, -1)]",
    "M[:, range(3999, -1, -1)]",
    "M[M > 0.5]",
    "X[P]",
    "(def() {\nA = X + 0.0\nA[where_to] = Y\nreturn A\n})()",
    "(def() {\nA = X + 0.0\nA[P] = 1.0\nreturn A\n})()",
    "(def() {\nA = X + 0.0\nA[where_to] += Y\nreturn A\n})()",
    "(def() {\nA = M + 0.0\nA[:, 1:] = A[:, :-1]\nreturn A\n})()",
    "(def() {\nA = M + 0.0\nA[1:-1] += 1.0\nreturn A\n})()",
    "zeros_like(X) + 0.0",
    "ones_like(X)",
    "str(X)",
    "str(T)",
    "str(U)",
    "format(X, \".3f\")",
    "f\"{U}\"",
    "len(text) + len(text[5:-5])",
    "text[::2]",
    "text[::2]",
    "text[::-3]",
    "text[0:2000000] + text[0:2000000]",
    "split(text, \" \")",
    "split(text)",
    "split(X, 4)",
    "join((\"ab\" for i to 1000000), \"-\")",
    "replace(text, \"a\", \"bcd\")",
    "find(text, \"zz\")",
    "upper(text)",
    "lower(text)",
    "strip(text, \"a\")",
    "bytes(text)",
    "ord(text[-1])",
    "startswith(text, text)",
    "text == text[0:-1] + text[-1]",
    "T == U",
    "assert_eq(T, U)",
    "assert_eq(X, X + 0.0)",
    "assert_ne(X, X + 1.0)",
    "assert_close(X, X + 0.0)",
    "assert_lt(X, X + 1.0)",
    "assert_le(X, X)",
    "assert_gt(X + 1.0, X)",
    "assert_ge(X, X)",
    "tree_map(def(v) = v, T)",
    "leaves(T)",
    "T[0:400000] + T[0:400000]",
    "T[5:-5]",
    "{\"a\": T, \"b\": X}",
    "keys((def() {\nm = {}\nfor i to 1000000 { m[i] = i }\nreturn m\n})())",
    "[i for i to 10000000]",
    "(i for i to 10000000)",
    "stack(U)",
    "grad(def(x) = sum(x * x), X)",
    "value_and_grad(def(x) = sum(cumsum(x)), X)",
    "grad(def(x) = sum(sort(x)), X)",
    "grad(def(x) = sum(x[where_to]), X)",
    "grad(def(x) = max(x), X)",
    "vjp(def(x) = sin(x), X, Y)",
    "jvp(def(x) = exp(x) * x, X, Y)",
    "hvp(def(x) = sum(x ** 3.0), X, Y)",
    "jacobian(def(x) = x * x, rand(3000))",
    "hessian(def(x) = sum(x ** 3.0), rand(2000))",
    "check_grad(def(x) = sum(x * x), rand(3000))",
    "save_npy(\"/dev/null\", X)",
    "save_csv(\"/dev/null\", M)",
    "save_npz(\"/dev/null\", {\"a\": X})",
    "write_text(\"/dev/null\", text)",
};

/* What is done at once, whatever it is given, or only calls what it is given; reading is interrupted
 * in tests/cli/readers.case. */
static const char *const quick[] = {
    "inf",      "nan",           "pi",        "args",     "seed",         "shape",
    "ndim",     "size",          "type_of",   "chr",      "clock",        "exit",
    "error",    "print",         "eprint",    "assert",   "assert_error", "stop_gradient",
    "endswith", "check_adjoint", "read_text", "load_npy", "load_npz",     "load_csv",
    "values",   "items",
};

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static volatile int64_t raised_at;

static void raise_flag(int signal)
{
    (void)signal;
    raised_at = now_us();
    interrupt_flag = 1;
}

/* *end: when it was done, before its value is released. */
static bool run(Interp *in, Module *m, const char *text, int64_t *end)
{
    Value v = {0};
    ModuleText input = {.name = "test", .text = text, .len = strlen(text), .first_line = 1};
    bool ok = module_run_input(in, m, &input, &v);
    *end = now_us();
    value_release(v);
    return ok;
}

static void start_timer(int us)
{
    struct itimerval t = {.it_value = {0, us}};
    setitimer(ITIMER_REAL, &t, NULL);
}

/* How long a call goes on after the flag is up, in ms; 0 when it was done before. */
static double response(Interp *in, Module *m, const char *call)
{
    interrupt_flag = 0;
    raised_at = 0;
    start_timer(SOON_US);
    int64_t end;
    bool ok = run(in, m, call, &end);
    start_timer(0);
    double ms = raised_at && raised_at < end ? (double)(end - raised_at) / 1e3 : 0;
    cr_expect(ok || in->err.kind == ERR_INTERRUPT, "%s: %s", call, in->err.message);
    cr_expect(!ok || ms < 1, "%s went on to its end", call);
    error_clear(&in->err);
    return ms;
}

/* Another process may have been at work: what is slow once is asked again. */
static double best_response(Interp *in, Module *m, const char *call)
{
    double best = response(in, m, call);
    for (int i = 0; i < 4 && best > MOST_MS; i++) {
        double again = response(in, m, call);
        if (again < best) best = again;
    }
    return best;
}

Test(interrupt, everything_answers, .timeout = 600, .disabled = IS_SLOWED)
{
    signal(SIGALRM, raise_flag);
    builtins_register(builtin_topics, builtin_advice);
    Interp *in = interp_new();
    Module *m = module_new_session(in, ".");
    int64_t end;
    cr_assert(run(in, m, prelude, &end), "%s", in->err.message);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        double ms = best_response(in, m, calls[i]);
        cr_expect(ms <= MOST_MS, "%s answers after %.1f ms", calls[i], ms);
    }
    interp_free(in);
    sources_free();
}

static bool is_called(const char *name)
{
    char call[64];
    snprintf(call, sizeof call, "%s(", name);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strstr(calls[i], call)) return true;
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        if (strcmp(quick[i], name) == 0) return true;
    return false;
}

Test(interrupt, no_builtin_is_left_out)
{
    for (const BuiltinTopic *t = builtin_topics; t->table; t++)
        for (const Builtin *b = t->table; b->name; b++)
            cr_expect(is_called(b->name), "%s is not interrupted", b->name);
}

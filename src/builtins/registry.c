#include "builtins/topics.h"

const BuiltinTopic builtin_topics[] = {
    {"Constants", builtins_constants, false},
    {"Making arrays, and their shapes", builtins_shape, true},
    {"Rearranging", builtins_arrange, true},
    {"Reduce", builtins_reduce, true},
    {"Elementwise", builtins_elementwise, true},
    {"Order", builtins_order, true},
    {"Linear algebra", builtins_linalg, true},
    {"Convert", builtins_convert, true},
    {"Text", builtins_text, true},
    {"Structures", builtins_structure, false},
    {"Derivatives", builtins_derivative, false},
    {"Random numbers", builtins_random, false},
    {"Input and output", builtins_output, false},
    {"Checks", builtins_check, true},
    {0},
};

const BuiltinAdvice builtin_advice[] = {
    {"round",
     "round takes no number of decimals: write round(x * 100) / 100, or print f\"{x:.2f}\""},
    {"max", "for more than two write max([a, b, c])"},
    {"min", "for more than two write min([a, b, c])"},
    {"log", "log takes no base: write log(x) / log(base), log2(x) or log10(x)"},
    {0},
};

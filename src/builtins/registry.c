#include "builtins/topics.h"

const BuiltinTopic builtin_topics[] = {
    {"Constants", builtins_constants},
    {"Making arrays, and their shapes", builtins_shape},
    {"Rearranging", builtins_arrange},
    {"Reduce", builtins_reduce},
    {"Elementwise", builtins_elementwise},
    {"Order", builtins_order},
    {"Linear algebra", builtins_linalg},
    {"Convert", builtins_convert},
    {"Text", builtins_text},
    {"Structures", builtins_structure},
    {"Derivatives", builtins_derivative},
    {"Random numbers", builtins_random},
    {"Input and output", builtins_output},
    {"Checks", builtins_check},
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

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

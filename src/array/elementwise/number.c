#include "array/elementwise/number.h"

#include "array/simd/simd.h"

/* clang-format off */
#define NUMBER_NONE(id, formula)
#define NUMBER_CHOSEN(id, formula)
#define NUMBER_FORMULA(id, formula) case EW_##id: return formula;
#define NUMBER_WHOLE NUMBER_FORMULA
#define NUMBER_COMPARED(id, comparison) case EW_##id: return COMPARE_##comparison(x, y);
#define NUMBER_LIBRARY(id, function) case EW_##id: return simd_numbers(simd_level())->of[EW_##id](x, y);
#define NUMBER_LOOPED NUMBER_LIBRARY
/* clang-format on */

double elementwise_number(Elementwise f, double x, double y)
{
    switch (f) {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    NUMBER_##FLOAT(id, formula)
#include "array/elementwise/functions.h"
#undef FUNCTION
    default: return NAN;
    }
}

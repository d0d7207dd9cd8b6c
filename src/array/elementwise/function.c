#include "array/elementwise/function.h"

#define HAS_NONE false
#define HAS_FORMULA true
#define HAS_CHECKED true
#define HAS_SIGNED true
#define HAS_WHOLE true
#define HAS_COMPARED true
#define HAS_CHOSEN true
#define HAS_LIBRARY true
#define HAS_LOOPED true
#define IS_IN_REGISTERS true
#define IS_GUARDED true
#define IS_IN_MEMORY false
#define IS_ROUNDED true
#define IS_EXACT false

const ElementwiseInfo elementwise_info[EW_COUNT] = {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    [EW_##id] = {name,       arity,         GIVES_##gives,                                         \
                 IS_##place, IS_##rounding, {HAS_##BOOL, HAS_##INT, HAS_##FLOAT}},
#include "array/elementwise/functions.h"
#undef FUNCTION
};

bool elementwise_operand_type(Elementwise f, const DType *in, DType *type)
{
    int t = DT_BOOL;
    for (int k = 0; k < elementwise_promoted(f); k++)
        if ((int)in[k] > t) t = in[k];
    while (t <= DT_FLOAT && !elementwise_info[f].has[t]) t++;
    *type = t <= DT_FLOAT ? (DType)t : DT_FLOAT;
    return t <= DT_FLOAT && (f != EW_WHERE || in[2] == DT_BOOL);
}

DType elementwise_result_type(Elementwise f, DType t)
{
    switch (elementwise_info[f].gives) {
    case GIVES_BOOL: return DT_BOOL;
    case GIVES_INT: return DT_INT;
    case GIVES_REAL: return DT_FLOAT;
    default: return t;
    }
}

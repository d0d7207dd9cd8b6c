/* The elementwise functions on numbers. */
#ifndef ARRAY_ELEMENTWISE_NUMBER_H
#define ARRAY_ELEMENTWISE_NUMBER_H

#include "array/elementwise/float_ops.h"
#include "array/elementwise/function.h"

/* f of numbers; y is ignored by functions of one. The loops' bits. A result that is no Float is given
 * as one. */
double elementwise_number(Elementwise f, double x, double y);

/* The same, inlined for the functions that a tile program has in registers. */
static inline double elementwise_number_inline(Elementwise f, double x, double y)
{
#define INLINE_IN_MEMORY(id, formula)
#define INLINE_GUARDED(id, formula)
#define INLINE_IN_REGISTERS(id, formula)                                                           \
    case EW_##id: return formula;
    switch (f) {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    INLINE_##place(id, formula)
#include "array/elementwise/functions.h"
#undef FUNCTION
    default: return elementwise_number(f, x, y);
    }
}

#endif

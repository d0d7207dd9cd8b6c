/* What is known of an elementwise function (functions.h). */
#ifndef ARRAY_ELEMENTWISE_FUNCTION_H
#define ARRAY_ELEMENTWISE_FUNCTION_H

#include "array/array.h"

typedef enum {
#define FUNCTION(id, ...) EW_##id,
#include "array/elementwise/functions.h"
#undef FUNCTION
    EW_COUNT
} Elementwise;

typedef enum { GIVES_SAME, GIVES_BOOL, GIVES_INT, GIVES_REAL } Gives;

typedef struct {
    const char *name; /* as messages name it: "exp", "+" */
    uint8_t arity;
    uint8_t gives;     /* Gives */
    bool in_registers; /* of a tile program */
    bool is_rounded;   /* its Floats; the others are exact */
    bool has[3];       /* whether there is one for operands of this DType, without promotion */
} ElementwiseInfo;

/* The comparisons of functions.h. */
#define COMPARE_EQ(x, y) ((x) == (y))
#define COMPARE_NE(x, y) ((x) != (y))
#define COMPARE_LT(x, y) ((x) < (y))
#define COMPARE_LE(x, y) ((x) <= (y))
#define COMPARE_GT(x, y) ((x) > (y))
#define COMPARE_GE(x, y) ((x) >= (y))

extern const ElementwiseInfo elementwise_info[EW_COUNT];

/* The operands that are promoted to one type: all but the condition of where. */
static inline int elementwise_promoted(Elementwise f)
{
    return f == EW_WHERE ? 2 : elementwise_info[f].arity;
}
/* The type on which f works for operands of these types; false when there is none (only where Floats
 * meet a function of Bools and Ints). */
bool elementwise_operand_type(Elementwise f, const DType *in, DType *type);
/* The type of f's result for operands of type t. */
DType elementwise_result_type(Elementwise f, DType t);

#endif

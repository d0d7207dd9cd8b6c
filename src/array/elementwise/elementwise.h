/* Elementwise kernels: one element of the result from one element of each operand, with
 * broadcasting.
 *
 * Every function is a row of elementwise_info: its loops take contiguous runs of one common type
 * and know nothing of shapes; elementwise_run brings strided, broadcast and mixed-type operands
 * into that form, a cache-sized chunk at a time. Loops are compiled once per instruction set and
 * give the same bits at every width, and for a number as for an array. */
#ifndef ARRAY_ELEMENTWISE_ELEMENTWISE_H
#define ARRAY_ELEMENTWISE_ELEMENTWISE_H

#include "array/array.h"

typedef enum {
    /* Float to Float */
    EW_SQRT,
    EW_EXP,
    EW_EXPM1,
    EW_LOG,
    EW_LOG1P,
    EW_LOG2,
    EW_LOG10,
    EW_SIN,
    EW_COS,
    EW_TAN,
    EW_ASIN,
    EW_ACOS,
    EW_ATAN,
    EW_SINH,
    EW_COSH,
    EW_TANH,
    EW_ERF,
    EW_SIGMOID,
    EW_SOFTPLUS,
    /* Int or Float, same type out; Bool counts as Int */
    EW_NEG,
    EW_ABS,
    EW_SIGN,
    EW_POS,
    /* to Int; out of range is an error */
    EW_FLOOR,
    EW_CEIL,
    EW_ROUND,
    EW_TRUNC,
    /* to Bool */
    EW_ISNAN,
    EW_ISINF,
    EW_ISFINITE,
    EW_NOT, /* Bool: not; Int: bitwise */
    /* conversions */
    EW_TO_FLOAT,
    EW_TO_INT,
    EW_TO_BOOL,
    /* two operands */
    EW_ADD,
    EW_SUB,
    EW_MUL,
    EW_FLOORDIV,
    EW_MOD, /* Int (checked) or Float */
    EW_MAX,
    EW_MIN, /* NaN wins; Bool with Bool is Bool */
    EW_DIV,
    EW_ATAN2, /* always Float */
    EW_POW, /* Int with non-negative Int is Int (checked), else Float; see elementwise_pow_is_float
              */
    EW_MUL_NO_NAN, /* Float product in which an exact 0 times anything is 0: for derivative rules */
    EW_DIV_NO_NAN, /* x times 1/y by that rule: 0 when x is 0 or y infinite */
    EW_EQ,
    EW_NE,
    EW_LT,
    EW_LE,
    EW_GT,
    EW_GE, /* to Bool; Int with Float compares as Floats */
    EW_AND,
    EW_OR,    /* Bool: logical; Int: bitwise */
    EW_WHERE, /* (Bool, x, y) */
    EW_COUNT
} Elementwise;

typedef struct {
    const char *name; /* as messages name it: "exp", "+" */
    int arity;
} ElementwiseInfo;

extern const ElementwiseInfo elementwise_info[EW_COUNT];

/* Applies f to n = arity operands. Fails with ERR_SHAPE (broadcast), ERR_MATH ("Int overflow in
 * 300000 * …", "Int division by zero", "nan does not fit an Int") or ERR_MEMORY. The result is
 * contiguous; rank 0 when all operands are. */
Array *elementwise_run(Elementwise f, Array *const *in, Error *err);
/* Where an operand's elements are: a step apart, 0 for one that repeats. */
typedef struct {
    const double *data;
    int64_t step;
} Elements;

/* n elements of + − × ÷, the guarded products and quotients, or negation (of x), in a plain loop.
 * False, with nothing done, for other functions. */
bool elementwise_few(Elementwise f, Elements x, Elements y, double *out, int64_t n);
/* An array, or a number where array is NULL. */
typedef struct {
    const Array *array;
    double number;
} SmallOperand;

/* elementwise_run for a few Floats (n operands, at least one of them an array); *out is NULL and
 * err set when memory is short. False, with nothing done, where elementwise_run is needed. */
bool elementwise_small(Elementwise f, const SmallOperand *operand, int n, Array **out, Error *err);
/* to += v, both contiguous Floats of one size; to must be writable in place. */
void elementwise_add_into(Array *to, const Array *v);
/* The type of the result for operands of these types. For EW_POW with Ints it is DT_INT unless
 * needs_float. */
DType elementwise_type(Elementwise f, const DType *in);
/* The same functions on numbers, by the same loops (n = 1), same bits. */
double elementwise_float1(Elementwise f, double x);
double elementwise_float2(Elementwise f, double x, double y);

/* Which instruction set runs: "scalar", "avx2" or "avx512"; VIV_SIMD in the environment may force a
 * lower one. */
const char *simd_name(void);

#endif

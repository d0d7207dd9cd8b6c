/* Loops over contiguous runs whose bodies the compiler vectorises, made from the rows of
 * elementwise/functions.h. */
#include "array/elementwise/float_ops.h"
#include "array/simd/simd.h"
#include "array/simd/vec.h"

/* out may be an operand, element by element, so iterations never depend on one another. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitized loops stay scalar */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define LOOP_HEAD(name)                                                                            \
    static LoopStatus name(const void *px, const void *py, const void *pz, void *pout, int64_t n)

/* `each` makes out[i] of x and y and gathers in `any` what `result` is made of: no branch inside, but
 * where an element that fails ends the loop. Functions of one operand are given it as y, too. */
#define LOOP(name, T, TOUT, each, result)                                                          \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const T *xs = px, *ys = py ? py : px;                                                      \
        TOUT *out = pout;                                                                          \
        int64_t any = 0;                                                                           \
        (void)pz;                                                                                  \
        INDEPENDENT for (int64_t i = 0; i < n; i++)                                                \
        {                                                                                          \
            T x = xs[i], y = ys[i];                                                                \
            (void)y;                                                                               \
            each;                                                                                  \
        }                                                                                          \
        (void)any;                                                                                 \
        return result;                                                                             \
    }

#define LOOP_NONE(name, T, TOUT, formula)
#define LOOP_LIBRARY(name, T, TOUT, formula)
#define LOOP_LOOPED(name, T, TOUT, formula)
#define LOOP_FORMULA(name, T, TOUT, formula) LOOP(name, T, TOUT, out[i] = (formula), LOOP_OK)

#define LOOP_CHECKED(name, T, TOUT, function)                                                      \
    LOOP(name, T, TOUT, LoopStatus status = function(x, y, out + i);                               \
         if (status != LOOP_OK) return status, LOOP_OK)

#define LOOP_SIGNED(name, T, TOUT, formulas)                                                       \
    LOOP(name, T, TOUT, TOUT r = (TOUT)(FIRST formulas); any |= SECOND formulas;                   \
         out[i] = r, any < 0 ? LOOP_OVERFLOW : LOOP_OK)
#define FIRST(a, b) (a)
#define SECOND(a, b) (b)

/* The range test is false for NaN; 2⁶³ is the first Float that no longer fits. */
#define LOOP_WHOLE(name, T, TOUT, formula)                                                         \
    LOOP(name, T, TOUT, T whole = formula;                                                         \
         if (!(whole >= -0x1p63 && whole < 0x1p63)) return LOOP_NO_INT;                            \
         out[i] = (TOUT)whole, LOOP_OK)

#if defined(__AVX512F__)

/* Lane i of the masks as out[i]. */
VEC_INLINE void store_masks(bool *out, __mmask8 first, __mmask8 second)
{
    __m512i words = _mm512_maskz_set1_epi32(_mm512_kunpackb(second, first), 1);
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_cvtepi32_epi8(words));
}

enum {
    OF_double_EQ = _CMP_EQ_OQ,
    OF_double_NE = _CMP_NEQ_UQ,
    OF_double_LT = _CMP_LT_OQ,
    OF_double_LE = _CMP_LE_OQ,
    OF_double_GT = _CMP_GT_OQ,
    OF_double_GE = _CMP_GE_OQ,
    OF_int64_t_EQ = _MM_CMPINT_EQ,
    OF_int64_t_NE = _MM_CMPINT_NE,
    OF_int64_t_LT = _MM_CMPINT_LT,
    OF_int64_t_LE = _MM_CMPINT_LE,
    OF_int64_t_GT = _MM_CMPINT_NLE,
    OF_int64_t_GE = _MM_CMPINT_NLT,
};
#define MASK_double(x, y, predicate) _mm512_cmp_pd_mask(vec_load(x), vec_load(y), predicate)
#define MASK_int64_t(x, y, predicate)                                                              \
    _mm512_cmp_epi64_mask(_mm512_loadu_si512(x), _mm512_loadu_si512(y), predicate)

/* With masks, which are made into bytes sixteen at a time; the compiler narrows words in steps. */
#define LOOP_COMPARED(name, T, TOUT, how)                                                          \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        const T *x = px, *y = py;                                                                  \
        TOUT *out = pout;                                                                          \
        int64_t i = 0;                                                                             \
        (void)pz;                                                                                  \
        for (; i + 16 <= n; i += 16) {                                                             \
            store_masks(out + i, MASK_##T(x + i, y + i, OF_##T##_##how),                           \
                        MASK_##T(x + i + 8, y + i + 8, OF_##T##_##how));                           \
        }                                                                                          \
        for (; i < n; i++) out[i] = COMPARE_##how(x[i], y[i]);                                     \
        return LOOP_OK;                                                                            \
    }

#else

#define LOOP_COMPARED(name, T, TOUT, how) LOOP_FORMULA(name, T, TOUT, COMPARE_##how(x, y))

#endif

#define LOOP_CHOSEN(name, T, TOUT, unused)                                                         \
    LOOP_HEAD(name)                                                                                \
    {                                                                                              \
        choose_##T(px, py, pz, pout, n);                                                           \
        return LOOP_OK;                                                                            \
    }

VEC_INLINE void choose_bool(const bool *x, const bool *y, const bool *condition, bool *out,
                            int64_t n)
{
    INDEPENDENT for (int64_t i = 0; i < n; i++)
    {
        out[i] = (condition[i] & x[i]) | (!condition[i] & y[i]);
    }
}

/* Elements of eight bytes, whether Int or Float, are only moved. */
VEC_INLINE void choose_double(const double *x, const double *y, const bool *condition, double *out,
                              int64_t n)
{
    int64_t i = 0;
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH)
        vec_store(out + i, vec_select(vec_truth(condition + i), vec_load(x + i), vec_load(y + i)));
    for (; i < n; i++) memcpy(out + i, condition[i] ? x + i : y + i, sizeof *out);
}
#define choose_int64_t choose_double

#define OUT_SAME(T) T
#define OUT_BOOL(T) bool
#define OUT_INT(T) int64_t
#define OUT_REAL(T) double

#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    LOOP_##BOOL(id##_of_bools, bool, OUT_##gives(bool), b)                                         \
        LOOP_##INT(id##_of_ints, int64_t, OUT_##gives(int64_t), i)                                 \
            LOOP_##FLOAT(id##_of_floats, double, OUT_##gives(double), f)
#include "array/elementwise/functions.h"
#undef FUNCTION

#define ENTRY_NONE(name) NULL
#define ENTRY_LIBRARY(name) NULL /* simd/math.c has it */
#define ENTRY_LOOPED(name) NULL
#define ENTRY_FORMULA(name) name
#define ENTRY_CHECKED(name) name
#define ENTRY_SIGNED(name) name
#define ENTRY_WHOLE(name) name
#define ENTRY_COMPARED(name) name
#define ENTRY_CHOSEN(name) name

const Loop SIMD_NAME(simd_loops)[EW_COUNT][3] = {
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, f)               \
    [EW_##id] = {ENTRY_##BOOL(id##_of_bools), ENTRY_##INT(id##_of_ints),                           \
                 ENTRY_##FLOAT(id##_of_floats)},
#include "array/elementwise/functions.h"
#undef FUNCTION
};

/* Int arithmetic of the elementwise table, a number at a time: *r is set unless the status says why
 * there is no result. Functions of one number ignore y. */
#ifndef ARRAY_ELEMENTWISE_INT_OPS_H
#define ARRAY_ELEMENTWISE_INT_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* Why a loop stopped. */
typedef enum { LOOP_OK, LOOP_OVERFLOW, LOOP_ZERO_DIVISION, LOOP_NO_INT } LoopStatus;

static inline LoopStatus int_add(int64_t x, int64_t y, int64_t *r)
{
    return __builtin_add_overflow(x, y, r) ? LOOP_OVERFLOW : LOOP_OK;
}

static inline LoopStatus int_subtract(int64_t x, int64_t y, int64_t *r)
{
    return __builtin_sub_overflow(x, y, r) ? LOOP_OVERFLOW : LOOP_OK;
}

static inline LoopStatus int_multiply(int64_t x, int64_t y, int64_t *r)
{
    return __builtin_mul_overflow(x, y, r) ? LOOP_OVERFLOW : LOOP_OK;
}

static inline LoopStatus int_negate(int64_t x, int64_t y, int64_t *r)
{
    (void)y;
    return int_subtract(0, x, r);
}

static inline LoopStatus int_magnitude(int64_t x, int64_t y, int64_t *r)
{
    return x < 0 ? int_negate(x, y, r) : (*r = x, LOOP_OK);
}

/* INT64_MIN / −1 and % −1 trap on x86. */
static inline LoopStatus int_floor_divide(int64_t x, int64_t y, int64_t *r)
{
    if (y == 0) return LOOP_ZERO_DIVISION;
    if (y == -1) return int_negate(x, y, r);
    *r = x / y - ((x % y != 0) & ((x ^ y) < 0));
    return LOOP_OK;
}

static inline LoopStatus int_floor_remainder(int64_t x, int64_t y, int64_t *r)
{
    if (y == 0) return LOOP_ZERO_DIVISION;
    int64_t rest = y == -1 ? 0 : x % y;
    *r = rest != 0 && (rest ^ y) < 0 ? rest + y : rest;
    return LOOP_OK;
}

/* By squaring; y ≥ 0. The last square is left out, since it may overflow without being used. */
static inline LoopStatus int_power(int64_t x, int64_t y, int64_t *r)
{
    int64_t product = 1;
    bool over = false;
    while (y > 0) {
        if (y & 1) over |= __builtin_mul_overflow(product, x, &product);
        y >>= 1;
        if (y > 0) over |= __builtin_mul_overflow(x, x, &x);
        if (over) return LOOP_OVERFLOW;
    }
    *r = product;
    return LOOP_OK;
}

#endif

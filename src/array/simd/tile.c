/* The instructions of tile programs (array/elementwise/tile.h). The tile that is being computed is in eight
 * vector arguments, which the calling convention keeps in registers; every instruction ends in a
 * call of the next one that becomes a jump. */
#include "array/elementwise/tile.h"
#include "array/elementwise/float_ops.h"
#include "array/simd/vec.h"

#if defined(__AVX2__)
typedef Vec Lanes;
enum { LANES = VEC_WIDTH };
#define LOAD vec_load
#define STORE vec_store
#else
typedef double Lanes __attribute__((vector_size(16)));
enum { LANES = 2 };
static inline Lanes LOAD(const double *from)
{
    Lanes x;
    memcpy(&x, from, sizeof x);
    return x;
}
static inline void STORE(double *to, Lanes x)
{
    memcpy(to, &x, sizeof x);
}
#endif

#define TILE_ELEMENTS (8 * LANES)

#define EIGHT(each) each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7)
#define REGISTERS Lanes r0, Lanes r1, Lanes r2, Lanes r3, Lanes r4, Lanes r5, Lanes r6, Lanes r7
#define THE_REGISTERS r0, r1, r2, r3, r4, r5, r6, r7

typedef void Instruction(const TileCode *code, double *const *cell, REGISTERS);

#define INSTRUCTION(name) static void name(const TileCode *code, double *const *cell, REGISTERS)
#define NEXT ((Instruction *)code[1].run)(code + 1, cell, THE_REGISTERS)
#define AT(which, i) LOAD(cell[code->which] + (i)*LANES)

/* ---- + − × ÷ ---- */

#define ARITHMETIC(name, operator)                                                                 \
    INSTRUCTION(name##_mm)                                                                         \
    {                                                                                              \
        EIGHT(name##_OF_MM)                                                                        \
        NEXT;                                                                                      \
    }                                                                                              \
    INSTRUCTION(name##_rm)                                                                         \
    {                                                                                              \
        EIGHT(name##_OF_RM)                                                                        \
        NEXT;                                                                                      \
    }                                                                                              \
    INSTRUCTION(name##_mr)                                                                         \
    {                                                                                              \
        EIGHT(name##_OF_MR)                                                                        \
        NEXT;                                                                                      \
    }                                                                                              \
    INSTRUCTION(name##_rr)                                                                         \
    {                                                                                              \
        EIGHT(name##_OF_RR)                                                                        \
        NEXT;                                                                                      \
    }

#define add_OF_MM(i) r##i = AT(a, i) + AT(b, i);
#define add_OF_RM(i) r##i = r##i + AT(b, i);
#define add_OF_MR(i) r##i = AT(a, i) + r##i;
#define add_OF_RR(i) r##i = r##i + r##i;
#define sub_OF_MM(i) r##i = AT(a, i) - AT(b, i);
#define sub_OF_RM(i) r##i = r##i - AT(b, i);
#define sub_OF_MR(i) r##i = AT(a, i) - r##i;
#define sub_OF_RR(i) r##i = r##i - r##i;
#define mul_OF_MM(i) r##i = AT(a, i) * AT(b, i);
#define mul_OF_RM(i) r##i = r##i * AT(b, i);
#define mul_OF_MR(i) r##i = AT(a, i) * r##i;
#define mul_OF_RR(i) r##i = r##i * r##i;
#define div_OF_MM(i) r##i = AT(a, i) / AT(b, i);
#define div_OF_RM(i) r##i = r##i / AT(b, i);
#define div_OF_MR(i) r##i = AT(a, i) / r##i;
#define div_OF_RR(i) r##i = r##i / r##i;

ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
ARITHMETIC(div, /)

/* ---- × and ÷ in which 0 wins: as the plain ones, unless a NaN comes of it ---- */

#if defined(__AVX512F__)
#define ORDERED(i) &vec_bits(vec_equal(r##i, r##i))
#define ALL_ORDERED ((0xff EIGHT(ORDERED)) == 0xff)
#elif defined(__AVX2__)
#define ORDERED(i) , _mm256_cmp_pd(r##i, r##i, _CMP_ORD_Q)
static inline bool all_ordered(int first, Lanes a, Lanes b, Lanes c, Lanes d, Lanes e, Lanes f,
                               Lanes g, Lanes h)
{
    Lanes low = _mm256_and_pd(_mm256_and_pd(a, b), _mm256_and_pd(c, d));
    Lanes high = _mm256_and_pd(_mm256_and_pd(e, f), _mm256_and_pd(g, h));
    return _mm256_movemask_pd(_mm256_and_pd(low, high)) == first;
}
#define ALL_ORDERED all_ordered(0xf EIGHT(ORDERED))
#else
#define ORDERED(i) &(r##i[0] == r##i[0]) & (r##i[1] == r##i[1])
#define ALL_ORDERED (true EIGHT(ORDERED))
#endif

#define SPILL(i) STORE(spilled + (i)*LANES, r##i);
#define FILL(i) r##i = LOAD(made + (i)*LANES);

/* A NaN somewhere in the tile: each element by itself. */
#define GUARDED_SLOW(name, function, from_x, from_y)                                               \
    static __attribute__((noinline, cold)) void name(const TileCode *code, double *const *cell,    \
                                                     REGISTERS)                                    \
    {                                                                                              \
        double spilled[TILE_ELEMENTS], made[TILE_ELEMENTS];                                        \
        EIGHT(SPILL)                                                                               \
        const double *x = from_x, *y = from_y;                                                     \
        for (int i = 0; i < TILE_ELEMENTS; i++) made[i] = function(x[i], y[i]);                    \
        (void)spilled;                                                                             \
        EIGHT(FILL)                                                                                \
        NEXT;                                                                                      \
    }

#define KEEP(i) Lanes k##i = r##i;
#define BACK(i) r##i = k##i;

#define GUARDED(name, plain, function)                                                             \
    GUARDED_SLOW(name##_slow_mm, function, cell[code->a], cell[code->b])                           \
    GUARDED_SLOW(name##_slow_rm, function, spilled, cell[code->b])                                 \
    GUARDED_SLOW(name##_slow_mr, function, cell[code->a], spilled)                                 \
    GUARDED_SLOW(name##_slow_rr, function, spilled, spilled)                                       \
    GUARDED_QUICK(name, plain, mm, MM)                                                             \
    GUARDED_QUICK(name, plain, rm, RM)                                                             \
    GUARDED_QUICK(name, plain, mr, MR)                                                             \
    GUARDED_QUICK(name, plain, rr, RR)

#define GUARDED_QUICK(name, plain, where, WHERE)                                                   \
    INSTRUCTION(name##_##where)                                                                    \
    {                                                                                              \
        EIGHT(KEEP)                                                                                \
        EIGHT(plain##_OF_##WHERE)                                                                  \
        if (__builtin_expect(ALL_ORDERED, 1)) {                                                    \
            NEXT;                                                                                  \
            return;                                                                                \
        }                                                                                          \
        EIGHT(BACK)                                                                                \
        name##_slow_##where(code, cell, THE_REGISTERS);                                            \
    }

GUARDED(mul0, mul, float_mul_no_nan)
GUARDED(div0, div, float_div_no_nan)

/* ---- the others ---- */

#define LOAD_A(i) r##i = AT(a, i);
#define LOAD_OUT(i) r##i = AT(out, i);
#define STORE_OUT(i) STORE(cell[code->out] + (i)*LANES, r##i);
#define NEGATE(i) r##i = -r##i;
#define NEGATE_A(i) r##i = -AT(a, i);

INSTRUCTION(negate_m)
{
    EIGHT(NEGATE_A)
    NEXT;
}

INSTRUCTION(negate_r)
{
    EIGHT(NEGATE)
    NEXT;
}

INSTRUCTION(load)
{
    EIGHT(LOAD_A)
    NEXT;
}

INSTRUCTION(store)
{
    EIGHT(STORE_OUT)
    NEXT;
}

INSTRUCTION(loop)
{
    code->loop(cell[code->a], cell[code->b], cell[code->c], cell[code->out], TILE_ELEMENTS);
    EIGHT(LOAD_OUT)
    NEXT;
}

INSTRUCTION(loop_truths)
{
    code->loop(cell[code->a], cell[code->b], cell[code->c], cell[code->out], TILE_ELEMENTS);
    NEXT;
}

INSTRUCTION(end)
{
    (void)code, (void)cell;
    (void)r0, (void)r1, (void)r2, (void)r3, (void)r4, (void)r5, (void)r6, (void)r7;
}

static void fill(double *cell, double v)
{
    for (int i = 0; i < TILE_ELEMENTS; i++) cell[i] = v;
}

static void start(const TileCode *code, double **cell, int n_moving, const bool *repeats, int64_t n)
{
    Lanes zero = {0};
    for (; n > 0; n--) {
        ((Instruction *)code->run)(code, cell, zero, zero, zero, zero, zero, zero, zero, zero);
        for (int i = 0; i < n_moving; i++)
            if (!repeats[i]) cell[i] += TILE_ELEMENTS;
    }
}

#define OPAQUE(name) (void (*)(void)) name
#define FOUR(name)                                                                                 \
    {                                                                                              \
        OPAQUE(name##_mm), OPAQUE(name##_rm), OPAQUE(name##_mr), OPAQUE(name##_rr)                 \
    }

const TileMachine SIMD_NAME(simd_tile_machine) = {
    .elements = TILE_ELEMENTS,
    .arithmetic = {FOUR(add), FOUR(sub), FOUR(mul), FOUR(div), FOUR(mul0), FOUR(div0)},
    .negate = {OPAQUE(negate_m), OPAQUE(negate_r)},
    .load = OPAQUE(load),
    .store = OPAQUE(store),
    .loop = OPAQUE(loop),
    .loop_truths = OPAQUE(loop_truths),
    .end = OPAQUE(end),
    .fill = fill,
    .start = start,
};

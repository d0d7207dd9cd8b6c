/* The instructions of tile programs (array/elementwise/tile.h). The tile that is being computed is in eight
 * vector arguments, which the calling convention keeps in registers; every instruction ends in a
 * call of the next one that becomes a jump. */
#include "array/elementwise/tile.h"
#include "array/elementwise/float_ops.h"
#include "array/simd/vec.h"

/* Two in the scalar copy, too, whose calls would cost more than the work on one. */
enum { LANES = VEC_WIDTH > 1 ? VEC_WIDTH : 2 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));

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

#define TILE_ELEMENTS (8 * LANES)

#define EIGHT(each) each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7)
#define REGISTERS Lanes r0, Lanes r1, Lanes r2, Lanes r3, Lanes r4, Lanes r5, Lanes r6, Lanes r7
#define THE_REGISTERS r0, r1, r2, r3, r4, r5, r6, r7

typedef void Instruction(const TileCode *code, double *const *cell, REGISTERS);

#define INSTRUCTION(name) static void name(const TileCode *code, double *const *cell, REGISTERS)
#define NEXT ((Instruction *)code[1].run)(code + 1, cell, THE_REGISTERS)
#define AT(which, i) LOAD(cell[code->which] + (i)*LANES)

/* ---- what the rows of functions.h keep in registers ---- */

/* Where the operands are: in memory, or (the last result) in the registers; of one operand, and of two. */
#define OF_M(f, i) f##_of(AT(a, i), r##i)
#define OF_R(f, i) f##_of(r##i, r##i)
#define OF_MM(f, i) f##_of(AT(a, i), AT(b, i))
#define OF_RM(f, i) f##_of(r##i, AT(b, i))
#define OF_MR(f, i) f##_of(AT(a, i), r##i)
#define OF_RR(f, i) f##_of(r##i, r##i)

#define COMPUTE(f, where)                                                                          \
    r0 = where(f, 0), r1 = where(f, 1), r2 = where(f, 2), r3 = where(f, 3), r4 = where(f, 4),      \
    r5 = where(f, 5), r6 = where(f, 6), r7 = where(f, 7)

#define FORMULA_OF(f, formula)                                                                     \
    VEC_INLINE Lanes f##_of(Lanes x, Lanes y)                                                      \
    {                                                                                              \
        (void)y;                                                                                   \
        return formula;                                                                            \
    }
#define PLAIN(f, place, where)                                                                     \
    INSTRUCTION(f##_##place)                                                                       \
    {                                                                                              \
        COMPUTE(f, where);                                                                         \
        NEXT;                                                                                      \
    }
#define PLAIN1(f) PLAIN(f, 0, OF_M) PLAIN(f, 1, OF_R)
#define PLAIN2(f) PLAIN(f, 0, OF_MM) PLAIN(f, 1, OF_RM) PLAIN(f, 2, OF_MR) PLAIN(f, 3, OF_RR)

/* ---- × and ÷ in which 0 wins: as the plain ones, unless a NaN comes of it ---- */

#if defined(__AVX2__)
#define ORDERED(i) &vec_equal(r##i, r##i)
#define ALL_ORDERED (vec_bits(vec_equal(r0, r0) EIGHT(ORDERED)) == VEC_ALL)
#else
#define ORDERED(i) &(r##i[0] == r##i[0]) & (r##i[1] == r##i[1])
#define ALL_ORDERED (true EIGHT(ORDERED))
#endif

typedef int64_t Truths __attribute__((vector_size(sizeof(Lanes))));

#define GUARDED_OF(f, plain, is_zero)                                                              \
    VEC_INLINE Lanes f##_of(Lanes x, Lanes y)                                                      \
    {                                                                                              \
        Lanes r = plain##_of(x, y);                                                                \
        return (Lanes)((Truths)r & ~((Truths)(r != r) & (is_zero)));                               \
    }
#define KEEP(i) Lanes k##i = r##i;
#define BACK(i) r##i = k##i;

#define GUARDED(f, plain, place, where)                                                            \
    static __attribute__((noinline, cold)) void f##_slow_##place(const TileCode *code,             \
                                                                 double *const *cell, REGISTERS)   \
    {                                                                                              \
        COMPUTE(f, where);                                                                         \
        NEXT;                                                                                      \
    }                                                                                              \
    INSTRUCTION(f##_##place)                                                                       \
    {                                                                                              \
        EIGHT(KEEP)                                                                                \
        COMPUTE(plain, where);                                                                     \
        if (__builtin_expect(ALL_ORDERED, 1)) {                                                    \
            NEXT;                                                                                  \
            return;                                                                                \
        }                                                                                          \
        EIGHT(BACK)                                                                                \
        f##_slow_##place(code, cell, THE_REGISTERS);                                               \
    }
#define GUARDED2(f, plain, is_zero)                                                                \
    GUARDED_OF(f, plain, is_zero)                                                                  \
    GUARDED(f, plain, 0, OF_MM)                                                                    \
    GUARDED(f, plain, 1, OF_RM)                                                                    \
    GUARDED(f, plain, 2, OF_MR)                                                                    \
    GUARDED(f, plain, 3, OF_RR)

/* ---- the instructions ---- */

#define MAKE_IN_MEMORY(f, arity, formula)
#define MAKE_IN_REGISTERS(f, arity, formula)                                                       \
    FORMULA_OF(f, formula)                                                                         \
    PLAIN##arity(f)
#define MAKE_GUARDED(f, arity, formula)
#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    MAKE_##place(id, arity, formula)
#include "array/elementwise/functions.h"
#undef FUNCTION

/* The zeros of float_mul_no_nan and float_div_no_nan. */
GUARDED2(MUL_NO_NAN, MUL, (Truths)(x == 0) | (Truths)(y == 0))
GUARDED2(DIV_NO_NAN, DIV, (Truths)(x == 0) | (Truths)(y == INFINITY) | (Truths)(y == -INFINITY))

#define LOAD_OUT(i) r##i = AT(out, i);
#define LOAD_A(i) r##i = AT(a, i);
#define STORE_OUT(i) STORE(cell[code->out] + (i)*LANES, r##i);

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

/* Nobody reads the registers afterwards, so they are not saved around the call. */
INSTRUCTION(loop_to_memory)
{
    code->loop(cell[code->a], cell[code->b], cell[code->c], cell[code->out], TILE_ELEMENTS);
    r0 = r1 = r2 = r3 = r4 = r5 = r6 = r7 = (Lanes){0};
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

static void start(const TileCode *code, double **cell, int n_moving, const int *advance, int64_t n)
{
    Lanes zero = {0};
    for (; n > 0; n--) {
        ((Instruction *)code->run)(code, cell, zero, zero, zero, zero, zero, zero, zero, zero);
        for (int i = 0; i < n_moving; i++) cell[i] = (double *)((char *)cell[i] + advance[i]);
    }
}

#define OPAQUE(name) (void (*)(void)) name
#define ENTRY_IN_MEMORY(f, arity)
#define ENTRY_IN_REGISTERS(f, arity) [EW_##f] = {ENTRY##arity(f)},
#define ENTRY_GUARDED ENTRY_IN_REGISTERS
#define ENTRY1(f) OPAQUE(f##_0), OPAQUE(f##_1)
#define ENTRY2(f) OPAQUE(f##_0), OPAQUE(f##_1), OPAQUE(f##_2), OPAQUE(f##_3)

#define FUNCTION(id, name, arity, gives, place, rounding, BOOL, b, INT, i, FLOAT, formula)         \
    ENTRY_##place(id, arity)
const TileMachine SIMD_NAME(simd_tile_machine) = {
    .elements = TILE_ELEMENTS,
    .step =
        {
#include "array/elementwise/functions.h"
        },
    .load = OPAQUE(load),
    .store = OPAQUE(store),
    .loop = OPAQUE(loop),
    .loop_to_memory = OPAQUE(loop_to_memory),
    .end = OPAQUE(end),
    .fill = fill,
    .start = start,
};
#undef FUNCTION

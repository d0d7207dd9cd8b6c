#include "array/simd/simd.h"

#include <stdlib.h>
#include <string.h>

bool simd_has_fma = true;

static const char *const level_name[SIMD_LEVELS] = {"scalar", "avx2", "avx512"};

#if defined(__x86_64__)

bool simd_supported(SimdLevel level)
{
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    return level == SIMD_SCALAR || (avx2 && (level == SIMD_AVX2 || avx512));
}

#define ADDRESS_OF(table)                                                                          \
    (level == SIMD_AVX512 ? &table##_avx512 : level == SIMD_AVX2 ? &table##_avx2 : &table##_scalar)

#else

bool simd_supported(SimdLevel level)
{
    return level == SIMD_SCALAR;
}

#define ADDRESS_OF(table) ((void)level, &table##_scalar)

#endif

static SimdLevel choose(void)
{
#if defined(__x86_64__)
    simd_has_fma = __builtin_cpu_supports("fma");
#endif
    SimdLevel best = SIMD_AVX512;
    while (!simd_supported(best)) best--;
    const char *wanted = getenv("VIV_SIMD");
    for (int level = SIMD_SCALAR; wanted && level < (int)best; level++) {
        if (strcmp(wanted, level_name[level]) == 0) return (SimdLevel)level;
    }
    return best;
}

SimdLevel simd_level(void)
{
    static int chosen = -1;
    if (chosen < 0) chosen = (int)choose();
    return (SimdLevel)chosen;
}

const char *simd_name(void)
{
    return level_name[simd_level()];
}

Loop simd_loop(SimdLevel level, Elementwise f, DType t)
{
    Loop loop = (*ADDRESS_OF(simd_loops))[f][t];
    return loop || t != DT_FLOAT ? loop : (*ADDRESS_OF(simd_math_loops))[f];
}

/* A wide vector for one number costs more than a narrow one. */
const SimdNumbers *simd_numbers(SimdLevel level)
{
    if (level == SIMD_AVX512) level = SIMD_AVX2;
    return ADDRESS_OF(simd_math_numbers);
}

const MatmulKernel *simd_matmul(SimdLevel level)
{
    return ADDRESS_OF(simd_matmul_kernel);
}

const ReduceKernel *simd_reduce(SimdLevel level)
{
    return ADDRESS_OF(simd_reduce_kernel);
}

const MoveKernel *simd_move(SimdLevel level)
{
    return ADDRESS_OF(simd_move_kernel);
}

const TileMachine *simd_tile(SimdLevel level)
{
    return ADDRESS_OF(simd_tile_machine);
}

#include "array_support.h"

#include "ad/elementwise_gradient.h"
#include "array/elementwise/float_ops.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"

static uint64_t state = 1;

void random_start(uint64_t seed)
{
    state = seed * 2 + 1;
}

int64_t random_below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

Shape random_shape(int max_rank, int64_t max_dim)
{
    Shape s = {.rank = (int)random_below(max_rank + 1)};
    for (int k = 0; k < s.rank; k++) s.dim[k] = random_below(8) ? 1 + random_below(max_dim) : 0;
    return s;
}

static double random_float(void)
{
    switch (random_below(12)) {
    case 0: return 0.0 / 0.0;
    case 1: return -0.0;
    case 2: return 0.0;
    case 3: return 1.0 / 0.0;
    case 4: return (double)random_below(1000) / 7.0;
    default: return (double)(random_below(7) - 3);
    }
}

static void fill(Array *a)
{
    for (int64_t i = 0; i < a->size; i++) {
        if (a->dtype == DT_FLOAT) {
            array_floats(a)[i] = random_float();
        } else if (a->dtype == DT_INT) {
            array_ints(a)[i] = random_below(9) - 4;
        } else {
            array_bools(a)[i] = random_below(2);
        }
    }
}

/* A view of shape s into a buffer whose axes lie in another order, with gaps and repeats. */
Array *random_array(DType t, const Shape *s)
{
    Error err = {0};
    int perm[MAX_RANK];
    int64_t step[MAX_RANK], offset = 0;
    bool plain = random_below(3) == 0;
    Shape store = {.rank = s->rank};
    for (int k = 0; k < s->rank; k++) perm[k] = k;
    for (int k = s->rank - 1; k > 0 && !plain; k--) {
        int other = (int)random_below(k + 1), keep = perm[k];
        perm[k] = perm[other];
        perm[other] = keep;
    }
    for (int k = 0; k < s->rank; k++) {
        step[k] = plain ? 1 : (int64_t[]){1, 1, 2, 3, -1, -2, 0}[random_below(7)];
        int64_t reach = step[k] < 0 ? -step[k] : step[k];
        store.dim[perm[k]] = reach == 0 ? 1 : s->dim[k] * reach;
    }
    Array *base = array_new(t, &store, &err);
    cr_assert_not_null(base);
    fill(base);
    Array *v = array_view(base);
    for (int k = 0; k < s->rank; k++) {
        int64_t stride = base->stride[perm[k]];
        if (step[k] < 0) offset += (s->dim[k] - 1) * -step[k] * stride;
        v->dim[k] = s->dim[k];
        v->stride[k] = step[k] * stride;
    }
    array_update_layout(v);
    if (v->size > 0) v->data = (char *)v->data + offset * (int64_t)dtype_size(t);
    array_release(base);
    return v;
}

Array *random_uniform(const Shape *s)
{
    Error err = {0};
    Array *a = array_new(DT_FLOAT, s, &err);
    cr_assert_not_null(a);
    for (int64_t i = 0; i < a->size; i++) {
        array_floats(a)[i] = (double)random_below(1 << 30) / (1 << 30);
    }
    return a;
}

Shape shape_make(int rank, ...)
{
    Shape s = {.rank = rank};
    va_list args;
    va_start(args, rank);
    for (int k = 0; k < rank; k++) s.dim[k] = va_arg(args, int);
    va_end(args);
    return s;
}

Array *ints_make(const Shape *s, const int64_t *value)
{
    Error err = {0};
    Array *a = array_new(DT_INT, s, &err);
    cr_assert_not_null(a);
    if (a->size > 0) memcpy(a->data, value, (size_t)a->size * sizeof *value);
    return a;
}

Array *floats_make(const Shape *s, const double *value)
{
    Error err = {0};
    Array *a = array_new(DT_FLOAT, s, &err);
    cr_assert_not_null(a);
    if (a->size > 0) memcpy(a->data, value, (size_t)a->size * sizeof *value);
    return a;
}

Array *counting_make(const Shape *s)
{
    Error err = {0};
    Array *a = array_new(DT_INT, s, &err);
    cr_assert_not_null(a);
    for (int64_t i = 0; i < a->size; i++) array_ints(a)[i] = i;
    return a;
}

bool index_next(int64_t *index, const Shape *s)
{
    for (int k = s->rank - 1; k >= 0; k--) {
        if (++index[k] < s->dim[k]) return true;
        index[k] = 0;
    }
    return false;
}

double float_at_index(const Array *a, const int64_t *index)
{
    int64_t offset = 0;
    for (int k = 0; k < a->rank; k++) offset += index[k] * a->stride[k];
    if (a->dtype == DT_FLOAT) return array_floats(a)[offset];
    return a->dtype == DT_INT ? (double)array_ints(a)[offset] : (double)array_bools(a)[offset];
}

bool arrays_same(const Array *a, const Array *b)
{
    Shape s = shape_of(a), other = shape_of(b);
    if (a->dtype != b->dtype || !shape_equal(&s, &other) || a->size != b->size) return false;
    int64_t index[MAX_RANK] = {0};
    if (a->size == 0) return true;
    do {
        double x = float_at_index(a, index), y = float_at_index(b, index);
        bool same = x == y && __builtin_signbit(x) == __builtin_signbit(y);
        if (!same && !(x != x && y != y)) return false;
    } while (index_next(index, &s));
    return true;
}

void expect_error(Error *err, ErrorKind kind, const char *part_of_message)
{
    cr_assert_eq(err->kind, kind, "kind %d: %s", err->kind, err->message ? err->message : "none");
    cr_assert_not_null(strstr(err->message, part_of_message), "%s", err->message);
    error_clear(err);
}

void expect_nothing_alive(void)
{
    tile_programs_free(elementwise_program_free);
    cr_assert_eq(mem_live(), 0, "%lld live objects at exit", (long long)mem_live());
}

double fold_one(Reduction f, double a, double b)
{
    switch (f) {
    case RD_SUM: return a + b;
    case RD_PROD: return a * b;
    case RD_SQUARES: return a + b * b;
    case RD_MAX: return float_max(a, b);
    default: return float_min(a, b);
    }
}

TileProgram *program_of_steps(int n_leaves, const TileStep *step, int n_steps)
{
    uint8_t output = (uint8_t)(n_leaves + n_steps - 1);
    TileProgram *p = tile_compile(simd_level(), &(TileSource){.n_leaves = n_leaves,
                                                              .n_steps = n_steps,
                                                              .n_outputs = 1,
                                                              .step = step,
                                                              .output = &output});
    cr_assert(p);
    return p;
}

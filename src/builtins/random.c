#include "base/interrupt.h"
#include "builtins/arrange.h"
#include "builtins/files/stream.h"
#include "builtins/topics.h"

/* ---- numbers ---- */

static bool seed_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t seed;
    if (!arg_int(in, a, 0, &seed)) return false;
    in->random = stream_start(seed);
    *out = value_none();
    return true;
}

static bool rand_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    if (!arg_shape(in, a, 0, false, &s)) return false;
    Array *x = array_new(DT_FLOAT, &s, &in->err);
    return give_array(x && stream_uniforms(&in->random, array_floats(x), x->size, &in->err), x,
                      out);
}

static bool randn_builtin(Interp *in, const Args *a, Value *out)
{
    Shape s;
    if (!arg_shape(in, a, 0, false, &s)) return false;
    return give_array(true, stream_normal_array(&in->random, &s, &in->err), out);
}

static bool randint_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t low, high;
    Shape s;
    if (!arg_int(in, a, 0, &low) || !arg_int(in, a, 1, &high) || !arg_shape(in, a, 2, false, &s))
        return false;
    if (low >= high) {
        arg_error(in, a, 1, ERR_VALUE, "randint: there is no Int from %lld to below %lld",
                  (long long)low, (long long)high);
        return error_hint(&in->err, "high is not among the numbers drawn");
    }
    Array *x = array_new(DT_INT, &s, &in->err);
    return give_array(x && stream_draw_below(&in->random, low, (uint64_t)high - (uint64_t)low,
                                             array_ints(x), x->size, &in->err),
                      x, out);
}

/* ---- drawing from something ---- */

/* What positions are drawn from: how many there are in argument 0, an Int (standing for 0 … n − 1),
 * a tuple, or an array along its first axis. */
static bool count_parts(Interp *in, const Args *a, int64_t *n)
{
    Value x = a->pos[0];
    if (x.kind == VAL_TUPLE)
        *n = x.tuple->len;
    else if (x.kind == VAL_ARR)
        *n = x.arr->dim[0];
    else if (x.kind == VAL_INT)
        *n = x.i;
    else
        return arg_error(in, a, 0, ERR_TYPE, "%s: x must be an Int, an array or a tuple, not %s",
                         a->builtin->name, value_type_name(x));
    if (*n >= 0) return true;
    return arg_error(in, a, 0, ERR_VALUE, "%s: %lld is negative", a->builtin->name, (long long)*n);
}

static Array *new_positions(Interp *in, int64_t n)
{
    Shape s = {.rank = 1, .dim = {n}};
    return array_new(DT_INT, &s, &in->err);
}

static Value pick_from_tuple(const Tuple *t, const Array *positions)
{
    Tuple *picked = tuple_new((int)positions->size);
    for (int i = 0; i < picked->len; i++)
        picked->item[i] = value_retain(t->item[array_ints(positions)[i]]);
    return value_tuple(picked);
}

/* The parts of x at positions, which are consumed; not ok: only that. */
static bool pick_take(Interp *in, bool ok, Value x, Array *positions, Value *out)
{
    if (x.kind == VAL_INT) return give_array(ok, positions, out);
    if (ok && x.kind == VAL_TUPLE) {
        *out = pick_from_tuple(x.tuple, positions);
    } else if (ok) {
        IndexTerm term = {.kind = INDEX_ARRAY, .array = positions};
        *out = value_retain(x);
        ok = then_index(in, out, &term, 1);
    }
    array_release(positions);
    return ok;
}

/* Fisher and Yates' shuffle, from the end. */
static bool permutation_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t n = 0;
    if (!count_parts(in, a, &n)) return false;
    Array *positions = new_positions(in, n);
    if (!positions) return false;
    int64_t *at = array_ints(positions);
    Stretch s = {0};
    for (int64_t i = 0; i < n; i++) at[i] = i;
    while (stretch_next(&s, n - 1, &in->err))
        for (int64_t i = n - 1 - s.start; i > n - 1 - s.end; i--) {
            int64_t other = (int64_t)stream_below(&in->random, (uint64_t)i + 1), kept = at[i];
            at[i] = at[other];
            at[other] = kept;
        }
    return pick_take(in, stretch_done(&s, n - 1), a->pos[0], positions, out);
}

static bool choose_one(Interp *in, Value x, int64_t at, Value *out)
{
    if (x.kind == VAL_INT) {
        *out = value_int(at);
        return true;
    }
    *out = value_retain(x.kind == VAL_TUPLE ? x.tuple->item[at] : x);
    IndexTerm term = {.kind = INDEX_AT, .has_start = true, .start = at};
    return x.kind == VAL_TUPLE || then_index(in, out, &term, 1);
}

static bool choice_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t parts = 0, n = 1;
    if (!count_parts(in, a, &parts) || (a->n == 2 && !arg_int(in, a, 1, &n))) return false;
    if (n < 0)
        return arg_error(in, a, 1, ERR_VALUE, "choice: n is %lld, which is negative", (long long)n);
    if (a->pos[0].kind == VAL_TUPLE && n > INT32_MAX)
        return arg_error(in, a, 1, ERR_VALUE, "choice: a tuple can't hold %lld items",
                         (long long)n);
    if (parts == 0 && n > 0)
        return arg_error(in, a, 0, ERR_VALUE, "choice: there is nothing to choose from");
    if (a->n == 1)
        return choose_one(in, a->pos[0], (int64_t)stream_below(&in->random, (uint64_t)parts), out);
    Array *positions = new_positions(in, n);
    if (!positions) return false;
    bool ok =
        stream_draw_below(&in->random, 0, (uint64_t)parts, array_ints(positions), n, &in->err);
    return pick_take(in, ok, a->pos[0], positions, out);
}

const Builtin builtins_random[] = {
    {"seed", "seed(n)",
     "Starts the random stream anew at the Int n. Programs and test blocks begin as after seed(0), so their random numbers are the same at every run.",
     seed_builtin},
    {"rand", "rand(sizes…)",
     "Uniform in [0, 1): one Float, or an array of the sizes given (or of a tuple of sizes). The numbers are the same on every "
     "machine, and rand(2) draws the same two as rand() twice.",
     rand_builtin},
    {"randn", "randn(sizes…)",
     "Of the standard normal distribution: one Float, or an array of the sizes given. The bits are the same on every machine, and "
     "randn(2) draws the same two as randn() twice.",
     randn_builtin},
    {"randint", "randint(low, high, sizes…)",
     "Uniform among the Ints from low to below high, without bias: one Int, or an array of the "
     "sizes given (or of a tuple of sizes). low must be below high.",
     randint_builtin},
    {"permutation", "permutation(x)",
     "The rows of an array, or the items of a tuple, in random order; for an Int n the numbers 0 to n - 1, as an array. Linear in x, so derivatives pass.",
     permutation_builtin},
    {"choice", "choice(x, [n])",
     "A random row of an array or item of a tuple; for an Int one of 0 to x - 1. With n that many of them, drawn with replacement, "
     "as an array or a tuple.",
     choice_builtin},
    {0},
};

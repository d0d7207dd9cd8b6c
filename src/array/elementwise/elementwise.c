#include "array/elementwise/elementwise.h"

#include "array/number_text.h"
#include "array/simd/simd.h"
#include "array/walk.h"
#include "base/interrupt.h"
#include "base/parallel.h"

const ElementwiseInfo elementwise_info[EW_COUNT] = {
    [EW_SQRT] = {"sqrt", 1},
    [EW_EXP] = {"exp", 1},
    [EW_EXPM1] = {"expm1", 1},
    [EW_LOG] = {"log", 1},
    [EW_LOG1P] = {"log1p", 1},
    [EW_LOG2] = {"log2", 1},
    [EW_LOG10] = {"log10", 1},
    [EW_SIN] = {"sin", 1},
    [EW_COS] = {"cos", 1},
    [EW_TAN] = {"tan", 1},
    [EW_ASIN] = {"asin", 1},
    [EW_ACOS] = {"acos", 1},
    [EW_ATAN] = {"atan", 1},
    [EW_SINH] = {"sinh", 1},
    [EW_COSH] = {"cosh", 1},
    [EW_TANH] = {"tanh", 1},
    [EW_ERF] = {"erf", 1},
    [EW_SIGMOID] = {"sigmoid", 1},
    [EW_SOFTPLUS] = {"softplus", 1},
    [EW_NEG] = {"-", 1},
    [EW_ABS] = {"abs", 1},
    [EW_SIGN] = {"sign", 1},
    [EW_POS] = {"+", 1},
    [EW_FLOOR] = {"floor", 1},
    [EW_CEIL] = {"ceil", 1},
    [EW_ROUND] = {"round", 1},
    [EW_TRUNC] = {"trunc", 1},
    [EW_ISNAN] = {"isnan", 1},
    [EW_ISINF] = {"isinf", 1},
    [EW_ISFINITE] = {"isfinite", 1},
    [EW_NOT] = {"~", 1},
    [EW_TO_FLOAT] = {"float", 1},
    [EW_TO_INT] = {"int", 1},
    [EW_TO_BOOL] = {"bool", 1},
    [EW_ADD] = {"+", 2},
    [EW_SUB] = {"-", 2},
    [EW_MUL] = {"*", 2},
    [EW_FLOORDIV] = {"//", 2},
    [EW_MOD] = {"%", 2},
    [EW_MAX] = {"max", 2},
    [EW_MIN] = {"min", 2},
    [EW_DIV] = {"/", 2},
    [EW_ATAN2] = {"atan2", 2},
    [EW_POW] = {"**", 2},
    [EW_MUL_NO_NAN] = {"*", 2},
    [EW_DIV_NO_NAN] = {"/", 2},
    [EW_EQ] = {"==", 2},
    [EW_NE] = {"!=", 2},
    [EW_LT] = {"<", 2},
    [EW_LE] = {"<=", 2},
    [EW_GT] = {">", 2},
    [EW_GE] = {">=", 2},
    [EW_AND] = {"&", 2},
    [EW_OR] = {"|", 2},
    [EW_WHERE] = {"where", 3},
};

enum {
    CHUNK = 512,     /* elements brought into scratch at a time */
    PIECE = 1 << 20, /* elements between two looks at the interrupt flag */
    LONG_RUN = 32,   /* runs from which on a call of the loop for each pays */
    NO_TYPE = -1,
    LONG_ENOUGH = 1 << 18, /* elements that several threads share */
    MOST_PIECES = 16,
};

/* ---- types ---- */

/* The type the loop of f works on for operands of type t: t, or the next that has a loop. */
static int loop_type(Elementwise f, DType t)
{
    int type = t;
    while (type <= DT_FLOAT && !simd_loop(SIMD_SCALAR, f, (DType)type)) type++;
    return type <= DT_FLOAT ? type : NO_TYPE;
}

static DType promoted(Elementwise f, const DType *in)
{
    DType t = DT_BOOL;
    for (int k = f == EW_WHERE; k < elementwise_info[f].arity; k++) {
        if (in[k] > t) t = in[k];
    }
    return t;
}

static DType result_type(Elementwise f, DType t)
{
    switch (f) {
    case EW_FLOOR:
    case EW_CEIL:
    case EW_ROUND:
    case EW_TRUNC:
    case EW_TO_INT: return DT_INT;
    case EW_TO_FLOAT: return DT_FLOAT;
    case EW_ISNAN:
    case EW_ISINF:
    case EW_ISFINITE:
    case EW_TO_BOOL:
    case EW_EQ:
    case EW_NE:
    case EW_LT:
    case EW_LE:
    case EW_GT:
    case EW_GE: return DT_BOOL;
    default: return t;
    }
}

DType elementwise_type(Elementwise f, const DType *in)
{
    int type = loop_type(f, promoted(f, in));
    return result_type(f, type == NO_TYPE ? DT_FLOAT : (DType)type);
}

/* ---- one run: operands with a step each, along one axis ---- */

typedef struct {
    const char *data;
    int64_t step; /* in elements */
    DType type;   /* as stored */
    DType want;   /* as the loop takes it */
} Operand;

typedef struct {
    Elementwise f;
    Loop loop;
    int arity;
    DType out_type;
    Operand operand[3];
    char *out;
    Error *err;
    _Alignas(64) double scratch[3][CHUNK];
} Run;

#define GATHER(T, TO)                                                                              \
    do {                                                                                           \
        const T *from = (const T *)(const void *)src;                                              \
        TO *to = dst;                                                                              \
        for (int64_t i = 0; i < n; i++) to[i] = (TO)from[i * step];                                \
    } while (0)

/* Copies n elements, step apart, to dst and converts them upwards. */
static void gather(void *dst, DType want, const char *src, DType type, int64_t step, int64_t n)
{
    if (want == DT_BOOL) {
        GATHER(bool, bool);
    } else if (want == DT_INT) {
        if (type == DT_INT) {
            GATHER(int64_t, int64_t);
        } else {
            GATHER(bool, int64_t);
        }
    } else if (type == DT_FLOAT) {
        GATHER(double, double);
    } else if (type == DT_INT) {
        GATHER(int64_t, double);
    } else {
        GATHER(bool, double);
    }
}

static bool is_direct(const Operand *o)
{
    return o->step == 1 && o->type == o->want;
}

static void number_text(StrBuf *b, DType t, const void *at)
{
    if (t == DT_FLOAT) {
        float_write(b, *(const double *)at);
    } else {
        strbuf_printf(b, "%lld", (long long)*(const int64_t *)at);
    }
}

/* What f was asked to do, as a user would write it. */
static void application_text(StrBuf *b, const Run *r, const void *const *x)
{
    const char *name = elementwise_info[r->f].name;
    DType t = r->operand[0].want;
    if (r->arity == 1) {
        strbuf_text(b, name);
        strbuf_char(b, '(');
        number_text(b, t, x[0]);
        strbuf_char(b, ')');
        return;
    }
    number_text(b, t, x[0]);
    strbuf_printf(b, " %s ", name);
    number_text(b, t, x[1]);
}

static bool report(const Run *r, LoopStatus status, const void *const *x)
{
    if (status == LOOP_ZERO_DIVISION) return error_set(r->err, ERR_MATH, "Int division by zero");
    StrBuf b = {0};
    if (status == LOOP_NO_INT) {
        number_text(&b, DT_FLOAT, x[0]);
        error_set(r->err, ERR_MATH, "%s does not fit an Int", strbuf_str(&b));
    } else {
        application_text(&b, r, x);
        error_set(r->err, ERR_MATH, "Int overflow in %s", strbuf_str(&b));
    }
    strbuf_free(&b);
    return false;
}

/* The loop failed somewhere in these n elements: finds the first and says what was wrong. */
static bool fail_in(const Run *r, const void *const *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const void *at[3] = {NULL};
        for (int k = 0; k < r->arity; k++) {
            at[k] = (const char *)x[k] + i * (int64_t)dtype_size(r->operand[k].want);
        }
        int64_t out;
        LoopStatus status = r->loop(at[0], at[1], at[2], &out, 1);
        if (status != LOOP_OK) return report(r, status, at);
    }
    return true;
}

static bool apply(Run *r, const void *const *x, int64_t n)
{
    if (r->loop(x[0], x[1], x[2], r->out, n) != LOOP_OK) return fail_in(r, x, n);
    r->out += n * (int64_t)dtype_size(r->out_type);
    return true;
}

/* n elements from the operands' data on, in pieces. */
static bool run_row(Run *r, int64_t n)
{
    bool direct = true;
    for (int k = 0; k < r->arity; k++) {
        const Operand *o = &r->operand[k];
        direct &= is_direct(o);
        if (o->step == 0)
            gather(r->scratch[k], o->want, o->data, o->type, 0, n < CHUNK ? n : CHUNK);
    }
    int64_t most = direct ? PIECE : CHUNK;
    for (int64_t done = 0; done < n; done += most) {
        int64_t len = n - done < most ? n - done : most;
        const void *x[3] = {NULL};
        for (int k = 0; k < r->arity; k++) {
            const Operand *o = &r->operand[k];
            const char *from = o->data + done * o->step * (int64_t)dtype_size(o->type);
            x[k] = is_direct(o) ? (const void *)from : r->scratch[k];
            if (!is_direct(o) && o->step != 0) {
                gather(r->scratch[k], o->want, from, o->type, o->step, len);
            }
        }
        if (!apply(r, x, len)) return false;
        if ((done & (PIECE - 1)) == 0 && !interrupt_poll(r->err)) return false;
    }
    return true;
}

/* ---- all runs ---- */

static void to_offsets(Run *r, const Walk *w, const char *const *base)
{
    for (int k = 0; k < r->arity; k++) {
        Operand *o = &r->operand[k];
        o->data = base[k] + w->offset[k] * (int64_t)dtype_size(o->type);
    }
}

/* Long runs: each goes through the loop by itself. */
static bool run_rows(Run *r, Walk *w, const char *const *base)
{
    do {
        to_offsets(r, w, base);
        if (!run_row(r, w->run) || !interrupt_poll(r->err)) return false;
    } while (walk_next(w));
    return true;
}

/* Copies and converts `rows` runs, row_step apart, one behind the other. */
static void gather_rows(double *dst, const Operand *o, int64_t row_step, int64_t rows, int64_t run)
{
    int64_t size = (int64_t)dtype_size(o->want), next = row_step * (int64_t)dtype_size(o->type);
    const char *from = o->data;
    char *to = (char *)dst;
    for (int64_t i = 0; i < rows; i++, from += next, to += run * size) {
        gather(to, o->want, from, o->type, o->step, run);
    }
}

/* Steps over all but the last of `rows` runs along the innermost of the axes around them. */
static void skip_rows(Walk *w, int64_t rows)
{
    int last = w->rank - 1;
    w->index[last] += rows - 1;
    for (int k = 0; k < w->operands; k++) w->offset[k] += w->stride[k][last] * (rows - 1);
}

/* Short runs: as many as fit are gathered before the loop is called. */
static bool run_gathered(Run *r, Walk *w, const char *const *base)
{
    const void *x[3] = {r->scratch[0], r->scratch[1], r->scratch[2]};
    int last = w->rank - 1;
    do {
        int64_t left = w->dim[last] - w->index[last], fit = CHUNK / w->run;
        int64_t rows = left < fit ? left : fit;
        to_offsets(r, w, base);
        for (int k = 0; k < r->arity; k++) {
            gather_rows(r->scratch[k], &r->operand[k], w->stride[k][last], rows, w->run);
        }
        if (!apply(r, x, rows * w->run) || !interrupt_poll(r->err)) return false;
        skip_rows(w, rows);
    } while (walk_next(w));
    return true;
}

static bool run_walk(Run *r, const Shape *s, Array *const *in)
{
    int64_t stride[3][MAX_RANK];
    const int64_t *strides[3];
    const char *base[3];
    for (int k = 0; k < r->arity; k++) {
        walk_broadcast(in[k], s, stride[k]);
        strides[k] = stride[k];
        base[k] = in[k]->data;
    }
    Walk w;
    if (!walk_start(&w, s->rank, s->dim, r->arity, strides)) return true;
    for (int k = 0; k < r->arity; k++) r->operand[k].step = w.step[k];
    return w.rank == 0 || w.run >= LONG_RUN ? run_rows(r, &w, base) : run_gathered(r, &w, base);
}

/* Whether every operand is contiguous and of the result's shape, or a single number: then the
 * whole is one run. */
static bool is_one_run(Run *r, const Shape *s, int64_t size, Array *const *in)
{
    for (int k = 0; k < r->arity; k++) {
        const Array *a = in[k];
        if (a->size == 1) {
            r->operand[k].step = size != 1 ? 0 : 1;
        } else if (a->contiguous && a->size == size && a->rank == s->rank) {
            r->operand[k].step = 1;
        } else {
            return false;
        }
        r->operand[k].data = a->data;
    }
    return true;
}

/* ---- one long run, by several threads ---- */

typedef struct {
    const Run *run;
    int64_t size;
    bool failed[MOST_PIECES]; /* in a piece, or interrupted */
} Pieces;

static int64_t piece_start(int64_t size, int i)
{
    return size / MOST_PIECES * i;
}

static void run_piece(void *context, int i)
{
    Pieces *p = context;
    Error err = {0};
    Run r = {.f = p->run->f,
             .loop = p->run->loop,
             .arity = p->run->arity,
             .out_type = p->run->out_type,
             .err = &err};
    int64_t start = piece_start(p->size, i),
            end = i + 1 < MOST_PIECES ? piece_start(p->size, i + 1) : p->size;
    for (int k = 0; k < r.arity; k++) {
        r.operand[k] = p->run->operand[k];
        r.operand[k].data += start * r.operand[k].step * (int64_t)dtype_size(r.operand[k].type);
    }
    r.out = p->run->out + start * (int64_t)dtype_size(r.out_type);
    p->failed[i] = !run_row(&r, end - start);
    if (err.kind == ERR_INTERRUPT) interrupt_flag = 1; /* the caller's thread takes it */
    error_clear(&err);
}

/* A piece that fails is found again from the start, so that the message is about the first element
 * that fails. */
static bool run_pieces(Run *r, int64_t size)
{
    Pieces p = {.run = r, .size = size};
    parallel_run(MOST_PIECES, run_piece, &p);
    for (int i = 0; i < MOST_PIECES; i++)
        if (p.failed[i]) return interrupt_poll(r->err) && run_row(r, size);
    return true;
}

static bool run_all(Run *r, const Shape *s, int64_t size, Array *const *in)
{
    if (size == 0) return true;
    if (!is_one_run(r, s, size, in)) return run_walk(r, s, in);
    return size >= LONG_ENOUGH && parallel_threads() > 1 ? run_pieces(r, size) : run_row(r, size);
}

/* ---- entry ---- */

/* The common shape. Nearly always it is that of one operand. */
static bool broadcast_all(Array *const *in, int n, Shape *out, Error *err)
{
    const Array *widest = in[0];
    bool alike = true;
    for (int k = 1; k < n; k++) {
        if (in[k]->rank > widest->rank) widest = in[k];
    }
    for (int k = 0; k < n; k++) alike &= in[k]->rank == 0 || array_same_shape(in[k], widest);
    *out = shape_of(alike ? widest : in[0]);
    for (int k = 1; k < n && !alike; k++) {
        Shape next = shape_of(in[k]), both;
        if (!shape_broadcast(out, &next, &both, err)) return false;
        *out = both;
    }
    return true;
}

static bool any_negative(const Array *a)
{
    if (a->dtype != DT_INT) return false;
    for (int64_t i = 0; i < a->size; i++) {
        if (array_int_at(a, i) < 0) return true;
    }
    return false;
}

static bool type_error(Elementwise f, const DType *in, Error *err)
{
    if (f == EW_WHERE) {
        return error_set(err, ERR_TYPE, "where takes a Bool condition, not %s",
                         in[0] == DT_INT ? "an Int" : "a Float");
    }
    return error_set(err, ERR_TYPE, "%s takes Bools or Ints, not Floats", elementwise_info[f].name);
}

/* The common type, the loop for it and the result's type. */
static bool choose_types(Run *r, Array *const *in, Error *err)
{
    DType type[3] = {DT_BOOL, DT_BOOL, DT_BOOL};
    for (int k = 0; k < r->arity; k++) type[k] = in[k]->dtype;
    int want = promoted(r->f, type);
    if (r->f == EW_POW && want <= DT_INT && any_negative(in[1])) want = DT_FLOAT;
    SimdLevel level = simd_level();
    r->loop = NULL;
    for (; want <= DT_FLOAT && !(r->loop = simd_loop(level, r->f, (DType)want)); want++) continue;
    if (!r->loop || (r->f == EW_WHERE && type[0] != DT_BOOL)) return type_error(r->f, type, err);
    for (int k = 0; k < r->arity; k++) {
        r->operand[k].type = type[k];
        r->operand[k].want = r->f == EW_WHERE && k == 0 ? DT_BOOL : (DType)want;
    }
    r->out_type = result_type(r->f, (DType)want);
    return true;
}

Array *elementwise_run(Elementwise f, Array *const *in, Error *err)
{
    Run r;
    r.f = f;
    r.arity = elementwise_info[f].arity;
    r.err = err;
    Shape s;
    if (!choose_types(&r, in, err) || !broadcast_all(in, r.arity, &s, err)) return NULL;
    Array *out = array_new(r.out_type, &s, err);
    if (!out) return NULL;
    r.out = out->data;
    if (!run_all(&r, &s, out->size, in)) {
        array_release(out);
        return NULL;
    }
    return out;
}

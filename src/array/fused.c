#include "array/fused.h"

#include "array/walk.h"
#include "base/interrupt.h"
#include "base/parallel.h"

enum {
    POLL = 1 << 18,
    PIECE = 1 << 16, /* what one thread does at a time */
    SHORT_RUN = 32,  /* rows shorter than this cost more to set up than fusing gains */
};

/* ---- what fits ---- */

bool fused_steps_take_floats(const FusedProgram *p, bool *is_float)
{
    for (int i = 0; i < p->n_steps; i++) {
        const TileStep *s = &p->step[i];
        bool any = is_float[s->operand[0]];
        if (elementwise_info[s->f].arity == 2) any |= is_float[s->operand[1]];
        if (!any) return false;
        is_float[p->n_leaves + i] = true;
    }
    return true;
}

static bool types_fit(const FusedProgram *p, Array *const *leaf)
{
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    for (int i = 0; i < p->n_leaves; i++) {
        is_float[i] = leaf[i]->dtype == DT_FLOAT;
        if (!is_float[i] && (leaf[i]->dtype == DT_BOOL || leaf[i]->size != 1)) return false;
    }
    return fused_steps_take_floats(p, is_float);
}

static bool same_dims(const Array *a, const Shape *s)
{
    Shape own = shape_of(a);
    return shape_equal(&own, s);
}

static bool common_shape(const FusedProgram *p, Array *const *leaf, Shape *shape)
{
    *shape = shape_of(leaf[0]);
    for (int i = 1; i < p->n_leaves; i++) {
        if (leaf[i]->rank == 0 || same_dims(leaf[i], shape)) continue;
        Shape next = shape_of(leaf[i]), both;
        Error ignored = {0};
        if (!shape_broadcast(shape, &next, &both, &ignored)) {
            error_clear(&ignored);
            return false;
        }
        *shape = both;
    }
    return true;
}

bool fused_fits(const FusedProgram *p, Array *const *leaf, Shape *shape)
{
    if (!types_fit(p, leaf) || !common_shape(p, leaf, shape) || shape->rank == 0) return false;
    bool one_run = true;
    for (int i = 0; i < p->n_leaves; i++) {
        int64_t stride[MAX_RANK];
        walk_broadcast(leaf[i], shape, stride);
        int64_t inner = stride[shape->rank - 1];
        if (inner != 0 && inner != 1) return false;
        one_run &= leaf[i]->size == 1 || (leaf[i]->contiguous && same_dims(leaf[i], shape));
    }
    return one_run || shape->dim[shape->rank - 1] >= SHORT_RUN;
}

/* ---- running ---- */

typedef struct {
    TileProgram program;
    TileLeaf leaf[FUSED_LEAVES];
    double number[FUSED_LEAVES]; /* Ints of rank 0, converted */
} Fused;

/* n elements along one run, from where the leaves are. */
static bool run_run(const Fused *f, int64_t n, double *out, Error *err)
{
    TileLeaf leaf[FUSED_LEAVES];
    for (int64_t done = 0; done < n; done += POLL) {
        for (int i = 0; i < f->program.n_leaves; i++) {
            leaf[i] = f->leaf[i];
            if (!leaf[i].repeats) leaf[i].data += done;
        }
        double *to = out + done;
        tile_run(&f->program, leaf, &to, n - done < POLL ? n - done : POLL);
        if (!interrupt_poll(err)) return false;
    }
    return true;
}

typedef struct {
    int64_t stride[FUSED_LEAVES][MAX_RANK];
    const double *base[FUSED_LEAVES];
    bool one_run;
} Layout;

static void lay_out(Fused *f, Array *const *leaf, const Shape *shape, Layout *l)
{
    l->one_run = true;
    for (int i = 0; i < f->program.n_leaves; i++) {
        Array *a = leaf[i];
        if (a->dtype == DT_INT) f->number[i] = (double)*array_ints(a);
        walk_broadcast(a, shape, l->stride[i]);
        l->base[i] = a->dtype == DT_INT ? &f->number[i] : array_floats(a);
        bool full = a->contiguous && same_dims(a, shape);
        f->leaf[i].data = l->base[i];
        f->leaf[i].repeats = a->size == 1 || (!full && l->stride[i][shape->rank - 1] == 0);
        l->one_run &= full || a->size == 1;
    }
}

/* Rows along the last axis, with an odometer over the others. */
static bool run_rows(Fused *f, const Shape *shape, const Layout *l, double *out, Error *err)
{
    int last = shape->rank - 1;
    int64_t index[MAX_RANK] = {0}, n = shape->dim[last];
    for (;;) {
        if (!run_run(f, n, out, err) || !interrupt_poll(err)) return false;
        out += n;
        int axis = last - 1;
        for (; axis >= 0; axis--) {
            bool wraps = ++index[axis] == shape->dim[axis];
            int64_t by = wraps ? 1 - shape->dim[axis] : 1;
            for (int i = 0; i < f->program.n_leaves; i++)
                if (l->stride[i][axis]) f->leaf[i].data += by * l->stride[i][axis];
            if (!wraps) break;
            index[axis] = 0;
        }
        if (axis < 0) return true;
    }
}

/* A single run, by several threads. */
typedef struct {
    const Fused *f;
    double *out;
    int64_t size, piece;
} Pieces;

static void run_piece(void *context, int i)
{
    const Pieces *p = context;
    Fused f = *p->f;
    Error interrupted = {0};
    int64_t start = i * p->piece, n = p->size - start < p->piece ? p->size - start : p->piece;
    for (int k = 0; k < f.program.n_leaves; k++)
        if (!f.leaf[k].repeats) f.leaf[k].data += start;
    if (!run_run(&f, n, p->out + start, &interrupted)) {
        interrupt_flag = 1; /* the caller's thread takes it */
        error_clear(&interrupted);
    }
}

static bool run_pieces(const Fused *f, Array *out, Error *err)
{
    Pieces p = {.f = f, .out = array_floats(out), .size = out->size, .piece = PIECE};
    parallel_run((int)((out->size + PIECE - 1) / PIECE), run_piece, &p);
    return interrupt_poll(err);
}

static bool run_laid_out(Fused *f, const Layout *l, const Shape *shape, Array *out, Error *err)
{
    if (!l->one_run) return run_rows(f, shape, l, array_floats(out), err);
    if (out->size >= 2 * PIECE && out->size / PIECE < INT32_MAX) return run_pieces(f, out, err);
    return run_run(f, out->size, array_floats(out), err);
}

Array *fused_run(const FusedProgram *p, Array *const *leaf, const Shape *shape, Error *err)
{
    Array *out = array_new(DT_FLOAT, shape, err);
    if (!out || out->size == 0) return out;
    Fused f;
    uint8_t result = (uint8_t)(p->n_leaves + p->n_steps - 1);
    if (!tile_compile(&f.program, simd_level(), p->n_leaves, p->step, p->n_steps, &result, 1)) {
        error_set(err, ERR_TYPE, "this expression can't be fused");
        array_release(out);
        return NULL;
    }
    Layout l;
    lay_out(&f, leaf, shape, &l);
    if (run_laid_out(&f, &l, shape, out, err)) return out;
    array_release(out);
    return NULL;
}

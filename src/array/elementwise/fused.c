#include "array/elementwise/fused.h"

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

/* Floats, or one Int, which is converted once. */
static bool is_readable(const Array *a)
{
    return a->dtype == DT_FLOAT || (a->dtype == DT_INT && a->size == 1);
}

static bool types_fit(const FusedProgram *p, Array *const *leaf)
{
    bool is_float[FUSED_LEAVES + FUSED_STEPS];
    for (int i = 0; i < p->n_leaves; i++) {
        is_float[i] = leaf[i]->dtype == DT_FLOAT;
        if (!is_readable(leaf[i])) return false;
    }
    return fused_steps_take_floats(p, is_float);
}

static bool common_shape(const FusedProgram *p, Array *const *leaf, Shape *shape)
{
    *shape = shape_of(leaf[0]);
    for (int i = 1; i < p->n_leaves; i++) {
        if (leaf[i]->rank == 0 || array_has_shape(leaf[i], shape)) continue;
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

bool fused_lies(Array *const *leaf, int n, const Shape *shape)
{
    bool one_run = true;
    if (shape->rank == 0) return false;
    for (int i = 0; i < n; i++) {
        int64_t stride[MAX_RANK];
        if (!is_readable(leaf[i])) return false;
        walk_broadcast(leaf[i], shape, stride);
        int64_t inner = stride[shape->rank - 1];
        if (inner != 0 && inner != 1) return false;
        one_run &= leaf[i]->size == 1 || (leaf[i]->contiguous && array_has_shape(leaf[i], shape));
    }
    return one_run || shape->dim[shape->rank - 1] >= SHORT_RUN;
}

bool fused_fits(const FusedProgram *p, Array *const *leaf, Shape *shape)
{
    return types_fit(p, leaf) && common_shape(p, leaf, shape) &&
           fused_lies(leaf, p->n_leaves, shape);
}

/* ---- running ---- */

/* A program, and where its leaves and outputs are. */
typedef struct {
    const TileProgram *program;
    TileLeaf leaf[TILE_LEAVES];
    double *out[TILE_OUTPUTS];
} Pass;

static void move_on(Pass *p, int64_t by)
{
    for (int i = 0; i < p->program->n_leaves; i++)
        if (!p->leaf[i].repeats) p->leaf[i].data += by;
    for (int i = 0; i < p->program->n_outputs; i++) p->out[i] += by;
}

static bool goes_on(Error *err)
{
    return !err || interrupt_poll(err);
}

/* n elements along one run. */
static bool run_run(TileRun *r, const Pass *p, int64_t n, Error *err)
{
    if (n <= POLL) {
        tile_run(r, p->leaf, p->out, n);
        return goes_on(err);
    }
    Pass at = *p;
    for (int64_t left = n; left > 0; left -= POLL) {
        int64_t now = left < POLL ? left : POLL;
        tile_run(r, at.leaf, at.out, now);
        if (!goes_on(err)) return false;
        move_on(&at, now);
    }
    return true;
}

typedef struct {
    int64_t stride[TILE_LEAVES][MAX_RANK];
    double number[TILE_LEAVES]; /* Ints of rank 0, converted */
    bool one_run;
} Layout;

static void lay_out(Pass *p, Array *const *leaf, const Shape *shape, Layout *l)
{
    l->one_run = true;
    for (int i = 0; i < p->program->n_leaves; i++) {
        Array *a = leaf[i];
        bool is_int = a->dtype == DT_INT, full = a->contiguous && array_has_shape(a, shape);
        if (is_int) l->number[i] = (double)*array_ints(a);
        walk_broadcast(a, shape, l->stride[i]);
        p->leaf[i].data = is_int ? &l->number[i] : array_floats(a);
        p->leaf[i].repeats = a->size == 1 || (!full && l->stride[i][shape->rank - 1] == 0);
        l->one_run &= full || a->size == 1;
    }
}

/* Rows along the last axis, with an odometer over the others. */
static bool run_rows(Pass *p, const Shape *shape, const Layout *l, Error *err)
{
    int last = shape->rank - 1;
    int64_t index[MAX_RANK] = {0}, n = shape->dim[last];
    TileRun r;
    tile_begin(&r, p->program);
    for (;;) {
        if (!run_run(&r, p, n, err)) return false;
        for (int i = 0; i < p->program->n_outputs; i++) p->out[i] += n;
        int axis = last - 1;
        for (; axis >= 0; axis--) {
            bool wraps = ++index[axis] == shape->dim[axis];
            int64_t by = wraps ? 1 - shape->dim[axis] : 1;
            for (int i = 0; i < p->program->n_leaves; i++)
                if (l->stride[i][axis]) p->leaf[i].data += by * l->stride[i][axis];
            if (!wraps) break;
            index[axis] = 0;
        }
        if (axis < 0) return true;
    }
}

static bool run_whole(const Pass *p, int64_t n, Error *err)
{
    TileRun r;
    tile_begin(&r, p->program);
    return run_run(&r, p, n, err);
}

/* A single run, by several threads. */
typedef struct {
    const Pass *pass;
    int64_t size;
    bool polls;
} Pieces;

static void run_piece(void *context, int i)
{
    const Pieces *pieces = context;
    Pass p = *pieces->pass;
    Error interrupted = {0};
    int64_t start = (int64_t)i * PIECE, left = pieces->size - start;
    move_on(&p, start);
    if (!run_whole(&p, left < PIECE ? left : PIECE, pieces->polls ? &interrupted : NULL)) {
        interrupt_flag = 1; /* the caller's thread takes it */
        error_clear(&interrupted);
    }
}

static bool run_pieces(const Pass *p, int64_t size, Error *err)
{
    Pieces pieces = {p, size, err != NULL};
    parallel_run((int)((size + PIECE - 1) / PIECE), run_piece, &pieces);
    return goes_on(err);
}

bool fused_pass(const TileProgram *program, Array *const *leaf, const Shape *shape,
                Array *const *out, Error *err)
{
    Pass p = {.program = program};
    Layout l;
    int64_t size = out[0]->size;
    if (size == 0) return true;
    for (int i = 0; i < program->n_outputs; i++) p.out[i] = array_floats(out[i]);
    lay_out(&p, leaf, shape, &l);
    if (!l.one_run) return run_rows(&p, shape, &l, err);
    if (size >= 2 * PIECE && size / PIECE < INT32_MAX) return run_pieces(&p, size, err);
    return run_whole(&p, size, err);
}

Array *fused_run(const FusedProgram *p, Array *const *leaf, const Shape *shape, Array *into,
                 Error *err)
{
    TileProgram program;
    uint8_t result = (uint8_t)(p->n_leaves + p->n_steps - 1);
    if (!tile_compile(&program, simd_level(), p->n_leaves, p->step, p->n_steps, &result, 1)) {
        error_set(err, ERR_TYPE, "this expression can't be fused");
        return NULL;
    }
    Array *out = into ? array_retain(into) : array_new(DT_FLOAT, shape, err);
    if (!out || fused_pass(&program, leaf, shape, &out, into ? NULL : err)) return out;
    array_release(out);
    return NULL;
}

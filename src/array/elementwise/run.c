/* The planner: how a tile program is run on the arrays it is given. */
#include "array/elementwise/limits.h"
#include "array/elementwise/tile.h"
#include "array/walk.h"
#include "base/interrupt.h"
#include "base/number_text.h"
#include "base/parallel.h"

enum { CELL_ROOM = TILE_CELLS * TILE_LONGEST };

/* A leaf along one run. */
typedef struct {
    const char *data;
    int64_t step, bytes; /* from one element to the next; 0: one for all */
    DType type;          /* as stored */
    int size;            /* of an element */
    bool gathers;        /* because of its step or its type */
} Leaf;

/* A program at work on one run after the other. One thread's. */
typedef struct {
    const TileProgram *program;
    const TileMachine *machine;
    Leaf leaf[TILE_LEAVES];
    char *out[TILE_OUTPUTS];
    int out_size[TILE_OUTPUTS]; /* of an element */
    bool gathers, repeats;      /* some leaf */
    int64_t block;              /* elements of a cell */
    Error *err;                 /* NULL: interrupts wait */
    double *cell[TILE_CELLS];
    int advance[TILE_LEAVES + TILE_OUTPUTS];
    const void *filled_from[TILE_LEAVES]; /* the number that fills a repeating leaf's cell … */
    int64_t filled[TILE_LEAVES];          /* … so far */
    _Alignas(64) double room[CELL_ROOM];
} Run;

static double *room_of(Run *r, int cell)
{
    return r->room + cell * r->block;
}

static void start_run(Run *r, const TileProgram *p, Error *err)
{
    r->program = p;
    r->machine = simd_tile(p->level);
    r->err = err;
    r->block = CELL_ROOM / p->n_cells / TILE_LONGEST * TILE_LONGEST;
    if (r->block > CHUNK_ELEMENTS) r->block = CHUNK_ELEMENTS;
    if (p->uses_registers) r->block = r->machine->elements;
    for (int i = 0; i < p->n_leaves; i++) r->filled_from[i] = NULL;
    for (int i = 0; i < p->n_outputs; i++) {
        r->out_size[i] = (int)dtype_size((DType)p->output_type[i]);
        r->advance[p->n_leaves + i] = (int)(r->out_size[i] * r->block);
    }
    for (int i = p->n_leaves + p->n_outputs; i < p->n_cells; i++) r->cell[i] = room_of(r, i);
}

/* ---- bringing a leaf's elements together ---- */

/* `rows` of n elements of a leaf, `next` apart, one behind the other in to. */
static void gather(const Run *r, int i, const char *from, int64_t next, int64_t rows, int64_t n,
                   double *to)
{
    const Leaf *leaf = &r->leaf[i];
    grid_copy(&(Grid){to, (DType)r->program->leaf_type[i], 1, n},
              &(Grid){(void *)(uintptr_t)from, leaf->type, leaf->step, next}, rows, n);
}

/* A number that repeats fills a cell of its own, as long as it is the same one. */
static void fill_leaf(Run *r, int i, int64_t n)
{
    if (n > r->block) n = r->block;
    if (r->filled_from[i] == r->leaf[i].data && r->filled[i] >= n) return;
    r->filled_from[i] = r->leaf[i].data;
    r->filled[i] = n;
    double *room = room_of(r, i), v;
    if (r->program->leaf_type[i] != DT_FLOAT) {
        gather(r, i, r->leaf[i].data, 0, 1, n, room);
        return;
    }
    gather(r, i, r->leaf[i].data, 0, 1, 1, &v);
    for (int64_t k = 0; k < n; k += r->machine->elements) r->machine->fill(room + k, v);
}

static bool continues(Error *err)
{
    return !err || interrupt_poll(err);
}

/* ---- what a failing step says ---- */

static void number_text(StrBuf *b, DType t, const void *at)
{
    if (t == DT_FLOAT)
        float_write(b, *(const double *)at);
    else
        strbuf_printf(b, "%lld", (long long)*(const int64_t *)at);
}

/* What a step was asked to do, as a user would write it. */
static void application_text(StrBuf *b, const TileStep *s, DType t, const void *const *x)
{
    const ElementwiseInfo *info = &elementwise_info[s->f];
    if (info->arity == 1) {
        strbuf_printf(b, "%s(", info->name);
        number_text(b, t, x[0]);
        strbuf_char(b, ')');
        return;
    }
    number_text(b, t, x[0]);
    strbuf_printf(b, " %s ", info->name);
    number_text(b, t, x[1]);
}

static void report(const Run *r, const TileStep *s, LoopStatus status, const void *const *x)
{
    DType t = (DType)r->program->leaf_type[s->operand[0]]; /* only programs of one step fail */
    if (status == LOOP_ZERO_DIVISION) {
        error_set(r->err, ERR_MATH, "Int division by zero");
        return;
    }
    StrBuf b = {0};
    if (status == LOOP_NO_INT) {
        number_text(&b, DT_FLOAT, x[0]);
        error_set(r->err, ERR_MATH, "%s does not fit an Int", strbuf_str(&b));
    } else {
        application_text(&b, s, t, x);
        error_set(r->err, ERR_MATH, "Int overflow in %s", strbuf_str(&b));
    }
    strbuf_free(&b);
}

/* The loop failed somewhere in these n elements: finds the first and says what was wrong. */
static bool fail_in(const Run *r, const TileCode *code, int64_t n)
{
    const char *x = (const char *)r->cell[code->a], *y = (const char *)r->cell[code->b];
    for (int64_t i = 0; i < n; i++, x += sizeof(double), y += sizeof(double)) {
        int64_t out;
        LoopStatus status = code->loop(x, y, NULL, &out, 1);
        if (status == LOOP_OK) continue;
        report(r, &r->program->step[code->step], status, (const void *const[]){x, y});
        return false;
    }
    return true;
}

/* ---- running ---- */

static bool run_loops(Run *r, int64_t n)
{
    for (const TileCode *code = r->program->code; code->loop; code++)
        if (code->loop(r->cell[code->a], r->cell[code->b], r->cell[code->c], r->cell[code->out],
                       n) != LOOP_OK)
            return fail_in(r, code, n);
    return true;
}

/* The elements of the last tile that are there, in cells that hold a whole one. */
static void run_rest(Run *r, int64_t n)
{
    const TileProgram *p = r->program;
    char *out[TILE_OUTPUTS];
    for (int i = 0; i < p->n_leaves; i++) {
        size_t size = dtype_size((DType)p->leaf_type[i]);
        char *room = (char *)room_of(r, i), *from = (char *)r->cell[i];
        if (r->advance[i] == 0 && from == room && !r->leaf[i].gathers) continue;
        if (from != room) memcpy(room, from, (size_t)n * size);
        for (int64_t k = n; k < r->block; k++) memcpy(room + (size_t)k * size, room, size);
        r->cell[i] = (double *)room;
    }
    for (int i = p->n_leaves; i < p->n_leaves + p->n_outputs; i++) {
        out[i - p->n_leaves] = (char *)r->cell[i];
        r->cell[i] = room_of(r, i);
    }
    r->machine->start(p->code, r->cell, 0, r->advance, 1);
    for (int i = 0; i < p->n_outputs; i++)
        memcpy(out[i], r->cell[p->n_leaves + i], (size_t)(n * r->out_size[i]));
}

/* The program on n elements from where the cells are on. */
static bool run_cells(Run *r, int64_t n)
{
    const TileProgram *p = r->program;
    if (!p->uses_registers) return run_loops(r, n);
    int64_t tiles = n / r->block;
    if (tiles) r->machine->start(p->code, r->cell, p->n_leaves + p->n_outputs, r->advance, tiles);
    if (n > tiles * r->block) run_rest(r, n - tiles * r->block);
    return true;
}

static void place_outputs(Run *r, int64_t n)
{
    const TileProgram *p = r->program;
    for (int i = 0; i < p->n_outputs; i++) {
        r->cell[p->n_leaves + i] = (double *)(void *)r->out[i];
        r->out[i] += n * r->out_size[i];
    }
}

/* Where the next n of a run's elements are, of which `done` are behind. */
static void place_leaves(Run *r, int64_t done, int64_t n)
{
    const TileProgram *p = r->program;
    for (int i = 0; i < p->n_leaves; i++) {
        const Leaf *leaf = &r->leaf[i];
        const char *from = leaf->data + done * leaf->bytes;
        r->cell[i] = leaf->gathers || !leaf->bytes ? room_of(r, i) : (double *)(uintptr_t)from;
        if (leaf->gathers)
            gather(r, i, from, 0, 1, n, r->cell[i]);
        else if (!leaf->bytes)
            fill_leaf(r, i, p->uses_registers ? r->block : n);
    }
}

/* n elements along one run. */
static bool run_run(Run *r, int64_t n)
{
    const TileProgram *p = r->program;
    bool in_blocks = r->gathers || (!p->uses_registers && (p->keeps || r->repeats));
    int64_t most = in_blocks ? r->block : POLL_ELEMENTS;
    for (int64_t done = 0; done < n; done += most) {
        int64_t len = n - done < most ? n - done : most;
        place_leaves(r, done, len);
        place_outputs(r, len);
        if (!run_cells(r, len) || !continues(r->err)) return false;
    }
    return true;
}

/* ---- many runs ---- */

static void to_offsets(Run *r, const Walk *w, Array *const *leaf)
{
    for (int i = 0; i < r->program->n_leaves; i++)
        r->leaf[i].data = (char *)leaf[i]->data + w->offset[i] * r->leaf[i].size;
}

static bool run_rows(Run *r, Walk *w, Array *const *leaf)
{
    do {
        to_offsets(r, w, leaf);
        if (!run_run(r, w->run)) return false;
    } while (walk_next(w));
    return true;
}

/* Steps over all but the last of `rows` runs along the innermost of the axes around them. */
static void skip_rows(Walk *w, int64_t rows)
{
    int last = w->rank - 1;
    w->index[last] += rows - 1;
    for (int k = 0; k < w->operands; k++) w->offset[k] += w->stride[k][last] * (rows - 1);
}

/* `rows` runs, `next` apart, one behind the other: where they are, or brought together in a leaf's cell. */
static void gather_rows(Run *r, int i, int64_t next, int64_t rows, int64_t run)
{
    const Leaf *leaf = &r->leaf[i];
    DType want = (DType)r->program->leaf_type[i];
    bool there = leaf->step == 1 && next == run && leaf->type == want;
    r->cell[i] = there ? (double *)(uintptr_t)leaf->data : room_of(r, i);
    if (!there) gather(r, i, leaf->data, next, rows, run, r->cell[i]);
}

/* Short runs: as many as fit are brought together first. */
static bool run_gathered(Run *r, Walk *w, Array *const *leaf)
{
    int last = w->rank - 1;
    for (int i = 0; i < r->program->n_leaves; i++) {
        r->leaf[i].gathers = true;
        r->advance[i] = 0;
    }
    do {
        int64_t left = w->dim[last] - w->index[last], fit = r->block / w->run;
        int64_t rows = left < fit ? left : fit;
        to_offsets(r, w, leaf);
        for (int i = 0; i < r->program->n_leaves; i++)
            gather_rows(r, i, w->stride[i][last], rows, w->run);
        place_outputs(r, rows * w->run);
        if (!run_cells(r, rows * w->run) || !continues(r->err)) return false;
        skip_rows(w, rows);
    } while (walk_next(w));
    return true;
}

/* ---- one long run, by several threads ---- */

typedef struct {
    const Run *run;
    int64_t size;
    bool polls;
    volatile bool failed; /* in some piece, or interrupted */
} Pieces;

static void run_piece(void *context, int i)
{
    Pieces *pieces = context;
    Error err = {0};
    Run r;
    if (pieces->failed) return;
    start_run(&r, pieces->run->program, pieces->polls ? &err : NULL);
    r.gathers = pieces->run->gathers;
    r.repeats = pieces->run->repeats;
    int64_t start = (int64_t)i * PIECE_ELEMENTS, left = pieces->size - start;
    for (int k = 0; k < r.program->n_leaves; k++) {
        r.leaf[k] = pieces->run->leaf[k];
        r.leaf[k].data += start * r.leaf[k].bytes;
        r.advance[k] = pieces->run->advance[k];
    }
    for (int k = 0; k < r.program->n_outputs; k++)
        r.out[k] = pieces->run->out[k] + start * r.out_size[k];
    if (!run_run(&r, left < PIECE_ELEMENTS ? left : PIECE_ELEMENTS)) pieces->failed = true;
    if (err.kind == ERR_INTERRUPT) interrupt_flag = 1; /* the caller's thread takes it */
    error_clear(&err);
}

/* After a failure all is run again from the start, so that the message is about the first element that
 * fails. */
static bool run_pieces(Run *r, int64_t size)
{
    Pieces p = {.run = r, .size = size, .polls = r->err != NULL};
    parallel_run((int)((size + PIECE_ELEMENTS - 1) / PIECE_ELEMENTS), run_piece, &p);
    return !p.failed || (continues(r->err) && run_run(r, size));
}

/* ---- all of it ---- */

static void set_leaf(Run *r, int i, const Array *a, int64_t step, int64_t run)
{
    Leaf *leaf = &r->leaf[i];
    leaf->data = a->data;
    leaf->type = (DType)a->dtype;
    leaf->size = (int)dtype_size(leaf->type);
    leaf->step = run == 1 ? 1 : step;
    leaf->bytes = leaf->step * leaf->size;
    leaf->gathers = leaf->step != 0 && (leaf->step != 1 || a->dtype != r->program->leaf_type[i]);
    r->advance[i] = leaf->gathers ? 0 : (int)(leaf->bytes * r->block);
    r->gathers |= leaf->gathers;
    r->repeats |= leaf->step == 0;
}

/* Whether all leaves are one run: contiguous and of the result's shape, or a number. */
static bool is_one_run(Run *r, Array *const *leaf, const Shape *shape, int64_t size)
{
    for (int i = 0; i < r->program->n_leaves; i++) {
        const Array *a = leaf[i];
        if (a->size != 1 && !(a->contiguous && array_has_shape(a, shape))) return false;
        set_leaf(r, i, a, a->size != 1, size);
    }
    return true;
}

static bool run_walk(Run *r, Array *const *leaf, const Shape *shape)
{
    int64_t stride[TILE_LEAVES][MAX_RANK];
    const int64_t *strides[TILE_LEAVES];
    int n = r->program->n_leaves;
    for (int i = 0; i < n; i++) {
        walk_broadcast(leaf[i], shape, stride[i]);
        strides[i] = stride[i];
    }
    Walk w;
    if (!walk_start(&w, shape->rank, shape->dim, n, strides)) return true;
    r->gathers = r->repeats = false;
    for (int i = 0; i < n; i++) set_leaf(r, i, leaf[i], w.step[i], w.run);
    return w.rank == 0 || w.run >= SHORT_ROWS ? run_rows(r, &w, leaf) : run_gathered(r, &w, leaf);
}

static __attribute__((noinline)) bool run_all(const TileProgram *p, Array *const *leaf,
                                              const Shape *shape, Array *const *out, Error *err)
{
    Run r;
    int64_t size = out[0]->size;
    start_run(&r, p, err);
    r.gathers = r.repeats = false;
    for (int i = 0; i < p->n_outputs; i++) r.out[i] = out[i]->data;
    if (!is_one_run(&r, leaf, shape, size)) return run_walk(&r, leaf, shape);
    bool is_long = size >= 2 * PIECE_ELEMENTS && size / PIECE_ELEMENTS < INT32_MAX;
    return is_long && parallel_threads() > 1 ? run_pieces(&r, size) : run_run(&r, size);
}

bool tile_run(const TileProgram *p, Array *const *leaf, const Shape *shape, Array *const *out,
              Error *err)
{
    return out[0]->size == 0 || tile_run_few(p, leaf, shape, out) ||
           run_all(p, leaf, shape, out, err);
}

/* Rules of elementwise operations on large or very small plain arrays, and of fused expressions of
 * large ones, in one pass: the rules' own steps as a tile program (fused_gradient.h). The bits are
 * those of the rules, because a pass adds to the cotangents that are there already in the order in
 * which they would. */
#include "ad/fused_gradient.h"
#include "ad/rules.h"

typedef struct {
    Rule *rule;
    int n;                  /* leaves */
    unsigned wanted, added; /* bit i: leaf i */
    /* What the pass reads. */
    Array *leaf[TILE_LEAVES], scratch[TILE_LEAVES];
    Value number[TILE_LEAVES];
    int n_read;
} Pass;

static Value *place_of(const Pass *p, int i)
{
    return &p->rule->level->cotangent[p->rule->parent[i]];
}

/* Which leaves are wanted, and which of their cotangents have the result's shape and are added to
 * in the pass. False where what is there can't be part of one. */
static bool choose_leaves(Pass *p)
{
    Rule *r = p->rule;
    p->wanted = p->added = 0;
    for (int i = 0; i < p->n; i++) {
        if (!wants(r, i)) continue;
        p->wanted |= 1u << i;
        Value there = *place_of(p, i);
        if (!value_is_set(there) || !value_has_shape(there, r->out_shape)) continue;
        if (there.kind != VAL_ARR || there.level || there.arr->dtype != DT_FLOAT) return false;
        p->added |= 1u << i;
    }
    return true;
}

/* x * x: one leaf, whose two contributions are added one after the other. */
static int count_leaves(const Rule *r)
{
    bool is_one = r->n == 2 && wants(r, X) && wants(r, Y) && r->parent[X] == r->parent[Y];
    return r->op == OP_FUSED || !is_one ? r->n : 1;
}

static const FusedGradient *find_gradient(const Pass *p)
{
    const Rule *r = p->rule;
    if (r->op == OP_FUSED) return fused_gradient(r->ad, r->attr->program, p->wanted, p->added);
    return operation_gradient(r->ad, (Elementwise)op_rows[r->op].detail, p->n, p->wanted, p->added);
}

/* ---- what is read ---- */

static bool read_value(Pass *p, const FusedGradient *f, bool is_there, Value v)
{
    int at = p->n_read++;
    if (!f->program.reads[at])
        v = value_float(0.0); /* something that fits everywhere */
    else if (!is_there || v.level)
        return false;
    p->number[at] = v;
    p->leaf[at] = value_operand(&p->number[at], &p->scratch[at]);
    return true;
}

static bool read_leaf(Pass *p, const FusedGradient *f, int i)
{
    const Rule *r = p->rule;
    if (r->op == OP_FUSED) return read_value(p, f, true, r->record->inputs[i]);
    static const uint8_t bit[] = {SAVE_X, SAVE_Y};
    int which = i == 0 && p->n == 1 && r->n == 2 && !(r->record->saves & SAVE_X) ? Y : i;
    return read_value(p, f, r->record->saves & bit[which], r->saved[which]);
}

static bool read_all(Pass *p, const FusedGradient *f)
{
    const Rule *r = p->rule;
    p->n_read = 0;
    for (int i = 0; i < p->n; i++)
        if (!read_leaf(p, f, i)) return false;
    if (!read_value(p, f, true, r->cotangent) ||
        !read_value(p, f, r->record->saves & SAVE_OUT, r->saved[3]))
        return false;
    for (int i = 0; i < p->n; i++)
        if ((p->added >> i & 1) && !read_value(p, f, true, *place_of(p, i))) return false;
    for (int i = 0; i < f->n_constants; i++)
        if (!read_value(p, f, true, value_float(f->constant[i]))) return false;
    return true;
}

/* For a few elements: arrays of the result's shape, or one number for all. */
static bool has_plain_layout(const Pass *p, TileLeaf *leaf)
{
    for (int i = 0; i < p->n_read; i++) {
        const Array *a = p->leaf[i];
        bool repeats = a->size == 1 || array_repeats_one(a);
        if (a->dtype != DT_FLOAT) return false;
        if (!repeats && !(a->contiguous && array_has_shape(a, p->rule->out_shape))) return false;
        leaf[i] = (TileLeaf){a->data, repeats};
    }
    return true;
}

/* ---- what is given ---- */

static bool in_place(const Pass *p, int i)
{
    if (!(p->added >> i & 1)) return false;
    const Array *there = place_of(p, i)->arr;
    return there->contiguous && array_is_unique(there);
}

/* The array that a leaf's cotangent is written into, retained: the one that is there, if nobody
 * else sees it. */
static Array *output_for(const Pass *p, int i)
{
    if (in_place(p, i)) return array_retain(place_of(p, i)->arr);
    return array_new(DT_FLOAT, p->rule->out_shape, p->rule->ad->err);
}

static void hand_over(Pass *p, int i, Array *out)
{
    if (!(p->added >> i & 1)) {
        give(p->rule, i, keep_take(p->rule, value_arr(out)));
        return;
    }
    value_release(*place_of(p, i));
    *place_of(p, i) = value_arr(out);
}

/* Outputs for the wanted leaves; false when memory is short. */
static bool make_outputs(const Pass *p, Array **out, int *n)
{
    *n = 0;
    for (int i = 0; i < p->n; i++) {
        if (!(p->wanted >> i & 1)) continue;
        if (!(out[*n] = output_for(p, i))) return false;
        ++*n;
    }
    return true;
}

static bool writes_in_place(const Pass *p)
{
    for (int i = 0; i < p->n; i++)
        if (in_place(p, i)) return true;
    return false;
}

static bool compute(const Pass *p, const FusedGradient *f, const TileLeaf *few, Array *const *out)
{
    if (few) {
        double *to[TILE_OUTPUTS];
        for (int i = 0; i < f->program.n_outputs; i++) to[i] = array_floats(out[i]);
        tile_run_few(&f->program, few, to, out[0]->size);
        return true;
    }
    /* What is there must not be left half added to by an interrupt. */
    Error *err = writes_in_place(p) ? NULL : p->rule->ad->err;
    return fused_pass(&f->program, p->leaf, p->rule->out_shape, out, err);
}

static void run(Pass *p, const FusedGradient *f, const TileLeaf *few)
{
    Array *out[TILE_OUTPUTS];
    int n;
    bool ok = make_outputs(p, out, &n) && compute(p, f, few, out);
    for (int i = 0; !ok && i < n; i++) array_release(out[i]);
    p->rule->failed |= !ok;
    n = 0;
    for (int i = 0; ok && i < p->n; i++)
        if (p->wanted >> i & 1) hand_over(p, i, out[n++]);
}

/* One step that hands its operands on to a single output is quicker done by the rule, unless there
 * is something to spread out. */
static bool pays(const Rule *r, const FusedGradient *f, bool is_small)
{
    if (r->op == OP_FUSED) return !is_small;
    if (f->passes_through || (is_small && !f->is_arithmetic)) return false;
    return f->program.n_steps > 1 || (!is_small && !r->cotangent.arr->contiguous);
}

static bool run_small(Pass *p, const FusedGradient *f)
{
    TileLeaf leaf[TILE_LEAVES];
    if (!has_plain_layout(p, leaf)) return false;
    run(p, f, leaf);
    return true;
}

static bool run_large(Pass *p, const FusedGradient *f)
{
    if (!fused_lies(p->leaf, p->n_read, p->rule->out_shape)) return false;
    run(p, f, NULL);
    return true;
}

bool rule_run_tiled(Rule *r)
{
    Value g = r->cotangent;
    if (g.kind != VAL_ARR || g.level || !r->record || r->ad->trace ||
        (r->op != OP_FUSED && op_rows[r->op].kernel != op_rows[OP_ADD].kernel))
        return false;
    bool is_small = g.arr->size <= TILE_FEW && g.arr->size > 0;
    if (!is_small && g.arr->size < FUSED_LARGE) return false;
    Pass p;
    p.rule = r;
    p.n = count_leaves(r);
    if (!choose_leaves(&p)) return false;
    const FusedGradient *f = find_gradient(&p);
    if (f && pays(r, f, is_small) && read_all(&p, f) &&
        (is_small ? run_small(&p, f) : run_large(&p, f)))
        return true;
    r->failed |= error_is_set(r->ad->err);
    return r->failed;
}

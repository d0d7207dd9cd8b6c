/* Rules of elementwise operations on large or very small plain arrays: their own steps as a tile program
 * (elementwise_gradient.h). The bits are those of the rules, because the program adds to the cotangents
 * that are there already in the order in which they would. */
#include "ad/elementwise_gradient.h"
#include "ad/rule.h"
#include "array/elementwise/limits.h"

typedef struct {
    Rule *rule;
    TileProgram *of;        /* what is differentiated */
    unsigned wanted, added; /* bit i: leaf i */
    /* What is read. */
    Array *leaf[TILE_LEAVES], scratch[TILE_LEAVES];
    Value number[TILE_LEAVES];
    int n_read;
} Pass;

static Value *place_of(const Pass *p, int i)
{
    return &p->rule->level->cotangent[p->rule->parent[i]];
}

/* x * x: one leaf, whose two contributions are added one after the other. */
static TileProgram *program_of(const Rule *r)
{
    if (r->attr && r->attr->program) return r->attr->program;
    bool is_one = r->n == 2 && wants(r, X) && wants(r, Y) && r->parent[X] == r->parent[Y];
    return tile_program((Elementwise)op_rows[r->op].detail, DT_FLOAT, is_one);
}

/* Whether an earlier leaf is wanted for the same node: the one would be written over the other. */
static bool is_wanted_before(const Rule *r, int leaf)
{
    for (int i = 0; i < leaf; i++)
        if (wants(r, i) && r->parent[i] == r->parent[leaf]) return true;
    return false;
}

/* Which leaves are wanted, and which of their cotangents have the result's shape and are added to in
 * the pass. False where what is there can't be part of one. */
static bool choose_leaves(Pass *p)
{
    Rule *r = p->rule;
    p->wanted = p->added = 0;
    for (int i = 0; i < p->of->n_leaves; i++) {
        if (!wants(r, i)) continue;
        if (is_wanted_before(r, i)) return false;
        p->wanted |= 1u << i;
        Value there = *place_of(p, i);
        if (!value_is_set(there) || !value_has_shape(there, r->out_shape)) continue;
        if (there.kind != VAL_ARR || there.level || there.arr->dtype != DT_FLOAT) return false;
        p->added |= 1u << i;
    }
    return true;
}

/* ---- what is read ---- */

static bool read_value(Pass *p, const ElementwiseGradient *g, bool is_there, Value v)
{
    int at = p->n_read++;
    if (!g->program->reads[at])
        v = g->program->leaf_type[at] == DT_BOOL ? value_bool(false)
                                                 : value_float(0.0); /* fits everywhere */
    else if (!is_there || v.level)
        return false;
    p->number[at] = v;
    p->leaf[at] = value_operand(&p->number[at], &p->scratch[at]);
    return true;
}

static bool read_all(Pass *p, const ElementwiseGradient *g)
{
    const Rule *r = p->rule;
    unsigned saves = r->record->saves;
    p->n_read = 0;
    for (int i = 0; i < p->of->n_leaves; i++) {
        /* Of the one leaf of x * x, either may have been saved. */
        int which = r->n == 2 && p->of->n_leaves == 1 && !(saves & SAVE_X) ? Y : i;
        if (!read_value(p, g, saves & save_input(which), r->saved[which])) return false;
    }
    if (!read_value(p, g, true, r->g) || !read_value(p, g, saves & SAVE_OUT, r->out)) return false;
    for (int i = 0; i < p->of->n_leaves; i++)
        if ((p->added >> i & 1) && !read_value(p, g, true, *place_of(p, i))) return false;
    for (int i = 0; i < g->n_constants; i++)
        if (!read_value(p, g, true, value_float(g->constant[i]))) return false;
    return true;
}

/* ---- what is given ---- */

/* Whether output i is the result's cotangent as it stands, which then is handed on. */
static bool passes_cotangent(const Pass *p, const ElementwiseGradient *g, int i)
{
    const Array *cotangent = p->leaf[p->of->n_leaves];
    return g->program->output[i] == p->of->n_leaves && cotangent->contiguous &&
           array_has_shape(cotangent, p->rule->out_shape);
}

/* The arrays that the wanted leaves' cotangents are written into, retained: those that are there, if nobody
 * else sees them. False when memory is short. */
static bool make_outputs(const Pass *p, const ElementwiseGradient *g, Array **out, int *n)
{
    *n = 0;
    for (int i = 0; i < p->of->n_leaves; i++) {
        if (!(p->wanted >> i & 1)) continue;
        bool here = (p->added >> i & 1) && cotangent_is_own(*place_of(p, i));
        bool passes = !(p->added >> i & 1) && passes_cotangent(p, g, *n);
        Array *a = here     ? array_retain(place_of(p, i)->arr)
                   : passes ? array_retain(p->rule->g.arr)
                            : array_new(DT_FLOAT, p->rule->out_shape, p->rule->ad->err);
        if (!a) return false;
        out[(*n)++] = a;
    }
    return true;
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

static void run(Pass *p, const ElementwiseGradient *g)
{
    Array *out[TILE_OUTPUTS];
    int n;
    bool ok = make_outputs(p, g, out, &n);
    /* Cotangents that are half added to are dropped with the derivative that was interrupted. */
    ok = ok && tile_run(g->program, p->leaf, p->rule->out_shape, out, p->rule->ad->err);
    for (int i = 0; !ok && i < n; i++) array_release(out[i]);
    p->rule->failed |= !ok;
    n = 0;
    for (int i = 0; ok && i < p->of->n_leaves; i++)
        if (p->wanted >> i & 1) hand_over(p, i, out[n++]);
}

/* One step that hands its operands on to a single output is quicker done by the rule, unless there is
 * something to spread out. */
static bool pays(const Pass *p, const ElementwiseGradient *g, bool is_few)
{
    if (p->of->n_steps > 1) return true;
    if (g->passes_through) return false;
    return g->program->n_steps > 1 || (!is_few && !p->rule->g.arr->contiguous);
}

bool rule_run_tiled(Rule *r)
{
    Value v = r->g;
    if (v.kind != VAL_ARR || v.level || !r->record || r->ad->trace || !op_is_elementwise(r->op))
        return false;
    bool is_few = v.arr->size <= FEW_STEPWISE && v.arr->size > 0;
    if (!is_few && v.arr->size < FUSED_ELEMENTS) return false;
    Pass p;
    p.rule = r;
    p.of = program_of(r);
    if (!choose_leaves(&p)) return false;
    const ElementwiseGradient *g = elementwise_gradient(r->ad, p.of, p.wanted, p.added);
    if (g && pays(&p, g, is_few) && read_all(&p, g)) {
        run(&p, g);
        return true;
    }
    r->failed |= error_is_set(r->ad->err);
    return r->failed;
}

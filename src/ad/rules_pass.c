/* Rules of elementwise operations on large plain arrays, and of fused expressions of them, in one
 * pass: the rules' own steps as a tile program (fused_gradient.h). The bits are those of the rules,
 * because a pass adds to the cotangents that are there already in the order in which they would. */
#include "ad/fused_gradient.h"
#include "ad/rules.h"
#include "array/elementwise.h"

enum { LARGE = 2048 };

typedef struct {
    Rule *rule;
    FusedProgram program; /* the operation or expression, over n leaves */
    int n;
    unsigned wanted, added; /* bit i: leaf i */
    /* What the pass reads. */
    Array *leaf[TILE_LEAVES], scratch[TILE_LEAVES];
    Value number[TILE_LEAVES];
    double constant[TILE_LEAVES];
    int n_read;
} Pass;

static Value *place_of(const Pass *p, int i)
{
    return &p->rule->level->cotangent[p->rule->parent[i]];
}

static bool has_shape(Value v, const Shape *s)
{
    Shape own = value_shape(v);
    return shape_equal(&own, s);
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
        if (!value_is_set(there) || !has_shape(there, r->out_shape)) continue;
        if (there.kind != VAL_ARR || there.level || there.arr->dtype != DT_FLOAT) return false;
        p->added |= 1u << i;
    }
    return true;
}

static bool choose_program(Pass *p)
{
    Rule *r = p->rule;
    p->n = r->n;
    if (r->op == OP_FUSED) {
        p->program = *r->attr->program;
        return true;
    }
    if (op_rows[r->op].kernel != op_rows[OP_ADD].kernel) return false;
    /* x * x: one leaf, whose two contributions are added one after the other. */
    if (r->n == 2 && wants(r, X) && wants(r, Y) && r->parent[X] == r->parent[Y]) p->n = 1;
    uint8_t f = (uint8_t)op_rows[r->op].detail, second = (uint8_t)(p->n - 1);
    p->program = (FusedProgram){p->n, 1, {{f, {0, second, 0}}}};
    return true;
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
    return fused_lies(p->leaf, p->n_read, r->out_shape);
}

/* ---- what is given ---- */

static bool is_own(Value v)
{
    return v.arr->contiguous && v.arr->head.refs == 1 && v.arr->buffer->n_viewers == 1;
}

/* The array that a leaf's cotangent is written into, retained: the one that is there, if nobody
 * else sees it. */
static Array *output_for(Pass *p, int i)
{
    Value there = *place_of(p, i);
    if ((p->added >> i & 1) && is_own(there)) return array_retain(there.arr);
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

static void run(Pass *p, const FusedGradient *f)
{
    Array *out[TILE_OUTPUTS];
    int n = 0, made = 0;
    bool in_place = false;
    for (int i = 0; i < p->n; i++) {
        if (!(p->wanted >> i & 1)) continue;
        in_place |= (p->added >> i & 1) && is_own(*place_of(p, i));
        if (!(out[n++] = output_for(p, i))) break;
        made++;
    }
    /* What is there must not be left half added to. */
    Error *err = in_place ? NULL : p->rule->ad->err;
    bool ok = made == n && fused_pass(&f->program, p->leaf, p->rule->out_shape, out, err);
    n = 0;
    for (int i = 0; ok && i < p->n; i++)
        if (p->wanted >> i & 1) hand_over(p, i, out[n++]);
    for (int i = 0; !ok && i < made; i++) array_release(out[i]);
    if (!ok) p->rule->failed = true;
}

/* One step that hands its operands on to a single output is quicker done by the rule, unless there
 * is something to add to or to spread out. */
static bool pays(const Pass *p, const FusedGradient *f)
{
    if (p->rule->op == OP_FUSED) return true;
    if (f->hands_on) return false;
    return f->program.n_steps > 1 || !p->rule->cotangent.arr->contiguous;
}

bool rule_pass(Rule *r)
{
    Pass p;
    p.rule = r;
    Value g = r->cotangent;
    if (g.kind != VAL_ARR || g.level || g.arr->size < LARGE || !r->record || r->ad->trace ||
        !choose_program(&p) || !choose_leaves(&p))
        return false;
    const FusedGradient *f = fused_gradient(r->ad, &p.program, p.wanted, p.added);
    if (f && pays(&p, f) && read_all(&p, f)) {
        run(&p, f);
        return true;
    }
    r->failed |= error_is_set(r->ad->err);
    return r->failed;
}

/* Structures of inputs, gradients and tangents. */
#include "value/structure.h"

#include "ad/forward.h"
#include "ad/rule.h"
#include "ad/tape.h"

/* ---- reverse ---- */

static bool track_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    (void)n;
    *out = value_retain(leaf[0]);
    if (!value_is_float(leaf[0])) return true;
    Level *level = ad->level[ad->depth];
    uint32_t number;
    Node *node = tape_push(level, &number, ad->err);
    if (!node) {
        value_clear(out);
        return false;
    }
    node->form = FORM_LEAF;
    node->primal_level = leaf[0].level;
    node->primal_node = leaf[0].node;
    node->record = record_new(level, 0, 0, leaf[0]);
    level->n_leaves = level->len;
    tape_stamp(out, ad->depth, number);
    return true;
}

bool ad_track(Ad *ad, Value v, Value *tracked)
{
    return structure_map(&v, 1, false, track_leaf, ad, tracked, ad->err);
}

static bool zeros_like(Ad *ad, Value v, Value *out)
{
    Shape s = value_shape(v);
    *out = v.kind == VAL_FLOAT ? value_float(0.0)
                               : value_from_array_take(array_zeros(DT_FLOAT, &s, ad->err));
    return value_is_set(*out);
}

static bool gradient_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    Level *level = ad->level[ad->depth];
    (void)n;
    *out = value_none();
    if (!value_is_float(leaf[0])) return true;
    Value *cotangent = &level->cotangent[leaf[0].node];
    if (!value_is_set(*cotangent)) return zeros_like(ad, leaf[0], out);
    *out = value_retain(*cotangent);
    return true;
}

bool ad_gradient(Ad *ad, Value tracked, Value *gradient)
{
    return structure_map(&tracked, 1, false, gradient_leaf, ad, gradient, ad->err);
}

/* ---- forward ---- */

bool ad_fits(Ad *ad, const char *what, Value given, const char *where, Value wanted)
{
    Shape want = value_shape(wanted),
          have = value_is_numeric(given) ? value_shape(given) : (Shape){.rank = -1};
    if (shape_equal(&want, &have)) return true;
    StrBuf a = {0}, b = {0};
    value_describe(&a, given);
    value_describe(&b, wanted);
    error_set(ad->err, ERR_SHAPE, "the %s must be shaped like the %s, %s, but is %s", what, where,
              strbuf_str(&b), strbuf_str(&a));
    strbuf_free(&a);
    strbuf_free(&b);
    return false;
}

static bool track_tangent_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    (void)n;
    *out = value_retain(leaf[0]);
    if (!value_is_float(leaf[0]) || leaf[1].kind == VAL_NONE) return true;
    Value tangent;
    if (ad_fits(ad, "tangent", leaf[1], "argument", leaf[0]) &&
        op_to_float(ad, leaf[1], &tangent) && forward_stamp_take(ad, ad->depth, out, tangent))
        return true;
    value_clear(out);
    return false;
}

bool ad_track_tangent(Ad *ad, Value v, Value dv, Value *tracked)
{
    Value in[2] = {v, dv};
    return structure_map(in, 2, false, track_tangent_leaf, ad, tracked, ad->err);
}

static bool tangent_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    (void)n;
    *out = value_none();
    if (!value_is_float(leaf[0])) return true;
    if (leaf[0].level != ad->depth) return zeros_like(ad, leaf[0], out);
    *out = value_retain(ad->level[ad->depth]->node[leaf[0].node].tangent);
    return true;
}

bool ad_tangent(Ad *ad, Value result, Value *tangent)
{
    return structure_map(&result, 1, false, tangent_leaf, ad, tangent, ad->err);
}

static bool peel_leaf(void *context, const Value *leaf, int n, Value *out)
{
    (void)n;
    *out = value_retain(ad_peel(context, leaf[0]));
    return true;
}

bool ad_peel_structure(Ad *ad, Value v, Value *out)
{
    return structure_map(&v, 1, false, peel_leaf, ad, out, ad->err);
}

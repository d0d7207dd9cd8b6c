/* Structures of inputs, gradients and tangents. */
#include "value/structure.h"

#include "ad/tape.h"

typedef struct {
    Ad *ad;
    int depth;
    bool keeps_others;
    FloatLeaf *f;
} Walk;

static bool walk_leaf(void *context, const Value *leaf, int n, Value *out)
{
    const Walk *w = context;
    (void)n;
    *out = w->keeps_others ? value_retain(leaf[0]) : value_none();
    if (!value_is_float(leaf[0]) || w->f(w->ad, w->depth, leaf, out)) return true;
    value_clear(out);
    return false;
}

bool map_floats(Ad *ad, int depth, const Value *in, int n, bool keeps_others, FloatLeaf *f,
                Value *out)
{
    Walk w = {ad, depth, keeps_others, f};
    return structure_map(in, n, false, walk_leaf, &w, out, ad->err);
}

bool zeros_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    Shape s = value_shape(leaf[0]);
    (void)depth;
    *out = value_from_array_take(array_zeros(DT_FLOAT, &s, ad->err));
    return value_is_set(*out);
}

bool peel_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    *out = tape_peel(ad->level[depth], depth, leaf[0]);
    return true;
}

bool ad_peel_structure(Ad *ad, Value v, Value *out)
{
    return map_floats(ad, ad->depth, &v, 1, true, peel_leaf, out);
}

/* ---- reverse ---- */

static bool push_leaf(Ad *ad, int depth, NodeForm form, Value *out)
{
    Node *node = tape_record(ad, depth, form, OP_COUNT, out);
    if (node) node->record = record_new(ad->level[depth], 0, 0, *out);
    return node != NULL;
}

bool output_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    (void)leaf;
    return push_leaf(ad, depth, FORM_OUTPUT, out);
}

static bool track_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    (void)leaf;
    if (!push_leaf(ad, depth, FORM_LEAF, out)) return false;
    ad->level[depth]->n_leaves = ad->level[depth]->len;
    return true;
}

bool ad_track(Ad *ad, Value v, Value *tracked)
{
    return map_floats(ad, ad->depth, &v, 1, true, track_leaf, tracked);
}

static bool gradient_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    Value cotangent = ad->level[depth]->cotangent[leaf[0].node];
    if (!value_is_set(cotangent)) return zeros_leaf(ad, depth, leaf, out);
    *out = value_retain(cotangent);
    return true;
}

bool ad_gradient(Ad *ad, Value tracked, Value *gradient)
{
    return map_floats(ad, ad->depth, &tracked, 1, false, gradient_leaf, gradient);
}

/* ---- forward ---- */

bool ad_fits(Ad *ad, const char *what, Value given, const char *where, Value wanted)
{
    Shape want = value_shape(wanted);
    if (value_is_numeric(given) && value_has_shape(given, &want)) return true;
    StrBuf a = {0}, b = {0};
    value_describe(&a, given);
    value_describe(&b, wanted);
    error_set(ad->err, ERR_SHAPE, "the %s must be shaped like the %s, %s, but is %s", what, where,
              strbuf_str(&b), strbuf_str(&a));
    strbuf_free(&a);
    strbuf_free(&b);
    return false;
}

bool track_tangent_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    Value tangent;
    return leaf[1].kind == VAL_NONE ||
           (ad_fits(ad, "tangent", leaf[1], "argument", leaf[0]) &&
            op_to_float(ad, leaf[1], &tangent) && forward_stamp_take(ad, depth, out, tangent));
}

bool ad_track_tangent(Ad *ad, Value v, Value dv, Value *tracked)
{
    Value in[2] = {v, dv};
    return map_floats(ad, ad->depth, in, 2, true, track_tangent_leaf, tracked);
}

bool tangent_leaf(Ad *ad, int depth, const Value *leaf, Value *out)
{
    if (leaf[0].level != depth) return zeros_leaf(ad, depth, leaf, out);
    *out = value_retain(ad->level[depth]->node[leaf[0].node].tangent);
    return true;
}

bool ad_tangent(Ad *ad, Value result, Value *tangent)
{
    return map_floats(ad, ad->depth, &result, 1, false, tangent_leaf, tangent);
}

/* Updates (x[…] = v, x[…] += v) and single elements: what has to work in place, and at the cost of
 * what is touched. */
#include "ad/tape.h"
#include "ad/watch.h"

static int higher_level(Value a, Value b)
{
    return a.level > b.level ? a.level : b.level;
}

/* ---- regions ---- */

static bool update(Ad *ad, OpCode op, Value *target, const Selection *selection, Value v)
{
    int depth = higher_level(*target, v);
    if (depth == 0) return op_eval_update(op, target, selection, v, ad->err);
    Level *level = ad->level[depth];
    if (level->is_forward) return forward_update(ad, depth, op, target, selection, v);
    Value in[2] = {*target, v};
    Value low[2] = {tape_peel(level, depth, in[0]), tape_peel(level, depth, in[1])};
    if (!update(ad, op, &low[0], selection, low[1])) return false;
    *target = low[0];
    OpAttr attr = {.selection = (Selection *)(uintptr_t)selection};
    return reverse_record(ad, depth, op, in, low, 2, &attr, target);
}

bool op_update(Ad *ad, OpCode op, Value *target, const Selection *selection, Value v)
{
    if (!ad->watch) return update(ad, op, target, selection, v);
    Value in[2] = {*target, v};
    WatchedOp o = watch_begin(ad, op, in, 2);
    bool ok = update(ad, op, target, selection, v);
    watch_end(ad, &o);
    return ok;
}

/* ---- single elements ---- */

static Value plain_element(const Array *a, int64_t offset)
{
    int64_t at = a->contiguous ? offset : array_offset(a, offset);
    if (a->dtype == DT_FLOAT) return value_float(array_floats(a)[at]);
    if (a->dtype == DT_INT) return value_int(array_ints(a)[at]);
    return value_bool(array_bools(a)[at]);
}

static bool element(Ad *ad, Value v, int64_t offset, Value *out)
{
    int depth = v.level;
    if (depth == 0) {
        *out = plain_element(v.arr, offset);
        return true;
    }
    Level *level = ad->level[depth];
    if (level->is_forward) return forward_element(ad, depth, v, offset, out);
    if (!element(ad, tape_peel(level, depth, v), offset, out)) return false;
    Node *node = tape_record(ad, depth, FORM_ELEMENT, OP_INDEX, out);
    if (!node) return false;
    node->element.array = v.node;
    node->element.offset = offset;
    return true;
}

bool op_element(Ad *ad, Value v, int64_t offset, Value *out)
{
    if (ad->watch) watch_count(ad, OP_INDEX, v.level > 0);
    return element(ad, v, offset, out);
}

static Selection *element_selection(const Shape *s, int64_t offset, Error *err)
{
    IndexTerm term[MAX_RANK] = {0};
    for (int axis = s->rank - 1; axis >= 0; axis--) {
        term[axis].kind = INDEX_AT;
        term[axis].start = offset % s->dim[axis];
        offset /= s->dim[axis];
    }
    return selection_new(s, term, s->rank, err);
}

static bool update_by_selection(Ad *ad, OpCode op, Value *target, int64_t offset, Value v)
{
    Shape s = value_shape(*target);
    Selection *selection = element_selection(&s, offset, ad->err);
    if (!selection) return false;
    bool ok = update(ad, op, target, selection, v);
    selection_release(selection);
    return ok;
}

static bool update_plain_element(Ad *ad, OpCode op, Value *target, int64_t offset, Value v)
{
    Array *a = target->arr;
    if (a->dtype != DT_FLOAT || v.kind != VAL_FLOAT)
        return update_by_selection(ad, op, target, offset, v);
    if (!array_unshare(&target->arr, ad->err)) return false;
    a = target->arr;
    double *place = &array_floats(a)[a->contiguous ? offset : array_offset(a, offset)];
    *place = op == OP_SET_INDEX ? v.f : *place + v.f;
    return true;
}

static bool record_element(Ad *ad, int depth, OpCode op, Value old, Value v, int64_t offset,
                           Value *target)
{
    Node *node = tape_record(ad, depth, FORM_UPDATE_ELEMENT, op, target);
    if (!node) return false;
    const Node *parent = &ad->level[depth]->node[old.node];
    bool is_element = parent->form == FORM_UPDATE_ELEMENT;
    node->element.array = old.node;
    node->element.value = tape_parent(v, depth);
    node->element.offset = offset;
    node->element.shape_of = is_element ? parent->element.shape_of : old.node;
    return true;
}

static bool update_element(Ad *ad, OpCode op, Value *target, int64_t offset, Value v)
{
    Value old = *target;
    int depth = higher_level(old, v);
    if (depth == 0) return update_plain_element(ad, op, target, offset, v);
    /* The first write into a constant array needs a record for its shape; forward levels have no
     * nodes to save. */
    if (old.level != depth || ad->level[depth]->is_forward)
        return update_by_selection(ad, op, target, offset, v);
    Value low = tape_peel(ad->level[depth], depth, old);
    if (!update_element(ad, op, &low, offset, tape_peel(ad->level[depth], depth, v))) return false;
    *target = low;
    return record_element(ad, depth, op, old, v, offset, target);
}

bool op_update_element(Ad *ad, OpCode op, Value *target, int64_t offset, Value v)
{
    if (!ad->watch) return update_element(ad, op, target, offset, v);
    watch_count(ad, op, higher_level(*target, v) > 0);
    ad->watch->busy++;
    bool ok = update_element(ad, op, target, offset, v);
    ad->watch->busy--;
    return ok;
}

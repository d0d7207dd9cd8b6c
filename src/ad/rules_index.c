/* Reads and writes of regions: in place, and at the cost of the region, in both directions. */
#include "ad/rule.h"

/* out = x[s]: g is added into that region of x's cotangent. */
void reverse_index(Rule *r)
{
    Value *place = cotangent_begin(r->ad, r->level, r->parent[X]);
    r->failed = !place || !op_update(r->ad, OP_ADD_INDEX, place, r->attr->selection, r->g);
}

/* y gets its region of the cotangent; of repeated positions only the last write counts. */
static void give_region(Rule *r)
{
    Value v = indexed(r, r->g, r->attr->selection);
    if (r->op == OP_SET_INDEX && r->attr->selection->is_gather && !r->failed) {
        Array *winners = selection_winners(r->attr->selection, r->ad->err);
        if (winners)
            v = select_where(r, keep_take(r, value_arr(winners)), v, num(0));
        else if (error_is_set(r->ad->err))
            r->failed = true;
    }
    give(r, Y, v);
}

/* out = x with x[s] = y or x[s] += y: x gets the result's cotangent itself, which has no other
 * owner, with that region zeroed where it was replaced. */
void reverse_update(Rule *r)
{
    if (wants(r, Y)) give_region(r);
    if (r->failed || !wants(r, X)) return;
    if (r->op == OP_SET_INDEX)
        r->failed = !op_update(r->ad, OP_SET_INDEX, &r->g, r->attr->selection, num(0));
    if (r->failed) return;
    Value cotangent = r->g;
    r->g = (Value){0};
    r->failed = !cotangent_add_take(r->ad, &r->level->cotangent[r->parent[X]], cotangent);
}

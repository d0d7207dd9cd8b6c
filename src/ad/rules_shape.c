/* Shape operations: their rules put elements back where they came from. */
#include "ad/rule.h"

void reverse_reshape(Rule *r)
{
    Shape s = in_shape(r, X);
    give(r, X, reshape_to(r, r->g, &s));
}

/* The inverse permutation. */
void reverse_transpose(Rule *r)
{
    int rank = r->out_shape->rank;
    OpAttr back = {.shape.rank = rank};
    for (int i = 0; i < rank; i++) back.shape.dim[r->attr->shape.dim[i]] = i;
    Value v = r->g;
    give(r, X, apply_attr(r, OP_TRANSPOSE, &v, 1, &back));
}

void reverse_concat(Rule *r)
{
    int64_t start = 0;
    for (int i = 0; i < r->n; i++) {
        int64_t stop = start + r->record->sizes[i];
        if (wants(r, i)) give(r, i, sliced(r, r->g, r->attr->axis, start, stop));
        start = stop;
    }
}

void reverse_stack(Rule *r)
{
    Shape s = value_shape(r->g);
    for (int i = 0; i < r->n && !r->failed; i++) {
        if (!wants(r, i)) continue;
        IndexTerm at = {.kind = INDEX_AT, .start = i};
        Selection *selection = selection_new(&s, &at, 1, r->ad->err);
        if (!selection) {
            r->failed = true;
            return;
        }
        give(r, i, indexed(r, r->g, selection));
        selection_release(selection);
    }
}

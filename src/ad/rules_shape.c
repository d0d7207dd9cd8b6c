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
    for (int i = 0; i < r->n; i++) {
        IndexTerm at = {.kind = INDEX_AT, .start = i};
        if (wants(r, i)) give(r, i, indexed_along(r, r->g, 0, at));
    }
}

#include "array/walk.h"

static bool joins(const Walk *w, int last, int64_t dim, const int64_t *const *stride, int axis)
{
    for (int o = 0; o < w->operands; o++) {
        if (w->stride[o][last] != stride[o][axis] * dim) return false;
    }
    return true;
}

bool walk_start(Walk *w, int rank, const int64_t *dim, int operands, const int64_t *const *stride)
{
    w->operands = operands;
    int n = 0;
    for (int k = 0; k < rank; k++) {
        if (dim[k] == 0) return false;
        if (dim[k] == 1) continue;
        bool join = n > 0 && joins(w, n - 1, dim[k], stride, k);
        if (!join) n++;
        w->dim[n - 1] = join ? w->dim[n - 1] * dim[k] : dim[k];
        for (int o = 0; o < operands; o++) w->stride[o][n - 1] = stride[o][k];
    }
    w->rank = n > 0 ? n - 1 : 0;
    w->run = n > 0 ? w->dim[n - 1] : 1;
    for (int o = 0; o < operands; o++) {
        w->step[o] = n > 0 ? w->stride[o][n - 1] : 1;
        w->offset[o] = 0;
    }
    for (int k = 0; k < w->rank; k++) w->index[k] = 0;
    return true;
}

bool walk_next(Walk *w)
{
    for (int k = w->rank - 1; k >= 0; k--) {
        if (++w->index[k] < w->dim[k]) {
            for (int o = 0; o < w->operands; o++) w->offset[o] += w->stride[o][k];
            return true;
        }
        w->index[k] = 0;
        for (int o = 0; o < w->operands; o++) w->offset[o] -= w->stride[o][k] * (w->dim[k] - 1);
    }
    return false;
}

void walk_broadcast(const Array *a, const Shape *s, int64_t *out)
{
    int missing = s->rank - a->rank;
    for (int k = 0; k < s->rank; k++) {
        bool repeats = k < missing || (a->dim[k - missing] == 1 && s->dim[k] != 1);
        out[k] = repeats ? 0 : a->stride[k - missing];
    }
}

#include <string.h>

#include "array/array.h"

/* Axes of size 0 are left out of the product that is checked, so that the strides of an empty array
 * fit as well. */
bool shape_size(const Shape *s, int64_t *size, Error *err)
{
    int64_t product = 1;
    bool empty = false, over = false;
    for (int k = 0; k < s->rank; k++) {
        int64_t d = s->dim[k];
        if (d < 0) return error_set(err, ERR_SHAPE, "size %lld is negative", (long long)d);
        empty |= d == 0;
        over |= __builtin_mul_overflow(product, d ? d : 1, &product);
    }
    if (over || product > INT64_MAX / 8)
        return error_set(err, ERR_MEMORY, "shape %s is too large", shape_text(s));
    *size = empty ? 0 : product;
    return true;
}

bool shape_broadcast(const Shape *a, const Shape *b, Shape *out, Error *err)
{
    Shape result = {.rank = a->rank > b->rank ? a->rank : b->rank};
    for (int k = 1; k <= result.rank; k++) {
        int64_t da = k <= a->rank ? a->dim[a->rank - k] : 1;
        int64_t db = k <= b->rank ? b->dim[b->rank - k] : 1;
        if (da != db && da != 1 && db != 1) {
            return error_set(err, ERR_SHAPE,
                             "shapes %s and %s do not broadcast: axis -%d is %lld and %lld",
                             shape_text(a), shape_text(b), k, (long long)da, (long long)db);
        }
        result.dim[result.rank - k] = da == 1 ? db : da;
    }
    *out = result;
    return true;
}

bool shape_reaches(const Shape *from, const Shape *s)
{
    if (from->rank > s->rank) return false;
    const int64_t *dim = s->dim + s->rank - from->rank;
    for (int k = 0; k < from->rank; k++)
        if (from->dim[k] != 1 && from->dim[k] != dim[k]) return false;
    return true;
}

bool shape_check_reaches(const Shape *from, const Shape *s, Error *err)
{
    Shape both;
    return shape_reaches(from, s) ||
           (shape_broadcast(from, s, &both, err) &&
            error_set(err, ERR_SHAPE, "shape %s does not broadcast to shape %s", shape_text(from),
                      shape_text(s)));
}

void shape_write(StrBuf *out, const Shape *s)
{
    for (int k = 0; k < s->rank; k++) {
        strbuf_printf(out, k ? "×%lld" : "%lld", (long long)s->dim[k]);
    }
}

/* Text that lives until a few more are asked for. */
static const char *text_after(const char *lead, const Shape *s)
{
    enum { TEXTS = 8, ROOM = MAX_RANK * 22 };
    static char text[TEXTS][ROOM];
    static int next;
    char *out = text[next++ % TEXTS];
    StrBuf b = {0};
    strbuf_text(&b, lead);
    shape_write(&b, s);
    strcpy(out, strbuf_str(&b));
    strbuf_free(&b);
    return out;
}

const char *shape_text(const Shape *s)
{
    return text_after("", s);
}

const char *shape_noun(const Shape *s)
{
    return s->rank == 0 ? "a number" : text_after(s->rank == 1 ? "a vector of " : "", s);
}

bool shape_axis(const Shape *s, int64_t axis, int *out, Error *err)
{
    if (axis >= -s->rank && axis < s->rank) {
        *out = (int)(axis < 0 ? axis + s->rank : axis);
        return true;
    }
    if (s->rank == 0) {
        return error_set(err, ERR_INDEX, "axis %lld is out of range: a number has no axes",
                         (long long)axis);
    }
    return error_set(err, ERR_INDEX, "axis %lld is out of range for shape %s (valid: %d to %d)",
                     (long long)axis, shape_text(s), -s->rank, s->rank - 1);
}

/* Copying and converting between strided arrays. */
#include <stdlib.h>

#include "array/array.h"
#include "array/walk.h"
#include "base/interrupt.h"

#define ROWS(To, to_step, from_step)                                                               \
    for (int64_t k = 0; k < rows; k++, to += dst->next, from += src->next)                         \
        for (int64_t i = 0; i < n; i++) to[i * (to_step)] = (To)from[i * (from_step)]

#define COPY(To, From)                                                                             \
    do {                                                                                           \
        To *to = dst->data;                                                                        \
        const From *from = src->data;                                                              \
        if (dst->step != 1 || (src->step != 1 && src->step != 0))                                  \
            ROWS(To, dst->step, src->step);                                                        \
        else if (src->step == 1)                                                                   \
            ROWS(To, 1, 1);                                                                        \
        else                                                                                       \
            ROWS(To, 1, 0);                                                                        \
    } while (0)

static void move_rows(const Grid *dst, const Grid *src, int64_t rows, int64_t n)
{
    int64_t size = (int64_t)dtype_size(dst->type);
    char *to = dst->data;
    const char *from = src->data;
    for (int64_t k = 0; k < rows; k++, to += dst->next * size, from += src->next * size)
        memcpy(to, from, (size_t)(n * size));
}

void grid_copy(const Grid *dst, const Grid *src, int64_t rows, int64_t n)
{
    enum { CALLING = 16 }; /* elements from which on a call of memcpy pays */
    if (n >= CALLING && dst->type == src->type && dst->step == 1 && src->step == 1) {
        move_rows(dst, src, rows, n);
    } else if (dst->type == DT_BOOL) {
        COPY(bool, bool);
    } else if (dst->type == DT_INT) {
        if (src->type == DT_BOOL)
            COPY(int64_t, bool);
        else
            COPY(int64_t, int64_t);
    } else if (src->type == DT_BOOL) {
        COPY(double, bool);
    } else if (src->type == DT_INT) {
        COPY(double, int64_t);
    } else {
        COPY(double, double);
    }
}

static bool are_alike(const Array *a, const Array *b)
{
    return a->dtype == b->dtype && a->contiguous && b->contiguous && array_has_shape(a, &b->shape);
}

/* The elements of operand o of a walk along its runs and the axis around them. */
static Grid grid_of(const Array *a, const Walk *w, int o, int64_t rows)
{
    int64_t next = rows > 1 ? w->stride[o][w->rank] : 0;
    return (Grid){.type = (DType)a->dtype, .step = w->step[o], .next = next};
}

static bool copy_alike(Array *dst, const Array *src, Error *err)
{
    Stretch s = {0};
    size_t size = dtype_size((DType)src->dtype);
    while (stretch_next(&s, src->size, err))
        memcpy(array_element(dst, s.start), array_element(src, s.start),
               (size_t)(s.end - s.start) * size);
    return stretch_done(&s, src->size);
}

bool array_assign(Array *dst, const Array *src, Error *err)
{
    enum { BAND = 32 };
    if (are_alike(dst, src)) return dst->data == src->data || copy_alike(dst, src, err);
    if (!shape_check_reaches(&src->shape, &dst->shape, err)) return false;
    int64_t stride[MAX_RANK];
    walk_broadcast(src, &dst->shape, stride);
    Walk w;
    if (!walk_start(&w, dst->rank, dst->dim, 2, (const int64_t *const[]){dst->stride, stride}))
        return true;
    int64_t rows = w.rank > 0 ? w.dim[--w.rank] : 1;
    Grid to = grid_of(dst, &w, 0, rows), from = grid_of(src, &w, 1, rows);
    /* Where the source is the transpose of the destination, narrow bands keep its cache lines in use
     * until every element of them is read. */
    bool crosses = rows > 1 && from.next != 0 && llabs(from.step) > llabs(from.next);
    int64_t band = crosses ? BAND : w.run < STRETCH_UNITS ? w.run : STRETCH_UNITS;
    do {
        for (int64_t k = 0; k < w.run; k += band) {
            Stretch s = {0};
            while (stretch_rows(&s, rows, band, err)) {
                to.data = array_element(dst, w.offset[0] + k * to.step + s.start * to.next);
                from.data = array_element(src, w.offset[1] + k * from.step + s.start * from.next);
                grid_copy(&to, &from, s.end - s.start, w.run - k < band ? w.run - k : band);
            }
            if (!stretch_done(&s, rows) || !interrupt_poll(err)) return false;
        }
    } while (walk_next(&w));
    return true;
}

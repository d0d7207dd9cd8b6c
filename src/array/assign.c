/* array_assign: copying and converting between strided arrays. */
#include <string.h>

#include "array/array.h"
#include "array/walk.h"
#include "base/number_text.h"

/* Converts n elements; gives the number done, which is less than n only when one fits no Int. */
typedef int64_t CopyRun(void *dst, int64_t dst_step, const void *src, int64_t src_step, int64_t n);

#define COPY_RUN(name, To, From, is_same)                                                          \
    static int64_t name(void *dst, int64_t dst_step, const void *src, int64_t src_step, int64_t n) \
    {                                                                                              \
        To *to = dst;                                                                              \
        const From *from = src;                                                                    \
        if (is_same && dst_step == 1 && src_step == 1) {                                           \
            memcpy(dst, src, (size_t)n * sizeof *to);                                              \
        } else if (dst_step == 1 && src_step == 1) {                                               \
            for (int64_t i = 0; i < n; i++) to[i] = (To)from[i];                                   \
        } else if (dst_step == 1 && src_step == 0) {                                               \
            for (int64_t i = 0; i < n; i++) to[i] = (To)from[0];                                   \
        } else {                                                                                   \
            for (int64_t i = 0; i < n; i++) to[i * dst_step] = (To)from[i * src_step];             \
        }                                                                                          \
        return n;                                                                                  \
    }

COPY_RUN(bool_to_bool, bool, bool, true)
COPY_RUN(bool_to_int, int64_t, bool, false)
COPY_RUN(bool_to_float, double, bool, false)
COPY_RUN(int_to_bool, bool, int64_t, false)
COPY_RUN(int_to_int, int64_t, int64_t, true)
COPY_RUN(int_to_float, double, int64_t, false)
COPY_RUN(float_to_bool, bool, double, false)
COPY_RUN(float_to_float, double, double, true)

static int64_t float_to_int(void *dst, int64_t dst_step, const void *src, int64_t src_step,
                            int64_t n)
{
    int64_t *to = dst;
    const double *from = src;
    for (int64_t i = 0; i < n; i++) {
        double x = from[i * src_step];
        if (!(x >= -0x1p63 && x < 0x1p63)) return i;
        to[i * dst_step] = (int64_t)x;
    }
    return n;
}

static CopyRun *const copy_run[3][3] = {
    [DT_BOOL] = {bool_to_bool, int_to_bool, float_to_bool},
    [DT_INT] = {bool_to_int, int_to_int, float_to_int},
    [DT_FLOAT] = {bool_to_float, int_to_float, float_to_float},
};

static bool fits_no_int(double x, Error *err)
{
    StrBuf text = {0};
    float_write(&text, x);
    error_set(err, ERR_MATH, "%s does not fit an Int", strbuf_str(&text));
    strbuf_free(&text);
    return false;
}

typedef struct {
    CopyRun *run;
    char *dst;
    const char *src;
    size_t dst_size, src_size; /* of an element */
    Error *err;
} Copy;

static bool copy_piece(const Copy *c, const Walk *w, int64_t dst, int64_t src, int64_t n)
{
    const char *from = c->src + src * (int64_t)c->src_size;
    char *to = c->dst + dst * (int64_t)c->dst_size;
    int64_t done = c->run(to, w->step[0], from, w->step[1], n);
    if (done == n) return true;
    return fits_no_int(((const double *)(const void *)from)[done * w->step[1]], c->err);
}

/* The source is the transpose of the destination along the runs and the axis around them: narrow
 * bands keep its cache lines in use until every element of them is read. */
static bool copy_bands(const Copy *c, Walk *w)
{
    enum { BAND = 32 };
    int around = --w->rank;
    do {
        for (int64_t k = 0; k < w->run; k += BAND) {
            int64_t n = w->run - k < BAND ? w->run - k : BAND;
            int64_t dst = w->offset[0] + k * w->step[0], src = w->offset[1] + k * w->step[1];
            for (int64_t row = 0; row < w->dim[around]; row++) {
                if (!copy_piece(c, w, dst, src, n)) return false;
                dst += w->stride[0][around];
                src += w->stride[1][around];
            }
        }
    } while (walk_next(w));
    return true;
}

static bool copy_rows(const Copy *c, Walk *w)
{
    do {
        if (!copy_piece(c, w, w->offset[0], w->offset[1], w->run)) return false;
    } while (walk_next(w));
    return true;
}

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static bool are_alike(const Array *a, const Array *b)
{
    return a->dtype == b->dtype && a->contiguous && b->contiguous && array_has_shape(a, &b->shape);
}

bool array_assign(Array *dst, const Array *src, Error *err)
{
    if (are_alike(dst, src)) {
        if (dst->data == src->data) return true;
        memcpy(dst->data, src->data, (size_t)src->size * dtype_size(src->dtype));
        return true;
    }
    if (!shape_check_reaches(&src->shape, &dst->shape, err)) return false;
    int64_t stride[MAX_RANK];
    walk_broadcast(src, &dst->shape, stride);
    Walk w;
    const int64_t *const strides[] = {dst->stride, stride};
    if (!walk_start(&w, dst->rank, dst->dim, 2, strides)) return true;
    Copy c = {copy_run[dst->dtype][src->dtype], dst->data, src->data, dtype_size(dst->dtype),
              dtype_size(src->dtype),           err};
    int around = w.rank - 1;
    bool crosses = around >= 0 && magnitude(w.step[1]) > magnitude(w.stride[1][around]) &&
                   w.stride[1][around] != 0;
    return crosses ? copy_bands(&c, &w) : copy_rows(&c, &w);
}

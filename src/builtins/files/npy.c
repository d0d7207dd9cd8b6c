#include "builtins/files/npy.h"
#include "base/interrupt.h"

#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "builtins/files/npy_header.h"

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* ---- reading ---- */

static uint64_t load_bits(const unsigned char *from, int size, bool is_big_endian)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits |= (uint64_t)from[is_big_endian ? size - 1 - i : i] << 8 * i;
    return bits;
}

static double float_of(uint64_t bits, int size)
{
    double x;
    float narrow;
    uint32_t narrow_bits = (uint32_t)bits;
    memcpy(&x, &bits, sizeof x);
    memcpy(&narrow, &narrow_bits, sizeof narrow);
    return size == 4 ? (double)narrow : x;
}

/* Two's complement of size bytes. */
static int64_t signed_of(uint64_t bits, int size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

static void fill_floats(Array *a, const unsigned char *from, const NpyHeader *h)
{
    double *x = array_floats(a);
    for (int64_t i = 0; i < a->size; i++, from += h->size)
        x[i] = float_of(load_bits(from, h->size, h->is_big_endian), h->size);
}

static bool fill_ints(Array *a, const unsigned char *from, const NpyHeader *h, Error *err)
{
    int64_t *x = array_ints(a);
    for (int64_t i = 0; i < a->size; i++, from += h->size) {
        uint64_t bits = load_bits(from, h->size, h->is_big_endian);
        if (h->kind == 'u' && bits > INT64_MAX)
            return error_set(err, ERR_IO,
                             "its dtype u8 has the number %" PRIu64 ", which does not fit an Int",
                             bits);
        x[i] = h->kind == 'u' ? (int64_t)bits : signed_of(bits, h->size);
    }
    return true;
}

static bool fill(Array *a, const unsigned char *from, const NpyHeader *h, Error *err)
{
    if (a->size == 0) return true;
    if (h->kind == 'b') {
        for (int64_t i = 0; i < a->size; i++) array_bools(a)[i] = from[i] != 0;
        return true;
    }
    if (h->size == 8 && h->kind != 'u' && h->is_big_endian == HOST_IS_BIG_ENDIAN) {
        memcpy(a->data, from, (size_t)a->size * 8);
        return true;
    }
    if (h->kind != 'f') return fill_ints(a, from, h, err);
    fill_floats(a, from, h);
    return true;
}

/* Whether there are as many bytes as the elements take. */
static bool check_length(const NpyHeader *h, size_t given, Error *err)
{
    int64_t size;
    if (!shape_size(&h->shape, &size, err)) return false;
    uint64_t wanted = (uint64_t)size * (uint64_t)h->size;
    if (wanted == given) return true;
    if (wanted < given)
        return error_set(err, ERR_IO, "after its array %" PRIu64 " more byte%s", given - wanted,
                         given - wanted == 1 ? " follows" : "s follow");
    return error_set(err, ERR_IO,
                     "it is cut short: %" PRId64 " elements of %d byte%s need %" PRIu64
                     " bytes, and %zu are there",
                     size, h->size, h->size == 1 ? "" : "s", wanted, given);
}

static Shape reversed(const Shape *s)
{
    Shape r = {.rank = s->rank};
    for (int k = 0; k < s->rank; k++) r.dim[k] = s->dim[s->rank - 1 - k];
    return r;
}

/* Takes an array that was read with its axes reversed. */
static Array *transposed_take(Array *a, Error *err)
{
    int axes[MAX_RANK];
    for (int k = 0; k < a->rank; k++) axes[k] = a->rank - 1 - k;
    Array *view = array_transpose(a, axes);
    Array *copy = array_copy(view, err);
    array_release(view);
    array_release(a);
    return copy;
}

Array *npy_read(const char *bytes, size_t len, Error *err)
{
    NpyHeader h = {0};
    if (!npy_header_read(bytes, len, &h, err) || !check_length(&h, len - h.data, err)) return NULL;
    DType type = h.kind == 'f' ? DT_FLOAT : h.kind == 'b' ? DT_BOOL : DT_INT;
    Shape as_stored = h.is_fortran ? reversed(&h.shape) : h.shape;
    Array *a = array_new(type, &as_stored, err);
    if (!a) return NULL;
    if (!fill(a, (const unsigned char *)bytes + h.data, &h, err)) {
        array_release(a);
        return NULL;
    }
    return h.is_fortran && h.shape.rank > 1 ? transposed_take(a, err) : a;
}

/* ---- writing ---- */

static bool write_elements(StrBuf *out, const Array *a, Error *err)
{
    size_t size = dtype_size(a->dtype);
    Stretch s = {0};
    strbuf_reserve(out, (size_t)a->size * size);
    while (stretch_next(&s, a->size, err)) {
        const char *from = (const char *)a->data + (size_t)s.start * size;
        if (!HOST_IS_BIG_ENDIAN || size == 1) {
            strbuf_bytes(out, from, (size_t)(s.end - s.start) * size);
            continue;
        }
        for (int64_t i = s.start; i < s.end; i++, from += size)
            for (size_t k = size; k-- > 0;) strbuf_char(out, from[k]);
    }
    return stretch_done(&s, a->size);
}

bool npy_write(StrBuf *out, const Array *a, Error *err)
{
    Array *copy = a->contiguous ? NULL : array_copy(a, err);
    if (!a->contiguous && !copy) return false;
    npy_header_write(out, a);
    bool ok = write_elements(out, copy ? copy : a, err);
    array_release(copy);
    return ok;
}

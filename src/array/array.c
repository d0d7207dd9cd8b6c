#include "array/array.h"

#include <string.h>

#include "array/walk.h"
#include "base/mem.h"

/* ---- buffers and their viewers ---- */

/* What is not a view is one piece of memory with its buffer, and with its data where they are few:
 * allocations would cost more than what is done with them. The piece goes when neither its header nor
 * a view of its buffer is left. A stress build keeps more data apart, to see their misuse. */
typedef struct {
    Array array;
    Buffer buffer;
    double data[];
} Home;

#if defined(VIV_STRESS) && !defined(VIV_POOLS)
enum { DATA_INSIDE = sizeof(double) };
#else
enum { DATA_INSIDE = 256 }; /* bytes; the whole stays below what pools hold */
#endif

static size_t home_size(size_t bytes)
{
    return sizeof(Home) + (bytes <= DATA_INSIDE ? bytes : 0);
}

static void buffer_attach(Buffer *b, Array *a)
{
    a->buffer = b;
    a->prev_viewer = NULL;
    a->next_viewer = b->viewer;
    if (b->viewer) b->viewer->prev_viewer = a;
    b->viewer = a;
    b->n_viewers++;
}

/* Frees what nobody sees any more: the data with the last viewer, and the piece. */
static void buffer_trim(Buffer *b)
{
    if (b->n_viewers > 0) return;
    if (b->bytes > DATA_INSIDE && b->data) {
        block_free(b->data, b->bytes);
        b->data = NULL;
    }
    if (!b->has_home) pool_free((char *)b - offsetof(Home, buffer), home_size(b->bytes));
}

static void buffer_detach(Array *a)
{
    Buffer *b = a->buffer;
    if (a->next_viewer) a->next_viewer->prev_viewer = a->prev_viewer;
    if (a->prev_viewer)
        a->prev_viewer->next_viewer = a->next_viewer;
    else
        b->viewer = a->next_viewer;
    b->n_viewers--;
    buffer_trim(b);
}

static void header_free(Array *a)
{
    Buffer *b = a->buffer, *beside = a->is_home ? &((Home *)(void *)a)->buffer : NULL;
    if (beside) beside->has_home = false;
    buffer_detach(a);
    if (!beside)
        pool_free(a, sizeof *a);
    else if (b != beside) /* moved out */
        buffer_trim(beside);
}

/* ---- making ---- */

static bool out_of_memory(Error *err, const Shape *s, size_t bytes)
{
    double gib = (double)bytes / (1 << 30);
    return error_set(err, ERR_MEMORY, "out of memory: shape %s needs %.*f GiB", shape_text(s),
                     gib < 1.0 ? 3 : 1, gib);
}

/* One size after the other: those of an array just made are on their way to memory yet, and reading
 * them in larger pieces than they were written in would wait for them. */
static inline void copy_layout(Array *to, const Array *from)
{
    to->rank = from->rank;
    for (int k = 0; k < from->rank; k++) {
        to->dim[k] = from->dim[k];
        to->stride[k] = from->stride[k];
    }
}

static Array *home_try(size_t bytes, bool zeroed)
{
    void *block = bytes > DATA_INSIDE ? block_try(bytes, zeroed) : NULL;
    if (bytes > DATA_INSIDE && !block) return NULL;
    Home *home = pool_alloc(home_size(bytes));
    Array *a = &home->array;
    home->buffer = (Buffer){.viewer = a,
                            .n_viewers = 1,
                            .has_home = true,
                            .bytes = bytes,
                            .data = block ? block : home->data};
    a->is_home = true;
    a->buffer = &home->buffer;
    a->next_viewer = a->prev_viewer = NULL;
    if (block) return a;
    if (zeroed) memset(home->data, 0, bytes);
    block_note(bytes);
    return a;
}

/* Of a few sizes below 2¹⁵ the product needs no watching. */
static inline bool small_size(const Shape *s, int64_t *size)
{
    int64_t all = 0, product = 1;
    for (int k = 0; k < s->rank; k++) {
        all |= s->dim[k];
        product *= s->dim[k] & 0x7fff;
    }
    *size = product;
    return s->rank <= 4 && (uint64_t)all < 1 << 15;
}

static Array *make(DType t, const Shape *s, bool zeroed, Error *err)
{
    int64_t size;
    if (!small_size(s, &size) && !shape_size(s, &size, err)) return NULL;
    size_t bytes = (size_t)size * dtype_size(t);
    Array *a = home_try(bytes, zeroed);
    if (!a) {
        out_of_memory(err, s, bytes);
        return NULL;
    }
    a->head.refs = 1;
    a->dtype = (uint8_t)t;
    a->contiguous = true;
    a->size = size;
    a->data = a->buffer->data;
    array_lay_out(a, s);
    return a;
}

Array *array_new(DType t, const Shape *s, Error *err)
{
    return make(t, s, false, err);
}

Array *array_zeros(DType t, const Shape *s, Error *err)
{
    return make(t, s, true, err);
}

Array array_scalar(DType t, void *value)
{
    return (Array){.head = {1}, .dtype = (uint8_t)t, .contiguous = true, .size = 1, .data = value};
}

Array *array_retain(Array *a)
{
    a->head.refs++;
    return a;
}

void array_release(Array *a)
{
    if (a && --a->head.refs == 0) header_free(a);
}

Array *array_view(const Array *a)
{
    Array *v = a->buffer ? pool_alloc(sizeof *v) : home_try(sizeof(double), false);
    v->head.refs = 1;
    v->dtype = a->dtype;
    v->contiguous = a->contiguous;
    v->size = a->size;
    copy_layout(v, a);
    if (a->buffer) {
        v->is_home = false;
        v->data = a->data;
        buffer_attach(a->buffer, v);
    } else {
        v->data = v->buffer->data;
        array_copy_element(v, 0, a, 0);
    }
    return v;
}

void array_update_layout(Array *a)
{
    int64_t size = 1;
    bool contiguous = true;
    for (int k = a->rank - 1; k >= 0; k--) {
        if (a->dim[k] != 1 && a->stride[k] != size) contiguous = false;
        size *= a->dim[k];
    }
    a->size = size;
    a->contiguous = contiguous || size == 0;
}

/* ---- copying ---- */

static Array *copy_as(const Array *a, DType t, Error *err)
{
    Array *copy = array_new(t, &a->shape, err);
    return copy ? array_if(array_assign(copy, a, err), copy) : NULL;
}

Array *array_copy(const Array *a, Error *err)
{
    return copy_as(a, a->dtype, err);
}

Array *array_contiguous(Array *a, Error *err)
{
    return a->contiguous ? array_retain(a) : array_copy(a, err);
}

Array *array_convert(Array *a, DType t, Error *err)
{
    return a->dtype == t ? array_contiguous(a, err) : copy_as(a, t, err);
}

/* ---- copy on write ---- */

/* How many elements a looks at, those along broadcast axes taken once. */
static int64_t distinct_elements(const Array *a)
{
    int64_t n = 1;
    for (int k = 0; k < a->rank; k++)
        if (a->stride[k] != 0 || a->dim[k] == 0) n *= a->dim[k];
    return n;
}

/* Gives a (a header others hold) a buffer of its own; its broadcast axes stay broadcast. */
static bool move_out(Array *a, Error *err)
{
    Array once = *a;
    for (int k = 0; k < a->rank; k++)
        if (a->stride[k] == 0 && a->dim[k] > 1) once.dim[k] = 1;
    array_update_layout(&once);
    Array *copy = array_copy(&once, err);
    if (!copy) return false;
    Buffer *b = copy->buffer;
    buffer_detach(a);
    buffer_attach(b, a);
    a->data = b->data;
    walk_broadcast(copy, &a->shape, a->stride);
    array_update_layout(a);
    array_release(copy);
    return true;
}

/* Whether copying the other views of a's buffer costs less than copying a. */
static bool others_are_smaller(const Array *a)
{
    int64_t others = 0;
    for (const Array *v = a->buffer->viewer; v && others < a->size; v = v->next_viewer)
        if (v != a) others += distinct_elements(v);
    return others < a->size;
}

static bool move_others_out(Array *a, Error *err)
{
    Array *next;
    for (Array *v = a->buffer->viewer; v; v = next) {
        next = v->next_viewer;
        if (v != a && !move_out(v, err)) return false;
    }
    return true;
}

bool array_unshare(Array **a, Error *err)
{
    Array *old = *a;
    if (old->head.refs == 1 && distinct_elements(old) == old->size) {
        if (!old->buffer || old->buffer->n_viewers == 1) return true;
        if (others_are_smaller(old)) return move_others_out(old, err);
    }
    Array *copy = array_copy(old, err);
    if (!copy) return false;
    array_release(old);
    *a = copy;
    return true;
}

/* ---- single elements ---- */

int64_t array_offset(const Array *a, int64_t i)
{
    if (a->contiguous) return i;
    int64_t offset = 0;
    for (int k = a->rank - 1; k > 0; k--) {
        offset += i % a->dim[k] * a->stride[k];
        i /= a->dim[k];
    }
    return offset + (a->rank > 0 ? i * a->stride[0] : 0);
}

double array_float_at(const Array *a, int64_t i)
{
    i = array_offset(a, i);
    if (a->dtype == DT_FLOAT) return array_floats(a)[i];
    return a->dtype == DT_INT ? (double)array_ints(a)[i] : (double)array_bools(a)[i];
}

int64_t array_int_at(const Array *a, int64_t i)
{
    i = array_offset(a, i);
    if (a->dtype == DT_INT) return array_ints(a)[i];
    return a->dtype == DT_BOOL ? array_bools(a)[i] : (int64_t)array_floats(a)[i];
}

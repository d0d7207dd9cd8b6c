/* Strided arrays of Float, Int and Bool elements, rank 0 to 8.
 *
 * An Array is a header (shape and strides) over a Buffer (the elements). Several headers may share
 * a buffer: indexing with slices, transpose and broadcasting give views and copy nothing. Value
 * semantics are kept by array_unshare, which is called before every write: the buffer knows the
 * headers that look at it, so that a write into a large array detaches the small views of it (a row
 * costs a row) instead of copying the array.
 *
 * Conventions of this floor: arguments are borrowed, results are owned by the caller. Functions
 * that can fail return NULL or false and set err. Nothing here knows of values, syntax or
 * derivatives. A rank-0 array stands for a number; it may live on the stack (array_scalar) as a
 * kernel's operand and is never shared. */
#ifndef ARRAY_ARRAY_H
#define ARRAY_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/obj.h"
#include "base/strbuf.h"

enum { MAX_RANK = 8 };

typedef enum { DT_BOOL, DT_INT, DT_FLOAT } DType; /* in order of promotion */

typedef struct {
    int rank;
    int64_t dim[MAX_RANK];
} Shape;

typedef struct Buffer {
    struct Array *viewer; /* the headers that share it, a doubly linked list */
    int n_viewers;
    bool has_home; /* the header it is in one piece with (array.c) is alive */
    size_t bytes;
    void *data; /* aligned to 64 bytes, unless few; NULL when nobody looks at it */
} Buffer;

typedef struct Array {
    Obj head;
    uint8_t dtype;   /* DType */
    bool contiguous; /* row-major without gaps */
    bool is_home;    /* has a buffer beside it, its own one or one that only views still look at */
    int64_t size;    /* number of elements */
    void *data;      /* the first element */
    Buffer *buffer;  /* NULL for an array_scalar */
    struct Array *next_viewer, *prev_viewer;
    union {
        Shape shape;
        struct {
            int rank;
            int64_t dim[MAX_RANK];
        };
    };
    int64_t stride[MAX_RANK]; /* in elements; 0 along a broadcast axis, negative when reversed */
} Array;

static inline size_t dtype_size(DType t)
{
    return t == DT_BOOL ? 1 : 8;
}

static inline double *array_floats(const Array *a)
{
    return a->data;
}
static inline int64_t *array_ints(const Array *a)
{
    return a->data;
}
static inline bool *array_bools(const Array *a)
{
    return a->data;
}

/* ---- shapes (shape.c) ---- */

/* Copies the sizes that are there. */
static inline void shape_copy(Shape *to, int rank, const int64_t *dim)
{
    to->rank = rank;
    for (int k = 0; k < rank; k++) to->dim[k] = dim[k];
}
static inline Shape shape_of(const Array *a)
{
    Shape s;
    shape_copy(&s, a->rank, a->dim);
    return s;
}
static inline bool shape_equal(const Shape *a, const Shape *b)
{
    if (a->rank != b->rank) return false;
    for (int k = 0; k < a->rank; k++)
        if (a->dim[k] != b->dim[k]) return false;
    return true;
}
static inline bool array_has_shape(const Array *a, const Shape *s)
{
    return shape_equal(&a->shape, s);
}
/* Whether nobody but the holder of the one reference sees its elements. */
static inline bool array_is_unique(const Array *a)
{
    return a->head.refs == 1 && a->buffer && a->buffer->n_viewers == 1;
}
/* Whether all elements are one and the same in memory. */
static inline bool array_repeats_one(const Array *a)
{
    for (int k = 0; k < a->rank; k++)
        if (a->stride[k] != 0 && a->dim[k] != 1) return false;
    return true;
}
/* Row-major strides, where step elements belong to each position; axes of size 0 count as 1. */
static inline void shape_strides(const Shape *s, int64_t step, int64_t *stride)
{
    for (int k = s->rank - 1; k >= 0; k--) {
        stride[k] = step;
        if (s->dim[k] > 0) step *= s->dim[k];
    }
}
/* Number of elements; fails (ERR_SHAPE, "shape … is too large") when it or its bytes overflow, or a
 * size is negative. */
bool shape_size(const Shape *s, int64_t *size, Error *err);
/* NumPy's rule. Fails with ERR_SHAPE: "shapes 2×3 and 4 do not broadcast: …". */
bool shape_broadcast(const Shape *a, const Shape *b, Shape *out, Error *err);
/* Whether from broadcasts to just s, also with an error where not. */
bool shape_reaches(const Shape *from, const Shape *s);
bool shape_check_reaches(const Shape *from, const Shape *s, Error *err);
/* "4×5"; "3" for rank 1; "" for rank 0. */
void shape_write(StrBuf *out, const Shape *s);
/* Into one of a few static buffers, for use as a %s argument. */
const char *shape_text(const Shape *s);
/* "a number", "a vector of 4", "4×5": where no word before it says that it is a shape. Lives as long
 * as shape_text's result. */
const char *shape_noun(const Shape *s);
/* Turns axis in −rank … rank−1 into 0 … rank−1, else ERR_INDEX naming axis and shape. */
bool shape_axis(const Shape *s, int64_t axis, int *out, Error *err);

/* ---- making and freeing (array.c) ---- */

/* Uninitialised, contiguous. NULL and ERR_MEMORY or ERR_SHAPE when it can't be. */
Array *array_new(DType t, const Shape *s, Error *err);
Array *array_zeros(DType t, const Shape *s, Error *err);
/* A rank-0 operand over *value, which must hold an element of type t and outlive it. */
Array array_scalar(DType t, void *value);
/* The same in *a, of which only what counts at rank 0 is set. */
static inline void array_scalar_at(Array *a, DType t, void *value)
{
    a->head.refs = 1;
    a->dtype = (uint8_t)t;
    a->rank = 0;
    a->contiguous = true;
    a->is_home = false;
    a->size = 1;
    a->data = value;
    a->buffer = NULL;
}
Array *array_retain(Array *a);
/* Accepts NULL. */
void array_release(Array *a);
/* A new header on the same buffer; adjust dims and strides, then call array_update_layout. Of a
 * stack operand it holds the element itself. */
Array *array_view(const Array *a);
/* Gives a, of as many elements as s, the shape s in row-major order without gaps. */
static inline void array_lay_out(Array *a, const Shape *s)
{
    shape_copy(&a->shape, s->rank, s->dim);
    shape_strides(s, 1, a->stride);
}
/* Recomputes size and contiguous after a change of dims or strides. */
void array_update_layout(Array *a);
/* a itself if ok; else a is released, and NULL. Accepts NULL. */
static inline Array *array_if(bool ok, Array *a)
{
    if (ok) return a;
    array_release(a);
    return NULL;
}
/* A contiguous copy. */
Array *array_copy(const Array *a, Error *err);
/* a itself (retained) when contiguous, else a contiguous copy. */
Array *array_contiguous(Array *a, Error *err);
/* Copies src's elements (broadcast to dst's shape, promoted to dst's type) into dst, which may be
 * strided. dst must be writable (array_unshare) and must not overlap src unless they are the same
 * elements. */
bool array_assign(Array *dst, const Array *src, Error *err);
/* *a becomes writable in place: the only owner of its buffer, no broadcast strides. Consumes the
 * caller's reference and replaces it. Small views held by others are given copies of their own when
 * that is cheaper than copying *a. On failure *a is unchanged. */
bool array_unshare(Array **a, Error *err);
/* A contiguous array of type t, to which a's type promotes, with a's elements: a itself (retained)
 * when nothing has to change. */
Array *array_convert(Array *a, DType t, Error *err);
/* The element at flat row-major position i. */
double array_float_at(const Array *a, int64_t i);
int64_t array_int_at(const Array *a, int64_t i);
/* Offset in elements from data of the flat row-major position i. */
int64_t array_offset(const Array *a, int64_t i);

/* Element i of from, counted along its data, becomes that at `at` in to, which is of its type. */
static inline void array_copy_element(const Array *to, int64_t at, const Array *from, int64_t i)
{
    if (to->dtype == DT_BOOL)
        array_bools(to)[at] = array_bools(from)[i];
    else
        memcpy(array_ints(to) + at, array_ints(from) + i, sizeof(int64_t));
}

/* ---- changing shape (shape_ops.c); views where possible ---- */

Array *array_reshape(Array *a, const Shape *s, Error *err); /* sizes must agree, no −1 here */
Array *array_transpose(const Array *a, const int *perm);    /* perm: a permutation of the axes */
Array *array_broadcast(const Array *a, const Shape *s, Error *err);
/* Joins n ≥ 1 parts of one type: along axis, of shapes that differ only there; along a new first axis,
 * of one shape, rank 0 allowed. */
Array *array_concat(Array *const *part, int n, int axis, Error *err);
Array *array_stack(Array *const *part, int n, Error *err);

#endif

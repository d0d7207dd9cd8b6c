/* Growable arrays as macros over three fields, so that a vector of T is an ordinary struct:
 *     typedef struct { T *item; int len, cap; } TVec;
 * Stress builds start at capacity 1, so that every growth path runs. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

#ifdef VIV_STRESS
#define VEC_FIRST_CAP 1
#else
#define VEC_FIRST_CAP 8
#endif

#define VEC_OF(T)                                                                                  \
    struct {                                                                                       \
        T *item;                                                                                   \
        int len, cap;                                                                              \
    }

/* Makes room for extra more items. */
#define VEC_RESERVE(v, extra)                                                                      \
    do {                                                                                           \
        if ((v)->len + (extra) > (v)->cap) {                                                       \
            int cap_ = (v)->cap ? (v)->cap : VEC_FIRST_CAP;                                        \
            while (cap_ < (v)->len + (extra)) cap_ *= 2;                                           \
            (v)->item = mem_realloc((v)->item, (size_t)cap_ * sizeof *(v)->item);                  \
            (v)->cap = cap_;                                                                       \
        }                                                                                          \
    } while (0)

#define VEC_PUSH(v, x)                                                                             \
    do {                                                                                           \
        VEC_RESERVE(v, 1);                                                                         \
        (v)->item[(v)->len++] = (x);                                                               \
    } while (0)

#define VEC_POP(v) ((v)->item[--(v)->len])

#define VEC_FREE(v)                                                                                \
    do {                                                                                           \
        mem_free((v)->item);                                                                       \
        (v)->item = NULL;                                                                          \
        (v)->len = (v)->cap = 0;                                                                   \
    } while (0)

#endif

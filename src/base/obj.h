/* The head of everything that is reference counted. Counts are not atomic: values belong to one
 * thread. */
#ifndef BASE_OBJ_H
#define BASE_OBJ_H

#include <stdint.h>

typedef struct Obj {
    uint32_t refs;
} Obj;

#endif

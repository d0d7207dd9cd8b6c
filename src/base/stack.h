/* The C stack as a resource: recursion (calls, nested values) is limited by what is really left of
 * it, so that no program can overflow it. */
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stdint.h>

#include "base/error.h"

/* Called once by main: raises the soft limit of the stack as far as is safe and notes where the
 * stack begins. */
void stack_init(void);
/* The address below which the stack must not reach. */
extern uintptr_t stack_lowest;
bool stack_used_up(Error *err, const char *what);

/* Fails with ERR_DEPTH when little is left; what names the recursion ("calls", "nesting"). What a
 * walk over one syntax tree or one formatting needs fits into what is held in reserve, so only
 * calls and unbounded nesting check. */
static inline bool stack_check(Error *err, const char *what)
{
    return (uintptr_t)__builtin_frame_address(0) > stack_lowest || stack_used_up(err, what);
}

#endif

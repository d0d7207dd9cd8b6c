/* The C stack as a resource: recursion (calls, nested values) is limited by what is really left of
 * it, so that no program can overflow it. */
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include <stdint.h>

#include "base/error.h"

/* Calls f, once in main: with a stack as large as is safe, in a thread of its own where the limits of
 * the process allow only a small one. Gives what f gives. */
int stack_run(int (*f)(int argc, char **argv), int argc, char **argv);
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

/* The C stack as a resource: recursion (calls, nested values) is limited by what is really left of
 * it, so that no program can overflow it. */
#ifndef BASE_STACK_H
#define BASE_STACK_H

#include "base/error.h"

/* Called once by main: raises the soft limit of the stack as far as is safe and notes where the
 * stack begins. */
void stack_init(void);
/* Fails with ERR_DEPTH when little is left; what names the recursion ("calls", "nesting"). */
bool stack_check(Error *err, const char *what);

#endif

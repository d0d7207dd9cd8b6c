#include "base/stack.h"

#include <stdint.h>
#include <sys/resource.h>

/* The kernel leaves at least 128 MiB of address space below the stack it starts a program with, and
 * reads the soft limit anew at every growth, so the limit can be raised to less than that without
 * starting again. */
#define STACK_WANTED ((size_t)112 << 20)
#if defined(__SANITIZE_ADDRESS__) || defined(VIV_STRESS)
#define STACK_RESERVE ((size_t)32 << 20) /* frames are many times larger */
#else
#define STACK_RESERVE ((size_t)4 << 20) /* one tree, kernels, printing: what runs after a check */
#endif
#define STACK_DEFAULT ((size_t)6 << 20)

uintptr_t stack_lowest;

void stack_init(void)
{
    struct rlimit limit;
    size_t size = STACK_DEFAULT;
    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        if (limit.rlim_cur < STACK_WANTED &&
            (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= STACK_WANTED)) {
            limit.rlim_cur = STACK_WANTED;
            if (setrlimit(RLIMIT_STACK, &limit) != 0) getrlimit(RLIMIT_STACK, &limit);
        }
        size = limit.rlim_cur < STACK_WANTED ? (size_t)limit.rlim_cur : STACK_WANTED;
    }
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    stack_lowest =
        size > 2 * STACK_RESERVE && here > size ? here - size + STACK_RESERVE : here - size / 2;
}

bool stack_used_up(Error *err, const char *what)
{
    return error_set(err, ERR_DEPTH, "%s too deep: the stack is used up", what);
}

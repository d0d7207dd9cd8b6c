#include "base/stack.h"

#include <pthread.h>
#include <signal.h>
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

/* The size of the stack, after the soft limit was raised as far as it may be. */
static size_t raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return STACK_DEFAULT;
    if (limit.rlim_cur < STACK_WANTED &&
        (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= STACK_WANTED)) {
        limit.rlim_cur = STACK_WANTED;
        if (setrlimit(RLIMIT_STACK, &limit) != 0) getrlimit(RLIMIT_STACK, &limit);
    }
    return limit.rlim_cur < STACK_WANTED ? (size_t)limit.rlim_cur : STACK_WANTED;
}

static void note_lowest(size_t size)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    stack_lowest =
        size > 2 * STACK_RESERVE && here > size ? here - size + STACK_RESERVE : here - size / 2;
}

typedef struct {
    int (*f)(int argc, char **argv);
    int argc, status;
    char **argv;
} Start;

static void *start(void *argument)
{
    Start *s = argument;
    note_lowest(STACK_WANTED);
    s->status = s->f(s->argc, s->argv);
    return NULL;
}

/* Signals go to the thread that can answer them. */
static bool run_in_thread(Start *s)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    bool ok = pthread_attr_setstacksize(&attributes, STACK_WANTED) == 0 &&
              pthread_create(&thread, &attributes, start, s) == 0;
    pthread_attr_destroy(&attributes);
    if (!ok) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return true;
}

int stack_run(int (*f)(int argc, char **argv), int argc, char **argv)
{
    Start s = {.f = f, .argc = argc, .argv = argv};
    size_t size = raise_limit();
    if (size <= 2 * STACK_RESERVE && run_in_thread(&s)) return s.status;
    note_lowest(size);
    return f(argc, argv);
}

bool stack_used_up(Error *err, const char *what)
{
    return error_set(err, ERR_DEPTH, "%s too deep: the stack is used up", what);
}

#include "cli/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/mem.h"
#include "base/symbol.h"
#include "eval/builtin.h"
#include "syntax/source.h"

int process_end(int status)
{
    builtins_free();
    sources_free();
    symbols_free();
    mem_trim();
#ifdef VIV_STRESS
    if (mem_live() != 0) {
        fprintf(stderr, "viv: %lld live objects at exit\n", (long long)mem_live());
        return 99;
    }
#endif
    return status;
}

void process_end_with(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0); /* it ended before that was said */
#else
    (void)parent;
#endif
}

void process_end_child(void (*forget)(void *context), void *context)
{
    forget(context);
    exit(process_end(0));
}

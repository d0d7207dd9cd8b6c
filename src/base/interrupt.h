/* The flag that Ctrl-C sets. Loops, calls and long kernels poll it. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <signal.h>

#include "base/error.h"

extern volatile sig_atomic_t interrupt_flag;

/* Fails with ERR_INTERRUPT when the flag is up, and takes it down. */
bool interrupt_take(Error *err);

static inline bool interrupt_poll(Error *err)
{
    return interrupt_flag == 0 || interrupt_take(err);
}

#endif

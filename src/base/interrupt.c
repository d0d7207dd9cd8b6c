#include "base/interrupt.h"

volatile sig_atomic_t interrupt_flag, interrupt_ends;

bool interrupt_take(Error *err)
{
    interrupt_flag = interrupt_ends != 0;
    return error_set(err, ERR_INTERRUPT, "interrupted");
}

#include "base/interrupt.h"

volatile sig_atomic_t interrupt_flag;

bool interrupt_take(Error *err)
{
    interrupt_flag = 0;
    return error_set(err, ERR_INTERRUPT, "interrupted");
}

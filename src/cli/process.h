/* The end of a process. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <sys/types.h>

/* Frees what lives as long as the process: registry, sources, names, recycled memory. In a stress
 * build, objects that are still alive are reported, and the status becomes 99. */
int process_end(int status);
/* Has this child of a process end with it, however that ends; where the system can't do that, nothing. */
void process_end_with(pid_t parent);
/* The end of a forked child; forget frees the copy that it has of its parent's data. */
_Noreturn void process_end_child(void (*forget)(void *context), void *context);

#endif

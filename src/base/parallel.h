/* A small pool of threads for the kernels of large arrays.
 *
 * Work is cut into pieces that do not depend on how many threads there are, so results never do.
 * Threads start when they are first needed; a forked child has none and starts its own. Values and
 * errors belong to the thread that called: a piece touches only memory that it is given. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

/* How many threads work together, the caller's included: VIV_THREADS, or as many as there are
 * processors for this process. */
int parallel_threads(void);
/* Calls f(context, i) for 0 ≤ i < n, some at a time, and returns when all are done. Called from
 * within a piece it runs them one after the other. */
void parallel_run(int n, void (*f)(void *context, int i), void *context);

#endif

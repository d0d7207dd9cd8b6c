#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    MOST_THREADS = 64,
    THREAD_STACK = 4 << 20, /* whatever the limits of the process are */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    int started; /* threads of the pool, without the caller's */
    bool handlers_set;
    void (*f)(void *context, int i);
    void *context;
    int n, next, finished; /* pieces: of the job, to be taken, done */
    unsigned job;          /* counts jobs, so that a sleeper knows a new one */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static __thread bool is_inside;

int parallel_threads(void)
{
    static int threads;
    if (threads) return threads;
    const char *text = getenv("VIV_THREADS");
    long wanted = text ? strtol(text, NULL, 10) : 0;
    cpu_set_t allowed;
    if (wanted < 1)
        wanted = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    threads = wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : (int)wanted;
    return threads;
}

/* Takes pieces until none is left; the lock is held before and after. */
static void take_pieces(void)
{
    while (pool.next < pool.n) {
        int i = pool.next++;
        pthread_mutex_unlock(&pool.lock);
        pool.f(pool.context, i);
        pthread_mutex_lock(&pool.lock);
        if (++pool.finished == pool.n) pthread_cond_signal(&pool.done);
    }
}

static void *serve(void *unused)
{
    unsigned seen = 0;
    (void)unused;
    is_inside = true;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.job == seen) pthread_cond_wait(&pool.work, &pool.lock);
        seen = pool.job;
        take_pieces();
    }
    return NULL;
}

/* A forked child has the caller's thread only; what the others held is made anew. */
static void forget_threads(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.started = 0;
    pool.n = pool.next = pool.finished = 0;
}

/* Threads leave signals to the main one, which answers Ctrl-C. */
static void start_threads(int wanted)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK);
    if (!pool.handlers_set) pthread_atfork(NULL, NULL, forget_threads);
    pool.handlers_set = true;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (pool.started < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, serve, NULL) != 0) break;
        pthread_detach(thread);
        pool.started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void parallel_run(int n, void (*f)(void *context, int i), void *context)
{
    int threads = parallel_threads();
    if (n < 2 || threads < 2 || is_inside) {
        for (int i = 0; i < n; i++) f(context, i);
        return;
    }
    start_threads((threads < n ? threads : n) - 1);
    pthread_mutex_lock(&pool.lock);
    pool.f = f;
    pool.context = context;
    pool.n = n;
    pool.next = pool.finished = 0;
    pool.job++;
    pthread_cond_broadcast(&pool.work);
    is_inside = true;
    take_pieces();
    while (pool.finished < pool.n) pthread_cond_wait(&pool.done, &pool.lock);
    is_inside = false;
    pool.n = pool.next = 0;
    pthread_mutex_unlock(&pool.lock);
}

/* The processes that run tests: a file's tests in one process, which reports over a pipe. A test
 * that takes its process down, or is killed, is one failed test: a new process goes on behind it.
 */
#ifndef CLI_TEST_WORKER_H
#define CLI_TEST_WORKER_H

#include <sys/types.h>

#include "base/strbuf.h"
#include "cli/test/options.h"
#include "cli/test/result.h"

typedef struct {
    const char *file;
    pid_t pid; /* 0: not running */
    int fd;
    StrBuf incoming; /* what has been read and not yet understood */
    int done;        /* tests of the file that have a result, or were skipped after one */
    char *name;      /* of the test that is running; NULL between tests */
    uint32_t line;
    double started;
    bool is_told;  /* that it is running */
    bool finished; /* the file is through */
} TestWorker;

/* Starts a process for w->file, from test w->done on. False (with a message) when that can't be
 * done. In the child, forget frees its copy of what the parent holds. */
bool worker_start(TestWorker *w, const TestOptions *o, bool colour, void (*forget)(void *context),
                  void *context);
/* Reads what is there; complete results go to the report. */
void worker_read(TestWorker *w, TestReport *report);
/* Kills a process whose test has taken too long, and gives the test its result. */
void worker_time_out(TestWorker *w, const TestOptions *o, TestReport *report);
/* Ends the process, if there is one. */
void worker_stop(TestWorker *w);

#endif

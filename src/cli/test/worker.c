#include "cli/test/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process.h"
#include "cli/test/block.h"
#include "syntax/source.h"

/* ---- messages: a kind, then numbers and texts ---- */

typedef enum { MESSAGE_START, MESSAGE_RESULT, MESSAGE_END } MessageKind;

typedef struct {
    uint8_t kind, outcome;
    uint32_t line;
    double seconds;
    uint32_t name_len, failure_len, output_len; /* 0: none */
} Message;

/* ---- in the child ---- */

static void send_all(int fd, const void *data, size_t len)
{
    const char *p = data;
    while (len > 0) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        p += n;
        len -= (size_t)n;
    }
}

static uint32_t length_of(const char *text)
{
    return text ? (uint32_t)strlen(text) : 0;
}

static void send_result(int fd, MessageKind kind, const TestResult *r)
{
    Message m;
    memset(&m, 0, sizeof m);
    m.kind = (uint8_t)kind;
    m.outcome = (uint8_t)r->outcome;
    m.line = r->line;
    m.seconds = r->seconds;
    m.name_len = length_of(r->name);
    m.failure_len = length_of(r->failure);
    m.output_len = length_of(r->output);
    send_all(fd, &m, sizeof m);
    send_all(fd, r->name, m.name_len);
    send_all(fd, r->failure, m.failure_len);
    send_all(fd, r->output, m.output_len);
}

static bool wanted(const TestOptions *o, const char *name)
{
    return !o->filter || strstr(name, o->filter);
}

/* False when it was interrupted: then no other is begun. */
static bool run_block(Interp *in, Module *m, const TestDecl *test, bool colour, int fd)
{
    TestResult start = {.name = (char *)(uintptr_t)test->name,
                        .line = source_locate(test->name_span.start).line};
    send_result(fd, MESSAGE_START, &start);
    TestResult r = test_block_run(in, m, test, colour);
    send_result(fd, MESSAGE_RESULT, &r);
    bool goes_on = r.outcome != TEST_INTERRUPTED;
    test_result_free(&r);
    return goes_on;
}

static void run_blocks(Interp *in, Module *m, const TestOptions *o, int skip, bool colour, int fd)
{
    const AstList *list = &m->files.item[0]->body->list;
    int number = 0;
    for (int i = 0; i < list->len; i++) {
        if (list->item[i]->kind != AST_TEST || !wanted(o, list->item[i]->test->name)) continue;
        if (number++ >= skip && !run_block(in, m, list->item[i]->test, colour, fd)) return;
    }
}

/* A file whose top level fails is one failure. */
static void run_file(const char *path, const TestOptions *o, int skip, bool colour, int fd)
{
    Interp *in = interp_new();
    StrBuf output = {0};
    in->is_test = true;
    in->capture = &output;
    TestResult r = {.name = (char *)(uintptr_t) "the file itself"};
    if (skip == 0) send_result(fd, MESSAGE_START, &r);
    Module *m = module_load_file(in, path);
    if (m) {
        strbuf_free(&output);
        run_blocks(in, m, o, skip, colour, fd);
    } else {
        test_failure_settle(in, &output, colour, &r);
        send_result(fd, MESSAGE_RESULT, &r);
        r.name = NULL;
        test_result_free(&r);
    }
    interp_free(in);
}

bool worker_start(TestWorker *w, const TestOptions *o, bool colour, void (*forget)(void *context),
                  void *context)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return usage_error("no pipe for a test process: %s", strerror(errno)) == STATUS_OK;
    w->pid = fork();
    if (w->pid < 0) {
        w->pid = 0;
        close(ends[0]);
        close(ends[1]);
        return usage_error("no process for the tests: %s", strerror(errno)) == STATUS_OK;
    }
    if (w->pid == 0) {
        close(ends[0]);
        run_file(w->file, o, w->done, colour, ends[1]);
        TestResult end = {0};
        send_result(ends[1], MESSAGE_END, &end);
        close(ends[1]);
        process_end_child(forget, context);
    }
    close(ends[1]);
    w->fd = ends[0];
    w->started = monotonic_seconds();
    return true;
}

/* ---- in the parent ---- */

static void forget_test(TestWorker *w)
{
    mem_free(w->name);
    w->name = NULL;
}

static void add_result(TestWorker *w, TestReport *report, const Message *m, const char *texts)
{
    TestResult r = {.file = w->file,
                    .line = m->line,
                    .outcome = (TestOutcome)m->outcome,
                    .seconds = m->seconds};
    r.name = mem_strndup(texts, m->name_len);
    if (m->failure_len) r.failure = mem_strndup(texts + m->name_len, m->failure_len);
    if (m->output_len) r.output = mem_strndup(texts + m->name_len + m->failure_len, m->output_len);
    test_report_add(report, r);
    w->done++;
    forget_test(w);
}

static void understand(TestWorker *w, TestReport *report, const Message *m, const char *texts)
{
    switch (m->kind) {
    case MESSAGE_START:
        forget_test(w);
        w->name = mem_strndup(texts, m->name_len);
        w->line = m->line;
        w->started = monotonic_seconds();
        w->is_told = false;
        break;
    case MESSAGE_RESULT: add_result(w, report, m, texts); break;
    default: w->finished = true; break;
    }
}

static void understand_all(TestWorker *w, TestReport *report)
{
    size_t at = 0;
    Message m;
    while (w->incoming.len - at >= sizeof m) {
        memcpy(&m, w->incoming.data + at, sizeof m);
        size_t whole = sizeof m + (size_t)m.name_len + m.failure_len + m.output_len;
        if (w->incoming.len - at < whole) break;
        understand(w, report, &m, w->incoming.data + at + sizeof m);
        at += whole;
    }
    if (at) {
        memmove(w->incoming.data, w->incoming.data + at, w->incoming.len - at);
        w->incoming.len -= at;
    }
}

static void close_process(TestWorker *w, int *status)
{
    close(w->fd);
    while (waitpid(w->pid, status, 0) < 0 && errno == EINTR) continue;
    w->pid = 0;
    strbuf_free(&w->incoming);
}

static void fail_running(TestWorker *w, TestReport *report, TestOutcome outcome, char *why)
{
    TestResult r = {.file = w->file,
                    .line = w->line,
                    .outcome = outcome,
                    .seconds = monotonic_seconds() - w->started};
    r.name = w->name ? w->name : mem_strndup("the file itself", 15);
    w->name = NULL;
    r.failure = why;
    test_report_add(report, r);
    if (r.line == 0)
        w->finished = true;
    else
        w->done++;
}

/* The pipe is closed: the file is through, or its process has ended before its time. */
static void end_of_pipe(TestWorker *w, TestReport *report)
{
    int status;
    close_process(w, &status);
    if (w->finished && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    StrBuf why = {0};
    if (WIFSIGNALED(status))
        strbuf_printf(&why, "its process was ended by signal %d (%s)", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else
        strbuf_printf(&why, "its process ended with status %d", WEXITSTATUS(status));
    fail_running(w, report, TEST_CRASHED, strbuf_take(&why));
}

void worker_read(TestWorker *w, TestReport *report)
{
    char chunk[1 << 14];
    ssize_t n = read(w->fd, chunk, sizeof chunk);
    if (n > 0) {
        strbuf_bytes(&w->incoming, chunk, (size_t)n);
        understand_all(w, report);
    } else if (n == 0) {
        end_of_pipe(w, report);
    }
}

void worker_time_out(TestWorker *w, const TestOptions *o, TestReport *report)
{
    int status;
    StrBuf why = {0};
    kill(w->pid, SIGKILL);
    close_process(w, &status);
    strbuf_printf(&why, "it took longer than %g seconds and was stopped", o->timeout);
    fail_running(w, report, TEST_TIMED_OUT, strbuf_take(&why));
}

void worker_stop(TestWorker *w)
{
    int status;
    if (w->pid) {
        kill(w->pid, SIGKILL);
        close_process(w, &status);
    }
    forget_test(w);
}

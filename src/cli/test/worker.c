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

enum { TEXTS = 6 };

typedef struct {
    uint8_t kind, outcome;
    uint32_t line;
    double seconds;
    uint32_t len[TEXTS]; /* 0: none */
} Message;

/* A result's texts, in the order in which they are sent. */
static void texts_of(TestResult *r, char **text[TEXTS])
{
    char **all[TEXTS] = {&r->name, &r->failure, &r->message, &r->kind, &r->fields, &r->output};
    memcpy(text, all, sizeof all);
}

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

static void send_result(int fd, MessageKind kind, TestResult *r)
{
    Message m;
    char **text[TEXTS];
    texts_of(r, text);
    memset(&m, 0, sizeof m);
    m.kind = (uint8_t)kind;
    m.outcome = (uint8_t)r->outcome;
    m.line = r->line;
    m.seconds = r->seconds;
    for (int i = 0; i < TEXTS; i++) m.len[i] = length_of(*text[i]);
    send_all(fd, &m, sizeof m);
    for (int i = 0; i < TEXTS; i++) send_all(fd, *text[i], m.len[i]);
}

/* False when it was interrupted: then no other is begun. */
static bool run_block(Interp *in, Module *m, const TestDecl *test, bool colour, int fd)
{
    TestResult start = {.name = test_shown_name(test),
                        .line = source_locate(test->name_span.start).line};
    send_result(fd, MESSAGE_START, &start);
    mem_free(start.name);
    TestResult r = test_block_run(in, m, test, colour);
    send_result(fd, MESSAGE_RESULT, &r);
    bool goes_on = r.outcome != TEST_INTERRUPTED;
    test_result_free(&r);
    return goes_on;
}

static void run_blocks(Interp *in, Module *m, const char *path, const TestOptions *o, int skip,
                       bool colour, int fd)
{
    const AstList *list = &m->files.item[0]->body->list;
    int number = 0;
    for (int i = 0; i < list->len; i++) {
        const Ast *test = list->item[i];
        if (test->kind != AST_TEST || !filters_want(&o->filters, path, test)) continue;
        if (number++ >= skip && !run_block(in, m, test->test, colour, fd)) return;
    }
}

/* A file whose top level fails is one failure. */
static void run_file(const char *path, const TestOptions *o, int skip, bool colour, int fd)
{
    Interp *in = interp_new();
    StrBuf output = {0};
    in->is_test = true;
    in->capture = &output;
    TestResult r = {.file = path, .name = (char *)(uintptr_t) "the file itself"};
    if (skip == 0) send_result(fd, MESSAGE_START, &r);
    Module *m = module_load_file(in, path);
    if (m) {
        strbuf_free(&output);
        run_blocks(in, m, path, o, skip, colour, fd);
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
    pid_t parent = getpid();
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
        process_end_with(parent);
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
    char **text[TEXTS];
    texts_of(&r, text);
    for (int i = 0; i < TEXTS; texts += m->len[i++])
        if (m->len[i]) *text[i] = mem_strndup(texts, m->len[i]);
    test_report_add(report, r);
    w->done++;
    forget_test(w);
}

static void understand(TestWorker *w, TestReport *report, const Message *m, const char *texts)
{
    switch (m->kind) {
    case MESSAGE_START:
        forget_test(w);
        w->name = mem_strndup(texts, m->len[0]);
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
        size_t whole = sizeof m;
        for (int i = 0; i < TEXTS; i++) whole += m.len[i];
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

/* Takes why. */
static void fail_running(TestWorker *w, TestReport *report, TestOutcome outcome, StrBuf *why)
{
    TestResult r = {.file = w->file,
                    .line = w->line,
                    .outcome = outcome,
                    .seconds = monotonic_seconds() - w->started};
    r.name = w->name ? w->name : mem_strndup("the file itself", 15);
    w->name = NULL;
    Error err = {.kind = ERR_USER, .message = strbuf_take(why)};
    test_result_fail(&r, &err, false);
    error_clear(&err);
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
    fail_running(w, report, TEST_CRASHED, &why);
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
    strbuf_printf(&why,
                  "it took longer than %g second%s and was stopped (--timeout sets the limit)",
                  o->timeout, o->timeout == 1 ? "" : "s");
    fail_running(w, report, TEST_TIMED_OUT, &why);
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

#include "cli/test/pool.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/test/worker.h"

typedef struct {
    const FileList *files;
    const TestOptions *o;
    bool colour, stop;
    TestReport *report;
    TestReport *of_file; /* results of each file, until its turn */
    TestWorker *worker;  /* one a file */
    int *shown;          /* results of a file that the sink has had */
    int next_file;       /* to be started */
    int front;           /* the file whose results are shown as they come */
    TestSink *sink;
    void *context;
} Pool;

static void free_pool(void *context)
{
    Pool *p = context;
    for (int i = 0; i < p->files->path.len; i++) {
        test_report_free(&p->of_file[i]);
        mem_free(p->worker[i].name);
        strbuf_free(&p->worker[i].incoming);
    }
    mem_free(p->of_file);
    mem_free(p->worker);
    mem_free(p->shown);
}

/* In a child: its copy of what the parent holds, down to the arguments of viv test. */
static void forget_parent(void *context)
{
    Pool *p = context;
    FileList *files = (FileList *)(uintptr_t)p->files;
    free_pool(p);
    test_report_free(p->report);
    test_options_free((TestOptions *)(uintptr_t)p->o);
    file_list_free(files);
}

static bool is_running(const TestWorker *w)
{
    return w->pid != 0;
}

/* Hands on what is next in the order of the files. */
static void show(Pool *p)
{
    for (; p->front < p->files->path.len; p->front++) {
        TestReport *r = &p->of_file[p->front];
        for (; p->shown[p->front] < r->result.len; p->shown[p->front]++)
            p->sink(p->context, &r->result.item[p->shown[p->front]]);
        if (!p->worker[p->front].finished) return;
    }
}

static void start_file(Pool *p, int i)
{
    TestWorker *w = &p->worker[i];
    w->file = p->files->path.item[i];
    if (!worker_start(w, p->o, p->colour, forget_parent, p)) p->stop = true;
}

/* A file whose process has gone before its end gets another one, behind the test that took it down.
 */
static void go_on(Pool *p, int i)
{
    TestWorker *w = &p->worker[i];
    if (!is_running(w) && !w->finished && !p->stop) start_file(p, i);
}

static int running(const Pool *p)
{
    int n = 0;
    for (int i = 0; i < p->next_file; i++) n += is_running(&p->worker[i]);
    return n;
}

static void check_time(Pool *p, int i)
{
    TestWorker *w = &p->worker[i];
    if (p->o->timeout > 0.0 && is_running(w) && w->name &&
        monotonic_seconds() - w->started > p->o->timeout)
        worker_time_out(w, p->o, &p->of_file[i]);
}

/* A test that takes its time is worth a word, once. */
static void show_running(Pool *p, int i)
{
    enum { WORTH_TELLING_MS = 150 };
    TestWorker *w = &p->worker[i];
    if (!is_running(w) || !w->name || w->is_told ||
        1e3 * (monotonic_seconds() - w->started) < WORTH_TELLING_MS)
        return;
    TestResult r = {.file = w->file, .name = w->name, .line = w->line, .outcome = TEST_RUNNING};
    w->is_told = true;
    p->sink(p->context, &r);
}

static void settle(Pool *p, int i)
{
    TestReport *r = &p->of_file[i];
    if (r->interrupted || (p->o->fail_fast && r->failed)) p->stop = true;
}

/* Waits for any process to say something, or for the next look at the clock. */
static void wait_for_any(Pool *p)
{
    struct pollfd few[64];
    int file[64], n = 0;
    for (int i = 0; i < p->next_file && n < 64; i++) {
        if (!is_running(&p->worker[i])) continue;
        few[n] = (struct pollfd){.fd = p->worker[i].fd, .events = POLLIN};
        file[n++] = i;
    }
    int ready =
        poll(few, (nfds_t)n, p->o->timeout > 0.0 || p->o->format == FORMAT_PRETTY ? 20 : -1);
    for (int k = 0; k < n; k++) {
        int i = file[k];
        if (ready > 0 && few[k].revents) worker_read(&p->worker[i], &p->of_file[i]);
        check_time(p, i);
        show_running(p, i);
        settle(p, i);
        go_on(p, i);
    }
    if (interrupt_flag) {
        p->stop = true;
        p->report->interrupted = true;
    }
}

static void collect(Pool *p)
{
    for (int i = 0; i < p->files->path.len; i++) {
        worker_stop(&p->worker[i]);
        p->worker[i].finished = true;
    }
    show(p);
    for (int i = 0; i < p->files->path.len; i++) {
        TestReport *r = &p->of_file[i];
        p->report->interrupted |= r->interrupted;
        for (int k = 0; k < r->result.len; k++) test_report_add(p->report, r->result.item[k]);
        r->result.len = 0;
    }
}

void pool_run(const FileList *files, const TestOptions *o, bool colour, TestReport *report,
              TestSink *sink, void *context)
{
    int n = files->path.len;
    double start = monotonic_seconds();
    Pool p = {.files = files,
              .o = o,
              .colour = colour,
              .report = report,
              .sink = sink,
              .context = context};
    p.of_file = mem_calloc((size_t)n, sizeof *p.of_file);
    p.worker = mem_calloc((size_t)n, sizeof *p.worker);
    p.shown = mem_calloc((size_t)n, sizeof *p.shown);
    while (!p.stop && (p.next_file < n || running(&p) > 0)) {
        while (!p.stop && p.next_file < n && running(&p) < o->jobs) start_file(&p, p.next_file++);
        if (running(&p) > 0) wait_for_any(&p);
        show(&p);
    }
    collect(&p);
    report->seconds = monotonic_seconds() - start;
    free_pool(&p);
}

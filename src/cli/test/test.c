/* viv test: every test block of every file, in isolation, with a report. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/find.h"
#include "cli/test/block.h"
#include "cli/test/pool.h"
#include "cli/test/report.h"
#include "eval/read_file.h"
#include "syntax/parse.h"

/* Leaves out the files that can't have a wanted test. */
static void drop_unwanted(FileList *files, const TestOptions *o)
{
    int n = 0;
    for (int i = 0; i < files->path.len; i++) {
        if (filters_want_file(&o->filters, files->path.item[i]))
            files->path.item[n++] = files->path.item[i];
        else
            mem_free(files->path.item[i]);
    }
    files->path.len = n;
}

static bool collect(FileList *files, const TestOptions *o, Error *err)
{
    if (o->n_paths == 0 && !find_files(files, ".", err)) return false;
    for (int i = 0; i < o->n_paths; i++)
        if (!find_files(files, o->path[i], err)) return false;
    drop_unwanted(files, o);
    return true;
}

/* ---- --list ---- */

static int list_file(const char *path, const TestOptions *o, int *count)
{
    Error err = {0};
    StrBuf text = {0};
    SyntaxFile file = {0};
    int status = STATUS_OK;
    const Source *source =
        read_file(path, &text, &err) ? source_add(path, strbuf_str(&text), text.len) : NULL;
    if (source && parse_source(source, &file, &err)) {
        for (int i = 0; i < file.body->list.len; i++) {
            const Ast *s = file.body->list.item[i];
            if (s->kind != AST_TEST || !filters_want(&o->filters, path, s)) continue;
            char *name = test_shown_name(s->test);
            printf("%s: %s\n", path, name);
            mem_free(name);
            ++*count;
        }
    } else {
        status = report_diagnostic(&err);
    }
    syntax_file_free(&file);
    strbuf_free(&text);
    return status;
}

static int list_tests(const FileList *files, const TestOptions *o)
{
    int status = STATUS_OK, count = 0;
    for (int i = 0; i < files->path.len; i++)
        if (list_file(files->path.item[i], o, &count) != STATUS_OK) status = STATUS_FAILED;
    if (count == 0 && status == STATUS_OK) puts("no tests");
    return count ? status : STATUS_FAILED;
}

/* ---- one run ---- */

static int run_once(const FileList *files, const TestOptions *o)
{
    TestReport report = {0};
    Reporter reporter = {.o = o,
                         .n_files = files->path.len,
                         .is_terminal = isatty(STDOUT_FILENO),
                         .colour = o->format == FORMAT_PRETTY && use_colour(STDOUT_FILENO)};
    pool_run(files, o, reporter.colour, &report, report_result, &reporter);
    report_end(&reporter, &report);
    int status = report.interrupted                    ? STATUS_INTERRUPTED
                 : report.failed || report.passed == 0 ? STATUS_FAILED
                                                       : STATUS_OK;
    test_report_free(&report);
    return status;
}

/* ---- --watch ---- */

/* When a file last changed; 0 when it can't be read. */
static double changed_at(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0) return 0.0;
    return (double)s.st_mtim.tv_sec + 1e-9 * (double)s.st_mtim.tv_nsec;
}

/* Whether the text of path imports a module of that name. */
static bool imports(const char *path, const char *module)
{
    StrBuf text = {0}, wanted = {0};
    Error ignored = {0};
    size_t len = strlen(module) > 4 ? strlen(module) - 4 : 0;
    strbuf_bytes(&wanted, module, len);
    bool found = read_file(path, &text, &ignored) && strstr(strbuf_str(&text), "import") &&
                 strstr(strbuf_str(&text), strbuf_str(&wanted));
    error_clear(&ignored);
    strbuf_free(&text);
    strbuf_free(&wanted);
    return found;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The files that changed since before, and those that seem to import them. */
static void changed_files(const FileList *files, double before, FileList *changed)
{
    for (int i = 0; i < files->path.len; i++) {
        const char *path = files->path.item[i];
        bool wanted = changed_at(path) > before;
        for (int k = 0; !wanted && k < files->path.len; k++)
            wanted = changed_at(files->path.item[k]) > before &&
                     imports(path, file_name(files->path.item[k]));
        if (wanted) VEC_PUSH(&changed->path, mem_strndup(path, strlen(path)));
    }
}

static double latest_change(const FileList *files)
{
    double latest = 0.0;
    for (int i = 0; i < files->path.len; i++) {
        double t = changed_at(files->path.item[i]);
        if (t > latest) latest = t;
    }
    return latest;
}

static void watch_once(const TestOptions *o, double *before)
{
    FileList files = {0}, changed = {0};
    Error err = {0};
    if (collect(&files, o, &err)) {
        changed_files(&files, *before, &changed);
        if (changed.path.len) {
            *before = latest_change(&files);
            run_once(&changed, o);
            puts("\nwatching; Ctrl-C ends");
            fflush(stdout);
        }
    }
    error_clear(&err);
    file_list_free(&files);
    file_list_free(&changed);
}

static int watch(const TestOptions *o)
{
    double before = -1.0;
    while (!interrupt_flag) {
        watch_once(o, &before);
        struct timespec pause = {.tv_nsec = 200000000};
        nanosleep(&pause, NULL);
    }
    interrupt_flag = 0;
    return STATUS_INTERRUPTED;
}

/* ---- the command ---- */

int command_test(int argc, char **argv)
{
    TestOptions o;
    FileList files = {0};
    Error err = {0};
    int status = test_options_read(&o, argc, argv);
    if (status == STATUS_OK && o.watch) {
        status = watch(&o);
    } else if (status == STATUS_OK) {
        if (!collect(&files, &o, &err)) {
            usage_error("%s", err.message);
            status = STATUS_FAILED;
        } else {
            status = o.list ? list_tests(&files, &o) : run_once(&files, &o);
        }
    }
    error_clear(&err);
    file_list_free(&files);
    test_options_free(&o);
    return status;
}

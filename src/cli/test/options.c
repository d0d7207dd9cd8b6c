#include "cli/test/options.h"

#include <stdlib.h>
#include <string.h>

const CommandOption test_options[] = {
    {"--filter", "TEXT",
     "only tests whose name contains TEXT, or the one at FILE.viv:LINE; may be given several times"},
    {"--list", NULL, "print the names of the tests, run none"},
    {"--jobs", "N", "run N files at a time, each in a process of its own"},
    {"--timeout", "SECONDS",
     "a test that takes longer is killed, and has failed; 60 if not said, 0 for no limit"},
    {"--fail-fast", NULL, "stop after the first failure"},
    {"--quiet", NULL, "of a pretty report, only what failed and the last line"},
    {"--format", "pretty|tap|junit|json",
     "the report: pretty is for people, the others for programs"},
    {"--slowest", "N", "after the report, the N slowest tests"},
    {"--watch", NULL, "run again what changes, until Ctrl-C"},
    COLOR_OPTION,
    {0},
};

static int read_count(const char *flag, const char *text, int least, int *to)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || end == text || n < least || n > 1000)
        return usage_error("%s takes a number from %d to 1000, not %s", flag, least, text);
    *to = (int)n;
    return STATUS_OK;
}

static int read_seconds(const char *text, double *to)
{
    char *end;
    *to = strtod(text, &end);
    if (*end || end == text || !(*to >= 0.0 && *to < 1e6))
        return usage_error("--timeout takes a number of seconds, not %s", text);
    return STATUS_OK;
}

static int apply(TestOptions *o, const CommandOption *option, const char *value)
{
    const char *flag = option->flag;
    if (strcmp(flag, "--filter") == 0) filters_add(&o->filters, value);
    if (strcmp(flag, "--list") == 0) o->list = true;
    if (strcmp(flag, "--fail-fast") == 0) o->fail_fast = true;
    if (strcmp(flag, "--watch") == 0) o->watch = true;
    if (strcmp(flag, "--quiet") == 0) o->quiet = true;
    if (strcmp(flag, "--jobs") == 0) return read_count(flag, value, 1, &o->jobs);
    if (strcmp(flag, "--slowest") == 0) return read_count(flag, value, 1, &o->slowest);
    if (strcmp(flag, "--timeout") == 0) return read_seconds(value, &o->timeout);
    if (strcmp(flag, "--format") == 0) o->format = (TestFormat)option_choice(option, value);
    return STATUS_OK;
}

int test_options_read(TestOptions *o, int argc, char **argv)
{
    *o = (TestOptions){.jobs = 1, .timeout = 60.0};
    o->path = mem_calloc((size_t)argc + 1, sizeof *o->path);
    bool only_paths = false;
    for (int i = 0; i < argc; i++) {
        const char *value;
        if (only_paths || argv[i][0] != '-') {
            o->path[o->n_paths++] = argv[i];
            continue;
        }
        only_paths = strcmp(argv[i], "--") == 0;
        if (only_paths) continue;
        const CommandOption *option = option_read("test", test_options, argc, argv, &i, &value);
        if (!option) return STATUS_USAGE;
        int status = apply(o, option, value);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

void test_options_free(TestOptions *o)
{
    filters_free(&o->filters);
    mem_free(o->path);
    *o = (TestOptions){0};
}

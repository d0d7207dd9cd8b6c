/* viv run: a file, standard input, or text. */
#include <string.h>

#include "builtins/utf8.h"
#include "cli/cli.h"
#include "cli/profile/report.h"
#include "eval/read_file.h"

const CommandOption run_options[] = {
    {"--profile", NULL, "show on stderr where time and memory went"},
    {"--folded", "FILE", "write the same by stacks of calls, for flame graphs"},
    COLOR_OPTION,
    {0},
};

typedef struct {
    bool profile;
    const char *folded; /* a path, or NULL */
} Measure;

/* A Str is UTF-8, so the program's arguments have to be. */
static bool args_are_text(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        size_t len = strlen(argv[i]), valid = utf8_valid(argv[i], len);
        if (valid == len) continue;
        usage_error("argument %d of the program is not UTF-8: after \"%.*s\" comes the byte 0x%02x",
                    i + 1, (int)valid, argv[i], (unsigned char)argv[i][valid]);
        return false;
    }
    return true;
}

/* NULL after a message about the arguments. */
static Interp *start(const Measure *m, int argc, char **argv)
{
    if (!args_are_text(argc, argv)) return NULL;
    Interp *in = interp_new();
    interp_set_args(in, (const char *const *)argv, argc);
    if (m->profile || m->folded) in->profile = profile_new(&in->ad);
    return in;
}

static int report_profile(Profile *p, const Measure *m, int status)
{
    profile_stop(p);
    fflush(stdout);
    if (m->profile) profile_print(p);
    if (m->folded && !profile_write_folded(p, m->folded) && status == STATUS_OK)
        status = STATUS_FAILED;
    profile_free(p);
    return status;
}

static int finish(Interp *in, const Measure *m, bool ok)
{
    int status = ok ? STATUS_OK : report_error(in);
    Profile *p = in->profile;
    in->profile = NULL;
    if (p) status = report_profile(p, m, status);
    interp_free(in);
    return status;
}

static int run_text(const Measure *m, const char *name, const char *text, size_t len, int argc,
                    char **argv)
{
    Interp *in = start(m, argc, argv);
    if (!in) return STATUS_USAGE;
    return finish(in, m, module_load_text(in, name, text, len, ".") != NULL);
}

static int run_stdin(const Measure *m, int argc, char **argv)
{
    StrBuf text = {0};
    Error err = {0};
    if (!read_file("-", &text, &err)) {
        usage_error("%s", err.message);
        error_clear(&err);
        strbuf_free(&text);
        return STATUS_FAILED;
    }
    int status = run_text(m, "<stdin>", strbuf_str(&text), text.len, argc, argv);
    strbuf_free(&text);
    return status;
}

/* Options come before the program; what follows it, is the program's. False after a message. */
static bool read_options(Measure *m, int argc, char **argv, int *i)
{
    for (; *i < argc && argv[*i][0] == '-' && argv[*i][1] && strcmp(argv[*i], "-e") != 0; ++*i) {
        const char *value;
        const CommandOption *o = option_read("run", run_options, argc, argv, i, &value);
        if (!o) return false;
        if (strcmp(o->flag, "--profile") == 0) m->profile = true;
        if (strcmp(o->flag, "--folded") == 0) m->folded = value;
    }
    return true;
}

int command_run(int argc, char **argv)
{
    Measure m = {0};
    int first = 0;
    if (!read_options(&m, argc, argv, &first)) return STATUS_USAGE;
    argc -= first, argv += first;
    if (argc == 0) return usage_error("run needs a file: viv run FILE [ARG…], or viv run -e TEXT");
    if (strcmp(argv[0], "-e") == 0) {
        if (argc < 2) return usage_error("-e needs the text to run: viv -e 'print(1)'");
        return run_text(&m, "<text>", argv[1], strlen(argv[1]), argc - 2, argv + 2);
    }
    if (strcmp(argv[0], "-") == 0) return run_stdin(&m, argc - 1, argv + 1);
    Interp *in = start(&m, argc - 1, argv + 1);
    if (!in) return STATUS_USAGE;
    return finish(in, &m, module_load_file(in, argv[0]) != NULL);
}

/* viv run: a file, standard input, or text. */
#include <string.h>

#include "cli/cli.h"
#include "eval/read_file.h"

static int finish(Interp *in, bool ok)
{
    int status = ok ? STATUS_OK : report_error(in);
    interp_free(in);
    return status;
}

static int run_text(const char *name, const char *text, size_t len, int argc, char **argv)
{
    Interp *in = interp_new();
    interp_set_args(in, (const char *const *)argv, argc);
    return finish(in, module_load_text(in, name, text, len, ".") != NULL);
}

static int run_stdin(int argc, char **argv)
{
    StrBuf text = {0};
    Error err = {0};
    if (!read_file("-", &text, &err)) {
        usage_error("%s", err.message);
        error_clear(&err);
        strbuf_free(&text);
        return STATUS_FAILED;
    }
    int status = run_text("<stdin>", strbuf_str(&text), text.len, argc, argv);
    strbuf_free(&text);
    return status;
}

int command_run(int argc, char **argv)
{
    if (argc == 0) return usage_error("run needs a file: viv run FILE [ARG…], or viv run -e TEXT");
    if (strcmp(argv[0], "-e") == 0) {
        if (argc < 2) return usage_error("-e needs the text to run: viv -e 'print(1)'");
        return run_text("<text>", argv[1], strlen(argv[1]), argc - 2, argv + 2);
    }
    if (strcmp(argv[0], "-") == 0) return run_stdin(argc - 1, argv + 1);
    if (argv[0][0] == '-')
        return usage_error("run has no option %s; viv help run shows what it takes", argv[0]);
    Interp *in = interp_new();
    interp_set_args(in, (const char *const *)argv + 1, argc - 1);
    return finish(in, module_load_file(in, argv[0]) != NULL);
}

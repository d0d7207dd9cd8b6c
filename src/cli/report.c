#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "syntax/diagnostic.h"

int usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("viv: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return STATUS_USAGE;
}

bool use_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool is_dumb = terminal && strcmp(terminal, "dumb") == 0;
    return isatty(fd) && !is_dumb && !(no_color && *no_color);
}

int report_error(Interp *in)
{
    Error *err = &in->err;
    int status = err->kind == ERR_EXIT        ? err->exit_code
                 : err->kind == ERR_INTERRUPT ? STATUS_INTERRUPTED
                                              : STATUS_FAILED;
    fflush(stdout);
    if (err->kind != ERR_EXIT) {
        StrBuf text = {0};
        diagnostic_write(&text, err, use_colour(STDERR_FILENO));
        fputs(strbuf_str(&text), stderr);
        strbuf_free(&text);
    }
    error_clear(err);
    return status;
}

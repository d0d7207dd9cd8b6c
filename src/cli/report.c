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

static enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour_choice;

void choose_colour(const char *when)
{
    colour_choice = strcmp(when, "always") == 0  ? COLOUR_ALWAYS
                    : strcmp(when, "never") == 0 ? COLOUR_NEVER
                                                 : COLOUR_AUTO;
}

bool use_colour(int fd)
{
    if (colour_choice != COLOUR_AUTO) return colour_choice == COLOUR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool is_dumb = terminal && strcmp(terminal, "dumb") == 0;
    return isatty(fd) && !is_dumb && !(no_color && *no_color);
}

int report_diagnostic(Error *err)
{
    StrBuf text = {0};
    fflush(stdout);
    diagnostic_write(&text, err, use_colour(STDERR_FILENO));
    fputs(strbuf_str(&text), stderr);
    strbuf_free(&text);
    int status = err->kind == ERR_INTERNAL ? STATUS_INTERNAL : STATUS_FAILED;
    error_clear(err);
    return status;
}

int report_error(Interp *in)
{
    Error *err = &in->err;
    int status = err->kind == ERR_EXIT        ? err->exit_code
                 : err->kind == ERR_INTERRUPT ? STATUS_INTERRUPTED
                                              : STATUS_FAILED;
    if (err->kind != ERR_EXIT) report_diagnostic(err);
    fflush(stdout);
    error_clear(err);
    return status;
}

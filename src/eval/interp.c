#include "eval/interp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "eval/module.h"

/* The folders of VIV_PATH, separated by colons. */
static void read_search_path(Interp *in)
{
    const char *text = getenv("VIV_PATH");
    if (!text || !*text) return;
    in->search_path_text = mem_strndup(text, strlen(text));
    size_t n = 1;
    for (const char *p = text; *p; p++) n += *p == ':';
    const char **folder = mem_calloc(n + 1, sizeof *folder);
    char *rest = in->search_path_text, *part;
    for (n = 0; (part = strsep(&rest, ":"));)
        if (*part) folder[n++] = part;
    in->search_path = folder;
}

Interp *interp_new(void)
{
    Interp *in = mem_calloc(1, sizeof *in);
    in->ad.err = &in->err;
    in->args = tuple_new(0);
    read_search_path(in);
    return in;
}

void interp_free(Interp *in)
{
    for (int i = 0; i < in->modules.len; i++) module_release_values(in->modules.item[i]);
    for (int i = 0; i < in->modules.len; i++) module_free(in->modules.item[i]);
    VEC_FREE(&in->modules);
    VEC_FREE(&in->opening);
    value_release(value_tuple(in->args));
    mem_free((void *)(uintptr_t)in->search_path);
    mem_free(in->search_path_text);
    error_clear(&in->err);
    ad_free(&in->ad);
    mem_free(in);
}

void interp_set_args(Interp *in, const char *const *arg, int n)
{
    value_release(value_tuple(in->args));
    in->args = tuple_new(n);
    for (int i = 0; i < n; i++) in->args->item[i] = value_str(str_of(arg[i]));
}

/* A part of a line shows at once where somebody may watch it grow. */
void interp_print(Interp *in, FILE *to, const char *text, size_t len)
{
    if (in->capture) {
        strbuf_bytes(in->capture, text, len);
        return;
    }
    if (to != stdout) fflush(stdout);
    fwrite(text, 1, len, to);
    if (len) in->line_is_open = text[len - 1] != '\n';
    if (in->line_is_open && isatty(fileno(to))) fflush(to);
}

TextStyle interp_style(const Interp *in, FILE *to)
{
    TextStyle style = in->style;
    style.width = in->capture ? 0 : terminal_width(fileno(to));
    return style;
}

/* viv fmt: the one layout (syntax/layout/layout.h) of files, folders or standard input. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtins/files/file.h"
#include "cli/cli.h"
#include "cli/find.h"
#include "eval/read_file.h"
#include "syntax/layout/layout.h"

const CommandOption fmt_options[] = {
    {"--check", NULL, "write nothing; fail when a file is not laid out"},
    {"--diff", NULL, "write nothing; show what would change"},
    COLOR_OPTION,
    {0},
};

typedef struct {
    bool check, diff;
    int changed;
} Format;

static bool lay_out(const char *path, StrBuf *before, StrBuf *after, Error *err)
{
    if (!read_file(path, before, err)) return false;
    const Source *source =
        source_add(strcmp(path, "-") == 0 ? "<stdin>" : path, strbuf_str(before), before->len);
    return source ? layout_source(source, after, err)
                  : error_set(err, ERR_MEMORY, "%s is too large", path);
}

/* ---- --diff: the changed lines, with what is alike at both ends left out ---- */

static size_t line_length(const char *p)
{
    size_t n = strcspn(p, "\n");
    return n + (p[n] == '\n');
}

static void print_lines(const char *from, const char *to, char mark)
{
    while (from < to) {
        size_t n = line_length(from);
        printf("%c%.*s%s", mark, (int)n, from, from[n - 1] == '\n' ? "" : "\n");
        from += n;
    }
}

/* The next line of one side that stands on the other side too, within a few lines; both are moved
 * there. */
static void skip_to_common(const char **a, const char **b)
{
    enum { NEAR = 40 };
    const char *p = *a;
    for (int i = 0; i < NEAR && *p; i++, p += line_length(p)) {
        const char *q = *b;
        for (int k = 0; k < NEAR && *q; k++, q += line_length(q)) {
            if (line_length(p) != line_length(q) || strncmp(p, q, line_length(p)) != 0 ||
                *p == '\n')
                continue;
            *a = p;
            *b = q;
            return;
        }
    }
    *a += strlen(*a);
    *b += strlen(*b);
}

static void print_diff(const char *path, const char *a, const char *b)
{
    int line = 1;
    printf("--- %s\n+++ %s, laid out\n", path, path);
    while (*a || *b) {
        size_t n = line_length(a);
        if (*a && n == line_length(b) && strncmp(a, b, n) == 0) {
            a += n;
            b += n;
            line++;
            continue;
        }
        const char *from_a = a, *from_b = b;
        skip_to_common(&a, &b);
        printf("@@ line %d @@\n", line);
        print_lines(from_a, a, '-');
        print_lines(from_b, b, '+');
        for (const char *p = from_a; p < a; p += line_length(p)) line++;
    }
}

/* ---- files ---- */

static int settle(const char *path, const StrBuf *before, const StrBuf *after, Format *f,
                  Error *err)
{
    bool same =
        before->len == after->len && memcmp(strbuf_str(before), strbuf_str(after), after->len) == 0;
    bool is_stdin = strcmp(path, "-") == 0;
    if (f->diff && !same)
        print_diff(is_stdin ? "<stdin>" : path, strbuf_str(before), strbuf_str(after));
    f->changed += !same;
    if (f->check || f->diff) {
        if (f->check && !f->diff && !same) puts(is_stdin ? "<stdin>" : path);
        return STATUS_OK;
    }
    if (is_stdin)
        fwrite(strbuf_str(after), 1, after->len, stdout);
    else if (!same && !file_write(path, strbuf_str(after), after->len, err))
        return report_diagnostic(err);
    return STATUS_OK;
}

static int format_file(const char *path, Format *f)
{
    StrBuf before = {0}, after = {0};
    Error err = {0};
    int status = lay_out(path, &before, &after, &err) ? settle(path, &before, &after, f, &err)
                                                      : report_diagnostic(&err);
    strbuf_free(&before);
    strbuf_free(&after);
    return status;
}

static int format_all(int n, char **path, Format *f)
{
    FileList files = {0};
    Error err = {0};
    int status = STATUS_OK;
    for (int i = 0; i < n; i++) {
        bool is_stdin = strcmp(path[i], "-") == 0;
        if (is_stdin)
            VEC_PUSH(&files.path, mem_strndup("-", 1));
        else if (!find_files(&files, path[i], &err))
            status = report_diagnostic(&err);
    }
    for (int i = 0; i < files.path.len; i++) {
        int of_file = format_file(files.path.item[i], f);
        if (of_file > status) status = of_file;
    }
    file_list_free(&files);
    return status == STATUS_OK && (f->check || f->diff) && f->changed ? STATUS_FAILED : status;
}

int command_fmt(int argc, char **argv)
{
    Format f = {0};
    int n = 0;
    for (int i = 0; i < argc; i++) {
        const char *value;
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[n++] = argv[i];
            continue;
        }
        const CommandOption *o = option_read("fmt", fmt_options, argc, argv, &i, &value);
        if (!o) return STATUS_USAGE;
        f.check |= strcmp(o->flag, "--check") == 0;
        f.diff |= strcmp(o->flag, "--diff") == 0;
    }
    if (n == 0) return usage_error("fmt needs a file, a folder, or - for standard input");
    return format_all(n, argv, &f);
}

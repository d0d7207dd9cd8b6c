#include "eval/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

/* Without a size that is known beforehand a reader would go on for ever. */
typedef struct {
    const char *name;
    size_t most;
    const char *what; /* is larger than `most` allows */
    const char *magic;
    Error *err;
} Reading;

static bool io_error(const Reading *r)
{
    return error_set(r->err, ERR_IO, "%s: %s", r->name, strerror(errno));
}

/* A signal ends a call that waits; only Ctrl-C's ends the reading. */
static bool again(const Reading *r)
{
    return errno == EINTR ? interrupt_poll(r->err) : io_error(r);
}

static bool too_large(const Reading *r)
{
    return error_set(r->err, ERR_MEMORY, "%s has more than %.3g GiB, %s", r->name,
                     (double)r->most / (1 << 30), r->what);
}

/* What can't be the beginning of what is wanted need not be read to its end. */
static bool begins_otherwise(const Reading *r, const StrBuf *out, size_t before)
{
    size_t len = r->magic ? strlen(r->magic) : 0;
    return len && out->len - before >= len && memcmp(out->data + before, r->magic, len) != 0;
}

static bool read_all(const Reading *r, FILE *f, StrBuf *out)
{
    char chunk[1 << 14];
    size_t before = out->len;
    for (;;) {
        strbuf_bytes(out, chunk, fread(chunk, 1, sizeof chunk, f));
        if (out->len - before > r->most) return too_large(r);
        if (ferror(f) && !again(r)) return false;
        if (feof(f) || begins_otherwise(r, out, before)) return true;
        if (!interrupt_poll(r->err)) return false;
        clearerr(f);
    }
}

/* Of a file that is too large not a byte is read; room for all others is made at once. */
static bool make_room(const Reading *r, FILE *f, StrBuf *out)
{
    struct stat s;
    if (fstat(fileno(f), &s) != 0 || !S_ISREG(s.st_mode) || r->magic) return true;
    if (s.st_size > 0 && (size_t)s.st_size > r->most) return too_large(r);
    strbuf_reserve(out, (size_t)s.st_size);
    return true;
}

static bool read_up_to(Reading *r, const char *path, StrBuf *out)
{
    bool is_stdin = strcmp(path, "-") == 0;
    r->name = is_stdin ? "<stdin>" : path;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    while (!f && again(r)) f = fopen(path, "rb");
    if (!f) return false;
    bool ok = make_room(r, f, out) && read_all(r, f, out);
    if (!is_stdin) fclose(f);
    if (!ok) strbuf_free(out);
    return ok;
}

bool read_file(const char *path, StrBuf *out, Error *err)
{
    Reading r = {.most = (size_t)1 << 29, .what = "the most that a program may have", .err = err};
    return read_up_to(&r, path, out);
}

bool read_data(const char *path, const char *magic, StrBuf *out, Error *err)
{
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    Reading r = {
        .most = memory / 2, .what = "half of this machine's memory", .magic = magic, .err = err};
    return read_up_to(&r, path, out);
}

#include "builtins/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/strbuf.h"

/* After an interrupt there is an error already. */
static bool io_error(Error *err, const char *path)
{
    if (error_is_set(err)) return false;
    return error_set(err, ERR_IO, "can't write %s: %s", path, strerror(errno));
}

static bool write_all(int fd, const char *data, size_t len, Error *err)
{
    enum { AT_ONCE = 1 << 20 };
    while (len > 0) {
        ssize_t n = write(fd, data, len < AT_ONCE ? len : AT_ONCE);
        if (n < 0 && errno != EINTR) return false;
        if (!interrupt_poll(err)) return false;
        if (n < 0) continue;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_directly(const char *path, const char *data, size_t len, Error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return io_error(err, path);
    bool ok = write_all(fd, data, len, err) || io_error(err, path);
    close(fd);
    return ok;
}

/* Opens a new file beside path; its name goes to name. */
static int open_beside(const char *path, StrBuf *name, mode_t mode)
{
    for (int i = 0; i < 1000; i++) {
        strbuf_free(name);
        strbuf_printf(name, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* To a file beside it, which then takes its place; old tells of the file that is there, if any. */
static bool write_and_rename(const char *path, const struct stat *old, const char *data, size_t len,
                             Error *err)
{
    StrBuf name = {0};
    int fd = open_beside(path, &name, 0666);
    bool ok = fd >= 0 && (!old || fchmod(fd, old->st_mode & 07777) == 0) &&
              write_all(fd, data, len, err) && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (ok && rename(name.data, path) != 0) {
        ok = false;
        reason = errno;
    }
    if (!ok && fd >= 0) unlink(name.data);
    strbuf_free(&name);
    errno = reason;
    return ok || io_error(err, path);
}

bool file_write(const char *path, const char *data, size_t len, Error *err)
{
    struct stat old;
    if (stat(path, &old) != 0) return write_and_rename(path, NULL, data, len, err);
    if (!S_ISREG(old.st_mode)) return write_directly(path, data, len, err);
    if (access(path, W_OK) != 0) return io_error(err, path);
    char *behind_links = realpath(path, NULL);
    if (!behind_links) return io_error(err, path);
    bool ok = write_and_rename(behind_links, &old, data, len, err);
    free(behind_links);
    return ok;
}

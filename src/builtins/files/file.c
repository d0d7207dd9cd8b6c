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

/* err is NULL: an interrupt waits until all is written. */
static bool write_all(int fd, const char *data, size_t len, Error *err)
{
    enum { AT_ONCE = 1 << 20 };
    while (len > 0) {
        ssize_t n = write(fd, data, len < AT_ONCE ? len : AT_ONCE);
        if (n < 0 && errno != EINTR) return false;
        if (err && !interrupt_poll(err)) return false;
        if (n < 0) continue;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

static bool write_directly(const char *path, const char *data, size_t len, Error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return io_error(err, path);
    bool ok = write_all(fd, data, len, err) || io_error(err, path);
    close(fd);
    return ok;
}

/* ---- ordinary files: a new one takes the place of the old one when it is whole ---- */

/* The folder of a path, with its slash; "" for this one. */
static void write_folder(StrBuf *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash) strbuf_bytes(out, path, (size_t)(slash + 1 - path));
}

/* Opens a new file beside path; its name, which has nothing of path's so that it is not too long, goes
 * to name. */
static int open_beside(const char *path, StrBuf *name)
{
    for (int i = 0; i < 1000; i++) {
        strbuf_free(name);
        write_folder(name, path);
        strbuf_printf(name, ".viv-%ld-%d.tmp", (long)getpid(), i);
        int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* The owner as far as the system lets us, then the mode, which a change of owner may have reduced. */
static bool keep_rights(int fd, const struct stat *old)
{
    if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
        errno = 0;
    return fchmod(fd, old->st_mode & 07777) == 0;
}

/* So that the new name survives a crash as well. */
static void sync_folder(const char *path)
{
    StrBuf folder = {0};
    write_folder(&folder, path);
    int fd = open(folder.len ? folder.data : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    strbuf_free(&folder);
}

/* A file of several names stays the same one, and is written over; until that is done, the copy beside it
 * has what it should hold. */
static bool write_over(const char *path, const char *data, size_t len)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, data, len, NULL) && fsync(fd) == 0;
    return fd >= 0 && close(fd) == 0 && ok;
}

/* old tells of the file that is there, if any. */
static bool write_and_rename(const char *path, const struct stat *old, const char *data, size_t len,
                             Error *err)
{
    StrBuf name = {0};
    int fd = open_beside(path, &name);
    bool ok = fd >= 0 && (!old || keep_rights(fd, old)) && write_all(fd, data, len, err) &&
              fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    bool has_names = ok && old && old->st_nlink > 1;
    if (ok && !(has_names ? write_over(path, data, len) : rename(name.data, path) == 0)) {
        ok = false;
        reason = errno;
    }
    if (fd >= 0 && (has_names ? ok : !ok)) unlink(name.data);
    if (ok) sync_folder(path);
    strbuf_free(&name);
    errno = reason;
    return ok || io_error(err, path);
}

bool file_write(const char *path, const char *data, size_t len, Error *err)
{
    struct stat old;
    if (stat(path, &old) != 0) {
        bool leads_nowhere = lstat(path, &old) == 0 && S_ISLNK(old.st_mode);
        return leads_nowhere ? write_directly(path, data, len, err)
                             : write_and_rename(path, NULL, data, len, err);
    }
    if (!S_ISREG(old.st_mode)) return write_directly(path, data, len, err);
    if (access(path, W_OK) != 0) return io_error(err, path);
    char *behind_links = realpath(path, NULL);
    if (!behind_links) return io_error(err, path);
    bool ok = write_and_rename(behind_links, &old, data, len, err);
    free(behind_links);
    return ok;
}

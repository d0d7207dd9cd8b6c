/* Zip archives in memory, as far as .npz files need them: members stored or deflated, no
 * encryption, no zip64 (below 4 GiB). */
#ifndef BUILTINS_FILES_ZIP_H
#define BUILTINS_FILES_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

typedef struct {
    const unsigned char *bytes;
    size_t directory, directory_end; /* the list of members that is still to be read */
    size_t members_end;              /* the members lie before it */
    size_t packed;                   /* bytes of the members read so far */
    int n_left;
} ZipReader;

/* A member: what lies in the archive, and what it must become. */
typedef struct {
    const char *name; /* not terminated; any bytes */
    size_t name_len;
    const unsigned char *packed;
    size_t packed_len, len;
    uint32_t crc;
    bool is_deflated;
} ZipMember;

/* len bytes stay the caller's and must outlive reader, members and contents. */
bool zip_open(ZipReader *z, const char *bytes, size_t len, Error *err);
/* The next member; false at the end, and on an error. */
bool zip_next(ZipReader *z, ZipMember *m, Error *err);

typedef struct {
    const char *bytes;
    size_t len;
    void *block; /* of its own, when it was deflated */
} ZipContents;

/* Unpacks a member and checks length and checksum. */
bool zip_unpack(const ZipMember *m, ZipContents *c, Error *err);
void zip_contents_free(ZipContents *c);

/* An archive being written: zero it, add members, finish. */
typedef struct {
    StrBuf out, directory;
    int n;
} ZipWriter;

/* Stores len bytes under name. */
bool zip_add(ZipWriter *w, const char *name, size_t name_len, const char *bytes, size_t len,
             Error *err);
/* The archive is then w->out. */
bool zip_finish(ZipWriter *w, Error *err);
void zip_writer_free(ZipWriter *w);

#endif

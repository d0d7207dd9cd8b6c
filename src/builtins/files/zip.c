#include "builtins/files/zip.h"

#include <string.h>
#include <zlib.h>

#include "base/mem.h"

enum {
    END_LEN = 22,
    ENTRY_LEN = 46,
    LOCAL_LEN = 30,
    COMMENT_MAX = 65535,
    VERSION = 20, /* what a reader must know: 2.0 */
    FLAG_ENCRYPTED = 1,
    FLAG_UTF8 = 0x800,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    FIRST_DAY = 0x21,      /* 1980-01-01: equal contents make equal files */
    DEFLATE_FACTOR = 1032, /* the most that deflate can pack */
};

static const uint32_t NO_32 = 0xffffffff; /* "see the zip64 record" */
static const unsigned NO_16 = 0xffff;

static unsigned get16(const unsigned char *b)
{
    return b[0] | (unsigned)b[1] << 8;
}

static uint32_t get32(const unsigned char *b)
{
    return get16(b) | (uint32_t)get16(b + 2) << 16;
}

static bool damaged(Error *err, const char *what)
{
    return error_set(err, ERR_IO, "the zip archive is damaged: %s", what);
}

static bool refuse_zip64(Error *err)
{
    return error_set(err, ERR_IO, "zip64 archives (4 GiB and more) are not supported");
}

/* ---- reading ---- */

/* The record that ends an archive, or NULL. */
static const unsigned char *find_end(const unsigned char *bytes, size_t len)
{
    for (size_t back = END_LEN; back <= len && back <= END_LEN + COMMENT_MAX; back++) {
        const unsigned char *end = bytes + len - back;
        if (memcmp(end, "PK\5\6", 4) == 0 && get16(end + 20) == back - END_LEN) return end;
    }
    return NULL;
}

bool zip_open(ZipReader *z, const char *bytes, size_t len, Error *err)
{
    *z = (ZipReader){.bytes = (const unsigned char *)bytes};
    const unsigned char *end = find_end(z->bytes, len);
    if (!end && len >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        return damaged(err, "its end is missing");
    if (!end) return error_set(err, ERR_IO, "it is not a zip archive");
    size_t size = get32(end + 12), start = get32(end + 16), at = (size_t)(end - z->bytes);
    z->n_left = (int)get16(end + 10);
    if (get16(end + 10) == NO_16 || size == NO_32 || start == NO_32) return refuse_zip64(err);
    if (get16(end + 4) || get16(end + 6) || get16(end + 8) != get16(end + 10))
        return error_set(err, ERR_IO, "a zip archive in several parts is not supported");
    if (start > at || size != at - start)
        return damaged(err, "its directory is not where it should be");
    z->directory = z->members_end = start;
    z->directory_end = at;
    return true;
}

/* From the member's own header, which stands before its bytes and repeats its name. */
static bool find_packed(const ZipReader *z, size_t at, ZipMember *m, Error *err)
{
    const unsigned char *local = z->bytes + at;
    if (at > z->members_end || z->members_end - at < LOCAL_LEN || memcmp(local, "PK\3\4", 4) != 0)
        return damaged(err, "a member is not where it should be");
    size_t name = get16(local + 26), skip = LOCAL_LEN + name + get16(local + 28);
    size_t room = z->members_end - at;
    if (skip > room || m->packed_len > room - skip)
        return damaged(err, "a member is longer than the file");
    if (name != m->name_len || memcmp(local + LOCAL_LEN, m->name, name) != 0)
        return damaged(err, "a member has two names");
    m->packed = local + skip;
    return true;
}

static bool check_method(const ZipMember *m, unsigned flags, unsigned method, Error *err)
{
    if (flags & FLAG_ENCRYPTED) return error_set(err, ERR_IO, "it is encrypted");
    if (method != METHOD_STORED && method != METHOD_DEFLATED)
        return error_set(err, ERR_IO,
                         "its members are packed by method %u; only stored and deflated "
                         "ones are supported",
                         method);
    bool possible =
        m->is_deflated ? m->len / DEFLATE_FACTOR <= m->packed_len : m->len == m->packed_len;
    return possible || damaged(err, "a member's length can't be true");
}

bool zip_next(ZipReader *z, ZipMember *m, Error *err)
{
    if (z->n_left == 0)
        return z->directory != z->directory_end && damaged(err, "its directory is too long");
    const unsigned char *entry = z->bytes + z->directory;
    size_t room = z->directory_end - z->directory;
    if (room < ENTRY_LEN || memcmp(entry, "PK\1\2", 4) != 0)
        return damaged(err, "its directory is too short");
    *m = (ZipMember){.name = (const char *)entry + ENTRY_LEN,
                     .name_len = get16(entry + 28),
                     .crc = get32(entry + 16),
                     .packed_len = get32(entry + 20),
                     .len = get32(entry + 24),
                     .is_deflated = get16(entry + 10) == METHOD_DEFLATED};
    size_t whole = ENTRY_LEN + m->name_len + get16(entry + 30) + get16(entry + 32);
    if (whole > room) return damaged(err, "its directory is too short");
    uint32_t at = get32(entry + 42);
    if (m->packed_len == NO_32 || m->len == NO_32 || at == NO_32) return refuse_zip64(err);
    if (!find_packed(z, at, m, err) || !check_method(m, get16(entry + 8), get16(entry + 10), err))
        return false;
    z->packed += m->packed_len;
    if (z->packed > z->members_end) return damaged(err, "its members overlap");
    z->directory += whole;
    z->n_left--;
    return true;
}

/* Exactly m->packed_len bytes must become exactly m->len. */
static bool inflate_into(const ZipMember *m, unsigned char *to, Error *err)
{
    z_stream s = {.next_in = (unsigned char *)m->packed,
                  .avail_in = (uInt)m->packed_len,
                  .next_out = to,
                  .avail_out = (uInt)m->len};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
        return error_set(err, ERR_MEMORY, "there is no memory to unpack it");
    int state = inflate(&s, Z_FINISH);
    bool is_whole = state == Z_STREAM_END && s.avail_out == 0 && s.avail_in == 0;
    inflateEnd(&s);
    return is_whole || damaged(err, "a member can't be unpacked to the length it should have");
}

bool zip_unpack(const ZipMember *m, ZipContents *c, Error *err)
{
    *c = (ZipContents){.bytes = (const char *)m->packed, .len = m->len};
    if (m->is_deflated) {
        /* One byte more, so that a member of no bytes has an address too. */
        c->block = block_try(m->len + 1, false);
        if (!c->block)
            return error_set(err, ERR_MEMORY, "there is no memory for %zu bytes", m->len);
        c->bytes = c->block;
        if (!inflate_into(m, c->block, err)) return false;
    }
    uint32_t crc = (uint32_t)crc32_z(0, (const unsigned char *)c->bytes, c->len);
    return crc == m->crc || damaged(err, "a member's checksum is wrong");
}

void zip_contents_free(ZipContents *c)
{
    if (c->block) block_free(c->block, c->len + 1);
    *c = (ZipContents){0};
}

/* ---- writing ---- */

static void put16(StrBuf *out, unsigned v)
{
    strbuf_char(out, (char)(v & 0xff));
    strbuf_char(out, (char)(v >> 8 & 0xff));
}

static void put32(StrBuf *out, uint32_t v)
{
    put16(out, v & 0xffff);
    put16(out, v >> 16);
}

/* What a member's header and its entry in the directory have in common. */
static void put_member(StrBuf *out, const char *name, size_t name_len, uint32_t crc, uint32_t len)
{
    bool is_ascii = true;
    for (size_t i = 0; i < name_len; i++) is_ascii &= (unsigned char)name[i] < 0x80;
    put16(out, VERSION);
    put16(out, is_ascii ? 0 : FLAG_UTF8);
    put16(out, METHOD_STORED);
    put16(out, 0); /* midnight */
    put16(out, FIRST_DAY);
    put32(out, crc);
    put32(out, len);
    put32(out, len);
    put16(out, (unsigned)name_len);
    put16(out, 0); /* nothing extra */
}

bool zip_add(ZipWriter *w, const char *name, size_t name_len, const char *bytes, size_t len,
             Error *err)
{
    if (w->out.len + len + name_len + LOCAL_LEN >= NO_32 || w->n + 1 == (int)NO_16)
        return refuse_zip64(err);
    if (name_len > NO_16) return error_set(err, ERR_IO, "a name is too long for a zip archive");
    uint32_t crc = (uint32_t)crc32_z(0, (const unsigned char *)bytes, len);
    uint32_t at = (uint32_t)w->out.len;
    strbuf_text(&w->out, "PK\3\4");
    put_member(&w->out, name, name_len, crc, (uint32_t)len);
    strbuf_bytes(&w->out, name, name_len);
    strbuf_bytes(&w->out, bytes, len);
    strbuf_text(&w->directory, "PK\1\2");
    put16(&w->directory, VERSION);
    put_member(&w->directory, name, name_len, crc, (uint32_t)len);
    strbuf_repeat(&w->directory, '\0', 10); /* no comment, first disk, no attributes */
    put32(&w->directory, at);
    strbuf_bytes(&w->directory, name, name_len);
    w->n++;
    return true;
}

bool zip_finish(ZipWriter *w, Error *err)
{
    size_t start = w->out.len;
    if (start + w->directory.len >= NO_32) return refuse_zip64(err);
    if (w->n) strbuf_bytes(&w->out, w->directory.data, w->directory.len);
    strbuf_text(&w->out, "PK\5\6");
    put32(&w->out, 0); /* one disk */
    put16(&w->out, (unsigned)w->n);
    put16(&w->out, (unsigned)w->n);
    put32(&w->out, (uint32_t)w->directory.len);
    put32(&w->out, (uint32_t)start);
    put16(&w->out, 0);
    return true;
}

void zip_writer_free(ZipWriter *w)
{
    strbuf_free(&w->out);
    strbuf_free(&w->directory);
}

#include <criterion/criterion.h>
#include <string.h>

#include "builtins/files/csv_table.h"
#include "builtins/files/npy.h"
#include "builtins/files/zip.h"
#include "builtins/utf8.h"

/* Whatever the bytes: either an array or an error. Copied, so that a sanitizer sees reads beyond
 * the end. */
static void read_npy(const char *bytes, size_t len)
{
    Error err = {0};
    char *copy = mem_alloc(len + !len);
    memcpy(copy, bytes, len);
    Array *a = npy_read(copy, len, &err);
    cr_assert_neq(a == NULL, !error_is_set(&err));
    array_release(a);
    error_clear(&err);
    mem_free(copy);
}

static void read_members(const char *bytes, size_t len)
{
    Error err = {0};
    ZipReader z;
    ZipMember m;
    ZipContents c;
    char *copy = mem_alloc(len + !len);
    memcpy(copy, bytes, len);
    bool ok = zip_open(&z, copy, len, &err);
    while (ok && zip_next(&z, &m, &err)) {
        ok = zip_unpack(&m, &c, &err);
        if (ok) read_npy(c.bytes, c.len);
        zip_contents_free(&c);
    }
    cr_assert(ok || error_is_set(&err));
    error_clear(&err);
    mem_free(copy);
}

/* Its text is UTF-8: the builtin checks that first. */
static void read_csv(const char *bytes, size_t len)
{
    if (utf8_valid(bytes, len) != len) return;
    StrBuf text = {0};
    strbuf_bytes(&text, bytes, len);
    for (int i = 0; i < 2; i++) {
        Value v = {0};
        Error err = {0};
        bool ok = i ? csv_columns(&text, ',', &v, &err) : csv_matrix(&text, ',', &v, &err);
        cr_assert_neq(ok, error_is_set(&err));
        value_release(v);
        error_clear(&err);
    }
    strbuf_free(&text);
}

typedef void Reader(const char *bytes, size_t len);

/* Cut at every place, and with every byte changed in several ways. */
static void torment(Reader *read, const StrBuf *good)
{
    static const unsigned char changes[] = {0x01, 0x04, 0x10, 0x80, 0xff};
    for (size_t n = 0; n <= good->len; n++) read(strbuf_str(good), n);
    for (size_t i = 0; i < good->len; i++) {
        for (size_t k = 0; k < sizeof changes; k++) {
            good->data[i] ^= (char)changes[k];
            read(good->data, good->len);
            good->data[i] ^= (char)changes[k];
        }
    }
}

static void write_example(StrBuf *out)
{
    double x[6] = {1, 2, 3, 4, 5, 6};
    Error err = {0};
    Shape s = {.rank = 2, .dim = {2, 3}};
    Array *a = array_new(DT_FLOAT, &s, &err);
    memcpy(a->data, x, sizeof x);
    cr_assert(npy_write(out, a, &err));
    array_release(a);
}

Test(data_file, npy_of_any_bytes)
{
    StrBuf good = {0};
    write_example(&good);
    cr_assert_eq(good.len, 128 + 48);
    torment(read_npy, &good);
    strbuf_free(&good);
}

Test(data_file, npz_of_any_bytes)
{
    Error err = {0};
    StrBuf npy = {0};
    ZipWriter w = {0};
    write_example(&npy);
    cr_assert(zip_add(&w, "a.npy", 5, npy.data, npy.len, &err));
    cr_assert(zip_add(&w, "b.npy", 5, npy.data, npy.len, &err));
    cr_assert(zip_finish(&w, &err));
    torment(read_members, &w.out);
    zip_writer_free(&w);
    strbuf_free(&npy);
}

/* "a.npy", twenty bytes of 'x' deflated. */
Test(data_file, deflated_npz_of_any_bytes)
{
    static const char archive[] =
        "PK\3\4\x14\0\0\0\x08\0\0\0\x21\0\x47\x42\xad\x27\5\0\0\0\x14\0\0\0\5\0\0\0a.npy"
        "\xab\xa8\xc0\x04\0"
        "PK\1\2\x14\0\x14\0\0\0\x08\0\0\0\x21\0\x47\x42\xad\x27\5\0\0\0\x14\0\0\0\5\0\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0a.npy"
        "PK\5\6\0\0\0\0\1\0\1\0\x33\0\0\0\x28\0\0\0\0";
    StrBuf good = {0};
    strbuf_bytes(&good, archive, sizeof archive);
    ZipReader z;
    ZipMember m;
    ZipContents c;
    Error err = {0};
    cr_assert(zip_open(&z, good.data, good.len, &err), "%s", err.message);
    cr_assert(zip_next(&z, &m, &err), "%s", err.message);
    cr_assert(zip_unpack(&m, &c, &err), "%s", err.message);
    cr_assert_eq(c.len, 20);
    zip_contents_free(&c);
    torment(read_members, &good);
    strbuf_free(&good);
}

Test(data_file, csv_of_any_bytes)
{
    StrBuf good = {0};
    strbuf_text(&good, "\xef\xbb\xbf"
                       "a,\"b,\"\"\r\n\",c\r\n1,2.5e3,\n-7,x,\"\"\r\r3,4,nan\n");
    torment(read_csv, &good);
    strbuf_free(&good);
}

#include <string.h>

#include "builtins/files/data_file.h"
#include "builtins/files/file.h"
#include "builtins/files/file_argument.h"
#include "builtins/files/npy.h"
#include "builtins/files/npy_header.h"
#include "builtins/files/zip.h"
#include "builtins/utf8.h"
#include "eval/read_file.h"
#include "value/map.h"

#define ENDING ".npy"

/* ---- .npy ---- */

bool load_npy_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    StrBuf bytes = {0};
    if (!arg_path(in, a, &path)) return false;
    if (!read_data(path, "\x93NUMPY", &bytes, &in->err)) {
        strbuf_free(&bytes);
        return path_error(in, a);
    }
    Array *x = npy_read(strbuf_str(&bytes), bytes.len, &in->err);
    strbuf_free(&bytes);
    if (!x) return content_error(in, a, path);
    *out = value_from_array_take(x);
    return true;
}

bool save_npy_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    Array scratch;
    StrBuf bytes = {0};
    if (!arg_path(in, a, &path) || !arg_numeric(in, a, 1)) return false;
    bool ok = npy_write(&bytes, value_operand(&a->pos[1], &scratch), &in->err) &&
              (file_write(path, bytes.data, bytes.len, &in->err) || path_error(in, a));
    strbuf_free(&bytes);
    *out = value_none();
    return ok;
}

/* ---- reading .npz ---- */

/* Names the member in the error that there is. */
static bool member_error(Error *err, const char *name, size_t len)
{
    Error found = {0};
    if (err->kind == ERR_INTERRUPT) return false;
    error_move(&found, err);
    error_set(err, found.kind, "member %.*s: %s", (int)len, name, found.message);
    for (int i = 0; i < found.notes.len; i++) error_note(err, "%s", found.notes.item[i]);
    if (found.hint) error_hint(err, "%s", found.hint);
    error_clear(&found);
    return false;
}

/* A member's name without its ending. */
static bool array_name(const ZipMember *m, size_t *len, Error *err)
{
    size_t ending = strlen(ENDING);
    if (utf8_valid(m->name, m->name_len) != m->name_len || memchr(m->name, '\0', m->name_len))
        return error_set(err, ERR_IO, "a member's name is not UTF-8 text");
    *len = m->name_len - ending;
    if (m->name_len >= ending && memcmp(m->name + *len, ENDING, ending) == 0) return true;
    return error_set(err, ERR_IO, "member %.*s is not an array: its name doesn't end in %s",
                     (int)m->name_len, m->name, ENDING);
}

static bool load_member(const ZipMember *m, Map *map, Error *err)
{
    size_t len = 0;
    ZipContents c = {0};
    if (!array_name(m, &len, err)) return false;
    Array *x = zip_unpack(m, &c, err) ? npy_read(c.bytes, c.len, err) : NULL;
    zip_contents_free(&c);
    if (!x) return member_error(err, m->name, m->name_len);
    Value key = value_str(str_new(m->name, len));
    Value *place = map_put(map, key);
    bool is_new = !value_is_set(*place);
    value_release(key);
    if (is_new)
        *place = value_from_array_take(x);
    else
        array_release(x);
    return is_new || error_set(err, ERR_IO, "it has two members %.*s", (int)m->name_len, m->name);
}

static bool load_members(const StrBuf *bytes, Map *map, Error *err)
{
    ZipReader z;
    ZipMember m;
    if (!zip_open(&z, strbuf_str(bytes), bytes->len, err))
        return npy_is_one(bytes->data, bytes->len) &&
               error_hint(err, "load_npy reads a single array");
    while (zip_next(&z, &m, err)) {
        bool is_folder = m.len == 0 && m.name_len > 0 && m.name[m.name_len - 1] == '/';
        if (!is_folder && !load_member(&m, map, err)) return false;
    }
    return !error_is_set(err);
}

bool load_npz_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    StrBuf bytes = {0};
    if (!arg_path(in, a, &path)) return false;
    if (!read_data(path, "PK", &bytes, &in->err)) {
        strbuf_free(&bytes);
        return path_error(in, a);
    }
    Value map = {.kind = VAL_MAP, .map = map_new()};
    bool ok = load_members(&bytes, map.map, &in->err) || content_error(in, a, path);
    strbuf_free(&bytes);
    if (ok)
        *out = map;
    else
        value_release(map);
    return ok;
}

/* ---- writing .npz ---- */

static bool save_member(Interp *in, const Args *a, ZipWriter *w, const MapEntry *entry)
{
    if (entry->key.kind != VAL_STR)
        return arg_error(in, a, 1, ERR_TYPE, "save_npz: the map's keys must be Str, and one is %s",
                         value_type_name(entry->key));
    const Str *key = entry->key.str;
    if (memchr(key->text, '\0', key->len))
        return arg_error(in, a, 1, ERR_VALUE, "save_npz: a key has \\0 in it");
    if (!value_is_numeric(entry->value))
        return arg_error(in, a, 1, ERR_TYPE, "save_npz: %s is %s, not a number or an array",
                         key->text, value_type_name(entry->value));
    Array scratch;
    StrBuf name = {0}, bytes = {0};
    strbuf_printf(&name, "%s" ENDING, key->text);
    bool ok =
        npy_write(&bytes, value_operand(&entry->value, &scratch), &in->err) &&
        (zip_add(w, name.data, name.len, bytes.data, bytes.len, &in->err) || path_error(in, a));
    strbuf_free(&name);
    strbuf_free(&bytes);
    return ok;
}

bool save_npz_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    if (!arg_path(in, a, &path)) return false;
    if (a->pos[1].kind != VAL_MAP) {
        arg_error(in, a, 1, ERR_TYPE, "save_npz: map must be a map, not %s",
                  value_type_name(a->pos[1]));
        return error_hint(&in->err, "{\"x\": x} names an array");
    }
    const Map *map = a->pos[1].map;
    ZipWriter w = {0};
    bool ok = true;
    for (int i = 0; ok && i < map->len; i++) ok = save_member(in, a, &w, &map->entry[i]);
    ok = ok && ((zip_finish(&w, &in->err) && file_write(path, w.out.data, w.out.len, &in->err)) ||
                path_error(in, a));
    zip_writer_free(&w);
    *out = value_none();
    return ok;
}

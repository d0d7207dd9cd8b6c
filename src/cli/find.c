#include "cli/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"

static bool is_viv(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && strcmp(name + len - 4, ".viv") == 0;
}

static FileId id_of(const struct stat *s)
{
    return (FileId){(uint64_t)s->st_dev, (uint64_t)s->st_ino};
}

static bool is_same(FileId a, FileId b)
{
    return a.device == b.device && a.number == b.number;
}

bool is_same_file(const char *a, const char *b)
{
    struct stat s, t;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &s) == 0 && stat(b, &t) == 0 && is_same(id_of(&s), id_of(&t));
}

static void add_file(FileList *list, const char *path, const struct stat *s)
{
    FileId id = id_of(s);
    for (int i = 0; i < list->seen.len; i++)
        if (is_same(list->seen.item[i], id)) return;
    VEC_PUSH(&list->seen, id);
    VEC_PUSH(&list->path, mem_strndup(path, strlen(path)));
}

static void find_below(FileList *list, const char *folder, const struct stat *s);

/* An entry of a folder; links to folders are not followed, so there are no circles. */
static void visit(FileList *list, const char *folder, const char *name)
{
    if (name[0] == '.') return;
    StrBuf path = {0};
    size_t len = strlen(folder);
    if (strcmp(folder, ".") != 0)
        strbuf_printf(&path, "%s%s", folder, len && folder[len - 1] == '/' ? "" : "/");
    strbuf_text(&path, name);
    struct stat link, file;
    if (lstat(strbuf_str(&path), &link) == 0 && stat(strbuf_str(&path), &file) == 0) {
        if (S_ISDIR(link.st_mode))
            find_below(list, strbuf_str(&path), &link);
        else if (S_ISREG(file.st_mode) && is_viv(name))
            add_file(list, strbuf_str(&path), &file);
    }
    strbuf_free(&path);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A folder that can't be read is in the list itself: whoever reads it, says why, and the others are seen
 * to. */
static void find_below(FileList *list, const char *folder, const struct stat *s)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, by_name);
    if (n < 0) {
        add_file(list, folder, s);
        return;
    }
    for (int i = 0; i < n; i++) {
        visit(list, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

bool find_files(FileList *list, const char *path, Error *err)
{
    struct stat s;
    if (stat(path, &s) != 0) return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(s.st_mode))
        find_below(list, path, &s);
    else
        add_file(list, path, &s);
    return true;
}

void file_list_free(FileList *list)
{
    for (int i = 0; i < list->path.len; i++) mem_free(list->path.item[i]);
    VEC_FREE(&list->path);
    VEC_FREE(&list->seen);
}

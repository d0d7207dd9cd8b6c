/* Finding .viv files. */
#ifndef CLI_FIND_H
#define CLI_FIND_H

#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

/* Which file of the system it is, however it is spelled. */
typedef struct {
    uint64_t device, number;
} FileId;

typedef struct {
    VEC_OF(char *) path;
    VEC_OF(FileId) seen; /* what find_files has added */
} FileList;

/* Adds path itself if it is a file, or every .viv file below it, in sorted order; hidden folders
 * and links to folders are left out, and so is a file that was added before, under any spelling.
 * A folder that can't be read is added itself. ERR_IO: there is no such path. */
bool find_files(FileList *list, const char *path, Error *err);
void file_list_free(FileList *list);
/* Whether two paths lead to one file. */
bool is_same_file(const char *a, const char *b);

#endif

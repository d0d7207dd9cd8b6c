/* Finding .viv files. */
#ifndef CLI_FIND_H
#define CLI_FIND_H

#include "base/error.h"
#include "base/vec.h"

typedef struct {
    VEC_OF(char *) path;
} FileList;

/* Adds path itself if it is a file, or every .viv file below it, in sorted order; hidden folders
 * and links to folders are left out. ERR_IO names what can't be read. */
bool find_files(FileList *list, const char *path, Error *err);
void file_list_free(FileList *list);

#endif

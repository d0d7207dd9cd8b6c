/* Writing whole files. (eval/read_file.h reads them.) */
#ifndef BUILTINS_FILES_FILE_H
#define BUILTINS_FILES_FILE_H

#include "base/error.h"

/* Makes the file hold these bytes: at every moment, and also after a crash or a full disk, it has
 * either its old contents or all of the new ones. Mode, owner and hard links stay where they can, links are followed. What is no
 * ordinary file (a device, a pipe) is written directly. ERR_IO says what could not be written and why,
 * ERR_INTERRUPT leaves the old contents. */
bool file_write(const char *path, const char *data, size_t len, Error *err);

#endif

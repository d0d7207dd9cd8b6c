/* The builtins on files of numbers; their records are in output.c. */
#ifndef BUILTINS_FILES_DATA_FILE_H
#define BUILTINS_FILES_DATA_FILE_H

#include "eval/builtin.h"

BuiltinFunction load_npy_builtin, save_npy_builtin; /* npz.c */
BuiltinFunction load_npz_builtin, save_npz_builtin; /* npz.c */
BuiltinFunction load_csv_builtin, save_csv_builtin; /* csv_file.c */

#endif

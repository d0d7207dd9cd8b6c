/* CSV text as values. */
#ifndef BUILTINS_FILES_CSV_TABLE_H
#define BUILTINS_FILES_CSV_TABLE_H

#include "value/value.h"

/* A Float array, a row a line. ERR_IO has line and column of what is wrong: a cell that is no
 * number, a row with more or fewer cells than the first. */
bool csv_matrix(const StrBuf *text, char separator, Value *out, Error *err);
/* A map from the names in the first row to the columns below: Float arrays, and tuples of Str where
 * some cell of the column is no number. */
bool csv_columns(const StrBuf *text, char separator, Value *out, Error *err);

#endif

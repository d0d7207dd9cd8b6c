/* CSV text as values. */
#ifndef BUILTINS_FILES_CSV_TABLE_H
#define BUILTINS_FILES_CSV_TABLE_H

#include "value/value.h"

/* An array, a row a line: of Ints where all cells are whole numbers that fit, else of Floats. ERR_IO
 * has line and column of what is wrong: a cell that is no number, a whole number that no Float is
 * among Floats, a row with more or fewer cells than the first. */
bool csv_matrix(const StrBuf *text, char separator, Value *out, Error *err);
/* A map from the names in the first row to the columns below: such arrays, and tuples of Str where
 * some cell of the column is no number. */
bool csv_columns(const StrBuf *text, char separator, Value *out, Error *err);

#endif

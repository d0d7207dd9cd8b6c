/* The text of CSV files, cell by cell: RFC 4180, with any separator and any end of line. */
#ifndef BUILTINS_FILES_CSV_H
#define BUILTINS_FILES_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

typedef struct {
    const char *at, *end;
    char separator;
    bool starts_row;   /* what comes next is a new row */
    int64_t next_line; /* where at is */
    const char *text;  /* the cell, without quotes: in the source, or in unquoted */
    size_t len;
    int64_t line, column; /* where the cell starts; counted from 1 */
    StrBuf unquoted;
} CsvReader;

typedef enum { CSV_CELL, CSV_LAST, CSV_END, CSV_ERROR } CsvToken;

/* len bytes of UTF-8, which stay the caller's; a byte order mark is skipped. */
CsvReader csv_start(const char *text, size_t len, char separator);
/* The next cell (CSV_LAST: it ends a row). Lines with nothing on them are skipped. */
CsvToken csv_next(CsvReader *r, Error *err);
void csv_free(CsvReader *r);

/* A whole number: its digits alone. */
typedef struct {
    int64_t value;
    bool is_int;     /* else it is too large, and value means nothing */
    bool is_rounded; /* as a Float */
} CsvWhole;

/* A cell as a whole number, with a sign or without, blanks around it. -0 is a Float. */
bool csv_whole(const char *text, size_t len, CsvWhole *x);
/* A cell as a number: as Viv writes Floats but without underscores, blanks around it, in any case
 * inf infinity, and what stands for a missing one: nothing, nan na n/a null. */
bool csv_number(const char *text, size_t len, double *x);
/* Appends a cell, quoted where it must be. */
void csv_write(StrBuf *out, const char *text, size_t len, char separator);

#endif

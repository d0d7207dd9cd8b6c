#include "builtins/files/csv_table.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number_text.h"
#include "base/vec.h"
#include "builtins/files/csv.h"
#include "value/map.h"

/* Where a cell is; line 0: nowhere. */
typedef struct {
    int64_t line, column;
} Cell;

/* The cells that become one array. */
typedef struct {
    bool has_ints;
    Cell first_float; /* that is no Int */
    Cell rounded;     /* the first whole number that no Float is */
} Cells;

typedef struct {
    const StrBuf *text;
    char separator;
    bool has_names;
    int64_t rows, columns; /* the row of names included */
    VEC_OF(Cells) cells;   /* of each column, or, without names, of all of them */
    Error *err;
} Table;

static CsvReader start(const Table *t)
{
    return csv_start(strbuf_str(t->text), t->text->len, t->separator);
}

static bool ragged(const Table *t, const CsvReader *r, int64_t first)
{
    const char *plural = t->columns == 1 ? "" : "s";
    int64_t at = r->column < t->columns ? r->column + 1 : t->columns + 1;
    return error_set(t->err, ERR_IO,
                     "line %" PRId64 ", column %" PRId64 " is %s: line %" PRId64 " has %" PRId64
                     " column%s",
                     r->line, at, r->column < t->columns ? "missing" : "one too many", first,
                     t->columns, plural);
}

static void look_at(Table *t, const CsvReader *r)
{
    int64_t k = t->has_names ? r->column - 1 : 0;
    if (k == t->cells.len && t->rows == 0) VEC_PUSH(&t->cells, (Cells){0});
    bool is_name = t->has_names && t->rows == 0;
    if (is_name || k >= t->cells.len) return;
    Cells *cells = &t->cells.item[k];
    Cell at = {r->line, r->column};
    CsvWhole x = {0};
    if (!csv_whole(r->text, r->len, &x)) x = (CsvWhole){0};
    if (x.is_int) cells->has_ints = true;
    if (!x.is_int && cells->first_float.line == 0) cells->first_float = at;
    if (x.is_rounded && cells->rounded.line == 0) cells->rounded = at;
}

/* Counts rows and columns, holds every row to the first one's columns, and looks at the cells. */
static bool measure(Table *t)
{
    CsvReader r = start(t);
    CsvToken token = CSV_END;
    int64_t first = 0;
    bool ok = true;
    while (ok && (token = csv_next(&r, t->err)) < CSV_END) {
        if (first == 0) first = r.line;
        look_at(t, &r);
        if (token != CSV_LAST) continue;
        if (t->rows++ == 0) t->columns = r.column;
        ok = (r.column == t->columns || ragged(t, &r, first)) && interrupt_poll(t->err);
    }
    if (ok && token == CSV_END && (t->rows > INT_MAX || t->columns > INT_MAX))
        ok = error_set(t->err, ERR_IO, "it has too many rows or columns");
    csv_free(&r);
    return ok && token == CSV_END;
}

/* A cell for a message: its first line, shortened. */
static void write_shown(StrBuf *out, const CsvReader *r)
{
    enum { WIDTH = 40 };
    size_t len = r->len;
    const char *line = memchr(r->text, '\n', len);
    if (line) len = (size_t)(line - r->text);
    if (len > WIDTH)
        for (len = WIDTH; (r->text[len] & 0xC0) == 0x80;) len--;
    for (size_t i = 0; i < len; i++)
        strbuf_char(out, (unsigned char)r->text[i] < ' ' ? ' ' : r->text[i]);
    if (len < r->len) strbuf_text(out, "…");
}

static bool no_number(const Table *t, const CsvReader *r, bool is_first_row)
{
    StrBuf cell = {0};
    write_shown(&cell, r);
    error_set(t->err, ERR_IO, "line %" PRId64 ", column %" PRId64 ": \"%s\" is not a number",
              r->line, r->column, strbuf_str(&cell));
    strbuf_free(&cell);
    return error_hint(t->err, is_first_row ? "header = true takes the first line as names"
                                           : "header = true allows columns of text");
}

/* ---- arrays ---- */

static DType dtype_of(const Cells *cells)
{
    return cells->has_ints && cells->first_float.line == 0 ? DT_INT : DT_FLOAT;
}

static bool read_cell(const CsvReader *r, Array *a, int64_t i)
{
    if (a->dtype == DT_FLOAT) return csv_number(r->text, r->len, &array_floats(a)[i]);
    CsvWhole x;
    bool ok = csv_whole(r->text, r->len, &x);
    array_ints(a)[i] = x.value;
    return ok;
}

static bool fail_rounded(const Table *t, const Cells *cells)
{
    Cell at = cells->rounded, cause = cells->first_float;
    CsvReader r = start(t);
    StrBuf shown = {0}, rounded = {0};
    double x = 0.0;
    while (csv_next(&r, t->err) < CSV_END && (r.line != at.line || r.column != at.column))
        ;
    csv_number(r.text, r.len, &x);
    write_shown(&shown, &r);
    float_write(&rounded, x);
    error_set(t->err, ERR_IO,
              "line %" PRId64 ", column %" PRId64 ": %s would be rounded to the Float %s", at.line,
              at.column, strbuf_str(&shown), strbuf_str(&rounded));
    if (cause.line == at.line && cause.column == at.column)
        error_note(t->err, "it is too large for an Int");
    else
        error_note(t->err,
                   "the %s is of Floats because of line %" PRId64 ", column %" PRId64
                   ", which is no Int",
                   t->has_names ? "column" : "array", cause.line, cause.column);
    error_hint(t->err, "where it may be rounded, write it in the file with .0 at its end");
    strbuf_free(&shown);
    strbuf_free(&rounded);
    csv_free(&r);
    return false;
}

/* An array becomes Floats only if no whole number in it changes. */
static bool check_rounding(const Table *t, const Cells *cells)
{
    return dtype_of(cells) == DT_INT || cells->rounded.line == 0 || fail_rounded(t, cells);
}

static bool fill_matrix(const Table *t, Array *a)
{
    CsvReader r = start(t);
    bool ok = true;
    for (int64_t i = 0; ok && i < a->size; i++) {
        csv_next(&r, t->err);
        ok = read_cell(&r, a, i) || no_number(t, &r, i < t->columns);
    }
    csv_free(&r);
    return ok && check_rounding(t, &t->cells.item[0]);
}

static bool read_matrix(Table *t, Value *out)
{
    if (!measure(t)) return false;
    Shape shape = {.rank = 2, .dim = {t->rows, t->columns}};
    bool is_empty = t->cells.len == 0;
    Array *a = array_new(is_empty ? DT_FLOAT : dtype_of(&t->cells.item[0]), &shape, t->err);
    if (!a) return false;
    if (is_empty || fill_matrix(t, a)) return *out = value_arr(a), true;
    array_release(a);
    return false;
}

bool csv_matrix(const StrBuf *text, char separator, Value *out, Error *err)
{
    Table t = {.text = text, .separator = separator, .err = err};
    bool ok = read_matrix(&t, out);
    VEC_FREE(&t.cells);
    return ok;
}

/* ---- columns with names ---- */

/* The map's names, each with no value yet; r is then behind them. */
static bool read_names(const Table *t, CsvReader *r, Map *map)
{
    for (int64_t k = 0; k < t->columns; k++) {
        csv_next(r, t->err);
        Value name = value_str(str_new(r->text, r->len));
        int before = map->len;
        map_put(map, name);
        if (map->len == before)
            error_set(t->err, ERR_IO,
                      "line %" PRId64 ", column %" PRId64
                      ": a column before it is called \"%s\" too",
                      r->line, r->column, name.str->text);
        value_release(name);
        if (map->len == before) return false;
        map->entry[k].value = value_none();
    }
    return true;
}

/* Every column as an array; none where a cell is no number. */
static bool read_numbers(const Table *t, CsvReader r, Map *map, bool *has_text)
{
    Shape shape = {.rank = 1, .dim = {t->rows - 1}};
    for (int64_t k = 0; k < t->columns; k++) {
        Array *a = array_new(dtype_of(&t->cells.item[k]), &shape, t->err);
        if (!a) return false;
        map->entry[k].value = value_arr(a);
    }
    bool ok = true;
    for (int64_t i = 0; ok && i < t->rows - 1; i++) {
        for (int64_t k = 0; k < t->columns; k++) {
            Value *column = &map->entry[k].value;
            csv_next(&r, t->err);
            if (column->kind != VAL_ARR || read_cell(&r, column->arr, i)) continue;
            value_release(*column);
            *column = value_none();
            *has_text = true;
        }
        ok = interrupt_poll(t->err);
    }
    csv_free(&r);
    for (int64_t k = 0; ok && k < t->columns; k++)
        ok = map->entry[k].value.kind != VAL_ARR || check_rounding(t, &t->cells.item[k]);
    return ok;
}

/* The columns that are still none, as tuples. */
static void read_texts(const Table *t, CsvReader r, Map *map)
{
    for (int64_t k = 0; k < t->columns; k++) {
        Value *column = &map->entry[k].value;
        if (column->kind == VAL_NONE) *column = value_tuple(tuple_new((int)(t->rows - 1)));
    }
    for (int64_t i = 0; i < t->rows - 1; i++) {
        for (int64_t k = 0; k < t->columns; k++) {
            Value column = map->entry[k].value;
            csv_next(&r, t->err);
            if (column.kind == VAL_TUPLE) column.tuple->item[i] = value_str(str_new(r.text, r.len));
        }
    }
    csv_free(&r);
}

static bool fill_columns(const Table *t, Map *map)
{
    CsvReader r = start(t);
    bool has_text = false;
    bool ok = read_names(t, &r, map);
    strbuf_free(&r.unquoted); /* the passes below start here, each with a buffer of its own */
    ok = ok && read_numbers(t, r, map, &has_text);
    if (ok && has_text) read_texts(t, r, map);
    return ok;
}

static bool read_columns(Table *t, Value *out)
{
    if (!measure(t)) return false;
    if (t->rows == 0) return error_set(t->err, ERR_IO, "it has no line of names");
    Value map = {.kind = VAL_MAP, .map = map_new()};
    if (fill_columns(t, map.map)) return *out = map, true;
    value_release(map);
    return false;
}

bool csv_columns(const StrBuf *text, char separator, Value *out, Error *err)
{
    Table t = {.text = text, .separator = separator, .has_names = true, .err = err};
    bool ok = read_columns(&t, out);
    VEC_FREE(&t.cells);
    return ok;
}

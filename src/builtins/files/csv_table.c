#include "builtins/files/csv_table.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/vec.h"
#include "builtins/files/csv.h"
#include "value/map.h"

typedef struct {
    const StrBuf *text;
    char separator;
    int64_t rows, columns; /* the row of names included */
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

/* Counts rows and columns, and holds every row to the first one's columns. */
static bool measure(Table *t)
{
    CsvReader r = start(t);
    CsvToken token = CSV_END;
    int64_t first = 0;
    bool ok = true;
    while (ok && (token = csv_next(&r, t->err)) < CSV_END) {
        if (first == 0) first = r.line;
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

bool csv_matrix(const StrBuf *text, char separator, Value *out, Error *err)
{
    Table t = {.text = text, .separator = separator, .err = err};
    if (!measure(&t)) return false;
    Shape shape = {.rank = 2, .dim = {t.rows, t.columns}};
    Array *a = array_new(DT_FLOAT, &shape, err);
    if (!a) return false;
    CsvReader r = start(&t);
    double *x = array_floats(a);
    bool ok = true;
    for (int64_t i = 0; ok && i < a->size; i++) {
        csv_next(&r, err);
        ok = csv_number(r.text, r.len, &x[i]) || no_number(&t, &r, i < t.columns);
    }
    csv_free(&r);
    if (ok)
        *out = value_arr(a);
    else
        array_release(a);
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

/* Every column as Floats; none where a cell is no number. */
static bool read_numbers(const Table *t, CsvReader r, Map *map, bool *has_text)
{
    Shape shape = {.rank = 1, .dim = {t->rows - 1}};
    for (int64_t k = 0; k < t->columns; k++) {
        Array *a = array_new(DT_FLOAT, &shape, t->err);
        if (!a) return false;
        map->entry[k].value = value_arr(a);
    }
    bool ok = true;
    for (int64_t i = 0; ok && i < t->rows - 1; i++) {
        for (int64_t k = 0; k < t->columns; k++) {
            Value *column = &map->entry[k].value;
            csv_next(&r, t->err);
            if (column->kind != VAL_ARR || csv_number(r.text, r.len, &array_floats(column->arr)[i]))
                continue;
            value_release(*column);
            *column = value_none();
            *has_text = true;
        }
        ok = interrupt_poll(t->err);
    }
    csv_free(&r);
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

bool csv_columns(const StrBuf *text, char separator, Value *out, Error *err)
{
    Table t = {.text = text, .separator = separator, .err = err};
    if (!measure(&t)) return false;
    if (t.rows == 0) return error_set(err, ERR_IO, "it has no line of names");
    Value map = {.kind = VAL_MAP, .map = map_new()};
    bool ok = fill_columns(&t, map.map);
    if (ok)
        *out = map;
    else
        value_release(map);
    return ok;
}

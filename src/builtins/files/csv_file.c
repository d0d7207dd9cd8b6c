#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number_text.h"
#include "builtins/files/csv.h"
#include "builtins/files/csv_table.h"
#include "builtins/files/data_file.h"
#include "builtins/files/file.h"
#include "builtins/files/file_argument.h"
#include "eval/read_file.h"
#include "value/map.h"

enum { KW_HEADER, KW_SEP };

/* Whether numbers are written without it, and it is no quote and no line end. */
static bool can_separate(const Str *s)
{
    if (s->len != 1) return false;
    unsigned char c = (unsigned char)s->text[0];
    bool is_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return !is_word && c < 0x80 && !strchr("\"\r\n.+-", c); /* which holds its own \0 too */
}

/* Keyword sep. */
static bool kw_separator(Interp *in, const Args *a, char *separator)
{
    Value v = a->kw[KW_SEP];
    *separator = ',';
    if (!value_is_set(v)) return true;
    if (v.kind != VAL_STR)
        return arg_error(in, a, a->n + KW_SEP, ERR_TYPE, "%s: sep must be a Str, not %s",
                         a->builtin->name, value_type_name(v));
    if (!can_separate(v.str))
        return arg_error(in, a, a->n + KW_SEP, ERR_VALUE,
                         "%s: sep must be one ASCII character that is in no number, as \",\"",
                         a->builtin->name);
    *separator = v.str->text[0];
    return true;
}

bool load_csv_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    bool has_names;
    char separator;
    StrBuf text = {0};
    if (!arg_path(in, a, &path) || !kw_bool(in, a, KW_HEADER, false, &has_names) ||
        !kw_separator(in, a, &separator))
        return false;
    bool ok = (read_data(path, NULL, &text, &in->err) || path_error(in, a)) &&
              check_utf8(in, a, path, &text);
    if (ok)
        ok = (has_names ? csv_columns : csv_matrix)(&text, separator, out, &in->err) ||
             content_error(in, a, path);
    strbuf_free(&text);
    return ok;
}

/* ---- saving ---- */

/* What is saved: columns, each an array (from flat position first on, step apart) or a tuple. */
typedef struct {
    Value values; /* borrowed */
    int64_t first, step;
} Column;

typedef struct {
    Interp *in;
    const Args *a;
    VEC_OF(Column) columns;
    VEC_OF(const Str *) names; /* none, or as many as columns */
    int64_t rows;
    char separator;
    StrBuf out;
} Sheet;

static bool bad_values(Sheet *s, const char *name, const char *what)
{
    return arg_error(s->in, s->a, 1, ERR_TYPE, "save_csv: column %s %s", name, what);
}

/* A map's column: its values, and as many as in the others. */
static bool add_column(Sheet *s, const Str *name, Value v)
{
    int64_t n = -1;
    if (v.kind == VAL_ARR && v.arr->rank == 1) n = v.arr->size;
    if (v.kind == VAL_TUPLE) n = v.tuple->len;
    if (n < 0) return bad_values(s, name->text, "must be an array of one axis or a tuple");
    for (int64_t i = 0; v.kind == VAL_TUPLE && i < n; i++)
        if (v.tuple->item[i].kind != VAL_STR && !value_is_number(v.tuple->item[i]))
            return bad_values(s, name->text,
                              "has something in it that is neither a Str nor a number");
    if (s->columns.len > 0 && n != s->rows)
        return arg_error(s->in, s->a, 1, ERR_SHAPE,
                         "save_csv: column %s has %" PRId64 " values, and %s has %" PRId64,
                         name->text, n, s->names.item[0]->text, s->rows);
    s->rows = n;
    VEC_PUSH(&s->columns, ((Column){v, 0, 1}));
    VEC_PUSH(&s->names, name);
    return true;
}

static bool add_map(Sheet *s, const Map *map)
{
    if (value_is_set(s->a->kw[KW_HEADER]) && s->a->kw[KW_HEADER].kind != VAL_NONE)
        return arg_error(s->in, s->a, s->a->n + KW_HEADER, ERR_VALUE,
                         "save_csv: the map's keys are the header");
    for (int i = 0; i < map->len; i++) {
        Value key = map->entry[i].key;
        if (key.kind != VAL_STR)
            return arg_error(s->in, s->a, 1, ERR_TYPE,
                             "save_csv: the map's keys must be Str, and one is %s",
                             value_type_name(key));
        if (!add_column(s, key.str, map->entry[i].value)) return false;
    }
    return true;
}

static bool add_header(Sheet *s)
{
    Value v = s->a->kw[KW_HEADER];
    int at = s->a->n + KW_HEADER;
    if (!value_is_set(v) || v.kind == VAL_NONE) return true;
    if (v.kind != VAL_TUPLE)
        return arg_error(s->in, s->a, at, ERR_TYPE,
                         "save_csv: header must be a tuple of Str, not %s", value_type_name(v));
    if (v.tuple->len != s->columns.len)
        return arg_error(s->in, s->a, at, ERR_VALUE,
                         "save_csv: header has %d name%s for %d column%s", v.tuple->len,
                         v.tuple->len == 1 ? "" : "s", s->columns.len,
                         s->columns.len == 1 ? "" : "s");
    for (int i = 0; i < v.tuple->len; i++) {
        if (v.tuple->item[i].kind != VAL_STR)
            return arg_error(s->in, s->a, at, ERR_TYPE, "save_csv: header has %s in it, not a Str",
                             value_type_name(v.tuple->item[i]));
        VEC_PUSH(&s->names, v.tuple->item[i].str);
    }
    return true;
}

/* A vector is one column, a matrix a row a line. */
static bool add_array(Sheet *s, Value v)
{
    const Array *x = v.kind == VAL_ARR ? v.arr : NULL;
    if (!x || x->rank > 2) {
        arg_error(s->in, s->a, 1, ERR_TYPE,
                  "save_csv: x must be a map of columns or an array of one or two axes");
        if (x) return error_note(&s->in->err, "it has %d axes", x->rank);
        return error_note(&s->in->err, "it is %s", value_type_name(v));
    }
    s->rows = x->dim[0];
    int64_t n = x->rank == 2 ? x->dim[1] : 1;
    for (int64_t k = 0; k < n; k++) VEC_PUSH(&s->columns, ((Column){v, k, n}));
    return add_header(s);
}

static void write_number(StrBuf *out, Value v)
{
    if (v.kind == VAL_FLOAT)
        float_write(out, v.f);
    else
        strbuf_printf(out, "%" PRId64, v.kind == VAL_BOOL ? (int64_t)v.b : v.i);
}

static void write_cell(Sheet *s, const Column *c, int64_t row)
{
    if (c->values.kind == VAL_TUPLE) {
        Value v = c->values.tuple->item[row];
        if (v.kind == VAL_STR)
            csv_write(&s->out, v.str->text, v.str->len, s->separator);
        else
            write_number(&s->out, v);
        return;
    }
    const Array *x = c->values.arr;
    int64_t at = c->first + row * c->step;
    write_number(&s->out, x->dtype == DT_FLOAT ? value_float(array_float_at(x, at))
                                               : value_int(array_int_at(x, at)));
}

/* Ends a cell: n columns, this is the k-th. */
static void write_end(Sheet *s, int k, int n)
{
    strbuf_char(&s->out, k + 1 < n ? s->separator : '\n');
}

static bool write_sheet(Sheet *s)
{
    int n = s->columns.len;
    if (n == 0)
        return arg_error(s->in, s->a, 1, ERR_VALUE, "save_csv: there are no columns to write");
    for (int k = 0; k < s->names.len; k++) {
        csv_write(&s->out, s->names.item[k]->text, s->names.item[k]->len, s->separator);
        write_end(s, k, n);
    }
    for (int64_t i = 0; i < s->rows; i++) {
        for (int k = 0; k < n; k++) {
            write_cell(s, &s->columns.item[k], i);
            write_end(s, k, n);
        }
        if (!interrupt_poll(&s->in->err)) return false;
    }
    return true;
}

bool save_csv_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    Sheet s = {.in = in, .a = a};
    if (!arg_path(in, a, &path) || !kw_separator(in, a, &s.separator)) return false;
    Value x = a->pos[1];
    bool ok = (x.kind == VAL_MAP ? add_map(&s, x.map) : add_array(&s, x)) && write_sheet(&s) &&
              (file_write(path, strbuf_str(&s.out), s.out.len, &in->err) || path_error(in, a));
    VEC_FREE(&s.columns);
    VEC_FREE(&s.names);
    strbuf_free(&s.out);
    *out = value_none();
    return ok;
}

#include "array/array_text.h"

#include <inttypes.h>

#include "base/number_text.h"
#include "base/vec.h"

enum { WHOLE = 1000, SHOWN = 3 };

/* The texts of the elements shown, and how wide each column is. */
typedef struct {
    const Array *a;
    const ArrayStyle *style;
    bool abbreviated;
    bool failed;
    StrBuf text;
    VEC_OF(size_t) end; /* of each element's text */
    VEC_OF(size_t) width;
    int next;        /* element to write */
    int indent;      /* of the first bracket */
    size_t per_line; /* elements of a row; 0: all */
} Table;

static bool is_cut(const Table *t, int axis)
{
    return t->abbreviated && t->a->dim[axis] > 2 * SHOWN;
}

/* The index after i among those shown. */
static int64_t after(const Table *t, int axis, int64_t i)
{
    return is_cut(t, axis) && i == SHOWN - 1 ? t->a->dim[axis] - SHOWN : i + 1;
}

static bool write_element(StrBuf *out, const Array *a, int64_t offset, const ArrayStyle *style)
{
    if (style->element) return style->element(out, a, offset, style->context);
    switch ((DType)a->dtype) {
    case DT_BOOL: strbuf_text(out, array_bools(a)[offset] ? "true" : "false"); break;
    case DT_INT: strbuf_printf(out, "%" PRId64, array_ints(a)[offset]); break;
    case DT_FLOAT: float_write_rounded(out, array_floats(a)[offset], style->digits); break;
    }
    return true;
}

static size_t characters(const char *text, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static void collect_element(Table *t, int column, int64_t offset)
{
    size_t start = t->text.len;
    t->failed |= !write_element(&t->text, t->a, offset, t->style);
    size_t width = characters(t->text.data + start, t->text.len - start);
    VEC_PUSH(&t->end, t->text.len);
    if (column == t->width.len) VEC_PUSH(&t->width, 0);
    if (t->width.item[column] < width) t->width.item[column] = width;
}

static void collect(Table *t, int axis, int64_t offset)
{
    int column = 0;
    for (int64_t i = 0; i < t->a->dim[axis] && !t->failed; i = after(t, axis, i)) {
        int64_t at = offset + i * t->a->stride[axis];
        if (axis == t->a->rank - 1) {
            collect_element(t, column++, at);
        } else {
            collect(t, axis + 1, at);
        }
    }
}

/* Rows that are longer than a line go on below, with all columns equally wide. */
static void break_rows(Table *t, int width)
{
    int rank = t->a->rank, room = width - t->indent - 2 * rank;
    size_t row = 0, widest = 1;
    for (int i = 0; i < t->width.len; i++) {
        row += t->width.item[i] + 2;
        if (widest < t->width.item[i]) widest = t->width.item[i];
    }
    if (is_cut(t, rank - 1)) row += 3;
    if (room > 0 && row <= (size_t)room + 2) return;
    for (int i = 0; i < t->width.len; i++) t->width.item[i] = widest;
    t->per_line = room > 0 ? ((size_t)room + 1) / (widest + 2) : 1;
    if (t->per_line == 0) t->per_line = 1;
}

static void write_next(StrBuf *out, Table *t, int column)
{
    size_t start = t->next > 0 ? t->end.item[t->next - 1] : 0;
    size_t len = t->end.item[t->next++] - start;
    const char *text = t->text.data + start;
    strbuf_repeat(out, ' ', t->width.item[column] - characters(text, len));
    strbuf_bytes(out, text, len);
}

/* What stands between two parts, n of the row before it: on one line, or on the next one under the
 * first part. */
static void write_gap(StrBuf *out, const Table *t, int axis, size_t n)
{
    bool is_row = axis == t->a->rank - 1;
    if (is_row && !(t->per_line && n % t->per_line == 0)) {
        strbuf_text(out, ", ");
    } else {
        strbuf_text(out, ",\n");
        strbuf_repeat(out, ' ', (size_t)(t->indent + axis + 1));
    }
}

static void write_axis(StrBuf *out, Table *t, int axis)
{
    int column = 0;
    size_t n = 0;
    strbuf_char(out, '[');
    for (int64_t i = 0; i < t->a->dim[axis]; i = after(t, axis, i)) {
        if (i > 0) write_gap(out, t, axis, ++n);
        if (is_cut(t, axis) && i == t->a->dim[axis] - SHOWN) {
            if (t->per_line) strbuf_repeat(out, ' ', t->width.item[0] - 1);
            strbuf_text(out, "…");
            write_gap(out, t, axis, ++n);
        }
        if (axis == t->a->rank - 1) {
            write_next(out, t, column++);
        } else {
            write_axis(out, t, axis + 1);
        }
    }
    strbuf_char(out, ']');
}

static void write_empty(StrBuf *out, const Array *a)
{
    if (a->rank == 1) {
        strbuf_text(out, "[]");
        return;
    }
    strbuf_text(out, "zeros(");
    for (int k = 0; k < a->rank; k++) {
        strbuf_printf(out, "%s%" PRId64, k > 0 ? ", " : "", a->dim[k]);
    }
    strbuf_char(out, ')');
}

bool array_write(StrBuf *out, const Array *a, int indent, const ArrayStyle *style)
{
    if (a->size == 0) {
        write_empty(out, a);
        return true;
    }
    if (a->rank == 0) return write_element(out, a, 0, style);
    Table t = {.a = a, .style = style, .abbreviated = a->size > WHOLE, .indent = indent};
    collect(&t, 0, 0);
    if (style->width) break_rows(&t, style->width);
    if (!t.failed) write_axis(out, &t, 0);
    strbuf_free(&t.text);
    VEC_FREE(&t.end);
    VEC_FREE(&t.width);
    return !t.failed;
}

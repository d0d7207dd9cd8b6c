#include "value/text.h"

#include "array/number_text.h"
#include "base/stack.h"
#include "value/function.h"
#include "value/map.h"

static void write_quoted(StrBuf *out, const Str *s)
{
    strbuf_char(out, '"');
    for (size_t i = 0; i < s->len; i++) {
        unsigned char c = (unsigned char)s->text[i];
        switch (c) {
        case '\n': strbuf_text(out, "\\n"); break;
        case '\t': strbuf_text(out, "\\t"); break;
        case '\r': strbuf_text(out, "\\r"); break;
        case '\\': strbuf_text(out, "\\\\"); break;
        case '"': strbuf_text(out, "\\\""); break;
        case '\0': strbuf_text(out, "\\0"); break;
        default:
            if (c < 0x20 || c == 0x7f)
                strbuf_printf(out, "\\u{%x}", c);
            else
                strbuf_char(out, (char)c);
        }
    }
    strbuf_char(out, '"');
}

/* Columns since the last line break in out, or since its start plus indent. */
static int column(const StrBuf *out, int indent)
{
    size_t from = out->len;
    while (from > 0 && out->data[from - 1] != '\n') from--;
    int width = from == 0 ? indent : 0;
    for (size_t i = from; i < out->len; i++) width += ((unsigned char)out->data[i] & 0xC0) != 0x80;
    return width;
}

static bool write_tuple(StrBuf *out, const Tuple *t, int indent, Error *err)
{
    strbuf_char(out, '(');
    for (int i = 0; i < t->len; i++) {
        if (i) strbuf_text(out, ", ");
        if (!value_write_literal(out, t->item[i], indent, err)) return false;
    }
    strbuf_text(out, t->len == 1 ? ",)" : ")");
    return true;
}

static bool write_map(StrBuf *out, const Map *m, int indent, Error *err)
{
    strbuf_char(out, '{');
    for (int i = 0; i < m->len; i++) {
        if (i) strbuf_text(out, ", ");
        if (!value_write_literal(out, m->entry[i].key, indent, err)) return false;
        strbuf_text(out, ": ");
        if (!value_write_literal(out, m->entry[i].value, indent, err)) return false;
    }
    strbuf_char(out, '}');
    return true;
}

static bool write_struct(StrBuf *out, const Struct *s, int indent, Error *err)
{
    strbuf_printf(out, "%s(", s->type->name->text);
    for (int i = 0; i < s->type->n_fields; i++) {
        strbuf_printf(out, "%s%s = ", i ? ", " : "", struct_field_name(s->type, i)->text);
        if (!value_write_literal(out, s->field[i], indent, err)) return false;
    }
    strbuf_char(out, ')');
    return true;
}

bool value_write_literal(StrBuf *out, Value v, int indent, Error *err)
{
    if (!stack_check(err, "nesting")) return false;
    switch (v.kind) {
    case VAL_UNSET: strbuf_text(out, "(not set)"); break;
    case VAL_NONE: strbuf_text(out, "none"); break;
    case VAL_BOOL: strbuf_text(out, v.b ? "true" : "false"); break;
    case VAL_INT: strbuf_printf(out, "%lld", (long long)v.i); break;
    case VAL_FLOAT: float_write(out, v.f); break;
    case VAL_STR: write_quoted(out, v.str); break;
    case VAL_ARR: array_write(out, v.arr, column(out, indent)); break;
    case VAL_TUPLE: return write_tuple(out, v.tuple, indent, err);
    case VAL_MAP: return write_map(out, v.map, indent, err);
    case VAL_STRUCT: return write_struct(out, v.strukt, indent, err);
    case VAL_FN: strbuf_printf(out, "<function %s>", function_name(v.fn)); break;
    case VAL_MODULE: strbuf_printf(out, "<module %s>", v.module->name); break;
    }
    return true;
}

bool value_write(StrBuf *out, Value v, Error *err)
{
    if (v.kind != VAL_STR) return value_write_literal(out, v, 0, err);
    strbuf_bytes(out, v.str->text, v.str->len);
    return true;
}

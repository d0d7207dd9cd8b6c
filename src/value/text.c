#include "value/text.h"

#include "array/array_text.h"
#include "base/interrupt.h"
#include "base/number_text.h"
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

int text_column(const StrBuf *out, int indent)
{
    size_t from = out->len;
    while (from > 0 && out->data[from - 1] != '\n') from--;
    int width = from == 0 ? indent : 0;
    for (size_t i = from; i < out->len; i++) width += ((unsigned char)out->data[i] & 0xC0) != 0x80;
    return width;
}

typedef struct {
    StrBuf *out;
    int indent;
    TextStyle style;
    Error *err;
} Writer;

static bool write_any(const Writer *w, Value v);

static bool write_tuple(const Writer *w, const Tuple *t)
{
    strbuf_char(w->out, '(');
    for (int i = 0; i < t->len; i++) {
        if (i) strbuf_text(w->out, ", ");
        if (!write_any(w, t->item[i])) return false;
    }
    strbuf_text(w->out, t->len == 1 ? ",)" : ")");
    return true;
}

static bool write_map(const Writer *w, const Map *m)
{
    strbuf_char(w->out, '{');
    for (int i = 0; i < m->len; i++) {
        if (i) strbuf_text(w->out, ", ");
        if (!write_any(w, m->entry[i].key)) return false;
        strbuf_text(w->out, ": ");
        if (!write_any(w, m->entry[i].value)) return false;
    }
    strbuf_char(w->out, '}');
    return true;
}

static bool write_struct(const Writer *w, const Struct *s)
{
    strbuf_printf(w->out, "%s(", s->type->name->text);
    for (int i = 0; i < s->type->n_fields; i++) {
        strbuf_printf(w->out, "%s%s = ", i ? ", " : "", struct_field_name(s->type, i)->text);
        if (!write_any(w, s->field[i])) return false;
    }
    strbuf_char(w->out, ')');
    return true;
}

static bool write_array(const Writer *w, const Array *a)
{
    ArrayStyle style = {.digits = w->style.digits, .width = w->style.width};
    return array_write(w->out, a, text_column(w->out, w->indent), &style);
}

static bool write_any(const Writer *w, Value v)
{
    StrBuf *out = w->out;
    if (!stack_check(w->err, "nesting") || !interrupt_poll(w->err)) return false;
    switch (v.kind) {
    case VAL_UNSET: strbuf_text(out, "(not set)"); break;
    case VAL_NONE: strbuf_text(out, "none"); break;
    case VAL_BOOL: strbuf_text(out, v.b ? "true" : "false"); break;
    case VAL_INT: strbuf_printf(out, "%lld", (long long)v.i); break;
    case VAL_FLOAT: float_write_rounded(out, v.f, w->style.digits); break;
    case VAL_STR: write_quoted(out, v.str); break;
    case VAL_ARR: return write_array(w, v.arr);
    case VAL_TUPLE: return write_tuple(w, v.tuple);
    case VAL_MAP: return write_map(w, v.map);
    case VAL_STRUCT: return write_struct(w, v.strukt);
    case VAL_FN: strbuf_printf(out, "<function %s>", function_name(v.fn)); break;
    case VAL_MODULE: strbuf_printf(out, "<module %s>", v.module->name); break;
    }
    return true;
}

bool value_write_literal(StrBuf *out, Value v, int indent, Error *err)
{
    Writer w = {.out = out, .indent = indent, .err = err};
    return write_any(&w, v);
}

bool value_show_literal(StrBuf *out, Value v, const TextStyle *style, Error *err)
{
    Writer w = {.out = out, .style = *style, .err = err};
    return write_any(&w, v);
}

bool value_show(StrBuf *out, Value v, const TextStyle *style, Error *err)
{
    if (v.kind != VAL_STR) return value_show_literal(out, v, style, err);
    strbuf_bytes(out, v.str->text, v.str->len);
    return true;
}

bool value_write(StrBuf *out, Value v, Error *err)
{
    static const TextStyle in_full;
    return value_show(out, v, &in_full, err);
}

#include "builtins/compare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/stack.h"
#include "value/map.h"
#include "value/structure.h"
#include "value/text.h"

typedef struct {
    const Criterion *c;
    Findings *f;
    StrBuf path; /* of the parts being compared */
    Error *err;
} Compare;

static bool compare(Compare *w, Value a, Value b);

/* ---- what is found ---- */

static bool misfit(Compare *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool misfit(Compare *w, const char *format, ...)
{
    StrBuf text = {0};
    va_list args;
    if (w->f->misfit) return true;
    va_start(args, format);
    strbuf_vprintf(&text, format, args);
    va_end(args);
    w->f->misfit = strbuf_take(&text);
    strbuf_text(&w->f->path, strbuf_str(&w->path));
    return true;
}

/* The indexes of flat position i. */
static void write_indexes(StrBuf *out, const Shape *s, int64_t i)
{
    int64_t index[MAX_RANK];
    for (int k = s->rank - 1; k >= 0; k--) {
        index[k] = i % s->dim[k];
        i /= s->dim[k];
    }
    for (int k = 0; k < s->rank; k++)
        strbuf_printf(out, "%s%" PRId64 "%s", k ? ", " : "[", index[k],
                      k == s->rank - 1 ? "]" : "");
}

static Value element(Value v, int64_t i)
{
    if (v.kind != VAL_ARR) return v;
    int64_t at = array_offset(v.arr, i);
    switch ((DType)v.arr->dtype) {
    case DT_BOOL: return value_bool(array_bools(v.arr)[at]);
    case DT_INT: return value_int(array_ints(v.arr)[at]);
    default: return value_float(array_floats(v.arr)[at]);
    }
}

static void set_failure(Compare *w, Failure *to, Value a, Value b, int64_t i, double gap,
                        double worth)
{
    strbuf_free(&to->path);
    strbuf_text(&to->path, strbuf_str(&w->path));
    if (a.kind == VAL_ARR) {
        Shape s = value_shape(a);
        write_indexes(&to->path, &s, i);
    }
    to->a = element(a, i);
    to->b = element(b, i);
    to->gap = gap;
    to->worth = worth;
}

/* Element i of a and b (or, of no arrays, they themselves) fails. */
static void fails(Compare *w, Value a, Value b, int64_t i, double gap, double worth)
{
    Findings *f = w->f;
    if (isnan(worth)) worth = INFINITY;
    if (f->failed++ == 0) set_failure(w, &f->first, a, b, i, gap, worth);
    bool worse = worth > f->worst.worth || (worth == f->worst.worth && gap > f->worst.gap);
    if (f->failed == 1 || worse) set_failure(w, &f->worst, a, b, i, gap, worth);
}

/* ---- numbers ---- */

static bool float_holds(const Criterion *c, double x, double y)
{
    switch (c->relation) {
    case REL_EQ: return x == y;
    case REL_LT: return x < y;
    case REL_LE: return x <= y;
    case REL_GT: return x > y;
    case REL_GE: return x >= y;
    case REL_CLOSE: break;
    }
    if (isnan(x) || isnan(y)) return c->equal_nan && isnan(x) && isnan(y);
    if (isinf(x) || isinf(y)) return x == y;
    return fabs(x - y) <= c->atol + c->rtol * fabs(y);
}

/* For near ones how many times the gap is what is allowed, else the gap. */
static double worth_of(const Criterion *c, double gap, double y)
{
    if (c->relation != REL_CLOSE || gap == 0) return gap;
    return gap / (c->atol + c->rtol * fabs(y));
}

static bool compare_floats(Compare *w, Value a, Value b, const double *x, const double *y,
                           int64_t n)
{
    Stretch s = {0};
    while (stretch_next(&s, n, w->err))
        for (int64_t i = s.start; i < s.end; i++) {
            if (float_holds(w->c, x[i], y[i])) continue;
            double gap = x[i] == y[i] ? 0 : fabs(x[i] - y[i]);
            fails(w, a, b, i, gap, worth_of(w->c, gap, y[i]));
        }
    return stretch_done(&s, n);
}

static bool int_holds(const Criterion *c, int64_t x, int64_t y)
{
    switch (c->relation) {
    case REL_EQ: return x == y;
    case REL_LT: return x < y;
    case REL_LE: return x <= y;
    case REL_GT: return x > y;
    case REL_GE: return x >= y;
    case REL_CLOSE: break;
    }
    return x == y || float_holds(c, (double)x, (double)y);
}

static bool compare_ints(Compare *w, Value a, Value b, const int64_t *x, const int64_t *y,
                         int64_t n)
{
    Stretch s = {0};
    while (stretch_next(&s, n, w->err))
        for (int64_t i = s.start; i < s.end; i++) {
            if (int_holds(w->c, x[i], y[i])) continue;
            uint64_t ux = (uint64_t)x[i], uy = (uint64_t)y[i];
            double gap = (double)(x[i] > y[i] ? ux - uy : uy - ux);
            fails(w, a, b, i, gap, worth_of(w->c, gap, (double)y[i]));
        }
    return stretch_done(&s, n);
}

static void describe_shape(StrBuf *out, const Shape *s)
{
    if (s->rank)
        strbuf_printf(out, "an array of shape %s", shape_text(s));
    else
        strbuf_text(out, "a number");
}

static bool shapes_differ(Compare *w, const Shape *s, const Shape *t)
{
    if (s->rank && t->rank)
        return misfit(w, "shapes %s and %s differ", shape_text(s), shape_text(t));
    StrBuf text = {0};
    describe_shape(&text, s);
    strbuf_text(&text, " and ");
    describe_shape(&text, t);
    misfit(w, "%s differ in shape", strbuf_str(&text));
    strbuf_free(&text);
    return true;
}

static bool compare_numeric(Compare *w, Value a, Value b)
{
    Shape sa = value_shape(a), sb = value_shape(b);
    if (!shape_equal(&sa, &sb)) return shapes_differ(w, &sa, &sb);
    Array scratch_a, scratch_b;
    Array *xa = value_operand(&a, &scratch_a), *xb = value_operand(&b, &scratch_b);
    bool floats = xa->dtype == DT_FLOAT || xb->dtype == DT_FLOAT;
    w->f->compared += xa->size;
    if (floats && xa->rank == 0) {
        double x = array_float_at(xa, 0), y = array_float_at(xb, 0);
        return compare_floats(w, a, b, &x, &y, 1);
    }
    if (xa->rank == 0) {
        int64_t x = array_int_at(xa, 0), y = array_int_at(xb, 0);
        return compare_ints(w, a, b, &x, &y, 1);
    }
    Array *x = array_convert(xa, floats ? DT_FLOAT : DT_INT, w->err);
    Array *y = x ? array_convert(xb, floats ? DT_FLOAT : DT_INT, w->err) : NULL;
    bool ok = y && (floats ? compare_floats(w, a, b, array_floats(x), array_floats(y), x->size)
                           : compare_ints(w, a, b, array_ints(x), array_ints(y), x->size));
    array_release(x);
    array_release(y);
    return ok;
}

uint64_t float_steps(double x, double y)
{
    int64_t i, k;
    memcpy(&i, &x, sizeof i);
    memcpy(&k, &y, sizeof k);
    /* Negative ones run backwards from −0.0, which is 0.0. */
    if (i < 0) i = INT64_MIN - i;
    if (k < 0) k = INT64_MIN - k;
    return i > k ? (uint64_t)i - (uint64_t)k : (uint64_t)k - (uint64_t)i;
}

/* ---- other leaves ---- */

static bool compare_strings(Compare *w, Value a, Value b)
{
    int order = str_compare(a.str, b.str);
    w->f->compared++;
    if (!int_holds(&(Criterion){.relation = w->c->relation}, order, 0)) fails(w, a, b, 0, 0, 0);
    return true;
}

static bool kinds_differ(Compare *w, Value a, Value b)
{
    StrBuf da = {0}, db = {0};
    value_describe(&da, a);
    value_describe(&db, b);
    misfit(w, "%s and %s differ in type", strbuf_str(&da), strbuf_str(&db));
    strbuf_free(&da);
    strbuf_free(&db);
    return true;
}

static bool compare_others(Compare *w, Value a, Value b)
{
    bool equal;
    if (!value_equal(a, b, &equal, w->err)) return false;
    w->f->compared++;
    if (!equal) fails(w, a, b, 0, 0, 0);
    return true;
}

/* ---- structures ---- */

static void cut_path(Compare *w, size_t len)
{
    w->path.len = len;
    if (w->path.data) w->path.data[len] = '\0';
}

static bool compare_tuples(Compare *w, const Tuple *a, const Tuple *b)
{
    size_t len = w->path.len;
    if (a->len != b->len)
        return misfit(w, "a tuple of %d and a tuple of %d differ in length", a->len, b->len);
    for (int i = 0; i < a->len; i++) {
        strbuf_printf(&w->path, "[%d]", i);
        if (!compare(w, a->item[i], b->item[i])) return false;
        cut_path(w, len);
    }
    return true;
}

static bool compare_structs(Compare *w, Value a, Value b)
{
    size_t len = w->path.len;
    const StructType *type = a.strukt->type;
    if (type != b.strukt->type) return kinds_differ(w, a, b);
    for (int i = 0; i < type->n_fields; i++) {
        strbuf_printf(&w->path, ".%s", struct_field_name(type, i)->text);
        if (!compare(w, a.strukt->field[i], b.strukt->field[i])) return false;
        cut_path(w, len);
    }
    return true;
}

/* The first key of a that b does not have is a misfit. */
static bool check_keys(Compare *w, const Map *a, const Map *b, const char *which)
{
    for (int i = 0; i < a->len && !w->f->misfit; i++) {
        if (map_get(b, a->entry[i].key)) continue;
        StrBuf key = {0};
        if (!value_write_literal(&key, a->entry[i].key, 0, w->err)) return false;
        misfit(w, "key %s is missing in the %s map", strbuf_str(&key), which);
        strbuf_free(&key);
    }
    return true;
}

static bool compare_maps(Compare *w, const Map *a, const Map *b)
{
    size_t len = w->path.len;
    if (!check_keys(w, a, b, "second") || !check_keys(w, b, a, "first")) return false;
    for (int i = 0; i < a->len && !w->f->misfit; i++) {
        strbuf_char(&w->path, '[');
        if (!value_write_literal(&w->path, a->entry[i].key, 0, w->err)) return false;
        strbuf_char(&w->path, ']');
        if (!compare(w, a->entry[i].value, *map_get(b, a->entry[i].key))) return false;
        cut_path(w, len);
    }
    return true;
}

static bool compare(Compare *w, Value a, Value b)
{
    if (w->f->misfit) return true;
    if (!stack_check(w->err, "nesting") || !interrupt_poll(w->err)) return false;
    if (value_is_numeric(a) && value_is_numeric(b)) return compare_numeric(w, a, b);
    if (a.kind != b.kind) return kinds_differ(w, a, b);
    switch (a.kind) {
    case VAL_STR: return compare_strings(w, a, b);
    case VAL_TUPLE: return compare_tuples(w, a.tuple, b.tuple);
    case VAL_STRUCT: return compare_structs(w, a, b);
    case VAL_MAP: return compare_maps(w, a.map, b.map);
    default: return compare_others(w, a, b);
    }
}

bool compare_values(const Criterion *c, Value a, Value b, Findings *f, Error *err)
{
    Compare w = {.c = c, .f = f, .err = err};
    bool ok = compare(&w, a, b);
    strbuf_free(&w.path);
    return ok;
}

void findings_free(Findings *f)
{
    mem_free(f->misfit);
    strbuf_free(&f->path);
    strbuf_free(&f->first.path);
    strbuf_free(&f->worst.path);
}

#include "builtins/files/npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#define MAGIC "\x93NUMPY"

enum {
    MAGIC_LEN = 6,
    PREFIX_1 = 10, /* magic, version and a length of two bytes */
    PREFIX_2 = 12, /* of four */
    ALIGNMENT = 64,
    GROWTH_DIGITS = 21, /* NumPy leaves room for this many digits of the first size */
};

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

typedef struct {
    const char *at, *end;
    NpyHeader *h;
    Error *err;
} Parser;

typedef struct {
    const char *text;
    size_t len;
} Piece;

/* ---- what is wrong ---- */

static bool broken(Parser *p, const char *what)
{
    error_set(p->err, ERR_IO, "its header is broken: %s", what);
    return error_note(p->err,
                      "a .npy header is a dictionary of 'descr', 'fortran_order' and 'shape'");
}

/* Foreign bytes for a message: short, and only what can be shown. */
static const char *shown(Piece s, char *to, size_t room)
{
    size_t n = 0;
    for (; n < s.len && n < room - 4; n++)
        to[n] = s.text[n] >= ' ' && s.text[n] < 0x7f ? s.text[n] : '?';
    strcpy(to + n, n < s.len ? "..." : "");
    return to;
}

static const char *kind_meaning(char kind)
{
    switch (kind) {
    case 'c': return " (complex numbers)";
    case 'O': return " (Python objects)";
    case 'U': return " (text)";
    case 'S':
    case 'a': return " (bytes)";
    case 'M': return " (dates)";
    case 'm': return " (durations)";
    case 'V': return " (raw bytes)";
    default: return "";
    }
}

static bool refuse_dtype(Parser *p, Piece descr, const char *meaning)
{
    char text[64];
    error_set(p->err, ERR_IO, "its dtype %s%s is not supported", shown(descr, text, sizeof text),
              meaning);
    return error_hint(p->err,
                      "float32, float64, integers and bool are; in NumPy, x.astype(\"float64\") "
                      "converts");
}

/* ---- Python's literals ---- */

static void skip_space(Parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r'))) p->at++;
}

static bool accept(Parser *p, char c)
{
    skip_space(p);
    bool is_there = p->at < p->end && *p->at == c;
    p->at += is_there;
    return is_there;
}

static bool accept_word(Parser *p, const char *word)
{
    size_t len = strlen(word);
    skip_space(p);
    bool is_there = (size_t)(p->end - p->at) >= len && memcmp(p->at, word, len) == 0;
    if (is_there) p->at += len;
    return is_there;
}

static bool parse_string(Parser *p, Piece *s)
{
    skip_space(p);
    char quote = p->at < p->end ? *p->at : '\0';
    if (quote != '\'' && quote != '"') return broken(p, "a string is missing");
    const char *from = p->at + 1;
    const char *to = memchr(from, quote, (size_t)(p->end - from));
    if (!to) return broken(p, "a string does not end");
    *s = (Piece){from, (size_t)(to - from)};
    p->at = to + 1;
    return true;
}

/* What is left of one field's tuple, up to its closing parenthesis: a dtype as it stands. */
static Piece rest_of_field(Parser *p)
{
    skip_space(p);
    const char *from = p->at;
    int depth = 0;
    for (char quote = '\0'; p->at < p->end && (quote || depth || *p->at != ')'); p->at++) {
        char c = *p->at;
        bool ends_string = quote && c == quote;
        if (ends_string || (!quote && (c == '\'' || c == '"'))) quote = ends_string ? '\0' : c;
        if (quote || ends_string) continue;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return (Piece){from, (size_t)(p->at - from)};
}

/* [('x', '<f8'), ('y', '<i4', (2,))]: a record of fields. */
static bool refuse_structure(Parser *p)
{
    enum { SHOWN = 8, ROOM = 48 };
    StrBuf fields = {0};
    char a[ROOM], b[ROOM];
    Piece name;
    int n = 0;
    while (accept(p, '(') && parse_string(p, &name) && accept(p, ',')) {
        Piece dtype = rest_of_field(p);
        if (n++ < SHOWN)
            strbuf_printf(&fields, "%s%s: %s", n > 1 ? "; " : "", shown(name, a, ROOM),
                          shown(dtype, b, ROOM));
        if (!accept(p, ')') || !accept(p, ',')) break;
    }
    if (n > SHOWN) strbuf_text(&fields, "; ...");
    bool ends = !error_is_set(p->err) && accept(p, ']');
    if (ends)
        error_set(p->err, ERR_IO, "its dtype is a structure (%s), which is not supported",
                  strbuf_str(&fields));
    strbuf_free(&fields);
    if (!ends) return error_is_set(p->err) ? false : broken(p, "a structure does not end");
    return error_hint(p->err, "in NumPy, np.savez(path, **{n: a[n] for n in a.dtype.names}) writes "
                              "them as arrays, for load_npz");
}

/* '<f8' and its like: byte order, kind, size. */
static bool parse_dtype(Parser *p)
{
    if (accept(p, '[')) return refuse_structure(p);
    Piece s;
    if (!parse_string(p, &s)) return false;
    size_t i = s.len && strchr("<>=|", s.text[0]) ? 1 : 0;
    NpyHeader *h = p->h;
    h->is_big_endian =
        i && s.text[0] != '=' ? s.text[0] == '>' : __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    h->kind = i < s.len ? s.text[i] : '\0';
    h->size = i + 2 == s.len ? s.text[i + 1] - '0' : 0;
    bool is_power = h->size == 1 || h->size == 2 || h->size == 4 || h->size == 8;
    if (((h->kind == 'i' || h->kind == 'u') && is_power) || (h->kind == 'b' && h->size == 1) ||
        (h->kind == 'f' && (h->size == 4 || h->size == 8)))
        return true;
    Piece quoted = {s.text - 1, s.len + 2};
    return refuse_dtype(p, quoted, kind_meaning(h->kind));
}

static bool parse_order(Parser *p)
{
    p->h->is_fortran = accept_word(p, "True");
    return p->h->is_fortran || accept_word(p, "False") ||
           broken(p, "'fortran_order' is neither True nor False");
}

static bool parse_size(Parser *p, int64_t *size)
{
    if (accept(p, '-')) return broken(p, "a size is negative");
    const char *from = p->at;
    for (*size = 0; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, *p->at - '0', size))
            return broken(p, "a size is too large");
    if (p->at == from) return broken(p, "'shape' is not a tuple of integers");
    accept(p, 'L'); /* Python 2 */
    return true;
}

static bool parse_shape(Parser *p)
{
    bool ends_in_comma = true;
    Shape *s = &p->h->shape;
    *s = (Shape){0};
    if (!accept(p, '(')) return broken(p, "'shape' is not a tuple of integers");
    while (!accept(p, ')')) {
        if (!ends_in_comma) return broken(p, "'shape' is not a tuple of integers");
        if (s->rank == MAX_RANK)
            return error_set(p->err, ERR_IO, "its array has more than %d axes", MAX_RANK);
        if (!parse_size(p, &s->dim[s->rank++])) return false;
        ends_in_comma = accept(p, ',');
    }
    return s->rank != 1 || ends_in_comma || broken(p, "'shape' is not a tuple of integers");
}

static bool is_key(Piece key, const char *wanted)
{
    return key.len == strlen(wanted) && memcmp(key.text, wanted, key.len) == 0;
}

/* One key and its value. */
static bool parse_entry(Parser *p, unsigned *seen)
{
    Piece key;
    if (!parse_string(p, &key)) return false;
    unsigned entry = is_key(key, "descr")           ? HAS_DESCR
                     : is_key(key, "fortran_order") ? HAS_ORDER
                     : is_key(key, "shape")         ? HAS_SHAPE
                                                    : 0;
    if (!entry) return broken(p, "it has an unknown key");
    if (*seen & entry) return broken(p, "it has a key twice");
    *seen |= entry;
    if (!accept(p, ':')) return broken(p, "a colon is missing");
    return entry == HAS_DESCR   ? parse_dtype(p)
           : entry == HAS_ORDER ? parse_order(p)
                                : parse_shape(p);
}

static bool parse_dictionary(Parser *p)
{
    unsigned seen = 0;
    bool ends_in_comma = true;
    if (!accept(p, '{')) return broken(p, "it is not a dictionary");
    while (!accept(p, '}')) {
        if (!ends_in_comma) return broken(p, "a comma is missing");
        if (!parse_entry(p, &seen)) return false;
        ends_in_comma = accept(p, ',');
    }
    if (seen != HAS_ALL) return broken(p, "a key is missing");
    skip_space(p);
    return p->at == p->end || broken(p, "something follows the dictionary");
}

/* ---- the head as a whole ---- */

static bool not_npy(const char *bytes, size_t len, Error *err)
{
    bool is_zip = len >= 4 && memcmp(bytes, "PK\3\4", 4) == 0;
    error_set(err, ERR_IO, "it is not a .npy file: it %s",
              len == 0 ? "is empty"
              : is_zip ? "is a zip archive"
                       : "does not start as one");
    return is_zip && error_hint(err, "load_npz reads archives of arrays");
}

bool npy_is_one(const char *bytes, size_t len)
{
    return len >= MAGIC_LEN && memcmp(bytes, MAGIC, MAGIC_LEN) == 0;
}

bool npy_header_read(const char *bytes, size_t len, NpyHeader *h, Error *err)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (!npy_is_one(bytes, len)) return not_npy(bytes, len, err);
    if (len < PREFIX_2) return error_set(err, ERR_IO, "it ends within its header");
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return error_set(err, ERR_IO, "version %d.%d of the .npy format is not known", b[6], b[7]);
    size_t prefix = b[6] == 1 ? PREFIX_1 : PREFIX_2;
    size_t header = b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) header |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (header > len - prefix)
        return error_set(err, ERR_IO, "it ends within its header, which should have %zu bytes",
                         header);
    h->data = prefix + header;
    return parse_dictionary(&(Parser){bytes + prefix, bytes + h->data, h, err});
}

static void write_dictionary(StrBuf *out, const Array *a)
{
    const char *descr = a->dtype == DT_BOOL ? "|b1" : a->dtype == DT_INT ? "<i8" : "<f8";
    strbuf_printf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int k = 0; k < a->rank; k++) strbuf_printf(out, "%s%" PRId64, k ? ", " : "", a->dim[k]);
    strbuf_text(out, a->rank == 1 ? ",), }" : "), }");
    if (a->rank == 0) return;
    int digits = snprintf(NULL, 0, "%" PRId64, a->dim[0]);
    strbuf_repeat(out, ' ', (size_t)(GROWTH_DIGITS - digits));
}

void npy_header_write(StrBuf *out, const Array *a)
{
    StrBuf text = {0};
    write_dictionary(&text, a);
    strbuf_repeat(&text, ' ', ALIGNMENT - (PREFIX_1 + text.len + 1) % ALIGNMENT);
    strbuf_char(&text, '\n');
    strbuf_bytes(out, MAGIC "\x01\x00", MAGIC_LEN + 2);
    strbuf_char(out, (char)(text.len & 0xff));
    strbuf_char(out, (char)(text.len >> 8));
    strbuf_bytes(out, text.data, text.len);
    strbuf_free(&text);
}

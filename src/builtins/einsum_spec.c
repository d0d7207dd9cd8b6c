/* Reads einsum's specifications: "ij,jk->ik". */
#include <ctype.h>
#include <string.h>

#include "builtins/einsum.h"

/* One operand's or the output's part of the text: letters, and perhaps "...". */
typedef struct {
    const char *text;
    int len;
    int letters; /* without those of "..." */
    bool has_rest;
} Part;

typedef struct {
    Interp *in;
    const Args *args;
    const char *spec;
    Einsum *e;
    Part *part; /* one an operand */
    Part out;
    bool has_out;
    int rest; /* the most axes that "..." stands for */
} Reader;

static int label_of(char c)
{
    return c >= 'a' ? c - 'a' + 26 : c - 'A';
}

static char letter_of(int label)
{
    return (char)(label >= 26 ? 'a' + label - 26 : 'A' + label);
}

/* ---- the text ---- */

static bool check_character(const Reader *r, Part *p, const char **at)
{
    const char *c = *at;
    if (isspace((unsigned char)*c)) return true;
    if (isalpha((unsigned char)*c)) {
        p->letters++;
        return true;
    }
    bool is_rest = strncmp(c, "...", 3) == 0;
    if (is_rest && !p->has_rest) {
        p->has_rest = true;
        *at = c + 2;
        return true;
    }
    if (is_rest)
        return arg_error(r->in, r->args, 0, ERR_VALUE, "einsum: \"%s\" has ... twice in one part",
                         r->spec);
    int len = 1;
    while ((c[len] & 0xC0) == 0x80) len++;
    return arg_error(
        r->in, r->args, 0, ERR_VALUE,
        "einsum: %.*s in \"%s\" is not an index: they are letters from a to z and A to Z", len, c,
        r->spec);
}

/* Reads up to stop, of which *at becomes the place. */
static bool read_part(const Reader *r, Part *p, const char **at, const char *stop)
{
    *p = (Part){.text = *at};
    for (; *at < stop && **at != ','; (*at)++)
        if (!check_character(r, p, at)) return false;
    p->len = (int)(*at - p->text);
    return true;
}

static bool read_operands(Reader *r, const char *end)
{
    int n = 1;
    for (const char *c = r->spec; c < end; c++) n += *c == ',';
    if (n != r->e->n) {
        arg_error(r->in, r->args, 0, ERR_VALUE, "einsum: \"%s\" is for %d operand%s, not %d",
                  r->spec, n, n == 1 ? "" : "s", r->e->n);
        return error_hint(&r->in->err, "commas separate the operands' indexes");
    }
    const char *at = r->spec;
    for (int i = 0; i < n; i++, at++)
        if (!read_part(r, &r->part[i], &at, end)) return false;
    return true;
}

static bool read_text(Reader *r)
{
    const char *arrow = strstr(r->spec, "->"), *end = r->spec + strlen(r->spec);
    if (!read_operands(r, arrow ? arrow : end)) return false;
    r->has_out = arrow != NULL;
    if (!arrow) return true;
    const char *at = arrow + 2;
    if (!read_part(r, &r->out, &at, end)) return false;
    return at == end || arg_error(r->in, r->args, 0, ERR_VALUE,
                                  "einsum: \"%s\" has more than one output", r->spec);
}

/* ---- axes and sizes ---- */

/* Appends what a part stands for, with rest axes for "...". */
static void expand(const Part *p, int rest, Labels *l)
{
    for (const char *c = p->text; c < p->text + p->len && l->n < MAX_RANK; c++) {
        if (isalpha((unsigned char)*c)) l->label[l->n++] = label_of(*c);
        if (*c != '.') continue;
        for (int i = 0; i < rest && l->n < MAX_RANK; i++) l->label[l->n++] = MAX_LABELS - rest + i;
        c += 2;
    }
}

static bool check_rank(const Reader *r, int i, const Shape *s)
{
    const Part *p = &r->part[i];
    if (p->has_rest ? s->rank >= p->letters : s->rank == p->letters) return true;
    int start = 0, len = p->len;
    while (len > 0 && isspace((unsigned char)p->text[start])) start++, len--;
    return arg_error(r->in, r->args, i + 1, ERR_SHAPE,
                     "einsum: \"%.*s\" in \"%s\" names %d ax%s, but operand %d is %s%s", len,
                     p->text + start, r->spec, p->letters, p->letters == 1 ? "is" : "es", i + 1,
                     shape_noun(s), p->letters ? "" : ", not a number");
}

/* Where a label got its size: the first operand that has it. */
static int first_with(const Reader *r, int label, int before)
{
    for (int i = 0; i < before; i++)
        if (labels_mask(&r->e->operand[i]) >> label & 1) return i;
    return before;
}

static bool set_size(const Reader *r, int operand, int axis, int64_t size)
{
    int label = r->e->operand[operand].label[axis];
    int64_t *known = &r->e->size[label];
    bool is_rest = label >= AXIS_LABEL;
    if (*known < 0 || (is_rest && *known == 1)) *known = size;
    if (*known == size || (is_rest && size == 1)) return true;
    int first = first_with(r, label, operand);
    char name[] = {is_rest ? '.' : letter_of(label), is_rest ? '.' : 0, '.', 0};
    if (first == operand)
        return arg_error(r->in, r->args, operand + 1, ERR_SHAPE,
                         "einsum: in \"%s\" operand %d has sizes %lld and %lld for index %s",
                         r->spec, operand + 1, (long long)*known, (long long)size, name);
    return arg_error(r->in, r->args, operand + 1, ERR_SHAPE,
                     "einsum: in \"%s\" index %s is %lld in operand %d but %lld in operand %d",
                     r->spec, name, (long long)*known, first + 1, (long long)size, operand + 1);
}

static bool read_axes(Reader *r)
{
    for (int i = 0; i < r->e->n; i++) {
        if (!arg_numeric(r->in, r->args, i + 1)) return false;
        Shape s = value_shape(r->args->pos[i + 1]);
        Labels *l = &r->e->operand[i];
        if (!check_rank(r, i, &s)) return false;
        int rest = s.rank - r->part[i].letters;
        if (rest > r->rest) r->rest = rest;
        expand(&r->part[i], rest, l);
        for (int k = 0; k < l->n; k++)
            if (!set_size(r, i, k, s.dim[k])) return false;
    }
    return true;
}

/* ---- the output ---- */

static bool bad_output(const Reader *r, char letter, const char *what)
{
    return arg_error(r->in, r->args, 0, ERR_VALUE, "einsum: output index %c of \"%s\" %s", letter,
                     r->spec, what);
}

static bool check_output(const Reader *r)
{
    uint64_t seen = 0;
    for (const char *c = r->out.text; c < r->out.text + r->out.len; c++) {
        if (!isalpha((unsigned char)*c)) continue;
        int label = label_of(*c);
        if (r->e->size[label] < 0) return bad_output(r, *c, "is in no operand");
        if (seen >> label & 1) return bad_output(r, *c, "is there twice");
        seen |= (uint64_t)1 << label;
    }
    if (r->rest == 0 || r->out.has_rest) return true;
    return arg_error(r->in, r->args, 0, ERR_VALUE,
                     "einsum: the output of \"%s\" needs ... for the axes that it stands for",
                     r->spec);
}

/* Without "->": what "..." stands for, then the letters that occur once, in order. */
static void implicit_output(Reader *r, Labels *out, int *rank)
{
    int uses[AXIS_LABEL] = {0};
    for (int i = 0; i < r->e->n; i++)
        for (int k = 0; k < r->e->operand[i].n; k++)
            if (r->e->operand[i].label[k] < AXIS_LABEL) uses[r->e->operand[i].label[k]]++;
    expand(&(Part){.text = "...", .len = 3}, r->rest, out);
    *rank = r->rest;
    for (int label = 0; label < AXIS_LABEL; label++) {
        if (uses[label] != 1) continue;
        if (out->n < MAX_RANK) out->label[out->n++] = label;
        ++*rank;
    }
}

static bool read_output(Reader *r)
{
    int rank = r->out.letters + r->rest;
    if (r->has_out) {
        if (!check_output(r)) return false;
        expand(&r->out, r->rest, &r->e->out);
    } else {
        implicit_output(r, &r->e->out, &rank);
    }
    return rank <= MAX_RANK || arg_error(r->in, r->args, 0, ERR_SHAPE,
                                         "einsum: the output of \"%s\" has %d axes, at most %d",
                                         r->spec, rank, MAX_RANK);
}

bool einsum_read(Interp *in, const Args *a, Einsum *e)
{
    const Str *spec;
    *e = (Einsum){.n = a->n - 1};
    for (int i = 0; i < MAX_LABELS; i++) e->size[i] = -1;
    if (!arg_str(in, a, 0, &spec)) return false;
    e->operand = mem_calloc((size_t)e->n, sizeof *e->operand);
    Reader r = {.in = in, .args = a, .spec = spec->text, .e = e};
    r.part = mem_calloc((size_t)e->n, sizeof *r.part);
    bool ok = read_text(&r) && read_axes(&r) && read_output(&r);
    mem_free(r.part);
    return ok;
}

#include "eval/signature.h"

#include <string.h>

static Signature *parsed;

void signatures_start(int n)
{
    parsed = mem_calloc((size_t)n, sizeof *parsed);
}

void signatures_free(void)
{
    mem_free(parsed);
    parsed = NULL;
}

#define ELLIPSIS "…"

static bool ends_in_ellipsis(const char *text, size_t len)
{
    size_t n = strlen(ELLIPSIS);
    return len >= n && memcmp(text + len - n, ELLIPSIS, n) == 0;
}

/* One part between commas: "x", "[x]", "parts…", "axis = none", "keywords…". */
static void parse_part(Signature *s, const char *text, size_t len)
{
    while (len && *text == ' ') text++, len--;
    const char *equals = memchr(text, '=', len);
    if (equals) {
        size_t n = (size_t)(equals - text);
        while (n && text[n - 1] == ' ') n--;
        s->keyword[s->n_keywords++] = symbol_intern(text, n);
        return;
    }
    if (len == strlen("keywords" ELLIPSIS) && memcmp(text, "keywords" ELLIPSIS, len) == 0) {
        s->passes_keywords = true;
        return;
    }
    bool optional = *text == '[';
    if (optional) text++, len -= 2;
    bool rest = ends_in_ellipsis(text, len);
    if (rest) len -= strlen(ELLIPSIS);
    if (s->n_parameters < MAX_PARAMETERS)
        s->parameter[s->n_parameters++] = symbol_intern(text, len);
    if (rest) {
        s->max = -1;
        return;
    }
    if (!optional) s->min++;
    if (s->max >= 0) s->max++;
}

/* The comma that ends a part, or end; one inside quotes is a default's. */
static const char *part_end(const char *at, const char *end)
{
    for (bool is_quoted = false; at < end && (is_quoted || *at != ','); at++)
        if (*at == '"') is_quoted = !is_quoted;
    return at;
}

static void parse(Signature *s, const char *text)
{
    const char *at = strchr(text, '(');
    s->is_parsed = true;
    s->is_constant = at == NULL;
    if (!at) return;
    const char *end = strrchr(text, ')');
    for (at++; at < end;) {
        const char *stop = part_end(at, end);
        parse_part(s, at, (size_t)(stop - at));
        at = stop + 1;
    }
}

const Signature *signature_of(const Builtin *b)
{
    enum { REMEMBERED = 512 };
    /* Asked at every call: what was found is remembered by the record's address. */
    static struct {
        const Builtin *record;
        const Signature *signature;
    } memory[REMEMBERED];
    size_t at = (uintptr_t)b / sizeof *b % REMEMBERED;
    if (memory[at].record == b) return memory[at].signature;
    Signature *s = &parsed[builtin_index(symbol_of(b->name))];
    if (!s->is_parsed) parse(s, b->signature);
    memory[at].record = b;
    memory[at].signature = s;
    return s;
}

const char *signature_parameter(const Builtin *b, int i)
{
    const Signature *s = signature_of(b);
    if (s->n_parameters == 0) return "it";
    return s->parameter[i < s->n_parameters ? i : s->n_parameters - 1]->text;
}

void signature_write_count(StrBuf *out, const Builtin *b, int n)
{
    const Signature *s = signature_of(b);
    strbuf_printf(out, "%s takes ", b->name);
    if (s->max < 0)
        strbuf_printf(out, "at least %d", s->min);
    else if (s->min == s->max)
        strbuf_printf(out, "%d", s->max);
    else
        strbuf_printf(out, "%d to %d", s->min, s->max);
    bool is_one = s->min == 1 && s->max <= 1;
    strbuf_printf(out, " argument%s, not %d", is_one ? "" : "s", n);
}

const char *signature_keyword(const Builtin *b, int k)
{
    const Signature *s = signature_of(b);
    return k < s->n_keywords ? s->keyword[k]->text : NULL;
}

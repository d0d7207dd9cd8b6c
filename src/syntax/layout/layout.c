#include "syntax/layout/layout.h"

#include "syntax/layout/lines.h"

static bool differs(const Source *original, const LayoutItem *t, Error *err)
{
    uint32_t start = original->base + (uint32_t)(t->text - original->text);
    Span at = {start, start + (uint32_t)t->len};
    error_set_at(err, ERR_INTERNAL, at, "the layout would change the program here");
    return error_hint(err, "nothing was written; please report this as a mistake of viv fmt");
}

/* A text that does not even parse differs at its end. */
static bool check(const Source *original, const LayoutText *before, const Source *source,
                  Error *err)
{
    LayoutText after = {0};
    Error unread = {0};
    bool parses = layout_text_read(&after, source, &unread);
    int last = before->items.len - 1;
    int at = parses ? layout_text_difference(before, &after) : last;
    layout_text_free(&after);
    error_clear(&unread);
    return at < 0 || differs(original, &before->items.item[at < last ? at : last], err);
}

static bool check_text(const Source *original, const LayoutText *before, const char *text,
                       size_t len, Error *err)
{
    const Source *source = source_add(original->name, text, len);
    if (!source) return error_set(err, ERR_MEMORY, "%s is too large", original->name);
    bool ok = check(original, before, source, err);
    source_drop(source);
    return ok;
}

bool layout_check(const Source *original, const char *text, size_t len, Error *err)
{
    LayoutText before = {0};
    bool ok =
        layout_text_read(&before, original, err) && check_text(original, &before, text, len, err);
    layout_text_free(&before);
    return ok;
}

bool layout_source(const Source *source, StrBuf *out, Error *err)
{
    LayoutText text = {0};
    bool ok = layout_text_read(&text, source, err);
    if (ok) {
        layout_write_lines(&text, out);
        ok = check_text(source, &text, strbuf_str(out), out->len, err);
    }
    layout_text_free(&text);
    return ok;
}

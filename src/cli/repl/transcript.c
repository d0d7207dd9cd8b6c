#include "cli/repl/transcript.h"

#include <string.h>

#include "syntax/source.h"

/* ---- entries ---- */

static bool is_definition(int kind)
{
    return kind == AST_DEF || kind == AST_STRUCT;
}

static Symbol defined_by(const Ast *s)
{
    switch (s->kind) {
    case AST_DEF:
    case AST_ADJOINT: return s->function->name;
    case AST_STRUCT: return s->structure->name;
    case AST_TEST: return symbol_of(s->test->name);
    default: return NULL;
    }
}

static Symbol assigned_by(const Ast *s)
{
    bool is_plain = s->kind == AST_ASSIGN && s->assign.target->kind == AST_NAME;
    return is_plain ? s->assign.target->name.name : NULL;
}

static void remove_at(Transcript *t, int i)
{
    mem_free(t->entries.item[i].text);
    t->entries.len--;
    memmove(&t->entries.item[i], &t->entries.item[i + 1],
            (size_t)(t->entries.len - i) * sizeof *t->entries.item);
}

static void insert_at(Transcript *t, int i, TranscriptEntry entry)
{
    VEC_RESERVE(&t->entries, 1);
    memmove(&t->entries.item[i + 1], &t->entries.item[i],
            (size_t)(t->entries.len - i) * sizeof *t->entries.item);
    t->entries.item[i] = entry;
    t->entries.len++;
}

static int find_entry(const Transcript *t, const TranscriptEntry *like)
{
    for (int i = 0; i < t->entries.len; i++) {
        const TranscriptEntry *e = &t->entries.item[i];
        bool same_kind =
            e->kind == like->kind || (is_definition(e->kind) && is_definition(like->kind));
        if (same_kind && like->defines && e->defines == like->defines) return i;
    }
    return -1;
}

/* A new function has no adjoint. Returns at, moved if what was removed stood before it. */
static int remove_adjoint(Transcript *t, const TranscriptEntry *definition, int at)
{
    TranscriptEntry adjoint = {.kind = AST_ADJOINT, .defines = definition->defines};
    int i = is_definition(definition->kind) ? find_entry(t, &adjoint) : -1;
    if (i >= 0) remove_at(t, i);
    return i >= 0 && i < at ? at - 1 : at;
}

/* Where the next one goes. */
static int put(Transcript *t, int at, TranscriptEntry entry)
{
    at = remove_adjoint(t, &entry, at);
    int before = find_entry(t, &entry);
    if (before < 0) {
        insert_at(t, at, entry);
        return at + 1;
    }
    mem_free(t->entries.item[before].text);
    t->entries.item[before] = entry;
    return at > before ? at : before + 1;
}

/* ---- inputs ---- */

/* Where the statements of a file that is loaded again go. */
static int make_room(Transcript *t, int file)
{
    int at = t->entries.len;
    for (int i = t->entries.len - 1; file && i >= 0; i--) {
        if (t->entries.item[i].file != file) continue;
        remove_at(t, i);
        at = i;
    }
    return at;
}

/* A statement with the comments before it, and the last one with what follows it. */
static char *statement_text(const SyntaxFile *input, int i)
{
    const AstList *list = &input->body->list;
    Span span = {i ? list->item[i - 1]->span.end : input->span.start,
                 i + 1 < list->len ? list->item[i]->span.end : input->span.end};
    size_t len;
    const char *text = source_text(span, &len);
    while (len && strchr(" \t\r\n;", *text)) text++, len--;
    while (len && strchr(" \t\r\n;", text[len - 1])) len--;
    return mem_strndup(text, len);
}

static bool contains(const StatementList *list, int i)
{
    for (int k = 0; k < list->len; k++)
        if (list->item[k] == i) return true;
    return false;
}

void transcript_add(Transcript *t, const SyntaxFile *input, const StatementList *failed, int file,
                    bool sets_last)
{
    const AstList *list = &input->body->list;
    int at = make_room(t, file);
    for (int i = 0; i < list->len; i++) {
        if (contains(failed, i)) continue;
        const Ast *s = list->item[i];
        TranscriptEntry entry = {.text = statement_text(input, i),
                                 .kind = s->kind,
                                 .defines = defined_by(s),
                                 .assigns = assigned_by(s),
                                 .sets_last = sets_last && i + 1 == list->len,
                                 .file = file};
        at = put(t, at, entry);
    }
}

/* ---- finding ---- */

bool transcript_find(StrBuf *out, const Transcript *t, Symbol name)
{
    const char *found = NULL;
    for (int i = 0; i < t->entries.len; i++) {
        const TranscriptEntry *e = &t->entries.item[i];
        if (e->assigns == name) found = e->text;
        if (e->defines != name || e->kind == AST_TEST) continue;
        if (is_definition(e->kind)) out->len = 0, found = NULL;
        strbuf_printf(out, "%s%s", out->len ? "\n" : "", e->text);
    }
    if (found) out->len = 0;
    if (found) strbuf_text(out, found);
    return out->len > 0;
}

/* ---- writing ---- */

static bool mentions_last(const char *text)
{
    static const char of_names[] =
        "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *p = text; *p;) {
        size_t len = strspn(p, of_names);
        if (len == 1 && *p == '_') return true;
        p += len ? len : 1;
    }
    return false;
}

/* Where later statements use _, it is assigned; that they only seem to does no harm. */
static bool wants_name(const Transcript *t, int i)
{
    if (!t->entries.item[i].sets_last) return false;
    while (++i < t->entries.len)
        if (mentions_last(t->entries.item[i].text)) return true;
    return false;
}

void transcript_write(StrBuf *out, const Transcript *t)
{
    for (int i = 0; i < t->entries.len; i++)
        strbuf_printf(out, "%s%s\n", wants_name(t, i) ? "_ = " : "", t->entries.item[i].text);
}

void transcript_free(Transcript *t)
{
    for (int i = 0; i < t->entries.len; i++) mem_free(t->entries.item[i].text);
    VEC_FREE(&t->entries);
}

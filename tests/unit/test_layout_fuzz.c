/* The layout of every program of the tree, and of programs made from them by chance: it keeps tokens
 * and comments, and a second time it changes nothing. */
#include <criterion/criterion.h>
#include <string.h>

#include "cli/find.h"
#include "eval/read_file.h"
#include "syntax/layout/layout.h"
#include "syntax/parse.h"

static uint64_t state;

/* xorshift64*: https://en.wikipedia.org/wiki/Xorshift */
static uint32_t next_random(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717u) >> 33) % below;
}

/* False for a text that does not parse. That tokens and comments are the same is layout_source's own
 * check. */
static bool lay_out(const char *name, const StrBuf *text, StrBuf *out)
{
    Error err = {0};
    const Source *source = source_add(name, strbuf_str(text), text->len);
    bool ok = layout_source(source, out, &err);
    cr_assert(ok || err.kind == ERR_SYNTAX || err.kind == ERR_INCOMPLETE, "%s: %s\n%s", name,
              err.message, strbuf_str(text));
    error_clear(&err);
    return ok;
}

static bool check(const char *name, const StrBuf *text)
{
    StrBuf once = {0}, twice = {0};
    bool ok = lay_out(name, text, &once);
    if (ok) {
        cr_assert(lay_out(name, &once, &twice), "%s: laid out, it does not parse", name);
        cr_assert_str_eq(strbuf_str(&once), strbuf_str(&twice),
                         "%s: laid out twice, it changes again\n%s\n--- becomes\n%s\n--- and\n%s",
                         name, strbuf_str(text), strbuf_str(&once), strbuf_str(&twice));
    }
    strbuf_free(&once);
    strbuf_free(&twice);
    return ok;
}

/* ---- programs by chance ---- */

typedef struct {
    const char *text, *gap; /* a token, and what follows it */
    size_t len, gap_len;
} Word;

typedef VEC_OF(Word) Words;

static Words words_of(const Source *source)
{
    Words words = {0};
    SyntaxFile file = {0};
    TokenList tokens = {0};
    Error err = {0};
    if (parse_source_tokens(source, &file, &tokens, &err)) {
        for (int i = 0; i < tokens.len; i++) {
            size_t start = tokens.item[i].span.start - source->base,
                   end = tokens.item[i].span.end - source->base,
                   next = i + 1 < tokens.len ? tokens.item[i + 1].span.start - source->base
                                             : source->len;
            Word w = {source->text + start, source->text + end, end - start, next - end};
            VEC_PUSH(&words, w);
        }
    }
    error_clear(&err);
    VEC_FREE(&tokens);
    syntax_file_free(&file);
    return words;
}

static void change(Words *words)
{
    static const char *const gaps[] = {"", " ", "\n", "\n\n\n", "  # c\n", "\n#c\n", ";", ", "};
    Word *w = &words->item[next_random((uint32_t)words->len - 1)], other = w[1];
    switch (next_random(8)) {
    case 0: *w = other; break;
    case 1: w->len = 0; break;
    case 2:
        w[1] = *w;
        *w = other;
        break;
    default: w->gap = gaps[next_random(sizeof gaps / sizeof *gaps)]; w->gap_len = strlen(w->gap);
    }
}

/* A part of the program, so that a change does not have to fit a whole file. */
static void write_some(StrBuf *text, const Words *words)
{
    enum { MOST = 400 };
    uint32_t n = (uint32_t)words->len, from = n > MOST ? next_random(n - MOST) : 0;
    while (from && words->item[from - 1].text[0] != '\n') from--;
    for (uint32_t i = from; i < n; i++) {
        const Word *w = &words->item[i];
        strbuf_bytes(text, w->text, w->len);
        strbuf_bytes(text, w->gap, w->gap_len);
    }
}

static int check_changed(const char *name, const StrBuf *text)
{
    enum { ROUNDS = 30 };
    int n = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Words words = words_of(source_add(name, strbuf_str(text), text->len));
        StrBuf changed = {0};
        for (uint32_t k = next_random(4); words.len > 1 && k < 4; k++) change(&words);
        if (words.len) write_some(&changed, &words);
        n += check(name, &changed);
        strbuf_free(&changed);
        VEC_FREE(&words);
        sources_free();
    }
    return n;
}

/* ---- the tree ---- */

static FileList find_programs(void)
{
    static const char *const folder[] = {"stdlib", "tests", "docs"};
    FileList files = {0};
    Error err = {0};
    for (int i = 0; i < 3; i++) {
        StrBuf path = {0};
        strbuf_printf(&path, "%s/%s", VIV_SOURCE_DIR, folder[i]);
        cr_assert(find_files(&files, strbuf_str(&path), &err), "%s", err.message);
        strbuf_free(&path);
    }
    return files;
}

Test(layout_fuzz, every_program_of_the_tree_and_changed_ones)
{
    FileList files = find_programs();
    int n = 0, n_changed = 0;
    state = 314159265;
    for (int i = 0; i < files.path.len; i++) {
        StrBuf text = {0};
        Error err = {0};
        cr_assert(read_file(files.path.item[i], &text, &err), "%s", files.path.item[i]);
        n += check(files.path.item[i], &text);
        n_changed += check_changed(files.path.item[i], &text);
        strbuf_free(&text);
        sources_free();
    }
    cr_expect_gt(n, 80);
    cr_expect_gt(n_changed, 1000, "only %d of the changed programs parse", n_changed);
    file_list_free(&files);
    symbols_free();
}

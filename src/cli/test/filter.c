#include "cli/test/filter.h"

#include <string.h>

#include "cli/find.h"
#include "cli/test/block.h"
#include "syntax/source.h"

/* A number from 1, at *p, which moves behind it; 0 when there is none. */
static uint32_t read_number(const char **p)
{
    uint32_t n = 0;
    for (; **p >= '0' && **p <= '9' && n < 100000000; ++*p) n = 10 * n + (uint32_t)(**p - '0');
    return n;
}

/* The line that a place names, and the length of its path; 0 when text is no place. */
static uint32_t read_place(const char *text, size_t *path_len)
{
    static const char ending[] = ".viv:";
    const char *at = strstr(text, ending);
    if (!at) return 0;
    *path_len = (size_t)(at - text) + 4;
    at += sizeof ending - 1;
    uint32_t line = read_number(&at);
    if (*at == ':') {
        at++;
        if (!read_number(&at)) return 0;
    }
    return *at ? 0 : line;
}

void filters_add(TestFilters *filters, const char *text)
{
    size_t len = strlen(text);
    uint32_t line = read_place(text, &len);
    TestFilter f = {mem_strndup(text, line ? len : strlen(text)), line};
    VEC_PUSH(filters, f);
}

void filters_free(TestFilters *filters)
{
    for (int i = 0; i < filters->len; i++) mem_free(filters->item[i].text);
    VEC_FREE(filters);
}

bool filters_want_file(const TestFilters *filters, const char *path)
{
    for (int i = 0; i < filters->len; i++) {
        const TestFilter *f = &filters->item[i];
        if (!f->line || is_same_file(f->text, path)) return true;
    }
    return filters->len == 0;
}

static bool takes(const TestFilter *f, const char *path, const Ast *test)
{
    if (!f->line) {
        char *name = test_shown_name(test->test);
        bool found = strstr(name, f->text) != NULL;
        mem_free(name);
        return found;
    }
    return source_locate(test->span.start).line <= f->line &&
           f->line <= source_locate(test->span.end).line && is_same_file(f->text, path);
}

bool filters_want(const TestFilters *filters, const char *path, const Ast *test)
{
    for (int i = 0; i < filters->len; i++)
        if (takes(&filters->item[i], path, test)) return true;
    return filters->len == 0;
}

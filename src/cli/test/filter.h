/* Which tests are wanted: --filter. */
#ifndef CLI_TEST_FILTER_H
#define CLI_TEST_FILTER_H

#include "base/vec.h"
#include "syntax/ast.h"

typedef struct {
    char *text;    /* a part of a name; for a place, the path of its file */
    uint32_t line; /* of a place; 0: text is a part of a name */
} TestFilter;

/* A test is wanted when any of them takes it; of none, all are. */
typedef VEC_OF(TestFilter) TestFilters;

/* Adds "TEXT", "FILE.viv:LINE" or "FILE.viv:LINE:COLUMN", as messages write places. */
void filters_add(TestFilters *filters, const char *text);
void filters_free(TestFilters *filters);
/* Whether a file can have a wanted test. */
bool filters_want_file(const TestFilters *filters, const char *path);
/* Whether a test block (AST_TEST) of a file is wanted. */
bool filters_want(const TestFilters *filters, const char *path, const Ast *test);

#endif

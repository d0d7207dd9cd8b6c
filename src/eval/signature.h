/* A builtin's signature, taken apart once, when it is first needed. */
#ifndef EVAL_SIGNATURE_H
#define EVAL_SIGNATURE_H

#include "eval/builtin.h"

enum { MAX_PARAMETERS = 8 };

typedef struct {
    bool is_parsed;
    bool is_constant;     /* no parentheses */
    bool passes_keywords; /* ends in "keywords…" */
    int min, max;         /* positional arguments; max −1: any number */
    int n_parameters, n_keywords;
    Symbol parameter[MAX_PARAMETERS];
    Symbol keyword[MAX_KEYWORDS];
} Signature;

void signatures_start(int n);
void signatures_free(void);
const Signature *signature_of(const Builtin *b);
/* The name of a positional parameter (the last one's, beyond the end), or of a keyword (NULL beyond
 * the end). */
const char *signature_parameter(const Builtin *b, int i);
const char *signature_keyword(const Builtin *b, int k);
/* Appends what is wrong with n positional arguments: "sqrt takes 1 argument, not 2". */
void signature_write_count(StrBuf *out, const Builtin *b, int n);

#endif

/* Builtins: what one is, and what its function works with. The records themselves are in builtins/.
 *
 * A record's signature is the single truth about its parameters: the evaluator checks counts and
 * keywords against it, messages and documentation show it.
 *
 *     "concat(parts…, axis = 0)"   any number of positional arguments, one keyword
 *     "flip(x, [axis])"            one or two positional arguments
 *     "pi"                         a constant: no parentheses, the function is called when the name
 *                                  is read */
#ifndef EVAL_BUILTIN_H
#define EVAL_BUILTIN_H

#include "eval/interp.h"

enum { MAX_KEYWORDS = 8 };

typedef struct Args {
    const Value *pos;       /* borrowed */
    int n;                  /* positional ones given */
    Value kw[MAX_KEYWORDS]; /* in the signature's order; unset: not given. Borrowed. */
    const Ast *site;        /* the call, for spans and source texts; NULL when called from C */
    const struct Builtin *builtin;
    /* keywords that are passed through to a function (signature ends in "keywords…"): derivatives
     * of f */
    const Symbol *through_name;
    const Value *through;
    int n_through;
} Args;

typedef bool BuiltinFunction(Interp *in, const Args *a, Value *out);

typedef struct Builtin {
    const char *name; /* first: value/function.c reads it */
    const char *signature;
    const char *doc; /* one paragraph: what it gives, shapes, errors, derivative */
    BuiltinFunction *function;
    const OpRow *operation; /* that a call with as many arguments is; or NULL */
    bool
        gives_number; /* of one argument, as a rule: expressions take it for one (eval/fuse_plan.c) */
} Builtin;

/* A topic: a heading of docs/builtins.md and its records, ended by a row of NULLs. */
typedef struct {
    const char *title;
    const Builtin *table;
    bool
        is_pure; /* without functions among the arguments they compute, and do nothing else: no output */
} BuiltinTopic;

/* What an argument too many of a builtin usually means: the hint for it. */
typedef struct {
    const char *name, *too_many;
} BuiltinAdvice;

/* Set once at start, from builtins/registry.c; both end with a row of NULLs. */
void builtins_register(const BuiltinTopic *topics, const BuiltinAdvice *advice);
const BuiltinTopic *builtins_topics(void);
/* Lookup for the resolver: an index, or -1; and back. */
int builtin_index(Symbol name);
const char *builtin_name(int index);
const Builtin *builtin_at(int index);
void builtins_free(void);

/* ---- for builtins' functions ---- */

/* Fails with the span of positional argument i (or of the keyword argument when i >= a->n, counted
 * on from there). */
bool arg_error(Interp *in, const Args *a, int i, ErrorKind kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Gives an error that has happened already that span, unless it has one; returns false. */
bool arg_failed(Interp *in, const Args *a, int i);
/* Argument i as the wanted kind, or an error that names builtin, argument and what was given. */
bool arg_int(Interp *in, const Args *a, int i, int64_t *v);
bool arg_float(Interp *in, const Args *a, int i, double *v); /* Ints convert */
bool arg_str(Interp *in, const Args *a, int i, const Str **v);
bool arg_numeric(Interp *in, const Args *a, int i); /* a number, Bool or array */
bool arg_array(Interp *in, const Args *a, int i);   /* rank at least 1 */
bool arg_function(Interp *in, const Args *a, int i);
/* Keyword k as a Bool, with a default. */
bool kw_bool(Interp *in, const Args *a, int k, bool otherwise, bool *v);
bool kw_float(Interp *in, const Args *a, int k, double otherwise, double *v);
/* Keyword k as a Str; NULL when it is not given. */
bool kw_str(Interp *in, const Args *a, int k, const Str **v);
/* Keyword k as an axis of shape s (negative counts from the end); *given tells whether it was
 * there. */
bool kw_axis(Interp *in, const Args *a, int k, const Shape *s, bool *given, int *axis);
/* Keyword k as a set of axes: an Int or a tuple of Ints; all of them when not given or none. */
bool kw_axes(Interp *in, const Args *a, int k, const Shape *s, unsigned *axes);
/* Positional arguments from i on as a shape: sizes, or one tuple of them. Negative sizes fail
 * unless allow_minus_one. */
bool arg_shape(Interp *in, const Args *a, int i, bool allow_minus_one, Shape *s);
/* Positional arguments from i on as parts: themselves, or the items of one tuple. */
bool arg_parts(Interp *in, const Args *a, int i, const Value **part, int *n);
/* The source text of positional argument i, or NULL. */
const char *arg_source(const Args *a, int i, size_t *len);

#endif

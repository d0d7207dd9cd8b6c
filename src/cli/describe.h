/* Types and documentation of values, in words for the terminal. */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include "eval/interp.h"

/* What a value is: "Float", "Arr 4×5", "Tuple (Int, Arr 3)", "def f(x)". */
void describe_type(StrBuf *out, Value v);
/* The value that a dotted path names, starting at a module's names; borrowed. NULL when there is
 * none. The path need not end at len. */
const Value *describe_find(const Module *module, const char *path, size_t len);
/* A module of the standard library, which stays loaded; NULL when there is none of this name. */
Module *describe_library(Interp *in, const char *name);
/* The entry of a name or a dotted path: one of the session's (session may be NULL), a builtin, a
 * module of the standard library, or a name from one, with or without the module's before it. False
 * when there is none. */
bool describe_name(StrBuf *out, Interp *in, const Module *session, const char *path);
/* Says that there is none, and what is near. */
void describe_unknown(StrBuf *out, Interp *in, const Module *session, const char *path);
typedef void NameSink(void *context, const char *name);

/* Calls each with every name that describe_name knows, the session's included; some come twice. */
void describe_each_name(Interp *in, const Module *session, NameSink *each, void *context);
/* The builtins' names by topic, and the modules of the standard library. */
void describe_topics(StrBuf *out);

#endif

/* Imports: opening files before anything runs, and the names that they give (import.c). */
#ifndef EVAL_IMPORT_H
#define EVAL_IMPORT_H

#include "eval/interp.h"

/* Opens what a file of m imports and checks the names that it takes from there. */
bool module_link(Interp *in, Module *m, const SyntaxFile *file);
/* Runs an import statement. */
bool import_names(Interp *in, Frame *f, const Ast *s);
/* Whether others may read a name that the module's text binds. */
bool module_offers(const Module *m, Symbol name);
/* The error of a module's name that is not there. */
bool no_such_name(Interp *in, const Module *m, Symbol name, Span span);

#endif

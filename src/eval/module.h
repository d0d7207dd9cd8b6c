/* Modules: a file's names and values, and loading them (module.c, session.c). */
#ifndef EVAL_MODULE_H
#define EVAL_MODULE_H

#include "eval/interp.h"

Module *module_new(Interp *in, const char *path);
/* The path of a text that no file has, in the folder where its imports are looked for. */
char *module_path_in(const char *folder, const char *name);
/* Parses and resolves a text against the module's names; NULL on failure. */
SyntaxFile *module_parse(Interp *in, Module *m, const ModuleText *text, bool is_repl);
/* Runs its statements. value (may be NULL) receives what a last expression gives. */
bool module_run_file(Interp *in, Module *m, const SyntaxFile *file, const char *frame_name,
                     Value *value);
/* Runs the top level of an open module, unless it has run. */
bool module_run(Interp *in, Module *m);
/* After a failure: what was opened and has not run is read anew the next time. */
void module_drop_unrun(Interp *in);
/* A value for every name. */
void module_grow_values(Module *m);
/* Takes v. */
void module_set(Module *m, uint32_t slot, Value v);
/* At the interpreter's end: first every module's values, then the modules, whose syntax trees the
 * values point into. */
void module_release_values(Module *m);
void module_free(Module *m);

#endif

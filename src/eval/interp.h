/* The interpreter's state, and the tree walker's entry points.
 *
 * One Interp runs one program: its modules, its derivative levels, its error, its random stream.
 * Floors above (builtins, cli) use this header and builtin.h; cli/check tries expressions, and looks at
 * more of them. */
#ifndef EVAL_INTERP_H
#define EVAL_INTERP_H

#include <stdio.h>

#include "ad/ad.h"
#include "value/function.h"
#include "value/text.h"

/* The state of the random stream (builtins/random.c). */
typedef struct {
    uint64_t seed, counter;
    double spare; /* the second number of a normal pair */
    bool has_spare;
} RandomState;

/* What a running function, test or file needs. */
typedef struct Frame {
    Value *slot;
    Module *module;
    struct FusedPlan **plan;  /* the module's, at hand (eval/fuse.h) */
    const Function *function; /* whose body runs; NULL: a file, a test or a struct's declaration */
    const char *name;         /* of those: `test "…"`, "the file" */
    Value *result;            /* where return puts its value */
} Frame;

/* In call traces. */
static inline const char *frame_name(const Frame *f)
{
    return f->function ? function_name(f->function) : f->name;
}

typedef struct Interp {
    Error err; /* what failed; cleared by whoever handles it */
    Ad ad;     /* ad.err is &err */
    RandomState random;
    StrBuf *capture;         /* where print and eprint write; NULL: stdout and stderr */
    TextStyle style;         /* of what print shows; its width is the terminal's */
    bool line_is_open;       /* the last of it did not end its line */
    Tuple *args;             /* the program's arguments */
    struct Profile *profile; /* profile.h; NULL: nothing is measured */
    bool is_test;            /* running under `viv test`: exit is a failure */
    VEC_OF(Module *) modules;
    VEC_OF(Module *) opening; /* being opened, outermost first: for cycles */
    ErrorList *problems;      /* where opening a file notes what is wrong with it and its
                                       imports, and goes on; NULL: the first problem is in err */
    const Ast *returned; /* the return that ran last, NULL after a function that came to its end */
    const Function *plain_function; /* its adjoint is not used: check_adjoint */
    bool reads_symmetric_part;      /* where one triangle is read: check_grad */
    const char *const *search_path; /* folders of VIV_PATH, ends with NULL */
    char *search_path_text;
} Interp;

/* ---- life ---- */

Interp *interp_new(void);
void interp_free(Interp *in);
/* The arguments that the program sees as args. */
void interp_set_args(Interp *in, const char *const *arg, int n);

/* ---- running ---- */

/* Opens a file: parses and resolves it, opens what it imports, and checks that the names which it
 * takes from there exist. Nothing runs. A file is opened once: a second time gives the same module.
 * NULL on failure. */
Module *module_open_file(Interp *in, const char *path);
/* Loads a file: opens it and runs its top level, once. NULL on failure. */
Module *module_load_file(Interp *in, const char *path);
/* The same for a text that has no file; folder is where its imports are looked for first. */
Module *module_open_text(Interp *in, const char *name, const char *text, size_t len,
                         const char *folder);
Module *module_load_text(Interp *in, const char *name, const char *text, size_t len,
                         const char *folder);

/* One input of a session. */
typedef struct {
    const char *name; /* as messages name it: "<repl 3>", a path */
    const char *text;
    size_t len;
    uint32_t first_line; /* of the text in what the name names */
    const char *folder;  /* where its imports are looked for first; NULL: the session's */
} ModuleText;

/* An empty module for a REPL, and one input run in it; *value is the value of an input that ends in
 * an expression, else unset. A failing input changes nothing. */
Module *module_new_session(Interp *in, const char *folder);
bool module_run_input(Interp *in, Module *session, const ModuleText *input, Value *value);
/* Gives a name of a session a value, which it takes. */
void module_assign(Module *session, Symbol name, Value value);
/* Reads the files anew that a session imported, and those which they import. A name that came by
 * `from … import` keeps what it had. */
bool module_reload_imports(Interp *in, Module *session);
/* Runs a test block of a loaded module. The random stream starts anew for it, and goes on
 * afterwards. */
bool module_run_test(Interp *in, Module *module, const TestDecl *test);
/* The module that a global of m stands for whenever it is read, or NULL. */
Module *module_imported(const Module *m, int slot);
/* Whether the standard library has a module of that name. */
bool module_is_embedded(Symbol name);
/* The value of a public name, or NULL. */
Value *module_find(Module *module, Symbol name);

/* Calls a function value with borrowed arguments. Keyword names may be NULL when there are none. */
bool call_value(Interp *in, Value fn, const Value *pos, int n, const Symbol *kw_name,
                const Value *kw, int n_kw, Value *out);

/* Text for the user: to stdout or stderr, or into the capture buffer. */
void interp_print(Interp *in, FILE *to, const char *text, size_t len);
/* The style for that: the session's, and as wide as the terminal. */
TextStyle interp_style(const Interp *in, FILE *to);

#endif

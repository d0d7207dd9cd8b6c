/* What the resolver's parts share: the scope at hand and how names are found in it.
 *
 * A Scope stands for one frame: a function's, a test's, a struct's defaults, or the hidden slots of
 * the file's top level. First a body is searched for the names it binds (resolve_collect.c), for an
 * assignment anywhere in it makes a local; then its expressions are resolved. */
#ifndef SYNTAX_RESOLVER_H
#define SYNTAX_RESOLVER_H

#include "syntax/resolve.h"

typedef enum { SCOPE_FILE, SCOPE_FUNCTION, SCOPE_TEST, SCOPE_STRUCT } ScopeKind;

typedef struct {
    Symbol name;
    uint32_t slot;
} HiddenName;

typedef struct FrameScope {
    struct FrameScope *outer; /* of the frame in which this one's function is evaluated */
    ScopeKind kind;
    const char *owner; /* for messages: the function's name */
    Symbol self;       /* the name under which a nested def sees itself, or NULL */
    int32_t self_slot; /* -1 while it is not asked for */
    SymbolMap locals;  /* parameters, assigned names, sizes of contracts */
    SymbolMap captured;
    VEC_OF(Symbol) slot_names;
    VEC_OF(uint8_t) bindings; /* of each slot: by so many places in the text, 2 for more */
    VEC_OF(Capture) captures;
    VEC_OF(HiddenName) hidden; /* comprehension variables in sight, innermost last */
    const Ast *assigned; /* the target of the assignment whose value is being resolved, or NULL */
    bool in_defaults;    /* the defaults of its parameters are being resolved: no locals in sight */
    int loops;           /* around the statement at hand */
} FrameScope;

typedef struct {
    SyntaxFile *file;
    ResolveContext *context;
    Error *err;
    FrameScope *scope;
    VEC_OF(Ast *) chain;         /* left operands that are waiting for their right ones */
    SymbolMap adjoints;          /* functions that have one */
    VEC_OF(const Ast *) members; /* of SyntaxFile */
    int expects_error;           /* inside so many arguments of assert_error */
} Resolver;

/* ---- resolve_scope.c ---- */

/* Enters a new scope inside the present one; leave it with scope_leave, also after a failure. */
void scope_enter(Resolver *r, FrameScope *scope, ScopeKind kind, const char *owner);
void scope_leave(Resolver *r);
/* A new slot; name NULL: hidden. */
uint32_t scope_slot(FrameScope *scope, Symbol name);
/* The slot of a local that is bound at one place more, made if it is new. */
uint32_t scope_local(FrameScope *scope, Symbol name);
/* The names of the slots, in the file's arena. */
Symbol *scope_slot_names(Resolver *r, const FrameScope *scope);
/* The slot that a name has in the scope's frame, captured from outer frames if need be; -1. */
int scope_find(FrameScope *scope, Symbol name);
/* Fills where a name that is read lives. */
bool resolve_name(Resolver *r, NameRef *name, Span span);
/* Whether the scope at hand may change the name that a path or `+=` begins with. */
bool check_owned(Resolver *r, Symbol name, Span span, bool is_path);

/* ---- resolve_global.c ---- */

/* The slot of a name of the file, made if it is new. */
uint32_t global_declare(Resolver *r, GlobalName global);
/* The slot of a name that the file binds somewhere, or -1. */
int global_bound(const Resolver *r, Symbol name);
const char *global_doc(const Resolver *r, Span statement);

/* ---- resolve_collect.c ---- */

/* Binds what the statements of a block bind, in the scope at hand. */
bool collect_names(Resolver *r, const Ast *block);

/* ---- resolve_expression.c ---- */

bool resolve_expression(Resolver *r, Ast *node);
bool resolve_list(Resolver *r, AstList list);
/* The bounds of a head, not its target. */
bool resolve_bounds(Resolver *r, LoopHead *head);

/* ---- resolve_function.c ---- */

/* self: the name under which the function sees itself, or NULL. */
bool resolve_function(Resolver *r, FunctionDecl *function, Symbol self);
bool resolve_struct(Resolver *r, StructDecl *structure);
bool resolve_test(Resolver *r, TestDecl *test);
bool resolve_adjoint(Resolver *r, FunctionDecl *function);

/* ---- resolve_contract.c ---- */

/* Types of an annotation; NULL is fine. */
bool resolve_types(Resolver *r, Annotation *annotation);
/* Sizes that the contracts of a function name, as slots of the scope at hand. */
bool resolve_sizes(Resolver *r, FunctionDecl *function);
bool resolve_struct_sizes(Resolver *r, StructDecl *structure);

/* ---- resolve_statement.c ---- */

bool resolve_block(Resolver *r, Ast *block);

#endif

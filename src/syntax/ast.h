/* The syntax tree: what the parser builds, the resolver completes and the evaluator walks.
 *
 * All nodes of a file live in one arena and are never freed one by one. A node is a tagged union;
 * which member is in use follows from kind. Fields marked "resolver" are filled by resolve.h. No
 * values here: literals are plain C data. */
#ifndef SYNTAX_AST_H
#define SYNTAX_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"
#include "base/symbol.h"

typedef struct Ast Ast;

typedef enum {
    /* expressions */
    AST_NONE,
    AST_BOOL,          /* truth */
    AST_INT,           /* integer */
    AST_FLOAT,         /* number */
    AST_STR,           /* text */
    AST_FSTRING,       /* fstring */
    AST_NAME,          /* name */
    AST_ARRAY,         /* list: [a, b] */
    AST_TUPLE,         /* list: (a, b); also `return a, b` */
    AST_MAP,           /* map */
    AST_UNARY,         /* unary: - + ~ not */
    AST_BINARY,        /* binary: arithmetic, comparison, bitwise, in, not in */
    AST_AND,           /* binary */
    AST_OR,            /* binary */
    AST_CHOICE,        /* choice: a if c else b */
    AST_CALL,          /* call */
    AST_INDEX,         /* index: target[items] */
    AST_SLICE,         /* slice, only inside an index */
    AST_ELLIPSIS,      /* only inside an index */
    AST_FIELD,         /* field: target.name */
    AST_COMPREHENSION, /* comprehension */
    AST_LAMBDA,        /* function: anonymous def */
    /* statements */
    AST_EXPRESSION, /* unary.operand: an expression as a statement */
    AST_ASSIGN,     /* assign */
    AST_AUGMENT,    /* assign, op is the binary operator */
    AST_DEF,        /* function */
    AST_ADJOINT,    /* function; function->name is the function it belongs to */
    AST_STRUCT,     /* structure */
    AST_TEST,       /* test */
    AST_FOR,        /* loop */
    AST_WHILE,      /* branch: cond, then = body */
    AST_IF,         /* branch */
    AST_RETURN,     /* unary.operand, NULL for a bare return */
    AST_BREAK,
    AST_CONTINUE,
    AST_IMPORT,      /* import */
    AST_FROM_IMPORT, /* import */
    AST_BLOCK,       /* list: statements */
    AST_KIND_COUNT
} AstKind;

typedef enum {
    OPERATOR_ADD,
    OPERATOR_SUB,
    OPERATOR_MUL,
    OPERATOR_DIV,
    OPERATOR_FLOORDIV,
    OPERATOR_MOD,
    OPERATOR_POW,
    OPERATOR_MATMUL,
    OPERATOR_BIT_AND,
    OPERATOR_BIT_OR,
    OPERATOR_EQ,
    OPERATOR_NE,
    OPERATOR_LT,
    OPERATOR_LE,
    OPERATOR_GT,
    OPERATOR_GE,
    OPERATOR_IN,
    OPERATOR_NOT_IN,
    OPERATOR_NEG, /* unary from here on */
    OPERATOR_POS,
    OPERATOR_INVERT,
    OPERATOR_NOT,
    OPERATOR_COUNT
} Operator;

typedef struct {
    Ast **item;
    int len;
} AstList;

/* Where a name lives (resolver). */
typedef enum {
    SCOPE_UNRESOLVED,
    SCOPE_LOCAL,  /* slot of the current frame; captured values are copied into the frame's slots */
    SCOPE_GLOBAL, /* slot of the file's table of names */
    SCOPE_BUILTIN, /* index that the resolver's caller gave */
} Scope;

typedef struct {
    Symbol name;
    uint8_t scope; /* resolver */
    uint32_t slot; /* resolver */
} NameRef;

/* Part of an f-string: literal text, or an expression with a format specification. */
typedef struct {
    const char *text; /* literal part, unescaped; NULL for an expression */
    size_t len;
    Ast *value;
    const char *spec; /* after the colon, unescaped; "" when absent */
    size_t spec_len;
    Span spec_span;
} FStringPart;

typedef struct {
    Symbol name; /* NULL: positional */
    Span name_span;
    Ast *value;
} Argument;

/* The head of a for loop or a comprehension. */
typedef enum {
    LOOP_COUNT, /* for target to to;  for target from from to to by by */
    LOOP_EACH,  /* for target in each */
} LoopKind;

typedef struct {
    LoopKind kind;
    Ast *target; /* AST_NAME, or AST_TUPLE of targets for `k, v` */
    Ast *from;   /* NULL: 0 */
    Ast *to;     /* LOOP_COUNT */
    Ast *by;     /* NULL: 1 */
    Ast *each;   /* LOOP_EACH */
} LoopHead;

/* One size in a shape contract. */
typedef enum { DIM_SIZE, DIM_NAME, DIM_ANY, DIM_REST /* ... */ } DimKind;

typedef struct {
    DimKind kind;
    int64_t size;
    Symbol name;
    uint32_t slot; /* resolver: the frame slot of a named size (in a struct: index into
                      structure->size_names) */
    Span span;
} Dim;

/* One alternative of an annotation: a type's name, with sizes for Arr. */
typedef struct {
    NameRef type; /* resolver: scope and slot when it is a struct's name; SCOPE_UNRESOLVED for the
                     built-in types */
    uint8_t builtin; /* resolver: a TypeName, TYPE_STRUCT for a struct's name */
    Dim *dim;
    int n_dims; /* -1: no brackets */
    Span span;
} TypeAlternative;

typedef enum {
    TYPE_NONE,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_STR,
    TYPE_ARR,
    TYPE_TUPLE,
    TYPE_MAP,
    TYPE_FN,
    TYPE_STRUCT,
} TypeName;

typedef struct {
    TypeAlternative *item;
    int len;
    Span span;
} Annotation;

typedef struct {
    Symbol name;
    Span span;
    Annotation *type;   /* NULL: anything */
    Ast *default_value; /* NULL: required */
} Param;

/* What a call's arguments are bound to: a function's parameters or a struct's fields. */
typedef struct {
    const char *name; /* the function's or struct's */
    const char *part; /* for messages: "parameter" or "field" */
    const Param *param;
    int n;
} Callee;

/* A value that a nested function takes from the frame in which it is evaluated (resolver). */
typedef struct {
    uint32_t outer_slot, inner_slot;
    Symbol name;
} Capture;

typedef struct FunctionDecl {
    Symbol name; /* NULL: anonymous */
    Span name_span;
    Span span;      /* the whole definition */
    Span head_span; /* from `def` to the closing parenthesis or the result's annotation */
    Param *param;
    int n_params;
    Annotation *result; /* NULL: anything */
    Ast *body;          /* AST_BLOCK, or an expression */
    const char *doc;    /* the `##` lines above, joined by newlines; NULL when none */
    /* resolver */
    uint32_t target_slot; /* AST_DEF: where the definition is bound (its scope is target_scope) */
    uint8_t target_scope;
    int32_t self_slot; /* the frame slot that holds the function itself, or -1 */
    uint32_t n_slots;  /* parameters are slots 0 … n_params − 1 */
    Symbol *slot_name; /* n_slots names for messages; NULL entries are hidden */
    Capture *capture;
    int n_captures;
    bool has_size_names; /* some annotation names a size */
} FunctionDecl;

typedef struct StructDecl {
    Symbol name;
    Span name_span, span;
    Param *field;
    int n_fields;
    const char *doc;
    uint32_t target_slot; /* resolver: always a global */
    Symbol *size_name;    /* resolver: the named sizes of its contracts */
    int n_size_names;
    uint32_t n_slots; /* resolver: frame size that its defaults need */
} StructDecl;

typedef struct {
    Symbol name; /* in the other file */
    Span span;
    Symbol as;
    uint32_t slot; /* resolver: global */
} ImportedName;

typedef struct {
    const char *path; /* "a.b" */
    Span path_span;
    Symbol as;             /* import: the name it binds (the last part unless `as`) */
    uint32_t slot;         /* resolver: global, for AST_IMPORT */
    struct Module *module; /* evaluator: what the path names, opened before anything runs */
    ImportedName *item;    /* from … import */
    int n_items;
} ImportDecl;

typedef struct {
    const char *name; /* unescaped, NUL-terminated */
    Span name_span;
    Ast *body;
    uint32_t n_slots;  /* resolver */
    Symbol *slot_name; /* resolver */
} TestDecl;

/* A node is allocated only as large as its kind needs: never copy one whole. */
struct Ast {
    uint8_t kind; /* AstKind */
    uint8_t op;   /* Operator of UNARY, BINARY, AUGMENT */
    uint16_t
        in_parens : 1;   /* written inside ( ): `(a < b) < c` is fine, an assignment to (x) is not
                               a tuple */
    uint16_t depth : 15; /* How far a walker recurses from here if it follows the left operands of
                            binary nodes, the targets of calls, indexes and fields, and chains of
                            else-if in a loop. The parser bounds it; those chains themselves may be
                            of any length. */
    Span span;
    uint32_t serial; /* of UNARY, BINARY and CALL: for tables beside the tree (SyntaxFile) */
    union {
        bool truth;
        int64_t integer;
        double number;
        struct {
            const char *ptr; /* unescaped; may hold NULs */
            size_t len;
        } text;
        struct {
            FStringPart *item;
            int len;
        } fstring;
        NameRef name;
        AstList list;
        struct {
            Ast **key, **value;
            int len;
        } map;
        struct {
            Ast *operand;
        } unary;
        struct {
            Ast *left, *right;
        } binary;
        struct {
            Ast *cond, *then, *otherwise;
        } choice;
        struct {
            Ast *callee;
            Argument *arg; /* positional ones first */
            int n_args, n_positional;
        } call;
        struct {
            Ast *target;
            AstList items; /* an item may be AST_SLICE, AST_ELLIPSIS, AST_NONE (a new axis) or an
                              expression */
        } index;
        struct {
            Ast *start, *stop, *step; /* each may be NULL */
        } slice;
        struct {
            Ast *target;
            Symbol name;
            Span name_span;
        } field;
        struct {
            LoopHead head;
            Ast *element, *filter; /* filter may be NULL */
            bool is_tuple;
        } comprehension;
        struct {
            Ast *target; /* AST_NAME, AST_INDEX, AST_FIELD, or AST_TUPLE of targets (AST_ASSIGN
                            only) */
            Ast *value;
        } assign;
        struct {
            LoopHead head;
            Ast *body;
        } loop;
        struct {
            Ast *cond, *then, *otherwise; /* otherwise: AST_BLOCK, AST_IF or NULL */
        } branch;
        FunctionDecl *function;
        StructDecl *structure;
        TestDecl *test;
        ImportDecl *import;
    };
};

/* The `##` lines above a token, joined by newlines. */
typedef struct {
    uint32_t position; /* of the token */
    const char *text;
} DocComment;

/* A parsed file. */
typedef struct SyntaxFile {
    Arena arena;
    Ast *body;       /* AST_BLOCK */
    Span span;       /* the whole text */
    DocComment *doc; /* in order of position */
    int n_docs;
    /* Whoever parses sets the serial number of the first expression that has one; then one more than that of
     * the last. */
    uint32_t next_serial;
    /* resolver: hidden slots of the top level (comprehension variables) */
    uint32_t n_slots;
    Symbol *slot_name;
    /* resolver: the fields, `name.a` and `name.a.b`, of names of the file, inner ones first; those
     * that an assert_error expects to fail are left out */
    const Ast **member;
    int n_members;
} SyntaxFile;

/* "+", "@", "not in", … */
const char *operator_text(Operator op);
/* The left operand of a binary node, the target of a call, an index or a field; NULL for other
 * kinds. Chains of these may be of any length: follow them in a loop. */
Ast *ast_left(const Ast *node);
/* Whether a call, whose callee is resolved, is one of the builtin assert_error: what its arguments
 * do wrong is meant. */
bool ast_expects_error(const Ast *call);
/* What a path of fields and indexes begins with. */
const Ast *ast_path_root(const Ast *path);

#endif

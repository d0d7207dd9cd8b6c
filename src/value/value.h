/* Values: what a Viv program computes with.
 *
 * A Value is 16 bytes: a tag, the payload, and, for a number or an array under differentiation, the
 * level and node of its tracking (ad/ad.h). Numbers are unboxed; everything else is a
 * reference-counted object. Values behave as copies: objects are changed in place only when they
 * have a single owner (value_unshare). No value can contain itself, so counting frees everything.
 *
 * Throughout the program: arguments are borrowed, results are owned; "take" in a name means that it
 * consumes its argument. */
#ifndef VALUE_VALUE_H
#define VALUE_VALUE_H

#include "array/array.h"
#include "base/strbuf.h"
#include "base/symbol.h"

typedef enum {
    VAL_UNSET, /* no value: an unassigned slot, an argument that was not given */
    VAL_NONE,
    VAL_BOOL,
    VAL_INT,
    VAL_FLOAT,
    VAL_STR,
    VAL_ARR,
    VAL_TUPLE,
    VAL_MAP,
    VAL_STRUCT,
    VAL_FN,
    VAL_MODULE,
} ValueKind;

typedef struct Value {
    union {
        struct {
            uint8_t kind;  /* ValueKind */
            uint8_t level; /* 0: a constant; k: tracked by the k-th open derivative (Floats and
                              Float arrays only) */
            uint16_t spare;
            uint32_t node; /* its node on that level's tape */
        };
        uint64_t head; /* all of them */
    };
    union {
        uint64_t bits; /* the payload's */
        bool b;
        int64_t i;
        double f;
        Obj *obj;
        struct Str *str;
        Array *arr;
        struct Tuple *tuple;
        struct Map *map;
        struct Struct *strukt;
        struct Function *fn;
        struct Module *module;
    };
} Value;

_Static_assert(sizeof(Value) == 16, "a Value is two words");

typedef struct Str {
    Obj head;
    uint32_t hash;
    size_t len;     /* bytes */
    size_t n_chars; /* code points */
    char text[];    /* followed by a NUL */
} Str;

typedef struct Tuple {
    Obj head;
    int len;
    Value item[];
} Tuple;

/* A struct's type: its declaration, and its name in messages. */
typedef struct StructType {
    Obj head;
    Symbol name;
    int n_fields;
    const struct StructDecl *decl; /* syntax/ast.h */
    struct Module *module;         /* where its annotations and defaults are read; not counted */
} StructType;

typedef struct Struct {
    Obj head;
    StructType *type;
    Value field[];
} Struct;

static inline Value value_none(void)
{
    return (Value){.kind = VAL_NONE};
}
static inline Value value_bool(bool b)
{
    return (Value){.kind = VAL_BOOL, .b = b};
}
static inline Value value_int(int64_t i)
{
    return (Value){.kind = VAL_INT, .i = i};
}
static inline Value value_float(double f)
{
    return (Value){.kind = VAL_FLOAT, .f = f};
}
/* These take the reference they are given. */
static inline Value value_arr(Array *a)
{
    return (Value){.kind = VAL_ARR, .arr = a};
}
static inline Value value_tuple(Tuple *t)
{
    return (Value){.kind = VAL_TUPLE, .tuple = t};
}
static inline Value value_str(Str *s)
{
    return (Value){.kind = VAL_STR, .str = s};
}

/* Frees an object whose count has reached 0; iterative, however deep the nesting. */
void value_destroy(Value v);

static inline Value value_retain(Value v)
{
    if (v.kind >= VAL_STR) v.obj->refs++;
    return v;
}
static inline void value_release(Value v)
{
    if (v.kind >= VAL_STR && --v.obj->refs == 0) value_destroy(v);
}
/* Releases *v and leaves it unset. */
static inline void value_clear(Value *v)
{
    Value old = *v;
    v->kind = VAL_UNSET;
    v->level = 0;
    value_release(old);
}
/* *to = *from by halves, for a value that has just been written by halves: read as a whole, it
 * makes the processor wait until both stores are through (20 cycles). */
static inline void value_move(Value *to, const Value *from)
{
    to->head = from->head;
    to->bits = from->bits;
}
static inline bool value_is_number(Value v)
{
    return v.kind >= VAL_BOOL && v.kind <= VAL_FLOAT;
}
static inline bool value_is_real(Value v)
{
    return v.kind == VAL_INT || v.kind == VAL_FLOAT;
}
/* An Int or a Float as a double. */
static inline double value_double(Value v)
{
    return v.kind == VAL_INT ? (double)v.i : v.f;
}
/* A number, a Bool or an array: what operators on arrays take. */
static inline bool value_is_numeric(Value v)
{
    return value_is_number(v) || v.kind == VAL_ARR;
}
static inline bool value_is_set(Value v)
{
    return v.kind != VAL_UNSET;
}

/* ---- numbers and arrays ---- */

/* v as an array operand, borrowed: an array itself, or *scratch set up as a rank-0 array over the
 * number in *v. */
Array *value_operand(const Value *v, Array *scratch);
/* The element type of a number or array. */
DType value_dtype(Value v);
Shape value_shape(Value v);
/* Whether a number or array has that shape, without copying its own. */
static inline bool value_has_shape(Value v, const Shape *s)
{
    return v.kind == VAL_ARR ? array_has_shape(v.arr, s) : s->rank == 0;
}
/* Takes a: a number for rank 0, else the array. NULL gives an unset value. */
Value value_from_array_take(Array *a);
bool value_is_float(Value v); /* a Float or an array of Floats */

/* ---- strings (string.c) ---- */

/* len bytes of valid UTF-8, copied. */
Str *str_new(const char *text, size_t len);
Str *str_of(const char *text);
/* Takes b's text. */
Str *str_from_buffer(StrBuf *b);
/* The two, one behind the other. */
Str *str_join(const Str *a, const Str *b);
/* Computed when it is first asked for. */
uint32_t str_hash(Str *s);
bool str_equal(const Str *a, const Str *b);
/* By code points: negative, zero or positive. */
int str_compare(const Str *a, const Str *b);
/* Byte offset of the i-th code point (0 … n_chars). */
size_t str_offset(const Str *s, size_t i);
/* The offset of the code point that many after the one at an offset, or before it; the text's end
 * or start where there are not as many. */
size_t str_move(const Str *s, size_t at, int64_t by);

/* ---- tuples and structs ---- */

/* n unset items, to be filled by the caller. */
Tuple *tuple_new(int n);
Struct *struct_new(StructType *type);
Symbol struct_field_name(const StructType *type, int i);
int struct_field_index(const StructType *type, Symbol name); /* or -1 */
void struct_type_release(StructType *type);

/* *v (a tuple, map or struct) gets an object of its own if its object is shared. */
void value_unshare(Value *v);

/* ---- what every kind can do ---- */

/* "Float", "Arr", a struct's name, … */
const char *value_type_name(Value v);
/* For notes in messages: "Arr 4×5", "Int 3", "Str \"ab\""; long ones abbreviated. */
void value_describe(StrBuf *out, Value v);
/* Structural equality; numbers and arrays of equal shapes compare by value (1 == 1.0, nan != nan).
 * Fails only when nested too deeply. */
bool value_equal(Value a, Value b, bool *equal, Error *err);

#endif

/* Walking structures: tuples, maps and structs, nested, down to their leaves (everything else); and
 * what functions among the leaves captured. */
#ifndef VALUE_STRUCTURE_H
#define VALUE_STRUCTURE_H

#include "value/value.h"

/* The way from the top to the place being visited; on the stack, from the inside out. */
typedef struct Place {
    const struct Place *outer;       /* NULL at the top */
    const struct Function *function; /* that captured it; NULL: it is a part of a structure */
    Symbol name;                     /* of a field or a captured variable, or */
    Value key;                       /* of a map, or */
    int index;                       /* of a tuple */
} Place;

/* Makes *out (owned) from the leaves at one place of n structures. */
typedef bool StructureLeaf(void *context, const Value *leaf, int n, Value *out);

/* The structure of in[0] with every leaf replaced by f's result. The other n − 1 structures must
 * have the same form (ERR_TYPE names the place that differs); where one of them has none, in[0]'s
 * part stays as it is, unless none_keeps is false: then f is called with it. */
bool structure_map(const Value *in, int n, bool none_keeps, StructureLeaf *f, void *context,
                   Value *out, Error *err);

/* Looks at the leaves at one place of n structures; at is NULL at the top. */
typedef bool StructureVisit(void *context, const Value *leaf, const Place *at);

/* Visits every leaf of in[0] until f fails. The other n − 1 structures must have the same form, or
 * none. */
bool structure_visit(const Value *in, int n, StructureVisit *f, void *context, Error *err);
/* The same for v alone, including, at any depth, what functions in it captured. top is v's own
 * place. */
bool structure_visit_captured(Value v, const Place *top, StructureVisit *f, void *context,
                              Error *err);
/* v with every leaf replaced by f's result, including what functions in it captured. */
bool structure_map_captured(Value v, StructureLeaf *f, void *context, Value *out, Error *err);

/* The capture that the place lies in, or NULL. */
const Place *place_capture(const Place *at);
/* The place from its capture on, or from the top: ".w[0]", "p.w". */
void place_write(StrBuf *out, const Place *at);

static inline bool value_is_structure(Value v)
{
    return v.kind == VAL_TUPLE || v.kind == VAL_MAP || v.kind == VAL_STRUCT;
}

#endif

/* Walking structures: tuples, maps and structs, nested, down to their leaves (everything else). */
#ifndef VALUE_STRUCTURE_H
#define VALUE_STRUCTURE_H

#include "value/value.h"

/* Makes *out (owned) from the leaves at one place of n structures. */
typedef bool StructureLeaf(void *context, const Value *leaf, int n, Value *out);

/* The structure of in[0] with every leaf replaced by f's result. The other n − 1 structures must
 * have the same form (ERR_TYPE names the place that differs); where one of them has none, in[0]'s
 * part stays as it is, unless none_keeps is false: then f is called with it. */
bool structure_map(const Value *in, int n, bool none_keeps, StructureLeaf *f, void *context,
                   Value *out, Error *err);

static inline bool value_is_structure(Value v)
{
    return v.kind == VAL_TUPLE || v.kind == VAL_MAP || v.kind == VAL_STRUCT;
}

#endif

/* The tape of one level. Private to this floor.
 *
 * An append-only array of nodes with integer parents: the order of appending is a topological
 * order, so the sweep is a backwards loop without recursion or sorting. The forms that programs are
 * full of (operations on numbers, reads and writes of one element) fit into the 32 bytes of a node;
 * the others point to a record in the level's arena. */
#ifndef AD_TAPE_H
#define AD_TAPE_H

#include "ad/ad.h"
#include "base/arena.h"
#include "base/vec.h"

#define NO_PARENT UINT32_MAX

typedef enum {
    FORM_NUMBER,         /* an elementwise operation on Floats with plain primals */
    FORM_ELEMENT,        /* x[i, j] */
    FORM_UPDATE_ELEMENT, /* x[i, j] = v (SET_INDEX) or x[i, j] += v (ADD_INDEX) */
    FORM_LEAF,           /* an input of the derivative; record holds its shape */
    FORM_RECORD,         /* anything else; the forms from here on own something */
    FORM_CUSTOM,         /* a call with a derivative of its own */
    FORM_OUTPUT,         /* a leaf of such a call's result; record holds its shape */
    FORM_TANGENT,        /* forward levels: the value carries a tangent */
} NodeForm;

/* Of a FORM_RECORD, FORM_LEAF or FORM_OUTPUT; lives in the arena, no larger than it has to be. */
typedef struct {
    OpAttr *attr;
    int64_t *sizes;   /* CONCAT: the parts' sizes along the axis */
    uint32_t *parent; /* n of them, NO_PARENT for what is not tracked here */
    Value *saved;     /* those that the row's rule needs, in the order of the bits; owned */
    int n;            /* inputs */
    uint16_t saves;   /* which of the inputs and the result: SAVE_ bits */
    Shape shape;      /* of the result; last, for only the sizes that are there have room */
} Record;

static inline int save_count(unsigned saves)
{
    int n = 0;
    for (; saves; saves &= saves - 1) n++;
    return n;
}

typedef struct {
    uint8_t op; /* OP_COUNT: none */
    uint8_t form;
    uint8_t primal_level; /* how the result is tracked one level down */
    uint8_t saved; /* FORM_NUMBER: which of x, y, out the numbers are (SAVE_ bits), in that order */
    uint32_t primal_node;
    union {
        struct {
            uint32_t parent[2];
            double saved[2];
        } number;
        struct {
            uint32_t array, value; /* parents */
            int64_t offset;        /* flat, row-major */
            uint32_t shape_of;     /* a node with a record that has the array's shape */
        } element;
        Record *record;
        struct Custom *custom;
        Value tangent; /* FORM_TANGENT */
    };
} Node;

_Static_assert(sizeof(Node) == 32, "a node is half a cache line");

/* The nodes from first on were recorded by a place (watch.h), up to the next mark. */
typedef struct {
    uint32_t first, place;
} PlaceMark;

struct Level {
    bool is_forward;
    bool keeps;       /* the tape will be swept again: nothing is dropped */
    uint32_t dropped; /* a sweep has dropped the nodes up to here; leaves own nothing */
    Arena arena;
    Node *node;
    uint32_t len, cap;
    uint32_t n_leaves; /* reverse: nodes 0 … n_leaves − 1 */
    uint32_t cotangent_cap;
    Value *cotangent; /* reverse, from the sweep on: one a node, unset where nothing arrived */
    uint32_t n_cotangents;
    VEC_OF(PlaceMark) marks; /* reverse, only when something measures */
};

/* Makes room for more nodes; fails (ERR_MEMORY) when the numbers are used up. */
bool tape_grow(Level *level, Error *err);
/* Appends a zeroed node. */
static inline Node *tape_push(Level *level, uint32_t *number, Error *err)
{
    if (level->len == level->cap && !tape_grow(level, err)) return NULL;
    *number = level->len++;
    Node *node = &level->node[*number];
    *node = (Node){0};
    return node;
}
/* v as seen from below level depth. */
static inline Value tape_peel(const Level *level, int depth, Value v)
{
    if (v.level != depth) return v;
    const Node *node = &level->node[v.node];
    v.level = node->primal_level;
    v.node = node->primal_node;
    return v;
}

/* The node of an input on level depth, NO_PARENT when it is not tracked there. */
static inline uint32_t tape_parent(Value v, int depth)
{
    return v.level == depth ? v.node : NO_PARENT;
}

/* Appends the node of *v, which is tracked below level depth, and marks *v as its result. */
static inline Node *tape_record(Ad *ad, int depth, NodeForm form, OpCode op, Value *v)
{
    uint32_t number;
    Node *node = tape_push(ad->level[depth], &number, ad->err);
    if (!node) return NULL;
    node->op = (uint8_t)op;
    node->form = (uint8_t)form;
    node->primal_level = v->level;
    node->primal_node = v->node;
    v->level = (uint8_t)depth;
    v->node = number;
    return node;
}

/* The shape of a node's result; only the sizes that it has may be read. */
const Shape *node_shape(const Level *level, uint32_t number);
/* Frees what the node holds beyond the arena. */
void node_drop(Node *node);
/* A record in level's arena, for n inputs, a result like v, and as many saved values as saves has
 * bits; parents and saved values are still to be filled in. */
Record *record_new(Level *level, int n, unsigned saves, Value v);
/* The tangent or cotangent of a leaf has its shape, or an error says "the WHAT is … where the WHERE
 * is …". */
bool ad_fits(Ad *ad, const char *what, Value given, const char *where, Value wanted);

/* ---- operations, recorded ---- */

/* Pushes the node of an operation on a reverse level and marks *result, what it gave for low (in as
 * seen from below), with it. */
bool reverse_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result);
/* Likewise on a forward level: *result gets the tangent that follows from in's. */
bool forward_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result);
/* op_update and op_element on a forward level. */
bool forward_update(Ad *ad, int depth, OpCode op, Value *target, const Selection *selection,
                    Value v);
bool forward_element(Ad *ad, int depth, Value v, int64_t offset, Value *out);
/* Takes tangent: a new node of the level that carries it, stamped on *v. */
bool forward_stamp_take(Ad *ad, int depth, Value *v, Value tangent);

/* ---- structures ---- */

/* Makes *out from the Floats at one place of structures, for level depth; *out is the first of
 * them, retained, where others are kept, else none. */
typedef bool FloatLeaf(Ad *ad, int depth, const Value *leaf, Value *out);
/* structure_map of f; leaves that are not Float are kept or become none. */
bool map_floats(Ad *ad, int depth, const Value *in, int n, bool keeps_others, FloatLeaf *f,
                Value *out);
FloatLeaf zeros_leaf;         /* zeros of its shape */
FloatLeaf peel_leaf;          /* as seen from below the level */
FloatLeaf output_leaf;        /* an output of a custom call */
FloatLeaf track_tangent_leaf; /* with the second leaf as its tangent */
FloatLeaf tangent_leaf;       /* its tangent */

/* ---- the sweep ---- */

/* Adds a structure of cotangents to those of value, none where there is nothing to add. */
bool sweep_give(Ad *ad, Value value, Value cotangent);
/* The place of a node's cotangent, zeros where nothing has arrived; NULL: memory is short. */
Value *cotangent_begin(Ad *ad, Level *level, uint32_t number);
/* Runs a custom node's pullback with the outputs' cotangents, if any arrived. */
bool custom_sweep(Ad *ad, uint32_t number);
void custom_drop(struct Custom *custom);

#endif

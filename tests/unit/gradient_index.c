/* Reading and writing through selections: numbers, slices, new axes, index arrays, masks. */
#include <criterion/criterion.h>

#include "array_support.h"
#include "gradient_cases.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

#define AT(i)                                                                                      \
    {                                                                                              \
        .kind = INDEX_AT, .start = (i)                                                             \
    }
#define SLICE(from, to)                                                                            \
    {                                                                                              \
        .kind = INDEX_SLICE, .has_start = true, .has_stop = true, .start = (from), .stop = (to)    \
    }
#define EVERY(by)                                                                                  \
    {                                                                                              \
        .kind = INDEX_SLICE, .has_step = true, .step = (by)                                        \
    }
#define ALL                                                                                        \
    {                                                                                              \
        .kind = INDEX_SLICE                                                                        \
    }
#define NEW                                                                                        \
    {                                                                                              \
        .kind = INDEX_NEW_AXIS                                                                     \
    }
#define REST                                                                                       \
    {                                                                                              \
        .kind = INDEX_REST                                                                         \
    }
#define GATHER                                                                                     \
    {                                                                                              \
        .kind = INDEX_ARRAY                                                                        \
    } /* filled with an index array */

typedef struct {
    const char *what;
    Shape source;
    IndexTerm term[4];
    int n;
} Row;

static const Row basic[] = {
    {"x[1]", {1, {4}}, {AT(1)}, 1},
    {"x[-1]", {1, {4}}, {AT(-1)}, 1},
    {"x[1:3]", {1, {4}}, {SLICE(1, 3)}, 1},
    {"x[2:2]", {1, {4}}, {SLICE(2, 2)}, 1},
    {"x[::-1]", {1, {4}}, {EVERY(-1)}, 1},
    {"x[::2]", {1, {5}}, {EVERY(2)}, 1},
    {"x[::-2]", {1, {4}}, {EVERY(-2)}, 1},
    {"X[1]", {2, {2, 3}}, {AT(1)}, 1},
    {"X[1, 2]", {2, {2, 3}}, {AT(1), AT(2)}, 2},
    {"X[:, 1]", {2, {2, 3}}, {ALL, AT(1)}, 2},
    {"X[:, ::2]", {2, {2, 3}}, {ALL, EVERY(2)}, 2},
    {"X[..., 0]", {3, {2, 1, 3}}, {REST, AT(0)}, 2},
    {"X[:, none]", {2, {2, 3}}, {ALL, NEW}, 2},
    {"X[none, 1, none, 0:2]", {2, {2, 3}}, {NEW, AT(1), NEW, SLICE(0, 2)}, 4},
    {"X[...]", {2, {2, 3}}, {REST}, 1},
    {"X[0:0]", {2, {2, 3}}, {SLICE(0, 0)}, 1},
};

/* Index arrays repeat positions on purpose. */
static const Row gather[] = {
    {"x[idx]", {1, {4}}, {GATHER}, 1},
    {"X[idx]", {2, {4, 3}}, {GATHER}, 1},
    {"X[:, idx]", {2, {2, 4}}, {ALL, GATHER}, 2},
    {"X[idx, idx]", {2, {4, 4}}, {GATHER, GATHER}, 2},
    {"X[1, idx]", {2, {2, 4}}, {AT(1), GATHER}, 2},
    {"X[idx, 1:3]", {2, {4, 3}}, {GATHER, SLICE(1, 3)}, 2},
};

static Array *positions(int rank)
{
    static const int64_t at[] = {2, 0, 2, 3, 2, -1};
    Shape s = rank == 1 ? (Shape){1, {6}} : (Shape){2, {2, 3}};
    return ints_make(&s, at);
}

static Array *mask(Shape s)
{
    Array *m = array_zeros(DT_BOOL, &s, &(Error){0});
    for (int64_t i = 0; i < m->size; i++) array_bools(m)[i] = i % 3 != 1;
    return m;
}

static Selection *select_with(const Row *row, Array *filler)
{
    Error err = {0};
    IndexTerm term[4];
    for (int i = 0; i < row->n; i++) {
        term[i] = row->term[i];
        if (term[i].kind == INDEX_ARRAY) term[i].array = filler;
    }
    Selection *s = selection_new(&row->source, term, row->n, &err);
    cr_assert_not_null(s, "%s: %s", row->what, err.message);
    return s;
}

static Value input(Shape s)
{
    return random_input(s, -2, 2);
}

/* What may be written: the region's shape, one number, and each axis as a single one. */
static void write_cases(CaseVisitor *visit, const OpAttr *attr, Shape source)
{
    static const OpCode ops[] = {OP_SET_INDEX, OP_ADD_INDEX};
    Shape region = attr->selection->shape, narrow = region;
    for (size_t i = 0; i < COUNT(ops); i++) {
        offer(visit, (Case){ops[i], 2, {input(source), input(region)}, attr, 0});
        offer(visit, (Case){ops[i], 2, {input(source), input((Shape){0})}, attr, 0});
        offer(visit, (Case){ops[i], 2, {input(source), value_int(2)}, attr, 0});
        for (int axis = 0; axis < region.rank; axis++) {
            narrow = region;
            narrow.dim[axis] = 1;
            offer(visit, (Case){ops[i], 2, {input(source), input(narrow)}, attr, 0});
        }
    }
    offer(visit, (Case){OP_SET_INDEX, 2, {int_input(source, 0, 9), input(region)}, attr, 0});
}

static void row_cases(CaseVisitor *visit, const Row *row, Array *filler)
{
    OpAttr attr = {.selection = select_with(row, filler)};
    offer(visit, (Case){OP_INDEX, 1, {input(row->source)}, &attr, 0});
    write_cases(visit, &attr, row->source);
    selection_release(attr.selection);
}

static void mask_cases(CaseVisitor *visit)
{
    static const Row row[] = {
        {"x[mask]", {1, {4}}, {GATHER}, 1},
        {"X[mask]", {2, {2, 3}}, {GATHER}, 1},
        {"X[rows]", {2, {4, 3}}, {GATHER}, 1},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        Shape s = row[i].source;
        if (i == 2) s.rank = 1;
        Array *m = mask(s);
        row_cases(visit, &row[i], m);
        array_release(m);
    }
}

/* The written array shows one row three times; writing must give it memory of its own. */
static void broadcast_target_case(CaseVisitor *visit)
{
    Error err = {0};
    Shape wide = {2, {3, 2}}, row = {1, {2}};
    Value v = input(row);
    IndexTerm term = AT(1);
    OpAttr attr = {.selection = selection_new(&wide, &term, 1, &err)};
    Value target = value_arr(array_broadcast(v.arr, &wide, &err));
    offer(visit, (Case){OP_SET_INDEX, 2, {target, v}, &attr, 0});
    selection_release(attr.selection);
}

void index_cases(CaseVisitor *visit)
{
    random_start(5);
    for (size_t i = 0; i < COUNT(basic); i++) row_cases(visit, &basic[i], NULL);
    for (size_t i = 0; i < COUNT(gather); i++)
        for (int rank = 1; rank <= 2; rank++) {
            Array *at = positions(rank);
            row_cases(visit, &gather[i], at);
            array_release(at);
        }
    mask_cases(visit);
    broadcast_target_case(visit);
}

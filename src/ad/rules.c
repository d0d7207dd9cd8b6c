/* The rule columns of the operation table. */
#include "ad/rules.h"

#define reverse_none NULL
#define forward_none NULL

const RuleRow rule_rows[OP_COUNT] = {
#define OP(code, name, arity, kernel, detail, x, y, rev, fwd, doc)                                 \
    [OP_##code] = {reverse_##rev, forward_##fwd},
#include "ops/op_list.h"
#undef OP
};

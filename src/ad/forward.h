/* Forward levels: values carry tangents. Private to this floor. */
#ifndef AD_FORWARD_H
#define AD_FORWARD_H

#include "ad/tape.h"

/* Gives *result, computed from low, the tangent that follows from in's, and stamps it. */
bool forward_record(Ad *ad, int depth, OpCode op, const Value *in, const Value *low, int n,
                    const OpAttr *attr, Value *result);
/* op_update and op_element on a forward level. */
bool forward_update(Ad *ad, int depth, OpCode op, Value *target, const Selection *selection,
                    Value v);
bool forward_element(Ad *ad, int depth, Value v, int64_t offset, Value *out);
/* Takes tangent: a new node of the level that carries it, stamped on *v. */
bool forward_stamp_take(Ad *ad, int depth, Value *v, Value tangent);

#endif

/* Values as text. */
#ifndef VALUE_TEXT_H
#define VALUE_TEXT_H

#include "value/value.h"

/* As print shows it: strings bare at the top, quoted inside structures. Fails only when nested too
 * deeply. */
bool value_write(StrBuf *out, Value v, Error *err);
/* As it can be pasted back: strings quoted. indent: columns already taken. */
bool value_write_literal(StrBuf *out, Value v, int indent, Error *err);

#endif

/* The topics of builtins, one table each, in the order of docs/builtins.md. */
#ifndef BUILTINS_TOPICS_H
#define BUILTINS_TOPICS_H

#include "eval/builtin.h"

extern const Builtin builtins_constants[];   /* constants.c */
extern const Builtin builtins_shape[];       /* shape.c */
extern const Builtin builtins_arrange[];     /* arrange.c */
extern const Builtin builtins_reduce[];      /* reduce.c */
extern const Builtin builtins_elementwise[]; /* elementwise.c */
extern const Builtin builtins_order[];       /* order.c */
extern const Builtin builtins_linalg[];      /* linalg.c */
extern const Builtin builtins_convert[];     /* convert.c */
extern const Builtin builtins_text[];        /* text.c */
extern const Builtin builtins_structure[];   /* structure.c */
extern const Builtin builtins_derivative[];  /* derivative.c */
extern const Builtin builtins_random[];      /* random.c */
extern const Builtin builtins_output[];      /* output.c */
extern const Builtin builtins_check[];       /* check.c */

extern const BuiltinTopic builtin_topics[]; /* registry.c */
extern const BuiltinAdvice builtin_advice[];

#endif

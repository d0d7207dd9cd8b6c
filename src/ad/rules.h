/* Every derivative rule, by the name it has in ops/op_list.h. */
#ifndef AD_RULES_H
#define AD_RULES_H

#include "ad/rule.h"

/* rules_elementwise.c */
RuleFunction reverse_neg, reverse_identity, reverse_abs, reverse_sqrt, reverse_exp, reverse_expm1,
    reverse_log, reverse_log1p, reverse_log2, reverse_log10, reverse_sin, reverse_cos, reverse_tan,
    reverse_asin, reverse_acos, reverse_atan, reverse_sinh, reverse_cosh, reverse_tanh, reverse_erf,
    reverse_sigmoid, reverse_softplus, reverse_add, reverse_sub, reverse_mul, reverse_div,
    reverse_mod, reverse_pow, reverse_maximum, reverse_minimum, reverse_atan2, reverse_where,
    reverse_pow_less_1, reverse_pow_less_2, reverse_sech_squared, reverse_bell, reverse_sqrt_slope,
    reverse_square_from_1, reverse_inversion;
/* rules_fused.c */
RuleFunction reverse_fused, forward_fused;
/* rules_reduce.c */
RuleFunction reverse_sum, reverse_length, reverse_mean_square, reverse_extremum, reverse_share,
    reverse_exp_minus, reverse_exp_rest, reverse_cumsum, reverse_recurrence, reverse_prod,
    reverse_others;
RuleFunction forward_length, forward_mean_square, forward_extremum, forward_share,
    forward_recurrence, forward_prod, forward_others;
/* rules_matmul.c */
RuleFunction reverse_matmul, forward_matmul;
/* rules_linalg.c */
RuleFunction reverse_solve, reverse_inv, reverse_det, reverse_cholesky, reverse_cofactor,
    reverse_cofactor_along;
RuleFunction forward_solve, forward_inv, forward_det, forward_cholesky, forward_cofactor,
    forward_cofactor_along;
/* rules_shape.c */
RuleFunction reverse_reshape, reverse_transpose, reverse_concat, reverse_stack;
/* rules_index.c */
RuleFunction reverse_index, reverse_set_index, reverse_add_index;
/* forward.c */
RuleFunction forward_diagonal, forward_linear;

#endif

/* Elementary functions where the vector library overflows early: one element at a time, the same
 * code for every instruction set. */
#ifndef ARRAY_FLOAT_EDGES_H
#define ARRAY_FLOAT_EDGES_H

double edge_exp(double x);           /* x > 709 */
double edge_sinh(double x);          /* |x| > 709 */
double edge_cosh(double x);          /* |x| > 709 */
double edge_log1p(double x);         /* x > 1e300 */
double edge_pow(double x, double y); /* finite x ≠ 0 and y */

#endif

/* factor_check.h: what a check by LAPACK's ratios holds: for bench_factor.c and its kin.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_FACTOR_CHECK_H
#define BENCH_FACTOR_CHECK_H

#include "bench_apply.h"

#define FACTOR_IDENTITIES 3 /* at most */

/* Right code gives ratios below 1. LAPACK's limit is 30 for all. */
#define FACTOR_LIMIT 3.0

typedef struct factor_check {
    const bench_operands *operands;
    const bench_case *what;
    void *outputs[BENCH_ROLES]; /* as read back; NULL: not written */
    bench_view given[BENCH_C + 1], found[BENCH_C + 1];
    const void *tau;
    int64_t *pivots;
    int64_t pivot_count;
    int64_t m, n, k;
    double norm[FACTOR_IDENTITIES]; /* what LAPACK divides by, without u and the norm of x */
    double matrix_norm;             /* of gels: that of op(A) */
} factor_check;

/* What one vector is worked on with, each as long as the longest side. */
typedef struct factor_room {
    bench_element *x, *want, *got, *between, *solution, *spare;
} factor_room;
#define FACTOR_VECTORS ((int64_t)(sizeof(factor_room) / sizeof(bench_element *)))

/* bench_least.c: the identities of gels: the solution, the triangle in A, and where a solution of
 * least norm lies. */
int bench_least_identities(const factor_check *c);
int64_t bench_least_input(const factor_check *c, int identity);
/* Both sides of an identity times x, and how long they are. */
int64_t bench_least_sides(const factor_check *c, int identity, const factor_room *room);
double bench_least_divisor(factor_check *c, int identity);
/* What the divisor is multiplied by for one vector, once its sides are there. */
double bench_least_scale(const factor_check *c, int identity, const factor_room *room);

/* bench_condensed.c: the two identities of sytrd and gehrd, of vectors with n elements. */
int64_t bench_condensed_sides(const factor_check *c, int identity, const factor_room *room);
double bench_condensed_divisor(const factor_check *c, int identity);
/* bench_eigen.c: the two identities of syevd, syevx and sygvd, or the one of values alone; of
 * vectors with as many elements as there are values. */
bool bench_is_eigen(const bench_op *op);
int64_t bench_eigen_input(const factor_check *c);
int64_t bench_eigen_sides(const factor_check *c, int identity, const factor_room *room);
double bench_eigen_divisor(const factor_check *c, int identity);
/* bench_singular.c: the three identities of gesdd and gesvd, or the one of values alone. */
int bench_singular_identities(const factor_check *c);
int64_t bench_singular_input(const factor_check *c, int identity);
int64_t bench_singular_sides(const factor_check *c, int identity, const factor_room *room);
double bench_singular_divisor(const factor_check *c, int identity);
/* bench_reduction.c: x := Q x or Q^H x with the reflectors that a case reads, which may stand
 * beside the diagonal; of P from gebrd Q is P^H. */
void bench_reduction_reflect(const factor_check *c, bool adjoint, bench_element *x);
/* Both sides of an identity of gebrd times x, and how long they are: A = Q B P^H; I = Q^H Q. */
int64_t bench_bidiagonal_sides(const factor_check *c, int identity, const factor_room *room);

/* bench_reflector.c: the error of larfg over its limit. */
double bench_reflector_error(const factor_check *c);

#endif

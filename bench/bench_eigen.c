/* bench_eigen.c: the identities of syevd: A = Z W Z^H and Z Z^H = I; of syevx and sygvd:
 * A Z = B Z W and Z^H B Z = I; of values alone, the trace.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include "factor_check.h"

static double value_at(const factor_check *c, int64_t i)
{
    const gbl_dtype real = gbl_dtype_real_bytes(c->what->dtype) == 4 ? GBL_S : GBL_D;
    return bench_get(c->outputs[BENCH_D], i, real).re;
}

/* Sums of values and of diagonal elements, as vectors of one element. NaN where values do not
 * ascend. */
static int64_t traces(const factor_check *c, const factor_room *room)
{
    const bench_view *in = &c->given[BENCH_A];
    bench_clear(room->want, 1);
    bench_clear(room->got, 1);
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t at = in->start + i + i * in->ld;
        room->want[0].re +=
            bench_get(in->data, in->period > 0 ? at % in->period : at, in->dtype).re;
        room->got[0].re +=
            i > 0 && value_at(c, i) < value_at(c, i - 1) ? (double)NAN : value_at(c, i);
    }
    return 1;
}

bool bench_is_eigen(const bench_op *op)
{
    return op->formula == BENCH_SYEVD || op->formula == BENCH_SYEVX || op->formula == BENCH_SYGVD;
}

int64_t bench_eigen_input(const factor_check *c)
{
    return c->what->op->values_only ? c->n : c->operands->shape[BENCH_D].length;
}

static bench_part hermitian(const factor_check *c, bench_role role)
{
    return (bench_part){&c->given[role], c->n, c->n, c->what->uplo, false};
}

/* Z's columns: all of A, or what syevx has in C. */
static bench_part vectors_of(const factor_check *c)
{
    const bench_role role = c->what->op->formula == BENCH_SYEVX ? BENCH_C : BENCH_A;
    return bench_whole(&c->found[role], c->n, bench_eigen_input(c));
}

static void multiply_values(const factor_check *c, const bench_element *x, bench_element *y)
{
    for (int64_t i = 0; i < bench_eigen_input(c); i++)
        y[i] = (bench_element){x[i].re * value_at(c, i), x[i].im * value_at(c, i)};
}

/* y := B x; B is the identity but of sygvd. */
static void multiply_metric(const factor_check *c, const bench_element *x, bench_element *y)
{
    const bench_part B = hermitian(c, BENCH_B);
    if (c->what->op->formula == BENCH_SYGVD)
        bench_multiply_hermitian(&B, x, y);
    else
        bench_copy(y, x, c->n);
}

/* Both sides where not all vectors are there, or not unitary. */
static int64_t some_sides(const factor_check *c, int identity, const factor_room *room)
{
    const bench_part A = hermitian(c, BENCH_A), Z = vectors_of(c);
    if (identity == 1) {
        bench_copy(room->want, room->x, bench_eigen_input(c));
        bench_multiply(&Z, GABLE_NO_TRANS, room->x, room->between);
        multiply_metric(c, room->between, room->spare);
        bench_multiply(&Z, GABLE_CONJ_TRANS, room->spare, room->got);
        return bench_eigen_input(c);
    }
    bench_multiply(&Z, GABLE_NO_TRANS, room->x, room->between);
    bench_multiply_hermitian(&A, room->between, room->want);
    multiply_values(c, room->x, room->spare);
    bench_multiply(&Z, GABLE_NO_TRANS, room->spare, room->between);
    multiply_metric(c, room->between, room->got);
    return c->n;
}

int64_t bench_eigen_sides(const factor_check *c, int identity, const factor_room *room)
{
    const bench_part A = hermitian(c, BENCH_A), Z = vectors_of(c);
    if (c->what->op->values_only)
        return traces(c, room);
    if (c->what->op->formula != BENCH_SYEVD)
        return some_sides(c, identity, room);
    bench_multiply(&Z, GABLE_CONJ_TRANS, room->x, room->between);
    if (identity == 0)
        multiply_values(c, room->between, room->between);
    bench_multiply(&Z, GABLE_NO_TRANS, room->between, room->got);
    if (identity == 0)
        bench_multiply_hermitian(&A, room->x, room->want);
    else
        bench_copy(room->want, room->x, c->n);
    return c->n;
}

/* LAPACK's tests divide by twice the unit roundoff; a sum of n values has n errors. */
double bench_eigen_divisor(const factor_check *c, int identity)
{
    const bench_part A = hermitian(c, BENCH_A);
    const double size = 2 * (double)(c->n > 4 ? c->n : 4);
    return identity == 1 ? size
                         : size * bench_norm1(&A, GABLE_NO_TRANS, true) *
                               (c->what->op->values_only ? (double)c->n : 1);
}

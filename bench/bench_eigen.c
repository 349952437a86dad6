/* bench_eigen.c: the identities of syevd: A = Z W Z^H and Z Z^H = I; of values alone, the trace.
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

int64_t bench_eigen_sides(const factor_check *c, int identity, const factor_room *room)
{
    const bench_part A = {&c->given[BENCH_A], c->n, c->n, c->what->uplo, false},
                     Z = bench_whole(&c->found[BENCH_A], c->n, c->n);
    if (c->what->op->values_only)
        return traces(c, room);
    bench_multiply(&Z, GABLE_CONJ_TRANS, room->x, room->between);
    for (int64_t i = 0; identity == 0 && i < c->n; i++) {
        room->between[i].re *= value_at(c, i);
        room->between[i].im *= value_at(c, i);
    }
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
    const bench_part A = {&c->given[BENCH_A], c->n, c->n, c->what->uplo, false};
    const double size = 2 * (double)(c->n > 4 ? c->n : 4);
    return identity == 1 ? size
                         : size * bench_norm1(&A, GABLE_NO_TRANS, true) *
                               (c->what->op->values_only ? (double)c->n : 1);
}

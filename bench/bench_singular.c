/* bench_singular.c: the identities of gesdd, gesvd and bdsdc: A = U S V^H, U^H U = I and V^H V = I;
 * of values alone, the Frobenius norm. The A of bdsdc is bidiagonal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include "factor_check.h"

static int64_t least_side(const factor_check *c)
{
    return c->m < c->n ? c->m : c->n;
}

/* NaN where values rise or are negative. */
static double value_at(const factor_check *c, int64_t i)
{
    const gbl_dtype real = gbl_dtype_real_bytes(c->what->dtype) == 4 ? GBL_S : GBL_D;
    const double value = bench_get(c->outputs[BENCH_D], i, real).re;
    const double before = i > 0 ? bench_get(c->outputs[BENCH_D], i - 1, real).re : value;
    return value >= 0 && value <= before ? value : (double)NAN;
}

/* ---- The matrix that was given ---- */

static bool is_bidiagonal(const factor_check *c)
{
    return c->what->op->formula == BENCH_BDSDC;
}

/* Of the diagonal, and of the one beside it, which has n - 1. */
static double diagonal_at(const factor_check *c, bench_role role, int64_t i)
{
    const bench_operands *o = c->operands;
    if (role == BENCH_E && (i < 0 || i >= c->n - 1))
        return 0;
    return bench_get(o->host[role], i % o->period, c->what->dtype).re;
}

/* y := A x; of a bidiagonal one real, as all in it. */
static void multiply_given(const factor_check *c, const bench_element *x, bench_element *y)
{
    const bench_part A = bench_whole(&c->given[BENCH_A], c->m, c->n);
    const int64_t step = c->what->uplo == GABLE_UPPER ? 1 : -1;
    if (!is_bidiagonal(c)) {
        bench_multiply(&A, GABLE_NO_TRANS, x, y);
        return;
    }
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t other = i + step;
        y[i] = (bench_element){diagonal_at(c, BENCH_D, i) * x[i].re, 0};
        if (other >= 0 && other < c->n)
            y[i].re += diagonal_at(c, BENCH_E, step > 0 ? i : other) * x[other].re;
    }
}

/* Element i of the one diagonal stands in its column with that of the other one. */
static double norm1_given(const factor_check *c)
{
    const bench_part A = bench_whole(&c->given[BENCH_A], c->m, c->n);
    const int64_t back = c->what->uplo == GABLE_UPPER;
    double most = 0;
    if (!is_bidiagonal(c))
        return bench_norm1(&A, GABLE_NO_TRANS, false);
    for (int64_t i = 0; i < c->n; i++)
        most =
            fmax(most, fabs(diagonal_at(c, BENCH_D, i)) + fabs(diagonal_at(c, BENCH_E, i - back)));
    return most;
}

static double squares_given(const factor_check *c)
{
    const bench_view *in = &c->given[BENCH_A];
    double sum = 0;
    for (int64_t i = 0; is_bidiagonal(c) && i < c->n; i++)
        sum += diagonal_at(c, BENCH_D, i) * diagonal_at(c, BENCH_D, i) +
               diagonal_at(c, BENCH_E, i) * diagonal_at(c, BENCH_E, i);
    for (int64_t j = 0; !is_bidiagonal(c) && j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const int64_t at = in->start + i + j * in->ld;
            const bench_element a =
                bench_get(in->data, in->period > 0 ? at % in->period : at, in->dtype);
            sum += a.re * a.re + a.im * a.im;
        }
    return sum;
}

/* ---- The identities ---- */

/* Both Frobenius norms, as vectors of one element. */
static int64_t norms(const factor_check *c, const factor_room *room)
{
    double got = 0;
    for (int64_t i = 0; i < least_side(c); i++)
        got += value_at(c, i) * value_at(c, i);
    room->want[0] = (bench_element){sqrt(squares_given(c)), 0};
    room->got[0] = (bench_element){sqrt(got), 0};
    return 1;
}

int bench_singular_identities(const factor_check *c)
{
    return c->what->op->values_only ? 1 : 3;
}

int64_t bench_singular_input(const factor_check *c, int identity)
{
    return c->what->op->values_only ? 1 : identity == 0 ? c->n : least_side(c);
}

int64_t bench_singular_sides(const factor_check *c, int identity, const factor_room *room)
{
    const int64_t k = least_side(c);
    const bench_part U = bench_whole(&c->found[BENCH_B], c->m, k),
                     Vt = bench_whole(&c->found[BENCH_C], k, c->n);
    if (c->what->op->values_only)
        return norms(c, room);
    if (identity != 0) {
        const bench_part *X = identity == 1 ? &U : &Vt;
        bench_copy(room->want, room->x, k);
        bench_multiply(X, identity == 1 ? GABLE_NO_TRANS : GABLE_CONJ_TRANS, room->x,
                       room->between);
        bench_multiply(X, identity == 1 ? GABLE_CONJ_TRANS : GABLE_NO_TRANS, room->between,
                       room->got);
        return k;
    }
    bench_multiply(&Vt, GABLE_NO_TRANS, room->x, room->between);
    for (int64_t i = 0; i < k; i++) {
        room->between[i].re *= value_at(c, i);
        room->between[i].im *= value_at(c, i);
    }
    bench_multiply(&U, GABLE_NO_TRANS, room->between, room->got);
    multiply_given(c, room->x, room->want);
    return c->m;
}

/* LAPACK's tests divide by twice the unit roundoff. Errors of k values add up as squares. */
double bench_singular_divisor(const factor_check *c, int identity)
{
    const int64_t most = c->m > c->n ? c->m : c->n, length = identity == 0   ? most
                                                             : identity == 1 ? c->m
                                                                             : c->n;
    const double size = 2 * (double)(length > 4 ? length : 4);
    if (identity != 0)
        return size;
    return size * norm1_given(c) * (c->what->op->values_only ? sqrt((double)least_side(c)) : 1);
}

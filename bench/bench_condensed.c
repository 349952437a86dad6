/* bench_condensed.c: the identities of reductions: A = Q T Q^H and Q Q^H = I
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T is tridiagonal (sytrd) or a Hessenberg matrix (gehrd). The vectors of reflectors stand one row
 * below the diagonal; those of an upper triangle one column behind it, from its edge on.
 */
#include <math.h>
#include "factor_check.h"

static bool is_upper(const factor_check *c)
{
    return c->what->op->formula == BENCH_SYTRD && c->what->uplo == GABLE_UPPER;
}

static void add_product(bench_element *to, bench_element a, bench_element b)
{
    to->re += a.re * b.re - a.im * b.im;
    to->im += a.re * b.im + a.im * b.re;
}

static bench_element found_at(const factor_check *c, int64_t i, int64_t j)
{
    const bench_view *in = &c->found[BENCH_A];
    return bench_get(in->data, in->start + i + j * in->ld, in->dtype);
}

/* x := Q x or Q^H x, Q = H_(n-1) ... H_1; element j of v_j is 1, behind it there are zeros. */
static void reflect_upper(const factor_check *c, bool adjoint, bench_element *x)
{
    const int64_t count = c->n - 1;
    for (int64_t s = 0; s < count; s++) {
        const int64_t j = adjoint ? count - 1 - s : s;
        const bench_element tau = bench_get(c->tau, j, c->what->dtype);
        bench_element sum = x[j], step = {0, 0};
        for (int64_t i = 0; i < j; i++)
            add_product(&sum, bench_conjugate(found_at(c, i, j + 1)), x[i]);
        add_product(&step, adjoint ? bench_conjugate(tau) : tau, sum);
        step = (bench_element){-step.re, -step.im};
        x[j] = (bench_element){x[j].re + step.re, x[j].im + step.im};
        for (int64_t i = 0; i < j; i++)
            add_product(&x[i], found_at(c, i, j + 1), step);
    }
}

static void reflect(const factor_check *c, bool adjoint, bench_element *x)
{
    bench_view below = c->found[BENCH_A];
    if (is_upper(c)) {
        reflect_upper(c, adjoint, x);
        return;
    }
    below.start++;
    bench_reflect(&below, false, c->tau, c->n - 1, c->n - 1, adjoint, x + 1);
}

/* A real number of T, which must stand in A, too; else NaN. */
static double stored_twice(const factor_check *c, bench_role role, int64_t at, int64_t i, int64_t j)
{
    const gbl_dtype real = gbl_dtype_real_bytes(c->what->dtype) == 4 ? GBL_S : GBL_D;
    const double value = bench_get(c->outputs[role], at, real).re;
    const bench_element a = found_at(c, i, j);
    return a.re == value && a.im == 0 ? value : (double)NAN;
}

/* y := T x */
static void multiply_tridiagonal(const factor_check *c, const bench_element *x, bench_element *y)
{
    const bool upper = is_upper(c);
    bench_clear(y, c->n);
    for (int64_t i = 0; i < c->n; i++) {
        const bench_element d = {stored_twice(c, BENCH_D, i, i, i), 0};
        add_product(&y[i], d, x[i]);
        if (i + 1 < c->n) {
            const bench_element e = {
                stored_twice(c, BENCH_E, i, upper ? i : i + 1, upper ? i + 1 : i), 0};
            add_product(&y[i], e, x[i + 1]);
            add_product(&y[i + 1], e, x[i]);
        }
    }
}

static void multiply_hessenberg(const factor_check *c, const bench_element *x, bench_element *y)
{
    const bench_part upper = {&c->found[BENCH_A], c->n, c->n, GABLE_UPPER, false};
    bench_multiply(&upper, GABLE_NO_TRANS, x, y);
    for (int64_t i = 0; i + 1 < c->n; i++)
        add_product(&y[i + 1], found_at(c, i + 1, i), x[i]);
}

int64_t bench_condensed_sides(const factor_check *c, int identity, const factor_room *room)
{
    const bool symmetric = c->what->op->formula == BENCH_SYTRD;
    const bench_part A = {&c->given[BENCH_A], c->n, c->n, c->what->uplo, false},
                     whole = bench_whole(&c->given[BENCH_A], c->n, c->n);
    bench_copy(room->between, room->x, c->n);
    reflect(c, true, room->between);
    if (identity == 1) {
        bench_copy(room->want, room->x, c->n);
        bench_copy(room->got, room->between, c->n);
    } else if (symmetric) {
        bench_multiply_hermitian(&A, room->x, room->want);
        multiply_tridiagonal(c, room->between, room->got);
    } else {
        bench_multiply(&whole, GABLE_NO_TRANS, room->x, room->want);
        multiply_hessenberg(c, room->between, room->got);
    }
    reflect(c, false, room->got);
    return c->n;
}

/* LAPACK's tests divide by twice the unit roundoff. Of few elements the roundings of tau and of one
 * product count in full. */
double bench_condensed_divisor(const factor_check *c, int identity)
{
    const bool symmetric = c->what->op->formula == BENCH_SYTRD;
    const bench_part A = {&c->given[BENCH_A], c->n, c->n, c->what->uplo, false},
                     whole = bench_whole(&c->given[BENCH_A], c->n, c->n);
    const double size = 2 * (double)(c->n > 4 ? c->n : 4);
    return identity == 1 ? size
                         : size * bench_norm1(symmetric ? &A : &whole, GABLE_NO_TRANS, symmetric);
}

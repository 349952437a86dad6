/* bench_reduction.c: gebrd and the unitary matrices of reductions: both sides of their identities.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include "bench_check.h"
#include "factor_check.h"

/* A from a row and a column on. */
static bench_view moved(const bench_view *view, int64_t row, int64_t column)
{
    bench_view part = *view;
    part.start += row + column * view->ld;
    return part;
}

void bench_reduction_reflect(const factor_check *c, bool adjoint, bench_element *x)
{
    const bench_reflectors in = bench_case_reflectors(c->what);
    const bench_view vectors = moved(&c->given[BENCH_A], in.row, in.column);
    if (in.above)
        bench_reflect_above(&vectors, c->tau, in.count, adjoint, x + in.first);
    else
        bench_reflect(&vectors, in.rows, c->tau, in.length, in.count, adjoint, x + in.first);
}

static double real_at(const factor_check *c, bench_role role, int64_t i)
{
    const void *data = c->outputs[role];
    return gbl_dtype_real_bytes(c->what->dtype) == 4 ? ((const float *)data)[i]
                                                     : ((const double *)data)[i];
}

/* y := B x, B upper bidiagonal where m >= n, else lower. */
static void multiply_bidiagonal(const factor_check *c, const bench_element *x, bench_element *y)
{
    const int64_t order = c->m < c->n ? c->m : c->n;
    bench_clear(y, c->m);
    for (int64_t i = 0; i < order; i++) {
        const int64_t beside = c->m >= c->n ? i + 1 : i - 1;
        const double d = real_at(c, BENCH_D, i);
        y[i] = (bench_element){d * x[i].re, d * x[i].im};
        if (beside >= 0 && beside < order) {
            const double e = real_at(c, BENCH_E, i < beside ? i : beside);
            y[i].re += e * x[beside].re;
            y[i].im += e * x[beside].im;
        }
    }
}

static bool is_real(bench_element a, double value)
{
    return a.re == value && a.im == 0;
}

/* Whether d and e stand in A, too, and the last reflector on the side that has one less is none. */
static bool is_complete(const factor_check *c)
{
    const int64_t order = c->m < c->n ? c->m : c->n;
    const bool upper = c->m >= c->n;
    const bench_view *found = &c->found[BENCH_A];
    const void *less = upper ? c->outputs[BENCH_TAUP] : c->tau;
    bool complete = is_real(bench_get(less, order - 1, found->dtype), 0);
    for (int64_t i = 0; i < order; i++) {
        const int64_t at = found->start + i + i * found->ld, beside = upper ? found->ld : 1;
        complete =
            complete && is_real(bench_get(found->data, at, found->dtype), real_at(c, BENCH_D, i)) &&
            (i + 1 == order ||
             is_real(bench_get(found->data, at + beside, found->dtype), real_at(c, BENCH_E, i)));
    }
    return complete;
}

int64_t bench_bidiagonal_sides(const factor_check *c, int identity, const factor_room *room)
{
    const int64_t m = c->m, n = c->n;
    const bool upper = m >= n;
    const bench_view *found = &c->found[BENCH_A];
    const bench_view below = moved(found, upper ? 0 : 1, 0), right = moved(found, 0, upper ? 1 : 0);
    const int64_t length = upper ? m : m - 1, count = upper ? n : m - 1,
                  length_p = upper ? n - 1 : n, count_p = upper ? n - 1 : m;
    bench_element *const down = room->got + (upper ? 0 : 1);
    if (identity == 1) {
        bench_copy(room->want, room->x, m);
        bench_copy(room->got, room->x, m);
        bench_reflect(&below, false, c->tau, length, count, false, down);
        bench_reflect(&below, false, c->tau, length, count, true, down);
        return m;
    }
    const bench_part before = bench_whole(&c->given[BENCH_A], m, n);
    bench_multiply(&before, GABLE_NO_TRANS, room->x, room->want);
    bench_copy(room->between, room->x, n);
    bench_reflect(&right, true, c->outputs[BENCH_TAUP], length_p, count_p, false,
                  room->between + (upper ? 1 : 0));
    multiply_bidiagonal(c, room->between, room->got);
    bench_reflect(&below, false, c->tau, length, count, false, down);
    if (!is_complete(c))
        room->got[0].re = (double)NAN;
    return m;
}

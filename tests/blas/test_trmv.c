/* test_trmv.c: the six parts of trmv: x := op(A) x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (n + 2) u |op(A)| |x| (Higham, Accuracy and Stability, 3.1 and 3.5), for
 * complex numbers times up to 2 sqrt 2 (3.6); it holds in any order of summation. With small integers the
 * reference, a plain loop in double-double, and the result are both exact.
 */
#define ROUTINE trmv
#include "harness/triangle_test.h"

static void triangle_give(const triangle_operands *o, const triangle_case *c)
{
    for (int64_t i = 0; i < c->n; i++)
        put(&o->x, i,
            c->random ? random_element(c->seed + 1, i) : integer_element(c->seed + 1, i, 4));
}

static void triangle_compare(routine *r, const triangle_operands *o, const triangle_case *c)
{
    const double factor = c->random ? ((double)c->n + 2) * ROUNDOFF : 0;
    T *old = malloc((size_t)c->n * sizeof(T));
    CHECK(old != NULL, "no memory for %lld elements", (long long)c->n);
    for (int64_t i = 0; old != NULL && i < c->n; i++)
        old[i] = get(&o->x, i);
    for (int64_t i = 0; old != NULL && i < c->n; i++) {
        const wide_number want = product(o, c, old, i);
        const T z = got(&o->x, i);
        const double error =
            hypot(wide_distance(want.re, real_part(z)), wide_distance(want.im, imaginary_part(z)));
        const long before = test_failures();
        routine_error(r, error, factor * want.size, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    free(old);
}

/* A NaN or Inf at (row, column) of A reaches its element of x and no other. */
static void spreads(routine *r, triangle_case c, int64_t row, int64_t column, double special)
{
    const int64_t reached = c.trans == GABLE_NO_TRANS ? row : column;
    triangle_operands o;
    begin(r, &c, "a special number in A");
    if (build(r, &o, &c)) {
        for (int64_t e = 0; e < c.n; e++) /* no zeros: some BLAS skip their columns */
            put(&o.x, e, make(1 + (double)(e % 3), 1));
        put(&o.A, row + column * c.lda, make(special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.x))
            for (int64_t e = 0; e < c.n; e++)
                CHECK(finite_number(got(&o.x, e)) != (e == reached), "element %lld is %g",
                      (long long)e, real_part(got(&o.x, e)));
    }
    destroy(&o);
}

static void edges(routine *r)
{
    static const gable_trans all[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    if (left_out(r))
        return;
    nothing(r);
    for (int f = 0; f < 6; f++) {
        triangle_case c = {.uplo = f % 2 ? GABLE_UPPER : GABLE_LOWER,
                           .trans = all[f / 2],
                           .diag = GABLE_NON_UNIT,
                           .n = 70,
                           .lda = 80,
                           .incx = f % 3 ? 1 : -2,
                           .seed = 60};
        fit_to_run(r, &c, 0);
        for (int64_t e = 0; e < 70; e += 23) {
            const int64_t low = c.uplo == GABLE_UPPER ? e / 2 : 69,
                          high = c.uplo == GABLE_UPPER ? e : e / 2;
            spreads(r, c, low, high, NAN);
            spreads(r, c, e, e, INFINITY);
        }
        far_apart(r, c.uplo, c.trans);
    }
}

const routine_parts PARTS = {.stem = "trmv",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = triangle_probe};

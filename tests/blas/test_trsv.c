/* test_trsv.c: the six parts of trsv: x := op(A)^-1 x, A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |b - op(A) x| <= (n + 4) u |op(A)| |x|: the residual of substitution (Higham,
 * Accuracy and Stability, 8.1, theorem 8.5: gamma_n in any order of the sums; a product with the reciprocal
 * instead of a quotient costs one more, a complex quotient a few), for complex numbers times up to 2 sqrt 2. The
 * residual is a plain loop in double-double. Exact: right-hand sides are made of integer solutions, and the
 * diagonal has powers of two, so every partial sum and quotient is exact and the solution comes back bit for bit.
 */
#define ROUTINE trsv
#include "harness/triangle_test.h"

static T solution(const triangle_case *c, int64_t i)
{
    return integer_element(c->seed + 1, i, 4);
}

static void triangle_give(const triangle_operands *o, const triangle_case *c)
{
    T *x = malloc((size_t)(c->n > 0 ? c->n : 1) * sizeof(T));
    CHECK(x != NULL, "no memory for %lld elements", (long long)c->n);
    for (int64_t i = 0; x != NULL && i < c->n; i++)
        x[i] = solution(c, i);
    for (int64_t i = 0; x != NULL && i < c->n; i++) {
        const wide_number b = product(o, c, x, i);
        put(&o->x, i, c->random ? random_element(c->seed + 1, i) : make(b.re.high, b.im.high));
    }
    free(x);
}

static void compare_exactly(routine *r, const triangle_operands *o, const triangle_case *c)
{
    for (int64_t i = 0; i < c->n; i++) {
        const T want = solution(c, i), z = got(&o->x, i);
        const double error =
            hypot(real_part(z) - real_part(want), imaginary_part(z) - imaginary_part(want));
        const long before = test_failures();
        routine_error(r, error, 0, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld: %g and not %g", (long long)i, real_part(z),
                  real_part(want));
            break;
        }
    }
}

static void triangle_compare(routine *r, const triangle_operands *o, const triangle_case *c)
{
    if (!c->random) {
        compare_exactly(r, o, c);
        return;
    }
    T *x = malloc((size_t)(c->n > 0 ? c->n : 1) * sizeof(T));
    CHECK(x != NULL, "no memory for %lld elements", (long long)c->n);
    for (int64_t i = 0; x != NULL && i < c->n; i++)
        x[i] = got(&o->x, i);
    for (int64_t i = 0; x != NULL && i < c->n; i++) {
        const wide_number b = product(o, c, x, i);
        const T given_b = get(&o->x, i);
        const double error = hypot(wide_distance(b.re, real_part(given_b)),
                                   wide_distance(b.im, imaginary_part(given_b)));
        const long before = test_failures();
        routine_error(r, error, ((double)c->n + 4) * ROUNDOFF * b.size, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong row is %lld", (long long)i);
            break;
        }
    }
    free(x);
}

/* Row `row` of the solution is a NaN or Inf, by its right-hand side or a zero on the diagonal: what is solved before
 * it stays finite, and it reaches its own element, and as NaN or Inf all that have a coefficient for it. */
static void spreads(routine *r, triangle_case c, int64_t row, double special)
{
    const bool lower = (c.uplo == GABLE_LOWER) == (c.trans == GABLE_NO_TRANS);
    triangle_operands o;
    begin(r, &c, special == 0 ? "a zero on the diagonal" : "a special right-hand side");
    if (build(r, &o, &c)) {
        for (int64_t j = 0; j < c.n; j++)
            for (int64_t i = 0; i < c.n; i++)
                if (is_read(&c, i, j)) /* no zeros: some BLAS skip their columns */
                    put(&o.A, i + j * c.lda, i == j ? make(1, 0) : make(1 / (double)c.n, 0));
        for (int64_t e = 0; e < c.n; e++)
            put(&o.x, e, make(1 + (double)(e % 3), 1));
        if (special == 0)
            put(&o.A, row + row * c.lda, make(0, 0));
        else
            put(&o.x, row, make(special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.x))
            for (int64_t e = 0; e < c.n; e++)
                CHECK(finite_number(got(&o.x, e)) == (lower ? e < row : e > row),
                      "element %lld is %g", (long long)e, real_part(got(&o.x, e)));
    }
    destroy(&o);
}

/* A NaN with all bits set, which stands for "nothing yet" between groups, is a number like others. */
static void any_nan(routine *r, triangle_case c)
{
    const bool lower = (c.uplo == GABLE_LOWER) == (c.trans == GABLE_NO_TRANS);
    triangle_operands o;
    begin(r, &c, "all bits set");
    if (build(r, &o, &c)) {
        memset(guarded_element(&o.x, lower ? 0 : c.n - 1), 0xff, sizeof(T));
        if (guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.x))
            CHECK(!finite_number(got(&o.x, lower ? 0 : c.n - 1)), "a NaN was lost");
    }
    destroy(&o);
}

/* Column `column` of op(A) over its diagonal leaves the range of numbers, but what it adds to any row does not:
 * its element of the solution is as small as the column is large. All is exact. */
static void graded(routine *r, triangle_case c, int64_t column)
{
    const bool lower = (c.uplo == GABLE_LOWER) == (c.trans == GABLE_NO_TRANS);
    const double large = ldexp(1, sizeof(R) == 4 ? 63 : 511), small = 1 / large;
    triangle_operands o;
    begin(r, &c, "graded");
    if (build(r, &o, &c)) {
        for (int64_t i = 0; i < c.n; i++) {
            double b = 0; /* row i of op(A) times the solution */
            for (int64_t j = 0; j < c.n; j++) {
                if (lower ? j > i : j < i)
                    continue;
                double a = i == j ? 1 : i == column ? 0 : (double)((i + j) % 3 - 1);
                if (j == column)
                    a = i == j ? small : 8 * large;
                b += a * (j == column ? 3 * small : 1 + (double)(j % 3));
                put(&o.A, c.trans == GABLE_NO_TRANS ? i + j * c.lda : j + i * c.lda, make(a, 0));
            }
            put(&o.x, i, make(b, 0));
        }
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.x))
            for (int64_t e = 0; e < c.n; e++)
                CHECK(real_part(got(&o.x, e)) == (e == column ? 3 * small : 1 + (double)(e % 3)),
                      "element %lld is %g", (long long)e, real_part(got(&o.x, e)));
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
                           .n = 140,
                           .lda = 144,
                           .incx = f % 3 ? 1 : -2,
                           .seed = 60};
        fit_to_run(r, &c, 0);
        for (int64_t e = 0; e < 140; e += 46) {
            spreads(r, c, e, NAN);
            spreads(r, c, e, INFINITY);
            spreads(r, c, e, 0);
            graded(r, c, e);
        }
        any_nan(r, c);
        far_apart(r, c.uplo, c.trans);
    }
}

const routine_parts PARTS = {.stem = "trsv",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = triangle_probe};

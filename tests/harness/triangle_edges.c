/* triangle_edges.c: special numbers and graded columns in triangular products and solutions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/triangle_test.h"

static void put_A(const routine *r, const triangle_operands *o, const triangle_case *c, int64_t i,
                  int64_t j, number a)
{
    number_put(r->dtype, &o->A, triangle_form_of(r)->how->place(&c->s, i, j), a);
}

static bool send_and_run(routine *r, triangle_operands *o, const triangle_case *c)
{
    return guarded_send(&o->A) && guarded_send(&o->x) && triangle_run(r, o, c) &&
           guarded_fetch(&o->x);
}

/* ---- Products ---- */

/* A NaN or Inf at (row, column) of A reaches its element of x and no other. */
static void product_spreads(routine *r, const triangle_case *c, int64_t row, int64_t column,
                            double special)
{
    const int64_t reached = c->trans == GABLE_NO_TRANS ? row : column;
    triangle_operands o;
    triangle_begin(r, c, "a special number in A");
    if (triangle_build(r, &o, c)) {
        for (int64_t e = 0; e < c->s.n; e++) /* no zeros: some BLAS skip their columns */
            number_put(r->dtype, &o.x, e, number_of(r->dtype, 1 + (double)(e % 3), 1));
        put_A(r, &o, c, row, column, number_of(r->dtype, special, 1));
        for (int64_t e = 0; send_and_run(r, &o, c) && e < c->s.n; e++) {
            const number x = number_got(r->dtype, &o.x, e);
            CHECK(number_finite(x) != (e == reached), "element %lld is %g", (long long)e, x.re);
        }
    }
    triangle_destroy(&o);
}

/* ---- Solutions ---- */

/* Row `row` of the solution is a NaN or Inf, by its right-hand side or a zero on the diagonal: what
 * is solved before it stays finite, and it reaches its own element, and as NaN or Inf all that have
 * a coefficient for it. */
static void solution_spreads(routine *r, const triangle_case *c, int64_t row, double special)
{
    const bool lower = triangle_lower(c);
    triangle_operands o;
    triangle_begin(r, c, special == 0 ? "a zero on the diagonal" : "a special right-hand side");
    if (triangle_build(r, &o, c)) {
        for (int64_t j = 0; j < c->s.n; j++)
            for (int64_t i = 0; i < c->s.n; i++)
                if (triangle_reads(r, c, i, j)) /* no zeros: some BLAS skip their columns */
                    put_A(r, &o, c, i, j, number_of(r->dtype, i == j ? 1 : 1 / (double)c->s.n, 0));
        for (int64_t e = 0; e < c->s.n; e++)
            number_put(r->dtype, &o.x, e, number_of(r->dtype, 1 + (double)(e % 3), 1));
        if (special == 0)
            put_A(r, &o, c, row, row, (number){0, 0});
        else
            number_put(r->dtype, &o.x, row, number_of(r->dtype, special, 1));
        if (send_and_run(r, &o, c)) {
            for (int64_t e = 0; e < c->s.n; e++) {
                const number x = number_got(r->dtype, &o.x, e);
                CHECK(number_finite(x) == (lower ? e < row : e > row), "element %lld is %g",
                      (long long)e, x.re);
            }
        }
    }
    triangle_destroy(&o);
}

/* A NaN with all bits set, which stands for "nothing yet" between groups, is a number like
 * others. */
static void any_nan(routine *r, const triangle_case *c)
{
    const int64_t first = triangle_lower(c) ? 0 : c->s.n - 1;
    triangle_operands o;
    triangle_begin(r, c, "all bits set");
    if (triangle_build(r, &o, c)) {
        memset(guarded_element(&o.x, first), 0xff, o.x.elem_bytes);
        if (send_and_run(r, &o, c))
            CHECK(!number_finite(number_got(r->dtype, &o.x, first)), "a NaN was lost");
    }
    triangle_destroy(&o);
}

/* Column `column` of op(A) over its diagonal leaves the range of numbers, but what it adds to any
 * row does not: its element of the solution is as small as the column is large. All is exact. */
static void graded(routine *r, const triangle_case *c, int64_t column)
{
    const double large = ldexp(1, gbl_dtype_real_bytes(r->dtype) == 4 ? 63 : 511);
    const double small = 1 / large;
    triangle_operands o;
    triangle_begin(r, c, "graded");
    if (triangle_build(r, &o, c)) {
        for (int64_t i = 0; i < c->s.n; i++) {
            double b = 0; /* row i of op(A) times the solution */
            for (int64_t j = 0; j < c->s.n; j++) {
                const int64_t row = c->trans == GABLE_NO_TRANS ? i : j, other = i + j - row;
                if (!triangle_reads(r, c, row, other))
                    continue;
                double a = i == j ? 1 : i == column ? 0 : (double)((i + j) % 3 - 1);
                if (j == column)
                    a = i == j ? small : 8 * large;
                b += a * (j == column ? 3 * small : 1 + (double)(j % 3));
                put_A(r, &o, c, row, other, (number){a, 0});
            }
            number_put(r->dtype, &o.x, i, (number){b, 0});
        }
        if (send_and_run(r, &o, c)) {
            for (int64_t e = 0; e < c->s.n; e++) {
                const number x = number_got(r->dtype, &o.x, e);
                CHECK(x.re == (e == column ? 3 * small : 1 + (double)(e % 3)), "element %lld is %g",
                      (long long)e, x.re);
            }
        }
    }
    triangle_destroy(&o);
}

void triangle_edges_of(routine *r, triangle_case c)
{
    const bool upper = c.s.uplo == GABLE_UPPER;
    for (int64_t e = 0; e < c.s.n; e += c.s.n / 3) {
        if (triangle_form_of(r)->solves) {
            solution_spreads(r, &c, e, NAN);
            solution_spreads(r, &c, e, INFINITY);
            solution_spreads(r, &c, e, 0);
            graded(r, &c, e);
        } else {
            /* the stored element of column e that is farthest from the diagonal, and the
             * diagonal */
            const stored *how = triangle_form_of(r)->how;
            const int64_t row =
                upper ? stored_first_row(how, &c.s, e) : stored_last_row(how, &c.s, e);
            product_spreads(r, &c, row, e, NAN);
            product_spreads(r, &c, e, e, INFINITY);
        }
    }
    if (triangle_form_of(r)->solves)
        any_nan(r, &c);
}

/* bench_least.c: what gels gives, as identities.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * op(A) has as many rows as B is given with, and as many columns as X has rows. Where it has no
 * more rows than columns, op(A) X = B. Where it has more, op(A)^H (B - op(A) X) = 0: the residual
 * is orthogonal to its columns, and what stands behind X in B has the residual's norm. In A the
 * triangle R of its QR factorization is left, or L of LQ: R^H R = A^H A, or L L^H = A A^H. A
 * solution has the least norm if it is op(A)^H Y for some Y. Any Y that comes near enough proves
 * it. It is found by the triangle in A and refined (Bjorck, Linear Algebra Appl. 88, 1987), which
 * needs no factorization here.
 */
#include <math.h>
#include "factor_check.h"

#define REFINEMENTS 12  /* at most: of a matrix that is nearly square and single they are many */
#define SETTLED     0.5 /* a step that leaves more of the rest is the last */

static bool is_wide(const factor_check *c)
{
    return c->m < c->n;
}

static bool is_turned(const factor_check *c)
{
    return c->what->trans != GABLE_NO_TRANS;
}

static int64_t shorter_side(const factor_check *c)
{
    return is_wide(c) ? c->m : c->n;
}

static int64_t longer_side(const factor_check *c)
{
    return is_wide(c) ? c->n : c->m;
}

/* Whether X is of least norm: op(A) has more columns than rows. */
static bool has_least_norm(const factor_check *c)
{
    return is_turned(c) ? c->m > c->n : c->m < c->n;
}

static bool has_least_squares(const factor_check *c)
{
    return is_turned(c) ? c->m < c->n : c->m > c->n;
}

/* How A is taken for op(A), and for its adjoint. */
static gable_trans plain(const factor_check *c)
{
    return is_turned(c) ? GABLE_CONJ_TRANS : GABLE_NO_TRANS;
}

static gable_trans adjoint(const factor_check *c)
{
    return is_turned(c) ? GABLE_NO_TRANS : GABLE_CONJ_TRANS;
}

static bench_part matrix(const factor_check *c)
{
    return bench_whole(&c->given[BENCH_A], c->m, c->n);
}

/* R, or L. */
static bench_part triangle(const factor_check *c)
{
    const int64_t order = shorter_side(c);
    return (bench_part){&c->found[BENCH_A], order, order, is_wide(c) ? GABLE_LOWER : GABLE_UPPER,
                        false};
}

/* The transposition that makes the triangle L, or R^H: the left factor. */
static gable_trans left_factor(const factor_check *c)
{
    return is_wide(c) ? GABLE_NO_TRANS : GABLE_CONJ_TRANS;
}

static gable_trans right_factor(const factor_check *c)
{
    return is_wide(c) ? GABLE_CONJ_TRANS : GABLE_NO_TRANS;
}

int bench_least_identities(const factor_check *c)
{
    return has_least_norm(c) || has_least_squares(c) ? 3 : 2;
}

int64_t bench_least_input(const factor_check *c, int identity)
{
    return identity == 1 ? shorter_side(c) : c->k;
}

/* X x, in `solution`, and op(A) X x beside B x, or the adjoint of op(A) times both. */
static int64_t solution_sides(const factor_check *c, const factor_room *room)
{
    const int64_t rows = is_turned(c) ? c->n : c->m, columns = is_turned(c) ? c->m : c->n;
    const bench_part A = matrix(c), B = bench_whole(&c->given[BENCH_B], rows, c->k),
                     X = bench_whole(&c->found[BENCH_B], columns, c->k);
    bench_multiply(&X, GABLE_NO_TRANS, room->x, room->solution);
    bench_multiply(&B, GABLE_NO_TRANS, room->x, room->spare);
    bench_multiply(&A, plain(c), room->solution, room->between);
    if (!has_least_squares(c)) {
        bench_copy(room->want, room->spare, rows);
        bench_copy(room->got, room->between, rows);
        return rows;
    }
    bench_multiply(&A, adjoint(c), room->spare, room->want);
    bench_multiply(&A, adjoint(c), room->between, room->got);
    return columns;
}

static double length_of(const bench_element *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i].re * x[i].re + x[i].im * x[i].im;
    return sqrt(sum);
}

/* The norm of (B - op(A) X) x, and that of what stands in the rows of B behind X. */
static int64_t residual_sides(const factor_check *c, const factor_room *room)
{
    const int64_t rows = longer_side(c), solved = shorter_side(c);
    const bench_part all = bench_whole(&c->found[BENCH_B], rows, c->k);
    solution_sides(c, room);
    for (int64_t i = 0; i < rows; i++)
        room->between[i] = (bench_element){room->spare[i].re - room->between[i].re,
                                           room->spare[i].im - room->between[i].im};
    bench_multiply(&all, GABLE_NO_TRANS, room->x, room->got);
    room->want[0] = (bench_element){length_of(room->between, rows), 0};
    room->got[0] = (bench_element){length_of(room->got + solved, rows - solved), 0};
    return 1;
}

/* A^H A x, or A A^H x, beside what the triangle makes of it. */
static int64_t triangle_sides(const factor_check *c, const factor_room *room)
{
    const bench_part A = matrix(c), half = triangle(c);
    const gable_trans first = is_wide(c) ? GABLE_CONJ_TRANS : GABLE_NO_TRANS,
                      second = is_wide(c) ? GABLE_NO_TRANS : GABLE_CONJ_TRANS;
    bench_multiply(&A, first, room->x, room->between);
    bench_multiply(&A, second, room->between, room->want);
    bench_multiply(&half, right_factor(c), room->x, room->between);
    bench_multiply(&half, left_factor(c), room->between, room->got);
    return shorter_side(c);
}

/* X x beside op(A)^H y. */
static int64_t range_sides(const factor_check *c, const factor_room *room)
{
    const int64_t length = longer_side(c), order = shorter_side(c);
    const bench_part A = matrix(c), half = triangle(c),
                     X = bench_whole(&c->found[BENCH_B], length, c->k);
    bench_element *y = room->between, *step = room->spare, *rest = room->solution;
    bench_multiply(&X, GABLE_NO_TRANS, room->x, room->want);
    bench_clear(y, order);
    bench_clear(room->got, length);
    double before = INFINITY, left = bench_vector_norm(room->want, length);
    for (int step_count = 0; step_count < REFINEMENTS && left > 0 && left <= SETTLED * before;
         step_count++) {
        for (int64_t i = 0; i < length; i++)
            rest[i] = (bench_element){room->want[i].re - room->got[i].re,
                                      room->want[i].im - room->got[i].im};
        bench_multiply(&A, plain(c), rest, step);
        bench_solve(&half, left_factor(c), step);
        bench_solve(&half, right_factor(c), step);
        for (int64_t i = 0; i < order; i++)
            y[i] = (bench_element){y[i].re + step[i].re, y[i].im + step[i].im};
        bench_multiply(&A, adjoint(c), y, room->got);
        before = left;
        left = bench_vector_distance(room->want, room->got, length);
    }
    bench_copy(rest, room->want, length);
    return length;
}

int64_t bench_least_sides(const factor_check *c, int identity, const factor_room *room)
{
    return identity == 0       ? solution_sides(c, room)
           : identity == 1     ? triangle_sides(c, room)
           : has_least_norm(c) ? range_sides(c, room)
                               : residual_sides(c, room);
}

double bench_least_divisor(factor_check *c, int identity)
{
    const bench_part A = matrix(c);
    const double size = (double)longer_side(c), norm = bench_norm1(&A, plain(c), false),
                 other = bench_norm1(&A, adjoint(c), false);
    c->matrix_norm = norm;
    if (identity == 2)
        return size;
    return size * (identity == 1 ? norm * other : has_least_squares(c) ? other : norm);
}

/* Of least squares the norm of B x counts, and those of op(A) and X x, which are larger where A is
 * nearly singular. */
double bench_least_scale(const factor_check *c, int identity, const factor_room *room)
{
    const int64_t solved = is_turned(c) ? c->m : c->n, given = is_turned(c) ? c->n : c->m;
    if (identity == 1)
        return 1;
    const double norm = bench_vector_norm(room->solution, solved);
    if (!has_least_squares(c))
        return norm;
    return c->matrix_norm * norm + bench_vector_norm(room->spare, given);
}

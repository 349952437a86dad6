/* bench_apply.c: matrices, exchanges and reflectors applied to vectors, for checks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_apply.h"

/* ---- Vectors ---- */

static void add_product(bench_element *sum, bench_element a, bench_element b)
{
    sum->re += a.re * b.re - a.im * b.im;
    sum->im += a.re * b.im + a.im * b.re;
}

static bench_element turned(bench_element a, gable_trans trans)
{
    return trans == GABLE_CONJ_TRANS ? bench_conjugate(a) : a;
}

double bench_vector_norm(const bench_element *x, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length; i++)
        sum += x[i].im != 0 ? hypot(x[i].re, x[i].im) : fabs(x[i].re);
    return sum;
}

double bench_vector_distance(const bench_element *a, const bench_element *b, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length; i++)
        sum += hypot(a[i].re - b[i].re, a[i].im - b[i].im);
    return sum;
}

void bench_clear(bench_element *x, int64_t length)
{
    memset(x, 0, (size_t)length * sizeof *x);
}

void bench_copy(bench_element *to, const bench_element *from, int64_t length)
{
    memcpy(to, from, (size_t)length * sizeof *to);
}

/* ---- Matrices ---- */

static bench_element at(const bench_view *a, int64_t i, int64_t j)
{
    int64_t index = a->start + i + j * a->ld;
    if (a->ones && i == j)
        return (bench_element){1, 0};
    if (a->period > 0)
        index %= a->period;
    return bench_get(a->data, index, a->dtype);
}

bench_part bench_whole(const bench_view *in, int64_t rows, int64_t columns)
{
    return (bench_part){in, rows, columns, GABLE_GENERAL, false};
}

/* Rows [*first, *end) of column j. */
static void reach(const bench_part *f, int64_t j, int64_t *first, int64_t *end)
{
    *first = f->part == GABLE_LOWER ? j : 0;
    *end = f->part == GABLE_UPPER && j + 1 < f->rows ? j + 1 : f->rows;
}

static bench_element part_at(const bench_part *f, int64_t i, int64_t j)
{
    return f->unit && i == j ? (bench_element){1, 0} : at(f->in, i, j);
}

void bench_multiply(const bench_part *f, gable_trans trans, const bench_element *x,
                    bench_element *y)
{
    bench_clear(y, trans == GABLE_NO_TRANS ? f->rows : f->columns);
    for (int64_t j = 0; j < f->columns; j++) {
        int64_t first, end;
        reach(f, j, &first, &end);
        for (int64_t i = first; i < end; i++) {
            const bench_element a = turned(part_at(f, i, j), trans);
            add_product(trans == GABLE_NO_TRANS ? &y[i] : &y[j], a,
                        x[trans == GABLE_NO_TRANS ? j : i]);
        }
    }
}

static bench_element quotient(bench_element a, bench_element b)
{
    const double modulus = b.re * b.re + b.im * b.im;
    return (bench_element){(a.re * b.re + a.im * b.im) / modulus,
                           (a.im * b.re - a.re * b.im) / modulus};
}

void bench_solve(const bench_part *f, gable_trans trans, bench_element *x)
{
    const bool forwards = (f->part == GABLE_LOWER) == (trans == GABLE_NO_TRANS);
    for (int64_t s = 0; s < f->columns; s++) {
        const int64_t j = forwards ? s : f->columns - 1 - s;
        int64_t first, end;
        reach(f, j, &first, &end);
        for (int64_t i = first; trans != GABLE_NO_TRANS && i < end; i++) {
            const bench_element minus = {-x[i].re, -x[i].im};
            if (i != j)
                add_product(&x[j], turned(part_at(f, i, j), trans), minus);
        }
        x[j] = quotient(x[j], turned(part_at(f, j, j), trans));
        for (int64_t i = first; trans == GABLE_NO_TRANS && i < end; i++) {
            const bench_element minus = {-x[j].re, -x[j].im};
            if (i != j)
                add_product(&x[i], part_at(f, i, j), minus);
        }
    }
}

void bench_multiply_hermitian(const bench_part *f, const bench_element *x, bench_element *y)
{
    bench_clear(y, f->rows);
    for (int64_t j = 0; j < f->columns; j++) {
        int64_t first, end;
        reach(f, j, &first, &end);
        for (int64_t i = first; i < end; i++) {
            bench_element a = at(f->in, i, j);
            if (i == j)
                a.im = 0; /* whatever is stored */
            add_product(&y[i], a, x[j]);
            if (i != j)
                add_product(&y[j], bench_conjugate(a), x[i]);
        }
    }
}

double bench_norm1(const bench_part *f, gable_trans trans, bool hermitian)
{
    double *sums = calloc((size_t)(f->rows > f->columns ? f->rows : f->columns), sizeof *sums);
    double largest = 0;
    if (sums == NULL)
        return (double)NAN;
    for (int64_t j = 0; j < f->columns; j++) {
        int64_t first, end;
        reach(f, j, &first, &end);
        for (int64_t i = first; i < end; i++) {
            const bench_element a = part_at(f, i, j);
            const double modulus = a.im != 0 ? hypot(a.re, a.im) : fabs(a.re);
            sums[trans == GABLE_NO_TRANS ? j : i] += modulus;
            if (hermitian && i != j)
                sums[i] += modulus;
        }
    }
    for (int64_t j = 0; j < (trans == GABLE_NO_TRANS ? f->columns : f->rows); j++)
        largest = sums[j] <= largest ? largest : sums[j];
    free(sums);
    return largest;
}

/* ---- Exchanges and reflectors ---- */

void bench_exchange(const int64_t *pivots, int64_t count, bool back, bench_element *x)
{
    for (int64_t s = 0; s < count; s++) {
        const int64_t i = back ? count - 1 - s : s, other = pivots[i] - 1;
        const bench_element kept = x[i];
        x[i] = x[other];
        x[other] = kept;
    }
}

void bench_reflect(const bench_view *vectors, bool rows, const void *factors, int64_t length,
                   int64_t count, bool adjoint, bench_element *x)
{
    const bool ascending = rows != adjoint;
    for (int64_t s = 0; s < count; s++) {
        const int64_t j = ascending ? s : count - 1 - s;
        const bench_element tau = bench_get(factors, j, vectors->dtype);
        const bench_part v = rows ? (bench_part){vectors, count, length, GABLE_UPPER, true}
                                  : (bench_part){vectors, length, count, GABLE_LOWER, true};
        bench_element sum = {0, 0}, step = {0, 0};
        for (int64_t i = j; i < length; i++) {
            const bench_element a = rows ? part_at(&v, j, i) : bench_conjugate(part_at(&v, i, j));
            add_product(&sum, a, x[i]);
        }
        add_product(&step, ascending ? bench_conjugate(tau) : tau, sum);
        step = (bench_element){-step.re, -step.im};
        for (int64_t i = j; i < length; i++) {
            const bench_element a = rows ? bench_conjugate(part_at(&v, j, i)) : part_at(&v, i, j);
            add_product(&x[i], a, step);
        }
    }
}

void bench_reflect_above(const bench_view *vectors, const void *factors, int64_t count,
                         bool adjoint, bench_element *x)
{
    const bench_part v = {vectors, count, count, GABLE_UPPER, true};
    for (int64_t s = 0; s < count; s++) {
        const int64_t j = adjoint ? count - 1 - s : s;
        const bench_element tau = bench_get(factors, j, vectors->dtype);
        bench_element sum = {0, 0}, step = {0, 0};
        for (int64_t i = 0; i <= j; i++)
            add_product(&sum, bench_conjugate(part_at(&v, i, j)), x[i]);
        add_product(&step, adjoint ? bench_conjugate(tau) : tau, sum);
        step = (bench_element){-step.re, -step.im};
        for (int64_t i = 0; i <= j; i++)
            add_product(&x[i], part_at(&v, i, j), step);
    }
}

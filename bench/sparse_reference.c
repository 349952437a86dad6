/* sparse_reference.c: whether products and solutions with sparse matrices are right.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include "bench_check.h"
#include "bench_reference.h"
#include "sparse_basis.h"
#include "sparse_reference.h"

#define SAMPLED_ROWS 61   /* one of so many */
#define CLAIM_BOUND  0.01 /* of a residual that a solver tells */
#define PLAIN_FACTOR 2.0  /* between a residual and that of the plain loop */

static gable_status no_memory(const bench_sparse_system *s)
{
    return gbl_fail(&s->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
}

/* ---- Products ---- */

static bench_element host_x(const bench_sparse_system *s, int64_t i)
{
    if (!gbl_dtype_complex(s->what->dtype))
        return (bench_element){s->host[i], 0};
    return (bench_element){s->host[2 * i], s->host[2 * i + 1]};
}

/* Row i of m times the vector, which is x of the system or one of the precision. */
static bench_sums row_sum(const bench_sparse_system *s, const bench_sparse_matrix *m,
                          const void *vector, int64_t i)
{
    bench_sums sum = {{{0, 0}, {0, 0}}, 0};
    for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
        bench_element a;
        bench_sparse_value(m, e, s->what->dtype, &a.re, &a.im);
        bench_add_product(&sum, a,
                          vector != NULL ? bench_get(vector, m->column[e], s->what->dtype)
                                         : host_x(s, m->column[e]));
    }
    return sum;
}

/* The matrix that is multiplied with: op of the one by name. *owned: free it. */
static gable_status turned(const bench_sparse_system *s, bench_sparse_matrix *m, bool *owned)
{
    *m = *s->what->matrix;
    *owned = s->what->op == BENCH_SPARSE_MV && s->what->trans != GABLE_NO_TRANS;
    if (!*owned)
        return GABLE_OK;
    return bench_sparse_transpose(s->what->matrix, s->what->trans == GABLE_CONJ_TRANS, m,
                                  &s->ctx->message);
}

static double worst_row(const bench_sparse_system *s, const bench_sparse_matrix *m, const void *y)
{
    const gbl_dtype dtype = s->what->dtype;
    const int64_t step = m->entries <= BENCH_CHECKED_WHOLE ? 1 : SAMPLED_ROWS;
    const double u = bench_unit_roundoff(dtype) * bench_complex_factor(dtype);
    double worst = 0;
    int64_t nans = 0;
#pragma omp parallel for schedule(static) reduction(max : worst) reduction(+ : nans)
    for (int64_t i = 0; i < m->rows; i++) {
        const bench_element got = bench_get(y, i, dtype);
        nans += isnan(got.re) || isnan(got.im);
        if (i % step != 0 && i != m->rows - 1)
            continue;
        const bench_sums sum = row_sum(s, m, NULL, i);
        const double terms = (double)(m->start[i + 1] - m->start[i]);
        const bench_expected e = {sum.sum, (fmin(terms, 8 * sqrt(terms)) + 2) * u * sum.moduli};
        const double error = bench_over_bound(e, got);
        nans += isnan(error) != 0;
        worst = error > worst ? error : worst;
    }
    return nans > 0 ? (double)NAN : worst;
}

gable_status bench_sparse_check(bench_sparse_system *s, int64_t set, double *error)
{
    const size_t elem = gbl_dtype_bytes(s->what->dtype);
    if (s->basis != NULL)
        return bench_basis_check(s->basis, error);
    void *y = malloc((size_t)s->y_length * elem + 1);
    bench_sparse_matrix m;
    bool owned = false;
    if (y == NULL)
        return no_memory(s);
    gable_status status = gable_get_vector(s->ctx, s->y_length, elem, s->y[set], 1, y, 1);
    if (status == GABLE_OK)
        status = turned(s, &m, &owned);
    if (status == GABLE_OK) {
        *error = worst_row(s, &m, y);
        if (owned)
            bench_sparse_free(&m);
    }
    free(y);
    return status;
}

gable_status bench_sparse_norm(const bench_sparse_system *s, double *norm)
{
    bench_sparse_matrix m;
    bool owned;
    double sum = 0;
    TRY(turned(s, &m, &owned));
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < m.rows; i++) {
        const bench_sums row = row_sum(s, &m, NULL, i);
        sum += row.sum.re.high * row.sum.re.high + row.sum.im.high * row.sum.im.high;
    }
    *norm = sqrt(sum);
    if (owned)
        bench_sparse_free(&m);
    return GABLE_OK;
}

/* ---- Solutions ---- */

gable_status bench_sparse_residual(bench_sparse_system *s, const void *x, double *residual)
{
    const bench_sparse_matrix *m = s->what->matrix;
    const size_t elem = gbl_dtype_bytes(s->what->dtype);
    void *solution = malloc((size_t)m->rows * elem + 1);
    if (solution == NULL)
        return no_memory(s);
    const gable_status status = gable_get_vector(s->ctx, m->rows, elem, x, 1, solution, 1);
    double left = 0, right = 0;
#pragma omp parallel for schedule(static) reduction(+ : left, right) if (status == GABLE_OK)
    for (int64_t i = 0; i < (status == GABLE_OK ? m->rows : 0); i++) {
        const bench_element b = host_x(s, i);
        const bench_sums row = row_sum(s, m, solution, i);
        const wide_complex r = complex_add(row.sum, wide_number(-b.re, -b.im));
        left += r.re.high * r.re.high + r.im.high * r.im.high;
        right += b.re * b.re + b.im * b.im;
    }
    *residual = sqrt(left / right);
    free(solution);
    return status;
}

static double plain_dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void plain_multiply(const bench_sparse_system *s, const double *x, double *y)
{
    const bench_sparse_matrix *m = s->what->matrix;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            double re, im;
            bench_sparse_value(m, e, s->what->dtype, &re, &im);
            sum += re * x[m->column[e]];
        }
        y[i] = sum;
    }
}

gable_status bench_sparse_plain_cg(const bench_sparse_system *s, int64_t iterations,
                                   double *residual)
{
    const int64_t n = s->what->matrix->rows;
    double *r = malloc((size_t)n * 3 * sizeof *r + 1);
    if (r == NULL)
        return no_memory(s);
    double *p = r + n, *q = p + n;
    for (int64_t i = 0; i < n; i++)
        r[i] = p[i] = s->host[i];
    const double first = plain_dot(r, r, n);
    double rr = first;
    for (int64_t k = 0; k < iterations && rr > 0; k++) {
        plain_multiply(s, p, q);
        const double alpha = rr / plain_dot(p, q, n);
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            r[i] -= alpha * q[i];
        const double next = plain_dot(r, r, n), beta = next / rr;
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        rr = next;
    }
    *residual = sqrt(rr / first);
    free(r);
    return GABLE_OK;
}

double bench_sparse_solve_error(gbl_dtype dtype, double residual, double claimed, double plain)
{
    const double u = bench_unit_roundoff(dtype), floor = sqrt(u);
    const double claim = fabs(claimed - residual) / (CLAIM_BOUND * residual + 100 * u);
    const double grown = residual <= 1 + 100 * u ? 0 : 2;
    const bool compared = plain > 0 && plain <= 1;
    const double beside =
        compared ? fabs(log(fmax(residual, floor) / fmax(plain, floor))) / log(PLAIN_FACTOR) : 0;
    if (isnan(residual) || isnan(claim) || isnan(plain))
        return (double)NAN;
    return fmax(fmax(claim, grown), beside);
}

double bench_sparse_peer_error(gbl_dtype dtype, double residual, double wanted)
{
    const double floor = sqrt(bench_unit_roundoff(dtype));
    if (isnan(residual))
        return (double)NAN;
    return fabs(fmax(residual, floor) - fmax(wanted, floor)) / (CLAIM_BOUND * fmax(wanted, floor));
}

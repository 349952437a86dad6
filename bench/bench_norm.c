/* bench_norm.c: the error of a norm of a matrix, over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every element counts, so all of them are looked at, line by line: columns, or rows where sums of
 * rows are asked for. Moduli are those of double, sums are wide.
 */
#include <math.h>
#include <stdlib.h>
#include "bench_check.h"
#include "bench_reference.h"

/* Element (i, j) of the matrix that is stored: of one triangle the rest is mirrored, or 0. */
static bench_element element(const bench_operands *o, int64_t i, int64_t j)
{
    const bench_case *what = &o->what;
    const bool symmetric = what->op->op == &gbl_lansy_op,
               stored =
                   what->uplo == GABLE_GENERAL || i == j || (i > j) == (what->uplo == GABLE_LOWER);
    if (!stored && !symmetric)
        return (bench_element){0, 0};
    const int64_t at = bench_matrix_index(o, BENCH_A, stored ? i : j, stored ? j : i);
    bench_element e = bench_get(o->host[BENCH_A], at % o->period, what->dtype);
    if (what->op->conj && i == j)
        e.im = 0;
    return e;
}

static double modulus(bench_element e)
{
    return e.im != 0 ? hypot(e.re, e.im) : fabs(e.re);
}

/* The largest modulus of a line, the sum of its moduli or of their squares. */
static wide of_line(const bench_operands *o, int64_t line, int64_t length)
{
    const gable_norm norm = o->what.norm;
    wide sum = {0, 0};
    for (int64_t l = 0; l < length; l++) {
        const bench_element e = norm == GABLE_INF_NORM ? element(o, line, l) : element(o, l, line);
        if (norm == GABLE_MAX_NORM)
            sum.high = fmax(sum.high, modulus(e));
        else if (norm == GABLE_FROBENIUS_NORM)
            sum = wide_add(sum, wide_add(two_product(e.re, e.re), two_product(e.im, e.im)));
        else
            sum = wide_add(sum, (wide){modulus(e), 0});
    }
    return sum;
}

/* The norm, from its lines. */
static double expected(const bench_operands *o, const wide *lines, int64_t count)
{
    wide all = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        if (o->what.norm == GABLE_FROBENIUS_NORM)
            all = wide_add(all, lines[i]);
        else
            all.high = fmax(all.high, lines[i].high);
    }
    return o->what.norm == GABLE_FROBENIUS_NORM ? sqrt(all.high) : all.high;
}

/* Roundings that are allowed, of a line or of all elements; the largest real number is exact. */
static double bound(const bench_case *what, int64_t length, int64_t lines)
{
    const double terms =
        what->norm == GABLE_FROBENIUS_NORM ? (double)length * (double)lines : (double)length;
    const double u = bench_unit_roundoff(what->dtype);
    if (what->norm == GABLE_MAX_NORM)
        return gbl_dtype_complex(what->dtype) ? 3 * u : 0;
    return (fmin(terms, 8 * sqrt(terms)) + 4) * u;
}

gable_status bench_check_norm(const bench_operands *operands, bench_reader reader, void *user,
                              double *error)
{
    const bench_case *what = &operands->what;
    const bool rows = what->norm == GABLE_INF_NORM, single = gbl_dtype_real_bytes(what->dtype) == 4;
    const int64_t m = operands->shape[BENCH_A].rows, n = operands->shape[BENCH_A].columns,
                  count = rows ? m : n, length = rows ? n : m;
    double result[2] = {0, 0};
    wide *lines = malloc((size_t)count * sizeof *lines);
    if (lines == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    const gable_status status = reader(user, BENCH_RESULT, 0, 1, result);
#pragma omp parallel for
    for (int64_t i = 0; i < count; i++)
        lines[i] = of_line(operands, i, length);
    const double right = expected(operands, lines, count),
                 got = bench_get(result, 0, single ? GBL_S : GBL_D).re;
    const bench_expected e = {wide_number(right, 0), bound(what, length, count) * right};
    *error = bench_over_bound(e, (bench_element){got, 0});
    free(lines);
    return status;
}

/* bench_check.c: the error of a result over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "bench_check.h"
#include "bench_reference.h"

#define CHUNK ((int64_t)1 << 20) /* elements read back at a time */

static gable_status no_memory(const bench_operands *operands)
{
    return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
}

/* The larger of two errors; NaN beats all. */
static double worse(double a, double b)
{
    return !(b <= a) ? b : a;
}

/* ---- Reductions ---- */

/* Roundings that a sum of n terms is allowed. */
static double sum_roundings(const bench_case *what)
{
    const double n = (double)what->n;
    return fmin(n, 8 * sqrt(n)) + 2;
}

static double position_error(const bench_case *what, int64_t got)
{
    double value[2];
    return got == bench_peak(what, value) + 1 ? 0 : 2;
}

static double real_error(const bench_case *what, const bench_sums *s, double got)
{
    const double relative =
        sum_roundings(what) * bench_unit_roundoff(what->dtype) * bench_complex_factor(what->dtype);
    if (what->op->formula == BENCH_ASUM)
        return fabs((s->sum.re.high - got) + s->sum.re.low) / (relative * s->moduli);
    const double root = sqrt(s->sum.re.high);
    const double rest = wide_add(s->sum.re, two_product(-root, root)).high / (2 * root);
    return fabs((root - got) + rest) / (relative * root);
}

/* A sum of products, in double for single-precision vectors too where the op is dsdot or sdsdot. */
static double dot_error(const bench_case *what, const bench_sums *s, bench_element got)
{
    const bool in_double = what->op->op == &gbl_dsdot_op;
    const double u = in_double ? DBL_EPSILON / 2 : bench_unit_roundoff(what->dtype);
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    const wide sum = wide_add(s->sum.re, (wide){alpha.re, 0});
    double bound = sum_roundings(what) * u * bench_complex_factor(what->dtype) * s->moduli;
    if (in_double && !what->op->wide_result)
        bound += bench_unit_roundoff(what->dtype) * fabs(sum.high);
    const double re = (sum.high - got.re) + sum.low;
    const double im = (s->sum.im.high - got.im) + s->sum.im.low;
    return hypot(re, im) / bound;
}

static double reduction_error(const bench_operands *operands, const void *results)
{
    const bench_case *what = &operands->what;
    const gbl_dtype real = gbl_dtype_real_bytes(what->dtype) == 4 ? GBL_S : GBL_D;
    bench_sums sums[BENCH_COLUMNS];
    double worst = 0;
    const bench_result_kind kind = bench_op_result(what->op);
    if (kind == BENCH_POSITION)
        return position_error(what, *(const int64_t *)results);
#pragma omp parallel for
    for (int64_t j = 0; j < operands->columns; j++)
        sums[j] = bench_reference_sums(operands, j);
    if (kind == BENCH_REAL && !bench_op_takes_columns(what->op))
        return real_error(what, &sums[0], bench_get(results, 0, real).re);
    for (int64_t j = 0; kind == BENCH_REAL && j < what->k; j++)
        worst = worse(
            worst, real_error(what, &sums[j % operands->columns], bench_get(results, j, real).re));
    if (kind == BENCH_REAL)
        return worst;
    if (kind == BENCH_DOUBLE)
        return dot_error(what, &sums[0], bench_get(results, 0, GBL_D));
    for (int64_t j = 0; j < what->k; j++)
        worst = worse(worst, dot_error(what, &sums[j % operands->columns],
                                       bench_get(results, j, what->dtype)));
    return worst;
}

static gable_status check_result(const bench_operands *operands, bench_reader reader, void *user,
                                 double *error)
{
    void *results = calloc(1, bench_result_bytes(&operands->what));
    if (results == NULL)
        return no_memory(operands);
    const gable_status status = reader(user, BENCH_RESULT, 0, operands->what.k, results);
    if (status == GABLE_OK)
        *error = reduction_error(operands, results);
    free(results);
    return status;
}

/* ---- Vectors ---- */

/* The worst element of a piece; where there is no bound, the number of wrong ones plus 1. Without
 * `expected` the piece is random's. */
static double piece_error(const bench_operands *operands, const bench_expected *expected,
                          const void *piece, int64_t first, int64_t count)
{
    const bench_case *what = &operands->what;
    double worst = 0;
    int64_t wrong = 0, unordered = 0;
#pragma omp parallel for reduction(max : worst) reduction(+ : wrong, unordered)
    for (int64_t i = 0; i < count; i++) {
        const bench_element got = bench_get(piece, i, what->dtype);
        if (expected == NULL) {
            const bench_element right = bench_reference_random(what, first + i);
            wrong += !(got.re == right.re && got.im == right.im);
            continue;
        }
        const bench_expected *e = &expected[(first + i) % operands->period];
        const double distance = hypot((e->value.re.high - got.re) + e->value.re.low,
                                      (e->value.im.high - got.im) + e->value.im.low);
        if (e->bound == 0)
            wrong += !(distance == 0);
        else if (distance / e->bound > worst)
            worst = distance / e->bound;
        else
            unordered += !(distance >= 0); /* NaN */
    }
    if (unordered > 0)
        return (double)NAN;
    return wrong > 0 ? (double)wrong + 1 : worst;
}

static gable_status check_vector(const bench_operands *operands, bench_role which,
                                 const bench_expected *expected, bench_reader reader, void *user,
                                 double *error)
{
    const int64_t n = operands->what.n, most = n < CHUNK ? n : CHUNK;
    void *piece = malloc((size_t)most * gbl_dtype_bytes(operands->what.dtype));
    if (piece == NULL)
        return no_memory(operands);
    gable_status status = GABLE_OK;
    for (int64_t first = 0; status == GABLE_OK && first < n; first += most) {
        const int64_t count = most < n - first ? most : n - first;
        status = reader(user, which, first, count, piece);
        if (status == GABLE_OK)
            *error = worse(*error, piece_error(operands, expected, piece, first, count));
        if (isnan(*error))
            break;
    }
    free(piece);
    return status;
}

gable_status bench_check(const bench_operands *operands, int64_t times, bench_reader reader,
                         void *user, double *error)
{
    const bench_op *op = operands->what.op;
    *error = 0;
    if (bench_op_has_matrix(op))
        return bench_check_matrix(operands, times, reader, user, error);
    if (bench_op_result(op) != BENCH_NO_RESULT)
        return check_result(operands, reader, user, error);
    for (int role = BENCH_X; role <= BENCH_W && !isnan(*error); role++) {
        if (!bench_writes(op, (bench_role)role))
            continue;
        bench_expected *expected = NULL;
        if (op->formula != BENCH_RANDOM) {
            expected = bench_reference_vector(operands, (bench_role)role, times);
            if (expected == NULL)
                return no_memory(operands);
        }
        const gable_status status =
            check_vector(operands, (bench_role)role, expected, reader, user, error);
        free(expected);
        TRY(status);
    }
    return GABLE_OK;
}

/* ---- The operands' own memory ---- */

typedef struct set_reader {
    bench_operands *operands;
    int64_t set;
} set_reader;

static gable_status read_set(void *user, bench_role which, int64_t first, int64_t count,
                             void *target)
{
    const set_reader *reader = user;
    const bench_operands *operands = reader->operands;
    if (which == BENCH_RESULT)
        return gable_get_vector(operands->ctx, (int64_t)bench_result_bytes(&operands->what), 1,
                                operands->at[BENCH_RESULT][reader->set], 1, target, 1);
    const size_t elem = bench_element_bytes(&operands->what, which);
    const char *vector = operands->at[which][reader->set];
    return gable_get_vector(operands->ctx, count, elem, vector + (size_t)first * elem, 1, target,
                            1);
}

gable_status bench_check_set(bench_operands *operands, int64_t set, int64_t times, double *error)
{
    set_reader reader = {operands, set};
    return bench_check(operands, times, read_set, &reader, error);
}

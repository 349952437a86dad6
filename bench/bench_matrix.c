/* bench_matrix.c: the error of what an op with a matrix gives, over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every output vector is read back, so that an element that was never written shows as the NaN that
 * was there; those that are recomputed are evenly spread, the first and the last among them. Of
 * output matrices too large to be recomputed one element of 61 is, so that every tile of a kernel
 * is met.
 */
#include <math.h>
#include <stdlib.h>
#include "bench_check.h"
#include "bench_reference.h"

#define CHUNK    ((int64_t)1 << 22) /* elements of a matrix that are read back at a time */
#define SPARSELY 61                 /* a prime: no tile or vector of a kernel is a multiple of it */

bool bench_check_repeats(const bench_case *what)
{
    return !bench_op_is_triangular(what->op) && what->op->formula < BENCH_LASCL && what->beta == 0;
}

/* ---- Elements ---- */

static bench_element get_vector(const bench_operands *operands, const void *host, int64_t i)
{
    return bench_get(host, i % operands->period, operands->what.dtype);
}

/* Element (i, j) of A or B as the operand lies in memory, from the host's data. */
static bench_element get_matrix(const bench_operands *operands, bench_role role, int64_t i,
                                int64_t j)
{
    return bench_get(operands->host[role],
                     bench_matrix_index(operands, role, i, j) % operands->period,
                     operands->what.dtype);
}

/* Element (i, j) of the matrix that one triangle stands for: symmetric, Hermitian or triangular. */
static bench_element get_whole(const bench_operands *operands, int64_t i, int64_t j)
{
    const bench_case *what = &operands->what;
    const bool triangular = bench_op_is_triangular(what->op);
    const bool stored = i == j || (i > j) == (what->uplo == GABLE_LOWER);
    if (triangular && !stored)
        return (bench_element){0, 0};
    if (i == j && triangular)
        return (bench_element){1, 0};
    const bench_element a =
        stored ? get_matrix(operands, BENCH_A, i, j) : get_matrix(operands, BENCH_A, j, i);
    if (!what->op->conj)
        return a;
    return i == j ? (bench_element){a.re, 0} : stored ? a : bench_conjugate(a);
}

/* Element (i, j) of what multiplies x. */
static bench_element get_factor(const bench_operands *operands, int64_t i, int64_t j)
{
    const bench_case *what = &operands->what;
    const bool whole = operands->call.matrix.uplo != 0, turned = what->trans != GABLE_NO_TRANS;
    const int64_t row = turned ? j : i, column = turned ? i : j;
    const bench_element a =
        whole ? get_whole(operands, row, column) : get_matrix(operands, BENCH_A, row, column);
    return what->trans == GABLE_CONJ_TRANS ? bench_conjugate(a) : a;
}

/* Columns [*first, *end) of row i of op(A) that are not 0 everywhere: all, but of bands. */
static void row_reach(const bench_operands *operands, int64_t i, int64_t *first, int64_t *end)
{
    const bench_case *what = &operands->what;
    const bool triangular = bench_op_is_triangular(what->op);
    const bool turned = what->trans != GABLE_NO_TRANS;
    const int64_t columns = *end;
    if (operands->storage != GBL_BAND)
        return;
    /* Below the diagonal of op(A), and above it. */
    const bool below = !triangular || (what->uplo == GABLE_LOWER) != turned;
    const bool above = !triangular || !below;
    *first = below && i > what->width ? i - what->width : below ? 0 : i;
    *end = !above ? i + 1 : i + what->width + 1 < columns ? i + what->width + 1 : columns;
}

/* Output i of a product, alpha times a row of op(A) times x; of many products output i of all of
 * them. `solution`, where it is given, stands for x. */
static bench_expected product(const bench_operands *operands, const void *solution, int64_t i)
{
    const bench_case *what = &operands->what;
    const int64_t terms = operands->shape[BENCH_X].rows;
    const int64_t outputs = operands->shape[bench_written(what->op)].rows;
    const int64_t b = i / outputs, row = i % outputs;
    const bench_shape shape = operands->shape[BENCH_A];
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    int64_t first = 0, end = terms;
    row_reach(operands, row, &first, &end);
    for (int64_t j = first; j < end; j++) {
        /* Matrix b of many stands b times its columns further on. */
        const bench_element a = what->trans == GABLE_NO_TRANS || what->batch == 1
                                    ? get_factor(operands, row, j + b * shape.columns)
                                    : get_factor(operands, row + b * shape.columns, j);
        const bench_element x = solution != NULL
                                    ? bench_get(solution, j, what->dtype)
                                    : get_vector(operands, operands->host[BENCH_X], b * terms + j);
        bench_add_product(&s, a, x);
    }
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    if (bench_op_is_triangular(what->op))
        alpha = (gbl_scalar){.re = 1};
    const double added = (double)(end - first);
    const double roundings = fmin(added, 8 * sqrt(added)) + 2;
    const double relative =
        roundings * bench_unit_roundoff(what->dtype) * bench_complex_factor(what->dtype);
    return (bench_expected){complex_multiply(wide_number(alpha.re, alpha.im), s.sum),
                            relative * hypot(alpha.re, alpha.im) * s.moduli};
}

/* ---- Vectors ---- */

/* Of trsv the residual counts: op(A) times what was found, against what x was. */
static double output_error(const bench_operands *operands, const void *outputs, int64_t i)
{
    const bool solved = operands->what.op->formula == BENCH_TRSV;
    const bench_element got = solved ? get_vector(operands, operands->host[BENCH_X], i)
                                     : bench_get(outputs, i, operands->what.dtype);
    return bench_over_bound(product(operands, solved ? outputs : NULL, i), got);
}

static double worst_output(const bench_operands *operands, const void *y)
{
    const bench_case *what = &operands->what;
    const int64_t outputs = operands->shape[bench_written(what->op)].length;
    const bool whole =
        operands->shape[BENCH_A].length <= BENCH_CHECKED_WHOLE || outputs <= BENCH_SAMPLES;
    const int64_t checked = whole ? outputs : BENCH_SAMPLES;
    double worst = 0;
    for (int64_t i = 0; i < outputs; i++) {
        const bench_element got = bench_get(y, i, what->dtype);
        if (isnan(got.re) || isnan(got.im))
            return (double)NAN;
    }
#pragma omp parallel for reduction(max : worst)
    for (int64_t s = 0; s < checked; s++) {
        const double at = (double)s * (double)(outputs - 1) / (BENCH_SAMPLES - 1);
        const double error = output_error(operands, y, whole ? s : (int64_t)at);
        worst = error > worst ? error : worst;
    }
    return worst;
}

static gable_status check_vector(const bench_operands *operands, bench_reader reader, void *user,
                                 double *error)
{
    const bench_role which = bench_written(operands->what.op);
    const int64_t outputs = operands->shape[which].length;
    void *y = malloc((size_t)outputs * gbl_dtype_bytes(operands->what.dtype));
    if (y == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    const gable_status status = reader(user, which, 0, outputs, y);
    if (status == GABLE_OK)
        *error = worst_output(operands, y);
    free(y);
    return status;
}

/* ---- Matrices ---- */

/* What `times` updates add to element (i, j), before alpha: one product, or the two of syr2. */
static bench_expected updated(const bench_operands *operands, int64_t i, int64_t j, int64_t times)
{
    const bench_case *what = &operands->what;
    const bench_formula formula = what->op->formula;
    const bool conj = what->op->conj, second = formula == BENCH_SYR2;
    const void *x = operands->host[BENCH_X];
    const void *other = formula == BENCH_SYR ? x : operands->host[BENCH_Y];
    const bench_element a = get_matrix(operands, BENCH_A, i, j);
    if (operands->call.matrix.uplo != 0 && i != j && (i > j) != (what->uplo == GABLE_LOWER))
        return (bench_expected){wide_number(a.re, a.im), 0};
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    const bench_element scalar = {alpha.re, alpha.im};
    const bench_element y_j = get_vector(operands, other, j);
    const bench_element x_i = get_vector(operands, x, i);
    bench_sums first = {{{0, 0}, {0, 0}}, 0}, next = first;
    bench_add_product(&first, x_i, conj ? bench_conjugate(y_j) : y_j);
    wide_complex value = complex_multiply(wide_number(scalar.re, scalar.im), first.sum);
    if (second) {
        const bench_element x_j = get_vector(operands, x, j);
        const bench_element turned = conj ? bench_conjugate(scalar) : scalar;
        bench_add_product(&next, get_vector(operands, other, i), conj ? bench_conjugate(x_j) : x_j);
        value = complex_add(value, complex_multiply(wide_number(turned.re, turned.im), next.sum));
    }
    value = complex_multiply(wide_number((double)times, 0), value);
    const bool real_diagonal = i == j && conj && formula != BENCH_GER;
    value = complex_add(value, wide_number(a.re, real_diagonal ? 0 : a.im));
    if (real_diagonal)
        value.im = (wide){0, 0};
    const double moduli = (double)times * hypot(alpha.re, alpha.im) * (first.moduli + next.moduli);
    const double roundings = 2 * (double)times + 2;
    return (bench_expected){value, roundings * bench_unit_roundoff(what->dtype) *
                                       bench_complex_factor(what->dtype) *
                                       (moduli + hypot(a.re, a.im))};
}

/* Element (i, j) of C: op(A), or alpha op(A) + beta B. */
static bench_expected turned(const bench_operands *operands, int64_t i, int64_t j)
{
    const bench_case *what = &operands->what;
    const bool turn = what->trans != GABLE_NO_TRANS;
    bench_element a = get_matrix(operands, BENCH_A, turn ? j : i, turn ? i : j);
    if (what->trans == GABLE_CONJ_TRANS)
        a = bench_conjugate(a);
    if (what->op->formula == BENCH_TRANSPOSE)
        return (bench_expected){wide_number(a.re, a.im), 0};
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    bench_add_product(&s, (bench_element){alpha.re, alpha.im}, a);
    bench_add_product(&s, (bench_element){beta.re, beta.im}, get_matrix(operands, BENCH_B, i, j));
    return (bench_expected){s.sum, 3 * bench_unit_roundoff(what->dtype) *
                                       bench_complex_factor(what->dtype) * s.moduli};
}

/* Which element stands at `at` of a packed triangle of order n. Columns of the upper one grow by an
 * element each; the lower one, read from its end, is such a triangle, too. */
static void packed_element(gable_uplo uplo, int64_t n, int64_t at, int64_t *i, int64_t *j)
{
    const int64_t from = uplo == GABLE_UPPER ? at : n * (n + 1) / 2 - 1 - at;
    int64_t column = (int64_t)((sqrt(8 * (double)from + 1) - 1) / 2);
    while (column * (column + 1) / 2 > from)
        column--;
    while ((column + 1) * (column + 2) / 2 <= from)
        column++;
    const int64_t row = from - column * (column + 1) / 2;
    *i = uplo == GABLE_UPPER ? row : n - 1 - row;
    *j = uplo == GABLE_UPPER ? column : n - 1 - column;
}

/* The worst of a piece of the buffer that starts at element `first`; between columns nothing
 * counts. */
static double piece_error(const bench_operands *operands, const void *piece, int64_t first,
                          int64_t count, int64_t step, int64_t times)
{
    const bench_case *what = &operands->what;
    const bench_role which = bench_written(what->op);
    const bench_shape shape = operands->shape[which];
    double worst = 0;
    int64_t nans = 0;
#pragma omp parallel for reduction(max : worst) reduction(+ : nans)
    for (int64_t k = (step - first % step) % step; k < count; k += step) {
        const int64_t at = first + k - what->offset;
        int64_t i = at % shape.ld, j = at / shape.ld;
        if (at < 0 || i >= shape.rows)
            continue;
        if (operands->storage == GBL_PACKED)
            packed_element(what->uplo, what->n, at, &i, &j);
        const bench_expected e =
            which == BENCH_A ? updated(operands, i, j, times) : turned(operands, i, j);
        const double error = bench_over_bound(e, bench_get(piece, k, what->dtype));
        nans += isnan(error) != 0;
        worst = error > worst ? error : worst;
    }
    return nans > 0 ? (double)NAN : worst;
}

static gable_status check_matrix(const bench_operands *operands, int64_t times, bench_reader reader,
                                 void *user, double *error)
{
    const bench_role which = bench_written(operands->what.op);
    const int64_t length = operands->shape[which].length;
    const int64_t step = length <= BENCH_CHECKED_WHOLE ? 1 : SPARSELY;
    void *piece = malloc((size_t)CHUNK * gbl_dtype_bytes(operands->what.dtype));
    if (piece == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    gable_status status = GABLE_OK;
    for (int64_t first = 0; status == GABLE_OK && first < length && !isnan(*error);
         first += CHUNK) {
        const int64_t count = CHUNK < length - first ? CHUNK : length - first;
        status = reader(user, which, first, count, piece);
        const double worst =
            status == GABLE_OK ? piece_error(operands, piece, first, count, step, times) : 0;
        *error = worst <= *error ? *error : worst; /* NaN too */
    }
    free(piece);
    return status;
}

gable_status bench_check_matrix(const bench_operands *operands, int64_t times, bench_reader reader,
                                void *user, double *error)
{
    if (bench_op_is_product(operands->what.op))
        return bench_check_product(operands, reader, user, error);
    return bench_written(operands->what.op) <= BENCH_C
               ? check_matrix(operands, times, reader, user, error)
               : check_vector(operands, reader, user, error);
}

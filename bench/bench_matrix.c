/* bench_matrix.c: the error of a matrix-vector product over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every output is read back, so that one that was never written shows as the NaN that was there. Those
 * that are recomputed are evenly spread, the first and the last among them.
 */
#include <math.h>
#include <stdlib.h>
#include "bench_check.h"
#include "bench_reference.h"

/* Output i: alpha times the sum, which is over row i, or over column i where A is transposed. */
static bench_expected reference(const bench_operands *operands, int64_t i)
{
    const bench_case *what = &operands->what;
    const bool plain = what->trans == GABLE_NO_TRANS, is_complex = gbl_dtype_complex(what->dtype);
    const int64_t terms = bench_length(what, BENCH_X);
    const int64_t first = plain ? i : i * what->m, apart = plain ? what->m : 1;
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    for (int64_t j = 0; j < terms; j++) {
        bench_element a =
            bench_get(operands->host_A, (first + j * apart) % operands->period, what->dtype);
        const bench_element x = bench_get(operands->host_x, j % operands->period, what->dtype);
        if (what->trans == GABLE_CONJ_TRANS)
            a.im = -a.im;
        s.sum.re = wide_add(s.sum.re, two_product(a.re, x.re));
        if (is_complex) {
            s.sum.re = wide_add(s.sum.re, two_product(-a.im, x.im));
            s.sum.im = wide_add(s.sum.im, two_product(a.re, x.im));
            s.sum.im = wide_add(s.sum.im, two_product(a.im, x.re));
        }
        s.moduli += is_complex ? hypot(a.re, a.im) * hypot(x.re, x.im) : fabs(a.re * x.re);
    }
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    const double roundings = fmin((double)terms, 8 * sqrt((double)terms)) + 2;
    const double relative =
        roundings * bench_unit_roundoff(what->dtype) * bench_complex_factor(what->dtype);
    return (bench_expected){complex_multiply(wide_number(alpha.re, alpha.im), s.sum),
                            relative * hypot(alpha.re, alpha.im) * s.moduli};
}

static double output_error(const bench_operands *operands, const void *y, int64_t i)
{
    const bench_expected e = reference(operands, i);
    const bench_element got = bench_get(y, i, operands->what.dtype);
    return hypot((e.value.re.high - got.re) + e.value.re.low,
                 (e.value.im.high - got.im) + e.value.im.low) /
           e.bound;
}

static double worst_error(const bench_operands *operands, const void *y)
{
    const bench_case *what = &operands->what;
    const int64_t outputs = bench_length(what, BENCH_Y);
    const bool whole = what->m * what->n <= BENCH_CHECKED_WHOLE || outputs <= BENCH_SAMPLES;
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

gable_status bench_check_matrix(const bench_operands *operands, bench_reader reader, void *user,
                                double *error)
{
    const int64_t outputs = bench_length(&operands->what, BENCH_Y);
    void *y = malloc((size_t)outputs * gbl_dtype_bytes(operands->what.dtype));
    if (y == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    const gable_status status = reader(user, BENCH_Y, 0, outputs, y);
    if (status == GABLE_OK)
        *error = worst_error(operands, y);
    free(y);
    return status;
}
